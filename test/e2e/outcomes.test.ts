import { expect, test } from "vitest";
import { distortingProxy } from "../support/distorting-proxy.ts";
import { atEnd } from "../support/ending.ts";
import { lossyProxy } from "../support/lossy-proxy.ts";
import { startSandbox } from "../support/sandbox.ts";
import { session } from "../support/session.ts";

/** The outcome of a change is reported after any answer, or none: it is not retryable once it may have been made. */

async function before(options: Parameters<typeof lossyProxy>[1]) {
  const sandbox = await startSandbox({});
  atEnd(() => sandbox.close());
  const proxy = await lossyProxy(sandbox.url, options);
  const { run } = session({ FORGECTL_BASE_URL: proxy.url, FORGECTL_TOKEN: sandbox.tokens.administrator });
  return { ...proxy, run: (line: string) => run(...line.split(" ")) };
}

const create = "notes create --issue 28 -p 7 --body hello -o json";

test.each([
  ["reset", 11, "unknown", null],
  ["504", 1, "unknown", "the server answered 504 with a web page"],
  ["truncated", 11, "made", expect.stringContaining("bytes of the answer's body")],
] as const)("a POST whose answer is lost by %s", async (how, exit, outcome, cause) => {
  const { run, lost } = await before({ how });
  const { code, stdout, stderr } = await run(create);
  expect([code, stdout, lost.length]).toEqual([exit, "", 1]);
  const { error } = JSON.parse(stderr);
  const text = outcome === "unknown" ? "the change may have been made anyway" : null;
  expect(error).toMatchObject({ outcome, outcome_text: text, retryable: false, cause });
  expect(error.hint).toBe("check before you run it again: forgectl notes list --issue 28 -p 7");
  expect((await run("notes list -p 7 --issue 28 --jq .[].body")).stdout.match(/^hello$/gm)).toHaveLength(1);
});

test("a POST whose answer has another form was made", async () => {
  const sandbox = await startSandbox({});
  atEnd(() => sandbox.close());
  const { url } = await distortingProxy(sandbox.url, "form", 1);
  const { run } = session({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: sandbox.tokens.administrator });
  const { code, stderr } = await run(...create.split(" "));
  expect(code).toBe(1);
  expect(JSON.parse(stderr).error).toMatchObject({
    code: "unexpected_answer",
    message: "the change was made, but its answer could not be read",
    cause: "expected an object",
    outcome: "made",
    retryable: false,
  });
});

test("PATCH, and a PUT that adds, are not repeated after a lost answer", async () => {
  const { run, lost } = await before({ how: "reset", times: 9 });
  const made = { code: 0, stderr: "the answer was lost; a check shows that the change was made\n" };
  expect(await run("job-token limit on -p 7 --yes -o json")).toMatchObject(made);
  expect(await run("envs update production -p 7 --allow user:6 -o json")).toMatchObject(made);
  expect(lost.map((line) => line.split(" ")[0])).toEqual(["PATCH", "PUT"]);
});

test("a change that a check cannot confirm stays unknown, and was sent once", async () => {
  const { run, lost } = await before({ how: "reset", times: 99, of: () => true });
  const patch = await run("job-token limit on -p 7 --yes -o json --retries 0");
  expect(JSON.parse(patch.stderr).error).toMatchObject({ outcome: "unknown", retryable: false });
  const put = await run("envs update production -p 7 --allow user:6 -o json --retries 1");
  expect(lost.filter((line) => !line.startsWith("GET"))).toHaveLength(2);
  const { error } = JSON.parse(put.stderr);
  expect(error).toMatchObject({ outcome: "unknown", retryable: false });
  expect(error.hint).toContain("forgectl envs get production -p 7");
});

test("DELETE is repeated; if no answer arrives at all, it may have been made", async () => {
  const { run, lost } = await before({ how: "504", times: 99, of: () => true });
  const { code, stderr } = await run("envs unprotect production -p 7 --yes --retries 1 -o json");
  expect([code, lost.filter((line) => line.startsWith("DELETE")).length]).toEqual([1, 2]);
  expect(JSON.parse(stderr).error).toMatchObject({ outcome: "unknown", retryable: false });
});

test("a successful change is not reported as a failed read", async () => {
  const { run } = await before({ how: "504", of: (method, path) => method === "GET" && /environments/.test(path) });
  const { code, stderr } = await run("envs update production -p 7 --allow user:6 --retries 0 -o json");
  expect(code).toBe(1);
  const { error } = JSON.parse(stderr);
  expect(error).toMatchObject({ outcome: "made", retryable: false, method: "GET", status: 504 });
  expect(error.message).toMatch(/^the change was made \(PUT \S+\/production\), but then: could not get /);
  expect(error.hint).toBe("check before you run it again: forgectl envs get production -p 7");
});

test("a wait tolerates temporary errors", async () => {
  const polls = (method: string, path: string) => method === "GET" && path.includes("/registry/repositories/14");
  for (const how of ["504", "reset", "truncated"] as const) {
    const { run, lost } = await before({ how, of: polls, nth: 2, times: 2 });
    const { code, stdout, stderr } = await run("registry delete 14 -p 7 --wait --yes --retries 0 -o tsv --no-header");
    expect([code, stdout.trim(), stderr, lost.length]).toEqual([0, "14\tdeleted", "", 2]);
  }
});

test("a wait that times out reports the last error", async () => {
  const polls = (method: string, path: string) => method === "GET" && path.includes("/registry/repositories/14");
  const { run } = await before({ how: "504", of: polls, times: 99 });
  const line = "registry delete 14 -p 7 --wait --wait-timeout 1 --yes --retries 0 -o json";
  const { code, stderr } = await run(line);
  expect(code).toBe(8);
  expect(JSON.parse(stderr).error).toMatchObject({
    message: "not ready after 1 second (deleting repository 14)",
    cause: expect.stringMatching(/^the last check failed: could not .*: the server answered 504 with a web page$/),
    outcome: "made",
    retryable: false,
  });
});
