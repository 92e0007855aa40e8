import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

const REFUSED = JSON.stringify({ message: "421 Misdirected Request - a sandbox answers to loopback names only" });

const loopbackName = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Serves only requests to loopback names. A web page can make its own host name resolve to this machine (DNS
 * rebinding), and the demo tokens are public; but the browser then sends that name.
 */
export function loopbackOnly(serve: RequestListener): RequestListener {
  return (incoming, outgoing) => (isMeant(incoming) ? serve(incoming, outgoing) : refuse(incoming, outgoing));
}

function isMeant({ url = "", headers }: IncomingMessage): boolean {
  // The host in an absolute request target takes precedence over the header.
  const named = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1];
  return loopbackName.test(headers.host ?? "") && (named === undefined || loopbackName.test(named));
}

function refuse(incoming: IncomingMessage, outgoing: ServerResponse): void {
  incoming.resume();
  outgoing.writeHead(421, { "content-type": "application/json", "content-length": Buffer.byteLength(REFUSED) });
  outgoing.end(incoming.method === "HEAD" ? undefined : REFUSED);
}
