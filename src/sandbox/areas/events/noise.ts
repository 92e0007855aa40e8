import { createCipheriv, createHash } from "node:crypto";

/** Pseudo-random bytes, always the same for one name: content that does not compress. */
export function noise(name: string, size: number): Buffer {
  const key = createHash("sha256").update(name).digest().subarray(0, 16);
  return createCipheriv("aes-128-ctr", key, Buffer.alloc(16)).update(Buffer.alloc(size));
}
