import type { Socket } from "node:net";
import type { Connector } from "undici/lib/core/connect.js";

/** The opener of one connection: it tells of every socket it opens, so that all of them can be ended at once. */
export type Opener = (
  endpoint: Parameters<Connector>[0],
  connected: Parameters<Connector>[1],
  track: (socket: Socket) => void,
) => void;
