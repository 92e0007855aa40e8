import { expect, test } from "vitest";
import { alteringSession, never } from "../support/altering-proxy.ts";

// Ctrl-C while a command looks at what it has changed: the change was made, and the error must not say otherwise.

/** A sandbox that does not answer the first read after a change; `when` resolves once it is asked. */
async function silentAfterChange() {
  let isMade = false;
  let asked = () => {};
  const when = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const place = await alteringSession(({ method, status }) => {
    if (method !== "GET") isMade ||= status < 300;
    else if (isMade) {
      asked();
      return never;
    }
    return undefined;
  });
  return { ...place, stop: { kill: { signal: "SIGINT", when } } as const };
}

test.each([
  ["job-token limit on -p 6", "PATCH /api/v4/projects/6/job_token_scope", "job-token get -p 6"],
  [
    "envs update production -p 7 --allow user:6",
    "PUT /api/v4/projects/7/protected_environments/production",
    "envs get production -p 7",
  ],
])("%s", async (line, change, look) => {
  const { run, direct, stop } = await silentAfterChange();
  const { code, stdout, stderr } = await run(...line.split(" "), "-o", "json", stop);
  expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
  expect(JSON.parse(stderr).error).toMatchObject({
    message: `the change was made (${change}), but then: interrupted`,
    hint: `check before you run it again: forgectl ${look}`,
    ...{ exit: 130, outcome: "made", retryable: false },
  });
  expect(await direct.run(...look.split(" "))).toMatchObject({ code: 0 });
});
