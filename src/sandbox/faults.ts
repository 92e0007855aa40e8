/** One kind of trouble, for which requests, and how often. See {@link parseFault} for the words. */
export interface FaultSpec {
  /** Upper-case method; undefined matches every method. */
  readonly method?: string;
  /** Glob over the path, with or without `/api/v4`; undefined matches every path. */
  readonly path?: string;
  readonly action: FaultAction;
  /** How many requests it hits before it is used up; Infinity for always. */
  readonly count: number;
}

export type FaultAction =
  | { readonly kind: "status"; readonly status: number; readonly retryAfter?: string }
  | { readonly kind: "redirect"; readonly status: number; readonly to: string }
  | { readonly kind: "html"; readonly status: number }
  | { readonly kind: "delay" | "slow"; readonly ms: number }
  | { readonly kind: "reset" | "truncate" | "hang" };

/** Thrown by {@link parseFault}; the message says what is wrong and what is allowed. */
export class FaultSpecError extends Error {
  override readonly name = "FaultSpecError";
}
export function parseFault(_text: string): FaultSpec[] {
  throw new FaultSpecError("not yet");
}
