import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { noise } from "../../src/sandbox/areas/events/noise.ts";
import { packTar } from "../../src/sandbox/store/tar.ts";
import { type RunOptions, session } from "../support/session.ts";

// Instances that identify archives in other ways than the sandbox, or not at all.

const archive = (text: string) => packTar([{ path: "VERSION", content: text }], new Date(0));
const older = archive("old");
const newer = archive("new");

/** As gzip: its name fills the first chunk that is read of it, but for one byte of the content. */
function afterOneByte(content: Buffer): Buffer {
  const rest = gzipSync(content.subarray(1), { level: 0 }).subarray(10, -8);
  const sums = gzipSync(content).subarray(-8);
  const first = Buffer.from([0, 1, 0, 254, 255, content[0] ?? 0]);
  const name = Buffer.alloc(2 ** 20 - 10 - 1 - first.length, "a");
  return Buffer.concat([Buffer.from([31, 139, 8, 8, 0, 0, 0, 0, 0, 255]), name, Buffer.of(0), first, rest, sums]);
}

type Answer = (response: ServerResponse) => void;

/**
 * The answers to requests for the archive: before the export is scheduled, and after, in order; the last one repeats.
 */
let before: Answer;
let after: Answer[];
let log: string[];

const server = createServer((request, response) => {
  log.push(request.method ?? "");
  if (request.method === "POST") {
    response.writeHead(202, { "content-type": "application/json" }).end('{"message":"202 Accepted"}');
  } else {
    const answer = log.includes("POST") ? (after.length > 1 ? after.shift() : after[0]) : before;
    answer?.(response);
  }
});
const url = await new Promise<string>((resolve) => {
  server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
});
afterAll(() => new Promise((done) => server.close(done)));

const { run, home } = session({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: "t" });
const groups = (...words: (string | RunOptions)[]) => run("groups", ...words, "--retries", "0");
const target = join(home, "saved.tar.gz");
const save = (...words: (string | RunOptions)[]) => groups("export", "-g", "1", "-O", "saved.tar.gz", ...words);

const missing = '{"message":"404 Not Found"}';
const none: Answer = (response) => response.writeHead(404).end(missing);
const accepted: Answer = (response) => response.writeHead(202, { "content-type": "application/json" }).end("{}");
const nothing: Answer = (response) => response.writeHead(204).end();
const give =
  (body: Buffer, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(200, { "content-length": body.length, ...headers }).end(body);

const dated = (body: Buffer, modified: string) => give(body, { "last-modified": modified });
/** In chunks, as a cache passes on what it does not have yet. */
const streamed =
  (body: Buffer, modified: string): Answer =>
  (response) =>
    response.writeHead(200, { "last-modified": modified }).end(body);

beforeEach(() => {
  log = [];
  before = none;
  after = [none];
  writeFileSync(target, "as it was");
});

const monday = "Mon, 02 Mar 2026 10:00:00 GMT";
const tuesday = "Tue, 03 Mar 2026 10:00:00 GMT";

describe("the new archive is not confused with the previous one", () => {
  test.each<[string, Answer, Answer[]]>([
    ["without an earlier one", none, [none, give(newer)]],
    ["by its ETag", give(older, { etag: '"a"' }), [give(older, { etag: '"a"' }), give(newer, { etag: '"b"' })]],
    [
      "by its time",
      give(older, { "last-modified": monday }),
      [give(older, { "last-modified": monday }), none, give(newer, { "last-modified": tuesday })],
    ],
    [
      "by its time, whether an answer says its length or not",
      streamed(older, monday),
      [dated(older, monday), streamed(older, monday), dated(older, monday), streamed(newer, tuesday)],
    ],
    ["by all of its content", give(older), [give(older), give(newer)]],
    [
      "by its ETag, which a proxy makes weak, or marks as compressed, in some answers",
      give(older, { etag: '"a"' }),
      [give(older, { etag: 'W/"a"' }), give(older, { etag: '"a-gzip"' }), give(newer, { etag: '"b"' })],
    ],
    ["while the instance answers that it is not ready", accepted, [accepted, nothing, give(newer)]],
    [
      "whatever else changes",
      give(older, { etag: '"a"', "last-modified": monday }),
      [give(older, { etag: '"a"', "last-modified": tuesday }), give(newer, { etag: '"b"', "last-modified": tuesday })],
    ],
  ])("%s", async (_, first, later) => {
    before = first;
    after = later;
    expect(await save("-q", "--jq", ".status")).toEqual({ code: 0, stdout: "saved\n", stderr: "" });
    expect(readFileSync(target)).toEqual(newer);
    expect(log.slice(0, 2)).toEqual(["GET", "POST"]);
  });

  test.each<[string, Answer, string]>([
    ["ETag", give(older, { etag: '"a"' }), "etag-[0-9a-f]{16}"],
    ["time", give(older, { "last-modified": monday }), "date-[0-9a-f]{16}"],
    ["content", give(older), "sha256-[0-9a-f]{16}"],
  ])("by its %s, without success: exit 8, and the resume command is as careful", async (_, stale, mark) => {
    before = stale;
    after = [stale];
    const { code, stdout, stderr } = await save("--wait-timeout", "1");
    expect({ code, stdout }).toEqual({ code: 8, stdout: "" });
    expect(stderr).toContain("error: not ready after 1 second (exporting group 1)\n");
    const line = new RegExp(`try: {3}forgectl (groups download -g 1 --other-than ${mark} -O saved\\.tar\\.gz)\n`);
    const words = line.exec(stderr)?.[1]?.split(" ").slice(1) ?? [];
    expect(words.length).toBeGreaterThan(0);
    const still = await groups(...words);
    expect({ code: still.code, stdout: still.stdout }).toEqual({ code: 8, stdout: "" });
    expect(still.stderr).toContain("cause: the archive is still the previous one\n");
    expect(readFileSync(target, "utf8")).toBe("as it was");
    after = [give(newer, { etag: '"b"', "last-modified": tuesday })];
    expect((await groups(...words, "--no-header")).stdout).toBe(`saved.tar.gz\t${newer.length}\n`);
    expect(readFileSync(target)).toEqual(newer);
  });

  test("a mark of time and length, as earlier releases printed it, is still the one of this archive", async () => {
    const digest = createHash("sha256").update(`${monday} ${older.length}`).digest("hex").slice(0, 16);
    const download = ["download", "-g", "1", "-O", "fresh.tar.gz", "--other-than"];
    before = dated(older, monday);
    expect((await groups(...download, `date-${digest}`)).code).toBe(8);
    before = dated(newer, tuesday);
    expect((await groups(...download, `date-${digest}`)).code).toBe(0);
  });

  test("--wait does not take an answer without a file for the archive", async () => {
    after = [accepted, nothing, give(newer)];
    const { code, stdout } = await groups("export", "-g", "1", "--wait", "-q", "--jq", ".size");
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${newer.length}\n` });
    expect(log).toHaveLength(5);
  });

  test("a first look that never succeeds schedules nothing, and the suggested line waits as the typed one did", async () => {
    before = (response) => response.writeHead(500).end("{}");
    const { code, stderr } = await groups("export", "-g", "1", "--wait", "--wait-timeout", "1");
    expect([code, log.includes("POST")]).toEqual([8, false]);
    expect(stderr).toMatch(/^error: not ready after 1 second \(reading the last export of group 1\)$/m);
    expect(stderr).toMatch(/^try: {3}forgectl groups export -g 1 --wait$/m);
  });

  test("a first look that fails with 500 is waited through, before anything is scheduled", async () => {
    let looks = 0;
    before = (response) => (++looks === 1 ? response.writeHead(500).end("{}") : give(older)(response));
    after = [give(newer)];
    expect(await save("-q", "--jq", ".status")).toEqual({ code: 0, stdout: "saved\n", stderr: "" });
    expect(readFileSync(target)).toEqual(newer);
    expect(log.slice(0, 3)).toEqual(["GET", "GET", "POST"]);
  });

  test("an instance whose answers become inconsistent is not trusted", async () => {
    before = give(older, { etag: '"a"' });
    after = [give(newer)];
    expect((await save("--wait-timeout", "1")).code).toBe(8);
    expect(readFileSync(target, "utf8")).toBe("as it was");
  });
});

describe("on errors", () => {
  const continuesHint =
    "try:   the export is scheduled and continues; its archive: forgectl groups download -g 1 -O saved.tar.gz\n";

  test("an unreadable archive is not saved", async () => {
    after = [give(newer.subarray(0, newer.length - 9))];
    const { code, stdout, stderr } = await save();
    expect({ code, stdout }).toEqual({ code: 12, stdout: "" });
    expect(stderr).toContain("error: the export of group 1 is not a readable gzip tar\n");
    expect(stderr).toContain("cause: it is not complete, valid gzip (unexpected end of file)\n");
    expect(readFileSync(target, "utf8")).toBe("as it was");
    expect(readdirSync(home).filter((name) => name.startsWith(".forgectl"))).toEqual([]);
    before = after[0] as Answer;
    log = [];
    expect((await groups("download", "-g", "1", "-O", "other.tar.gz")).code).toBe(12);
    expect(existsSync(join(home, "other.tar.gz"))).toBe(false);
  });

  test.each([
    [
      "compressed twice",
      gzipSync(gzipSync(Buffer.alloc(2 ** 26))),
      "its content is not a tar, but compressed once more",
    ],
    [
      "compressed twice, with a first chunk of one byte",
      afterOneByte(gzipSync(Buffer.alloc(2 ** 26))),
      "its content is not a tar, but compressed once more",
    ],
    ["a bomb", gzipSync(Buffer.alloc(2 ** 26)), "it unpacks to more than 200 times its size"],
  ])("an archive that is %s costs little, and is not saved", async (_name, content, reason) => {
    before = give(content);
    const { code, stderr } = await groups("download", "-g", "1", "-O", "bomb.tar.gz");
    expect([code, stderr]).toEqual([12, expect.stringContaining(`cause: ${reason}\n`)]);
    expect(existsSync(join(home, "bomb.tar.gz"))).toBe(false);
  });

  test("what follows the end of an archive costs no more than its size", async () => {
    const tar = gunzipSync(newer);
    before = give(gzipSync(Buffer.concat([tar, noise("tail", 500_000), Buffer.alloc(2 ** 26)])));
    const { code, stderr } = await groups("download", "-g", "1", "-O", "long.tar.gz");
    expect([code, stderr]).toEqual([0, ""]);
  });

  test("a failure while waiting prints the command to resume", async () => {
    after = [none, (response) => response.writeHead(403).end()];
    const { code, stderr } = await save();
    expect(code).toBe(5);
    expect(stderr).toContain("→ 403)\n");
    expect(stderr).toContain(continuesHint);
  });

  test("so does an interruption", async () => {
    const when = new Promise<void>((asked) => {
      after = [(response) => response.writeHead(404).end(missing, () => asked())];
    });
    const { code, stdout, stderr } = await save({ kill: { signal: "SIGINT", when } });
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
    expect(stderr).toContain(continuesHint);
    expect(readFileSync(target, "utf8")).toBe("as it was");
  });

  test("before the export is scheduled there is nothing to resume", async () => {
    before = (response) => response.writeHead(403).end();
    const { code, stderr } = await save();
    expect(code).toBe(5);
    expect(stderr).not.toContain("continues");
    expect(log).toEqual(["GET"]);
  });
});
