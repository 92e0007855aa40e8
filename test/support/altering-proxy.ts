import { createServer, type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { atEnd } from "./ending.ts";
import { type Session, sandboxSession, session } from "./session.ts";

/** An exchange as the sandbox answered it. */
export interface Exchange {
  method: string;
  /** Path and query as sent. */
  path: string;
  sent: unknown;
  status: number;
  /** The body, parsed if it is JSON. */
  body: unknown;
  /** Where it is redirected to. */
  location: string | undefined;
}

/** The answer in its place, `without` headers: `lost` breaks the connection; undefined leaves it unchanged. */
export type Altered = { status?: number; body?: unknown; without?: readonly string[] } | "lost" | undefined;

type SignedIn = Awaited<ReturnType<typeof sandboxSession>>;

/** An answer that never arrives. */
export const never = new Promise<undefined>(() => undefined);

/** An answer in place of the sandbox, which does not get the request: seconds to wait until the next attempt. */
export type Limited = number | undefined;

/**
 * A sandbox behind a proxy that may replace its answers after it has acted. Only for small answers: each is read
 * completely. `rename` maps the path of a request to one that the sandbox has; `limit` answers 429 in its place.
 */
export async function alteringSession(
  alter: (exchange: Exchange) => Altered | Promise<Altered>,
  options: SandboxOptions = {},
  rename: (path: string) => string = (path) => path,
  limit: (method: string, path: string) => Limited | Promise<Limited> = () => undefined,
): Promise<Session & { seen: string[]; direct: SignedIn }> {
  const direct = await sandboxSession(options);
  const seen: string[] = [];
  const proxy = createServer(async (incoming, outgoing) => {
    const sent = await buffer(incoming);
    const { method = "", url: path = "" } = incoming;
    const seconds = await limit(method, path);
    if (seconds !== undefined) {
      seen.push(`${method} ${path.replace(/\?.*/, "")} 429`);
      return void outgoing.writeHead(429, { "retry-after": String(seconds) }).end("Retry later");
    }
    const onward = request(
      new URL(rename(path), direct.sandbox.url),
      { method, headers: incoming.headers },
      async (answer) => {
        const status = answer.statusCode ?? 0;
        const bytes = await buffer(answer);
        const body = parsed(bytes);
        const { location } = answer.headers;
        const altered = await alter({ method, path, sent: parsed(sent), status, body, location });
        seen.push(`${method} ${path.replace(/\?.*/, "")} ${altered === "lost" ? "lost" : (altered?.status ?? status)}`);
        if (altered === "lost") return void outgoing.destroy();
        const text = altered?.body === undefined ? bytes : Buffer.from(JSON.stringify(altered.body));
        const headers = headersOf(answer.headers, text.length);
        if (altered?.body !== undefined) headers["content-type"] ??= "application/json";
        for (const name of altered?.without ?? []) delete headers[name];
        outgoing.writeHead(altered?.status ?? status, headers).end(text);
      },
    );
    onward.on("error", () => outgoing.destroy());
    onward.end(sent);
  });
  await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
  atEnd(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const { port } = proxy.address() as AddressInfo;
  const env = { FORGECTL_BASE_URL: `http://127.0.0.1:${port}`, FORGECTL_TOKEN: direct.sandbox.tokens.administrator };
  return { ...session(env), seen, direct };
}

function parsed(bytes: Buffer): unknown {
  const text = bytes.toString("utf8");
  try {
    return JSON.parse(text);
  } catch {
    return text === "" ? undefined : text;
  }
}

function headersOf(
  { "transfer-encoding": _, "content-length": __, ...rest }: IncomingHttpHeaders,
  length: number,
): IncomingHttpHeaders {
  return length === 0 ? rest : { ...rest, "content-length": String(length) };
}
