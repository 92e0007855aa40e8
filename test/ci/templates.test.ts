import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import { environmentOf, fill, type Inputs, type Job, readTemplate } from "../support/pipeline.ts";
import { requestsIn, sandboxSession } from "../support/session.ts";
import { folderWithProgram, runScript } from "../support/shell.ts";

// Each template is filled in as the platform does, and its script run in a shell with the variables of a job.

const image = "registry.example.com/tools/forgectl:0.1.0";

function jobOf(name: string, given: Inputs): Job {
  const [job] = Object.values(fill(readTemplate(`templates/${name}.yml`), { image, ...given }));
  if (job === undefined) throw new Error(`${name} has no job`);
  return job;
}

const log: string[] = [];
const { sandbox, as } = await sandboxSession({ log: (line) => log.push(line) });
const maintainer = as("maintainer");
const bin = folderWithProgram(maintainer.home);
const ci = {
  ...maintainer.env,
  PATH: `${bin}${delimiter}${maintainer.env.PATH}`,
  FORGECTL_BASE_URL: undefined,
  FORGECTL_TOKEN: undefined,
  CI: "true",
  CI_SERVER_URL: sandbox.url,
  CI_JOB_TOKEN: sandbox.tokens.jobToken,
  CI_PROJECT_ID: "7",
  CI_PROJECT_PATH: "acme/storefront",
};

const newFolder = () => mkdtempSync(join(maintainer.home, "job-"));

/** Runs a job in a folder, with variables of the project in addition to those of CI. */
function run(job: Job, cwd: string, variables: Readonly<Record<string, string>> = {}) {
  return runScript(`set -e\n${job.script.join("\n")}`, { cwd, env: environmentOf(job, { ...ci, ...variables }) });
}

describe("fetch-artifacts", () => {
  const given = { project: "acme/platform/gateway", job: "check" };

  test("the job's token fetches the artifacts of a project that allows it", async () => {
    const cwd = newFolder();
    const job = jobOf("fetch-artifacts", given);
    expect((await run(job, cwd)).code).toBe(0);
    expect(readFileSync(join(cwd, "artifacts", "report.txt"), "utf8")).toBe("All is well in Gateway.\n");
    expect(job.artifacts?.paths).toEqual(["artifacts"]);
  });

  test.each(["site", "site/data", "deep/site/data"])("nothing is written through a link: %s", async (folder) => {
    const cwd = newFolder();
    const outside = newFolder();
    mkdirSync(join(outside, "data"));
    mkdirSync(join(cwd, "deep"));
    symlinkSync(outside, join(cwd, folder.replace(/\/data$/, "")));
    const { code, output } = await run(jobOf("fetch-artifacts", { ...given, folder }), cwd);
    expect([code, output]).toEqual([2, expect.stringContaining("site is a link of the repository")]);
    expect(readdirSync(outside, { recursive: true })).toEqual(["data"]);
  });

  test("a project that does not allow it, a missing job, and an invalid ref: exit 5, 3, and 2, and no folder", async () => {
    const cwd = newFolder();
    const { code, output } = await run(jobOf("fetch-artifacts", { ...given, project: "acme/website" }), cwd);
    expect([code, output]).toEqual([5, expect.stringContaining("not allowed to access the target project")]);
    expect(output).toContain("forgectl job-token projects add");
    const recent = { ...given, job: 'no "such" $CI_JOB_TOKEN', "search-recent": true };
    const missing = await run(jobOf("fetch-artifacts", recent), cwd);
    expect([missing.code, missing.output]).toEqual([
      3,
      expect.stringContaining("?job=no%20%22such%22%20%24CI_JOB_TOKEN&"),
    ]);
    expect((await run(jobOf("fetch-artifacts", { ...given, ref: "HEAD" }), cwd)).code).toBe(2);
    expect(readdirSync(cwd)).toEqual([]);
  });
});

describe("prune-registry", () => {
  const given = { "delete-regex": "nightly-.*", "older-than": "1day" };
  const deletions = () => requestsIn(log).filter((line) => line.startsWith("DELETE"));
  const token = { FORGECTL_TOKEN: sandbox.tokens.maintainer };

  test("by default it shows what would be deleted, which the job's token may do", async () => {
    const job = jobOf("prune-registry", given);
    const { code, output } = await run(job, newFolder());
    expect([code, output]).toEqual([0, expect.stringMatching(/\bnightly-\d+\tDELETE\tdelete_regex\b/)]);
    expect(deletions()).toEqual([]);
    expect(job.rules).toEqual([{ if: '$CI_PIPELINE_SOURCE == "schedule"' }]);
  });

  test("deleting requires a Maintainer: the job of a Developer fails, and deletes nothing", async () => {
    const { code, output } = await run(jobOf("prune-registry", { ...given, "dry-run": false }), newFolder());
    expect([code, output]).toEqual([5, expect.stringContaining("Maintainer role")]);
    const answers = deletions();
    expect(answers.length).toBeGreaterThan(0);
    expect(answers.filter((line) => !line.endsWith(" 403"))).toEqual([]);
  });

  test("a Maintainer's token deletes the matching tags, and keeps the ones it should", async () => {
    const tags = async () => {
      const { stdout } = await maintainer.run("registry", "tags", "list", "12", "-p", "7", "--jq", ".[].name");
      return stdout.split("\n").filter((name) => name.startsWith("nightly-"));
    };
    const before = await tags();
    const keep = before[8] as string;
    const all = { ...given, "dry-run": "false", "keep-n": "3", "keep-regex": keep, via: "tags" };
    expect((await run(jobOf("prune-registry", all), newFolder(), token)).code).toBe(0);
    const left = await tags();
    expect(left.length).toBe(4);
    expect(left).toContain(keep);
    expect(deletions().length).toBe(before.length - left.length);
  });
});

describe("check-drift", async () => {
  const administrator = as("administrator");
  const cwd = newFolder();
  const token = { FORGECTL_TOKEN: sandbox.tokens.administrator };
  const job = jobOf("check-drift", { "allowed-exit-codes": [10] });

  test("unchanged: 0; changed by hand: 10, which may be a warning; not readable: 4 and 9, which may not", async () => {
    await administrator.run("state", "export", "--settings", "-p", "acme/storefront", "--dir", join(cwd, "forge"));
    expect((await run(job, cwd, token)).code).toBe(0);
    await administrator.run("settings", "set", "terminal_max_session_time=90");
    const { code, output } = await run(job, cwd, token);
    expect([code, output]).toEqual([10, expect.stringContaining("terminal_max_session_time  90 → 0")]);
    expect(job.allow_failure).toEqual({ exit_codes: [10] });
    expect((await run(job, cwd)).code).toBe(4);
    expect((await run(job, cwd, { FORGECTL_TOKEN: sandbox.tokens.readApi })).code).toBe(9);
    await administrator.run("settings", "set", "terminal_max_session_time=0");
  });

  test("entries added by hand count by default", async () => {
    await administrator.run("job-token", "projects", "add", "2", "-p", "7");
    expect((await run(job, cwd, token)).code).toBe(10);
    expect((await run(jobOf("check-drift", { "count-extra": false }), cwd, token)).code).toBe(0);
    await administrator.run("job-token", "projects", "remove", "2", "-p", "7", "--yes");
  });

  test("no files: 2, and nothing is sent", async () => {
    log.splice(0);
    expect((await run(job, newFolder(), token)).code).toBe(2);
    expect(log).toEqual([]);
  });
});

describe("audit-settings", () => {
  const job = (given: Inputs = {}) => jobOf("audit-settings", { file: "settings.yaml", ...given });
  const folderOf = (settings: string) => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "settings.yaml"), `forgectl: 1\nsettings:\n  ${settings}\n`);
    return cwd;
  };

  test("a file that passes the rules: 0; one that fails a rule: 10; an invalid file: 2; and nothing is sent", async () => {
    log.splice(0);
    expect((await run(job(), folderOf("signup_enabled: false"))).code).toBe(0);
    const broken = await run(job(), folderOf("signup_enabled: true"));
    expect([broken.code, broken.output]).toEqual([
      10,
      expect.stringContaining("signup_enabled\ttrue\tfalse\thigh\tfail"),
    ]);
    expect((await run(job(), folderOf('signup_enabled: "yes"'))).code).toBe(2);
    expect((await run(job({ file: "none.yaml" }), newFolder())).code).toBe(2);
    expect(log).toEqual([]);
  });

  test("rules below the minimum severity and exempted rules are left out", async () => {
    const lenient = folderOf("session_expire_delay: 20160");
    expect((await run(job({ "min-severity": "low" }), lenient)).code).toBe(10);
    expect((await run(job({ "min-severity": "medium" }), lenient)).code).toBe(0);
    const cwd = folderOf("signup_enabled: true");
    mkdirSync(join(cwd, "rules of ours"));
    const baseline = "rules of ours/baseline.yaml";
    writeFileSync(
      join(cwd, baseline),
      'exempt: [{ setting: signup_enabled, reason: "a public forge", until: "2099-12-31" }]\n',
    );
    expect((await run(job({ baseline }), cwd)).code).toBe(0);
  });
});

describe("audit-job-tokens", () => {
  const token = { FORGECTL_TOKEN: sandbox.tokens.owner };
  const job = jobOf("audit-job-tokens", { group: "acme" });

  test("an open project: 10, with a list of all; after it is closed: 0", async () => {
    const cwd = newFolder();
    expect((await run(job, cwd, token)).code).toBe(10);
    const [path = ""] = job.artifacts?.paths ?? [];
    expect(readFileSync(join(cwd, path), "utf8")).toMatch(/^acme\/docs,true,/m);
    expect(readFileSync(join(cwd, path), "utf8").trim().split("\n").length).toBe(9);
    expect(job.artifacts?.when).toBe("always");
    await as("owner").run("job-token", "limit", "on", "-p", "acme/docs");
    expect((await run(job, cwd, token)).code).toBe(0);
  });

  test("unreadable projects: 9; a missing group: 3, and an empty list does not pass", async () => {
    const cwd = newFolder();
    expect((await run(job, cwd, { FORGECTL_TOKEN: sandbox.tokens.developer })).code).toBe(9);
    const none = newFolder();
    expect((await run(jobOf("audit-job-tokens", { group: "acme/none" }), none, token)).code).toBe(3);
    expect(existsSync(join(none, "job-tokens.csv"))).toBe(false);
  });
});

describe("each-project", () => {
  const given = { group: "acme", command: "job-token get" };
  const variables = { FORGECTL_TOKEN: sandbox.tokens.maintainer };

  test("each of the parallel jobs has its part, and together they have every project once", async () => {
    const job = jobOf("each-project", { ...given, parallel: 3 });
    const codes: (number | null)[] = [];
    const parts: string[] = [];
    for (const index of ["1", "2", "3"]) {
      const cwd = newFolder();
      const { code } = await run(job, cwd, { ...variables, CI_NODE_INDEX: index, CI_NODE_TOTAL: "3" });
      codes.push(code);
      const [, ...rows] = readFileSync(join(cwd, `rows-${index}.csv`), "utf8")
        .trimEnd()
        .split("\n");
      parts.push(...rows);
    }
    const whole = await maintainer.run(..."each --projects-of acme -o csv --no-header -- job-token get".split(" "));
    // A part is exit 9, or the error of its only project, if this user may not read one of them.
    expect(codes.every((code) => code === 0)).toBe(whole.code === 0);
    const lines = whole.stdout.trimEnd().split("\n");
    expect(parts.map((line) => line.trim()).sort()).toEqual(lines.map((line) => line.trim()).sort());
  });

  test("a command that changes something is refused, and sends nothing", async () => {
    requestsIn(log);
    const job = jobOf("each-project", { ...given, command: "job-token limit on" });
    const { code } = await run(job, newFolder(), { ...variables, CI_NODE_INDEX: "1", CI_NODE_TOTAL: "1" });
    expect([code, requestsIn(log)]).toEqual([5, []]);
  });
});

describe("audit", () => {
  const token = { FORGECTL_TOKEN: sandbox.tokens.administrator };
  const job = (given: Inputs = {}) => jobOf("audit", { group: "acme/mobile", ...given });

  test("a finding: 10, with the reports and the evidence; the instance is audited only if asked", async () => {
    const cwd = newFolder();
    const { code, output } = await run(job({ group: "acme" }), cwd, token);
    expect([code, output]).toEqual([10, expect.stringContaining("\tenvs.no_approval\tmedium\tfail\t")]);
    expect(output).not.toContain("\tsettings.");
    const { paths, ...kept } = job().artifacts as { paths: string[] };
    const reports = { codequality: "audit-quality.json" };
    // What is weak, and the evidence, is not for everybody who sees a public project.
    expect(kept).toEqual({ access: "developer", when: "always", reports });
    expect([...paths, "audit-quality.json"].sort()).toEqual(readdirSync(cwd).sort());
    expect((await run(job({ instance: true }), newFolder(), token)).output).toContain("\tsettings.admin_mode\t");
  });

  test("nothing found, and a finding that is accepted until a day: 0; not readable: 9; no such group: 3", async () => {
    expect((await run(job(), newFolder(), token)).code).toBe(0);
    const cwd = newFolder();
    const exempt = '{ reason: "accepted", until: "2999-12-31" }';
    const rules = ["job-token.*", "envs.*", "hooks.*"].map((rule) => `  - { rule: "${rule}", exempt: ${exempt} }`);
    writeFileSync(join(cwd, "baseline.yaml"), `rules:\n${rules.join("\n")}\n`);
    expect((await run(job({ group: "acme", baseline: "baseline.yaml" }), cwd, token)).code).toBe(0);
    const developer = { FORGECTL_TOKEN: sandbox.tokens.developer };
    expect((await run(job(), newFolder(), developer)).code).toBe(9);
    expect((await run(job({ group: "acme/none" }), newFolder(), token)).code).toBe(3);
  });
});

describe("apply-state", () => {
  const job = (which: "plan" | "apply", given: Inputs = {}) => {
    const jobs = fill(readTemplate("templates/apply-state.yml"), { image, files: "forge.yaml", ...given });
    return jobs[which === "plan" ? "plan-apply-state" : "apply-state"] as Job;
  };
  const administrator = as("administrator");
  const text = "forgectl: 1\nprojects: { acme/storefront: { container_registry_access_level: private } }\n";
  const folderOf = () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "forge.yaml"), text);
    return cwd;
  };
  const tokens = {
    FORGECTL_TOKEN: sandbox.tokens.readApi,
    STATE_NOTE_TOKEN: sandbox.tokens.developer,
    STATE_APPLY_TOKEN: sandbox.tokens.administrator,
  };
  // The pipeline is of a fork; the merge request, of the project that it is for.
  const request = { CI_PROJECT_ID: "2", CI_MERGE_REQUEST_PROJECT_ID: "7", CI_MERGE_REQUEST_IID: "19" };
  const inRequest = { ...tokens, ...request, CI_COMMIT_SHORT_SHA: "0a1b2c3d" };
  const notes = async () => {
    const { stdout } = await maintainer.run(..."notes list --mr 19 -p 7 --limit all -o json".split(" "));
    const all = JSON.parse(stdout) as { body: string }[];
    return all.map(({ body }) => body).filter((body) => body.includes("forgectl:state-plan"));
  };
  const visibility = async () =>
    (await administrator.run("projects", "get", "7", "--jq", ".container_registry_access_level")).stdout.trim();

  test("a reviewer reads the plan in one note of the merge request, and what a vanished runner applied is undone from a laptop", {
    timeout: 90_000,
  }, async () => {
    const before = await visibility();
    expect(before).not.toBe("private");
    requestsIn(log);
    const branch = folderOf();
    const planned = await run(job("plan"), branch, inRequest);
    expect([planned.code, planned.output]).toEqual([0, expect.stringContaining("created")]);
    const [note = "", ...others] = await notes();
    expect([note, others]).toEqual([expect.stringMatching(/^Plan of forge.yaml at 0a1b2c3d\n\n1 to change; /), []]);
    expect(note).toContain("| `acme/storefront#container_registry_access_level` | `update` |");
    expect((await run(job("plan"), folderOf(), inRequest)).output).toContain("unchanged");
    const changes = requestsIn(log).filter((line) => !line.startsWith("GET "));
    expect(changes.filter((line) => !line.includes("/merge_requests/19/notes"))).toEqual([]);

    // The same commit on the default branch, and then the manual step.
    const runner = folderOf();
    expect((await run(job("plan"), runner, { ...tokens, CI_COMMIT_SHORT_SHA: "0a1b2c3d" })).code).toBe(0);
    const applied = await run(job("apply"), runner, { ...tokens, CI_JOB_ID: "900" });
    expect([applied.code, applied.output]).toEqual([
      0,
      expect.stringContaining("undo: forgectl state rollback state-"),
    ]);
    expect(await visibility()).toBe("private");
    const after = await runScript((job("apply").after_script ?? []).join("\n"), {
      cwd: runner,
      env: { ...ci, CI_JOB_ID: "900" },
    });
    expect(after.output).toContain("forgectl artifacts cat state-record.ndjson -p acme/storefront --job-id 900");
    // Pasted together: an earlier record of that name is not rolled back if the download fails.
    expect(after.output).toMatch(/ -O state-record\.ndjson &&\n +forgectl state rollback state-record\.ndjson\n$/);

    // The runner and its state folder are gone; its artifact is not.
    const record = readFileSync(join(runner, "state-record.ndjson"));
    rmSync(runner, { recursive: true });
    const laptop = as("administrator");
    writeFileSync(join(laptop.home, "state-record.ndjson"), record);
    const back = await laptop.run("state", "rollback", "state-record.ndjson", "--yes");
    expect([back.code, back.stderr]).toEqual([0, expect.stringContaining("1 change made and verified")]);
    expect(await visibility()).toBe(before);
  });

  test("what the plan job keeps is what apply needs, one at a time, for developers alone", () => {
    const [plan, apply] = [job("plan"), job("apply")];
    expect(plan.artifacts).toMatchObject({ access: "developer", expire_in: "90 days", when: "always" });
    expect(plan.artifacts?.paths).toContain("state-plan.json");
    expect(apply).toMatchObject({
      resource_group: "state",
      needs: ["plan-apply-state"],
      artifacts: { access: "developer", expire_in: "90 days", when: "always", paths: ["state-record.ndjson"] },
      rules: [expect.objectContaining({ when: "manual" })],
    });
  });

  test("a plan that cannot be made fails the job, and says so in the note; without a token nothing is applied", async () => {
    const cwd = newFolder();
    const failed = await run(job("plan"), cwd, inRequest);
    expect(failed.code).toBe(2);
    expect((await notes())[0]).toContain("incomplete: exit code 2");
    const { code, output } = await run(job("apply"), folderOf(), { FORGECTL_TOKEN: tokens.FORGECTL_TOKEN });
    expect([code === 0, output]).toEqual([false, expect.stringContaining("STATE_APPLY_TOKEN: is not set")]);
  });

  test("two jobs of one pipeline, of whatever names, keep a note each", async () => {
    const names = ["apply-state", "second state", `${"a long name ".repeat(9)}1`, `${"a long name ".repeat(9)}2`];
    for (const name of names) {
      const jobs = fill(readTemplate("templates/apply-state.yml"), { image, files: "forge.yaml", "job-name": name });
      const planned = await run(jobs[`plan-${name}`] as Job, folderOf(), { ...inRequest, CI_COMMIT_SHORT_SHA: "two" });
      expect([planned.code, planned.output]).toEqual([0, expect.stringMatching(/created|updated/)]);
    }
    expect((await notes()).filter((note) => note.startsWith("Plan of forge.yaml at two\n")).length).toBe(names.length);
  });
});
