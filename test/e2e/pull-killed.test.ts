import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chanceOf } from "../support/chance.ts";
import { exporting, packed } from "../support/exporting.ts";
import { binary, node } from "../support/session.ts";

// A pull that is killed repeatedly at any time ends like an undisturbed one. Seeded, so that a failure can be
// reproduced: FORGECTL_KILLS=100 kills more often, FORGECTL_FUZZ_SEED at other times.

const kills = Number(process.env.FORGECTL_KILLS ?? 4);
const chance = chanceOf(Number(process.env.FORGECTL_FUZZ_SEED ?? 21));

const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ index, text: crypto.randomUUID() }));
const relations = [
  ...Array.from({ length: 6 }, (_, index) => {
    const objects = rows(500 * (index + 1));
    return { relation: "issues", batch: index + 1, content: packed(...objects), objects: objects.length };
  }),
  ...["labels", "Labels", "../boards", "uploads"].map((relation) => ({ relation, content: packed(...rows(3000)) })),
];
const user = await exporting(relations);
const line = ["relations", "pull", "out", "-p", "7", "--latest", "--concurrency", "3", "-o", "json"];
const folder = join(user.home, "out");
const pieceBytes = 16 * 1024;

/** Sends content in small pieces, so that a kill interrupts something. */
user.state.fault = (request, response, { content }) => {
  const etag = '"1"';
  const [, start] = /^bytes=(\d+)-$/.exec(request.headers.range ?? "") ?? [];
  const from = Number(start ?? 0);
  const range = { "content-range": `bytes ${from}-${content.length - 1}/${content.length}` };
  response.writeHead(from > 0 ? 206 : 200, { etag, "content-length": content.length - from, ...(from > 0 && range) });
  let at = from;
  const timer = setInterval(() => {
    if (response.destroyed || at >= content.length) {
      clearInterval(timer);
      response.end();
      return;
    }
    response.write(content.subarray(at, at + pieceBytes));
    at += pieceBytes;
  }, 6);
  return true;
};

const digestOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

/** The content of the folder, including the manifest. */
function contentOf() {
  const names = readdirSync(folder).sort();
  const files = names.map((name) => [name, digestOf(readFileSync(join(folder, name)))]);
  return Object.fromEntries(files) as Record<string, string>;
}

test(`a pull killed ${kills} times ends like an undisturbed one`, { timeout: 600_000 }, async () => {
  const whole = await user.run(...line);
  expect(whole.code, whole.stderr).toBe(0);
  const undisturbed = contentOf();
  expect(Object.keys(undisturbed)).toHaveLength(relations.length + 1);
  let killed = 0;
  for (let round = 0; killed < kills && round < kills * 3; round++) {
    // Every other round starts where the last kill left off.
    if (round % 2 === 0) rmSync(folder, { recursive: true, force: true });
    const already = user.downloads().length;
    const child = spawn(node, [binary, ...line], {
      cwd: user.home,
      env: user.env as NodeJS.ProcessEnv,
      stdio: "ignore",
    });
    const ended = once(child, "close");
    const wanted = already + Math.floor(chance() * 8);
    const isOver = ended.then(() => true);
    while (user.downloads().length < wanted) if (await Promise.race([isOver, later(5)])) break;
    await later(chance() * 60);
    child.kill("SIGKILL");
    const [code, by] = await ended;
    expect([code, by]).toEqual(by === null ? [0, null] : [null, "SIGKILL"]);
    if (by !== null) killed += 1;
    if (round % 2 === 0) continue;
    const again = await user.run(...line);
    expect(
      [again.code, again.stderr.replace(/^(?:resuming from .*|(\d+) of \1 done)\n/gm, "")],
      `round ${round}`,
    ).toEqual([0, ""]);
    expect(contentOf(), `round ${round}`).toEqual(undisturbed);
  }
  expect(killed).toBe(kills);
});

function later(ms: number): Promise<false> {
  return new Promise((done) => setTimeout(() => done(false), ms));
}
