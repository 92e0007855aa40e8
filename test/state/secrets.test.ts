import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { requestsIn, type Session, sandboxSession } from "../support/session.ts";

// A secret is a value, whatever it is called: it is in no plan, dry run, address, journal, pre-image, error, or trace.

let log: string[];
let admin: Awaited<ReturnType<typeof sandboxSession>>;
beforeEach(async () => {
  log = [];
  admin = await sandboxSession({ log: (line) => log.push(line) });
});

const changesSent = () => requestsIn(log).filter((line) => !line.startsWith("GET "));

function write(name: string, text: string): void {
  mkdirSync(dirname(join(admin.home, name)), { recursive: true });
  writeFileSync(join(admin.home, name), text);
}

/** The text of every file below the home folder but the given ones. */
function filesOf({ home }: Session, except: readonly string[]): string {
  const visit = (folder: string): string[] =>
    readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) return visit(path);
      return except.includes(name) ? [] : [`${path}: ${readFileSync(path, "utf8")}`];
    });
  return visit(home).join("\n");
}

describe("what a variable gives is secret in every field", () => {
  const env = {
    HOOK_URL: "https://chat.example/services/T0/SuperSecretPath",
    HOOK_TOKEN: "hook-token-value",
    GREETING: "greeting-from-the-vault",
    HEADER: "header-from-the-vault",
  };
  const values = Object.values(env);
  const text = `forgectl: 1
settings: { after_sign_up_text: { env: GREETING } }
groups:
  acme:
    hooks:
      - url: { env: HOOK_URL }
        events: [push]
        token: { env: HOOK_TOKEN }
        custom_headers: [{ key: X-A, value: { env: HEADER } }]
`;
  const commands: readonly string[][] = [
    ["state", "plan", "-f", "state.yaml", "-o", "table"],
    ["state", "plan", "-f", "state.yaml", "-o", "json", "--save", "plan.json"],
    ["state", "show", "plan.json", "-o", "json"],
    ["state", "apply", "-f", "state.yaml", "--dry-run"],
    ["state", "apply", "-f", "state.yaml", "--dry-run", "-o", "json"],
    ["state", "apply", "-f", "state.yaml", "--debug"],
    ["state", "apply", "-f", "state.yaml", "--yes", "--debug"],
    ["state", "apply", "-f", "state.yaml", "--secrets", "always", "--yes", "-o", "json"],
  ];

  test("in plans, addresses, dry runs, traces, questions, runs, and pre-images", async () => {
    write("state.yaml", text);
    const seen: string[] = [];
    for (const words of commands) {
      const { stdout, stderr } = await admin.run(...words, { env });
      seen.push(stdout, stderr);
    }
    expect(seen.join("\n")).toContain("acme#hooks/$HOOK_URL");
    expect(changesSent()).toContain("POST /api/v4/groups/acme/hooks 201");
    // The values were sent, and now differ again.
    await admin.run("settings", "set", "after_sign_up_text=by hand", { env });
    write("other.yaml", text.replace("[push]", "[push, note]"));
    const again = await admin.run("state", "apply", "-f", "other.yaml", "--yes", { env });
    const back = await admin.run("state", "rollback", "--yes", "-o", "json", { env });
    const runs = (await admin.run("state", "history", "--fields", "run", "--no-header")).stdout.trim().split("\n");
    for (const run of runs) seen.push((await admin.run("state", "show", run, "-o", "json")).stdout);
    seen.push(again.stdout, again.stderr, back.stdout, back.stderr, filesOf(admin, []));
    for (const value of values) expect(seen.filter((each) => each.includes(value))).toEqual([]);
    // What was there before a secret is not recorded either, so that is said.
    expect([back.code, back.stderr]).toEqual([9, expect.stringContaining("#settings")]);
  });

  test("without the variable that identifies an entry, nothing is created and nothing pruned", async () => {
    write("state.yaml", text);
    expect((await admin.run("state", "apply", "-f", "state.yaml", "--yes", { env })).code).toBe(0);
    changesSent();
    const words = ["--fields", "address,action,reason", "--no-header"];
    const plan = await admin.run("state", "plan", "-f", "state.yaml", "--prune", "--exit-code", ...words);
    expect(plan.code).toBe(9);
    expect(plan.stdout).toContain("acme#hooks/$HOOK_URL\tunreadable\t$HOOK_URL is not set, and identifies it: url\n");
    expect(plan.stdout).not.toContain("create");
    expect(plan.stdout).not.toContain("disarm");
  });

  test("what the instance stored otherwise is not quoted in the error", async () => {
    write("state.yaml", "forgectl: 1\ngroups: { acme: { hooks: [{ name: H, url: { env: HOOK_URL } }] } }\n");
    const refused = await admin.run("state", "apply", "-f", "state.yaml", "--yes", {
      env: { HOOK_URL: "ftp://refused.example/SuperSecretPath" },
    });
    expect(refused.code).not.toBe(0);
    expect(`${refused.stdout}${refused.stderr}${filesOf(admin, [])}`).not.toContain("SuperSecretPath");
  });
});

test("credentials in addresses are hidden in files as on the screen, and listed by a rollback", async () => {
  const address = (host: string) => `https://bob:pa55word@${host}.example/?private_token=q1w2e3r4`;
  write(
    "state.yaml",
    `forgectl: 1\ngroups: { acme: { hooks: [{ name: Deploys, url: "${address("a")}", events: [push] }] } }\n`,
  );
  const shown: string[] = [];
  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await admin.run(...words);
    shown.push(stdout, stderr);
    return code;
  };
  for (const format of ["table", "json"]) await run("state", "plan", "-f", "state.yaml", "-o", format);
  expect(await run("state", "plan", "-f", "state.yaml", "--save", "plan.json")).toBe(2);
  expect(await run("state", "apply", "-f", "state.yaml", "--yes")).toBe(0);
  write("state.yaml", 'forgectl: 1\ngroups: { acme: { hooks: [{ name: Deploys, url: "https://b.example/" }] } }\n');
  expect(await run("state", "plan", "-f", "state.yaml", "--save", "plan.json", "-o", "json")).toBe(0);
  expect(await run("state", "apply", "-f", "state.yaml", "--yes")).toBe(0);
  expect(await run("state", "rollback", "--yes")).toBe(9);
  expect(shown.at(-1)).toContain("acme#hooks/Deploys: restored without the secrets");
  shown.push(filesOf(admin, ["state.yaml"]));
  expect(shown.join("\n")).not.toMatch(/pa55word|q1w2e3r4/);
});

describe("a credential of the program is refused, whatever holds it, and nothing is sent", () => {
  const secret = "JOBTOK-0123456789/+";
  const hook = (token: string) =>
    `forgectl: 1\ngroups: { acme: { hooks: [{ name: H, url: "https://h.example/", ${token} }] } }\n`;
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const header = (value: string) => hook(`custom_headers: [{ key: X-A, value: ${value} }]`);
  const forms: [string, string, string][] = [
    ["plain", hook("token: { env: INNOCENT }"), secret],
    ["within a text", header("{ env: INNOCENT }"), `Bearer ${secret}`],
    ["in an address", hook("description: { env: INNOCENT }"), `https://job:${encodeURIComponent(secret)}@x.example`],
    ["in base64", header("{ env: INNOCENT }"), `Basic ${Buffer.from(`job:${secret}`).toString("base64")}`],
    ["in base64 twice", hook("token: { env: INNOCENT }"), base64(base64(secret))],
    ["in a file", hook("token: { file: token.txt }"), secret],
  ];
  const holders: [string, Record<string, string>][] = [
    ["CI_JOB_TOKEN", { CI_JOB_TOKEN: secret }],
    ["CI_DEPENDENCY_PROXY_PASSWORD", { CI_DEPENDENCY_PROXY_PASSWORD: secret }],
    ["CI_JOB_JWT_V2", { CI_JOB_JWT_V2: secret }],
    ["CI_REPOSITORY_URL", { CI_REPOSITORY_URL: `https://job-user:${encodeURIComponent(secret)}@forge.example/a.git` }],
  ];

  test.each(forms)("%s", async (_, text, value) => {
    write("f/state.yaml", text);
    write("f/token.txt", `${value}\n`);
    for (const [, env] of holders) {
      for (const verb of [["plan"], ["apply", "--yes"]]) {
        const words = ["state", ...verb, "-f", "f/state.yaml"];
        const { code, stderr } = await admin.run(...words, { env: { ...env, INNOCENT: value } });
        expect([code, stderr]).toEqual([2, expect.stringContaining("contains a credential of this program")]);
        expect(stderr).not.toContain(secret);
      }
    }
    expect(changesSent()).toEqual([]);
  });

  test("the current token too", async () => {
    write("f/state.yaml", hook("token: { env: INNOCENT }"));
    const { code } = await admin.run("state", "plan", "-f", "f/state.yaml", {
      env: { INNOCENT: `x${admin.sandbox.tokens.administrator}` },
    });
    expect(code).toBe(2);
  });

  test.each([
    "CI_JOB_TOKEN",
    "CI_DEPLOY_PASSWORD",
    "CI_DEPENDENCY_PROXY_PASSWORD",
    "CI_JOB_JWT",
    "CI_JOB_JWT_V2",
    "CI_REGISTRY_PASSWORD",
    "CI_REPOSITORY_URL",
    "FORGECTL_TOKEN",
  ])("offline by its name: %s", async (name) => {
    write("f/state.yaml", hook(`token: { env: ${name} }`));
    const { code, stdout } = await admin.run("state", "validate", "-f", "f/state.yaml");
    expect([code, stdout]).toEqual([2, expect.stringContaining(`${name} is this program's own`)]);
  });
});

test.each([".git/config", ".env", "a/.ssh/key", "link"])(
  "dot files are not given to a state file: %s",
  async (name) => {
    write("f/.git/config", "url = https://forge.example");
    write("f/.env", "A=b");
    write("f/a/.ssh/key", "key");
    symlinkSync(join(admin.home, "f/.git/config"), join(admin.home, "f/link"));
    write(
      "f/state.yaml",
      `forgectl: 1\ngroups: { acme: { hooks: [{ name: H, url: "https://h.example/", token: { file: ${name} } }] } }\n`,
    );
    const { code, stderr } = await admin.run("state", "apply", "-f", "f/state.yaml", "--yes");
    expect([code, stderr]).toEqual([2, expect.stringContaining("dot file")]);
    expect(changesSent()).toEqual([]);
  },
);

test("--strict finds plain secrets in every secret field, and in addresses", async () => {
  write(
    "state.yaml",
    `forgectl: 1
settings:
  spamsvc_api_key: plain-setting
  home_page_url: "https://u:p4ss@h.example/"
groups:
  acme:
    hooks:
      - name: H
        url: "https://u:p4ss@h.example/?private_token=abcdef"
        token: plain-token
        custom_headers: [{ key: Authorization, value: Bearer abc }]
`,
  );
  const { code, stdout } = await admin.run(
    "state",
    "validate",
    "-f",
    "state.yaml",
    "--strict",
    "--fields",
    "line,path",
    "--no-header",
  );
  expect(code).toBe(2);
  expect(stdout.trim().split("\n")).toEqual([
    "3\tsettings.spamsvc_api_key",
    "4\tsettings.home_page_url",
    "9\tgroups.acme.hooks[0].url",
    "10\tgroups.acme.hooks[0].token",
    "11\tgroups.acme.hooks[0].custom_headers[0].value",
  ]);
  expect((await admin.run("state", "validate", "-f", "state.yaml")).code).toBe(0);
});

test("a text whose file does not exist is not taken for what the instance has, and nothing of its object is sent", async () => {
  const run = (line: string) => admin.run(...line.split(" "));
  expect((await run("settings set after_sign_up_text=live")).code).toBe(0);
  log = [];
  write(
    "forge/a.yaml",
    "forgectl: 1\nsettings:\n  terminal_max_session_time: 33\n  after_sign_up_text: { file: gone.txt }\n",
  );
  const why = "the file gone.txt does not exist, so that after_sign_up_text cannot be compared";
  for (const line of ["plan -f forge --exit-code", "apply -f forge --yes"]) {
    const { code, stdout } = await run(`state ${line}`);
    expect([line, code, stdout]).toEqual([line, 9, expect.stringContaining(why)]);
  }
  expect(changesSent()).toEqual([]);
  write("forge/b.yaml", "forgectl: 1\nsettings: { after_sign_up_text: { env: NOWHERE } }\n");
  const said = await run("state plan -f forge/b.yaml --exit-code");
  expect([said.code, said.stderr]).toEqual([
    0,
    expect.stringContaining("warning: not set: NOWHERE; what it gives is not"),
  ]);
  rmSync(join(admin.home, "forge/b.yaml"));
  write("forge/gone.txt", "live");
  expect((await run("state plan -f forge -o json --jq .[].fields.[].path")).stdout).toBe(
    '"terminal_max_session_time"\n',
  );
  write(
    "forge/a.yaml",
    'forgectl: 1\ngroups: { acme: { hooks: [{ id: 2, url: "https://deploys.acme.example/webhook", description: { file: none.txt } }] } }\n',
  );
  expect((await run("state plan -f forge --exit-code")).code).toBe(9);
});

test("a dry run without the variable does not show what the instance has in its place", async () => {
  const url = "https://chat.example/rooms/SuperSecretPath";
  const file = (events: string) =>
    write(
      "state.yaml",
      `forgectl: 1\ngroups: { acme: { hooks: [{ name: Room, url: { env: ROOM_URL }, events: [${events}] }] } }\n`,
    );
  const apply = ["state", "apply", "-f", "state.yaml"];
  const seen: string[] = [];
  const dry = async (...words: string[]) => {
    const { stdout, stderr } = await admin.run(...words, "--dry-run");
    expect(stdout).toMatch(/"?url"?: ?"?\[redacted\]/);
    seen.push(stdout, stderr);
  };
  file("push");
  expect((await admin.run(...apply, "--yes", { env: { ROOM_URL: url } })).code).toBe(0);
  await dry("state", "rollback");
  file("push, note");
  await dry(...apply);
  expect((await admin.run(...apply, "--yes", { env: { ROOM_URL: url } })).code).toBe(0);
  await dry("state", "rollback");
  expect(seen.join("\n")).not.toContain(url);
  // A value that is a word hides no other text.
  await admin.run("hooks", "update", "2", "-g", "acme", "--branch-filter", "acme", "--yes");
  const filter = "{ id: 2, url: 'https://deploys.acme.example/webhook', push_events_branch_filter: { env: BRANCHES } }";
  write("state.yaml", `forgectl: 1\ngroups: { acme: { hooks: [${filter}] } }\n`);
  const { stdout } = await admin.run(...apply, "--secrets", "always", "--dry-run", { env: { BRANCHES: "main" } });
  expect(stdout).toContain("/groups/acme/hooks/2");
});

test("a plan without the variable that identifies an entry does not show which object it may be", async () => {
  const url = "https://chat.example/rooms/SuperSecretPath";
  write("state.yaml", "forgectl: 1\ngroups: { acme: { hooks: [{ url: { env: ROOM_URL }, events: [push] }] } }\n");
  const apply = ["state", "apply", "-f", "state.yaml", "--yes", "-o", "json"];
  expect((await admin.run(...apply, { env: { ROOM_URL: url } })).code).toBe(0);
  const plan = ["state", "plan", "-f", "state.yaml"];
  const seen = [];
  for (const more of [
    ["-o", "tsv"],
    ["-o", "markdown"],
    ["--save", "plan.json", "-o", "json"],
  ]) {
    const { stdout, stderr } = await admin.run(...plan, ...more);
    seen.push(stdout, stderr);
  }
  expect(seen[0]).toMatch(/^acme#hooks\/\d+\textra\t/m);
  expect(filesOf(admin, [])).not.toContain("https://deploys.acme.example/webhook");
  expect(seen.join("\n") + filesOf(admin, [])).not.toContain(url);
  expect((await admin.run("state", "show", "plan.json")).code).toBe(0);
  expect((await admin.run("state", "apply", "--plan", "plan.json", "--yes")).code).toBe(9);
});
