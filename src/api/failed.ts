import type { Access, Base } from "./endpoint.ts";

/** What is known of the call that failed. */
export interface FailedCall {
  method: string;
  /** Path and query, secrets redacted. */
  path: string;
  /** The endpoint's summary: "Delete a registry tag". */
  summary: string | undefined;
  access: Access | undefined;
  /** Whose address it went to. */
  base?: Base;
  /** The API documents do not have the request. */
  beyond?: boolean;
  /** What the request was signed in with; `given`: by its caller, who alone can say what to do when it is refused. */
  credential: "access" | "job" | "none" | "given";
  /** Where the token came from: `FORGECTL_TOKEN`, `profile work, keyring`. */
  tokenSource?: string | undefined;
  /** Sending it twice does what sending it once does. */
  repeatable: boolean;
  /** It was sent before, and that answer got lost. */
  repeated?: boolean;
}

export interface FailedAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The body's beginning, decoded. */
  text: string;
}
