import { afterAll, beforeAll, expect, test } from "vitest";
import { openSession, type Session } from "./session.ts";

let session: Session;
beforeAll(async () => {
  session = await openSession();
});
afterAll(() => session.sandbox.close());

type Role = NonNullable<NonNullable<Parameters<Session["ask"]>[1]>["as"]>;

async function upload(name: string, content: string | Uint8Array = "hello\n", as: Role = "administrator") {
  const body = new FormData();
  body.set("file", new File([content], name));
  return session.ask("POST /projects/7/uploads", { as, body });
}

test("an upload is stored, listed first, and read by ID and by secret", async () => {
  const made = await upload("notes (1).txt", "hello\n", "guest");
  expect(made.status).toBe(201);
  const { id, url } = made.json;
  expect(url).toMatch(/^\/uploads\/[0-9a-f]{32}\/notes__1_\.txt$/);
  expect(made.json).toEqual({
    id,
    alt: "notes__1_.txt",
    url,
    full_path: `/-/project/7${url}`,
    markdown: `[notes__1_.txt](${url})`,
  });
  const [first] = (await session.ask("GET /projects/7/uploads")).json;
  expect(first).toEqual({
    id,
    size: 6,
    filename: "notes__1_.txt",
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    uploaded_by: { id: 7, name: "Grace Green", username: "grace.green" },
  });
  for (const path of [`/projects/7/uploads/${id}`, `/projects/7${url}`]) {
    const read = await session.ask(`GET ${path}`);
    expect([read.status, read.text, read.headers.get("content-disposition")]).toEqual([
      200,
      "hello\n",
      `attachment; filename="notes__1_.txt"; filename*=UTF-8''notes__1_.txt`,
    ]);
  }
});

test("an image has image Markdown, and a name of dots is replaced", async () => {
  const image = await upload("a/b/c.PNG");
  expect(image.json).toMatchObject({ alt: "c", markdown: `![c](${image.json.url})` });
  expect((await upload("..")).json.alt).toBe("file");
});

test("lists are sorted by time, newest first, and omit unknown uploaders", async () => {
  const { json } = await session.ask("GET /groups/acme/uploads");
  expect(json.map((row: { filename: string }) => row.filename)).toEqual([
    "on-call.csv",
    "roadmap.md",
    "letterhead.png",
  ]);
  expect(json[2].uploaded_by).toBeNull();
});

test("a range resumes, and a stale one starts again", async () => {
  const [{ id }] = (await session.ask("GET /groups/1/uploads")).json;
  const whole = await session.ask(`GET /groups/1/uploads/${id}`);
  const etag = whole.headers.get("etag") ?? "";
  const rest = await session.ask(`GET /groups/1/uploads/${id}`, { headers: { range: "bytes=5-", "if-range": etag } });
  expect([rest.status, rest.text]).toEqual([206, whole.text.slice(5)]);
  const other = await session.ask(`GET /groups/1/uploads/${id}`, {
    headers: { range: "bytes=5-", "if-range": '"other"' },
  });
  expect([other.status, other.text]).toEqual([200, whole.text]);
});

test("deletes are by ID or by secret, and respect If-Unmodified-Since", async () => {
  const { id } = (await upload("one.txt")).json;
  const since = { "if-unmodified-since": "Mon, 01 Jan 2001 00:00:00 GMT" };
  expect((await session.ask(`DELETE /projects/7/uploads/${id}`, { headers: since })).status).toBe(412);
  expect((await session.ask(`DELETE /projects/7/uploads/${id}`)).status).toBe(204);
  expect((await session.ask(`GET /projects/7/uploads/${id}`)).status).toBe(404);
  const { url } = (await upload("two.txt")).json;
  expect((await session.ask(`DELETE /projects/7${url}`)).status).toBe(204);
  expect((await session.ask(`DELETE /projects/7${url}`)).status).toBe(404);
});

test("roles: Maintainer for lists, IDs, and deletes; Guest by secret", async () => {
  const { id, url } = (await upload("roles.txt")).json;
  const status = async (request: string, as: Role) => (await session.ask(request, { as })).status;
  for (const request of [
    "GET /projects/7/uploads",
    `GET /projects/7/uploads/${id}`,
    `DELETE /projects/7/uploads/${id}`,
    `DELETE /projects/7${url}`,
    "GET /groups/1/uploads",
    "DELETE /groups/1/uploads/8",
  ]) {
    expect([request, await status(request, "developer")]).toEqual([request, 403]);
  }
  expect(await status(`GET /projects/7${url}`, "guest")).toBe(200);
  expect(await status(`GET /projects/7${url}`, "outsider")).toBe(403);
  expect(await status("GET /projects/7/uploads", "maintainer")).toBe(200);
});

test("an upload of another project is not found, and groups accept none", async () => {
  const { id, url } = (await upload("elsewhere.txt")).json;
  expect((await session.ask(`GET /projects/3/uploads/${id}`)).status).toBe(404);
  expect((await session.ask(`GET /groups/1${url}`)).status).toBe(404);
  expect((await session.ask(`GET /groups/7/uploads/${id}`)).status).toBe(404);
  const body = new FormData();
  body.set("file", new File(["x"], "x"));
  expect((await session.ask("POST /groups/1/uploads", { body })).status).toBe(405);
});

test("a missing file is reported", async () => {
  expect((await session.ask("POST /projects/7/uploads", { body: new FormData() })).json).toEqual({
    message: '400 (Bad request) "file" not given',
  });
  expect((await session.ask("POST /projects/7/uploads", { form: "file=x" })).json).toEqual({
    message: { file: ["is invalid"] },
  });
});
