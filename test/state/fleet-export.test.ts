import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fleetSession, type LiveFleet, stateText } from "../support/fleet-server.ts";
import { type Session, sandboxSession } from "../support/session.ts";

// A group with everything below it, exported as it is and as patterns; patterns from the first plan to the rollback.

const read = ({ home }: Session, name: string) => readFileSync(join(home, name), "utf8");
const page = ["state", "export", "-g", "acme", "--recursive", "--compact", "-O", "page.yaml"];

interface PlanRow {
  address: string;
  action: string;
  file: string;
  line: number;
}

async function plan({ run }: Session, ...words: string[]) {
  const { code, stdout, stderr } = await run("state", "plan", ...words, "--exit-code", "-o", "json");
  return { code, stderr, rows: JSON.parse(stdout) as PlanRow[] };
}

test("a group is exported with everything below it, and a plan of the page is empty", async () => {
  const admin = await sandboxSession();
  const full = await admin.run("state", "export", "-g", "acme", "--recursive", "-O", "full.yaml");
  expect([full.code, full.stderr]).toEqual([0, ""]);
  const scopes = [...read(admin, "full.yaml").matchAll(/^ {2}(\S+):$/gm)].map(([, name]) => name);
  expect(scopes).toEqual(expect.arrayContaining(["acme", "acme/mobile", "acme/platform/infrastructure/terraform"]));
  expect(scopes).not.toContain("globex/brand-assets");
  expect((await admin.run(...page)).code).toBe(0);
  const text = read(admin, "page.yaml");
  expect(text).toMatch(/^ {2}acme\/\*\*:\n {4}# \d+ of 8$/m);
  expect(text.split("\n").length).toBeLessThan(read(admin, "full.yaml").split("\n").length);
  expect(await admin.run("state", "validate", "-f", "page.yaml", "--strict")).toMatchObject({ code: 0 });
  expect(await plan(admin, "-f", "page.yaml", "--count-extra", "--prune")).toMatchObject({ code: 0, rows: [] });
  const applied = await admin.run("state", "apply", "-f", "page.yaml", "--yes");
  expect([applied.code, applied.stderr]).toEqual([0, expect.stringContaining("no change")]);
  expect((await admin.run("state", "history", "-o", "json")).stdout.trim()).toBe("[]");
  expect((await admin.run(...page)).stdout).toContain("unchanged");
});

test("a change by hand is shown at the line of the pattern, and what is left out is counted", async () => {
  const admin = await sandboxSession();
  await admin.run(...page);
  await admin.run("registry", "visibility", "disabled", "-p", "acme/website");
  const { code, rows } = await plan(admin, "-f", "page.yaml");
  expect([code, rows.map(({ address, action }) => [address, action])]).toEqual([
    10,
    [["acme/website#container_registry_access_level", "update"]],
  ]);
  const [row] = rows;
  expect(read(admin, "page.yaml").split("\n")[(row?.line ?? 0) - 1]).toBe(
    "    container_registry_access_level: enabled",
  );
  const tools = await admin.run("state", "export", "-g", "open-tools", "--recursive", "--compact", "-O", "-");
  expect(tools.stderr).toContain("open-tools: left out 1 archived");
  expect(tools.stdout).toContain("# Left out: 1 archived\n");
  expect(tools.stdout).not.toContain("legacy-cli");
});

test("a list of projects on stdin, and what needs a group", async () => {
  const admin = await sandboxSession();
  const listed = await admin.run("state", "export", "--projects-file", "-", "-O", "-", { input: "acme/docs\n7\n" });
  expect([listed.code, listed.stdout]).toEqual([0, expect.stringMatching(/^ {2}acme\/docs:$/m)]);
  expect(listed.stdout).toMatch(/^ {2}"?7"?:$/m);
  for (const words of [
    ["--recursive", "-p", "acme/docs"],
    ["--compact", "-g", "acme"],
  ]) {
    const refused = await admin.run("state", "export", ...words, "-O", "-");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(words[0] ?? "")]);
  }
});

test("a folder with patterns takes no plain export, and a folder of scopes no page of them", async () => {
  const admin = await sandboxSession();
  const into = (folder: string, ...words: string[]) =>
    admin.run("state", "export", "-g", "acme", "--recursive", ...words, "--dir", folder);
  expect(await into("rules", "--compact")).toMatchObject({ code: 0 });
  const before = read(admin, "rules/groups/acme.yaml");
  const plain = await into("rules");
  expect([plain.code, plain.stderr]).toEqual([2, expect.stringContaining("acme/** is a pattern")]);
  expect((await into("rules", "--compact")).stdout).toContain("unchanged");
  expect(read(admin, "rules/groups/acme.yaml")).toBe(before);
  await into("scopes");
  const twice = await into("scopes", "--compact");
  expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining("is declared there too")]);
});

test("a pattern is applied, verified, applied once, and rolled back", async () => {
  const admin = await sandboxSession();
  const exported = async () => (await admin.run("state", "export", "-g", "acme", "--recursive", "-O", "-")).stdout;
  const before = await exported();
  writeFileSync(
    join(admin.home, "rules.yaml"),
    stateText([
      "acme/**: {reg: private, envs: [P(40)]}",
      "acme/platform/**: {envs: [inherit, S]}",
      "acme/docs: {envs: unmanaged}",
    ]),
  );
  const all = await plan(admin, "-f", "rules.yaml");
  expect(all.code).toBe(10);
  // A filter selects rows, and changes none.
  const gateway = "acme/platform/gateway";
  const filtered = await plan(admin, "-f", "rules.yaml", "-p", gateway);
  expect(filtered.rows.length).toBeGreaterThan(1);
  expect(filtered.rows).toEqual(all.rows.filter(({ address }) => address.startsWith(`${gateway}#`)));
  expect(all.rows.filter(({ address }) => address.startsWith("acme/docs#protected"))).toEqual([]);
  const applied = await admin.run("state", "apply", "-f", "rules.yaml", "--yes", "-o", "json");
  const statuses = new Set((JSON.parse(applied.stdout) as { status: string }[]).map(({ status }) => status));
  expect([applied.code, [...statuses]]).toEqual([0, ["done"]]);
  const after = await plan(admin, "-f", "rules.yaml");
  expect([after.code, after.rows.filter(({ action }) => action !== "extra")]).toEqual([0, []]);
  const again = await admin.run("state", "apply", "-f", "rules.yaml", "--yes");
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("no change")]);
  expect((await admin.run("state", "rollback", "--yes")).code).toBe(0);
  const bare = (text: string) => text.split("\n").slice(1).join("\n");
  expect(bare(await exported())).toBe(bare(before));
});

const fleet = (): LiveFleet => ({
  groups: ["acme", "acme/m"],
  projects: Object.fromEntries(
    ["acme/a", "acme/b", "acme/c", "acme/m/d", "acme/m/e"].map((path, at) => [
      path,
      { id: 20 + at, registry: "private" },
    ]),
  ),
});

test("a new project is covered at the next plan", async () => {
  const live = fleet();
  const here = await fleetSession(live);
  expect(await here.run(...page, "--only", "container_registry_access_level")).toMatchObject({ code: 0 });
  expect(await plan(here, "-f", "page.yaml")).toMatchObject({ code: 0, rows: [] });
  live.projects["acme/m/new"] = { id: 40, registry: "enabled" };
  expect(await plan(here, "-f", "page.yaml")).toMatchObject({
    code: 10,
    rows: [{ address: "acme/m/new#container_registry_access_level", file: "page.yaml", line: 11 }],
  });
});

test("what most projects have binds neither one that cannot be read nor one that is written in full", async () => {
  const live = fleet();
  live.projects["acme/m/e"] = { id: 24, registry: "private", refused: ["protected_environments"] };
  const here = await fleetSession(live);
  const exported = await here.run(...page, "--only", "container_registry_access_level,protected_environments");
  expect(exported.code).toBe(9);
  expect(read(here, "page.yaml")).toContain("  acme/m/e:\n    protected_environments: unmanaged\n");
  expect(read(here, "page.yaml")).toContain("# Left out: 1 section that could not be read\n");
  expect(await plan(here, "-f", "page.yaml")).toMatchObject({ code: 0, rows: [] });
});
