import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { requestsIn, sandboxSession } from "../support/session.ts";

// Mistakes in the input of large jobs: wrong lists, journals, and scopes. The maps of identities remap are in
// remap.test.ts.

let log: string[];
let admin: Awaited<ReturnType<typeof sandboxSession>>;
const at = (name: string) => join(admin.home, name);

beforeAll(async () => {
  log = [];
  admin = await sandboxSession({ log: (line) => log.push(line) });
  mkdirSync(at("folder"));
  symlinkSync("loop", at("loop"));
  writeFileSync(at("empty"), "");
  writeFileSync(at("comments"), "\uFEFF# nothing\r\n\r\n   \r\n");
  writeFileSync(at("latin1"), Buffer.from([0x61, 0xff, 0x0a]));
  writeFileSync(at("blanks"), "acme/docs\r\nacme docs\r\n");
  writeFileSync(at("projects.txt"), "acme/docs\n");
  writeFileSync(at("commands.ndjson"), '{"args":["registry","visibility","private","-p","4"]}\n');
});

async function refused(line: string, words: string | RegExp, { exit = 2, reads = false } = {}): Promise<void> {
  requestsIn(log);
  const { code, stdout, stderr } = await admin.run(...line.split(" "));
  const sent = requestsIn(log).filter((request) => !(reads && request.startsWith("GET ")));
  expect({ code, stdout, sent }).toEqual({ code: exit, stdout: "", sent: [] });
  expect(stderr).toMatch(words);
}

describe("a list", () => {
  test.each([
    ["empty", "empty names no project", "empty contains no command"],
    ["comments", "comments names no project", "comments:1: the line is not JSON"],
    ["latin1", "latin1 is not UTF-8 text", "latin1 is not UTF-8 text"],
    ["blanks", 'blanks:2: "acme docs" is neither an ID nor a path', "blanks:1: the line is not JSON"],
    ["folder", "folder is a folder", "folder is a folder"],
    ["loop", "loop cannot be read", "loop cannot be read"],
    ["missing", "the file missing does not exist", "the file missing does not exist"],
  ])("that is %s is exit 2 in each and batch", async (name, ofEach, ofBatch) => {
    await refused(`each --projects-file ${name} -- job-token get`, ofEach);
    await refused(`batch ${name}`, ofBatch);
  });

  test("of very many lines is read completely before anything is sent", { timeout: 120_000 }, async () => {
    const count = 100_000;
    writeFileSync(at("huge.txt"), Array.from({ length: count }, (_, index) => `acme/project-${index}\n`).join(""));
    await refused(
      "each --projects-file huge.txt -- job-token limit on",
      `on 100,000 projects (acme/project-0, acme/project-1, acme/project-2, ...)`,
    );
    writeFileSync(at("huge.ndjson"), `${'{"args":["users","me"]}\n'.repeat(5000)}{"args":["users","mee"]}\n`);
    await refused("batch huge.ndjson", "huge.ndjson:5001: unknown command 'mee'");
  });

  test("with one very long line is refused", async () => {
    writeFileSync(at("long.ndjson"), `{"args":["users","get","${"x".repeat(1_000_000)}"]}\n`);
    await refused("batch long.ndjson", "long.ndjson:1: the line is longer than 64 KiB");
    writeFileSync(at("deep.ndjson"), `{"id":${"[".repeat(20_000)}${"]".repeat(20_000)},"args":["users","me"]}`);
    await refused("batch deep.ndjson", "deep.ndjson:1: the line is nested too deeply");
  });
});

describe("a journal", () => {
  const jobs = {
    each: "each --projects-file projects.txt --yes --journal run.journal -- job-token limit on",
    batch: "batch commands.ndjson --journal run.journal",
  };
  const prune = "registry prune -p 7 --delete-regex v1.* --via tags --yes --journal run.journal";
  const others = [
    [
      "another command",
      (instance: string) => ({ journal: 2, command: "else", instance }),
      "of another run: of the command else",
    ],
    [
      "another instance",
      () => ({ journal: 2, command: undefined, instance: "https://other" }),
      "is the journal of another run",
    ],
  ] as const;

  test.each(Object.entries(jobs))(
    "of another command or instance, or none, is refused by %s, and not changed",
    async (_, line) => {
      for (const [, head, words] of others) {
        const text = `${JSON.stringify(head(admin.sandbox.url))}\n`;
        writeFileSync(at("run.journal"), text, { mode: 0o600 });
        await refused(line, words, { reads: true });
        expect(readFileSync(at("run.journal"), "utf8")).toBe(text);
      }
      for (const text of ["my notes", "my notes\n", "[]\n", '{"journal":"2"}\n']) {
        writeFileSync(at("run.journal"), text, { mode: 0o600 });
        await refused(line, "run.journal is not a journal of this program", { reads: true });
        expect(readFileSync(at("run.journal"), "utf8")).toBe(text);
      }
      writeFileSync(at("run.journal"), '{"journal":1}\n', { mode: 0o600 });
      await refused(line, "run.journal is a journal of another version", { reads: true });
    },
  );

  test.each(Object.entries(jobs))("that another run holds is exit 6 for %s", async (_, line) => {
    writeFileSync(at("held.lock"), `${crypto.randomUUID()} 1:?@elsewhere`);
    await refused(line.replace("run.journal", "held"), "held is in use by another run", { exit: 6, reads: true });
  });

  test("of another command, or in use, is refused by registry prune before the first deletion", async () => {
    const deletions = () => requestsIn(log).filter((line) => line.startsWith("DELETE "));
    writeFileSync(at("run.journal"), '{"journal":2,"command":"batch","instance":"x"}\n', { mode: 0o600 });
    const other = await admin.run(...prune.split(" "));
    expect([other.code, other.stderr, deletions()]).toEqual([
      2,
      expect.stringContaining("of another run: of the command batch"),
      [],
    ]);
    const held = await admin.run(...prune.replace("run.journal", "held").split(" "));
    expect([held.code, held.stderr, deletions()]).toEqual([6, expect.stringContaining("held is in use"), []]);
  });

  test("truncated in its first line, or anywhere else, is resumed", async () => {
    const line = jobs.batch.split(" ");
    for (const text of ['{"jour', `{"journal":2,"command":"batch"`, ""]) {
      writeFileSync(at("run.journal"), text, { mode: 0o600 });
      expect(await admin.run(...line)).toMatchObject({ code: 0 });
      expect(await admin.run(...line)).toMatchObject({
        code: 0,
        stderr: "nothing was sent: it was done before\n",
      });
    }
    const whole = readFileSync(at("run.journal"), "utf8");
    writeFileSync(at("run.journal"), whole.slice(0, -5), { mode: 0o600 });
    expect(await admin.run(...line)).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("a scope", () => {
  test.each([
    "registry prune -p 7 -g acme --delete-regex v1.* --yes",
    "uploads prune -p 7 -g acme --older-than 1d --yes",
    "each --projects-file projects.txt --groups-file projects.txt -- job-token get",
    "each --projects-file projects.txt -- job-token get -p acme/docs",
  ])("that is given twice is exit 2: %s", (line) =>
    refused(line, /-p and -g|--project|give .*one of them|must not have its own/),
  );
});

test("a deletion that an earlier run started is done if the resource is gone, and not if the project is", async () => {
  const line = (project: string) =>
    JSON.stringify({ args: ["registry", "tags", "delete", "12", "v1.2.0", "-p", project, "--yes"] });
  writeFileSync(at("delete.ndjson"), `${line("7")}\n${line("999")}\n`);
  const words = "batch delete.ndjson --journal delete.journal --keep-order --fields status,exit --no-header".split(" ");
  expect(await admin.run(...words)).toMatchObject({ code: 9, stdout: "done\t0\nrefused\t3\n" });
  const begun = readFileSync(at("delete.journal"), "utf8").replace(/^.*"event":"end".*\n/gm, "");
  writeFileSync(at("delete.journal"), begun, { mode: 0o600 });
  expect(await admin.run(...words)).toMatchObject({ code: 9, stdout: "done\t0\nunknown\t3\n" });
});
