import { createCipheriv, createHash } from "node:crypto";

/** Bytes without any pattern, the same for the same name: a content that does not compress. */
export function noise(name: string, size: number): Buffer {
  const key = createHash("sha256").update(name).digest().subarray(0, 16);
  return createCipheriv("aes-128-ctr", key, Buffer.alloc(16)).update(Buffer.alloc(size));
}
