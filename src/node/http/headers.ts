import type { HeaderPairs } from "../../host.ts";

/** Pairs of Node's raw headers, where names and values take turns. */
export function pairsOf(raw: readonly string[]): HeaderPairs {
  return Array.from({ length: Math.floor(raw.length / 2) }, (_, at) => [raw[2 * at] ?? "", raw[2 * at + 1] ?? ""]);
}

/** What is said to the next hop alone (RFC 9110: Connection), and what each hop works out by itself. */
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

/** The headers that a relay passes on: those of one hop are left out, and those that `Connection` names. */
export function passedOn(headers: HeaderPairs): HeaderPairs {
  const named = headers
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) => value.split(",").map((part) => part.trim().toLowerCase()));
  return headers.filter(([name]) => !ofOneHop.has(name.toLowerCase()) && !named.includes(name.toLowerCase()));
}
