import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { requestsIn, sandboxSession } from "../support/session.ts";

// A saved plan is exactly what it shows: nothing that was altered, damaged, or is no longer true is applied.

let log: string[];
let admin: Awaited<ReturnType<typeof sandboxSession>>;
beforeEach(async () => {
  log = [];
  admin = await sandboxSession({ log: (line) => log.push(line) });
});

const changesSent = () => requestsIn(log).filter((line) => !line.startsWith("GET "));
const at = (name: string) => join(admin.home, name);
function write(name: string, text: string): void {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
}
const env = { HOOK_URL: "https://chat.example/SuperSecretPath", TOKEN: "token-of-the-hook" };
const save = async (text: string, ...more: string[]) => {
  write("f/state.yaml", `forgectl: 1\n${text}`);
  const saved = await admin.run("state", "plan", "-f", "f", "--save", "plan.json", ...more, { env });
  expect([saved.code, saved.stderr]).toEqual([expect.any(Number), expect.not.stringContaining("error:")]);
  return saved;
};
const apply = (...more: string[]) =>
  admin.run("state", "apply", "--plan", "plan.json", "--yes", "--fields", "address,status", "--no-header", ...more, {
    env,
  });
type Json = Record<string, unknown>;
type Row = Json & { declared: { values: Json } | null; from: Json | null; fields: Json[] };
type Saved = Json & { changes: Row[] };
const alter = (change: (plan: Saved) => void) => {
  const plan = JSON.parse(readFileSync(at("plan.json"), "utf8")) as Saved;
  change(plan);
  writeFileSync(at("plan.json"), JSON.stringify(plan));
};

/** Every kind of change: made, changed, replaced, removed, disarmed, and only listed. */
const everything = `
settings:
  after_sign_up_text: { file: welcome.md }
  terminal_max_session_time: 60
  external_auth_client_key: { env: TOKEN }
groups:
  acme:
    hooks:
      - { name: Deploys, url: "https://deploys.new.example/", events: [push], token: { env: TOKEN } }
      - { url: { env: HOOK_URL }, events: [note], custom_headers: [{ key: X-A, value: { env: TOKEN } }] }
    saml_group_links: [{ name: Platform Leads, access_level: owner }]
projects:
  acme/storefront:
    container_registry_access_level: private
    job_token_scope: { inbound_enabled: true, allowlist: [acme/website, acme/docs] }
    protected_environments:
      - { name: production, deploy_access_levels: [{ username: mateo.marin }, { access_level: 40 }] }
    error_tracking: { active: false }
`;

test("a plan of every kind is applied as it was shown, and again sends nothing", async () => {
  write("f/welcome.md", "Ask in #forge.\n");
  const planned = await save(everything, "--prune", "--max-delete", "all").catch(() => undefined);
  expect(planned ?? (await save(everything, "--prune"))).toBeDefined();
  expect(readFileSync(at("plan.json"), "utf8")).not.toMatch(/SuperSecretPath|token-of-the-hook|"folder"/);
  changesSent();
  const applied = await apply("-f", "f", "--max-delete", "all");
  expect([applied.code, applied.stderr]).toEqual([0, expect.stringContaining("16 changes made, 13 verified; ")]);
  const rows = (JSON.parse(readFileSync(at("plan.json"), "utf8")) as Saved).changes;
  expect(
    applied.stdout
      .trim()
      .split("\n")
      .map((line) => line.split("\t")[0])
      .sort(),
  ).toEqual([...new Set(rows.map(({ address }) => address))].sort());
  changesSent();
  const again = await apply("-f", "f", "--max-delete", "all");
  expect([again.stderr, again.stdout]).toEqual([expect.any(String), expect.stringContaining("skipped")]);
  expect(changesSent().filter((line) => !/hooks|settings/.test(line))).toEqual([]);
});

describe("a plan that was altered is refused (exit 2), and nothing is sent", () => {
  const cases: [string, (rows: Row[], plan: Saved) => void][] = [
    [
      "the declared address of a hook",
      (rows) => Object.assign(rowOf(rows, "hooks/Deploys").declared?.values ?? {}, { url: "https://evil.example/" }),
    ],
    [
      "a declared secret",
      (rows) =>
        Object.assign(rowOf(rows, "hooks/Deploys").declared?.values ?? {}, {
          token: { reference: "env", name: "OTHER", origin: { file: "x", line: 1 } },
        }),
    ],
    [
      "what the value of a header refers to",
      (rows) => {
        const values = rows.map(({ declared }) => declared?.values.custom_headers).find((each) => each !== undefined);
        Object.assign((values as { value: Json }[])[0]?.value ?? {}, { name: "OTHER" });
      },
    ],
    ["the ID of a project", (rows) => Object.assign(rowOf(rows, "allowlist/2"), { scope_id: 2 })],
    [
      "a folder of its own",
      (rows) =>
        Object.assign(rowOf(rows, "hooks/Deploys").declared?.values ?? {}, {
          token: { reference: "file", name: "hostname", folder: "/etc", origin: { file: "x", line: 1 } },
        }),
    ],
    [
      "a value that is not shown",
      (rows) => Object.assign(rowOf(rows, "error_tracking").declared?.values ?? {}, { integrated: false }),
    ],
    ["an allowed project", (rows) => Object.assign(rowOf(rows, "allowlist/2").declared?.values ?? {}, { id: 99 })],
    [
      "the shown value alone",
      (rows) => Object.assign(rowOf(rows, "container_registry").fields[0] ?? {}, { to: "enabled" }),
    ],
    [
      "what was there before",
      (rows) =>
        Object.assign(rowOf(rows, "container_registry").from ?? {}, { container_registry_access_level: "disabled" }),
    ],
    ["the scope", (rows) => Object.assign(rowOf(rows, "container_registry"), { scope: "acme/docs" })],
    ["the action", (rows) => Object.assign(rowOf(rows, "allowlist/3"), { action: "extra" })],
    ["the address", (rows) => Object.assign(rowOf(rows, "hooks/Deploys"), { address: "acme#hooks/Chat", key: "Chat" })],
    ["the lock-out", (rows) => Object.assign(rowOf(rows, "#settings"), { lockout: "x" })],
    ["the hash", (rows) => Object.assign(rowOf(rows, "#settings"), { preimage: "0000000000000000" })],
    ["the switch for removals", (_, plan) => Object.assign(plan, { prune: false })],
  ];
  const rowOf = (rows: Row[], part: string) => rows.find(({ address }) => String(address).includes(part)) as Row;

  test.each(cases)("%s", async (_, change) => {
    write("f/welcome.md", "Ask in #forge.\n");
    await save(everything, "--prune");
    alter((plan) => change(plan.changes, plan));
    changesSent();
    const { code, stderr } = await apply("-f", "f", "--max-delete", "all");
    expect([code, stderr]).toEqual([2, expect.stringMatching(/is not what its declaration gives|is damaged/)]);
    expect(changesSent()).toEqual([]);
  });

  test("a file that it names", async () => {
    write("f/welcome.md", "Ask in #forge.\n");
    await save("settings: { after_sign_up_text: { file: welcome.md } }\n");
    write("f/welcome.md", "Evil.\n");
    const { code, stderr } = await apply("-f", "f");
    expect([code, stderr]).toEqual([2, expect.stringContaining("the file welcome.md is not the one that was planned")]);
    expect(changesSent()).toEqual([]);
  });
});

describe("a damaged plan is exit 2, when shown and when applied", () => {
  test.each<[string, (plan: Saved) => unknown]>([
    ["null for a row", (plan) => ({ ...plan, changes: [null] })],
    ["a text for a row", (plan) => ({ ...plan, changes: ["x"] })],
    ["an empty row", (plan) => ({ ...plan, changes: [{}] })],
    ["an unknown kind", (plan) => ({ ...plan, changes: plan.changes.map((row) => ({ ...row, kind: "push_rules" })) })],
    ["no rows", (plan) => ({ ...plan, changes: undefined })],
    ["rows that are no list", (plan) => ({ ...plan, changes: {} })],
    ["another head", (plan) => ({ ...plan, caller: 1 })],
    ["an older format", (plan) => ({ ...plan, forgectl_plan: 1 })],
    ["a list", () => []],
    [
      "a declaration that is none",
      (plan) => ({ ...plan, changes: plan.changes.map((row) => ({ ...row, declared: 5 })) }),
    ],
    ["fields that are none", (plan) => ({ ...plan, changes: plan.changes.map((row) => ({ ...row, fields: [null] })) })],
  ])("%s", async (_, damage) => {
    await save("settings: { terminal_max_session_time: 60 }\n");
    writeFileSync(at("plan.json"), JSON.stringify(damage(JSON.parse(readFileSync(at("plan.json"), "utf8")) as Saved)));
    for (const words of [
      ["state", "show", "plan.json"],
      ["state", "apply", "--plan", "plan.json", "--yes"],
    ]) {
      const { code, stderr } = await admin.run(...words);
      expect([words[1], code, stderr]).toEqual([words[1], 2, expect.stringContaining("plan.json")]);
    }
    expect(changesSent()).toEqual([]);
  });
});

test("it travels: any owner and mode, another folder, another user, with a warning", async () => {
  write("f/welcome.md", "Ask in #forge.\n");
  const text = "settings: { after_sign_up_text: { file: welcome.md }, terminal_max_session_time: 60 }\n";
  write("f/state.yaml", `forgectl: 1\n${text}`);
  const auditor = admin.as("administrator");
  expect((await admin.run("state", "plan", "-f", "f", "--save", "f/plan.json")).code).toBe(0);
  chmodSync(at("f/plan.json"), 0o666);
  alter2("f/plan.json", (plan) => Object.assign(plan, { caller: { id: 4711, admin: false } }));
  mkdirSync(join(auditor.home, "elsewhere"));
  for (const name of ["plan.json", "welcome.md"]) renameSync(at(`f/${name}`), join(auditor.home, "elsewhere", name));
  const words = ["state", "apply", "--plan", "elsewhere/plan.json", "--yes"];
  const { code, stderr } = await auditor.run(...words);
  expect([code, stderr]).toEqual([0, expect.stringContaining("the plan was made by user 4711")]);
});

function alter2(name: string, change: (plan: Saved) => void): void {
  const plan = JSON.parse(readFileSync(at(name), "utf8")) as Saved;
  change(plan);
  writeFileSync(at(name), JSON.stringify(plan));
}

test("files in two folders are not saved as those of one", async () => {
  const hook = (group: string, file: string) =>
    `groups: { ${group}: { hooks: [{ name: N, url: "https://a.example/", token: { file: ${file} } }] } }`;
  const declare = (folder: string, group: string, file: string) => {
    write(`${folder}/s.yaml`, `forgectl: 1\n${hook(group, file)}`);
    write(`${folder}/${file}`, `token of ${group}`);
  };
  declare("fa", "acme/platform", "token.txt");
  const plan = (...folders: string[]) =>
    admin.run("state", "plan", ...folders.flatMap((folder) => ["-f", folder]), "--save", "plan.json");
  for (const file of ["token.txt", "./token.txt", "token-b.txt"]) {
    declare("fb", "acme/mobile", file);
    const { code, stderr } = await plan("fa", "fb");
    expect([code, stderr], file).toEqual([2, expect.stringContaining(`${file} is below fb`)]);
    expect(existsSync(at("plan.json"))).toBe(false);
  }
  declare("fa/inner", "acme/mobile", "token.txt");
  for (const folder of ["fa", "./fa", at("fa")]) expect((await plan(folder)).code, folder).toBe(0);
});

test("lock-outs are judged for the user who applies", async () => {
  const text =
    "projects: { acme/storefront: { protected_environments: [{ name: own, deploy_access_levels: [{ user_id: 1 }, { user_id: 4 }] }] } }\n";
  write("own.yaml", `forgectl: 1\n${text}`);
  expect((await admin.run("state", "apply", "-f", "own.yaml", "--yes")).code).toBe(0);
  await save(text.replace("{ user_id: 1 }, ", ""), "--only", "protected_environments");
  alter((plan) => {
    Object.assign(plan, { caller: { id: 99, admin: false } });
    for (const row of plan.changes) Object.assign(row, { lockout: null });
  });
  const { code, stderr } = await apply();
  expect([code, stderr]).toEqual([2, expect.stringContaining("the caller would lose access")]);
});

test.each([["--prune"], ["--secrets", "always"], ["--only", "hooks"], ["-p", "7"], ["-g", "acme"]])(
  "flags that it would ignore are refused: %s",
  async (...flags) => {
    await save("settings: { terminal_max_session_time: 60 }\n");
    const { code, stderr } = await apply(...flags);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${flags[0]} cannot be combined with it`)]);
    expect(changesSent()).toEqual([]);
  },
);

test("every row has an outcome: what cannot be read now, what could not be read then, and two extras of one address", async () => {
  for (const url of ["https://a.example/", "https://b.example/"]) {
    await admin.run("hooks", "create", url, "-g", "acme", "--name", "Twice", "--events", "push");
  }
  let closed = false;
  const { run, home } = await alteringSession(({ path }) =>
    closed && path.includes("acme%2Fdocs") ? { status: 404, body: { message: "404 Not found" } } : undefined,
  );
  for (const url of ["https://a.example/", "https://b.example/"]) {
    await run("hooks", "create", url, "-g", "acme", "--name", "Twice", "--events", "push");
  }
  const text = `forgectl: 1
groups: { acme: { hooks: [] } }
projects:
  acme/nothere: { container_registry_access_level: private }
  acme/docs: { container_registry_access_level: disabled, job_token_scope: { allowlist: [1] } }
  acme/website: { container_registry_access_level: private }
`;
  writeFileSync(join(home, "state.yaml"), text);
  const planned = await run(
    "state",
    "plan",
    "-f",
    "state.yaml",
    "--prune",
    "--save",
    "plan.json",
    "--fields",
    "address",
    "--no-header",
  );
  expect(planned.code).toBe(9);
  closed = true;
  const applied = await run("state", "apply", "--plan", "plan.json", "--max-delete", "all", "--yes", "-o", "json");
  expect(applied.code).toBe(9);
  expect(applied.stderr).toContain("3 sections");
  expect(applied.stdout).toContain("acme/website#container_registry_access_level");
  expect(applied.stdout.match(/acme#hooks\/Twice/g)).toHaveLength(2);
  const { reason, message } = JSON.parse(applied.stderr).error as { reason?: string; message: string };
  expect(`${message} ${reason ?? ""}`).toContain("3 sections could not be read");
});

test("a plan does not remove what it creates by the value that a variable has now", async () => {
  const { home, run: type } = await sandboxSession({ asDeployed: true });
  const link = "acme/mobile: { saml_group_links: [{ name: { env: TEAM }, access_level: maintainer }] }";
  const tied =
    "acme/platform: { saml_group_links: [{ name: Team, provider: { env: IDP }, access_level: maintainer }] }";
  writeFileSync(join(home, "state.yaml"), `forgectl: 1\ngroups: { ${link}, ${tied} }\n`);
  const env = { TEAM: "alpha", IDP: "one" };
  const applied = await type(..."state apply -f state.yaml --prune --yes".split(" "), { env });
  expect(applied.code).toBe(0);
  const planned = async (now: Record<string, string>, name: string) =>
    (await type("state", "plan", "-f", "state.yaml", "--prune", "--save", name, { env: now })).code;
  // Another value than where it is applied.
  expect(await planned({ TEAM: "beta", IDP: "one" }, "other.json")).toBe(0);
  const refused = await type(..."state apply --plan other.json --yes".split(" "), { env });
  expect([refused.code, refused.stderr]).toEqual([6, expect.stringMatching(/saml_group_links.*: changed since/)]);
  // A provider that is not known tells no link from another.
  expect(await planned({ TEAM: "alpha" }, "unset.json")).toBe(9);
  const kept = await type(..."state apply --plan unset.json --yes".split(" "), { env });
  expect(kept.stdout).not.toContain("delete");
  for (const group of ["acme/mobile", "acme/platform"])
    expect((await type("saml", "links", "list", "-g", group, "--jq", "length")).stdout).toBe("1\n");
});
