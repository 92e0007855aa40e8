import { createHash } from "node:crypto";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { chanceOf, oneOf } from "../support/chance.ts";
import { type Client, client, serveRaw } from "./support.ts";

// Contents of all sizes, in pieces of all sizes, several at a time, to readers of all speeds.
// Seeded, so that a failure can be reproduced: FORGECTL_FUZZ=3000 does it more often, FORGECTL_FUZZ_SEED differently.

const rounds = Number(process.env.FORGECTL_FUZZ ?? 60);
const chance = chanceOf(Number(process.env.FORGECTL_FUZZ_SEED ?? 21));
const upTo = (limit: number) => 1 + Math.floor(chance() * limit);

const kib = 1024;
const sizes = [0, 1, 1000, 64 * kib - 1, 64 * kib, 256 * kib, 256 * kib + 1, 1024 * kib, 1024 * kib + 1, 3000 * kib];
const pieces = [7, 3000, 70 * kib, 1500 * kib];
const framings = ["length", "length, then close", "chunks", "chunks, then close", "close"] as const;

interface Shape {
  framing: (typeof framings)[number];
  content: Buffer;
  cuts: number[];
}

const source = Buffer.from(Uint32Array.from({ length: 800 * kib }, () => chance() * 2 ** 32).buffer);

function shape(): Shape {
  const piece = oneOf(pieces, chance);
  const size = Math.min(oneOf(sizes, chance), 5000 * piece);
  const from = upTo(100);
  const cuts: number[] = [];
  for (let at = 0; at < size; at += cuts.at(-1) ?? 1) cuts.push(Math.min(size - at, upTo(piece)));
  return { framing: oneOf(framings, chance), content: source.subarray(from, from + size), cuts };
}

async function answer(socket: Socket, { framing, content, cuts }: Shape): Promise<void> {
  const inChunks = framing.startsWith("chunks");
  let head = "HTTP/1.1 200 OK\r\n";
  if (inChunks) head += "transfer-encoding: chunked\r\n";
  else if (framing !== "close") head += `content-length: ${content.length}\r\n`;
  if (framing.endsWith("close")) head += "connection: close\r\n";
  socket.write(`${head}\r\n`);
  let at = 0;
  for (const size of cuts) {
    if (inChunks) socket.write(`${size.toString(16)}\r\n`);
    socket.write(content.subarray(at, at + size));
    at += size;
    if (inChunks) socket.write("\r\n");
    if (size % 64 === 0) await sleep(1);
  }
  if (inChunks) socket.write("0\r\n\r\n");
  if (framing.endsWith("close")) socket.end();
}

/** The digest of what is received; each batch is read only when the next has arrived. */
async function received(send: Client["send"], url: string, delays: readonly number[]): Promise<string> {
  const { body } = await send("GET", url, { whole: false });
  const hash = createHash("sha256");
  let last: readonly Uint8Array[] = [];
  const read = () => {
    for (const chunk of last) hash.update(chunk);
  };
  for await (const batch of body.batches()) {
    await sleep(delays[batch.length % delays.length]);
    read();
    last = batch;
  }
  read();
  return hash.digest("hex");
}

test("every byte arrives once, whatever the shape of the answers", { timeout: 300_000 }, async () => {
  const shapes = Array.from({ length: rounds }, shape);
  const server = await serveRaw((socket, _count, head) => {
    const index = Number(/^GET \/(\d+)/.exec(head)?.[1]);
    void answer(socket, shapes[index] as Shape);
  });
  const { send } = await client();
  let next = 0;
  const lane = async (delays: readonly number[]) => {
    for (let index = next++; index < shapes.length; index = next++) {
      const { framing, content, cuts } = shapes[index] as Shape;
      const sent = createHash("sha256").update(content).digest("hex");
      const what = { index, framing, size: content.length, pieces: cuts.length };
      expect({ ...what, digest: await received(send, `${server.url}/${index}`, delays) }).toEqual({
        ...what,
        digest: sent,
      });
    }
  };
  await Promise.all([lane([0]), lane([0, 1]), lane([0, 0, 0, 20]), lane([100, 0])]);
});
