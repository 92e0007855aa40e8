import { beforeAll, describe, expect, test } from "vitest";
import { type Session, sandboxSession } from "../support/session.ts";

let log: string[];
let developer: Session;
beforeAll(async () => {
  log = [];
  developer = (await sandboxSession({ log: (line) => log.push(line) })).as("developer");
});

const words = (line: string) => line.split(" ");

describe("bad input is refused before anything is sent", () => {
  const inIssue = "notes create --issue 28 -p acme/storefront";
  test.each([
    ["notes list -p 7", "missing --issue <iid>, --mr <iid>, --snippet <id>, or --epic <id>"],
    ["notes list --issue 1 --epic 2 -p 7", "give only one of --issue and --epic"],
    ["notes list --epic 2 -p 7", "--epic is in a group: give --group instead of --project"],
    ["notes list --issue 28", "missing -p, --project"],
    ["notes list --issue 0 -p 7", '--issue: must be an ID (a whole number) of at least 1, not "0"'],
    ["notes get x --issue 28 -p 7", '<note-id>: must be an ID (a whole number) of at least 1, not "x"'],
    [
      "notes update 5 --epic 104 -g acme --body x",
      "--epic: notes of epics cannot be changed: the API has no request for it",
    ],
    ["notes delete 5 --epic 104 -g acme", "--epic: notes of epics cannot be deleted: the API has no request for it"],
    ["notes create --snippet 7001 -p 7 --body x --internal", "--internal: not for snippets, only for issues and epics"],
    ["notes create --mr 19 -p 7 --body x --internal", "--internal: not for merge requests, only for issues and epics"],
    [
      `${inIssue} --body x --diff-head-sha ${"a".repeat(40)}`,
      "--diff-head-sha: not for issues, only for merge requests",
    ],
    [
      "notes create --mr 19 -p 7 --body x --diff-head-sha HEAD",
      '--diff-head-sha: must be a full commit SHA, not "HEAD"',
    ],
    [inIssue, "missing --body <text> or --body-file <file|->"],
    [`${inIssue} --body=`, "--body: the text is empty"],
    [`${inIssue} --body x --body-file y`, "give only one of --body and --body-file"],
    [`${inIssue} --body-file nowhere.md`, "the file nowhere.md does not exist"],
    [
      `${inIssue} --body x --created-at 1970-01-01`,
      '--created-at: must be after 1970-01-01, not "1970-01-01T00:00:00Z"',
    ],
    [
      `${inIssue} --body x --created-at 1969-12-31T23:59:59Z`,
      '--created-at: must be after 1970-01-01, not "1969-12-31T23:59:59Z"',
    ],
    [
      `${inIssue} --body x --created-at someday`,
      '--created-at: must be a time such as 2026-01-31T08:00:00Z, 2026-01-31T08:00 (local), 2026-01-31, 3h, 7d, yesterday, today, not "someday"',
    ],
    [`${inIssue} --body x --captcha-response y`, "--captcha-response and --spam-log-id must be given together"],
    [`${inIssue} --body x --fields nope`, 'there is no field "nope" in Note'],
    ["notes update 300001 --issue 28 -p 7 --body x --fields name", 'there is no field "name" in Note'],
    [`${inIssue} --body x --spam-log-id 5`, "--captcha-response and --spam-log-id must be given together"],
  ])("%s", async (line, message) => {
    log.length = 0;
    const { code, stdout, stderr } = await developer.run(...words(line));
    expect({ code, stdout, first: stderr.split("\n")[0] }).toEqual({ code: 2, stdout: "", first: `error: ${message}` });
    expect(log).toEqual([]);
  });

  test("a text over the limit, counted in characters, and a file that is not UTF-8", async () => {
    log.length = 0;
    const send = (input: string | Uint8Array) => developer.run(...words(inIssue), "--body-file", "-", { input });
    const long = await send("😀".repeat(1_000_001));
    expect([long.code, long.stderr.split("\n")[0]]).toEqual([
      2,
      "error: --body-file: has 1,000,001 characters; at most 1,000,000 are allowed",
    ]);
    const latin = await send(Buffer.from("gr\xfc\xdfe", "latin1"));
    expect([latin.code, latin.stderr.split("\n")[0]]).toEqual([2, "error: stdin is not UTF-8 text"]);
    expect(log).toEqual([]);
    // Two million UTF-16 units, four million bytes.
    expect((await send("😀".repeat(1_000_000))).code).toBe(0);
  });
});

test.each([inIssueOf("notes create"), inIssueOf("discussions create")])(
  "%s: a user without permission to backdate gets a hint",
  async (line) => {
    const { code, stdout, stderr } = await developer.run(...words(line), "--created-at", "2024-01-01");
    expect({ code, stdout }).toEqual({ code: 5, stdout: "" });
    expect(stderr).toContain(
      "try:   --created-at is for administrators and owners: leave it out, or use such a user's token\n",
    );
  },
);

function inIssueOf(verb: string): string {
  return `${verb} --issue 28 -p acme/storefront --body x`;
}
