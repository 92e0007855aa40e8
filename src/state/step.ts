import type { AnyEndpoint } from "../api/endpoint.ts";

/** One request of a change. References among the values are read when it is sent. */
export interface Step {
  readonly endpoint: AnyEndpoint;
  readonly input: Readonly<Record<string, unknown>>;
  /** Skipped if the instance lacks this request. */
  readonly optional?: true;
  /** The request with what its refusal names as missing, as the object has it; undefined if that is no way out. */
  completed?(refusal: unknown, live: Readonly<Record<string, unknown>>): { step: Step; text: string } | undefined;
}
