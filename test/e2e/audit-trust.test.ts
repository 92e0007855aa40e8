import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { binary, node, type Session, sandboxSession } from "../support/session.ts";

// What an auditor relies on: nothing is accepted that the baseline file does not accept, nothing is left out that it
// asks for, and neither this machine's clock nor the reader of the output decides.

let admin: Awaited<ReturnType<typeof sandboxSession>>;
beforeAll(async () => {
  admin = await sandboxSession();
});

interface Row {
  where: string;
  rule: string;
  severity: string;
  verdict: string;
}
async function audited({ run }: Pick<Session, "run">, ...words: string[]): Promise<Row[]> {
  const { stdout } = await run("audit", ...words, "-o", "json", "-q");
  return JSON.parse(stdout) as Row[];
}
function baselineOf(content: object): string {
  const file = join(admin.home, "baseline.yaml");
  writeFileSync(file, JSON.stringify(content));
  return file;
}

/** Runs a process of its own; with `closes`, its stdout is closed after the first bytes. */
function spawned(
  words: readonly string[],
  { env = {}, closes = false } = {},
): Promise<{ code: number; stdout: string }> {
  return new Promise((resolve, reject) => {
    const own = { ...admin.env, ...env } as NodeJS.ProcessEnv;
    const child = spawn(node, [binary, ...words], { cwd: admin.home, env: own, stdio: ["ignore", "pipe", "ignore"] });
    let stdout = "";
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
      if (closes) child.stdout.destroy();
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? -1, stdout }));
  });
}

const accepted = { reason: "moves in May", until: "2999-12-31" };

describe("a baseline file accepts what it says", () => {
  test.each([
    [{ rules: [{ rule: "settings.*", where: "acme/legacy", exempt: accepted }] }, "rules[0].where does not hold"],
    [{ rules: [{ setting: "admin_mode", where: "acme/**", expect: { is: false } }] }, "rules[0].where does not hold"],
    [{ rules: [{ setting: "admin_mode", exempt: { ...accepted, where: "acme" } }] }, "rules[0].exempt.where is not"],
    [{ exempt: [{ setting: "*", ...accepted, where: "acme/legacy" }] }, "exempt[0].where is not allowed here"],
    [{ rules: [{ setting: "admin_mode", exempt: "2999-12-31" }] }, "rules[0].exempt must have"],
    [{ rules: [{ setting: "admin_mode", when: { setting: "x" } }] }, "rules[0].when is not allowed here"],
    [{ rules: [{ setting: "admin_mode", expect: { given: false } }] }, "rules[0].expect must have"],
    [{ rules: [{ setting: "max_login_attempts", expect: { atMost: "10" } }] }, "rules[0].expect must have"],
  ])("%j is exit 2 in both", async (content, message) => {
    const file = baselineOf(content);
    for (const command of [["audit"], ["settings", "audit"]]) {
      const { code, stdout, stderr } = await admin.run(...command, "--baseline", file);
      expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(message)]);
    }
  });

  test("an exemption for one project, written in the wrong place, accepts no other", async () => {
    const file = baselineOf({ rules: [{ rule: "job-token.open", exempt: { ...accepted, where: "acme/website" } }] });
    const { code, stderr } = await admin.run("audit", "-p", "acme/docs", "--baseline", file);
    expect([code, stderr]).toEqual([2, expect.stringContaining("rules[0].exempt.where is not allowed here")]);
  });

  test("a setting is of the instance", async () => {
    const file = baselineOf({ rules: [{ rule: "settings.admin_mode", where: "instance", exempt: accepted }] });
    const rows = await audited(admin, "--baseline", file);
    expect(rows.filter(({ rule }) => rule === "settings.admin_mode")).toMatchObject([{ verdict: "exempt" }]);
  });
});

test("--min-severity goes by the severity in the baseline file, and --rules prints it", async () => {
  const file = baselineOf({
    rules: [
      { rule: "users.dormant", severity: "high", expect: { atMost: 30 } },
      { rule: "envs.no_approval", where: "acme/storefront", severity: "high" },
      { rule: "job-token.open", severity: "low" },
      { rule: "hooks.foreign_host", expect: { in: ["*.acme.example"] } },
    ],
  });
  const words = ["-g", "acme", "--settings", "--baseline", file];
  const isFrom = (least: string) => (row: Row) => row.severity === least && row.verdict === "fail";
  const all = (await audited(admin, ...words)).filter(isFrom("high"));
  const high = await audited(admin, ...words, "--min-severity", "high");
  expect(high.filter(({ verdict }) => verdict === "fail")).toEqual(all);
  const names = new Set(high.map(({ rule }) => rule));
  expect([...names]).toEqual(expect.arrayContaining(["users.dormant", "envs.no_approval"]));
  expect(names.has("job-token.open")).toBe(false);
  const rules = await audited(admin, "--rules", "--baseline", file);
  expect(
    rules.filter(({ id }: { id?: string } & Row) => /^(users\.dormant|job-t.*|hooks\.for.*)$/.test(id ?? "")),
  ).toMatchObject([
    { id: "users.dormant", severity: "high", expect: "active within 30 days" },
    { id: "job-token.open", severity: "low" },
    { id: "hooks.foreign_host", expect: "a host of *.acme.example" },
  ]);
});

test("who is dormant is decided by the instance's clock", async () => {
  const dormant = ["users", "report", "--reason", "dormant", "--jq", ".[].username"];
  const right = (await admin.run(...dormant)).stdout;
  const rightRows = (await audited(admin)).filter(({ rule }) => rule === "users.dormant");
  expect(rightRows.length).toBeGreaterThan(10);
  const shift = join(admin.home, "clock.mjs");
  for (const days of [-400, 400]) {
    writeFileSync(
      shift,
      `const Real = Date; const by = ${days} * 86_400_000;
       globalThis.Date = class extends Real {
         constructor(...given) { if (given.length > 0) super(...given); else super(Real.now() + by); }
         static now() { return Real.now() + by; }
       };`,
    );
    const env = { NODE_OPTIONS: `--import=${shift}` };
    expect((await spawned(dormant, { env })).stdout).toBe(right);
    const { stdout } = await spawned(["audit", "-o", "json", "-q"], { env });
    const rows = (JSON.parse(stdout) as Row[]).filter(({ rule }) => rule === "users.dormant");
    expect(rows.map(({ where }) => where).sort()).toEqual(rightRows.map(({ where }) => where).sort());
  }
});

test("evidence still names every request", async () => {
  const out = join(admin.home, "evidence");
  expect((await admin.run("audit", "--out", out)).code).toBe(0);
  const lines = readFileSync(join(out, "sources.ndjson"), "utf8").trimEnd().split("\n");
  const users = lines.map((line) => JSON.parse(line)).find(({ area }) => area === "users");
  expect(users.requests.length).toBeGreaterThan(3);
});

test("an ID that cannot be looked up for a while ends a part: otherwise two parts would leave the project out", async () => {
  let isDown = true;
  const own = await alteringSession(({ path }) =>
    isDown && /^\/api\/v4\/projects\/\d+$/.test(path) ? { status: 500, body: { message: "500" } } : undefined,
  );
  const asked = ["-p", "1", "-p", "2", "-p", "3", "-p", "4", "-p", "7"];
  const down = await own.run("audit", ...asked, "--shard", "1/2", "-o", "json");
  expect([down.code, down.stdout]).toEqual([1, ""]);
  isDown = false;
  const parts = await Promise.all(["1/2", "2/2"].map((part) => audited(own, ...asked, "--shard", part, "--all")));
  const whole = await audited(own, ...asked, "--all");
  expect(parts.flat().length).toBe(whole.length);
});

test("an instance that cannot look up IDs is audited by them", async () => {
  const own = await alteringSession(({ path }) =>
    /^\/api\/v4\/projects\/\d+$/.test(path) ? { status: 405, body: { message: "405 Method Not Allowed" } } : undefined,
  );
  const { stderr, stdout } = await own.run("audit", "-p", "7", "--all", "-o", "json");
  expect([stderr, JSON.parse(stdout).length]).toEqual([
    expect.not.stringContaining("error: 405"),
    expect.toSatisfy((n) => n > 3),
  ]);
});

test.each([["users report"], ["job-token audit -g acme"], ["audit -g acme -o ndjson"]])(
  "%s --exit-code says what there is, however much of it is read",
  async (line) => {
    const words = [...line.split(" "), "--exit-code", "-q"];
    expect((await spawned(words, { closes: true })).code).toBe(10);
  },
);

test("approvals are judged by their number, with rules and without; the scheme of a hook as a client reads it", async () => {
  const rule = (id: number, required: number) => ({ id, access_level: 40, required_approvals: required });
  const environment = (name: string, count: number, ...rules: object[]) => ({
    ...{ name, deploy_access_levels: [{ id: 1, access_level: 40 }] },
    ...{ required_approval_count: count, approval_rules: rules },
  });
  const environments = [
    environment("none", 0),
    environment("two by number", 2),
    environment("one by number", 1),
    environment("rules of none", 0, rule(1, 0), rule(2, 0)),
    environment("one rule", 1, rule(1, 1)),
    environment("two rules", 0, rule(1, 1), rule(2, 1)),
    environment("one rule beside a number", 2, rule(1, 1)),
  ];
  const own = await alteringSession(({ path, body }) => {
    if (path.endsWith("/metadata")) return { body: { version: "16.11.2" } };
    if (/protected_environments/.test(path)) return { body: environments };
    if (!/\/hooks\?/.test(path)) return undefined;
    return { body: (body as object[]).map((hook) => ({ ...hook, url: " ht\ttp://hooks.acme.example/" })) };
  });
  const rows = JSON.parse((await own.run("envs", "audit", "-p", "7", "-o", "json")).stdout) as Record<string, string>[];
  expect(rows.map(({ environment: name, finding }) => [name, finding])).toEqual([
    ["none", "no_approval"],
    ["one by number", "single_approver"],
    ["rules of none", "no_approval"],
    ["one rule", "single_approver"],
    ["one rule beside a number", "single_approver"],
  ]);
  const hooks = (await own.run("hooks", "audit", "-g", "acme", "--jq", ".[].finding")).stdout.split("\n");
  expect(hooks.filter((finding) => finding === "plain_http")).toHaveLength(3);
});

test.each([
  "job-token audit -g acme",
  "envs audit -g acme",
  "audit -g acme",
  "each --projects-of acme -- job-token get",
])("with a job token, which lists only what is public, `%s` does not end as if nothing was found", async (line) => {
  const env = {
    FORGECTL_TOKEN: "",
    FORGECTL_BASE_URL: "",
    CI: "true",
    CI_SERVER_URL: admin.sandbox.url,
    CI_JOB_TOKEN: "job-t0ken",
  };
  const { code, stdout, stderr } = await admin.run(...line.split(" "), { env });
  expect([code, stdout]).toEqual([4, ""]);
  expect(stderr).toContain("this takes no job token, and the current token is one");
});

test("a list of projects without a name, or with a control character, is named as the cause", async () => {
  writeFileSync(join(admin.home, "projects.txt"), "# none\n");
  const empty = await admin.run("job-token", "audit", "--projects-file", "projects.txt");
  expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining("projects.txt names no project")]);
  writeFileSync(join(admin.home, "projects.txt"), "7\0\n");
  const odd = await admin.run("job-token", "audit", "--projects-file", "projects.txt");
  expect([odd.code, odd.stderr]).toEqual([2, expect.stringContaining("neither an ID nor a path")]);
});

test.each([
  ["job-token audit -g acme --projects-file", "project"],
  ["envs audit -p acme/docs --projects-file", "project"],
  ["audit -p acme/docs --projects-file", "project"],
  ["state export --settings -O - --projects-file", "project"],
  ["state export --settings -O - --groups-file", "group"],
])("`%s -` with an empty stdin, as a command that failed leaves it, is exit 2", async (line, of) => {
  for (const input of ["", "\n"]) {
    const { code, stdout, stderr } = await admin.run(...line.split(" "), "-", { input });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`error: stdin names no ${of}\n`);
  }
  // That file says that there is none.
  writeFileSync(join(admin.home, "none.txt"), "# none yet\n");
  expect((await admin.run(...line.split(" "), "none.txt")).code).toBe(0);
});
