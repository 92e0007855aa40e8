import type { Access, Base, Cursor } from "./endpoint.ts";

/** Details of the failed call. */
export interface FailedCall {
  method: string;
  /** Path and query, secrets redacted. */
  path: string;
  /** The endpoint's summary: "Delete a registry tag". */
  summary: string | undefined;
  access: Access | undefined;
  /** Whether it was sent to the instance or to the registry. */
  base?: Base;
  /** The request is undocumented. */
  beyond?: boolean;
  /** What the list can be ordered by to be read by cursor. */
  cursor?: Cursor | undefined;
  /** The kind of credential; `given`: supplied by the caller, which must handle a refusal. */
  credential: "access" | "job" | "none" | "given";
  /** Where the token came from: `FORGECTL_TOKEN`, `profile work, keyring`. */
  tokenSource?: string | undefined;
  /** Idempotent. */
  repeatable: boolean;
  /** An earlier attempt was sent, and its answer was lost. */
  repeated?: boolean;
  /** An earlier attempt was answered with an error of the server (5xx), and may have acted before that. */
  refusedBefore?: boolean;
  /** Hides the known secrets in what was answered, such as the token of a request that is repeated there. */
  redact?(text: string): string;
}

export interface FailedAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The beginning of the decoded body. */
  text: string;
}
