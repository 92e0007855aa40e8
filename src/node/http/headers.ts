import type { HeaderPairs } from "../../local-http.ts";

/** Pairs of Node's raw headers, in which names and values alternate. */
export function pairsOf(raw: readonly string[]): HeaderPairs {
  return Array.from({ length: Math.floor(raw.length / 2) }, (_, at) => [raw[2 * at] ?? "", raw[2 * at + 1] ?? ""]);
}

/** Hop-by-hop headers (RFC 9110: Connection), and those that each hop computes. */
const ofOneHop = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
  "host",
  "content-length",
]);

/** The headers that a relay forwards: without hop-by-hop headers and those that `Connection` names. */
export function passedOn(headers: HeaderPairs): HeaderPairs {
  const named = headers
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) => value.split(",").map((part) => part.trim().toLowerCase()));
  return headers.filter(([name]) => !ofOneHop.has(name.toLowerCase()) && !named.includes(name.toLowerCase()));
}
