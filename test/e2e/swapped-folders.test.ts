import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { signedIn } from "../support/answering.ts";
import { type Session, sandboxSession } from "../support/session.ts";
import { zip } from "../support/zip.ts";

// Folders that another process replaces between a look at them and their use. `meanwhile` is code that runs in the
// program at a chosen call: no timing decides whether the race is won.

/** The environment of a program in which `meanwhile` runs before a call of node:fs that it chooses. */
function raced({ home, env }: Pick<Session, "home" | "env">, meanwhile: string): NodeJS.ProcessEnv {
  const path = join(home, "meanwhile.cjs");
  writeFileSync(path, `const fs = require("node:fs"); const home = ${JSON.stringify(home)}; ${meanwhile}`);
  return { ...env, NODE_OPTIONS: `--require ${path}` };
}

const beforeMkdir = (end: string, act: string) => `
  const { mkdir } = fs.promises;
  fs.promises.mkdir = async (path, ...more) => {
    if (String(path).endsWith(${JSON.stringify(end)})) { ${act} }
    return mkdir(path, ...more);
  };`;

const names = Array.from({ length: 60 }, (_, index) => `d/s${index % 6}/f${index}`);
const archive = zip(names.map((name) => ({ name, content: "new" })));

/** A session with an archive to extract, in a folder that has some of its files, and a folder for links to lead to. */
async function extracting() {
  const own = await signedIn((_request, response) =>
    response.writeHead(200, { "content-length": archive.length }).end(archive),
  );
  mkdirSync(join(own.home, "victim"));
  mkdirSync(join(own.home, "site/d"), { recursive: true });
  const line = "artifacts download -p 7 --job-id 1 --extract site".split(" ");
  const run = (meanwhile: string) => own.run(...line, { env: raced(own, meanwhile), asProcess: true });
  return { run, at: (name: string) => join(own.home, name) };
}

describe.skipIf(process.platform !== "linux")("a folder that becomes a link while an archive is extracted", () => {
  test("gets no file of it, and the extraction is undone", async () => {
    const { run, at } = await extracting();
    const { code, stderr } = await run(`
      const { renameSync } = fs;
      let calls = 0;
      fs.renameSync = (...given) => {
        if (++calls === 5) {
          renameSync(home + "/site/d", home + "/site/was");
          fs.symlinkSync(home + "/victim", home + "/site/d");
        }
        return renameSync(...given);
      };`);
    expect([code, stderr]).toEqual([
      6,
      expect.stringMatching(/^error: nothing was extracted: \S+ was replaced meanwhile$/m),
    ]);
    expect(readdirSync(at("victim"))).toEqual([]);
  });

  test("gets none of its unpacked files either, if the workspace is replaced", async () => {
    const { run, at } = await extracting();
    const { code } = await run(
      beforeMkdir(
        "/files",
        `
      for (const name of fs.readdirSync(home + "/site")) {
        if (!name.endsWith(".extract")) continue;
        fs.renameSync(home + "/site/" + name, home + "/moved");
        fs.symlinkSync(home + "/victim", home + "/site/" + name);
      }`,
      ),
    );
    expect([code, readdirSync(at("victim"))]).toEqual([0, []]);
    expect(readdirSync(at("site/d/s0")).length).toBe(10);
  });

  test("is not taken for a workspace", async () => {
    const { run, at } = await extracting();
    const { code, stderr } = await run(beforeMkdir(".extract", `fs.symlinkSync(home + "/victim", path);`));
    expect([code, stderr]).toEqual([
      6,
      expect.stringMatching(/^error: nothing was downloaded: another process made /m),
    ]);
    expect([readdirSync(at("victim")), readdirSync(at("site/d"))]).toEqual([[], []]);
  });
});

/** Code that puts a link to the folder `victim` in place of another; that folder is `moved` from then on. */
const swap = (folder: string) => `
  fs.renameSync(home + "/${folder}", home + "/moved");
  fs.symlinkSync(home + "/victim", home + "/${folder}");`;

/** Swaps it once, after a call of node:fs of that kind, whose last path ends so. */
const after = (call: "open" | "rename", end: string, folder: string) => `
  const act = fs.promises.${call};
  let isDone = false;
  fs.promises.${call} = async (...given) => {
    const result = await act(...given);
    if (!isDone && given.some((each) => String(each).endsWith(${JSON.stringify(end)}))) {
      isDone = true;
      ${swap(folder)}
    }
    return result;
  };`;

describe.skipIf(process.platform !== "linux")("a folder that becomes a link while it is filled", () => {
  const lines: [string, string, string, string[]][] = [
    [
      "evidence",
      "audit -g acme --out work",
      after("open", "/sources.ndjson", "work"),
      ["manifest.json", "report.md", "SHA256SUMS"],
    ],
    [
      "an export",
      "relations pull work -p acme/platform/gateway",
      after("rename", "/manifest.json", "work"),
      ["manifest.json", "labels.ndjson.gz", ".forgectl-pull.lock"],
    ],
  ];

  test.each(lines)("gets nothing of %s, which is not called complete", async (_, line, meanwhile, names) => {
    const own = await sandboxSession();
    mkdirSync(join(own.home, "victim"));
    for (const name of names) writeFileSync(join(own.home, "victim", name), "another's");
    const env = raced(own, meanwhile);
    const { code, stderr } = await own.run(...line.split(" "), { env, asProcess: true });
    const kept = readdirSync(join(own.home, "victim"));
    expect(kept).toEqual(names.sort());
    expect(kept.map((name) => readFileSync(join(own.home, "victim", name), "utf8"))).toEqual(
      names.map(() => "another's"),
    );
    expect([code, stderr]).toEqual([6, expect.stringContaining("error: work was renamed or replaced meanwhile\n")]);
    expect(existsSync(join(own.home, "moved/manifest.json"))).toBe(true);
  });

  const exports: [string, number, string][] = [
    ["work", 6, "error: work was renamed or replaced meanwhile\n"],
    ["work/groups/acme", 2, "error: work/groups/acme is a link to another place\n"],
  ];

  test.each(exports)("gets no state file that an export writes to %s", async (folder, exit, error) => {
    const own = await sandboxSession();
    mkdirSync(join(own.home, "victim"));
    // An export of another instance, which may be replaced by a newer one.
    const line = "state export -g acme --recursive --dir".split(" ");
    expect((await own.run(...line, "other")).code).toBe(0);
    cpSync(join(own.home, "other", folder.replace(/^work\/?/, "")), join(own.home, "victim"), { recursive: true });
    expect((await own.run("hooks", "create", "https://new.example/", "-g", "acme/platform")).code).toBe(0);
    const before = textsBelow(join(own.home, "victim"));
    const env = raced(own, after("rename", "/mobile.yaml", folder));
    const { code, stderr } = await own.run(...line, "work", { env, asProcess: true });
    expect([code, stderr]).toEqual([exit, expect.stringContaining(error)]);
    expect(textsBelow(join(own.home, "victim"))).toEqual(before);
  });
});

/** Swaps it once, before a call of node:fs with a path that matches. */
const beforeIt = (call: "open" | "mkdir" | "rename", path: RegExp, folder: string) => `
  const act = fs.promises.${call};
  let isDone = false;
  fs.promises.${call} = async (...given) => {
    if (!isDone && given.some((each) => ${path}.test(each))) {
      isDone = true;
      ${swap(folder)}
    }
    return act(...given);
  };`;

describe.skipIf(process.platform !== "linux")("a folder that becomes a link while each writes into it", () => {
  const folder = "exports/acme/storefront";
  const download = "artifacts download --ref main --job build";
  const lines: [string, string, string][] = [
    [`${download} -O exports/{path}/x.zip`, beforeIt("open", /\.part$/, folder), "x.zip"],
    [`${download} --extract exports/{path}/x`, beforeIt("mkdir", /\.extract$/, folder), "x"],
    [`${download} --extract exports/{path}`, beforeIt("mkdir", /\.extract$/, folder), "dist"],
    ["job-token compact --save exports/{path}/x.yaml", beforeIt("open", /\.tmp$/, folder), "x.yaml"],
    [
      "errors keys rotate 1 --dsn-file exports/{path}/dsn",
      beforeIt("open", /(fd\/\d+|storefront)\/\.forgectl\S+\.tmp$/, folder),
      "dsn",
    ],
  ];

  test.each(lines)("gets nothing of %s", async (line, meanwhile, name) => {
    const own = await sandboxSession();
    mkdirSync(join(own.home, "victim"));
    mkdirSync(join(own.home, folder), { recursive: true });
    const isFolder = name === "x" || name === "dist";
    if (isFolder) mkdirSync(join(own.home, "victim", name));
    else writeFileSync(join(own.home, "victim", name), "another's");
    const words = ["each", "--projects-of", "acme", "--match", "acme/storefront", "-o", "json", "--yes", "--"];
    const env = raced(own, meanwhile);
    const { code, stdout } = await own.run(...words, ...line.split(" "), { env, asProcess: true });
    expect(readdirSync(join(own.home, "victim"), { recursive: true })).toEqual([name]);
    if (!isFolder) expect(readFileSync(join(own.home, "victim", name), "utf8")).toBe("another's");
    expect([code, stdout]).toEqual([6, expect.stringContaining(`${folder} was renamed or replaced meanwhile`)]);
  });
});

function textsBelow(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  const files = names.filter((name) => name.endsWith(".yaml"));
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

test("evidence is never mixed with that of another audit which began at the same time", async () => {
  const own = await sandboxSession();
  const others = `fs.mkdirSync(path); fs.writeFileSync(path + "/sources.ndjson", "another's");`;
  const env = raced(own, beforeMkdir("/evidence", others));
  const { code, stderr } = await own.run("audit", "-g", "acme", "--out", "evidence", { env, asProcess: true });
  expect([code, stderr]).toEqual([2, expect.stringContaining("--out: evidence exists already")]);
  expect(readFileSync(join(own.home, "evidence/sources.ndjson"), "utf8")).toBe("another's");
  expect(existsSync(join(own.home, "evidence/report.md"))).toBe(false);
});
