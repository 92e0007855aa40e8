import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { sandboxSession, session } from "../support/session.ts";

const { run, sandbox } = await sandboxSession();

describe("errors are in the format of the result", () => {
  test.each([
    ["users get 99999 -qo json", {}, true],
    ["users list -yqojson --nope", {}, true],
    ["users list -o table -o json --nope", {}, true],
    ["users list -o json --nope -o table", {}, false],
    ["users get 99999", { FORGECTL_OUTPUT: "ndjson" }, true],
    ["users get 99999 -o csv", { FORGECTL_OUTPUT: "ndjson" }, false],
  ])("%s %j", async (line, env, isJson) => {
    const { stderr } = await run(...line.split(" "), { env });
    expect(stderr.startsWith('{"error":{')).toBe(isJson);
  });

  test("also with the profile's output; with the trace by FORGECTL_DEBUG", async () => {
    const user = session({ FORGECTL_TOKEN: sandbox.tokens.administrator });
    await user.run("profiles", "set", "work", `base-url=${sandbox.url}`, "output=json");
    const { code, stderr } = await user.run("users", "get", "99999");
    expect([code, JSON.parse(stderr).error.code]).toEqual([3, "not_found"]);
    const traced = await user.run("users", "get", "99999", "-o", "table", { env: { FORGECTL_DEBUG: "1" } });
    expect(traced.stderr).toMatch(/\nerror: could not get a user [\s\S]*\n {4}at /);
  });
});

describe("the error object is that of docs/scripting.md", () => {
  const sample = /^\{"error":.*$/m.exec(readFileSync("docs/scripting.md", "utf8"))?.[0] ?? "";
  const documented: Record<string, unknown> = JSON.parse(sample).error;
  const typeOf = (value: unknown) => (value === null ? "null" : typeof value);

  test.each([
    ["a refused request", "users get 99999 -o json", {}],
    ["a usage error", "users list --nope -o json", {}],
    ["an unknown command", "usres -o json", {}],
    ["no token", "users list -o ndjson", { FORGECTL_TOKEN: "" }],
    ["a closed port", "users list -o json --retries 0", { FORGECTL_BASE_URL: "http://127.0.0.1:1" }],
    ["a refused change", "settings set terminal_max_session_time=-1 -o json", {}],
  ])("%s has its keys, in its order, with its types", async (_, line, env) => {
    const { stderr } = await run(...line.split(" "), { env });
    const { error } = JSON.parse(stderr.split("\n").find((each) => each.startsWith('{"error"')) ?? "{}");
    expect(Object.keys(error)).toEqual(Object.keys(documented));
    for (const [key, value] of Object.entries(error as Record<string, unknown>)) {
      const types = key === "fields" ? ["object", "null"] : [typeOf(documented[key]), "null", "string"];
      expect(types, key).toContain(typeOf(value));
    }
    for (const key of ["exit", "retryable", "code", "message"])
      expect(typeOf(error[key])).toBe(typeOf(documented[key]));
  });
});

test.each(["--fields nope", "-o json --fields nope", "--fields terminal_max_session_time,signup_enabled"])(
  "%s is not in the result of a change: nothing is sent",
  async (flags) => {
    const { code, stdout, stderr } = await run(
      ..."settings set terminal_max_session_time=8 --debug".split(" "),
      ...flags.split(" "),
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("the fields are terminal_max_session_time");
    expect(stderr).not.toMatch(/PUT|was made/);
  },
);

test("what does not fit the result of a change says that it was made: it is not exit 2", async () => {
  const line = "settings set terminal_max_session_time=7 --jq .terminal_max_session_time.x -o json";
  const { code, stdout, stderr } = await run(...line.split(" "));
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(JSON.parse(stderr.split("\n").find((each) => each.startsWith('{"error"')) ?? "{}").error).toMatchObject({
    code: "jq_failed",
    exit: 1,
    outcome: "made",
    retryable: false,
    outcome_text: "the change was made: PUT /api/v4/application/settings",
  });
  expect((await run("settings", "get", "terminal_max_session_time")).stdout).toBe("7\n");
  const input = JSON.stringify({ args: ["settings", "set", "terminal_max_session_time=8"] });
  const batch = await run("batch", "--jq", ".status", "-o", "json", { input });
  expect([batch.code, batch.stderr]).toEqual([1, expect.stringContaining('"outcome":"made"')]);
  expect((await run("users", "get", "1", "--jq", ".id.x")).stderr).not.toContain("change was made");
});
