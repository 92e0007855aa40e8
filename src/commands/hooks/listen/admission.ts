import { createHash, timingSafeEqual } from "node:crypto";
import type { RequestHead } from "../../../local-http.ts";

export interface Refusal {
  status: number;
  reason: string;
  /** It was sent as a delivery, not by a browser or another client. */
  isDelivery: boolean;
}

const loopbackName = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;
const tokenHeader = /^x-[a-z\d]+(?:-[a-z\d]+)*-token$/i;

/**
 * Why a request is refused by its head; undefined if it is accepted. A web page can resolve its own host name to this
 * machine (DNS rebinding), or post to it from any site: such requests have that host name, or an origin.
 *
 * @param token the secret token that a delivery must have; undefined if none is required
 */
export function refusalOf(head: RequestHead, token: string | undefined): Refusal | undefined {
  const refused = (status: number, reason: string) => ({ status, reason, isDelivery: false });
  if (!isForLoopback(head)) return refused(421, "only loopback names are accepted");
  if (headersNamed(head, /^(?:origin|sec-fetch-site)$/i).length > 0) return refused(403, "it was sent by a browser");
  if (head.method !== "POST") return refused(405, "only POST is accepted");
  if (token === undefined) return undefined;
  const given = headersNamed(head, tokenHeader);
  if (given.some((each) => isSame(each, token))) return undefined;
  return { status: 401, reason: given.length === 0 ? "no token" : "wrong token", isDelivery: true };
}

function isForLoopback({ target, headers }: RequestHead): boolean {
  // The host name in an absolute target takes precedence over the header.
  const named = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(target)?.[1];
  const hosts = headers.filter(([name]) => name.toLowerCase() === "host").map(([, value]) => value);
  const names = named === undefined ? hosts : [...hosts, named];
  return hosts.length === 1 && names.every((name) => loopbackName.test(name));
}

/** The values of the headers whose names match. */
export function headersNamed({ headers }: Pick<RequestHead, "headers">, name: RegExp): string[] {
  return headers.flatMap(([each, value]) => (name.test(each) ? [value] : []));
}

/** Compares in constant time, regardless of lengths. Header values have one character per byte. */
function isSame(given: string, token: string): boolean {
  const digest = (bytes: Buffer) => createHash("sha256").update(bytes).digest();
  return timingSafeEqual(digest(Buffer.from(given, "latin1")), digest(Buffer.from(token, "utf8")));
}
