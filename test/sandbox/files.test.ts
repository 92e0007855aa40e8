import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { UploadedFile } from "../../src/sandbox/server/body.ts";
import { download } from "../../src/sandbox/server/download.ts";
import { file, required, string } from "../../src/sandbox/server/params.ts";
import { created, ok } from "../../src/sandbox/server/reply.ts";
import type { Area } from "../../src/sandbox/server/router.ts";
import { openWith, type Session } from "./session.ts";

const content = randomBytes(3_000_000);
const sha256 = createHash("sha256").update(content).digest("hex");
const received: UploadedFile[] = [];
let kept = "";

const area: Area = {
  name: "files",
  routes(router) {
    const params = { file: required(file()), title: string() };
    router.on("POST /files", { params, upload: true }, async ({ world, params }) => {
      received.push(params.file);
      const { filename, contentType, size } = params.file;
      if (params.title === "keep") kept = (await world.store.blobs.adopt(params.file)).id;
      return created({ filename, contentType, size, sha256: params.file.sha256, title: params.title });
    });
    router.on("POST /no-files", { params: { title: string() } }, ({ params }) => ok(params));
    router.on("GET /files/:id", { params: { id: required(string()) } }, ({ world, header, params }) => {
      const blob = world.store.blobs.get(params.id);
      if (blob === undefined) throw new Error("no such blob");
      return download(header, {
        size: blob.size,
        open: (range) => world.store.blobs.open(blob.id, range),
        contentType: "application/octet-stream",
        etag: blob.sha256,
        lastModified: new Date("2024-05-02T10:00:00Z"),
        filename: 'Größe "1".bin',
      });
    });
  },
};

let session: Session;
beforeAll(async () => {
  session = await openWith(area);
});
afterAll(() => session.sandbox.close());
beforeEach(() => {
  received.length = 0;
});

function formWith(bytes: Uint8Array<ArrayBuffer>, name: string, title: string): FormData {
  const form = new FormData();
  form.append("title", title);
  form.append("file", new Blob([bytes], { type: "image/png" }), name);
  return form;
}

describe("an upload", () => {
  test("arrives complete, with its name and type, next to the other fields", async () => {
    const answer = await session.ask("POST /files", { body: formWith(content, "Bild ü.png", "hello") });
    expect([answer.status, answer.json]).toEqual([
      201,
      { filename: "Bild ü.png", contentType: "image/png", size: 3_000_000, sha256, title: "hello" },
    ]);
  });
  test("never has a name with folders", async () => {
    const answer = await session.ask("POST /files", { body: formWith(content, "../../etc/passwd", "") });
    expect(answer.json.filename).toBe("passwd");
  });
  test("is deleted after the request unless it was stored", async () => {
    await session.ask("POST /files", { body: formWith(content, "a", "drop") });
    expect(existsSync(received[0]?.path ?? "")).toBe(false);
    await session.ask("POST /files", { body: formWith(content, "a", "keep") });
    expect((await session.sandbox.store.blobs.read(kept)).equals(content)).toBe(true);
  });
  test("may be empty", async () => {
    const answer = await session.ask("POST /files", { body: formWith(new Uint8Array(), "empty", "") });
    expect([answer.status, answer.json.size]).toEqual([201, 0]);
  });
  test("must be present, and must be a file", async () => {
    const none = await session.ask("POST /files", { form: "title=x" });
    expect([none.status, none.json.message]).toEqual([400, '400 (Bad request) "file" not given']);
    const text = await session.ask("POST /files", { json: { file: "x" } });
    expect([text.status, text.json.message]).toEqual([400, { file: ["is invalid"] }]);
  });
  test("to a route without files leaves the other fields", async () => {
    const answer = await session.ask("POST /no-files", { body: formWith(content, "a", "still here") });
    expect(answer.json).toEqual({ title: "still here" });
  });
  test("is not even received without a token", async () => {
    const answer = await session.ask("POST /files", { as: null, body: formWith(content, "a", "") });
    expect([answer.status, received]).toEqual([401, []]);
  });
  test("that is incomplete leaves nothing behind, and the sandbox continues", async () => {
    const { port } = new URL(session.sandbox.url);
    const head = [
      "POST /api/v4/files HTTP/1.1",
      "Host: sandbox",
      `PRIVATE-TOKEN: ${session.sandbox.tokens.administrator}`,
      "Content-Type: multipart/form-data; boundary=b",
      "Content-Length: 5000000",
    ];
    const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n';
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), "127.0.0.1", () => {
        socket.write(`${head.join("\r\n")}\r\n\r\n${part}`);
        socket.write(content, () => setTimeout(() => resolve(void socket.destroy()), 100));
      });
    });
    const folder = session.sandbox.store.blobs.folder();
    await expect.poll(() => readdirSync(folder).filter((name) => name.startsWith("upload-"))).toEqual([]);
    expect(received).toEqual([]);
    expect((await session.ask("POST /files", { body: formWith(content, "a", "") })).status).toBe(201);
  });
});

describe.each(["memory", "disk"])("a download from %s", (place) => {
  let path = "";
  beforeAll(async () => {
    await session.ask("POST /files", { body: formWith(content, "a", "keep") });
    path = `/files/${place === "disk" ? kept : session.sandbox.store.blobs.put(content).id}`;
  });
  const fetchBytes = async (headers: Record<string, string> = {}, method = "GET") => {
    const token = { "private-token": session.sandbox.tokens.administrator };
    const response = await fetch(`${session.sandbox.url}/api/v4${path}`, { method, headers: { ...token, ...headers } });
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };

  test("is complete, with its length, name, and validators", async () => {
    const { response, bytes } = await fetchBytes();
    expect(bytes.equals(content)).toBe(true);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "accept-ranges": "bytes",
      "content-length": "3000000",
      "content-disposition": `attachment; filename="Gr__e _1_.bin"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.bin`,
      etag: `"${sha256}"`,
      "last-modified": "Thu, 02 May 2024 10:00:00 GMT",
    });
  });
  test.each([
    ["bytes=0-99", 0, 99],
    ["bytes=2999990-", 2_999_990, 2_999_999],
    ["bytes=-10", 2_999_990, 2_999_999],
    ["bytes=2999999-9999999", 2_999_999, 2_999_999],
  ])("of %s is that part", async (range, start, end) => {
    const { response, bytes } = await fetchBytes({ range });
    expect([response.status, response.headers.get("content-range")]).toEqual([206, `bytes ${start}-${end}/3000000`]);
    expect(bytes.equals(content.subarray(start, end + 1))).toBe(true);
  });
  test("past the end is 416", async () => {
    const { response } = await fetchBytes({ range: "bytes=3000000-" });
    expect([response.status, response.headers.get("content-range")]).toEqual([416, "bytes */3000000"]);
  });
  test("resumes if the validator matches, and starts again if not", async () => {
    const range = "bytes=10-19";
    expect((await fetchBytes({ range, "if-range": `"${sha256}"` })).response.status).toBe(206);
    expect((await fetchBytes({ range, "if-range": "Thu, 02 May 2024 10:00:00 GMT" })).response.status).toBe(206);
    const changed = await fetchBytes({ range, "if-range": '"another"' });
    expect([changed.response.status, changed.bytes.length]).toEqual([200, 3_000_000]);
  });
  test("of what the client already has is 304", async () => {
    const { response, bytes } = await fetchBytes({ "if-none-match": `"${sha256}"` });
    expect([response.status, bytes.length]).toEqual([304, 0]);
  });
  test("by HEAD has only the headers", async () => {
    const { response, bytes } = await fetchBytes({}, "HEAD");
    expect([response.status, response.headers.get("content-length"), bytes.length]).toEqual([200, "3000000", 0]);
  });
});
