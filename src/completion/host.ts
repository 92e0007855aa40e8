import type { Listed } from "../api/field-options.ts";
import type { ProfilesData } from "../config/shape.ts";
import type { Environment } from "../host.ts";
import type { Offer } from "./words.ts";

/** All that completion may look at. */
export interface CompletionHost {
  readonly env: Environment;
  /** The stored profiles; empty if they cannot be read. */
  profiles(): Promise<ProfilesData>;
  /** What the instance lists; empty if it does not answer in time. Never rejects. */
  listed(wanted: ValuesQuery): Promise<readonly Offer[]>;
}

/** A request for values of the instance, and the words of the line that determine where they are. */
export interface ValuesQuery {
  readonly source: Listed;
  /** The part of the value typed so far. */
  readonly typed: string;
  /** Arguments and flags of the line, as typed, by parameter: `project`, `repository_id`, `profile`. */
  readonly line: Readonly<Record<string, string>>;
}
