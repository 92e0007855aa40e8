/** The parts of undici in use, by deep path: its main entry loads fetch, WebSocket, and much more at every start. */

declare module "undici/lib/dispatcher/pool.js" {
  export interface Controller {
    pause(): void;
    resume(): void;
    abort(reason: Error): void;
  }
  export interface Handler {
    onRequestStart(controller: Controller): void;
    onResponseStart(controller: Controller, status: number, headers: Record<string, string | string[]>): void;
    onResponseData(controller: Controller, chunk: Uint8Array): void;
    onResponseEnd(): void;
    onResponseError(controller: Controller | undefined, error: Error): void;
  }
  export interface PoolOptions {
    connections: number;
    connect: import("undici/lib/core/connect.js").Connector;
    headersTimeout: number;
    bodyTimeout: number;
  }
  export interface DispatchOptions {
    path: string;
    method: string;
    headers: Record<string, string>;
    body: AsyncIterable<Uint8Array> | null;
  }
  export default class Pool {
    constructor(origin: string, options: PoolOptions);
    dispatch(options: DispatchOptions, handler: Handler): boolean;
    destroy(error: Error): Promise<void>;
  }
}

declare module "undici/lib/core/connect.js" {
  import type { Socket } from "node:net";
  import type { ConnectionOptions } from "node:tls";

  export interface Endpoint {
    host: string;
    hostname: string;
    protocol: string;
    port: string;
    servername?: string | null;
    httpSocket?: Socket;
  }
  export type Connected = (error: Error | null, socket?: Socket) => void;
  export type Connector = (endpoint: Endpoint, connected: Connected) => Socket | undefined;
  export default function buildConnector(
    options: ConnectionOptions & { timeout: number; autoSelectFamilyAttemptTimeout: number },
  ): Connector;
}
