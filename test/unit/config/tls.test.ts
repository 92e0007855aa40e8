import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readTls } from "../../../src/config/tls.ts";
import { nodeFiles } from "../../../src/node/files.ts";
import { failureOf, resolveIn, temporary } from "./support/machine.ts";

const pem = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
const key = "-----BEGIN EC PRIVATE KEY-----\nMIIB\n-----END EC PRIVATE KEY-----\n";

async function tlsOf(settings: Record<string, string>, contents: Record<string, string | Uint8Array> = {}) {
  const folder = await temporary();
  for (const [name, content] of Object.entries(contents)) await writeFile(join(folder, name), content);
  const profile = Object.fromEntries(Object.entries(settings).map(([name, file]) => [name, join(folder, file)]));
  const { config } = await resolveIn({ stored: { current: "work", profiles: { work: profile } } });
  return readTls(config, nodeFiles(folder));
}

test("unset values are omitted", async () => {
  expect(await tlsOf({})).toEqual({});
});

test("texts are read", async () => {
  expect(await tlsOf({ "ca-file": "ca" }, { ca: `a comment\n${pem}` })).toEqual({ ca: `a comment\n${pem}` });
  const both = await tlsOf({ "cert-file": "cert", "key-file": "key" }, { cert: pem, key });
  expect(both).toEqual({ cert: pem, key });
});

test.each([
  ["missing", { "ca-file": "none" }, {}, /^ca-file: .*none cannot be read$/],
  ["empty", { "ca-file": "ca" }, { ca: "" }, /^ca-file: .*ca is not a PEM file$/],
  ["binary", { "ca-file": "ca" }, { ca: new Uint8Array([0x30, 0x82, 0xff]) }, /^ca-file: .*ca is not a PEM file$/],
  ["a folder", { "ca-file": "." }, {}, /^ca-file: .* cannot be read$/],
  ["certificate alone", { "cert-file": "cert" }, { cert: pem }, /^cert-file is set and key-file is not/],
  ["key alone", { "key-file": "key" }, { key }, /^key-file is set and cert-file is not/],
])("%s", async (_, settings, contents, message) => {
  const failure = await failureOf(tlsOf(settings as Record<string, string>, contents as Record<string, string>));
  expect([failure.exit, failure.message]).toEqual(["usage", expect.stringMatching(message)]);
});
