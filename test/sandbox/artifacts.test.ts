import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPromise } from "yauzl";
import { jobs } from "../../src/sandbox/areas/artifacts/model.ts";
import type { SandboxOptions } from "../../src/sandbox/server/options.ts";
import { openSession, type Session } from "./session.ts";

let session: Session;
beforeAll(async () => {
  session = await openSession();
});
afterAll(() => session.sandbox.close());

const status = async (request: string, asking = {}) => (await session.ask(request, asking)).status;
const job = { as: null, headers: { "job-token": "sandbox-job-token" } } as const;

async function withInstance(options: SandboxOptions, act: (other: Session) => Promise<void>): Promise<void> {
  const other = await openSession(options);
  try {
    await act(other);
  } finally {
    await other.sandbox.close();
  }
}

describe("archives", () => {
  test("are zip files with all files of the job", async () => {
    const answer = await fetch(`${session.sandbox.url}/api/v4/projects/7/jobs/1000/artifacts`);
    expect(answer.headers.get("content-disposition")).toContain('filename="artifacts.zip"');
    const folder = await mkdtemp(join(tmpdir(), "forgectl-test-"));
    try {
      writeFileSync(join(folder, "a.zip"), Buffer.from(await answer.arrayBuffer()));
      const names: string[] = [];
      for await (const entry of (await openPromise(join(folder, "a.zip"))).eachEntry()) {
        names.push(`${entry.fileName} ${((entry.externalFileAttributes >>> 16) & 0o777).toString(8)}`);
      }
      expect(names).toEqual([
        "dist/index.html 644",
        "dist/app.js 644",
        "dist/assets/prices in €.json 644",
        "bin/serve 755",
        "VERSION 644",
      ]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("by ref: the most recently created successful pipeline, whatever its jobs' times", async () => {
    const version = async (ref: string, name = "build") =>
      (await session.ask(`GET /projects/7/jobs/artifacts/${encodeURIComponent(ref)}/raw/VERSION?job=${name}`)).text;
    expect(await version("main")).toBe("1.1.1\n");
    expect(await version("feature/checkout")).toBe("1.2.0-checkout\n");
    expect(await version("v1.1.0")).toBe("1.1.0\n");
    const times = [997, 1000].map((id) => session.sandbox.store.table(jobs).get(id)?.finished_at ?? "");
    expect(times.toSorted()).toEqual([times[1], times[0]]);
  });

  test("the parent's job precedes its child's; one that only the child has is found", async () => {
    expect(await status("GET /projects/7/jobs/artifacts/main/download?job=package")).toBe(200);
    expect((await session.ask("GET /projects/7/jobs/1003/artifacts/VERSION")).text).toBe("1.1.1-child\n");
  });

  test("a missing job, no artifacts, expired ones: not found; the answer names what is missing", async () => {
    for (const path of ["77/artifacts", "1001/artifacts", "990/artifacts", "2004/artifacts", "1000/artifacts/nope"]) {
      expect([path, await status(`GET /projects/7/jobs/${path}`)]).toEqual([path, 404]);
    }
    const { sha } = session.sandbox.store.table({ name: "refs" }).all()[0] as unknown as { sha: string };
    for (const ref of ["HEAD", sha, "nope"]) {
      expect([ref, await status(`GET /projects/7/jobs/artifacts/${ref}/download?job=build`)]).toEqual([ref, 404]);
    }
    expect((await session.ask("GET /projects/7/jobs/artifacts/main/download")).json).toEqual({
      message: '400 (Bad request) "job" not given',
    });
  });

  test("can be requested in ranges", async () => {
    const { headers } = await session.ask("HEAD /projects/7/jobs/1000/artifacts");
    const range = { range: "bytes=10-19", "if-range": headers.get("etag") ?? "" };
    expect(await status("GET /projects/7/jobs/1000/artifacts", { headers: range })).toBe(206);
  });
});

describe("single files", () => {
  test("by ref they are plain text", async () => {
    const byRef = await session.ask("GET /projects/7/jobs/artifacts/main/raw/dist/index.html?job=build");
    expect([byRef.headers.get("content-type"), byRef.text]).toEqual([
      "text/plain; charset=utf-8",
      "<!doctype html>\n<title>Storefront</title>\n<p>Version 1.1.1</p>\n",
    ]);
    expect((await session.ask("GET /projects/7/jobs/1000/artifacts/dist/index.html")).text).toBe(byRef.text);
  });

  test.each(["..%2F..%2Fetc%2Fpasswd", "dist%2F..%2FVERSION", "dist//app.js"])(
    "%s is not a valid path",
    async (path) => {
      expect(await status(`GET /projects/7/jobs/1000/artifacts/${path}`)).toBe(400);
      expect(await status(`GET /projects/7/jobs/artifacts/main/raw/${path}?job=build`)).toBe(400);
    },
  );
});

describe("access", () => {
  test("visible artifacts are readable by all, those of a private project by Reporters", async () => {
    expect(await status("GET /projects/7/jobs/1000/artifacts", { as: null })).toBe(200);
    expect(await status("GET /projects/4/jobs/2004/artifacts", { as: "outsider" })).toBe(404);
    expect(await status("GET /projects/4/jobs/2004/artifacts", { as: "guest" })).toBe(403);
    expect(await status("GET /projects/4/jobs/2004/artifacts", { as: "reporter" })).toBe(200);
  });

  test("a job token, in a header or in the query, while its job runs", async () => {
    expect(await status("GET /projects/7/jobs/1000/artifacts", job)).toBe(200);
    const query = "?job_token=sandbox-job-token";
    expect(await status(`GET /projects/7/jobs/1000/artifacts${query}`, { as: null })).toBe(200);
    expect(await status("DELETE /projects/7/jobs/1000/artifacts", job)).toBe(401);
    const table = session.sandbox.store.table(jobs);
    table.update(1001, { status: "success" });
    expect(await status("GET /projects/7/jobs/1000/artifacts", job)).toBe(401);
    table.update(1001, { status: "running" });
  });

  test("job tokens require Premium or Ultimate", async () => {
    await withInstance({ tier: "free" }, async (free) => {
      expect((await free.ask("GET /projects/7/jobs/1000/artifacts", job)).status).toBe(403);
      expect((await free.ask("GET /projects/7/jobs/1000/artifacts")).status).toBe(200);
    });
  });

  test("deletes require Maintainer, keeping requires Developer", async () => {
    expect(await status("DELETE /projects/7/jobs/1000/artifacts", { as: "developer" })).toBe(403);
    expect(await status("DELETE /projects/7/artifacts", { as: "developer" })).toBe(403);
    expect(await status("POST /projects/7/jobs/1000/artifacts/keep", { as: "reporter" })).toBe(403);
  });
});

test("kept artifacts do not expire", async () => {
  let now = Date.parse("2026-03-10T12:00:00Z");
  await withInstance({ now: () => new Date(now) }, async (other) => {
    const read = async (id: number) => (await other.ask(`GET /projects/7/jobs/${id}/artifacts/VERSION`)).status;
    const kept = await other.ask("POST /projects/7/jobs/992/artifacts/keep", { as: "developer" });
    expect(kept.json).toMatchObject({ id: 992, name: "build", status: "success", ref: "main", tag: false });
    expect(kept.json.commit.title).toBe("README: where help is");
    now += 40 * 86_400_000;
    expect([await read(992), await read(993)]).toEqual([200, 404]);
    expect((await other.ask("POST /projects/7/jobs/993/artifacts/keep")).status).toBe(404);
  });
});

test("a delete removes them at once, and supports If-Unmodified-Since", async () => {
  const path = "/projects/7/jobs/1005/artifacts";
  const since = { "if-unmodified-since": "Mon, 01 Jan 2001 00:00:00 GMT" };
  expect(await status(`DELETE ${path}`, { as: "maintainer", headers: since })).toBe(412);
  expect(await status(`DELETE ${path}`, { as: "maintainer" })).toBe(204);
  expect(await status(`GET ${path}`)).toBe(404);
  expect(await status(`DELETE ${path}`, { as: "maintainer" })).toBe(404);
});

test("a purge is scheduled: after a moment only kept artifacts and those of a latest success remain", async () => {
  let now = Date.parse("2026-03-10T12:00:00Z");
  await withInstance({ now: () => new Date(now) }, async (other) => {
    const there = async (...ids: number[]) =>
      Promise.all(ids.map(async (id) => (await other.ask(`HEAD /projects/7/jobs/${id}/artifacts`)).status === 200));
    await other.ask("POST /projects/7/jobs/995/artifacts/keep");
    expect((await other.ask("DELETE /projects/7/artifacts", { as: "maintainer" })).status).toBe(202);
    expect(await there(994, 1000)).toEqual([true, true]);
    now += 2000;
    expect(await there(992, 994, 997)).toEqual([false, false, false]);
    expect(await there(995, 1000, 1002, 1003, 1004, 1005, 1006)).toEqual(Array.from({ length: 7 }, () => true));
  });
});

test("on the hosted offering archives come from another origin, by a signed address", async () => {
  await withInstance({ hosting: "hosted" }, async (hosted) => {
    const { status, headers } = await hosted.ask("GET /projects/7/jobs/1000/artifacts");
    const there = new URL(headers.get("location") ?? "");
    expect([status, there.hostname, there.port]).toEqual([302, "localhost", new URL(hosted.sandbox.url).port]);
    expect((await fetch(there)).status).toBe(200);
    expect((await fetch(there, { headers: { "private-token": "x" } })).status).toBe(403);
    there.searchParams.set("filename", "other.zip");
    expect((await fetch(there)).status).toBe(403);
  });
});
