import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSession, type Session } from "./session.ts";

let session: Session;
beforeAll(async () => {
  session = await openSession();
});
afterAll(() => session.sandbox.close());

const file = (path: string, project: number | string = 7) =>
  `/projects/${encodeURIComponent(project)}/repository/files/${encodeURIComponent(path)}`;
const commit = (more: object = {}) => ({ json: { branch: "main", commit_message: "Change", ...more } });
const refusal = { message: "400 Bad request - the commit could not be created" };

describe("reads", () => {
  test("a file has the same metadata in its body, its HEAD, and its raw content", async () => {
    const get = await session.ask(`GET ${file("src/cart.ts")}?ref=v1.1.0`);
    const { content, ...facts } = get.json;
    const bytes = Buffer.from(content, "base64");
    expect(facts).toMatchObject({
      file_name: "cart.ts",
      file_path: "src/cart.ts",
      size: bytes.length,
      encoding: "base64",
      content_sha256: createHash("sha256").update(bytes).digest("hex"),
      ref: "v1.1.0",
      blob_id: createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex"),
      execute_filemode: false,
    });
    for (const request of [
      `HEAD ${file("src/cart.ts")}?ref=v1.1.0`,
      `HEAD ${file("src/cart.ts")}/blame?ref=v1.1.0`,
      `HEAD ${file("src/cart.ts")}/raw?ref=v1.1.0`,
      `GET ${file("src/cart.ts")}/raw?ref=v1.1.0`,
    ]) {
      const { status, headers, text } = await session.ask(request);
      expect([request, status]).toEqual([request, 200]);
      for (const [name, value] of Object.entries(facts)) {
        expect([name, headers.get(`x-service-${name.replaceAll("_", "-")}`)]).toEqual([name, String(value)]);
      }
      expect(text).toBe(request.startsWith("HEAD") ? "" : bytes.toString());
    }
  });

  test("a ref is a branch, a tag, or a commit, and optional for raw", async () => {
    const { commit_id } = (await session.ask(`GET ${file("README.md")}?ref=main`)).json;
    for (const ref of ["v1.0.0", "feature%2Fcheckout", "HEAD", commit_id, commit_id.slice(0, 8)]) {
      expect([ref, (await session.ask(`HEAD ${file("README.md")}?ref=${ref}`)).status]).toEqual([ref, 200]);
    }
    expect((await session.ask(`GET ${file("README.md")}/raw`)).status).toBe(200);
    expect((await session.ask(`GET ${file("README.md")}`)).json.message).toBe('400 (Bad request) "ref" not given');
    expect((await session.ask(`GET ${file("README.md")}?ref=nope`)).json.message).toBe("404 Commit Not Found");
    expect((await session.ask(`GET ${file("nope")}?ref=main`)).json.message).toBe("404 File Not Found");
  });

  test("a file removed by a later commit exists before it and not after", async () => {
    expect((await session.ask(`GET ${file("ROADMAP.md")}?ref=v1.0.0`)).status).toBe(200);
    expect((await session.ask(`GET ${file("ROADMAP.md")}?ref=main`)).status).toBe(404);
  });

  test("the last commit of a file is the one that changed it", async () => {
    const { json } = await session.ask(`GET ${file("scripts/deploy.sh")}?ref=main`);
    expect([json.last_commit_id === json.commit_id, json.execute_filemode]).toEqual([false, true]);
    const [first] = (await session.ask(`GET ${file("scripts/deploy.sh")}/blame?ref=main`)).json;
    expect(first.commit.message).toBe("Deploy with a script");
  });

  test("raw content supports ranges, as long as it is unchanged", async () => {
    const whole = await session.ask(`GET ${file("README.md")}/raw`);
    const etag = whole.headers.get("etag") ?? "";
    const part = await session.ask(`GET ${file("README.md")}/raw`, {
      headers: { range: "bytes=2-", "if-range": etag },
    });
    expect([part.status, part.text]).toEqual([206, whole.text.slice(2)]);
    const other = await session.ask(`GET ${file("README.md")}/raw`, {
      headers: { range: "bytes=2-", "if-range": '"x"' },
    });
    expect([other.status, other.text]).toEqual([200, whole.text]);
  });

  test("large file storage: the pointer, or its content", async () => {
    const pointer = (await session.ask(`GET ${file("assets/hero.psd")}/raw`)).text;
    const [, oid, size] = /^version .*\noid sha256:([0-9a-f]{64})\nsize (\d+)\n$/.exec(pointer) ?? [];
    const content = await fetch(`${session.sandbox.url}/api/v4${file("assets/hero.psd")}/raw?lfs=true`);
    const bytes = Buffer.from(await content.arrayBuffer());
    expect([bytes.length, createHash("sha256").update(bytes).digest("hex")]).toEqual([Number(size), oid]);
    expect((await session.ask(`GET ${file("README.md")}/raw?lfs=true`)).text).toMatch(/^# Storefront/);
  });

  test("read access", async () => {
    const status = async (
      project: number,
      as: "outsider" | "guest" | "reporter" | "readRepository" | "readUser" | null,
    ) => (await session.ask(`HEAD ${file("README.md", project)}?ref=main`, { as })).status;
    expect([await status(7, null), await status(3, null), await status(3, "outsider")]).toEqual([200, 404, 200]);
    expect([await status(4, "outsider"), await status(4, "guest"), await status(4, "reporter")]).toEqual([
      404, 403, 200,
    ]);
    expect([await status(4, "readRepository"), await status(4, "readUser")]).toEqual([200, 403]);
    // Public files need no token: a job token, which would not be accepted, is ignored.
    const asJob = { as: null, headers: { "job-token": "sandbox-job-token" } } as const;
    const read = async (project: number) =>
      (await session.ask(`GET ${file("README.md", project)}?ref=main`, asJob)).status;
    expect([await read(7), await read(4)]).toEqual([200, 404]);
  });

  test("the former path of a moved project answers 301", async () => {
    const { status, headers } = await session.ask(`GET ${file("README.md", "acme/shop")}?ref=main`);
    expect([status, headers.get("location")]).toEqual([
      301,
      `${session.sandbox.url}/api/v4${file("README.md")}?ref=main`,
    ]);
  });
});

describe("blame", () => {
  const lines = async (query: string) => session.ask(`GET ${file("CHANGELOG.md")}/blame?ref=main${query}`);

  test("each line has the commit that added it", async () => {
    const { json } = await lines("");
    const found = json.map((range: { commit: { message: string }; lines: string[] }) => [
      range.commit.message,
      range.lines,
    ]);
    expect(found).toEqual([
      ["Release 1.0.0", ["# Changes", ""]],
      ["Release 1.1.0", ["## 1.1.0", "", "- A discount from 100.00 on", ""]],
      ["Release 1.0.0", ["## 1.0.0", "", "- First release"]],
    ]);
    expect(Object.keys(json[0].commit)).toEqual([
      "id",
      "message",
      "parent_ids",
      "author_name",
      "author_email",
      "authored_date",
      "committer_name",
      "committer_email",
      "committed_date",
    ]);
  });

  test("of a range of lines", async () => {
    const { json } = await lines("&range[start]=2&range[end]=3");
    expect(json.map((range: { lines: string[] }) => range.lines)).toEqual([[""], ["## 1.1.0"]]);
    expect(
      (await lines("&range[start]=8&range[end]=99")).json.flatMap((one: { lines: string[] }) => one.lines),
    ).toEqual(["", "- First release"]);
    expect((await lines("&range[start]=3&range[end]=2")).status).toBe(400);
    expect((await lines("&range[start]=99&range[end]=100")).status).toBe(400);
    expect((await lines("&range[start]=1")).json.message).toBe('400 (Bad request) "range[end]" not given');
  });
});

describe("commits", () => {
  test("create, update, delete, and what is left of it", async () => {
    const path = file("docs/new.md");
    const made = await session.ask(`POST ${path}`, { as: "developer", ...commit({ content: "one\ntwo\n" }) });
    expect([made.status, made.json]).toEqual([201, { file_path: "docs/new.md", branch: "main" }]);
    const content = Buffer.from("one\n2\n").toString("base64");
    const more = {
      content,
      encoding: "base64",
      execute_filemode: true,
      author_name: "Ada",
      author_email: "ada@a.example",
    };
    const changed = await session.ask(`PUT ${path}`, { as: "developer", ...commit(more) });
    expect([changed.status, changed.json]).toEqual([200, { file_path: "docs/new.md", branch: "main" }]);
    const blamed = (await session.ask(`GET ${path}/blame?ref=main`)).json;
    expect(
      blamed.map((one: { commit: { author_name: string }; lines: string[] }) => [one.commit.author_name, one.lines]),
    ).toEqual([
      ["Dana Dixon", ["one"]],
      ["Ada", ["2"]],
    ]);
    expect((await session.ask(`DELETE ${path}`, commit())).status).toBe(204);
    expect((await session.ask(`GET ${path}?ref=main`)).status).toBe(404);
    const [event] = (await session.ask("GET /projects/7/events?action=pushed&per_page=1")).json;
    expect(event.push_data).toMatchObject({ ref: "main", action: "pushed", commit_title: "Change", commit_count: 1 });
  });

  test("all failed commits have the same answer", async () => {
    const readme = (await session.ask(`GET ${file("README.md")}?ref=main`)).json;
    const same = { content: readme.content, encoding: "base64" };
    const failing: [string, object][] = [
      [`POST ${file("README.md")}`, { content: "x" }],
      [`POST ${file("a/../b")}`, { content: "x" }],
      [`PUT ${file("none")}`, { content: "x" }],
      [`PUT ${file("README.md")}`, same],
      [`PUT ${file("README.md")}`, { content: "x", last_commit_id: "0".repeat(40) }],
      [`DELETE ${file("README.md")}`, { last_commit_id: "0".repeat(40) }],
      [`DELETE ${file("none")}`, {}],
      [`POST ${file("x")}`, { content: "x", branch: "nope" }],
      [`POST ${file("x")}`, { content: "x", branch: "new", start_branch: "nope" }],
      [`POST ${file("x")}`, { content: "x", branch: "main", start_branch: "feature/checkout" }],
    ];
    for (const [request, more] of failing) {
      const { status, json } = await session.ask(request, commit(more));
      expect([request, status, json]).toEqual([request, 400, refusal]);
    }
    const mode = await session.ask(`PUT ${file("README.md")}`, commit({ ...same, execute_filemode: true }));
    expect(mode.status).toBe(200);
  });

  test("the answer names what is missing", async () => {
    const { json } = await session.ask(`POST ${file("x")}`, { json: { branch: "main", content: "x" } });
    expect(json).toEqual({ message: '400 (Bad request) "commit_message" not given' });
    expect((await session.ask(`POST ${file("x")}`, commit({ content: "%", encoding: "base64" }))).json).toEqual({
      message: { content: ["is not valid base64"] },
    });
  });

  test("a delete supports If-Unmodified-Since", async () => {
    const since = { "if-unmodified-since": "Mon, 01 Jan 2001 00:00:00 GMT" };
    expect((await session.ask(`DELETE ${file("CHANGELOG.md")}`, { ...commit(), headers: since })).status).toBe(412);
    expect((await session.ask(`HEAD ${file("CHANGELOG.md")}?ref=main`)).status).toBe(200);
  });

  test("write access", async () => {
    for (const [as, status] of [
      ["reporter", 403],
      ["outsider", 403],
      [null, 401],
      ["readApi", 403],
    ] as const) {
      const answer = await session.ask(`POST ${file("x")}`, { as, ...commit({ content: "x" }) });
      expect([as, answer.status]).toEqual([as, status]);
    }
  });
});
