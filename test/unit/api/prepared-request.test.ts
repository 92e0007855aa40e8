import { describe, expect, test } from "vitest";
import { encodeBody, inMemory } from "../../../src/api/body.ts";
import { type Instance, preparer, describe as shown } from "../../../src/api/prepared-request.ts";
import { Redactor } from "../../../src/api/redact.ts";
import type { BuiltBody, BuiltRequest } from "../../../src/api/request.ts";
import { UsageError } from "../../../src/base/errors.ts";

const redactor = new Redactor();
const instance = (credential: Awaited<ReturnType<Instance["credential"]>>): Instance => ({
  baseUrl: () => "https://forge.example/base",
  registryUrl: () => "https://registry.example",
  credential: async () => credential,
  headerPrefix: "X-Acme",
  redactor,
});
const access = { token: "t0ken-of-ana", kind: "access", source: "FORGECTL_TOKEN" } as const;
const job = { token: "t0ken-of-job", kind: "job" } as const;
const read: BuiltRequest = { method: "GET", base: "api", path: "/user?a=1", headers: {}, body: undefined };

async function textOf(body: { stream(): AsyncIterable<Uint8Array> }): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body.stream()) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe("a prepared request", () => {
  test("goes below the API's root, with the token, whose source is known", async () => {
    const { wire, credential, tokenSource, special } = await preparer(instance(access))(read, {});
    expect(wire).toEqual({
      method: "GET",
      url: "https://forge.example/base/api/v4/user?a=1",
      headers: { accept: "application/json", "private-token": "t0ken-of-ana" },
      secretHeaders: ["private-token", "job-token", "authorization"],
      root: "/base",
      once: false,
      whole: false,
    });
    expect([credential, tokenSource, special]).toEqual(["access", "FORGECTL_TOKEN", {}]);
    expect(redactor.text("with t0ken-of-ana")).toBe("with [redacted]");
  });

  test("has a job's token in a header of its own, and without a token none", async () => {
    const ofJob = await preparer(instance(job))(read, {});
    expect(ofJob.wire.headers).toEqual({ accept: "application/json", "job-token": "t0ken-of-job" });
    expect([ofJob.credential, ofJob.tokenSource]).toEqual(["job", undefined]);
    const without = await preparer(instance(undefined))(read, {});
    expect(without.wire.headers).toEqual({ accept: "application/json" });
    expect(without.credential).toBe("none");
  });

  test.each<[BuiltRequest["base"], string, object]>([
    ["instance", "https://forge.example/base/user?a=1", { root: "/base" }],
    ["registry", "https://registry.example/user?a=1", { root: "", addressName: "the registry URL" }],
  ])("of the %s has no token of the API", async (base, url, more) => {
    const { wire, credential } = await preparer(instance(access))({ ...read, base }, {});
    expect(wire).toMatchObject({ url, headers: { accept: "application/json" }, ...more });
    expect(Object.keys(wire.headers)).toEqual(["accept"]);
    expect("addressName" in wire).toBe("addressName" in more);
    expect(credential).toBe("none");
  });

  test("with a credential of the caller's has no other", async () => {
    const given = await preparer(instance(access))(read, { authorization: "Bearer abcd1234" });
    expect(given.wire.headers).toEqual({ accept: "application/json", authorization: "Bearer abcd1234" });
    expect([given.credential, given.tokenSource]).toEqual(["given", undefined]);
    const signed = await preparer(instance(access))(read, { signedIn: "job" });
    expect(signed.wire.headers).toEqual({ accept: "application/json" });
    expect(signed.credential).toBe("job");
  });

  test("names headers as the instance does, the caller's before the request's", async () => {
    const request = { ...read, headers: { "X-Service-A": "1", Accept: "a/b", "x-serviced": "2" } };
    const { wire, special } = await preparer(instance(undefined))(request, { headers: { "x-service-a": "3" } });
    expect(special).toEqual({ "x-acme-a": "3", accept: "a/b", "x-serviced": "2" });
    expect(wire.headers).toEqual(special);
  });

  test("carries its body, and how it is to be sent and read", async () => {
    const body: BuiltBody = { kind: "json", value: { a: "ä" } };
    const { wire } = await preparer(instance(undefined))({ ...read, body, once: true, whole: "json" }, {});
    expect(wire).toMatchObject({ once: true, whole: "json", headers: { "content-type": "application/json" } });
    expect(wire.body?.size).toBe(10);
    expect(wire.body && (await textOf(wire.body))).toBe('{"a":"ä"}');
  });
});

describe("a dry run shows", () => {
  const wire = { method: "POST", url: "https://x/y?private_token=abcd", headers: {}, secretHeaders: [] };
  const source = { name: "a.txt", size: 3, stream: inMemory("abc").stream };
  test.each<[string, BuiltBody | undefined, unknown]>([
    ["no body", undefined, null],
    ["values, secrets hidden", { kind: "json", value: { a: 1, token: "abcd" } }, { a: 1, token: "[redacted]" }],
    [
      "a form, secrets hidden",
      {
        kind: "form",
        pairs: [
          ["a", "1"],
          ["token", "abcd"],
        ],
      },
      "a=1&token=[redacted]",
    ],
    ["a raw body's type and size", { kind: "raw", contentType: "a/b", body: inMemory("abc") }, "a/b, 3 bytes"],
    ["parts", { kind: "multipart", pairs: [["a", "1"]], file: undefined }, { a: "1" }],
    ["a file's name", { kind: "multipart", pairs: [], file: { name: "file", source } }, { file: "a.txt (3 bytes)" }],
  ])("%s", (_, body, value) => {
    const planned = shown({ wire, special: { accept: "a/b" } }, body, redactor);
    expect(planned).toEqual({ method: "POST", url: "https://x/y?private_token=[redacted]", body: value });
  });

  test("the headers that are specific to the request, secrets hidden", () => {
    const special = { accept: "a/b", "x-acme-note": "n", "x-acme-captcha-response": "abcd" };
    expect(shown({ wire, special }, undefined, redactor).headers).toEqual({
      "x-acme-note": "n",
      "x-acme-captcha-response": "[redacted]",
    });
    expect(shown({ wire, special: { "x-acme-note": "n" } }, undefined, redactor).headers).toEqual({
      "x-acme-note": "n",
    });
  });
});

describe("a body is sent as", () => {
  test("a form", async () => {
    const { contentType, body } = encodeBody({
      kind: "form",
      pairs: [
        ["a b", "c&d"],
        ["e", ""],
      ],
    });
    expect(contentType).toBe("application/x-www-form-urlencoded");
    expect(await textOf(body)).toBe("a%20b=c%26d&e=");
  });

  test("it is given, if raw", () => {
    const body = inMemory(new Uint8Array([1, 2]));
    expect(encodeBody({ kind: "raw", contentType: "a/b", body })).toEqual({ contentType: "a/b", body });
    expect(body.size).toBe(2);
  });

  test("parts between boundaries, the file last, with the announced length", async () => {
    const source = { name: 'a"\r\n.txt', size: 3, stream: inMemory("abc").stream };
    const { contentType, body } = encodeBody({
      kind: "multipart",
      pairs: [['k"', "ä"]],
      file: { name: "file", source },
    });
    const [, mark = ""] = /^multipart\/form-data; boundary=(----forgectl[\da-f]{32})$/.exec(contentType) ?? [];
    const text = await textOf(body);
    expect(text.split("\r\n")).toEqual([
      `--${mark}`,
      'Content-Disposition: form-data; name="k%22"',
      "",
      "ä",
      `--${mark}`,
      'Content-Disposition: form-data; name="file"; filename="a%22%0D%0A.txt"',
      "Content-Type: application/octet-stream",
      "",
      "abc",
      `--${mark}--`,
      "",
    ]);
    expect(body.size).toBe(Buffer.byteLength(text));
    expect(await textOf(body)).toBe(text);
  });

  test("parts without a file", async () => {
    const { body } = encodeBody({ kind: "multipart", pairs: [["a", "1"]], file: undefined });
    const text = await textOf(body);
    expect(text).toMatch(/^--(\S+)\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--\1--\r\n$/);
    expect(body.size).toBe(text.length);
  });

  test.each<[BuiltBody]>([
    [{ kind: "json", value: { a: ["\ud800"] } }],
    [{ kind: "multipart", pairs: [["a", "\ud800"]], file: undefined }],
    [
      {
        kind: "multipart",
        pairs: [],
        file: { name: "f", source: { name: "\ud800", size: 0, stream: inMemory("").stream } },
      },
    ],
  ])("nothing with half a character: %j", (body) => expect(() => encodeBody(body)).toThrow(UsageError));
});
