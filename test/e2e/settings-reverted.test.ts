import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cachingInstance, type Values } from "../support/caching-instance.ts";
import { session } from "../support/session.ts";

// Settings without dates are not cached: what is shown as it was before a change of this machine, another user has set
// back.

const text = "shared_runners_text";
const limit = "terminal_max_session_time";
const hash = "sign_in_restrictions";
const stored = { shared_runners_enabled: false, [text]: "old", [limit]: 5, [hash]: { a: 1, b: 0 } };
const saved = "state plan -f state.yaml --save plan.json";

async function undated(first: Values = stored) {
  const instance = await cachingInstance(1, first, false);
  const { home, run } = session({ FORGECTL_BASE_URL: instance.url, FORGECTL_TOKEN: "t0ken", FORGECTL_RETRIES: "0" });
  writeFileSync(join(home, "state.yaml"), `forgectl: 1\nsettings: { ${limit}: 111 }\n`);
  return { ...instance, run: (line: string) => run(...line.split(" ")) };
}

describe("settings set sends along what another user has set back", () => {
  test("where a setting requires it", async () => {
    const { run, set, settings } = await undated();
    expect((await run(`settings set ${text}=new`)).code).toBe(0);
    set({ [text]: "old" });
    expect((await run("settings set shared_runners_enabled=true")).code).toBe(0);
    expect(settings()).toMatchObject({ [text]: "old", shared_runners_enabled: true });
  });

  test("and as another key of a hash, which the undo line names, too", async () => {
    const { run, set, settings } = await undated();
    expect((await run(`settings set ${hash}={"b":50} --yes`)).code).toBe(0);
    set({ [hash]: stored[hash] });
    const { stderr } = await run(`settings set ${hash}={"a":90} --yes`);
    expect(settings()[hash]).toEqual({ a: 90, b: 0 });
    expect(stderr).toContain(`undo: forgectl settings set '${hash}={"a":1,"b":0}'`);
  });
});

test.each(["state apply -f state.yaml --yes", "state apply --plan plan.json --yes"])(
  "a second %s, and its rollback, see that the first was set back",
  async (apply) => {
    const { run, set, settings } = await undated();
    expect((await run("state apply -f state.yaml --yes")).code).toBe(0);
    set({ [limit]: 5 });
    expect((await run(saved)).stdout).toContain(`${limit}: 5 → 111`);
    expect((await run(apply)).code).toBe(0);
    expect(settings()[limit]).toBe(111);
    expect((await run("settings rollback --yes")).code).toBe(0);
    expect(settings()[limit]).toBe(5);
  },
);

test("a lost change may still be made: what it sent is not sent along", async () => {
  const { run, meet, settings } = await undated();
  meet("lost, not made");
  expect((await run(`settings set ${text}=new`)).code).toBe(1);
  meet("made");
  const on = await run("settings set shared_runners_enabled=true");
  expect([on.code, on.stderr]).toEqual([6, expect.stringContaining("may have been changed a moment ago")]);
  expect(settings()).toMatchObject(stored);
});

test("a rollback leaves another instance alone that has taken the address", async () => {
  const { run, set, settings } = await undated({ ...stored, created_at: "2026-01-01T00:00:00Z" });
  expect((await run("state apply -f state.yaml --yes")).code).toBe(0);
  set({ created_at: "2026-02-02T00:00:00Z" });
  const back = await run("settings rollback --yes");
  expect([back.code, back.stderr, settings()[limit]]).toEqual([6, expect.stringContaining("#settings: "), 111]);
});
