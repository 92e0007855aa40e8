import type { Socket } from "node:net";
import type { SecureContext } from "node:tls";
import buildConnector, { type Connector, type Endpoint } from "undici/lib/core/connect.js";
import Pool from "undici/lib/dispatcher/pool.js";
import { nextTurn } from "../../base/next-turn.ts";
import { Broken } from "./broken-exchange.ts";
import type { Opener } from "./opener.ts";
import type { Proxy } from "./proxy.ts";
import type { Clock } from "./watchdog.ts";

interface NetworkOptions {
  connections: number;
  timeoutMs: number;
  clock: Clock;
  secureContext: SecureContext | undefined;
  /** Called when a server has closed its side of a connection, before undici learns it: nothing may be paused then. */
  onEnd: () => void;
}

/** The connections: a pool per origin, with a register of all sockets. */
export class Network {
  readonly #options: NetworkOptions;
  readonly #pools = new Map<string, Pool>();
  readonly #sockets = new Set<Socket>();
  readonly #connect: Connector;

  constructor(options: NetworkOptions) {
    this.#options = options;
    this.#connect = this.#connector({});
  }

  #connector(more: { rejectUnauthorized?: false }): Connector {
    const { secureContext } = this.#options;
    return buildConnector({
      // Node's 250 ms for each address of a host is too short for distant instances.
      autoSelectFamilyAttemptTimeout: 2_000,
      // undici's connect timer is coarse, and leaves the socket open: see #opening.
      timeout: 0,
      ...(secureContext && { secureContext }),
      ...more,
    });
  }

  /** The pool for an origin; with a proxy, one whose connections are tunnels through it. */
  async pool(origin: string, proxy: Proxy | undefined): Promise<Pool> {
    const open = proxy ? await this.#tunnel(proxy) : directly(this.#connect);
    const known = this.#pools.get(origin);
    if (known) {
      // undici releases a connection one turn after its answer has ended. Without waiting for that, the next request of
      // a series would open a second connection, with another TLS handshake.
      await nextTurn();
      return known;
    }
    const { connections } = this.#options;
    const pool = new Pool(origin, { connections, connect: this.#opening(open), headersTimeout: 0, bodyTimeout: 0 });
    this.#pools.set(origin, pool);
    return pool;
  }

  async close(): Promise<void> {
    // Node reads the stack of the error, and formatting one takes longer than closing all sockets.
    const closed = Object.assign(new Error("the connections are closed"), { stack: "" });
    const ended = [...this.#pools.values()].map((pool) => pool.destroy(closed));
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(ended);
  }

  /**
   * Opens a separate connection like those of the pools, for inspection only: an untrusted certificate
   * does not close it. Rejects with a Broken.
   *
   * @param seen called for every socket opened
   */
  async probe(endpoint: Endpoint, proxy: Proxy | undefined, seen: (socket: Socket) => void): Promise<Socket> {
    const trusting = this.#connector({ rejectUnauthorized: false });
    const open = proxy ? await this.#tunnel(proxy, trusting) : directly(trusting);
    const tracking: Opener = (to, connected, track) =>
      open(to, connected, (socket) => {
        track(socket);
        seen(socket);
      });
    return new Promise((resolve, reject) => {
      this.#opening(tracking)(endpoint, (error, socket) => (socket ? resolve(socket) : reject(error)));
    });
  }

  async #tunnel(proxy: Proxy, within?: Connector): Promise<Opener> {
    const { tunnel } = await import("./tunnel.ts");
    return tunnel(proxy, this.#connect, within);
  }

  /** Opens with a timeout. Every error is a Broken, which undici passes to the request without a retry. */
  #opening(open: Opener): Connector {
    return (endpoint, connected) => {
      const { clock, timeoutMs, onEnd } = this.#options;
      const opened: Socket[] = [];
      let finished = false;
      const finish = (error: Broken | null, socket?: Socket) => {
        if (finished) return void socket?.destroy();
        finished = true;
        cancel();
        if (error) for (const one of opened) one.destroy();
        socket?.on("error", asAnyError).on("end", onEnd);
        connected(error, socket);
      };
      const cancel = clock.after(timeoutMs, () => finish(new Broken("connect", { timedOut: true })));
      open(
        endpoint,
        (error, socket) => finish(error ? new Broken("connect", { cause: error }) : null, socket),
        (socket) => {
          opened.push(socket);
          this.#track(socket);
        },
      );
      return undefined;
    };
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    // A socket that is no longer used may still fail.
    socket.on("error", () => undefined);
  }
}

/**
 * Called before undici's own listener: that would mistake a reset for the end of a body that ends with the connection,
 * and throw if reading is paused. Without its code it is an error like others; messages show the code.
 */
function asAnyError(error: NodeJS.ErrnoException): void {
  const { code } = error;
  if (code !== "ECONNRESET") return;
  error.code = "";
  queueMicrotask(() => {
    error.code = code;
  });
}

/** The certificate must be that of the address, not of the header `Host`: a proxy gets one with another name. */
function directly(connect: Connector): Opener {
  return ({ servername: _ofHeader, ...endpoint }, connected, track) => {
    const socket = connect(endpoint, connected);
    if (socket) track(socket);
  };
}
