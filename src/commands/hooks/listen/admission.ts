import { createHash, timingSafeEqual } from "node:crypto";
import type { RequestHead } from "../../../host.ts";

export interface Refusal {
  status: number;
  reason: string;
  /** It came from a sender of deliveries, and not from a browser or something else. */
  isDelivery: boolean;
}

const loopbackName = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;
const tokenHeader = /^x-[a-z\d]+(?:-[a-z\d]+)*-token$/i;

/**
 * Why a request is refused by its head; undefined where it is taken. A page in a browser can lead a name of its own to
 * this machine, and post to it from any site: its requests carry that name, or say where they come from.
 *
 * @param token the secret token that a delivery must carry; undefined where it need not
 */
export function refusalOf(head: RequestHead, token: string | undefined): Refusal | undefined {
  const refused = (status: number, reason: string) => ({ status, reason, isDelivery: false });
  if (!isMeant(head)) return refused(421, "only loopback names are accepted");
  if (headersNamed(head, /^(?:origin|sec-fetch-site)$/i).length > 0) return refused(403, "it was sent by a browser");
  if (head.method !== "POST") return refused(405, "only POST is accepted");
  if (token === undefined) return undefined;
  const given = headersNamed(head, tokenHeader);
  if (given.some((each) => isSame(each, token))) return undefined;
  return { status: 401, reason: given.length === 0 ? "no token" : "wrong token", isDelivery: true };
}

function isMeant({ target, headers }: RequestHead): boolean {
  // A target with a name of its own counts more than the header.
  const named = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(target)?.[1];
  const hosts = headers.filter(([name]) => name.toLowerCase() === "host").map(([, value]) => value);
  const names = named === undefined ? hosts : [...hosts, named];
  return hosts.length === 1 && names.every((name) => loopbackName.test(name));
}

/** The values of the headers with such a name. */
export function headersNamed({ headers }: Pick<RequestHead, "headers">, name: RegExp): string[] {
  return headers.flatMap(([each, value]) => (name.test(each) ? [value] : []));
}

/** Takes the same time wherever they differ, and whatever their lengths. Headers come as bytes, one a character. */
function isSame(given: string, token: string): boolean {
  const digest = (bytes: Buffer) => createHash("sha256").update(bytes).digest();
  return timingSafeEqual(digest(Buffer.from(given, "latin1")), digest(Buffer.from(token, "utf8")));
}
