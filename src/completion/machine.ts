import type { ProfilesData } from "../config/shape.ts";
import type { Environment } from "../host.ts";

/** All that completion may look at: no request is made for it. */
export interface Machine {
  readonly env: Environment;
  /** The stored profiles; none where they cannot be read. */
  profiles(): Promise<ProfilesData>;
}
