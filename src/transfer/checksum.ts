import { createHash } from "node:crypto";
import { Failure } from "../base/errors.ts";
import type { Inspector } from "./wanted.ts";

/** Holds a content against the SHA-256 that the platform gave. */
export class Checksum implements Inspector {
  readonly #hash = createHash("sha256");
  readonly #expected: string;
  readonly #label: string;

  private constructor(expected: string, label: string) {
    this.#expected = expected.toLowerCase();
    this.#label = label;
  }

  /** Undefined where what is expected is no SHA-256 in hexadecimal. */
  static of(expected: string | undefined, label: string): Checksum | undefined {
    return expected !== undefined && /^[0-9a-f]{64}$/i.test(expected) ? new Checksum(expected, label) : undefined;
  }

  /** What the content has to have, and after `finish` has. */
  get sha256(): string {
    return this.#expected;
  }

  take(chunk: Uint8Array): undefined {
    this.#hash.update(chunk);
  }

  async finish(): Promise<void> {
    const found = this.#hash.digest("hex");
    if (found === this.#expected) return;
    throw new Failure("integrity", `${this.#label}: the content does not match its checksum`, {
      code: "checksum_mismatch",
      reason: `SHA-256 is ${found}, expected ${this.#expected}`,
      hint: "run the command again; if it fails again, something on the way changes the content",
    });
  }
}
