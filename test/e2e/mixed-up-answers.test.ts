import { expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";

// What is in front of an instance may answer with another object of the same kind: the ID or the name in it says so.

/** The object of `own` is answered as that of `other`, to requests of these methods. */
async function mixedUp(own: string, other: string, method: string) {
  const state = { isMixed: false };
  const place = await alteringSession(async (exchange) => {
    const isOwn = exchange.method === method && exchange.path.replace(/\?.*/, "").endsWith(own);
    if (!state.isMixed || !isOwn || exchange.status >= 300) return undefined;
    const headers = { "PRIVATE-TOKEN": place.direct.sandbox.tokens.administrator };
    const answer = await fetch(new URL(`/api/v4${other}`, place.direct.sandbox.url), { headers });
    return { status: 200, body: await answer.json() };
  });
  return { ...place, mix: () => Object.assign(state, { isMixed: true }) };
}

test.each([
  ["hooks update 1 -g acme --name other", "/groups/acme/hooks/1", "/groups/acme/hooks/2"],
  ["hooks get 1 -g acme", "/groups/acme/hooks/1", "/groups/acme/hooks/2"],
  ["users get 4", "/users/4", "/users/5"],
  [
    "envs update production -p 7 --set-approval 1=level:maintainer=2 --yes",
    "production",
    "/projects/7/protected_environments/staging%2Feu",
  ],
])("%s: a read that shows another object is not believed, and nothing is sent", async (line, own, other) => {
  const { run, seen, mix } = await mixedUp(own, other, "GET");
  mix();
  const { code, stderr } = await run(...line.split(" "), "--retries", "0");
  expect([code, stderr]).toEqual([1, expect.stringContaining("it is of another object: ")]);
  expect(seen.filter((each) => !each.startsWith("GET "))).toEqual([]);
});

test("an ID with zeros before it is that ID, and a name of digits, or with a blank at its end, is that name", async () => {
  const { run } = await alteringSession(() => undefined);
  const lines = [
    "projects get 0007",
    "hooks get 01 -g acme",
    "envs protect 007 -p 7 --allow user:6",
    "envs get 007 -p 7",
  ];
  for (const name of ["0815", "docs/0815"])
    for (const verb of ["create", "put", "update"])
      lines.push(`files ${verb} ${name} -p 7 -b main -m x --content ${verb}`);
  expect((await run("files", "put", "b ", ..."-p 7 -b main -m x --content 1".split(" "))).code).toBe(0);
  expect((await run("files", "put", "b ", ..."-p 7 -b main -m x --content 2".split(" "))).code).toBe(0);
  for (const line of lines) expect((await run(...line.split(" "))).code, line).toBe(0);
});

test.each([
  ["registry visibility private -p 7", "/projects/7/", "/projects/1", "PUT"],
  ["hooks update 1 -g acme --name other --yes", "/groups/acme/hooks/1", "/groups/acme/hooks/2", "PUT"],
  ["notes update 300001 --issue 28 -p 7 --body x", "/notes/300001", "/projects/7/issues/28/notes/300002", "PUT"],
])("%s: the answer of another object is no proof", async (line, own, other, method) => {
  const { run, mix } = await mixedUp(own, other, method);
  mix();
  const { code, stderr } = await run(...line.split(" "), "--retries", "0", "-o", "json");
  const { error } = JSON.parse(stderr.trim().split("\n").at(-1) ?? "");
  expect([code, error.outcome]).toEqual([1, "unknown"]);
});
