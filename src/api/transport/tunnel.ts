import { request } from "node:http";
import type { Socket } from "node:net";
import type { Connector, Endpoint } from "undici/lib/core/connect.js";
import { ProxyFailure } from "./broken-exchange.ts";
import type { Opener } from "./opener.ts";
import type { Proxy } from "./proxy.ts";

/**
 * Opens connections to https origins through an http or https proxy, with CONNECT; TLS to the origin runs inside.
 *
 * @param within opens the inner connection; by default like the one to the proxy
 */
export function tunnel(proxy: Proxy, connect: Connector, within = connect): Opener {
  const { protocol, host, hostname, port } = new URL(proxy.origin);
  const gate: Endpoint = { protocol, host, hostname: hostname.replace(/^\[|\]$/g, ""), port };
  return (endpoint, connected, track) => {
    const socket = connect(gate, (error, toProxy) => {
      if (error || !toProxy) return connected(new ProxyFailure(proxy.origin, error));
      ask(proxy, endpoint, toProxy, (refusal, through) => {
        if (refusal || !through) return connected(refusal ?? new Error("no tunnel"));
        const inner = within({ ...endpoint, httpSocket: through }, connected);
        if (inner) track(inner);
      });
    });
    if (socket) track(socket);
  };
}

function ask(
  proxy: Proxy,
  endpoint: Endpoint,
  socket: Socket,
  answered: (error: Error | null, through?: Socket) => void,
): void {
  const name = endpoint.hostname.includes(":") ? `[${endpoint.hostname}]` : endpoint.hostname;
  const path = `${name}:${endpoint.port || "443"}`;
  const headers: Record<string, string> = { host: path };
  if (proxy.authorization) headers["proxy-authorization"] = proxy.authorization;
  const asking = request({ method: "CONNECT", path, headers, createConnection: () => socket });
  const refused = (status: number | undefined) => {
    socket.destroy();
    answered(new ProxyFailure(proxy.origin, undefined, status));
  };
  asking.once("connect", (response, through: Socket, early: Buffer) => {
    if (response.statusCode !== 200) return refused(response.statusCode);
    // A server waits for the client to begin TLS: what came with the answer is the proxy's, and no TLS.
    if (early.length > 0) through.unshift(early);
    answered(null, through);
  });
  asking.once("response", (response) => refused(response.statusCode));
  asking.once("error", (error) => answered(new ProxyFailure(proxy.origin, error)));
  asking.end();
}
