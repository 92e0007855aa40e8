import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { signedIn } from "../support/answering.ts";
import { chanceOf, oneOf } from "../support/chance.ts";
import { binary, node } from "../support/session.ts";

// A download that is killed, interrupted, or cut off at any time. Seeded, so that a failure can be reproduced:
// FORGECTL_KILLS=100 does it more often, FORGECTL_FUZZ_SEED at other times.

const kills = Number(process.env.FORGECTL_KILLS ?? 4);
const chance = chanceOf(Number(process.env.FORGECTL_FUZZ_SEED ?? 15));

const pieces = 64;
const pieceBytes = 64 * 1024;
const contentOf = (version: number) =>
  Buffer.concat(Array.from({ length: pieces }, (_, index) => Buffer.alloc(pieceBytes, `${version}:${index};`)));
const digestOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

let content = contentOf(0);
/** Number of pieces after which the server stops, and reports that; undefined if it sends all. */
let stop: { after: number; reached(): void } | undefined;
let received = 0;

async function send(response: ServerResponse, from: number): Promise<void> {
  for (let at = from; at < content.length && !response.destroyed; at += pieceBytes) {
    received += Math.min(pieceBytes, content.length - at);
    response.write(content.subarray(at, at + pieceBytes));
    if (stop === undefined || received < stop.after * pieceBytes) continue;
    stop.reached();
    return;
  }
  response.end();
}

const job = await signedIn((request, response) => {
  const etag = `"${digestOf(content)}"`;
  const [, start] = /^bytes=(\d+)-$/.exec(request.headers.range ?? "") ?? [];
  const from = start !== undefined && request.headers["if-range"] === etag ? Number(start) : 0;
  response.writeHead(from > 0 ? 206 : 200, {
    etag,
    "content-length": content.length - from,
    ...(from > 0 && { "content-range": `bytes ${from}-${content.length - 1}/${content.length}` }),
  });
  void send(response, from);
});
const at = (name: string) => join(job.home, name);
const line = ["files", "download", "large.bin", "-p", "7", "-O", "large.bin"];

/**
 * Starts the download and ends it some time after that many pieces; returns its exit code, or the signal that ended it.
 */
async function cutOff(signal: NodeJS.Signals, after: number, laterMs: number): Promise<unknown> {
  const reached = new Promise<void>((done) => {
    stop = { after, reached: done };
  });
  const child = spawn(node, [binary, ...line], { cwd: job.home, env: job.env as NodeJS.ProcessEnv, stdio: "ignore" });
  const ended = once(child, "close");
  await reached;
  await new Promise((done) => setTimeout(done, laterMs));
  child.kill(signal);
  const [code, by] = await ended;
  stop = undefined;
  return by ?? code;
}

/** Without the small files that were being written at the time of the kill. */
const leftovers = () => readdirSync(job.home).filter((name) => /^\.forgectl-.*(?<!\.tmp)$/.test(name));

test("a download ended at any time leaves the old file or the new one", { timeout: 300_000 }, async () => {
  const ends = new Map<unknown, number>();
  let resumed = 0;
  for (let round = 0; round < kills; round++) {
    const old = chance() < 0.5 ? Buffer.from("what was there before") : undefined;
    rmSync(at("large.bin"), { force: true });
    if (old !== undefined) writeFileSync(at("large.bin"), old, { mode: 0o640 });
    received = 0;
    const end = await cutOff(
      oneOf(["SIGKILL", "SIGKILL", "SIGINT", "SIGTERM"] as const, chance),
      1 + chance() * (pieces - 1),
      chance() * 200,
    );
    ends.set(end, (ends.get(end) ?? 0) + 1);
    const names = readdirSync(job.home).filter((name) => !name.startsWith("."));
    const now = names.includes("large.bin") ? readFileSync(at("large.bin")) : undefined;
    expect(now?.equals(content) || now?.equals(old ?? content) || now === old, `round ${round}`).toBe(true);

    // The content may have changed meanwhile: then none of the old bytes may be used.
    const changes = chance() < 0.3;
    if (changes) content = contentOf(round + 1);
    received = 0;
    const left = readdirSync(job.home).some((name) => name.endsWith(".part") && statSync(at(name)).size > 0);
    const whole = await job.run(...line);
    expect([whole.code, digestOf(readFileSync(at("large.bin")))], whole.stderr).toEqual([0, digestOf(content)]);
    expect(leftovers()).toEqual([]);
    expect(statSync(at("large.bin")).mode & 0o777).toBe(old === undefined ? 0o666 & ~process.umask() : 0o640);
    if (left && !changes && end !== 0) {
      resumed += 1;
      expect(received, `round ${round}`).toBeLessThan(content.length);
    }
  }
  expect(resumed, JSON.stringify([...ends])).toBeGreaterThan(0);
});

test("a download killed as it starts leaves nothing that the next one does not remove", async () => {
  const seen = new Set<string>();
  for (let round = 0; round < kills; round++) {
    stop = { after: 1, reached: () => undefined };
    received = 0;
    const child = spawn(node, [binary, ...line], { cwd: job.home, env: job.env as NodeJS.ProcessEnv, stdio: "ignore" });
    const ended = once(child, "close");
    // Either the note without the part, or both.
    await expect.poll(() => leftovers().length, { interval: 0, timeout: 30_000 }).toBeGreaterThan(round % 2);
    child.kill("SIGKILL");
    await ended;
    seen.add(
      leftovers()
        .map((name) => name.replace(/.*\.(?=part)/, ""))
        .sort()
        .join(" "),
    );
    stop = undefined;
    const whole = await job.run(...line);
    expect([whole.code, leftovers()], whole.stderr).toEqual([0, []]);
  }
  expect(seen).toContain("part part.json");
});
