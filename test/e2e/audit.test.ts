import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import { beforeAll, describe, expect, test } from "vitest";
import { signedIn } from "../support/answering.ts";
import { requestsIn, sandboxSession } from "../support/session.ts";

const log: string[] = [];
let admin: Awaited<ReturnType<typeof sandboxSession>>;
beforeAll(async () => {
  admin = await sandboxSession({ asDeployed: true, log: (line) => log.push(line) });
});

const run = (...words: Parameters<typeof admin.run>) => admin.run("audit", ...words);
const newFolder = () => mkdtempSync(join(admin.home, "audit-"));

interface Row {
  where: string;
  rule: string;
  severity: string;
  verdict: string;
  finding: string | null;
  since: string | null;
  try: string | null;
}
async function rowsOf(...words: string[]): Promise<Row[]> {
  const { stdout } = await run(...words, "-o", "json", "-q");
  return JSON.parse(stdout) as Row[];
}
const baselineOf = (rules: readonly object[]) => {
  const file = join(newFolder(), "baseline.yaml");
  writeFileSync(file, JSON.stringify({ rules }));
  return file;
};
const forever = { reason: "accepted by the board", until: "2999-12-31" };

describe("what is audited", () => {
  test("by default settings and users of the instance, whatever project and group the environment names", async () => {
    requestsIn(log);
    const env = { FORGECTL_PROJECT: "acme/docs", FORGECTL_GROUP: "acme" };
    const { code, stdout, stderr } = await admin.run("audit", "--min-severity", "high", { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^where\trule\tseverity\tverdict\tfinding\tsince\ttry\n/);
    expect(stderr).toMatch(/^\d+ findings; .*\d+ passed: \d+ high\n$/);
    const paths = requestsIn(log).map((line) => line.replace(/\?.*/, "").split(" ")[1]);
    expect([...new Set(paths)].sort()).toEqual(["/api/v4/application/settings", "/api/v4/user", "/api/v4/users"]);
  });

  test("a group is everything below it: not what is shared, archived, or to be deleted, unless asked for", async () => {
    const { stderr } = await run("-g", "open-tools");
    expect(stderr).toContain("left out: 1 archived in open-tools");
    const projects = async (...words: string[]) =>
      (await rowsOf(...words, "--all")).filter(({ rule }) => rule === "job-token.open").map(({ where }) => where);
    expect((await projects("-g", "acme/mobile")).sort()).toEqual(["acme/mobile/android-app", "acme/mobile/ios-app"]);
    expect(await projects("-g", "open-tools")).not.toContain("open-tools/legacy-cli");
    expect(await projects("-g", "open-tools", "--archived")).toContain("open-tools/legacy-cli");
    expect((await projects("-g", "initech")).filter((path) => path.includes("deletion_scheduled"))).toEqual([]);
    // One project with two names is one.
    expect(await projects("-p", "7", "-p", "acme/storefront", "-p", "ACME/Storefront")).toEqual(["acme/storefront"]);
  });

  test("findings first, the most severe on top; ndjson in the order of reading; passes only with --all", async () => {
    const rows = await rowsOf("-g", "acme", "--settings", "--all");
    const rank = { fail: 0, unknown: 1, unset: 2, exempt: 3, pass: 4 } as Record<string, number>;
    const order = rows.map(
      ({ verdict, severity }) => (rank[verdict] ?? 9) * 3 + ["high", "medium", "low"].indexOf(severity),
    );
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    // A risk is only said where there is one, and a pass needs nothing done.
    for (const { verdict, finding, try: next } of rows) {
      expect([verdict === "pass", finding === null], verdict).toSatisfy(([pass, none]: boolean[]) => pass === none);
      if (next !== null) expect([verdict, next]).toEqual(["fail", expect.stringMatching(/^forgectl /)]);
    }
    expect(rows).toContainEqual({
      ...{ where: "acme/docs", rule: "job-token.open", severity: "high", verdict: "fail", since: null },
      finding: "jobs of every project of the instance have access",
      try: "forgectl job-token limit on -p acme/docs",
    });
    expect((await rowsOf("-g", "acme", "--settings")).map(({ verdict }) => verdict)).not.toContain("pass");
    const lines = (await run("-g", "acme", "--settings", "-o", "ndjson", "--all", "-q")).stdout.trim().split("\n");
    expect(lines.length).toBe(rows.length);
    expect((JSON.parse(lines[0] ?? "") as Row).where).toBe("instance");
  });

  test("the single audits find the same", async () => {
    const rows = await rowsOf("-g", "acme", "--allowed-hosts", "*.acme.example");
    const failed = (area: string) =>
      rows.filter(({ rule, verdict }) => rule.startsWith(`${area}.`) && verdict === "fail");
    const alone = async (...words: string[]) =>
      JSON.parse((await admin.run(...words, "-g", "acme", "-o", "json", "-q")).stdout) as Record<string, unknown>[];
    const open = (await alone("job-token", "audit")).filter((row) => row.open === true);
    expect(failed("job-token").map(({ where }) => where)).toEqual(open.map(({ project }) => project));
    const weak = await alone("envs", "audit");
    expect(
      failed("envs")
        .map(({ where, rule }) => `${where} ${rule}`)
        .sort(),
    ).toEqual(weak.map((row) => `${row.project} env ${row.environment} envs.${row.finding}`).sort());
    const hooks = await alone("hooks", "audit", "--allowed-hosts", "*.acme.example");
    expect(
      failed("hooks")
        .map(({ where, rule }) => `${where} ${rule}`)
        .sort(),
    ).toEqual(hooks.map((row) => `${row.group} hook ${row.id} hooks.${row.finding}`).sort());
    expect(hooks.length).toBeGreaterThan(2);
  });

  test("every rule is data: those of results are printed by --rules, without a request", async () => {
    requestsIn(log);
    const { stdout } = await run("--rules", "-o", "json");
    expect(requestsIn(log)).toEqual([]);
    const rules = JSON.parse(stdout) as { id: string; severity: string; why: string }[];
    const ids = rules.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, why } of rules)
      expect([id, why !== ""]).toEqual([expect.stringMatching(/^[a-z-]+\.[a-z0-9_]+$/), true]);
    const used = (await rowsOf("-g", "acme", "--settings", "--all", "--allowed-hosts", "x")).map(({ rule }) => rule);
    expect([...new Set(used)].filter((rule) => !ids.includes(rule))).toEqual([]);
  });
});

describe("exit codes", () => {
  test("10 for a finding with --exit-code; 0 without it, and if all is accepted", async () => {
    expect((await run("-p", "acme/docs")).code).toBe(0);
    expect((await run("-p", "acme/docs", "--exit-code")).code).toBe(10);
    const baseline = baselineOf([{ rule: "job-token.open", where: "acme/docs", exempt: forever }]);
    const accepted = await run("-p", "acme/docs", "--exit-code", "--baseline", baseline);
    expect([accepted.code, accepted.stdout]).toEqual([
      0,
      expect.stringContaining(
        "acme/docs\tjob-token.open\thigh\texempt\taccepted until 2999-12-31: accepted by the board",
      ),
    ]);
  });

  test("a scope that cannot be read is a row, and exit code 9; all of them without a token 4; no group 3", async () => {
    const developer = admin.as("developer");
    const { code, stdout, stderr } = await developer.run(
      "audit",
      "-p",
      "acme/docs",
      "-p",
      "acme/storefront",
      "-o",
      "json",
      "-q",
    );
    expect(code).toBe(9);
    const rows = JSON.parse(stdout) as Row[];
    expect(
      rows.filter(({ verdict }) => verdict === "unknown").map(({ rule, finding }) => [rule, finding]),
    ).toContainEqual(["job-token.*", expect.stringContaining("not read: ")]);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "partial", exit: 9 } });
    expect((await developer.run("audit")).code).toBe(9);
    const anonymous = await admin.run("audit", { env: { FORGECTL_TOKEN: "no-such-token" } });
    expect(anonymous.code).toBe(4);
    expect((await run("-g", "no-such-group")).code).toBe(3);
  });
});

describe("the baseline file", () => {
  test("a lapsed exemption is a finding, beside the finding that it no longer accepts", async () => {
    const lapsed = { reason: "until the migration", until: "2024-01-31" };
    const rows = await rowsOf(
      "-p",
      "acme/docs",
      "--baseline",
      baselineOf([{ rule: "job-token.open", exempt: lapsed }]),
    );
    expect(rows.map(({ rule, verdict, since }) => [rule, verdict, since])).toEqual([
      ["baseline.lapsed", "fail", "2024-01-31"],
      ["job-token.open", "fail", null],
    ]);
  });

  test("changes severities and expectations, by rule and place; the form of settings audit is valid in both", async () => {
    const file = baselineOf([
      { rule: "job-token.open", where: "acme/**", severity: "low" },
      { rule: "users.dormant", expect: { atMost: 36500 } },
      { setting: "session_expire_delay", expect: { atMost: 1 }, severity: "high" },
      { rule: "settings.admin_mode", exempt: forever },
    ]);
    const rows = await rowsOf("-p", "acme/docs", "--settings", "--baseline", file);
    const verdictOf = (id: string) =>
      rows.filter(({ rule }) => rule === id).map(({ severity, verdict }) => [severity, verdict]);
    expect(verdictOf("job-token.open")).toEqual([["low", "fail"]]);
    expect(verdictOf("users.dormant")).toEqual([]);
    expect(verdictOf("settings.session_expire_delay")).toEqual([["high", "fail"]]);
    expect(verdictOf("settings.admin_mode")).toEqual([["medium", "exempt"]]);
    const alone = JSON.parse((await admin.run("settings", "audit", "--baseline", file, "-o", "json")).stdout) as {
      setting: string;
      verdict: string;
    }[];
    expect(alone.filter(({ setting }) => setting === "admin_mode")).toMatchObject([{ verdict: "exempt" }]);
  });

  test.each([
    [
      { rule: "job-token.opne", exempt: forever },
      'rules[0].rule is not a rule: "job-token.opne"; did you mean job-token.open?',
    ],
    [{ rule: "envs.no_approval", exempt: { reason: "x" } }, "rules[0].exempt must have reason and until"],
    [
      { rule: "envs.no_approval", exempt: { reason: "x", until: "2099-02-30" } },
      "rules[0].exempt must have reason and until",
    ],
    [{ rule: "envs.no_approval", expect: { is: 1 } }, "rules[0].expect envs.no_approval has no value to change"],
    [{ rule: "hooks.foreign_host", severity: "worst" }, "rules[0].severity must be one of low, medium, high"],
  ])("%j is exit 2, and nothing is sent", async (entry, message) => {
    requestsIn(log);
    const { code, stderr } = await run("--baseline", baselineOf([entry]));
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(requestsIn(log)).toEqual([]);
  });
});

describe("reports", () => {
  const schemaOf = (name: string) => JSON.parse(readFileSync(`test/fixtures/${name}`, "utf8")) as object;
  const validator = (name: string) =>
    new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(schemaOf(name));

  test("are valid by their published schemas, with findings and without", async () => {
    const folder = newFolder();
    const files = { sarif: join(folder, "a.sarif"), codequality: join(folder, "q.json") };
    const reports = Object.entries(files).flatMap(([form, file]) => ["--report", `${form}=${file}`]);
    const [isSarif, isQuality] = [validator("sarif-2.1.0.json"), validator("code-quality.json")];
    const baseline = baselineOf([{ rule: "hooks.failing", exempt: forever }]);
    for (const [words, exit] of [
      [["-g", "acme", "--settings", "--exit-code", "--baseline", baseline], 10],
      [["-p", "acme/mobile/ios-app", "--exit-code"], 0],
    ] as const) {
      const rows = await rowsOf(...words, "--all");
      expect((await run(...words, ...reports)).code).toBe(exit);
      const [log21, issues] = [files.sarif, files.codequality].map((file) => JSON.parse(readFileSync(file, "utf8")));
      expect([isSarif(log21), isSarif.errors]).toEqual([true, null]);
      expect([isQuality(issues), isQuality.errors]).toEqual([true, null]);
      const count = (...verdicts: string[]) => rows.filter(({ verdict }) => verdicts.includes(verdict)).length;
      expect(issues.length).toBe(count("fail", "unknown"));
      expect(log21.runs[0].results.length).toBe(count("fail", "unknown", "exempt"));
      const prints = issues.map(({ fingerprint }: { fingerprint: string }) => fingerprint);
      expect(new Set(prints).size).toBe(prints.length);
    }
  });

  test("a form that is none: 2; a missing folder is created; -n and --rules write nothing", async () => {
    const folder = newFolder();
    const file = join(folder, "q.json");
    expect((await run("--report", `codequalty=${file}`)).stderr).toContain("did you mean codequality?");
    writeFileSync(file, "");
    expect((await run("--report", `sarif=${join(file, "a.sarif")}`)).code).toBe(2);
    rmSync(file);
    const below = join(newFolder(), "none", "a.sarif");
    expect((await run("-p", "acme/docs", "--report", `sarif=${below}`)).code).toBe(0);
    expect(JSON.parse(readFileSync(below, "utf8"))).toMatchObject({ version: "2.1.0" });
    expect((await run("-p", "acme/docs", "--report", `codequality=${file}`, "-n")).stderr).toContain(
      "would be written",
    );
    await run("--rules", "--report", `codequality=${file}`);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("Markdown fits a note, whatever the findings are; other commands have no such output", async () => {
    const { code, stdout } = await run("--settings", "-g", "acme", "-o", "markdown");
    expect([code, stdout.length <= 60_000]).toEqual([0, true]);
    expect(stdout).toMatch(/^\d+ findings; .*\n\n<details><summary>/);
    expect(stdout).toContain("| `acme/docs` | `job-token.open` | `high` | `fail` |");
    expect((await admin.run("users", "list", "-o", "markdown")).code).toBe(2);
    const fromEnvironment = await admin.run("audit", { env: { FORGECTL_OUTPUT: "markdown" } });
    expect([fromEnvironment.code, fromEnvironment.stderr]).toEqual([2, expect.stringContaining("type -o markdown")]);
  });
});

describe("--out", () => {
  test("writes evidence that a stranger can check, with nothing secret in it", async () => {
    const folder = join(newFolder(), "evidence");
    const hook = await admin.run(
      ...["hooks", "create", "https://user:pass-in-url@in.example.com/path-secret?key=query-secret", "-g", "acme"],
      ...["--token-file", "-", "--header", "X-Key: header-secret", "-o", "json"],
      { input: "hook-token-secret\n" },
    );
    expect(hook.code).toBe(0);
    await admin.run("settings", "set", "spam_check_api_key=setting-secret");
    const rows = await rowsOf("-g", "acme", "--settings", "--all");
    expect((await run("-g", "acme", "--settings", "--out", folder)).code).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(
      ["SHA256SUMS", "manifest.json", "report.csv", "report.md", "sources.ndjson"].sort(),
    );
    const text = (name: string) => readFileSync(join(folder, name), "utf8");
    for (const line of text("SHA256SUMS").trim().split("\n")) {
      const [sum, name = ""] = line.split("  ");
      expect([name, sum]).toEqual([
        name,
        createHash("sha256")
          .update(readFileSync(join(folder, name)))
          .digest("hex"),
      ]);
    }
    expect(JSON.parse(text("manifest.json"))).toMatchObject({
      instance: admin.sandbox.url,
      asked_by: { username: "root" },
      unreadable: 0,
      files: { "sources.ndjson": { size: readFileSync(join(folder, "sources.ndjson")).length } },
    });
    // Each request is one that the instance has answered, by its own ID.
    const sources = text("sources.ndjson")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const ids = sources.flatMap(({ requests }) => requests.map((each: { request_id: string }) => each.request_id));
    expect(ids.length).toBeGreaterThan(10);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).not.toContain(null);
    expect(text("report.csv").trim().split("\n").length).toBe(rows.length + 1);
    const secrets = [
      "pass-in-url",
      "path-secret",
      "query-secret",
      "hook-token-secret",
      "header-secret",
      "setting-secret",
    ];
    const demo = [...Object.values(admin.sandbox.tokens), "sandbox-hook-secret", "sandbox-deploy-key"];
    const all = readdirSync(folder).map(text).join("\n");
    expect([...secrets, ...demo].filter((secret) => all.includes(secret))).toEqual([]);
  });

  test("a folder that exists is exit 2, before anything is sent; one that cannot be completed is removed", async () => {
    const folder = newFolder();
    requestsIn(log);
    expect(await run("--out", folder)).toMatchObject({ code: 2, stderr: expect.stringContaining("exists already") });
    expect(requestsIn(log)).toEqual([]);
    const missing = join(folder, "new");
    expect((await admin.run("audit", "--out", missing, { env: { FORGECTL_TOKEN: "no-such-token" } })).code).toBe(4);
    expect(existsSync(missing)).toBe(false);
    const partial = await admin.as("developer").run("audit", "-p", "acme/docs", "--out", missing);
    expect(partial.code).toBe(9);
    expect(JSON.parse(readFileSync(join(missing, "manifest.json"), "utf8"))).toMatchObject({ unreadable: 2 });
    // Everything was read, and the output failed: the folder has no report.
    const other = join(folder, "other");
    expect((await run("-p", "acme/docs", "--out", other, "--jq", "error(1)")).code).toBe(2);
    expect(existsSync(other)).toBe(false);
  });

  test("what a user puts into the folder meanwhile stays, if the evidence is not completed", async () => {
    const folder = join(newFolder(), "new");
    const { run: audit } = await signedIn((_request, response) => {
      if (existsSync(folder)) writeFileSync(join(folder, "notes.txt"), "mine");
      response.writeHead(401, { "content-type": "application/json" }).end("{}");
    });
    expect((await audit("audit", "--out", folder)).code).toBe(4);
    expect(readdirSync(folder)).toEqual(["notes.txt"]);
  });
});

test("job-token audit: a project that does not exist has a row, and does not end the audit", async () => {
  const words = "job-token audit -p acme/nowhere -p acme/docs -o ndjson".split(" ");
  const { code, stdout } = await admin.run(...words);
  const rows = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const unread = { project: "acme/nowhere", open: null, projects: null, groups: null };
  expect([code, rows]).toEqual([
    9,
    [
      { ...unread, error: expect.stringContaining("not found") },
      expect.objectContaining({ project: "acme/docs", error: null }),
    ],
  ]);
});

test.each(["FORGECTL_BASE_URL", "CI_SERVER_URL", "a profile"])(
  "files, which are read elsewhere, name the instance of %s",
  async (name) => {
    const folder = newFolder();
    const [out, sarif] = [join(folder, "out"), join(folder, "a.sarif")];
    const { url } = admin.sandbox;
    const env = { FORGECTL_BASE_URL: undefined, ...(name !== "a profile" && { [name]: url }) };
    if (name === "a profile") await admin.run("profiles", "set", "default", `base-url=${url}`, { env });
    const words = ["-p", "acme/docs", "--min-severity", "high", "--out", out, "--report", `sarif=${sarif}`];
    const { stdout } = await run(...words, { env });
    expect(stdout).toContain("\tforgectl job-token limit on -p acme/docs\n");
    const line = `forgectl --base-url ${url} job-token limit on -p acme/docs`;
    for (const file of [`${out}/report.csv`, `${out}/report.md`, sarif])
      expect(readFileSync(file, "utf8")).toContain(line);
  },
);
