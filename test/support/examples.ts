import { writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { groups } from "../../src/commands/index.ts";
import { commandsIn } from "../../src/declare/describe.ts";
import type { Result, Session } from "./session.ts";
import { folderWithProgram, isPlain, runScript, shellWords } from "./shell.ts";
import { withTimeout } from "./with-timeout.ts";

const withoutRequests = new Set(["sandbox", "completion", "commands", "profiles", "auth"]);

/** Lines of the examples of every command that sends requests; `each` per command at most. */
export async function exampleLines(each?: number): Promise<string[]> {
  const entries = groups.filter(({ name }) => !withoutRequests.has(name));
  const nodes = await Promise.all(entries.map((entry) => entry.load()));
  return (
    nodes
      .flatMap((node) => [...commandsIn(node)])
      .flatMap(({ command }) => command.examples.slice(0, each).map(({ line }) => line))
      // It sends no requests, and does not end by itself.
      .filter((line) => !line.startsWith("hooks listen"))
  );
}

/**
 * One of each `oneOf` examples, chosen by FORGECTL_TEST_SEED and the number of the sample; with
 * FORGECTL_TEST_EXAMPLES=all, all of them.
 */
export function sampled<T>(examples: readonly T[], oneOf: number, sample = 0): readonly T[] {
  const { FORGECTL_TEST_EXAMPLES: asked, FORGECTL_TEST_SEED: seed = "1" } = process.env;
  return asked === "all" ? examples : examples.filter((_, index) => (index + sample + Number(seed)) % oneOf === 0);
}

/** An example as it runs without questions or long waits. */
export function unattended(line: string): string {
  const waits = / --(?:wait|repeat)\b/.test(line) ? " --wait-timeout 1" : "";
  const yes = line.includes("--yes") || line.includes("|") ? "" : " --yes";
  return `forgectl ${line}${yes}${waits}`;
}

const timeoutMs = 20_000;
/** The stderr of a run that did not end. */
export const late = "not ended before the timeout";

/** Types lines of a page in a session, with the files that they name in its home folder. */
export async function typist({ home, env, run }: Session) {
  const bin = folderWithProgram(home);
  for (const name of ["report.md", "question.md", "app.css", "logo.png", "body.json"])
    await writeFile(join(home, name), "{}\n");
  return async (line: string, more: Session["env"], { asProcess = false } = {}): Promise<Result> => {
    const PATH = `${bin}${delimiter}${env.PATH}`;
    const own = { FORGECTL_PROJECT: "7", FORGECTL_GROUP: "4", FORGECTL_RETRIES: "0" };
    const place = { cwd: home, env: { ...env, PATH, ...own, ...more } };
    if (!isPlain(line)) {
      const { output } = await withTimeout(runScript(line, place), timeoutMs, { code: null, output: late });
      return { code: null, stdout: output, stderr: output };
    }
    const [, ...words] = await shellWords(line, place);
    const running = run(...words, { ...place, asProcess });
    return withTimeout(running, timeoutMs, { code: null, stdout: "", stderr: late });
  };
}
