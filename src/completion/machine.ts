import type { Listed } from "../api/field.ts";
import type { ProfilesData } from "../config/shape.ts";
import type { Environment } from "../host.ts";
import type { Offer } from "./words.ts";

/** All that completion may look at. */
export interface Machine {
  readonly env: Environment;
  /** The stored profiles; empty if they cannot be read. */
  profiles(): Promise<ProfilesData>;
  /** What the instance lists; none where it is not known in time. Never rejects. */
  listed(wanted: Wanted): Promise<readonly Offer[]>;
}

/** Values of the instance that are wanted, and what the line says of the place that they are in. */
export interface Wanted {
  readonly source: Listed;
  /** What is typed of the value. */
  readonly typed: string;
  /** Arguments and flags of the line, as typed, by parameter: `project`, `repository_id`, `profile`. */
  readonly line: Readonly<Record<string, string>>;
}
