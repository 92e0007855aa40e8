import { writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import { groups } from "../../src/commands/index.ts";
import { commandsIn } from "../../src/declare/describe.ts";
import { distortingProxy, distortions } from "../support/distorting-proxy.ts";
import { sandboxSession } from "../support/session.ts";
import { folderWithProgram, isPlain, runScript, shellWords } from "../support/shell.ts";
import { withTimeout } from "../support/with-timeout.ts";

// An example of every command is run against an instance whose answers have undocumented forms. That must never be a
// bug of the program (exit 70), or an endless loop. Most commands run in this process, where a loop that waits for
// nothing stops the test run itself, without a result; with FORGECTL_TEST_ROUNDS all are processes, and the failure
// names the command.

/** With more rounds, all examples are run, with other distortions and seeds: for manual searches. */
const rounds = Number(process.env.FORGECTL_TEST_ROUNDS ?? 1);
const withoutRequests = new Set(["sandbox", "completion", "commands", "profiles", "auth"]);
const entries = groups.filter(({ name }) => !withoutRequests.has(name));
const nodes = await Promise.all(entries.map((entry) => entry.load()));
const lines = nodes
  .flatMap((each) => [...commandsIn(each)])
  .flatMap(({ command }) => command.examples.slice(0, rounds > 1 ? undefined : 1).map(({ line }) => line))
  // It sends no requests, and does not end by itself.
  .filter((line) => !line.startsWith("hooks listen"));

const { home, sandbox, env, run } = await sandboxSession();
const bin = folderWithProgram(home);
for (const name of ["report.md", "question.md", "app.css", "logo.png", "body.json"])
  await writeFile(join(home, name), "{}\n");

const timeoutMs = 20_000;
const late = "not ended before the timeout";

async function type(line: string, url: string): Promise<string> {
  const place = {
    cwd: home,
    env: {
      ...env,
      PATH: `${bin}${delimiter}${env.PATH}`,
      FORGECTL_BASE_URL: url,
      FORGECTL_PROJECT: "7",
      FORGECTL_GROUP: "4",
      FORGECTL_RETRIES: "0",
    },
  };
  if (!isPlain(line))
    return (await withTimeout(runScript(line, place), timeoutMs, { code: null, output: late })).output;
  const [, ...words] = await shellWords(line, place);
  const running = run(...words, { ...place, asProcess: rounds > 1 });
  return (await withTimeout(running, timeoutMs, { code: null, stdout: "", stderr: late })).stderr;
}

describe.concurrent("answers in undocumented forms", () => {
  test.each(lines.map((line, index) => [line, index] as const))("%s", { timeout: 600_000 }, async (line, index) => {
    const waits = / --(?:wait|repeat)\b/.test(line) ? " --wait-timeout 1" : "";
    const yes = line.includes("--yes") || line.includes("|") ? "" : " --yes";
    for (let round = 0; round < rounds; round++) {
      const how = distortions[(index + round) % distortions.length] ?? "field";
      const proxy = await distortingProxy(sandbox.url, how, index + 1000 * round);
      const stderr = await type(`forgectl ${line}${yes}${waits}`, proxy.url);
      expect(stderr, `${how}, seed ${index + 1000 * round}`).not.toMatch(/this is a bug in forgectl|^not ended/);
      expect(proxy.count).toBeLessThan(100);
    }
  });
});

test("all commands are included", () => expect(lines.length).toBeGreaterThan(80));
