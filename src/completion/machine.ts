import type { ProfilesData } from "../config/shape.ts";
import type { Environment } from "../host.ts";

/** The local data that completion may read: it makes no requests. */
export interface Machine {
  readonly env: Environment;
  /** The stored profiles; empty if they cannot be read. */
  profiles(): Promise<ProfilesData>;
}
