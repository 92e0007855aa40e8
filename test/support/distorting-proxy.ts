import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";
import { chanceOf } from "./chance.ts";
import { atEnd } from "./ending.ts";

/** How JSON answers are distorted: as a whole, or in one of their fields. */
export const distortions = ["form", "null", "headers", "field", "item"] as const;
export type Distortion = (typeof distortions)[number];

interface DistortingProxy {
  /** Address in place of the target's. */
  readonly url: string;
  /** Forwarded requests. */
  count: number;
}

/** A proxy before `target` that distorts every successful JSON answer, in the same way for the same seed. */
export async function distortingProxy(target: string, how: Distortion, seed: number): Promise<DistortingProxy> {
  const random = chanceOf(seed);
  const server = createServer((incoming, outgoing) => {
    proxy.count += 1;
    const { method = "", headers, url = "" } = incoming;
    const onward = request(new URL(url, target), { method, headers }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      const status = answer.statusCode ?? 0;
      const isJson = /\bjson\b/.test(answer.headers["content-type"] ?? "") && status < 300;
      const text = isJson && body.length > 0 ? distorted(body.toString(), how, random) : body;
      outgoing.writeHead(status, headersOf(answer.headers, how));
      outgoing.end(text);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const proxy = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, count: 0 };
  return proxy;
}

/** All headers except those that describe the body. */
function headersOf(headers: IncomingHttpHeaders, how: Distortion): IncomingHttpHeaders {
  const { "content-length": _, "transfer-encoding": __, ...rest } = headers;
  const type = rest["content-type"];
  return how === "headers" ? { ...(type !== undefined && { "content-type": type }) } : rest;
}

function distorted(text: string, how: Distortion, random: () => number): string {
  const value: unknown = JSON.parse(text);
  if (how === "null") return "null";
  if (how === "form") return JSON.stringify(Array.isArray(value) ? (value[0] ?? {}) : [value]);
  if (how === "headers") return text;
  if (how === "item") return JSON.stringify(Array.isArray(value) ? [...value, otherThan(value[0], random)] : value);
  distortField(value, random);
  return JSON.stringify(value);
}

/** Replaces one value at any depth. */
function distortField(value: unknown, random: () => number): void {
  const places: [Record<string, unknown>, string][] = [];
  const visit = (each: unknown): void => {
    if (typeof each !== "object" || each === null) return;
    for (const key of Object.keys(each)) {
      places.push([each as Record<string, unknown>, key]);
      visit((each as Record<string, unknown>)[key]);
    }
  };
  visit(value);
  const place = places[Math.floor(random() * places.length)];
  if (place === undefined) return;
  const [holder, key] = place;
  holder[key] = otherThan(holder[key], random);
}

function otherThan(value: unknown, random: () => number): unknown {
  const others = [null, 7, "text", true, [], ["text"], {}, { text: [] }].filter((each) => typeof each !== typeof value);
  return others[Math.floor(random() * others.length)];
}
