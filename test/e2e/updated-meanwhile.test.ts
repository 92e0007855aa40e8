import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { atEnd } from "../support/ending.ts";
import { binary, node, sandboxSession } from "../support/session.ts";

// A package manager replaces the files of the program while it runs: what it loads only then, an error's sentences
// among it, must be there.

/** Runs a copy of the program; `meanwhile` may remove files of it. */
async function copied(line: string, meanwhile: (dist: string) => void) {
  const { env, home } = await sandboxSession({ latencyMs: 1200 });
  const folder = mkdtempSync(join(tmpdir(), "forgectl-test-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  for (const part of ["bin", "dist", "package.json"]) {
    cpSync(join(dirname(binary), "..", part), join(folder, part), { recursive: true });
  }
  const child = spawn(node, [join(folder, "bin/forgectl.js"), ...line.split(" ")], {
    env: env as NodeJS.ProcessEnv,
    cwd: home,
  });
  child.stdin.end();
  meanwhile(join(folder, "dist"));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, stdout, stderr };
}

test.each([
  ["users get 999999", 3, /^error: could not get a user .*\ncause: not found/],
  ["users list --jq .[0].username", 0, /^shown 100 of 300; .*\n$/],
  ["each --projects-of acme/platform --yes -- envs unprotect gone", 9, /\ntry: +forgectl each --resume /],
])("%s ends as it would if the files were still in place", async (line, code, stderr) => {
  const removed = (dist: string) => void setTimeout(() => rmSync(dist, { recursive: true }), 900);
  expect(await copied(line, removed)).toMatchObject({ code, stderr: expect.stringMatching(stderr) });
});

test("a missing file is a failure of the program, which says so", async () => {
  const { code, stderr } = await copied("users get 999999", (dist) => {
    const chunks = readdirSync(join(dist, "chunks")).filter((name) => /^report-/.test(name));
    expect(chunks).not.toEqual([]);
    for (const name of chunks) rmSync(join(dist, "chunks", name));
  });
  expect([code, stderr]).toEqual([
    70,
    expect.stringMatching(
      /^error: the program failed\ncause: \S+ is missing: the program was updated or removed .*\n$/,
    ),
  ]);
});
