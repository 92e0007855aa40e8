import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttp, type RequestListener } from "node:http";
import { createServer as createHttps } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { nodeFiles } from "../../src/node/files.ts";
import { atTestEnd } from "../support/ending.ts";
import { client } from "./support.ts";

const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url), "utf8");

// The chunks of a file are reused buffers: if one were overwritten before it is sent, the server would receive another
// file.
test.each(["http", "https"])("a file arrives unchanged over %s, on a server that reads irregularly", async (scheme) => {
  const folder = mkdtempSync(join(tmpdir(), "forgectl-test-"));
  atTestEnd(() => rmSync(folder, { recursive: true }));
  const content = Buffer.alloc(24_000_001);
  for (let at = 0; at + 4 <= content.length; at += 4) content.writeUInt32LE(Math.imul(at, 2_654_435_761) >>> 0, at);
  writeFileSync(join(folder, "big"), content);
  const answer: RequestListener = async (request, response) => {
    const hash = createHash("sha256");
    let pauses = 0;
    let size = 0;
    for await (const chunk of request) {
      hash.update(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size / 3_000_000 > pauses && pauses++ < 20) await delay(15);
    }
    response.end(hash.digest("hex"));
  };
  const server =
    scheme === "http"
      ? createHttp(answer)
      : createHttps({ key: fixture("server.key"), cert: fixture("server.pem") }, answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atTestEnd(() => server.close());
  const { send } = await client(scheme === "http" ? {} : { ca: fixture("ca.pem") });
  const host = scheme === "http" ? "127.0.0.1" : "localhost";
  const body = { size: content.length, stream: () => nodeFiles(folder).lend("big") };
  const { port } = server.address() as AddressInfo;
  const response = await send("POST", `${scheme}://${host}:${port}/`, { body });
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toBe(createHash("sha256").update(content).digest("hex"));
});
