import { expect, test } from "vitest";
import { groups } from "../../src/commands/index.ts";
import { commandsIn } from "../../src/declare/describe.ts";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { sampled } from "../support/examples.ts";
import { requestsIn, sandboxSession } from "../support/session.ts";
import { runLine } from "../support/shell.ts";
import { describeTerminal, openTerminal } from "../support/terminal.ts";
import { answered, casesOf, runCases, undoIn } from "../support/undo-cases.ts";

// Commands that must read the previous state for their undo line, which they do only at a terminal. By default half of
// them, chosen by FORGECTL_TEST_SEED; with FORGECTL_TEST_EXAMPLES=all, all.

const nodes = await Promise.all(groups.map((entry) => entry.load()));
const readingFirst = nodes
  .flatMap((node) => [...commandsIn(node)])
  .filter(({ command }) => command.undo?.before !== undefined)
  .map(({ path }) => path.join(" "));

async function signedIn(options: SandboxOptions = {}, more: Readonly<Record<string, string>> = {}) {
  const log: string[] = [];
  const own = await sandboxSession({ ...options, log: (line) => log.push(line) });
  const { FORGECTL_BASE_URL, FORGECTL_TOKEN } = own.env;
  const terminal = await openTerminal({ columns: 600, env: { FORGECTL_BASE_URL, FORGECTL_TOKEN, ...more } });
  const run = async (line: string) => {
    const { lines, code } = await terminal.run(`forgectl ${line}`);
    return { text: lines.join("\n"), code };
  };
  const typed = async (line: string) => (await terminal.run(line)).lines;
  /** The same without a terminal. */
  const quietly = (line: string) => runLine(own, line);
  return { run, quietly, typed, requests: () => requestsIn(log) };
}

const removal = "saml links remove -g acme Engineering";

describeTerminal("the undo line, typed as printed, undoes the change", () => {
  const cases = readingFirst.flatMap((name) => casesOf(name).map((each) => ({ name, ...each })));
  const editing = Object.entries(runCases).flatMap(([name, each]) =>
    each.editor === undefined ? [] : { name, ...each },
  );
  for (const { name, first = [], typed, check, editor } of sampled([...cases, ...editing], 2)) {
    test(`${name}: ${typed}`, async () => {
      const { run, quietly } = await signedIn({}, editor === undefined ? {} : { VISUAL: editor });
      for (const line of first) expect((await quietly(line)).code).toBe(0);
      const before = await quietly(`${check} -o json`);
      const changed = await run(typed);
      expect(await quietly(`${check} -o json`)).not.toEqual(before);
      const line = undoIn(changed.text);
      expect(line, changed.text).toBeDefined();
      expect(changed.text.trimEnd().split("\n").at(-1)).toMatch(/^undo: /);
      const undone = await run(answered(line?.replace(/ {3}# .*$/, "")));
      expect(undone.code, undone.text).toBe(0);
      expect(await quietly(`${check} -o json`)).toEqual(before);
    });
  }

  test("the previous value is read right before the change, and not before a prompt or a refusal", async () => {
    const { run, requests } = await signedIn();
    expect((await run(`${removal} --no-input`)).code).toBe(2);
    expect((await run("ldap links remove -g acme --cn .. --legacy --yes")).code).toBe(2);
    expect(requests()).toEqual([]);
    expect((await run(`${removal} --yes`)).code).toBe(0);
    expect(requests().map((line) => line.split(" ")[0])).toEqual(["GET", "DELETE"]);
  });

  test("what it does not restore is written after it", async () => {
    const { run } = await signedIn({ asDeployed: true });
    const behind = async (line: string) => /^undo: .* {3}# (.*)$/m.exec((await run(line)).text)?.[1];
    // resolving-merges
    expect(await behind("discussions resolve 9378a --mr 19 -p 7")).toBe(
      "a merge request that has merged since stays merged",
    );
    expect(await behind("discussions unresolve 9378a --mr 19 -p 7")).toBeUndefined();
    // approvals-end-with-rule
    const lost = expect.stringMatching(/^deployments that wait lose what was approved and rejected/);
    expect(await behind("envs unprotect production -p 7 --yes")).toEqual(lost);
  });

  test("what is said of a run stands below its rows", async () => {
    const { typed } = await signedIn();
    const file = "forgectl: 1\\nprojects: { acme/docs: { error_tracking: { active: true, integrated: true } } }\\n";
    const applied = await typed(`printf '${file}' | forgectl state apply -f - --yes`);
    expect(applied.map((line) => line.split(/[ :]/)[0])).toEqual(["address", "acme/docs#error_tracking", "1", "undo"]);
    const verified = await typed(
      "forgectl relations pull gateway -p acme/platform/gateway -q && forgectl relations verify gateway",
    );
    expect(verified.at(-1)).toMatch(/^all of \d+ files are intact$/);
  });

  test("--quiet and --dry-run read nothing for it, and print nothing", async () => {
    const { run, requests } = await signedIn();
    for (const flag of ["--dry-run", "--quiet"]) {
      const { text } = await run(`registry visibility private -p acme/storefront ${flag}`);
      expect(text).not.toContain("undo:");
      expect(requests().filter((line) => line.startsWith("GET"))).toEqual([]);
    }
  });

  test("a command that changed nothing has no undo line", async () => {
    const { run } = await signedIn();
    expect((await run("job-token limit on -p acme/storefront")).text).not.toContain("undo:");
  });

  test("if it cannot be read, the change is still made, without a line", async () => {
    const { run } = await signedIn({ faults: "GET /groups/acme/saml_group_links/Engineering=503*always" });
    const { text, code } = await run(`${removal} --yes`);
    expect([code, text.includes("undo:"), text.includes("warning")]).toEqual([0, false, false]);
    expect((await run("saml links list -g acme -o json")).text).not.toContain("Engineering");
  });
});
