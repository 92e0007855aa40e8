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

/** Of a text in Latin-1, an instance may report the SHA-256 of its conversion to UTF-8. */
const text = Buffer.from("M\xfcnchen", "latin1");
const ofConversion = createHash("sha256").update("M\xfcnchen").digest("hex");
const idOf = (content: Buffer, algorithm = "sha1") =>
  createHash(algorithm).update(`blob ${content.length}\0`).update(content).digest("hex");

test.each(["sha1", "sha256"])(
  "a content with the ID of its blob (%s) is accepted, and its SHA-256 unknown",
  async (algorithm) => {
    const checksum = Checksum.of(ofConversion, "x", { id: idOf(text, algorithm).toUpperCase(), size: text.length });
    checksum?.take(text.subarray(0, 2));
    checksum?.take(text.subarray(2));
    await checksum?.finish();
    expect(checksum?.sha256).toBeUndefined();
  },
);

test.each([idOf(Buffer.from("other")), "", "abc"])("neither the checksum nor the blob %j: exit 12", async (id) => {
  const checksum = Checksum.of(ofConversion, "x", { id, size: text.length });
  checksum?.take(text);
  await expect(checksum?.finish()).rejects.toMatchObject({ exit: "integrity" });
});

test.each([undefined, "", "abc", `${sha256}0`, `x${sha256.slice(1)}`, `sha256:${sha256}`])(
  "%j is not a checksum: nothing is compared",
  (text) => expect(Checksum.of(text, "x")).toBeUndefined(),
);
