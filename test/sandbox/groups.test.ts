import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoTokens } from "../../src/sandbox/areas/places/tokens.ts";
import { openSession, type Session } from "./session.ts";

let session: Session;
let folder: string;
let now = new Date("2026-03-01T12:00:00.000Z");
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "forgectl-test-"));
  session = await openSession({ now: () => now });
});
afterAll(async () => {
  await session.sandbox.close();
  rmSync(folder, { recursive: true });
});

/** Moves the sandbox's clock. */
function pass(ms: number): void {
  now = new Date(now.getTime() + ms);
}

async function fetchArchive(group: string) {
  const response = await fetch(`${session.sandbox.url}/api/v4/groups/${group}/export/download`, {
    headers: { "private-token": demoTokens.administrator },
  });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** The archive's content according to tar. */
function tar(bytes: Buffer, ...words: string[]): string {
  return execFileSync("tar", ["-xzO", "-f", "-", ...words], { input: bytes, encoding: "utf8" });
}

describe("exports", () => {
  test("take a moment, and return a tar of the group at the time of the request", async () => {
    expect((await session.ask("GET /groups/initech/export/download")).status).toBe(404);
    const asked = await session.ask("POST /groups/initech/export");
    expect([asked.status, asked.json]).toEqual([202, { message: "202 Accepted" }]);
    pass(999);
    expect((await session.ask("GET /groups/initech/export/download")).status).toBe(404);
    pass(1);
    const { status, headers, bytes } = await fetchArchive("initech");
    expect(status).toBe(200);
    expect(headers.get("content-disposition")).toContain('filename="2026-03-01_12-00-00_initech_export.tar.gz"');
    expect(headers.get("last-modified")).toBe("Sun, 01 Mar 2026 12:00:01 GMT");
    expect(JSON.parse(tar(bytes, "tree/groups/7.json"))).toMatchObject({ name: "Initech", parent_id: null });
    expect(tar(bytes, "tree/groups/7/milestones.ndjson")).toContain('"title":"1.1"');
    expect(tar(bytes, "tree/groups/7/members.ndjson")).toContain('"access_level":');
  });

  test("contain the subgroups; the old archive is served until the new one is ready", async () => {
    const old = await fetchArchive("acme");
    expect(old.status).toBe(200);
    expect(tar(old.bytes, "tree/groups/1/milestones.ndjson")).not.toContain('"title":"1.9"');
    await session.ask("POST /groups/acme/export", { as: "owner" });
    expect((await fetchArchive("acme")).headers.get("etag")).toBe(old.headers.get("etag"));
    pass(1000);
    const fresh = await fetchArchive("acme");
    expect(fresh.headers.get("etag")).not.toBe(old.headers.get("etag"));
    expect(tar(fresh.bytes, "tree/groups/1/milestones.ndjson")).toContain('"title":"1.9"');
    expect(tar(fresh.bytes, "tree/groups/_all.ndjson")).toBe("1\n2\n3\n4\n");
    expect(JSON.parse(tar(fresh.bytes, "tree/groups/3.json"))).toMatchObject({ path: "infrastructure", parent_id: 2 });
  });

  test("two without changes in between are two archives", async () => {
    const etags = new Set<string | null>();
    for (let time = 0; time < 2; time += 1) {
      await session.ask("POST /groups/8/export");
      pass(1000);
      etags.add((await fetchArchive("8")).headers.get("etag"));
    }
    expect(etags.size).toBe(2);
  });

  test("require an Owner, and support ranges", async () => {
    expect((await session.ask("POST /groups/acme/export", { as: "maintainer" })).status).toBe(403);
    expect((await session.ask("GET /groups/acme/export/download", { as: "maintainer" })).status).toBe(403);
    const part = await session.ask("GET /groups/acme/export/download", { headers: { range: "bytes=0-1" } });
    expect([part.status, part.headers.get("content-length")]).toEqual([206, "2"]);
  });
});

interface Form {
  name?: string;
  path?: string;
  parent_id?: string;
  file?: Buffer;
}

async function importGroup(form: Form, as: keyof typeof demoTokens = "administrator") {
  const body = new FormData();
  for (const [name, value] of Object.entries(form)) {
    if (typeof value === "string") body.set(name, value);
    else body.set(name, new Blob([new Uint8Array(value)]), "archive.tar.gz");
  }
  const answer = await session.ask("POST /groups/import", { body, as });
  return [answer.status, answer.json?.message];
}

describe("imports", () => {
  let archive: Buffer;
  beforeAll(async () => {
    archive = (await fetchArchive("acme")).bytes;
  });
  const visible = async (group: string, as: "owner" | "outsider" | "administrator") =>
    (await session.ask(`GET /groups/${encodeURIComponent(group)}/registry/repositories`, { as })).status;

  test("create a private group with all content, owned by the importer", async () => {
    expect(await importGroup({ name: "Copy", path: "acme-copy", file: archive }, "owner")).toEqual([
      202,
      "202 Accepted",
    ]);
    expect(await visible("acme-copy/platform/infrastructure", "owner")).toBe(200);
    expect(await visible("acme-copy", "outsider")).toBe(404);
    await session.ask("POST /groups/acme-copy/export", { as: "owner" });
    pass(1000);
    const copy = (await fetchArchive("acme-copy")).bytes;
    const [root = "", platform = ""] = tar(copy, "tree/groups/_all.ndjson").split("\n");
    expect(JSON.parse(tar(copy, `tree/groups/${root}.json`))).toMatchObject({ name: "Copy", visibility: "private" });
    expect(JSON.parse(tar(copy, `tree/groups/${platform}.json`))).toMatchObject({ visibility: "private" });
    for (const relation of ["milestones", "labels", "boards", "badges", "wikis"]) {
      expect(tar(copy, `tree/groups/${root}/${relation}.ndjson`)).toBe(
        tar(archive, `tree/groups/1/${relation}.ndjson`),
      );
    }
    expect(tar(copy, `tree/groups/${root}/members.ndjson`).split("\n").sort()).toEqual(
      tar(archive, "tree/groups/1/members.ndjson").split("\n").sort(),
    );
  });

  test("can have a parent, and get its visibility", async () => {
    const form = { name: "In", path: "inside", file: archive, parent_id: "8" };
    expect(await importGroup(form, "owner")).toEqual([403, "403 Forbidden"]);
    expect(await importGroup({ ...form, parent_id: "5" }, "owner")).toEqual([404, "404 Group Not Found"]);
    expect(await importGroup(form)).toEqual([202, "202 Accepted"]);
    expect(await visible("open-tools/inside/mobile", "administrator")).toBe(200);
    await session.ask("POST /groups/open-tools%2Finside/export");
    pass(1000);
    const inside = (await fetchArchive("open-tools%2Finside")).bytes;
    const [root = ""] = tar(inside, "tree/groups/_all.ndjson").split("\n");
    expect(JSON.parse(tar(inside, `tree/groups/${root}.json`)).visibility).toBe("public");
  });

  test("need a name and a free path", async () => {
    const given = { name: "X", path: "x", file: archive };
    expect(await importGroup({ ...given, path: "acme" })).toEqual([400, { path: ["has already been taken"] }]);
    expect(await importGroup({ ...given, path: "Dana.Dixon" })).toEqual([400, { path: ["has already been taken"] }]);
    expect(await importGroup({ path: "x", file: archive })).toEqual([400, '400 (Bad request) "name" not given']);
    expect(await importGroup({ name: "X", path: "x" })).toEqual([400, '400 (Bad request) "file" not given']);
    for (const path of ["a b", "-a", ".a", "a.", "a.git", "a.atom", "a/b", "a?", ""]) {
      const [status, message] = await importGroup({ ...given, path });
      expect([path, status, Object.keys(message)]).toEqual([path, 400, ["path"]]);
    }
    expect(await importGroup({ ...given, name: " " })).toEqual([400, { name: ["can't be blank"] }]);
  });

  test("need a complete archive of a group", async () => {
    const refused = [400, "400 Bad request - the file is not the archive of a group export"];
    const give = (file: Buffer) => importGroup({ name: "X", path: "x", file });
    expect(await give(Buffer.from("hello"))).toEqual(refused);
    expect(await give(gzipSync("hello"))).toEqual(refused);
    expect(await give(archive.subarray(0, archive.length / 2))).toEqual(refused);
    expect(await give(packed({ "notes.txt": "hello" }))).toEqual(refused);
    expect(await give(packed({ "tree/groups/_all.ndjson": "4\n" }))).toEqual(refused);
    expect(await give(packed({ "tree/groups/_all.ndjson": "4\n", "tree/groups/4.json": "{" }))).toEqual(refused);
    const climbing = { "tree/groups/_all.ndjson": "4\n", "tree/groups/4.json": '{"name":"a","path":"../a"}' };
    expect(await give(packed(climbing))).toEqual(refused);
    expect(await visible("x", "administrator")).toBe(404);
  });

  test("accept an archive packed by another program", async () => {
    const file = packed({
      "./tree/groups/_all.ndjson": "70\n71\n",
      "./tree/groups/70.json": '{"name":"a","path":"a","unknown":1}',
      "./tree/groups/71.json": '{"name":"b","path":"b","parent_id":70}',
      "./tree/groups/71/members.ndjson": [
        '{"access_level":30,"user":{"username":"dana.dixon"}}',
        '{"access_level":30,"user":{"username":"nobody.here"}}',
      ].join("\n"),
    });
    expect(await importGroup({ name: "P", path: "packed", file })).toEqual([202, "202 Accepted"]);
    expect(await visible("packed/b", "administrator")).toBe(200);
  });

  test("respect the instance's setting, and are refused for external users", async () => {
    const file = gzipSync(Buffer.alloc(0), { level: 0 });
    const large = Buffer.concat([file, Buffer.alloc(1024 * 1024)]);
    await session.ask("PUT /application/settings", { json: { max_import_size: 1 } });
    expect((await importGroup({ name: "X", path: "x", file: large }))[0]).toBe(413);
    await session.ask("PUT /application/settings", { json: { max_import_size: 0 } });
    expect((await importGroup({ name: "X", path: "x", file: large }))[0]).toBe(400);
    expect((await importGroup({ name: "X", path: "x", file }, "guest"))[0]).toBe(403);
  });
});

/** A gzip tar of these files, made by another program. */
function packed(files: Readonly<Record<string, string>>): Buffer {
  const home = mkdtempSync(join(folder, "packed-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  return execFileSync("tar", ["-cz", "-C", home, "-f", "-", ...Object.keys(files)]);
}
