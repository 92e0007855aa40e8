import { createHash, type Hash } from "node:crypto";
import { Failure } from "../base/errors.ts";
import type { Inspector } from "./download-request.ts";
import { type GitBlob, hashOf } from "./git-blob.ts";

/**
 * Compares a content with the SHA-256 that the platform reported. Of a text that is not UTF-8 that may be the one of
 * its conversion (text-shown-converted): the ID of its blob is of the content itself.
 */
export class Checksum implements Inspector {
  readonly #hash = createHash("sha256");
  readonly #blobHash: Hash | undefined;
  readonly #expected: string;
  readonly #label: string;
  readonly #blob: GitBlob | undefined;
  #isVerified = false;

  private constructor(expected: string, label: string, blob: GitBlob | undefined) {
    this.#expected = expected.toLowerCase();
    this.#label = label;
    this.#blob = blob;
    this.#blobHash = blob && hashOf(blob);
  }

  /** Undefined if the expected text is not a hexadecimal SHA-256. */
  static of(expected: string | undefined, label: string, blob?: GitBlob | undefined): Checksum | undefined {
    const isDigest = expected !== undefined && /^[0-9a-f]{64}$/i.test(expected);
    return isDigest ? new Checksum(expected, label, blob) : undefined;
  }

  /** The expected digest, if `finish` has verified it. */
  get sha256(): string | undefined {
    return this.#isVerified ? this.#expected : undefined;
  }

  take(chunk: Uint8Array): undefined {
    this.#hash.update(chunk);
    this.#blobHash?.update(chunk);
  }

  async finish(): Promise<void> {
    const found = this.#hash.digest("hex");
    this.#isVerified = found === this.#expected;
    if (this.#isVerified || (this.#blobHash && this.#blobHash.digest("hex") === this.#blob?.id.toLowerCase())) return;
    throw new Failure("integrity", `${this.#label}: the content does not match its checksum`, {
      code: "checksum_mismatch",
      reason: `SHA-256 is ${found}, expected ${this.#expected}`,
      hint: "run the command again; if it fails again, a proxy may be altering the content",
    });
  }
}
