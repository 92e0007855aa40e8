import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { ownValue } from "../../own-value.ts";

/** The time limit for a receiver's complete response. */
const TIMEOUT_MS = 3000;
/** Bytes stored of a response body. */
const MAX_BODY = 64 * 1024;

interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether the certificate is verified. */
  readonly verify: boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** There was no response; the message is the reason. */
export class Undelivered extends Error {}

/** Receivers of the demo data: they answer without a network. */
const demoReceivers: Readonly<Record<string, Omit<Answer, "headers">>> = {
  "chat.acme.example": { status: 200, body: '{"ok":true}' },
  "deploys.acme.example": { status: 202, body: '{"queued":true}' },
  "pager.acme.example": { status: 202, body: '{"status":"success"}' },
};

/**
 * Posts a message and returns the response, whatever its status; redirects are not followed. The sandbox connects only
 * to this machine: any other address, except the receivers of the demo data, throws Undelivered.
 */
export async function post(url: URL, message: Message, signal: AbortSignal): Promise<Answer> {
  const demo = ownValue(demoReceivers, url.hostname);
  if (demo !== undefined) {
    return { ...demo, headers: { Date: new Date().toUTCString(), "Content-Type": "application/json" } };
  }
  if (!isLoopback(url.hostname)) throw new Undelivered("a sandbox delivers to this machine only");
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await exchange(url, message, AbortSignal.any([signal, timeout]));
  } catch (error) {
    if (timeout.aborted) throw new Undelivered(`no answer within ${TIMEOUT_MS / 1000} seconds`);
    const { message: text, code } = error as NodeJS.ErrnoException;
    throw new Undelivered(text || code || "no connection");
  }
}

/** `URL` has already normalized all forms of an address. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

function exchange(url: URL, message: Message, signal: AbortSignal): Promise<Answer> {
  const request = url.protocol === "https:" ? httpsRequest : httpRequest;
  const length = String(Buffer.byteLength(message.body));
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method: "POST",
        headers: { ...message.headers, "Content-Length": length },
        rejectUnauthorized: message.verify,
        agent: false,
        signal,
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        let size = 0;
        const finish = () => {
          const body = Buffer.concat(chunks).subarray(0, MAX_BODY).toString("utf8");
          resolve({ status: incoming.statusCode ?? 0, headers: headersOf(incoming.rawHeaders), body });
          incoming.destroy();
        };
        incoming.on("data", (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          if (size >= MAX_BODY) finish();
        });
        incoming.on("end", finish);
        incoming.on("error", reject);
      },
    );
    outgoing.on("error", reject);
    outgoing.end(message.body);
  });
}

/** Header names as sent by the receiver. */
function headersOf(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? "";
    const value = raw[at + 1] ?? "";
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  return headers;
}
