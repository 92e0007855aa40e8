import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fleetSession, type LiveFleet, stateText, writeState } from "../support/fleet-server.ts";
import { type Session, sandboxSession, session } from "../support/session.ts";

// One declaration for many scopes. Each row is a file whose n-th line is line n, and what it declares.

type Row = { path: string; value: unknown; file: string; line: number; pattern: string | null; status: string };

const short: Record<string, string> = {
  container_registry_access_level: "reg",
  protected_environments: "envs",
  "error_tracking.active": "active",
  "error_tracking.integrated": "integrated",
  "job_token_scope.inbound_enabled": "inbound",
};

/** The effective declaration as `field value line`, entries of a list by key and line. */
async function effective({ run }: Session, path: string, flag = "-p", file = "f"): Promise<string[]> {
  const { code, stdout, stderr } = await run("state", "explain", flag, path, "-f", file, "-o", "json");
  expect(code, stderr).toBe(0);
  const rows = (JSON.parse(stdout) as Row[]).filter(({ status }) => status === "effective");
  return rows.map(({ path: name, value, line }) => {
    const [section = "", ...key] = name.split("/");
    const known = short[section] ?? section;
    if (key.length === 0) return `${known} ${Array.isArray(value) ? "none" : value} f:${line}`;
    const level = (value as { deploy_access_levels?: { access_level: number }[] }).deploy_access_levels?.[0]
      ?.access_level;
    return `${known} ${key.join("/")}${key[0] === "production" ? `(${level})` : ""} f:${line}`;
  });
}

const p = (level: number, line: number) => `envs production(${level}) f:${line}`;
const s = (line: number) => `envs staging f:${line}`;

describe("the effective declaration of a project", () => {
  test.each<[number, string[], Record<string, string[]>]>([
    [
      1,
      ["acme/**: {reg: private}"],
      { "acme/api": ["reg private f:1"], "acme/m/ios": ["reg private f:1"], "acme-labs/x": [] },
    ],
    [
      2,
      ["acme/**: {reg: private}", "acme/*: {reg: enabled}", "acme/web-*: {reg: disabled}"],
      { "acme/web-ui": ["reg disabled f:3"], "acme/api": ["reg enabled f:2"], "acme/m/web-ui": ["reg private f:1"] },
    ],
    [
      3,
      [
        "acme/**: {reg: private, error_tracking: {active: true}}",
        "acme/m/**: {error_tracking: {active: false}}",
        "acme/m/ios: {error_tracking: {integrated: true}}",
      ],
      { "acme/m/ios": ["reg private f:1", "integrated true f:3", "active false f:2"] },
    ],
    [4, ["acme/*: {reg: private}", "acme/*-api: {reg: disabled}"], { "acme/x-int-api": ["reg disabled f:2"] }],
    [
      6,
      ['acme/*-api: {except: ["acme/*-int-*"], reg: private}', "acme/*-int-*: {reg: disabled}"],
      { "acme/x-int-api": ["reg disabled f:2"], "acme/x-api": ["reg private f:1"] },
    ],
    [
      7,
      ["acme/*-api: {reg: private}", "acme/*-int-*: {error_tracking: {active: true}}"],
      { "acme/x-int-api": ["reg private f:1", "active true f:2"] },
    ],
    [8, ["acme/*-api: {reg: private}", "acme/*-web: {reg: disabled}"], { "acme/x-web": ["reg disabled f:2"] }],
    [
      9,
      ["acme/**/billing: {reg: disabled}", "acme/m/**: {reg: private}"],
      { "acme/m/billing": ["reg private f:2"], "acme/billing": ["reg disabled f:1"] },
    ],
    [10, ["acme/**: {envs: [P(40)]}", "acme/m/**: {envs: [S]}"], { "acme/m/ios": [s(2)], "acme/api": [p(40, 1)] }],
    [
      11,
      ["acme/**: {envs: [P(40)]}", "acme/m/**: {envs: [inherit, S]}", "acme/m/ios: {envs: [inherit, R]}"],
      { "acme/m/ios": [p(40, 1), s(2), "envs review f:3"] },
    ],
    [
      12,
      [
        "acme/**: {envs: [P(40), S]}",
        "acme/m/**: {envs: [inherit, P(30)]}",
        "acme/m/ios: {envs: [inherit, {name: staging, absent: true}]}",
      ],
      { "acme/m/ios": [p(30, 2)], "acme/m/web-ui": [p(30, 2), s(1)] },
    ],
    [18, ["acme/**: {envs: [P(40)]}", "acme/lab/a: {envs: []}"], { "acme/lab/a": ["envs none f:2"] }],
    [
      20,
      ["acme/**: {reg: private, envs: [P(40)]}", "acme/lab/**: {envs: unmanaged}", "acme/lab/a: {envs: [inherit, S]}"],
      { "acme/lab/b": ["reg private f:1"], "acme/lab/a": ["reg private f:1", s(3)] },
    ],
    [
      21,
      ['acme/**: {except: ["acme/lab/**"], reg: private}', "acme/lab/a: {error_tracking: {active: true}}"],
      { "acme/lab/a": ["active true f:2"] },
    ],
    [25, ["acme/**: {reg: private}", "Acme/API: {reg: enabled}"], { "acme/api": ["reg enabled f:2"] }],
    [
      34,
      ["acme/**: {envs: [P(40), S]}", "acme/api: {envs: [inherit, {name: staging, absent: true}]}"],
      { "acme/api": [p(40, 1)] },
    ],
  ])("row %i", async (_, lines, scopes) => {
    const here = session();
    writeState(here, lines);
    expect(await here.run("state", "validate", "-f", "f")).toMatchObject({ code: 0 });
    for (const [path, declared] of Object.entries(scopes)) {
      expect((await effective(here, path)).sort(), path).toEqual(declared.toSorted());
    }
  });

  test("row 9: what was overruled is shown with its place", async () => {
    const here = session();
    writeState(here, ["acme/**/billing: {reg: disabled}", "acme/m/**: {reg: private}"]);
    const { stdout } = await here.run("state", "explain", "-p", "acme/m/billing", "-f", "f", "--no-header");
    expect(stdout).toBe(
      "container_registry_access_level\tprivate\tf\t2\tacme/m/**\teffective\n" +
        "container_registry_access_level\tdisabled\tf\t1\tacme/**/billing\toverruled\n",
    );
  });

  test("what is declared by an ID is that of the path, or is said to be left out", async () => {
    const here = await sandboxSession();
    writeState(here, ["acme/**: {reg: private}", "2: {reg: disabled}"]);
    expect(await effective(here, "acme/docs")).toEqual(["reg disabled f:2"]);
    expect(await effective(here, "acme/website")).toEqual(["reg private f:1"]);
    const words = [
      "state",
      "explain",
      "-p",
      "acme/docs",
      "-f",
      "f",
      "--base-url",
      "http://127.0.0.1:9",
      "--retries",
      "0",
    ];
    expect(await here.run(...words)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("private"),
      stderr: expect.stringMatching(
        /^warning: acme\/docs could not be looked up .* even if it is that of this project$/m,
      ),
    });
  });

  test("row 23: an except is its block's", async () => {
    const here = session();
    mkdirSync(join(here.home, "d"));
    writeState(here, ["acme/**: {except: [acme/api], reg: private}"], "projects", "d/a.yaml");
    writeState(here, ["acme/**: {envs: [P(40)]}"], "projects", "d/b.yaml");
    expect(await effective(here, "acme/api", "-p", "d")).toEqual([p(40, 1)]);
    expect(await effective(here, "acme/web", "-p", "d")).toEqual(["reg private f:1", p(40, 1)]);
  });

  test("rows 28 and 29: patterns over groups are for groups below, and an exact scope is never inherited", async () => {
    const here = session();
    writeState(here, ["acme/**: {saml_group_links: [{name: A, access_level: guest}]}"], "groups");
    expect(await effective(here, "acme/m", "-g")).toEqual(["saml_group_links A f:1"]);
    expect(await effective(here, "acme", "-g")).toEqual([]);
    expect(await effective(here, "acme/api")).toEqual([]);
    writeState(
      here,
      [
        "acme: {saml_group_links: [{name: A, access_level: guest}]}",
        "acme/**: {saml_group_links: [inherit, {name: B, access_level: guest}]}",
      ],
      "groups",
    );
    expect(await effective(here, "acme/m", "-g")).toEqual(["saml_group_links B f:2"]);
    expect((await here.run("state", "validate", "-f", "f")).stdout).toContain("nothing to inherit");
  });
});

describe("what the files alone decide", () => {
  const approvals = "acme/m/**: {envs: [inherit, P(30)]}";
  test.each<[number, string[], string | undefined, number, string[]]>([
    [
      5,
      ["acme/*-api: {reg: private}", "acme/*-int-*: {reg: disabled}"],
      undefined,
      2,
      [
        "acme/*-int-*\terror\tand acme/*-api (f:1) can match one path, and both declare container_registry_access_level",
        'except: ["acme/*-int-*"] in f:1',
      ],
    ],
    [
      13,
      ["acme/**: {envs: [Q(40), S]}", approvals, "acme/m/ios: {envs: [inherit, {name: staging, absent: true}]}"],
      undefined,
      0,
      ["f\t2\tproduction\twarning\treplaces that of f:1 and no longer declares approval_rules"],
    ],
    [
      14,
      [
        "acme/**: {envs: [P(40)]}",
        "acme/m/**: {envs: [S]}",
        "acme/m/ios: {envs: [inherit, {name: production, absent: true}]}",
      ],
      undefined,
      0,
      ["f\t3\tproduction\twarning\tis not inherited (protected_environments of f:2 is [staging])"],
    ],
    [
      15,
      ["acme/api: {envs: [{name: production, absent: true}]}"],
      undefined,
      2,
      ["nothing is inherited here: leave the entry out"],
    ],
    [16, ["acme/api: {envs: [S, inherit]}"], undefined, 2, ["f\t1", "inherit is the first entry"]],
    [17, ["acme/api: {envs: [inherit, S]}"], undefined, 0, ["warning", "nothing to inherit"]],
    [
      19,
      ["acme/**: {envs: [P(40)]}", "acme/lab/a: {envs: null}"],
      undefined,
      2,
      ["f\t2", "is null", "[] for none, unmanaged to leave it alone, or leave it out to take f:1"],
    ],
    [
      20,
      ["acme/**: {envs: [P(40)]}", "acme/lab/**: {envs: unmanaged}", "acme/lab/a: {envs: [inherit, S]}"],
      undefined,
      0,
      ["f\t3", "nothing to inherit"],
    ],
    [22, ['acme/**: {except: ["globex/**"], reg: private}'], undefined, 2, ["can leave nothing out of acme/**"]],
    [22, ["acme/api: {except: [acme/x], reg: private}"], undefined, 2, ["only a pattern has exceptions"]],
    [
      30,
      ["acme/**: {hooks: [{id: 4, name: D, url: https://x.example}]}"],
      "groups",
      2,
      ["an id is of one group; under a pattern give name"],
    ],
    [
      30,
      ["acme/**: {hooks: [{name: D, url: https://x.example}]}"],
      "groups",
      0,
      ["warning\tfire also for the groups below: one event, several deliveries"],
    ],
    [30, ["acme/**: {hooks: []}"], "groups", 0, []],
    [
      31,
      ["acme/**: {envs: [{name: production, deploy_access_levels: [{user_id: 4}, {username: ana}, {group_id: 9}]}]}"],
      undefined,
      0,
      [],
    ],
    [
      37,
      ['acme/**: {hooks: [{name: D, url: https://x.example, token: {env: "TOKEN_{path}"}}]}'],
      "groups",
      2,
      ['"TOKEN_{path}" is not the name of a variable'],
    ],
    [38, ["acme/**/**: {reg: private}"], undefined, 2, ["** is a whole segment, once in a row"]],
    [38, ["acme/web-**: {reg: private}"], undefined, 2, ["** is a whole segment, once in a row"]],
    [38, ["acme/[ab]*: {reg: private}"], undefined, 2, ["* and ** are the only wildcards"]],
  ])("row %i", async (_, lines, of, code, words) => {
    const here = session();
    writeState(here, lines, of);
    const found = await here.run("state", "validate", "-f", "f");
    expect([found.code, found.stdout]).toEqual([code, found.stdout]);
    for (const word of words) expect(found.stdout).toContain(word);
    if (words.length === 0) expect(found.stdout).not.toContain("warning");
  });

  test.each([
    [
      "14",
      [
        "acme/**: {envs: [P(40)]}",
        "acme/m/**: {envs: [S]}",
        "acme/m/ios: {envs: [inherit, {name: production, absent: true}]}",
      ],
    ],
    ["17", ["acme/api: {envs: [inherit, S]}"]],
  ])("row %s with --strict", async (_, lines) => {
    const here = session();
    writeState(here, lines);
    expect(await here.run("state", "validate", "-f", "f", "--strict")).toMatchObject({ code: 2 });
  });

  test("rows 24, 25, and 35: one section in two cases, and two instances", async () => {
    const here = session();
    mkdirSync(join(here.home, "d"));
    const put = (name: string, text: string) => writeFileSync(join(here.home, "d", name), text);
    put("a.yaml", stateText(["acme/**: {reg: private}"]));
    put("b.yaml", stateText(["ACME/**: {reg: enabled}"]));
    const twice = await here.run("state", "validate", "-f", "d");
    expect(twice.code).toBe(2);
    expect(twice.stdout).toContain(
      "d/b.yaml\t1\tcontainer_registry_access_level\terror\tof ACME/** is already in d/a.yaml:1",
    );
    put("a.yaml", "instance: https://a.example\nforgectl: 1\n");
    put("b.yaml", stateText(["acme/api: {reg: enabled}"]));
    expect(await here.run("state", "validate", "-f", "d")).toMatchObject({ code: 0 });
    put("b.yaml", "forgectl: 1\ninstance: https://b.example\n");
    const instances = await here.run("state", "validate", "-f", "d");
    expect(instances.code).toBe(2);
    expect(instances.stdout).toContain("b.yaml\t2");
    expect(instances.stdout).toContain("d/a.yaml:1 is for https://a.example");
  });

  test("a value that a pattern gives anyway is pointed out", async () => {
    const here = session();
    writeState(here, ["acme/**: {reg: private}", "acme/api: {reg: private}"]);
    const { code, stdout } = await here.run("state", "validate", "-f", "f", "--no-header");
    expect([code, stdout]).toEqual([
      0,
      "f\t2\tprojects.acme/api.container_registry_access_level\tinfo\trepeats acme/** (f:1)\t\n",
    ]);
  });
});

const live = (): LiveFleet => ({
  groups: ["acme", "acme/m", "acme/lab"],
  projects: {
    "acme/web-ui": { id: 5 },
    "acme/api": { id: 7 },
    "acme/x-int-api": { id: 8 },
    "acme/m/ios": { id: 9 },
    "acme/m/web-ui": { id: 10 },
    "acme/lab/a": { id: 11 },
    "acme/old": { id: 12, archived: true },
  },
});

/** The rows of a plan as `address action file:line`. */
async function plan(
  { run }: Session,
  ...more: string[]
): Promise<{ code: number | null; rows: string[]; stderr: string }> {
  const { code, stdout, stderr } = await run("state", "plan", "-f", "f", "-o", "ndjson", ...more);
  const rows = stdout
    .trim()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return { code, stderr, rows: rows.map(({ address, action, file, line }) => `${address} ${action} ${file}:${line}`) };
}

const addresses = ({ rows }: { rows: string[] }) => rows.map((row) => row.split("#")[0]);

describe("a plan expands patterns from the instance", () => {
  test("row 1: archived projects are passed over, with a count", async () => {
    const here = await fleetSession(live());
    writeState(here, ["acme/**: {reg: private}"]);
    const planned = await plan(here);
    expect(addresses(planned).sort()).toEqual([
      "acme/api",
      "acme/lab/a",
      "acme/m/ios",
      "acme/m/web-ui",
      "acme/web-ui",
      "acme/x-int-api",
    ]);
    expect(planned.stderr).toContain("acme/** 6 projects (1 archived passed over)");
    const list = here.seen.find((line) => line.includes("/groups/acme/projects?") && line.includes("archived=false"));
    for (const word of ["include_subgroups=true", "with_shared=false", "order_by=id"]) expect(list).toContain(word);
  });

  test("-p is one look-up, and the same declaration", async () => {
    const here = await fleetSession(live());
    writeState(here, ["acme/**: {reg: private}", "acme/web-*: {reg: disabled}"]);
    for (const name of ["acme/api", "7", "ACME/API"]) {
      here.seen.length = 0;
      expect((await plan(here, "-p", name)).rows).toEqual(["acme/api#container_registry_access_level update f:1"]);
      expect(here.seen.filter((line) => line.includes("/groups/"))).toEqual([]);
    }
    expect(await plan(here, "-p", "globex/x")).toMatchObject({ code: 2 });
  });

  test("row 3: one row, with a place for each field", async () => {
    const fleet = live();
    fleet.projects["acme/m/ios"] = { id: 9, tracking: { active: true, integrated: false } };
    const here = await fleetSession(fleet);
    writeState(here, [
      "acme/m/**: {error_tracking: {active: false}}",
      "acme/m/ios: {error_tracking: {integrated: true}}",
    ]);
    const { stdout } = await here.run("state", "plan", "-f", "f", "-o", "json", "-p", "acme/m/ios");
    const [row] = JSON.parse(stdout);
    expect(row).toMatchObject({ file: "f", line: 2 });
    expect(row.fields.map(({ path, line }: { path: string; line: number }) => `${path} ${line}`).sort()).toEqual([
      "active 1",
      "integrated 2",
    ]);
  });

  test("row 10: what only the wider pattern has is extra where the narrower one decides", async () => {
    const fleet = live();
    const environment = (name: string) => ({ name, deploy_access_levels: [{ id: 1, access_level: 40 }] });
    fleet.projects["acme/m/ios"] = { id: 9, environments: [environment("production"), environment("staging")] };
    const here = await fleetSession(fleet);
    writeState(here, ["acme/**: {envs: [P(40)]}", "acme/m/**: {envs: [S]}"]);
    const row = "acme/m/ios#protected_environments/production";
    expect((await plan(here, "-p", "acme/m/ios")).rows).toEqual([`${row} extra f:2`]);
    expect((await plan(here, "-p", "acme/m/ios", "--prune")).rows).toEqual([`${row} delete f:2`]);
  });

  test("rows 21 and 22: an except is counted, and one that names a group is refused", async () => {
    const here = await fleetSession(live());
    writeState(here, ['acme/**: {except: ["acme/lab/**"], reg: private}']);
    expect((await plan(here)).stderr).toContain("acme/** 5 projects (1 archived passed over, 1 left out by except)");
    writeState(here, ["acme/**: {except: [acme/lab], reg: private}"]);
    const refused = await plan(here);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("f:1: acme/lab is a group; write acme/lab/**");
  });

  test("row 25: addresses have the instance's own path", async () => {
    const here = await fleetSession(live());
    writeState(here, ["acme/**: {reg: private}", "Acme/API: {reg: disabled}"]);
    const { rows } = await plan(here);
    expect(rows.filter((row) => row.toLowerCase().startsWith("acme/api"))).toEqual([
      "acme/api#container_registry_access_level update f:2",
    ]);
  });

  test("rows 26 and 27: an ID is exact, and its path decides the patterns", async () => {
    const here = await fleetSession(live());
    writeState(here, ["acme/**: {reg: private}", "acme/api: {reg: private}", "7: {reg: enabled}"]);
    const twice = await plan(here);
    expect(twice.code).toBe(2);
    expect(twice.stderr).toContain("f:3: 7 is acme/api, whose container_registry_access_level is in f:2");
    writeState(here, ["acme/**: {reg: private}", "7: {envs: [inherit, S]}"]);
    const planned = await plan(here);
    expect(planned.rows.filter((row) => row.startsWith("acme/api"))).toEqual([
      "acme/api#protected_environments/staging create f:2",
      "acme/api#container_registry_access_level update f:1",
    ]);
    expect(planned.stderr).toContain("f:2: projects.7.protected_environments has nothing to inherit");
  });

  test("row 32: entries are the same by path and by ID, and a project is left out of its own list", async () => {
    const fleet = live();
    fleet.projects["other/three"] = { id: 3 };
    const here = await fleetSession(fleet);
    writeState(here, [
      "acme/**: {job_token_scope: {inbound_enabled: true, allowlist: [acme/api, 3]}}",
      "acme/m/ios: {job_token_scope: {allowlist: [inherit, 7, {path: acme/web-ui}, {id: 3, absent: true}]}}",
      "acme/lab/a: {job_token_scope: {allowlist: [inherit, {path: other/three, absent: true}]}}",
    ]);
    const { rows } = await plan(here);
    const of = (path: string) => rows.filter((row) => row.startsWith(path)).map((row) => row.split("#")[1]);
    expect(of("acme/m/ios")).toEqual(["allowlist/7 create f:2", "allowlist/5 create f:2"]);
    expect(of("acme/api")).toEqual(["allowlist/3 create f:1"]);
    expect(of("acme/lab/a")).toEqual(["allowlist/7 create f:1"]);
  });

  test("row 33: what a pattern's list loses is counted over all of its projects", async () => {
    const fleet = live();
    for (const project of Object.values(fleet.projects)) project.allowlist = [3];
    fleet.projects["acme/api"] = { id: 7, allowlist: [3, 12, 99] };
    const here = await fleetSession(fleet);
    const api = "acme/api: {job_token_scope: {allowlist: [inherit, 12]}}";
    const apply = ["state", "apply", "-f", "f", "--prune", "--yes", "--dry-run"];
    writeState(here, ["acme/**: {job_token_scope: {allowlist: [3]}}", api]);
    expect((await plan(here, "--prune")).rows).toEqual(["acme/api#allowlist/99 delete f:2"]);
    writeState(here, ["acme/**: {job_token_scope: {allowlist: [3]}}"]);
    const few = await here.run(...apply);
    expect(few.code, few.stderr).toBe(0);
    writeFileSync(
      join(here.home, "f"),
      stateText(["acme/**: {job_token_scope: {allowlist: []}}", api]).replace(
        "projects:",
        "keep: {allowlist: [99]}, projects:",
      ),
    );
    const refused = await here.run(...apply);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("acme/** allowlist (f:1): 6 of 8 in 6 projects");
    expect((await here.run(...apply, "--max-delete", "all")).code).toBe(0);
    expect((await here.run("state", "plan", "-f", "f", "--prune", "--save", "plan.json")).code).toBe(0);
    const resumed = await here.run("state", "apply", "--plan", "plan.json", "--yes", "--dry-run");
    expect(resumed.stderr).toContain("acme/** allowlist (f:1): 6 of 8 in 6 projects");
    const saved = JSON.parse(readFileSync(join(here.home, "plan.json"), "utf8"));
    for (const shared of [[], saved.shared.map((each: object) => ({ ...each, removals: 1, size: 90 }))]) {
      writeFileSync(join(here.home, "plan.json"), JSON.stringify({ ...saved, shared }));
      const altered = await here.run("state", "apply", "--plan", "plan.json", "--yes", "--dry-run");
      expect([altered.code, altered.stdout]).toEqual([2, ""]);
      expect(altered.stderr).toContain("the plan's rows remove more than its counts say");
    }
  });

  test("row 28: patterns over groups are expanded from the groups below, without the first group itself", async () => {
    const here = await fleetSession(live());
    const links = "{saml_group_links: [{name: A, access_level: guest}]}";
    writeState(here, [`acme/**: ${links}`, "acme/lab: {saml_group_links: unmanaged}"], "groups");
    const planned = await plan(here);
    expect(planned.rows).toEqual(["acme/m#saml_group_links/A create f:1"]);
    expect(planned.stderr).toContain("acme/** 2 groups");
    expect(here.seen.filter((line) => line.includes("/projects"))).toEqual([]);
  });

  test("row 30: the hooks of a pattern are those of each group, by name", async () => {
    const here = await fleetSession(live());
    writeState(here, ["acme/**: {hooks: [{name: D, url: https://x.example, events: [push]}]}"], "groups");
    const planned = await plan(here);
    expect(planned.rows.sort()).toEqual(["acme/lab#hooks/D create f:1", "acme/m#hooks/D create f:1"]);
    expect(planned.stderr).toContain("fire also for the groups below: one event, several deliveries");
  });

  test("row 31: a user of a pattern is looked up once", async () => {
    const here = await fleetSession(live());
    writeState(here, ["acme/**: {envs: [{name: production, deploy_access_levels: [{user_id: 4}, {username: ana}]}]}"]);
    const { rows } = await plan(here);
    expect(rows.filter((row) => row.endsWith("unreadable f:1"))).toHaveLength(6);
    expect(here.seen.filter((line) => line.includes("/users?"))).toHaveLength(1);
  });

  test("row 37: a secret of a pattern is one for all of its groups, and another one is of a group", async () => {
    const here = await fleetSession(live());
    const hook = (more: string) => `{name: D, url: https://x.example, events: [push], token: {env: ${more}}}`;
    writeState(
      here,
      [`acme/**: {hooks: [${hook("TOKEN_ALL")}]}`, `acme/m: {hooks: [inherit, ${hook("TOKEN_M")}]}`],
      "groups",
    );
    const { stdout } = await here.run("state", "plan", "-f", "f", "-o", "json");
    const sources = (JSON.parse(stdout) as { address: string; fields: { path: string; source: string }[] }[]).map(
      ({ address, fields }) => `${address} ${fields.find(({ path }) => path === "token")?.source}`,
    );
    expect(sources.sort()).toEqual(["acme/lab#hooks/D $TOKEN_ALL", "acme/m#hooks/D $TOKEN_M"]);
  });

  test("row 34: keep is over all", async () => {
    const fleet = live();
    const environment = { name: "staging", deploy_access_levels: [{ id: 1, access_level: 40 }] };
    fleet.projects["acme/api"] = { id: 7, environments: [environment] };
    const here = await fleetSession(fleet);
    const lines = ["acme/**: {envs: [P(40), S]}", "acme/api: {envs: [inherit, {name: staging, absent: true}]}"];
    writeFileSync(
      join(here.home, "f"),
      stateText(lines).replace("projects:", 'keep: {protected_environments: ["stag*"]}, projects:'),
    );
    expect((await plan(here, "-p", "acme/api", "--prune")).rows).toEqual([
      "acme/api#protected_environments/production create f:1",
    ]);
  });

  test("row 36: archived, missing, and nothing that matches", async () => {
    const here = await fleetSession(live());
    writeState(here, ["acme/old: {reg: private}", "gone/**: {reg: private}", "acme/empty-*: {reg: private}"]);
    const planned = await plan(here, "--exit-code");
    expect(planned.code).toBe(9);
    expect(planned.rows).toEqual(["gone/**#container_registry_access_level unreadable f:2"]);
    expect(planned.stderr).toContain("acme/old is archived: passed over");
    expect(planned.stderr).toContain("f:3: acme/empty-* matches nothing");
  });

  test("a list that is not read to its end is never taken as all", async () => {
    const here = await fleetSession({ ...live(), broken: ["acme/projects"] });
    writeState(here, ["acme/**: {reg: private}", "acme/api: {reg: private}"]);
    const planned = await plan(here, "--retries", "0");
    expect([planned.code, planned.rows]).toEqual([
      9,
      ["acme/api#container_registry_access_level update f:2", "acme/**#container_registry_access_level unreadable f:1"],
    ]);
  });

  test("a saved plan holds exact scopes", async () => {
    const here = await fleetSession(live());
    writeState(here, ["acme/m/*: {reg: private}"]);
    await here.run("state", "plan", "-f", "f", "--save", "plan.json");
    here.seen.length = 0;
    const { code, stdout } = await here.run("state", "apply", "--plan", "plan.json", "--yes", "--dry-run");
    expect(code).toBe(0);
    expect(stdout).toContain("acme%2Fm%2Fios");
    expect(here.seen.filter((line) => line.includes("/groups/"))).toEqual([]);
  });
});

test("of inherited links of one name, the one with the same provider is replaced or taken out, and no other", async () => {
  const place = session();
  const link = (provider: string, more: string) => `{name: A, provider: ${provider}, ${more}}`;
  const inherited = ["p1", "p2"].map((provider) => link(provider, "access_level: developer")).join(", ");
  const left = async (entry: string) => {
    const own = `saml_group_links: [inherit, ${entry}]`;
    writeFileSync(
      join(place.home, "f"),
      `forgectl: 1\ngroups:\n  acme/**: {saml_group_links: [${inherited}]}\n  acme/m: {${own}}\n`,
    );
    const { code, stdout } = await place.run("state", "explain", "-g", "acme/m", "-f", "f", "-o", "json");
    const rows = (JSON.parse(stdout) as Row[]).filter(({ status }) => status === "effective");
    const links = rows.flatMap(({ value }) => value as { provider?: string; access_level: number });
    return [code, ...links.map(({ provider = "any", access_level: level }) => `${provider} ${level}`)];
  };
  expect(await left(link("p2", "access_level: maintainer"))).toEqual([0, "p1 30", "p2 40"]);
  expect(await left(link("p2", "absent: true"))).toEqual([0, "p1 30"]);
  expect(await left(link("p3", "access_level: maintainer"))).toEqual([0, "p1 30", "p2 30", "p3 40"]);
  // One without a provider means all of that name.
  expect(await left("{name: A, access_level: maintainer}")).toEqual([0, "any 40"]);
  expect(await left("{name: A, absent: true}")).toEqual([0]);
});
