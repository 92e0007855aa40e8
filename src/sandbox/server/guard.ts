import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

const REFUSED = JSON.stringify({ message: "421 Misdirected Request - a sandbox answers to loopback names only" });

const loopbackName = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Serves requests to loopback names only. A page in a browser can make a name of its own lead to this machine, and the
 * demo tokens are known to everybody; but the browser then sends that name.
 */
export function loopbackOnly(serve: RequestListener): RequestListener {
  return (incoming, outgoing) => (isMeant(incoming) ? serve(incoming, outgoing) : refuse(incoming, outgoing));
}

function isMeant({ url = "", headers }: IncomingMessage): boolean {
  // A target with a name of its own counts more than the header.
  const named = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1];
  return loopbackName.test(headers.host ?? "") && (named === undefined || loopbackName.test(named));
}

function refuse(incoming: IncomingMessage, outgoing: ServerResponse): void {
  incoming.resume();
  outgoing.writeHead(421, { "content-type": "application/json", "content-length": Buffer.byteLength(REFUSED) });
  outgoing.end(incoming.method === "HEAD" ? undefined : REFUSED);
}
