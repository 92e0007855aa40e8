import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import { beforeAll, describe, expect, test } from "vitest";
import { type Altered, alteringSession } from "../support/altering-proxy.ts";
import { type Session, sandboxSession } from "../support/session.ts";

// What plans, applies, and checks of files say to the pages of a merge request.

const schemaOf = (name: string) => JSON.parse(readFileSync(`test/fixtures/${name}`, "utf8")) as object;
const validator = (name: string) =>
  new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(schemaOf(name));
const [isSarif, isQuality] = [validator("sarif-2.1.0.json"), validator("code-quality.json")];

const file = `forgectl: 1
settings: { terminal_max_session_time: 60 }
groups:
  acme:
    saml_group_links:
      - { name: Engineering, access_level: owner }
      - { name: Newcomers, access_level: guest }
`;

let admin: Awaited<ReturnType<typeof sandboxSession>>;
beforeAll(async () => {
  admin = await sandboxSession();
});
const put = ({ home }: Session, name: string, text: string) => writeFileSync(join(home, name), text);

const reports = ["--report", "terraform=tf.json", "--report", "codequality=quality.json"];
interface Issue {
  description: string;
  check_name: string;
  fingerprint: string;
  location: { path: string; lines: { begin: number } };
}
/** The reports, which must be valid; they are removed, so that the next ones are new. */
function takeReports({ home }: Session): { counts: unknown; issues: Issue[] } {
  const read = (name: string) => JSON.parse(readFileSync(join(home, name), "utf8"));
  const found = { counts: read("tf.json"), issues: read("quality.json") };
  expect([isQuality(found.issues), isQuality.errors]).toEqual([true, null]);
  const prints = found.issues.map(({ fingerprint }: Issue) => fingerprint);
  expect(new Set(prints).size).toBe(prints.length);
  for (const name of ["tf.json", "quality.json"]) rmSync(join(home, name));
  return found;
}
const none = { create: 0, update: 0, delete: 0 };

describe("state plan and state apply", () => {
  test("plan: counts, and each difference with its file and line; 10 and 0, and nothing with -n", async () => {
    put(admin, "s.yaml", file);
    const words = ["state", "plan", "-f", "./s.yaml", ...reports];
    put(admin, "tf.json", "an earlier one");
    expect((await admin.run(...words, "--prune", "--exit-code")).code).toBe(10);
    const { counts, issues } = takeReports(admin);
    expect(counts).toEqual({ create: 1, update: 2, delete: 3 });
    expect(issues.length).toBe(6);
    expect(issues).toContainEqual(
      expect.objectContaining({
        check_name: "state.create",
        description: expect.stringContaining("acme#saml_group_links/Newcomers: create: name: null → Newcomers"),
        location: { path: "s.yaml", lines: { begin: 7 } },
      }),
    );
    const dry = await admin.run(...words, "-n");
    expect([dry.code, dry.stderr]).toEqual([0, expect.stringContaining("tf.json would be written")]);
    expect(existsSync(join(admin.home, "tf.json"))).toBe(false);
    put(admin, "same.yaml", "forgectl: 1\nsettings: { terminal_max_session_time: 0 }\n");
    expect((await admin.run("state", "plan", "-f", "same.yaml", ...reports)).code).toBe(0);
    expect(takeReports(admin)).toEqual({ counts: none, issues: [] });
    const wrong = await admin.run("state", "plan", "-f", "s.yaml", "--report", "sarif=x");
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('--report: must be one of terraform, codequality, not "sarif"'),
    ]);
  });

  test("apply: what is left of the plan; 9, 6, and 0, for no change too", async () => {
    let altered: Altered;
    const place = await alteringSession(({ method, path }) =>
      method === "POST" && path.includes("saml_group_links") ? altered : undefined,
    );
    put(place, "s.yaml", file);
    const apply = ["state", "apply", "--yes", ...reports];
    expect((await place.run("state", "plan", "-f", "s.yaml", "--save", "plan.json", "-q")).code).toBe(0);
    expect((await place.run(...apply, "-f", "s.yaml", "-n")).code).toBe(0);
    expect(existsSync(join(place.home, "tf.json"))).toBe(false);
    altered = { status: 403, body: { message: "403 Forbidden" } };
    expect((await place.run(...apply, "-f", "s.yaml")).code).toBe(9);
    const partly = takeReports(place);
    expect(partly.counts).toEqual({ create: 1, update: 2, delete: 0 });
    expect(partly.issues.map(({ description }) => description.split(": ")[0])).not.toContain("#settings");
    expect(partly.issues.length).toBeGreaterThan(0);
    altered = undefined;
    expect((await place.run(...apply, "-f", "s.yaml")).code).toBe(0);
    expect(takeReports(place).issues).toEqual([]);
    expect((await place.run(...apply, "-f", "s.yaml")).code).toBe(0);
    expect(takeReports(place)).toEqual({ counts: none, issues: [] });

    await place.run("settings", "set", "terminal_max_session_time=5", "--yes");
    expect((await place.run(...apply, "--plan", "plan.json")).code).toBe(6);
    const stale = takeReports(place);
    expect([stale.counts, stale.issues.length]).toEqual([{ create: 1, update: 2, delete: 0 }, 3]);
  });

  test("what cannot be read is a finding of its own (9)", async () => {
    put(admin, "gone.yaml", "forgectl: 1\ngroups: { acme/none: { saml_group_links: [] } }\n");
    expect((await admin.run("state", "plan", "-f", "gone.yaml", ...reports)).code).toBe(9);
    const { counts, issues } = takeReports(admin);
    expect([counts, issues]).toEqual([
      none,
      [expect.objectContaining({ check_name: "state.unreadable", severity: "info" })],
    ]);
  });
});

describe("what a page of a merge request relies on", () => {
  const issuesOf = async (text: string, ...words: string[]) => {
    put(admin, "s.yaml", text);
    const { code } = await admin.run("state", "plan", "-f", "s.yaml", ...reports, ...words);
    return { code, issues: takeReports(admin).issues };
  };
  const settings = (text: string) => issuesOf(`forgectl: 1\nsettings: { ${text} }\n`);

  test("another change of an object is a new finding, and the same one is not", async () => {
    const printOf = async (text: string) => (await settings(text)).issues[0]?.fingerprint;
    const one = await printOf("terminal_max_session_time: 60");
    expect(await printOf("terminal_max_session_time: 60")).toBe(one);
    expect(await printOf("terminal_max_session_time: 61")).not.toBe(one);
    expect(await printOf("terminal_max_session_time: 60, admin_mode: true")).not.toBe(one);
  });

  test("a text does not read as a change that is none", async () => {
    const forged = "x; admin_mode: false → true";
    const { issues } = await settings(`after_sign_up_text: ${JSON.stringify(forged)}`);
    expect(issues.map(({ description }) => description)).toEqual([
      `#settings: update: after_sign_up_text: null → "${forged}"`,
    ]);
    const table = await admin.run("state", "plan", "-f", "s.yaml", "-o", "markdown");
    expect(table.stdout).toContain(`| \`after_sign_up_text: null → "${forged}"\` |`);
  });

  test("what could not be read for --unmanaged is a finding, once (9)", async () => {
    const links = "forgectl: 1\ngroups: { acme: { saml_group_links: [] } }\n";
    for (const text of [links, `${links}settings: { admin_mode: true }\n`]) {
      put(admin, "s.yaml", text);
      const env = { FORGECTL_TOKEN: admin.sandbox.tokens.owner };
      const { code } = await admin.run("state", "plan", "-f", "s.yaml", "--unmanaged", ...reports, { env });
      const unread = takeReports(admin).issues.map(({ check_name: rule, location: { path } }) => [rule, path]);
      expect([code, unread.length, unread[0]?.[0]]).toEqual([9, 1, "state.unreadable"]);
    }
  });
});

describe("sarif of files, with line", () => {
  const sarifOf = (name: string) => {
    const log = JSON.parse(readFileSync(join(admin.home, name), "utf8"));
    expect([isSarif(log), isSarif.errors]).toEqual([true, null]);
    return log.runs[0].results as {
      ruleId: string;
      level: string;
      message: { text: string };
      locations: { physicalLocation: unknown }[];
    }[];
  };
  const at = (uri: string, startLine: number) => ({ artifactLocation: { uri }, region: { startLine } });

  test("state validate: written for errors (exit 2) and for none", async () => {
    put(admin, "a b#.yaml", "forgectl: 1\nsettings:\n  max_login_attempts: many\n  no_such_setting: 1\n");
    const words = ["state", "validate", "--report", "sarif=v.sarif"];
    expect((await admin.run(...words, "-f", "a b#.yaml")).code).toBe(2);
    const results = sarifOf("v.sarif");
    expect(results.map(({ ruleId, level }) => [ruleId, level])).toEqual(
      expect.arrayContaining([
        ["state.error", "error"],
        ["state.warning", "warning"],
      ]),
    );
    const error = results.find(({ ruleId }) => ruleId === "state.error");
    expect(error?.message.text).toContain("settings.max_login_attempts");
    expect(error?.locations[0]?.physicalLocation).toEqual(at("a%20b%23.yaml", 3));
    put(admin, "s.yaml", file);
    expect((await admin.run(...words, "-f", "s.yaml")).code).toBe(0);
    expect(sarifOf("v.sarif")).toEqual([]);
    expect((await admin.run(...words, "--report", "codequality=x", "-f", "s.yaml")).code).toBe(2);
  });

  test("settings audit -f: each finding at its setting; of an instance without a file", async () => {
    put(admin, "s.yaml", "forgectl: 1\nsettings:\n  terminal_max_session_time: 0\n  signup_enabled: true\n");
    const words = ["settings", "audit", "--exit-code", "--report", "sarif=a.sarif", "--report", "codequality=q.json"];
    expect((await admin.run(...words, "-f", "s.yaml")).code).toBe(10);
    const open = sarifOf("a.sarif").find(({ ruleId }) => ruleId === "settings.signup_enabled");
    expect([open?.level, open?.locations[0]?.physicalLocation]).toEqual(["error", at("s.yaml", 4)]);
    const issues = JSON.parse(readFileSync(join(admin.home, "q.json"), "utf8")) as Issue[];
    expect([isQuality(issues), isQuality.errors]).toEqual([true, null]);
    expect(issues.find(({ check_name: rule }) => rule === "settings.signup_enabled")?.location).toEqual({
      path: "s.yaml",
      lines: { begin: 4 },
    });
    await admin.run(...words);
    expect(sarifOf("a.sarif").every(({ locations: [place] }) => place?.physicalLocation === undefined)).toBe(true);
  });
});

describe("-o markdown of a plan", () => {
  test("is a folded table; without changes one line; only typed, and only of state plan", async () => {
    put(admin, "s.yaml", file);
    const { code, stdout } = await admin.run(..."state plan -f s.yaml --exit-code -o markdown".split(" "));
    expect(code).toBe(10);
    expect(stdout).toMatch(/^1 to create, 1 to change, 1 to replace.*\n\n<details><summary>/);
    expect(stdout).toContain("| `#settings` | `update` | `terminal_max_session_time: 0 → 60` |  | `s.yaml:2` |");
    put(admin, "same.yaml", "forgectl: 1\nsettings: { terminal_max_session_time: 0 }\n");
    expect((await admin.run(..."state plan -f same.yaml -o markdown".split(" "))).stdout).toBe(
      "no change; 1 object matches\n",
    );
    for (const words of ["settings plan -f same.yaml -o markdown", "state apply -f same.yaml --yes -o markdown"]) {
      expect((await admin.run(...words.split(" "))).code).toBe(2);
    }
    const stored = await admin.run(..."state plan -f s.yaml".split(" "), { env: { FORGECTL_OUTPUT: "markdown" } });
    expect([stored.code, stored.stderr]).toEqual([2, expect.stringContaining("type -o markdown")]);
  });

  test("a long one is cut to what a note takes, and says how many rows are left out", async () => {
    const count = 1500;
    const links = Array.from({ length: count }, (_, at) => `      - { name: "Team | ${at}", access_level: guest }\n`);
    put(admin, "long.yaml", `forgectl: 1\ngroups:\n  acme/platform:\n    saml_group_links:\n${links.join("")}`);
    const { stdout } = await admin.run(..."state plan -f long.yaml -o markdown".split(" "));
    expect(stdout.length).toBeLessThanOrEqual(60_000);
    const shown = stdout.split("\n").filter((line) => line.startsWith("| `acme")).length;
    expect(shown).toBeGreaterThan(100);
    expect(stdout).toContain(`\n${count - shown} more rows are not shown.\n`);
    expect(stdout).toContain("</details>");
  });
});
