import type { Socket } from "node:net";
import type { Connector } from "undici/lib/core/connect.js";

/** Opens one connection, and reports every socket that it opens, so that all of them can be closed at once. */
export type Opener = (
  endpoint: Parameters<Connector>[0],
  connected: Parameters<Connector>[1],
  track: (socket: Socket) => void,
) => void;
