import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import { toolFolder } from "../../scripts/other-tools.mjs";
import { sampled } from "../support/examples.ts";
import { sandboxSession, session } from "../support/session.ts";
import { folderWithProgram, runScript } from "../support/shell.ts";

// Each template is included as in a project, checked against the platform's own schema of CI files, and its job is run
// in a shell by a runner of such files. templates.test.ts has the cases; here, the exit codes that docs/ci.md promises,
// of every fourth case (FORGECTL_TEST_EXAMPLES=all: of all).

/** The runner, and a Node that it supports; undefined if they cannot be had, with a line that says so. */
function runnerHere(): { node: string; script: string } | undefined {
  try {
    if (spawnSync("rsync", ["--version"]).error !== undefined) throw new Error("rsync is not installed");
    const script = join(toolFolder("gitlab-ci-local"), "..", "gitlab-ci-local", "dist", "index.js");
    return { node: join(toolFolder("node@24"), "node"), script };
  } catch (error) {
    process.stderr.write(`SKIPPED: the templates were not run by a runner: ${(error as Error).message}\n`);
    return undefined;
  }
}

const runner = runnerHere();
const { sandbox, as } = await sandboxSession();
const administrator = as("administrator");
const bin = folderWithProgram(administrator.home);
const image = "registry.example.com/tools/forgectl:0.1.0";

const { administrator: token, owner, maintainer, readApi } = sandbox.tokens;
const files = {
  "empty/a.yaml": "forgectl: 1\n",
  "drift/a.yaml": "forgectl: 1\nsettings:\n  terminal_max_session_time: 77\n",
  "good.yaml": "forgectl: 1\nsettings:\n  signup_enabled: false\n",
  "bad.yaml": "forgectl: 1\nsettings:\n  signup_enabled: true\n",
  "broken.yaml": 'forgectl: 1\nsettings:\n  signup_enabled: "yes"\n',
};

interface Case {
  template: string;
  ends: string;
  inputs?: Readonly<Record<string, unknown>>;
  job?: string;
  variables?: Readonly<Record<string, string>>;
}

const schedule = { CI_PIPELINE_SOURCE: "schedule" };
const review = { CI_PIPELINE_SOURCE: "merge_request_event" };
const gateway = { project: "acme/platform/gateway", job: "check" };
const prune = { "delete-regex": "nightly-.*", "older-than": "1day" };
const cases: readonly Case[] = [
  { template: "fetch-artifacts", ends: "PASS", inputs: gateway },
  { template: "fetch-artifacts", ends: "FAIL 5", inputs: { ...gateway, project: "acme/website" } },
  { template: "prune-registry", ends: "PASS", inputs: prune, variables: schedule },
  { template: "prune-registry", ends: "FAIL 5", inputs: { ...prune, "dry-run": false }, variables: schedule },
  {
    template: "check-drift",
    ends: "PASS",
    inputs: { files: "empty" },
    variables: { ...schedule, FORGECTL_TOKEN: token },
  },
  {
    template: "check-drift",
    ends: "FAIL 10",
    inputs: { files: "drift" },
    variables: { ...schedule, FORGECTL_TOKEN: token },
  },
  {
    template: "check-drift",
    ends: "WARN 10",
    inputs: { files: "drift", "allowed-exit-codes": [10] },
    variables: { ...schedule, FORGECTL_TOKEN: token },
  },
  {
    template: "check-drift",
    ends: "FAIL 2",
    inputs: { files: "none" },
    variables: { ...schedule, FORGECTL_TOKEN: token },
  },
  {
    template: "apply-state",
    ends: "PASS",
    job: "plan-apply-state",
    inputs: { files: "drift" },
    variables: { ...review, FORGECTL_TOKEN: token },
  },
  {
    template: "apply-state",
    ends: "FAIL 9",
    job: "plan-apply-state",
    inputs: { files: "drift" },
    variables: { ...review, FORGECTL_TOKEN: readApi },
  },
  { template: "audit-settings", ends: "PASS", inputs: { file: "good.yaml" }, variables: review },
  { template: "audit-settings", ends: "FAIL 10", inputs: { file: "bad.yaml" }, variables: review },
  { template: "audit-settings", ends: "FAIL 2", inputs: { file: "broken.yaml" }, variables: review },
  {
    template: "each-project",
    ends: "PASS",
    inputs: { group: "acme", command: "job-token get", parallel: 2 },
    variables: { ...schedule, FORGECTL_TOKEN: maintainer },
  },
  { template: "audit", ends: "FAIL 10", inputs: { group: "acme" }, variables: { ...schedule, FORGECTL_TOKEN: owner } },
  {
    template: "audit-job-tokens",
    ends: "FAIL 10",
    inputs: { group: "acme" },
    variables: { ...schedule, FORGECTL_TOKEN: owner },
  },
];

/** A repository with the templates, which a file of the project includes. */
async function projectWith({ template, inputs = {} }: Case, index: number): Promise<string> {
  const cwd = join(administrator.home, `project-${index}`);
  cpSync("templates", join(cwd, "templates"), { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(cwd, path, ".."), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  // JSON is YAML.
  const include = { local: `templates/${template}.yml`, inputs: { image, ...inputs } };
  writeFileSync(
    join(cwd, ".gitlab-ci.yml"),
    JSON.stringify({ stages: ["build", "test", "deploy"], include: [include] }),
  );
  const git = "git -c user.name=A -c user.email=a@acme.example";
  const steps = [
    "git init -q -b main",
    "git remote add origin git@forge.example.com:acme/storefront.git",
    "git add -A",
  ];
  const { code, output } = await runScript([...steps, `${git} commit -qm x`].join(" && "), { cwd, env: process.env });
  expect(code, output).toBe(0);
  return cwd;
}

/** Runs a job, with `--needs` those that it needs before it; the output is without colors. */
async function runJob(cwd: string, job: string, variables: Readonly<Record<string, string>>, ...flags: string[]) {
  const all = {
    CI_SERVER_URL: sandbox.url,
    CI_JOB_TOKEN: sandbox.tokens.jobToken,
    CI_PROJECT_ID: "7",
    CI_PROJECT_PATH: "acme/storefront",
    ...variables,
  };
  const { node = "", script = "" } = runner ?? {};
  const given = Object.entries(all).flatMap(([name, value]) => ["--variable", `${name}=${value}`]);
  const words = [node, script, "--force-shell-executor", "--home", join(cwd, ".home"), ...given, ...flags, job];
  // Into a file: the runner ends without waiting until a pipe has taken all of it.
  await runScript(`exec ${words.map((word) => `'${word}'`).join(" ")} > .output 2>&1`, {
    cwd,
    env: { PATH: `${bin}${delimiter}${process.env.PATH}`, HOME: administrator.home },
  });
  const output = readFileSync(join(cwd, ".output"), "utf8");
  expect(output).toContain("json schema validated");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the runner's colors
  return output.replace(/\x1b\[[\d;]*m/g, "");
}

describe.runIf(runner !== undefined)("a runner runs the job of each template in a shell", () => {
  test.each(sampled(cases, 4).map((each, index) => [each.template, each.ends, each, index] as const))(
    "%s: %s",
    async (template, ends, each, index) => {
      const job = each.job ?? template;
      const output = await runJob(await projectWith(each, index), job, each.variables ?? {});
      const [word = "", code = ""] = ends.split(" ");
      expect(output).toMatch(new RegExp(`${word} +${code === "" ? job : `${code}\\b`}`));
    },
    60_000,
  );

  test("apply-state: what was planned is applied, and undone from the record on another machine", async () => {
    const cwd = await projectWith({ template: "apply-state", ends: "PASS", inputs: { files: "drift" } }, cases.length);
    const variables = { CI_PIPELINE_SOURCE: "push", FORGECTL_TOKEN: token, STATE_APPLY_TOKEN: token };
    const before = await lengthOfSessions();
    const output = await runJob(cwd, "apply-state", variables, "--needs");
    expect(output).toMatch(/PASS +plan-apply-state\n.*PASS +apply-state/s);
    expect(output).toContain(`-p acme/storefront --job-id`);
    expect(await lengthOfSessions()).toBe("77");
    const record = join(cwd, ".gitlab-ci-local", "artifacts", "apply-state", "state-record.ndjson");
    const laptop = session({ FORGECTL_BASE_URL: sandbox.url, FORGECTL_TOKEN: token });
    const undone = await laptop.run("state", "rollback", record, "--yes");
    expect([undone.code, undone.stderr]).toEqual([0, expect.stringContaining("1 change made and verified")]);
    expect(await lengthOfSessions()).toBe(before);
  }, 60_000);
});

const lengthOfSessions = async () => {
  const { stdout } = await administrator.run("settings", "get", "terminal_max_session_time");
  return stdout.trim();
};

test("every template is run", () => {
  const templates = readdirSync("templates").map((name) => name.replace(/\.yml$/, ""));
  expect([...new Set(cases.map(({ template }) => template))].sort()).toEqual(templates.sort());
});
