import { createHash } from "node:crypto";
import { Failure } from "../base/errors.ts";
import type { Inspector } from "./download-request.ts";

/** Compares a content with the SHA-256 that the platform reported. */
export class Checksum implements Inspector {
  readonly #hash = createHash("sha256");
  readonly #expected: string;
  readonly #label: string;

  private constructor(expected: string, label: string) {
    this.#expected = expected.toLowerCase();
    this.#label = label;
  }

  /** Undefined if the expected text is not a hexadecimal SHA-256. */
  static of(expected: string | undefined, label: string): Checksum | undefined {
    return expected !== undefined && /^[0-9a-f]{64}$/i.test(expected) ? new Checksum(expected, label) : undefined;
  }

  /** The expected digest, which `finish` has verified. */
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
      hint: "run the command again; if it fails again, a proxy may be altering the content",
    });
  }
}
