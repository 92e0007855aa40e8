import { readFileSync, writeFileSync } from "node:fs";
import { createServer, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { signedIn } from "../support/answering.ts";
import { atEnd } from "../support/ending.ts";
import { type Session, sandboxSession, session } from "../support/session.ts";

// Commits with answers that the sandbox does not give: a message of a real instance, or none at all.

/** How a change is answered; `pass` lets the sandbox act first. */
interface Answering {
  pass: boolean;
  answer?: (outgoing: ServerResponse) => void;
}

let dev: Session;
let changes: Answering[] = [];
const sent: string[] = [];

beforeAll(async () => {
  const { sandbox } = await sandboxSession();
  const proxy = createServer((incoming, outgoing) => {
    const { method = "", headers, url = "" } = incoming;
    const isChange = method !== "GET" && method !== "HEAD";
    sent.push(method);
    const { pass, answer } = (isChange && changes.shift()) || { pass: true };
    if (!pass) return void incoming.resume().on("end", () => answer?.(outgoing));
    const onward = request(new URL(url, sandbox.url), { method, headers }, (reply) => {
      if (answer !== undefined) return void reply.resume().on("end", () => answer(outgoing));
      outgoing.writeHead(reply.statusCode ?? 0, reply.headers);
      reply.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
  atEnd(() => proxy.close());
  const { port } = proxy.address() as AddressInfo;
  dev = session({
    FORGECTL_BASE_URL: `http://127.0.0.1:${port}`,
    FORGECTL_TOKEN: sandbox.tokens.developer,
    FORGECTL_RETRIES: "1",
  });
});

const json = (status: number, body: object) => (outgoing: ServerResponse) =>
  void outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
const reset = (outgoing: ServerResponse) => void outgoing.destroy();
const timeout = json(504, {});
const broken = (outgoing: ServerResponse) => {
  outgoing.writeHead(201, { "content-type": "application/json", "content-length": "500" });
  outgoing.write('{"file_path":"');
  setTimeout(() => outgoing.destroy(), 20);
};

/** Runs a line with these answers to its changes; returns the exit code, the error as JSON, and the methods sent. */
async function run(line: string, ...answers: Answering[]) {
  changes = answers;
  sent.length = 0;
  const { code, stdout, stderr } = await dev.run(...`${line} -p 7 -b main -m m --yes -o json`.split(" "));
  changes = [];
  const at = stderr.indexOf('{"error"');
  const error = at < 0 ? undefined : JSON.parse(stderr.slice(at)).error;
  return { code, stdout, notice: at < 0 ? stderr : stderr.slice(0, at), error, sent: sent.join(" ") };
}
const content = async (path: string) => (await dev.run("files", "cat", path, "-p", "7")).stdout;

describe("a refusal with a message", () => {
  test.each([
    [
      "You are not allowed to push into this branch",
      1,
      /^commit to a branch that you may push to: -b <branch>/,
      "HEAD PUT",
    ],
    ["Commit message does not follow the pattern '^JIRA-'", 1, undefined, "HEAD PUT HEAD"],
    ["README.md was checked out by another user", 1, undefined, "HEAD PUT HEAD"],
    [
      "You are attempting to update a file that has changed since you started editing it.",
      6,
      /^check the file again, then retry$/,
      "HEAD PUT HEAD",
    ],
    [
      "Could not update refs/heads/main. Please refresh and try again.",
      6,
      /^check the file again, then retry$/,
      "HEAD PUT HEAD",
    ],
  ])("%j is the reason", async (message, code, hint, requests) => {
    const refused = await run("files update README.md --content other", {
      pass: false,
      answer: json(400, { message }),
    });
    expect(refused).toMatchObject({ code, sent: requests, error: { cause: expect.stringContaining(message) } });
    expect(refused.error.cause).not.toContain("moved");
    expect(refused.error.hint ?? "").toMatch(hint ?? /^$/);
    expect(refused.error.retryable).toBe(message.startsWith("Could not") || message.includes("changed since"));
  });

  test("the state of the branch is the hint, and determines the exit code if it is certain", async () => {
    const refuse = (message: string) => ({ pass: false, answer: json(400, { message }) });
    const line = "files create README.md --content x";
    expect(await run(line, refuse("A file with this name already exists"))).toMatchObject({
      code: 1,
      error: {
        cause: expect.stringContaining("A file with this name already exists"),
        hint: "main has a file README.md; use forgectl files update, or files put",
      },
    });
    const gone = await run("files delete gone.txt", refuse("A file with this name doesn't exist"));
    expect(gone).toMatchObject({
      code: 3,
      error: { cause: expect.stringContaining("A file with this name doesn't exist") },
    });
  });

  test("without a message or a conflict, the error does not say that the branch moved", async () => {
    const refused = await run("files update README.md --content other", { pass: false, answer: json(400, {}) });
    expect(refused).toMatchObject({
      code: 1,
      error: {
        retryable: false,
        hint: "a push may have updated the branch at the same time: check the file again, then retry",
      },
    });
  });
});

describe("a lost answer", () => {
  const lost = { reset, timeout, broken };
  test.each(Object.entries(lost))("by %s: a commit that was made is a success", async (name, answer) => {
    const path = `made-${name}.md`;
    const created = await run(`files create ${path} --content 1`, { pass: true, answer });
    expect(created).toMatchObject({
      code: 0,
      error: undefined,
      notice: expect.stringContaining("the answer was lost"),
    });
    expect(JSON.parse(created.stdout)).toEqual({ file_path: path, branch: "main" });
    // A PUT is repeated, and refused the second time because the branch already has the content.
    for (const [verb, text] of [
      ["update", "2"],
      ["put", "3"],
    ]) {
      const written = await run(`files ${verb} ${path} --content ${text}`, { pass: true, answer });
      expect([written.code, written.error, await content(path)]).toEqual([0, undefined, text]);
    }
    const put = await run(`files put other-${path} --content 1`, { pass: true, answer });
    expect([put.code, JSON.parse(put.stdout).status]).toEqual([0, "created"]);
    const deleted = await run(`files delete ${path}`, { pass: true, answer });
    expect([deleted.code, JSON.parse(deleted.stdout).status]).toEqual([0, "deleted"]);
  });

  test.each(["[]", "null", "", '{"file_pa'])("a success that cannot be read (%s) is looked at", async (text) => {
    const answer = (outgoing: ServerResponse) =>
      void outgoing.writeHead(200, { "content-type": "application/json" }).end(text);
    const path = `read-${text.length}.md`;
    for (const line of [`create ${path} --content 1`, `put ${path} --content 1`, "update README.md --content 9"]) {
      const { code, stdout, notice, error } = await run(`files ${line}`, { pass: false, answer });
      expect([line, code, stdout, notice]).toEqual([line, 1, "", ""]);
      expect(error).toMatchObject({ outcome: "unknown", retryable: false, hint: expect.stringContaining("files get") });
      expect(error.message).not.toContain("was made");
    }
    const made = await run(`files create ${path} --content 1`, { pass: true, answer });
    expect([made.code, made.notice]).toEqual([0, expect.stringContaining("the commit was made")]);
  });

  test("a change that was not made is reported as such", async () => {
    const never = { pass: false, answer: json(500, {}) };
    const created = await run("files create never.md --content 1", never);
    expect(created).toMatchObject({
      code: 1,
      stdout: "",
      sent: ["HEAD", "POST", ...Array(4).fill("HEAD GET")].join(" "),
      error: {
        outcome_text: "the commit was not made: never.md on main does not have this content",
        retryable: true,
      },
    });
    const updated = await run("files update README.md --content 9", never);
    expect(updated.error.outcome_text).toBe("the commit was not made: README.md on main does not have this content");
    const deleted = await run("files delete README.md", never);
    expect(deleted.error.outcome_text).toBe("the commit was not made: README.md is still on main");
    // The second attempt is answered, so the outcome is known.
    const late = { pass: false, answer: json(502, {}) };
    const refused = await run("files delete README.md", late, {
      pass: false,
      answer: json(400, { message: "No." }),
    });
    expect(refused).toMatchObject({ code: 1, error: { cause: expect.stringMatching(/^No\.?$/) } });
  });

  test("a change that a gateway no longer waited for may still be made", async () => {
    const late = { pass: false, answer: timeout };
    for (const line of ["files create late.md --content 1", "files update README.md --content 9"]) {
      expect(await run(line, late, late), line).toMatchObject({
        code: 1,
        error: { outcome: "unknown", retryable: false },
      });
    }
  });

  test.each([
    ["of the project", { "content-type": "application/json" }, '{"message":"404 Project Not Found"}', 3, "not_found"],
    [
      "of a proxy",
      { "content-type": "text/html" },
      "<html><title>404 Not Found</title></html>",
      1,
      "unexpected_answer",
    ],
  ])("a 404 %s is no sign of whether the commit was made, or the file deleted", async (_, headers, body, ...failed) => {
    const { run } = await signedIn(({ method }, response) => {
      const isRead = method === "GET" || method === "HEAD";
      response.writeHead(isRead ? 404 : 500, headers).end(isRead ? body : "{}");
    });
    const flags = ["-p", "7", "-b", "main", "-m", "x", "-o", "json"];
    for (const line of ["files delete README.md --yes", "files update README.md --content 9"]) {
      const { code, stdout, stderr } = await run(...line.split(" "), ...flags);
      expect([line, code, stdout]).toEqual([line, 1, ""]);
      expect(JSON.parse(stderr).error).toMatchObject({
        outcome: "unknown",
        retryable: false,
        hint: expect.stringMatching(/^check before you run it again: forgectl .*files get /),
      });
    }
    const guarded = await run("files", "delete", "README.md", "--yes", "--last-commit-id", "abc", ...flags);
    expect([guarded.code, JSON.parse(guarded.stderr).error.code]).toEqual(failed);
  });
});

describe("no content in place of one", () => {
  const page = "<html>Sign in</html>";
  const html = { "content-type": "text/html; charset=utf-8" };
  const part = { "content-range": "bytes 0-3/*", "content-length": "4" };
  test.each([
    ["a sign-in page", 200, html, page],
    ["an accepted job", 202, { "content-type": "application/json" }, "{}"],
    ["nothing", 204, {}, ""],
    ["nothing, to be reset", 205, {}, ""],
    ["a part of unknown size", 206, part, "part"],
  ] as const)("%s is not saved, and no file is replaced", async (_, status, headers, body) => {
    const { run, home } = await signedIn((_request, response) => void response.writeHead(status, headers).end(body));
    writeFileSync(join(home, "x"), "mine");
    for (const line of [
      "files download README.md -p 7 -O x --force",
      "files cat README.md -p 7",
      "artifacts cat a.txt --job-id 1 -p 7",
      "uploads download 1 -p 7 -O x --force",
    ]) {
      const { code, stdout } = await run(...line.split(" "));
      expect([line, code, stdout]).toEqual([line, 12, ""]);
    }
    expect(readFileSync(join(home, "x"), "utf8")).toBe("mine");
  });

  test("a web page that is the content is saved", async () => {
    const named = { ...html, "content-disposition": 'attachment; filename="index.html"' };
    const { run } = await signedIn((_request, response) => void response.writeHead(200, named).end(page));
    expect(await run(..."files cat index.html -p 7".split(" "))).toMatchObject({ code: 0, stdout: page });
  });
});
