import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";

// Node reads the line before the program does: docs/scripting.md says how a script passes on a text that remains one.

test.each([
  ["after `=`", (text: string) => [`--body=${text}`], {}],
  ["if NODE_OPTIONS is set and empty", (text: string) => ["--body", text], { NODE_OPTIONS: "" }],
] as const)("a text that is written as an option of Node loads nothing %s", async (_, body, env) => {
  const { run, home } = await sandboxSession();
  const loaded = join(home, "LOADED");
  writeFileSync(join(home, "planted.cjs"), `require("node:fs").writeFileSync(${JSON.stringify(loaded)}, "")`);
  writeFileSync(join(home, "x.env"), "NODE_OPTIONS=--require ./planted.cjs\n");
  const words = ["notes", "create", "--issue", "1", "-p", "acme/docs", ...body("--env-file=x.env"), "--jq", ".body"];
  const made = await run(...words, { env, asProcess: true });
  expect(made).toMatchObject({ code: 0, stdout: "--env-file=x.env\n" });
  expect(existsSync(loaded)).toBe(false);
});

// Node 22 and newer read these wherever they are.
const options = [
  "--experimental-config-file=c.json",
  "--experimental-default-config-file",
  "--experimental-default-config-file-x.md",
];

/** A folder with files of Node's configuration, each with a module that proves that it was loaded. */
async function withConfiguration(nodeOptions: object = { require: ["./planted.cjs"] }) {
  const { run, home } = await sandboxSession();
  writeFileSync(join(home, "planted.cjs"), `require("node:fs").writeFileSync(__dirname + "/LOADED", "")`);
  for (const name of ["c.json", "node.config.json"]) writeFileSync(join(home, name), JSON.stringify({ nodeOptions }));
  const isLoaded = () => existsSync(join(home, "LOADED"));
  return { run: (...words: string[]) => run(...words, { asProcess: true }), home, isLoaded };
}

test.each(options)(
  "what %s names is not loaded where it is the path of a file, the text of a flag, or in a line",
  async (text) => {
    const { run, home, isLoaded } = await withConfiguration();
    const place = ["--ref", "main", "-p", "acme/docs"];
    const encoded = encodeURIComponent(text);
    const file = await run("files", "get", ...place, "--", `./${text}`);
    expect([file.code, file.stderr]).toEqual([3, expect.stringContaining(`/files/${encoded}?ref=main`)]);
    const artifact = await run("artifacts", "cat", "--job-id", "1000", "-p", "acme/storefront", "--", `./${text}`);
    expect([artifact.code, artifact.stderr]).toEqual([3, expect.stringContaining(text)]);
    const note = await run("notes", "create", "--issue", "1", "-p", "acme/docs", `--body=${text}`, "--jq", ".body");
    expect([note.code, note.stdout]).toEqual([0, `${text}\n`]);
    writeFileSync(join(home, "lines.ndjson"), JSON.stringify({ args: ["files", "get", ...place, "--", text] }));
    const line = await run("batch", "lines.ndjson", "-o", "ndjson");
    expect([line.code, line.stdout]).toEqual([3, expect.stringContaining(encoded)]);
    expect(isLoaded()).toBe(false);
  },
);

test.each(options)("%s as a word of its own is refused, as Node may have done what its file says", async (text) => {
  const { run } = await withConfiguration({});
  for (const words of [
    ["--body", text],
    ["--", text],
  ]) {
    const { code, stdout, stderr } = await run("notes", "create", "--issue", "1", "-p", "acme/docs", ...words);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(/^error: argument \d+ is --experimental-/)]);
    expect(stderr).toContain("outcome: nothing was sent\n");
  }
});

test("no other option of this Node is read behind --", async () => {
  const { run, home, isLoaded } = await withConfiguration();
  const help = execFileSync(process.execPath, ["--help"], { encoding: "utf8" });
  const named = [...new Set(help.match(/--[a-z][a-z0-9-]+/g))].filter((name) => !/-config-file$/.test(name));
  expect(named.length).toBeGreaterThan(100);
  writeFileSync(join(home, "x.env"), "NODE_OPTIONS=--require ./planted.cjs\n");
  const words = named.flatMap((name) => [name, `${name}=./planted.cjs`, `${name}=x.env`, `${name}=c.json`]);
  const { code, stderr } = await run("settings", "get", "--", ...words);
  expect([code, words.filter((word) => !stderr.includes(word))]).toEqual([3, []]);
  expect(isLoaded()).toBe(false);
});
