import type { Socket } from "node:net";
import type { PeerCertificate, TLSSocket } from "node:tls";
import { chooseProxy } from "./attempt.ts";
import { Broken, ProxyFailure } from "./broken-exchange.ts";
import type { Certificate, Probe } from "./message.ts";
import { networkFailure } from "./network-failure.ts";
import { subjectOf } from "./send-with-retries.ts";
import type { Session } from "./session.ts";

/** Opens a connection like a request to an address would, and closes it without sending anything. */
export async function probe(session: Session, url: URL): Promise<Probe> {
  const { elapsedMs } = session.options;
  const proxy = session.mayProxy ? await chooseProxy(session, url) : undefined;
  const isTunneled = proxy !== undefined && url.protocol === "https:";
  const { protocol, host, hostname, port } = proxy && !isTunneled ? new URL(proxy.origin) : url;
  const endpoint = { protocol, host, hostname: hostname.replace(/^\[|\]$/g, ""), port };
  const started = elapsedMs();
  const seen: Probe = { peer: undefined, openedMs: 0, certificate: undefined, failure: undefined };
  const opened = (peer: string) => Object.assign(seen, { peer, openedMs: elapsedMs() - started });
  let sockets = 0;
  const watch = (socket: Socket) => {
    sockets += 1;
    // TLS inside a tunnel uses an existing connection.
    if (isTunneled && sockets === 2) opened(new URL(proxy.origin).host);
    if (!isTunneled) socket.once("connect", () => opened(peerOf(socket)));
  };
  const inWords = (broken: Broken) => networkFailure(broken, subjectOf(session, { method: "GET", url }));
  try {
    const socket = await session.network.probe(endpoint, isTunneled ? proxy : undefined, watch);
    if (protocol === "https:") {
      examine(socket as TLSSocket, seen, inWords);
      const refusal = await refusalOn(socket as TLSSocket, session);
      if (refusal !== undefined) seen.failure ??= inWords(new Broken("connect", { cause: refusal }));
    }
    socket.destroy();
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    const isProxys = proxy !== undefined && !isTunneled && !error.timedOut;
    const cause = isProxys ? new ProxyFailure(proxy.origin, error.cause) : error.cause;
    seen.failure = inWords(new Broken("connect", { cause, timedOut: error.timedOut }));
  }
  return seen;
}

/**
 * Milliseconds to wait for a refusal after the handshake; a server that accepts the client usually sends a session at
 * once.
 */
const refusalMs = 250;

/**
 * With TLS 1.3, a server may refuse a client, for example for a missing certificate, after the client's handshake is
 * complete.
 */
async function refusalOn(socket: TLSSocket, { options }: Session): Promise<Error | undefined> {
  if (socket.getProtocol() !== "TLSv1.3") return undefined;
  const done = new AbortController();
  try {
    return await new Promise((resolve) => {
      socket.once("error", resolve);
      socket.once("session", () => resolve(undefined));
      const nothing = () => resolve(undefined);
      options.sleep(refusalMs, done.signal).then(nothing, nothing);
    });
  } finally {
    done.abort();
  }
}

function peerOf({ remoteAddress = "", remotePort, remoteFamily }: Socket): string {
  return remoteFamily === "IPv6" ? `[${remoteAddress}]:${remotePort}` : `${remoteAddress}:${remotePort}`;
}

/** The certificate error that requests would get: this connection was opened without verification. */
function examine(socket: TLSSocket, seen: Probe, inWords: (broken: Broken) => Probe["failure"]): void {
  seen.certificate = certificateOf(socket);
  if (socket.authorized) return;
  const code = String(socket.authorizationError ?? "");
  seen.failure = inWords(new Broken("connect", { cause: Object.assign(new Error(code), { code }) }));
}

function certificateOf(socket: TLSSocket): Certificate {
  const { subject, issuer, valid_to: until } = socket.getPeerCertificate();
  return {
    subject: nameIn(subject),
    issuer: nameIn(issuer),
    until: new Date(until),
    protocol: socket.getProtocol() ?? "TLS",
  };
}

/** The name in a certificate: its common name, with its organization if that differs. */
function nameIn(party: PeerCertificate["subject"] | undefined): string {
  const [name, organization] = [party?.CN, party?.O].map((each) => [each ?? []].flat().join(", "));
  if (!name || !organization || name === organization) return name || organization || "no name";
  return `${name} (${organization})`;
}
