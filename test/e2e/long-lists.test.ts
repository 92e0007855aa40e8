import { execFile } from "node:child_process";
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { signedIn } from "../support/answering.ts";
import { binary, node } from "../support/session.ts";

// Lists of many pages, in rows of the size that instances give to administrators.

const perPage = 100;

interface Row {
  id: number;
  username: string;
  note: string;
  api_token?: string;
}

/** Some rows have non-ASCII letters, one an escape sequence, and one an undocumented secret. */
function row(id: number): Row {
  const note = id === 150 ? "\u009b2J\u007f\u001b[2J" : id % 3 === 0 ? "日本語 é 🚀" : "builds things";
  const filler = "x".repeat(900);
  return { id, username: `user.${id}`, note: `${note} ${filler}`, ...(id === 250 && { api_token: "s3cret-of-mine" }) };
}

const rowsOf = (page: number) => Array.from({ length: perPage }, (_, index) => row((page - 1) * perPage + index + 1));
const pageOf = ({ url = "" }: IncomingMessage) => Number(new URL(url, "http://x").searchParams.get("page") ?? 1);

/** Answers with pages of users, or with what `instead` returns for a page; the later of two pages is sent first. */
function users(
  pages: number,
  instead: (page: number) => [number, Record<string, string>] | undefined = () => undefined,
) {
  return signedIn((request, response) => {
    const page = pageOf(request);
    const other = instead(page);
    if (other !== undefined) return response.writeHead(...other).end("{}");
    const headers = { "content-type": "application/json", "x-next-page": page < pages ? String(page + 1) : "" };
    const answer = () => response.writeHead(200, headers).end(JSON.stringify(rowsOf(page)));
    return setTimeout(answer, page % 2 === 0 ? 15 : 0);
  });
}

/** The expected rows as JSON. */
function shown(pages: number, indent?: number): string[] {
  const rows = Array.from({ length: pages }, (_, index) => rowsOf(index + 1)).flat();
  const escaped = (text: string) =>
    text.replace(/[\u007f-\u009f]/g, (each) => `\\u00${each.charCodeAt(0).toString(16)}`);
  return rows.map((each) =>
    escaped(JSON.stringify({ ...each, ...(each.api_token && { api_token: "[redacted]" }) }, null, indent)),
  );
}

test("2,000 rows in order, secrets masked and controls escaped, as lines and as one array", async () => {
  const { run, seen } = await users(20);
  const lines = await run(..."users list -L all -o ndjson".split(" "));
  expect([lines.code, lines.stderr]).toEqual([0, ""]);
  expect(lines.stdout).toBe(
    shown(20)
      .map((line) => `${line}\n`)
      .join(""),
  );
  // The total is unknown: as many pages as were in flight are requested past the last one.
  expect(seen.length).toBeLessThan(30);
  const array = await run(..."users list -L all -o json".split(" "));
  const indented = shown(20, 2).map((text) => text.replace(/^/gm, "  "));
  expect([array.code, array.stdout]).toEqual([0, `[\n${indented.join(",\n")}\n]\n`]);
  const limited = await run(..."users list -L 1234 --fields id --no-header".split(" "));
  expect(limited.stdout.trimEnd().split("\n")).toEqual(Array.from({ length: 1234 }, (_, index) => String(index + 1)));
}, 60_000);

test("an incomplete list is not JSON, and the lines before the failure are printed", async () => {
  const { run } = await users(20, (page) => (page === 15 ? [500, {}] : undefined));
  expect(await run(..."users list -L all -o json".split(" "))).toMatchObject({ code: 1, stdout: "" });
  const lines = await run(..."users list -L all -o ndjson".split(" "));
  expect(lines.code).toBe(1);
  expect(lines.stdout.trimEnd().split("\n").length).toBe(1400);
}, 60_000);

test("while one page waits at the instance's request, no other is requested", async () => {
  const times: number[] = [];
  let refusedAt: number | undefined;
  const { run } = await users(60, (page) => {
    times.push(Date.now());
    if (page !== 12 || refusedAt !== undefined) return undefined;
    refusedAt = Date.now();
    return [429, { "retry-after": "2" }];
  });
  const { code, stdout } = await run(..."users list -L all --fields id --no-header".split(" "));
  expect([code, stdout.trimEnd().split("\n").length]).toEqual([0, 6000]);
  // Half a second for requests that were in flight when the instance asked to wait.
  const since = times.map((time) => time - (refusedAt ?? 0));
  expect(since.filter((ms) => ms > 500 && ms < 1900)).toEqual([]);
  expect(since.filter((ms) => ms >= 1900).length).toBeGreaterThan(20);
}, 60_000);

test.skipIf(process.platform === "win32")(
  "no pages are read ahead for a slow or gone reader",
  async () => {
    const { env, seen } = await users(100);
    const piped = (reader: string) =>
      promisify(execFile)(
        "sh",
        ["-c", `"$0" "$1" users list -L all -o ndjson --concurrency 4 | ${reader}`, node, binary],
        {
          env: env as NodeJS.ProcessEnv,
        },
      );
    const slow = piped("(sleep 4; wc -l)");
    // Time enough to read the whole list, were it read ahead.
    await new Promise((resolve) => setTimeout(resolve, 3000));
    // One page was written to the pipe, and twice the number in flight are prefetched.
    expect(seen.length).toBeLessThan(15);
    expect((await slow).stdout.trim()).toBe("10000");
    seen.length = 0;
    expect(JSON.parse((await piped("head -n 1")).stdout)).toMatchObject({ id: 1 });
    expect(seen.length).toBeLessThan(20);
  },
  60_000,
);

test.skipIf(process.platform === "win32")(
  "a trace is complete for a slow reader too",
  async () => {
    const { env } = await users(500);
    const typed = '"$0" "$1" users list -L all -o ndjson --debug 2>&1 >/dev/null | (sleep 3; cat)';
    const { stdout } = await promisify(execFile)("sh", ["-c", typed, node, binary], { env: env as NodeJS.ProcessEnv });
    // More than the capacity of a pipe.
    expect(stdout.length).toBeGreaterThan(100_000);
    const answered = stdout.split("\n").filter((line) => line.startsWith("<-- 200"));
    expect(stdout.endsWith("\n")).toBe(true);
    expect(answered.length).toBeGreaterThanOrEqual(500);
  },
  60_000,
);

test("a page of 130,000 rows is collected, and its table stops being drawn when the program is asked to stop", async () => {
  const rows = JSON.stringify(Array.from({ length: 130_000 }, (_, id) => ({ id, username: `user.${id}` })));
  let sent = () => {};
  const there = await signedIn((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(rows, () => sent());
  });
  const line = ["users", "list", "-L", "all"];
  expect((await there.run(...line, "-o", "json", "--jq", "length")).stdout).toBe("130000\n");
  const when = new Promise<void>((resolve) => {
    sent = resolve;
  });
  const { code, stdout } = await there.run(...line, "-o", "table", { kill: { signal: "SIGTERM", when } });
  expect([code, stdout.split("\n").length < 100_000]).toEqual([130, true]);
});
