import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { Checksum } from "../../../src/transfer/checksum.ts";

const sha256 = createHash("sha256").update("content").digest("hex");

test("a content that matches its checksum is accepted, in whatever parts and letters", async () => {
  const checksum = Checksum.of(sha256.toUpperCase(), "the file");
  checksum?.take(Buffer.from("con"));
  checksum?.take(Buffer.from("tent"));
  await checksum?.finish();
  expect(checksum?.sha256).toBe(sha256);
});

test("another content is exit 12, with both checksums", async () => {
  const checksum = Checksum.of(sha256, "the file");
  checksum?.take(Buffer.from("other"));
  const found = createHash("sha256").update("other").digest("hex");
  await expect(checksum?.finish()).rejects.toMatchObject({
    exit: "integrity",
    message: "the file: the content does not match its checksum",
    details: { code: "checksum_mismatch", reason: `SHA-256 is ${found}, expected ${sha256}` },
  });
});

test.each([undefined, "", "abc", `${sha256}0`, `x${sha256.slice(1)}`, `sha256:${sha256}`])(
  "%j is not a checksum: nothing is compared",
  (text) => expect(Checksum.of(text, "x")).toBeUndefined(),
);
