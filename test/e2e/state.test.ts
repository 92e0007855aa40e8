import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { requestsIn, sandboxSession } from "../support/session.ts";

// One file for an instance: exported, changed by hand, planned, applied, and rolled back.

let log: string[];
let admin: Awaited<ReturnType<typeof sandboxSession>>;
beforeAll(async () => {
  log = [];
  admin = await sandboxSession({ log: (line) => log.push(line) });
});

const sent = () => requestsIn(log);
const changesSent = () =>
  sent()
    .filter((line) => !line.startsWith("GET "))
    .map((line) => line.replace(/ \d+$/, ""));
const edit = (file: string, from: string, to: string) => {
  const path = join(admin.home, file);
  const text = readFileSync(path, "utf8");
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
};
const kept = () => join(admin.home, ".local/state/forgectl/runs");

describe("from the first export to a rollback", () => {
  const scopes = ["--settings", "-g", "acme", "-p", "acme/storefront", "-p", "acme/docs"];

  test("an export is valid, and planning it shows no changes; the same export does not change the files", async () => {
    const exported = await admin.run("state", "export", ...scopes, "--dir", "forge");
    expect(exported.stdout.split("\n").slice(1, -1)).toEqual([
      "forge/instance.yaml\twritten",
      "forge/groups/acme.yaml\twritten",
      "forge/projects/acme/storefront.yaml\twritten",
      "forge/projects/acme/docs.yaml\twritten",
    ]);
    expect(await admin.run("state", "validate", "-f", "forge", "--strict", "--no-header")).toMatchObject({
      code: 0,
      stdout: "",
    });
    sent();
    const plan = await admin.run("state", "plan", "-f", "forge", "--exit-code", "--count-extra", "--no-header");
    expect(plan).toMatchObject({ code: 0, stdout: "", stderr: "no change; 27 objects match\n" });
    expect(changesSent()).toEqual([]);
    expect((await admin.run("state", "export", ...scopes, "--dir", "forge")).stdout).not.toContain("\twritten");
  });

  test("a change by hand is found with exit 10, and the plan shows how to restore the file's value", async () => {
    await admin.run("settings", "set", "terminal_max_session_time=60");
    const plan = await admin.run("state", "plan", "-f", "forge", "--exit-code", "-o", "json", {
      env: { FORGECTL_PROJECT: "acme/docs" },
    });
    expect(plan.code).toBe(10);
    expect(plan.stderr).toBe("1 to change; 26 objects match\n");
    expect(JSON.parse(plan.stdout)).toEqual([
      {
        address: "#settings",
        scope: null,
        kind: "settings",
        key: null,
        id: 1,
        action: "update",
        fields: [
          {
            ...{ path: "terminal_max_session_time", from: 60, to: 0, secret: false, source: null },
            ...{ file: "forge/instance.yaml", line: expect.any(Number) },
          },
        ],
        lockout: null,
        reason: null,
        preimage: expect.stringMatching(/^[0-9a-f]{16}$/),
        file: "forge/instance.yaml",
        line: 5,
      },
    ]);
  });

  test("apply writes only differences, reads before and after, and a second run sends nothing", async () => {
    edit("forge/projects/acme/storefront.yaml", "- acme/platform/gateway", "- acme/docs");
    edit("forge/projects/acme/storefront.yaml", "required_approvals: 2", "required_approvals: 1");
    edit("forge/projects/acme/storefront.yaml", "- user_id: 4 # Dana Dixon\n", "- username: mateo.marin\n");
    edit("forge/groups/acme.yaml", "deploys.acme.example/webhook", "deploys.new.example/webhook");
    edit("forge/groups/acme.yaml", "name: Deploys\n", "name: Deploys\n        token: { env: DEPLOYS_TOKEN }\n");
    edit("forge/groups/acme.yaml", "access_level: maintainer", "access_level: owner");
    const words = ["state", "apply", "-f", "forge", "--prune", "--yes"];

    const shown = await admin.run("state", "plan", "-f", "forge", "--prune", "-o", "table");
    // Who reads a plan need not look up what an ID is.
    expect(shown.stdout).toContain("\n- acme/storefront#allowlist/3 (acme/platform/gateway)  forge/projects/");

    sent();
    const without = await admin.run(...words);
    expect(without.code).toBe(2);
    expect(without.stderr).toContain("forge/groups/acme.yaml:22: the variable DEPLOYS_TOKEN is not set");
    expect(changesSent()).toEqual([]);

    const applied = await admin.run(...words, { env: { DEPLOYS_TOKEN: "a secret of ours" } });
    expect(applied.code).toBe(0);
    expect(applied.stdout.split("\n").slice(1, -1).sort()).toEqual([
      "#settings\tupdate\tdone\t",
      "acme#hooks/Deploys\tupdate\tdone\t",
      "acme#saml_group_links/Platform Leads\treplace\tdone\t",
      expect.stringContaining("acme/storefront#allowlist/2\tcreate\tdone\tnot verified: the permissions"),
      "acme/storefront#allowlist/3\tdelete\tdone\t",
      "acme/storefront#protected_environments/production\tupdate\tdone\t",
    ]);
    expect(changesSent().sort()).toEqual([
      "DELETE /api/v4/groups/acme/saml_group_links/Platform%20Leads",
      "DELETE /api/v4/projects/7/job_token_scope/allowlist/3",
      "POST /api/v4/groups/acme/saml_group_links",
      "POST /api/v4/projects/7/job_token_scope/allowlist",
      "PUT /api/v4/application/settings",
      "PUT /api/v4/groups/acme/hooks/2",
      "PUT /api/v4/projects/acme%2Fstorefront/protected_environments/production",
    ]);

    const again = await admin.run(...words);
    expect(again).toMatchObject({ code: 0, stderr: "no change; 27 objects match; 1 secret not compared\n" });
    expect(changesSent()).toEqual([]);
  });

  test("a run stores no secret, and a state file of the previous values", () => {
    const [run = ""] = readdirSync(kept()).filter((name) => !name.endsWith(".lock"));
    const texts = readdirSync(join(kept(), run)).map((name) => readFileSync(join(kept(), run, name), "utf8"));
    expect(texts.join()).not.toContain("a secret of ours");
    const preimage = readFileSync(join(kept(), run, "preimage.yaml"), "utf8");
    expect(preimage).toContain("terminal_max_session_time: 60");
    expect(preimage).not.toContain("signup_enabled");
  });

  test("rollback restores the previous values, and names lost secrets", async () => {
    const back = await admin.run("state", "rollback", "--yes");
    expect(back.code).toBe(9);
    expect(back.stderr).toContain(
      "error: acme#hooks/Deploys: restored without the secrets and the values of headers; set them again",
    );
    expect(
      back.stdout
        .split("\n")
        .slice(1, -1)
        .every((line) => line.split("\t")[2] === "done"),
    ).toBe(true);
    await admin.run("settings", "set", "terminal_max_session_time=0");
    await admin.run("state", "export", ...scopes, "--dir", "after");
    expect(readFileSync(join(admin.home, "after/groups/acme.yaml"), "utf8")).toBe(
      readFileSync(join(admin.home, "forge/groups/acme.yaml"), "utf8")
        .replace("deploys.new.example", "deploys.acme.example")
        .replace("        token: { env: DEPLOYS_TOKEN }\n", "")
        .replace(/(Platform Leads\n +access_level: )owner/, "$1maintainer"),
    );
    const history = await admin.run("state", "history", "--fields", "what,changes,done", "--no-header");
    expect(history.stdout).toMatch(/^rollback of \d{8}T\d{6}Z-\w{4}\t6\t6\napply\t6\t6\n$/);
  });

  test("a saved plan is applied as reviewed, skips what is done, and is refused after other changes", async () => {
    await admin.run("state", "plan", "-f", "forge", "--only", "saml_group_links", "--save", "plan.json");
    expect((await admin.run("state", "show", "plan.json", "--no-header")).stdout).toMatch(
      /^acme#saml_group_links\/Platform Leads\treplace\t/,
    );
    await admin.run(..."saml links remove".split(" "), "Platform Leads", "-g", "acme", "--yes");
    sent();
    const stale = await admin.run("state", "apply", "--plan", "plan.json", "--yes");
    expect(stale.code).toBe(6);
    expect(stale.stderr).toContain("acme#saml_group_links/Platform Leads: changed since the plan was made");
    await admin.run(..."saml links add".split(" "), "Platform Leads", "-g", "acme", "--access-level", "owner");
    sent();
    expect((await admin.run("state", "apply", "--plan", "plan.json", "--yes")).code).toBe(0);
    expect(changesSent()).toEqual([]);
  });
});

describe("guards", () => {
  test("removing too much is refused even with --yes, and --max-delete allows it", async () => {
    writeFileSync(join(admin.home, "none.yaml"), "forgectl: 1\ngroups: { acme: { ldap_group_links: [] } }\n");
    sent();
    const refused = await admin.run("state", "apply", "-f", "none.yaml", "--prune", "--yes", "-o", "json");
    expect(refused.code).toBe(2);
    expect(JSON.parse(refused.stderr.trimEnd().split("\n").at(-1) ?? "").error).toMatchObject({
      code: "too_many_removals",
      cause: "none.yaml:2: acme#ldap_group_links: 4 of 4",
    });
    expect(changesSent()).toEqual([]);
    // Who reviews the plan sees it too.
    const plan = await admin.run(..."state plan -f none.yaml --prune".split(" "));
    expect([plan.code, plan.stderr]).toEqual([
      0,
      expect.stringMatching(
        /^warning: apply would refuse this: too much .* \(none\.yaml:2: .* 4 of 4\);.*--max-delete/m,
      ),
    ]);
    expect((await admin.run(..."state plan -f none.yaml".split(" "))).stderr).not.toContain("refuse");
    writeFileSync(join(admin.home, "keep.yaml"), 'forgectl: 1\nkeep: { ldap_group_links: ["ldapmain/*"] }\n');
    const keeping = await admin.run(
      "state",
      "plan",
      "-f",
      "none.yaml",
      "-f",
      "keep.yaml",
      "--prune",
      "--fields",
      "key",
    );
    expect(keeping.stdout).toBe("key\nldapsecondary/engineering\n");
  });

  test("a change certain to lock the caller out needs its own flag", async () => {
    writeFileSync(join(admin.home, "out.yaml"), "forgectl: 1\nsettings: { disable_personal_access_tokens: true }\n");
    const refused = await admin.run("state", "apply", "-f", "out.yaml", "--yes");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("#settings: the token of this run would no longer be accepted");
    expect(refused.stderr).toContain("--allow-lockout");
    const plan = await admin.run("state", "plan", "-f", "out.yaml");
    expect(plan.stderr).toMatch(/^warning: apply would refuse this: #settings: .*--allow-lockout/m);
  });
});

describe("bad input is exit 2 with file and line, and nothing is sent", () => {
  const cases: [name: string, text: string, words: string][] = [
    ["a tab", "forgectl: 1\n\tsettings: {}\n", "bad.yaml:2: the file is not YAML: tab characters"],
    [
      "a repeated key",
      "forgectl: 1\nsettings: {}\nsettings: {}\n",
      'bad.yaml:3: the file has the key "settings" twice, first on line 2',
    ],
    ["an empty file", "", "bad.yaml:1: the file is empty"],
    ["two documents", "forgectl: 1\n---\nforgectl: 1\n", "has 2 documents"],
    ["a binary file", "\0\x01", "bad.yaml:1: the file is not UTF-8 text"],
    [
      "a tag",
      "forgectl: 1\nsettings: !!js/function x\n",
      "bad.yaml:2: the file has the tag !!js/function, which is not allowed",
    ],
    ["a file that is not a state file", "signup_enabled: true\n", "bad.yaml:1: the file is not a state file"],
    [
      "a text for a boolean",
      'forgectl: 1\nsettings:\n  signup_enabled: "yes"\n',
      "bad.yaml:3: settings.signup_enabled",
    ],
    [
      "a text for a number",
      'forgectl: 1\nsettings:\n  max_login_attempts: "3"\n',
      "bad.yaml:3: settings.max_login_attempts",
    ],
    ["a number out of range", "forgectl: 1\nsettings:\n  security_approval_policies_limit: 99\n", "must be at most"],
    [
      "an unknown section",
      "forgectl: 1\ngroups:\n  acme:\n    hoks: []\n",
      "bad.yaml:4: groups.acme.hoks is not allowed here",
    ],
    ["a null section", "forgectl: 1\ngroups:\n  acme:\n    hooks:\n", "bad.yaml:4: groups.acme.hooks is null"],
    [
      "the write name",
      "forgectl: 1\ngroups:\n  acme:\n    saml_group_links: [{ saml_group_name: X, access_level: guest }]\n",
      "is the name of requests; in files it is name",
    ],
    [
      "two subjects",
      "forgectl: 1\nprojects:\n  a/b:\n    protected_environments:\n      - name: x\n        deploy_access_levels: [{ user_id: 1, group_id: 2 }]\n",
      "names user_id and group_id",
    ],
    [
      "no subject",
      "forgectl: 1\nprojects:\n  a/b:\n    protected_environments:\n      - name: x\n        deploy_access_levels: [{}]\n",
      "names no user, group, or level",
    ],
    [
      "cn and filter",
      "forgectl: 1\ngroups:\n  acme:\n    ldap_group_links:\n      - { cn: a, filter: b, provider: p, group_access: guest }\n",
      "bad.yaml:5: groups.acme.ldap_group_links[0] has both cn and filter",
    ],
    [
      "no scheme",
      "forgectl: 1\ngroups:\n  acme:\n    hooks: [{ url: example.com }]\n",
      "error: bad.yaml:4: groups.acme.hooks[0].url must begin with http://",
    ],
    [
      "our own token",
      "forgectl: 1\ngroups:\n  acme:\n    hooks: [{ url: 'https://x/', token: { env: FORGECTL_TOKEN } }]\n",
      "FORGECTL_TOKEN is this program's own",
    ],
    [
      "a path outside of the folder",
      "forgectl: 1\ngroups:\n  acme:\n    hooks: [{ url: 'https://x/', token: { file: ../key } }]\n",
      '"../key" leaves the folder',
    ],
    [
      "another instance",
      "forgectl: 1\ninstance: https://other.example\nsettings: {}\n",
      "the file is for https://other.example",
    ],
  ];

  test.each(cases)("%s", async (_, text, words) => {
    writeFileSync(join(admin.home, "bad.yaml"), text);
    sent();
    const { code, stderr } = await admin.run("state", "apply", "-f", "bad.yaml", "--yes");
    expect(code).toBe(2);
    expect(stderr).toContain(words);
    expect(sent()).toEqual([]);
  });

  test("one section in two files names both places; an empty folder is an error", async () => {
    mkdirSync(join(admin.home, "twice"));
    mkdirSync(join(admin.home, "empty"));
    for (const name of ["a", "b"]) {
      writeFileSync(join(admin.home, "twice", `${name}.yaml`), "forgectl: 1\ngroups:\n  acme:\n    hooks: []\n");
    }
    const twice = await admin.run("state", "plan", "-f", "twice");
    expect(twice.stderr).toContain("twice/b.yaml:4: hooks of acme is already in twice/a.yaml:4");
    expect((await admin.run("state", "plan", "-f", "empty")).stderr).toContain(
      "contains no .yaml, .yml, or .json file",
    );
  });

  test.each([
    ["in YAML", (name: string) => `  ${name}:\n    error_tracking: { active: true }\n`, "forgectl: 1\nprojects:\n", ""],
    [
      "in JSON",
      (name: string) => `  "${name}": { "error_tracking": { "active": true } },\n`,
      '{ "forgectl": 1, "projects": {\n',
      "}}",
    ],
  ])(
    "a large file %s is read like a small one: every object, and the line of a mistake at its end",
    async (_, project, head, end) => {
      const projects = Array.from({ length: 3000 }, (_, index) => project(`acme/p${index}`));
      const large = `${head}${projects.join("")}`;
      const close = (last: string) => `${large}${last.replace(/,\n$/, "\n")}${end}`;
      writeFileSync(join(admin.home, "large.yaml"), close(project("acme/last")));
      const valid = await admin.run("state", "validate", "-f", "large.yaml");
      expect(valid).toMatchObject({ code: 0, stderr: "1 file, 3,001 objects: valid\n" });
      const wrong = close(project("acme/last").replace("true", "maybe"));
      writeFileSync(join(admin.home, "large.yaml"), wrong);
      const { stdout } = await admin.run("state", "validate", "-f", "large.yaml", "--no-header");
      const line = wrong.slice(0, wrong.indexOf("maybe")).split("\n").length;
      expect(stdout).toBe(
        `large.yaml\t${line}\tprojects.acme/last.error_tracking.active\terror\tmust be true or false, not a text\t\n`,
      );
    },
  );

  test("aliases that expand beyond any memory end at once", async () => {
    const lines = Array.from({ length: 30 }, (_, index) =>
      index === 0
        ? "a0: &a0 [x,x,x,x,x,x,x,x,x]"
        : `a${index}: &a${index} [${Array(9)
            .fill(`*a${index - 1}`)
            .join(",")}]`,
    );
    writeFileSync(join(admin.home, "bomb.yaml"), `forgectl: 1\n${lines.join("\n")}\n`);
    const started = Date.now();
    const { code, stderr } = await admin.run("state", "validate", "-f", "bomb.yaml", "--no-header");
    expect(code).toBe(2);
    expect(Date.now() - started).toBeLessThan(5000);
    expect(stderr).toContain("1 error in the files");
  });
});

test("runs in the same second are listed by their start", async () => {
  const runs = [
    ["20261121T164502Z-0bad", "2026-11-21T16:45:02.900Z"],
    ["20261121T164502Z-ffff", "2026-11-21T16:45:02.100Z"],
    ["20261121T164502Z-7f3a", "2026-11-21T16:45:02.500Z"],
  ] as const;
  const folder = join(admin.home, "kept");
  for (const [run, started] of runs) {
    mkdirSync(join(folder, "runs", run), { recursive: true });
    const head = { run, instance: admin.sandbox.url, what: "apply", started };
    writeFileSync(join(folder, "runs", run, "journal.ndjson"), `${JSON.stringify(head)}\n`, { mode: 0o600 });
  }
  const { stdout } = await admin.run("state", "history", "--fields", "run", "--no-header", {
    env: { FORGECTL_STATE_DIR: folder },
  });
  expect(stdout.match(/-\w{4}$/gm)).toEqual(["-0bad", "-7f3a", "-ffff"]);
});
