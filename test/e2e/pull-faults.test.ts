import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { exporting, packed, type Served, sendContent, usualRelations, wholeExport } from "../support/exporting.ts";
import type { RunOptions } from "../support/session.ts";

// Invalid exports, and failing connections.

const json = (stdout: string) => JSON.parse(stdout) as Record<string, unknown>[];
const line = "relations pull out -p 7 --latest -o json".split(" ");
/** Incompressible, so that a cut is inside it. */
const large = packed(...Array.from({ length: 4000 }, (_, index) => ({ index, text: crypto.randomUUID() })));

async function pulled(relations: readonly Served[], ...more: (string | RunOptions)[]) {
  const user = await exporting(relations);
  const result = await user.run(...line, ...more);
  const files = readdirSync(join(user.home, "out")).sort();
  return { ...user, result, files, read: (name: string) => readFileSync(join(user.home, "out", name)) };
}

test("invalid names, paths, and names that differ only in case stay in the folder, each with its own file", async () => {
  const names = ["../x", "x", "Issues", "issues", "a/b", "..", "C:\\temp\\nul", "labels"];
  const { result, files, home } = await pulled(names.map((relation) => ({ relation, content: packed({ relation }) })));
  expect(result).toMatchObject({ code: 0, stderr: "8 of 8 done\n" });
  const rows = json(result.stdout);
  expect(new Set(rows.map(({ file }) => String(file).toLowerCase())).size).toBe(names.length);
  expect(files).toEqual([...rows.map(({ file }) => String(file)), "manifest.json"].sort());
  expect(readdirSync(home).filter((name) => name !== "out" && !name.startsWith("."))).toEqual([]);
  const own = Object.fromEntries(rows.map(({ relation, file }) => [relation, file]));
  expect(own.labels).toBe("labels.ndjson.gz");
  expect(own["../x"]).toMatch(/^x~[0-9a-f]{8}\.ndjson\.gz$/);
  for (const relation of names) {
    const content = gunzipSync(readFileSync(join(home, "out", String(own[relation]))));
    expect(JSON.parse(content.toString())).toEqual({ relation });
  }
});

test("a relation named as the file of another is, which could not keep its name, has its own file", async () => {
  const names = ["a/issues", "issues~825ceef9"];
  const { result, files } = await pulled(names.map((relation) => ({ relation, content: packed({ relation }) })));
  expect(json(result.stdout).map(({ file }) => file)).toContain("issues~825ceef9.ndjson.gz");
  expect([result.code, files.length]).toEqual([0, names.length + 1]);
});

test("a relation named like a batch of another has its own file", async () => {
  const { result } = await pulled([
    { relation: "issues", batch: 1, content: packed({ a: 1 }), objects: 1 },
    { relation: "issues-1", content: packed({ b: 1 }) },
  ]);
  expect(result.code).toBe(0);
  expect(new Set(json(result.stdout).map(({ file }) => file)).size).toBe(2);
});

test.each([
  ["empty", gzipSync(""), 0],
  ["of several gzip members", Buffer.concat([packed({ a: 1 }), gzipSync(""), packed({ b: 2 }, { c: 3 })]), 3],
  ["a line torn between two members", Buffer.concat([gzipSync('{"a":'), gzipSync("1}\n")]), 1],
  ["with CRLF", gzipSync('{"a":1}\r\n{"b":"ü\u2028"}\r\n'), 2],
  ["without a line feed at its end", gzipSync('{"a":1}\n{"b":2}'), 2],
  ["of one line over many chunks", packed({ text: "x".repeat(5_000_000) }), 1],
])("a relation that is %s is complete", async (_, content, lines) => {
  const { result, read } = await pulled([
    { relation: "labels", content },
    { relation: "issues", content: packed({ a: 1 }) },
  ]);
  expect(result).toMatchObject({ code: 0, stderr: "2 of 2 done\n" });
  expect(json(result.stdout)).toContainEqual(expect.objectContaining({ relation: "labels", lines }));
  expect(read("labels.ndjson.gz")).toEqual(content);
});

test("uploads and similar relations are archives: complete gzip, without lines", async () => {
  const content = gzipSync(Buffer.alloc(10_000, 7));
  const { result, files } = await pulled([
    { relation: "uploads", content },
    { relation: "repository", content },
  ]);
  expect(result.code).toBe(0);
  expect(files).toEqual(["manifest.json", "repository.tar.gz", "uploads.tar.gz"]);
  expect(json(result.stdout)).toMatchObject([{ lines: null }, { lines: null }]);
});

test.each([
  ["nothing", Buffer.alloc(0), "unexpected end of file"],
  ["a web page", Buffer.from("<html>Sign in</html>"), "incorrect header check"],
  ["cut short", large.subarray(0, large.length - 10), "unexpected end of file"],
  [
    "changed inside",
    Buffer.from(large.map((byte, index) => (index === 50_000 ? byte ^ 255 : byte))),
    "invalid|incorrect",
  ],
  ["followed by other bytes", Buffer.concat([packed({ a: 1 }), Buffer.from("and more")]), "incorrect header check"],
  ["text", gzipSync("plain words\n"), "line 1 is not JSON"],
  ["one document over two lines", gzipSync('{"a":1}\n{"b":\n2}\n'), "line 2 is not JSON"],
  ["with an empty line", gzipSync('{"a":1}\n\n'), "line 2 is not JSON"],
  ["not UTF-8", gzipSync(Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a])), "line 1 is not JSON"],
])("a relation that is %s is not saved, and the others are", async (_, content, reason) => {
  const { result, files } = await pulled([
    { relation: "labels", content },
    { relation: "issues", content: packed({ a: 1 }) },
  ]);
  expect(result.code).toBe(9);
  expect(files).toEqual(["issues.ndjson.gz", "manifest.json"]);
  const row = json(result.stdout).find(({ relation }) => relation === "labels");
  expect(row).toMatchObject({ status: "failed", error: expect.stringMatching(reason) });
  expect(JSON.parse(result.stderr).error.hint).toBe("forgectl relations pull out -p 7 --latest");
});

test("a batch has as many lines as the instance counted objects", async () => {
  const { result } = await pulled([
    { relation: "issues", batch: 1, content: packed({ a: 1 }, { b: 2 }), objects: 2 },
    { relation: "issues", batch: 2, content: packed({ c: 3 }), objects: 2 },
  ]);
  expect(result.code).toBe(9);
  expect(json(result.stdout).sort((a, b) => Number(a.batch) - Number(b.batch))).toMatchObject([
    { batch: 1, status: "fetched", lines: 2 },
    { batch: 2, status: "failed", error: "it has 1 lines, and 2 objects were announced" },
  ]);
});

test("a single relation has its own exit code", async () => {
  const { result } = await pulled([{ relation: "issues", content: gzipSync("no") }]);
  expect(result.code).toBe(12);
  expect(JSON.parse(result.stderr).error).toMatchObject({ message: "issues: the file is damaged, and was removed" });
});

test("429, 503, a reset, and an incomplete body are retried; nothing is downloaded twice from the start", async () => {
  const relations = ["a", "b", "c", "d"].map((relation) => ({ relation, content: large }));
  const user = await exporting(relations);
  const hit = new Set<string>();
  user.state.fault = (request, response, { relation }) => {
    if (hit.has(relation)) return false;
    hit.add(relation);
    if (relation === "a") response.writeHead(429, { "retry-after": "1" }).end();
    if (relation === "b") response.writeHead(503).end();
    if (relation === "c") response.destroy();
    if (relation === "d") sendContent(request, response, large, 60_000);
    return true;
  };
  const result = await user.run(...line);
  expect(result.code, result.stderr).toBe(0);
  expect(json(result.stdout).map(({ status }) => status)).toEqual(Array(4).fill("fetched"));
  expect(user.downloads()).toHaveLength(8);
  for (const { relation } of relations) {
    expect(readFileSync(join(user.home, "out", `${relation}.ndjson.gz`))).toEqual(large);
  }
});

test("failed downloads are completed by the command in the hint", async () => {
  const user = await exporting(["a", "b", "c"].map((relation) => ({ relation, content: packed({ relation }) })));
  user.state.fault = (_request, response, { relation }) => {
    if (relation === "b") response.writeHead(500).end();
    return relation === "b";
  };
  const first = await user.run(...line);
  expect(first.code).toBe(9);
  const { hint } = JSON.parse(first.stderr).error as { hint: string };
  user.state.fault = () => false;
  user.seen.length = 0;
  const second = await user.run(...hint.split(" ").slice(1), "-o", "json");
  expect(second.code).toBe(0);
  expect(user.downloads()).toHaveLength(1);
  expect(json(second.stdout).map(({ status }) => status)).toEqual(["kept", "kept", "fetched"]);
});

test("Ctrl-C: a row says for each relation whether it is done, in flight, or not tried; the same command completes the rest", async () => {
  const names = ["a", "b", "c", "d"];
  const user = await exporting(names.map((relation) => ({ relation, content: large })));
  user.state.fault = (_request, response, { relation, content }) => {
    if (relation === "a") return false;
    response.writeHead(200, { etag: '"1"', "content-length": content.length });
    response.write(content.subarray(0, content.length / 2));
    return true;
  };
  const words = [...line, "--concurrency", "2"];
  const out = join(user.home, "out");
  const halves = () => existsSync(out) && readdirSync(out).filter((name) => name.endsWith(".part.json")).length === 2;
  const when = vi.waitUntil(halves, { interval: 5, timeout: 20_000 });
  const stopped = await user.run(...words, { kill: { signal: "SIGINT", when } });
  expect(stopped.code).toBe(130);
  const rows = json(stopped.stdout);
  expect(rows.map(({ relation, status }) => `${relation} ${status}`).sort()).toEqual([
    ...["a fetched", "b not_tried", "c not_tried", "d not_tried"],
  ]);
  expect(stopped.stderr).toContain("interrupted: 1 of 4 done, 3 not tried");
  user.state.fault = () => false;
  const rest = await user.run(...words);
  expect(rest.code, rest.stderr).toBe(0);
  expect(readdirSync(join(user.home, "out")).sort()).toEqual([...names.map((n) => `${n}.ndjson.gz`), "manifest.json"]);
  for (const name of names) expect(readFileSync(join(user.home, "out", `${name}.ndjson.gz`))).toEqual(large);
});

test("two runs on one folder: the second is refused", async () => {
  const user = await exporting([{ relation: "a", content: large }]);
  let go = () => {};
  const begun = new Promise<void>((reached) => {
    user.state.fault = (request, response, { content }) => {
      reached();
      void new Promise<void>((done) => {
        go = done;
      }).then(() => sendContent(request, response, content));
      return true;
    };
  });
  const first = user.run(...line);
  await begun;
  const second = await user.run(...line);
  expect(second.code).toBe(6);
  expect(JSON.parse(second.stderr).error).toMatchObject({ message: "another run is downloading into out" });
  go();
  expect((await first).code).toBe(0);
  rmSync(join(user.home, "out"), { recursive: true });
  mkdirSync(join(user.home, "out"));
});

test.each([
  ["brackets", Buffer.alloc(60_000_000, "["), "line 1 is nested too deeply"],
  ["small objects", Buffer.from(`[${'{"a":0},'.repeat(7_000_000)}0]`), "it unpacks to more than 200 times its size"],
])("a relation that unpacks to %s costs neither memory nor time", async (_, content, reason) => {
  const { result, files } = await pulled([{ relation: "issues", content: gzipSync(content) }], {
    env: { NODE_OPTIONS: "--max-old-space-size=64" },
    asProcess: true,
  });
  expect(result.code).toBe(12);
  expect(result.stdout).toContain(reason);
  expect(files).toEqual(["manifest.json"]);
});

test("a long line of many values is checked without building it", async () => {
  // As values, they would need more memory than the program is given.
  const line = `[${Array.from({ length: 2_000_000 }, (_, at) => `{"id":${at}}`).join(",")}]`;
  const { result } = await pulled([{ relation: "issues", content: gzipSync(`${line}\n${line}`) }], {
    env: { NODE_OPTIONS: "--max-old-space-size=64" },
    asProcess: true,
  });
  expect(result).toMatchObject({ code: 0, stderr: "" });
  expect(json(result.stdout)).toMatchObject([{ lines: 2 }]);
});

describe("an export whose scheduling was not answered", () => {
  const asked = "relations pull out -p 7 -o json --retries 0".split(" ");
  /** An instance that loses the answer to its first POST; `begins` says whether it acted on it. */
  async function losing({ begins, blind }: { begins: boolean; blind: boolean }) {
    const user = await exporting(wholeExport("2026-11-01T08:00:00.000Z"));
    const later = new Date().toISOString();
    let posts = 0;
    user.state.other = (request, response) => {
      const isStatus = request.url?.includes("/export_relations/status");
      if (isStatus && blind && posts === 1) {
        response.writeHead(400).end();
        return true;
      }
      if (request.method !== "POST") return false;
      posts += 1;
      if (posts > 1 || begins) user.state.relations = wholeExport(later);
      if (posts > 1) return false;
      response.destroy();
      return true;
    };
    return { ...user, posts: () => posts, see: () => (blind = false) };
  }
  const manifestIn = (home: string) => JSON.parse(readFileSync(join(home, "out", "manifest.json"), "utf8"));

  test("is looked for, and used", async () => {
    const { run, posts } = await losing({ begins: true, blind: false });
    const { code, stderr } = await run(...asked);
    expect([code, posts()]).toEqual([0, 1]);
    expect(stderr).toContain("the answer was lost; a check shows that the export has begun");
  });

  test.each([true, false])("is looked for by the next run if this one cannot look: begun %s", async (begins) => {
    const { run, posts, see, home } = await losing({ begins, blind: true });
    const first = await run(...asked);
    expect([first.code, JSON.parse(first.stderr).error]).toEqual([
      expect.any(Number),
      expect.objectContaining({
        outcome: "unknown",
        hint: expect.stringMatching(/^forgectl relations pull out -p 7 /),
      }),
    ]);
    expect(manifestIn(home)).toMatchObject({ scheduled: false, pieces: null, after: "2026-11-01T08:00:00.000Z" });
    see();
    const dry = await run(...asked, "-n");
    expect([dry.code, dry.stdout.includes("POST"), posts()]).toEqual([0, !begins, 1]);
    const second = await run(...asked);
    expect([second.code, json(second.stdout)], second.stderr).toEqual([
      0,
      usualRelations.map(() => expect.objectContaining({ status: "fetched" })),
    ]);
    expect(posts()).toBe(begins ? 1 : 2);
    expect(manifestIn(home)).toMatchObject({ scheduled: true });
  });

  test("is looked for by the next run if the answer was cut after its status", async () => {
    const later = wholeExport(new Date().toISOString());
    const { run, state } = await exporting(wholeExport("2026-11-01T08:00:00.000Z"));
    let posts = 0;
    state.other = (request, response) => {
      if (request.method !== "POST") return false;
      posts += 1;
      state.relations = later;
      response.writeHead(202, { "content-type": "application/json", "content-length": "99" });
      response.write('{"message":', () => response.destroy());
      return true;
    };
    const { code, stderr } = await run(...asked);
    const hint = "forgectl relations pull out -p 7   # looks for it first";
    expect([code, JSON.parse(stderr).error]).toEqual([11, expect.objectContaining({ outcome: "made", hint })]);
    expect((await run(...asked)).code).toBe(0);
    expect(posts).toBe(1);
  });

  test("a refused one leaves the folder as it was", async () => {
    const user = await exporting([{ relation: "labels", content: packed({ a: 1 }) }]);
    expect((await user.run(...line)).code).toBe(0);
    const before = manifestIn(user.home);
    user.state.other = (request, response) => {
      if (request.method === "POST") response.writeHead(403).end();
      return request.method === "POST";
    };
    expect((await user.run(...asked, "--force")).code).toBe(5);
    expect(manifestIn(user.home)).toEqual(before);
    rmSync(join(user.home, "out"), { recursive: true });
    expect((await user.run(...asked)).code).toBe(5);
    expect(readdirSync(join(user.home, "out"))).toEqual([]);
  });
});

test("a batch that is named twice is not the one that is not named", async () => {
  const batch = (number: number) => ({ relation: "issues", batch: number, content: packed({ number }), objects: 1 });
  const { result } = await pulled([batch(1), batch(1), { relation: "labels", content: packed({ a: 1 }) }]);
  expect([result.code, json(result.stdout)]).toEqual([
    9,
    [
      expect.objectContaining({ relation: "issues", status: "failed", error: "the instance names 1 of 2 batches" }),
      expect.objectContaining({ relation: "labels", status: "fetched" }),
    ],
  ]);
});

test("an export that another one replaces during the downloads is not one export, and verify says so", async () => {
  const exported = (count: number) =>
    ["labels", "issues", "milestones"].map((relation) => ({
      ...{ relation, content: packed({ relation, count }), updatedAt: `2026-11-2${count}T00:00:00.000Z` },
    }));
  const { run, home, state, downloads } = await exporting(exported(1));
  state.other = () => {
    if (downloads().length === 2) state.relations = exported(2);
    return false;
  };
  const mixed = await run(...line);
  expect([mixed.code, mixed.stderr]).toEqual([6, expect.stringContaining('"code":"newer_export"')]);
  const verified = await run(..."relations verify out".split(" "));
  expect([verified.code, verified.stdout]).toEqual([12, expect.stringMatching(/manifest\.json\tdamaged/)]);
  expect((await run(..."relations pull out -p 7".split(" "))).code).toBe(6);
  expect(await run(...line)).toMatchObject({ code: 0, stderr: "3 of 3 done\n" });
  for (const { relation, content } of exported(2)) {
    expect(readFileSync(join(home, "out", `${relation}.ndjson.gz`))).toEqual(content);
  }
  expect((await run(..."relations verify out".split(" "))).code).toBe(0);
});

test("a folder whose last look was lost is looked at again", async () => {
  const { run, state, downloads } = await exporting([{ relation: "labels", content: packed({ a: 1 }) }]);
  state.other = (request, response) => {
    if (downloads().length === 0 || !request.url?.includes("/status")) return false;
    response.destroy();
    return true;
  };
  expect((await run(...line, "--retries", "0")).code).toBe(11);
  expect((await run(..."relations verify out".split(" "))).code).toBe(12);
  state.other = () => false;
  expect((await run(..."relations pull out -p 7".split(" "))).code).toBe(0);
  expect((await run(..."relations verify out".split(" "))).code).toBe(0);
});

describe("a relation that the folder's export lacked", () => {
  const time = "2026-11-01T08:00:00.000Z";

  /** A folder whose manifest has a relation as failed, though the instance never exported it in that export. */
  async function lacking(relation: string, relations: readonly Served[]) {
    const user = await pulled(relations);
    const manifest = join(user.home, "out", "manifest.json");
    const content = JSON.parse(readFileSync(manifest, "utf8"));
    const pieces = content.pieces.filter((piece: { relation: string }) => piece.relation !== relation);
    const failed = {
      ...{ relation, batch: null, file: null, exported_at: time, objects: null, status: "failed" },
      ...{ size: null, sha256: null, lines: null, error: "not exported" },
    };
    writeFileSync(manifest, JSON.stringify({ ...content, pieces: [...pieces, failed] }));
    const again = async () => {
      const { code, stdout } = await user.run(...line);
      const rows = json(stdout).filter(({ status }) => status !== "kept");
      return [code, rows.map((row) => `${row.relation} ${row.status}`), readdirSync(join(user.home, "out")).length];
    };
    return { ...user, again };
  }

  test("is still a failure for --latest, and is fetched once it has come, beside the files of the others", async () => {
    const { again, state } = await lacking(
      "ci_pipelines",
      wholeExport(time).filter((each) => each.relation !== "ci_pipelines"),
    );
    expect(await again()).toEqual([9, ["ci_pipelines failed"], 27]);
    state.relations.push({
      relation: "ci_pipelines",
      content: packed({ a: 1 }),
      updatedAt: "2026-11-01T08:07:00.000Z",
    });
    expect(await again()).toEqual([0, ["ci_pipelines fetched"], 28]);
  });

  test("is still a failure where the instance shows that of the export before it", async () => {
    const { again } = await lacking("issues", wholeExport(time));
    expect(await again()).toEqual([9, ["issues failed"], 28]);
  });
});
