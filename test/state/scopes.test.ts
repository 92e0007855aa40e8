import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { requestsIn, sandboxSession } from "../support/session.ts";

// Projects and groups that are missing, moved, or named twice: each costs only itself, and never counts as equal.

const file = (session: { home: string }, text: string) =>
  writeFileSync(join(session.home, "state.yaml"), `forgectl: 1\n${text}`);
const plan = ["state", "plan", "-f", "state.yaml", "--exit-code", "--fields", "address,action,reason", "--no-header"];

describe("a 404 is a value only where the scope exists", () => {
  test.each([
    ["projects: { acme/nothere: { error_tracking: { active: false } } }\n", "acme/nothere#error_tracking"],
    ["projects: { acme/nothere: { error_tracking: { active: true } } }\n", "acme/nothere#error_tracking"],
    ["groups: { acme/nothere: { ldap_group_links: [] } }\n", "acme/nothere#ldap_group_links"],
    ["groups: { acme/nothere: { ldap_group_links: [{ cn: a, provider: p, group_access: guest }] } }\n", "acme/nothere"],
  ])("%s", async (text, address) => {
    const log: string[] = [];
    const admin = await sandboxSession({ asDeployed: true, log: (line) => log.push(line) });
    file(admin, text);
    const { code, stdout } = await admin.run(...plan);
    expect(code).toBe(9);
    expect(stdout).toMatch(new RegExp(`^${address}[^\\t]*\\tunreadable\\tnot found, or not visible to this token`));
    const applied = await admin.run("state", "apply", "-f", "state.yaml", "--yes");
    expect(applied.code).toBe(9);
    expect(requestsIn(log).filter((line) => !line.startsWith("GET "))).toEqual([]);
  });

  test("one reason for several sections is said once", async () => {
    const { run, home } = await sandboxSession({ asDeployed: true });
    const tracking = "error_tracking: { active: false }";
    file({ home }, `projects: { acme/nothere: { ${tracking}, job_token_scope: { inbound_enabled: true } } }\n`);
    const { stderr } = await run(...plan);
    expect(stderr).toMatch(/^cause: +acme\/nothere#error_tracking, acme\/nothere#job_token_scope: not found, /m);
    expect(stderr.match(/not found, or not visible/g)).toHaveLength(1);
  });

  test("a project that this token cannot see is unreadable, and one that it can see is compared", async () => {
    const admin = await sandboxSession({ asDeployed: true });
    const outsider = admin.as("outsider");
    const text = "projects: { acme/platform/billing: { error_tracking: { active: false } } }\n";
    file(admin, text);
    file(outsider, text);
    expect((await outsider.run(...plan)).code).toBe(9);
    expect(await admin.run(...plan)).toMatchObject({ code: 0, stdout: "" });
  });

  test("without a lookup of paths another section proves the scope", async () => {
    const { run, home, seen } = await alteringSession(
      ({ path }) =>
        /\/(?:projects|groups)\/[^/]+$/.test(path) ? { status: 404, body: { message: "404 Not found" } } : undefined,
      { asDeployed: true },
    );
    file({ home }, "groups: { acme/platform: { ldap_group_links: [] }, acme/none: { ldap_group_links: [] } }\n");
    const { code, stdout } = await run(...plan);
    expect(code).toBe(9);
    expect(stdout.split("\n").map((line) => line.split("\t")[0])).toEqual(["acme/none#ldap_group_links", ""]);
    expect(seen.filter((line) => line.includes("acme%2Fplatform")).length).toBeLessThanOrEqual(3);
  });
});

test("a moved project is one row with its new path; the others are applied, and lock-outs wait", async () => {
  const { run, home, seen } = await alteringSession(({ path, body }) =>
    /\/projects\/acme%2Fdocs$/.test(path)
      ? { body: { ...(body as object), path_with_namespace: "acme/handbook" } }
      : undefined,
  );
  file(
    { home },
    `settings: { terminal_max_session_time: 60, max_login_attempts: 3 }
projects:
  acme/docs: { job_token_scope: { allowlist: [] } }
  acme/storefront: { container_registry_access_level: private }
`,
  );
  const rows = (await run(...plan)).stdout.trim().split("\n").sort();
  expect(rows).toEqual([
    "#settings\tupdate\t",
    "acme/docs#allowlist\tunreadable\tthe project has moved to acme/handbook: write that in the file",
    "acme/storefront#container_registry_access_level\tupdate",
  ]);
  seen.length = 0;
  const applied = await run("state", "apply", "-f", "state.yaml", "--yes", "--fields", "address,status", "--no-header");
  expect(applied.code).toBe(9);
  expect(
    applied.stdout
      .trim()
      .split("\n")
      .filter((line) => !line.includes("unreadable")),
  ).toEqual(["#settings\tdone", "acme/storefront#container_registry_access_level\tdone", "#settings\tnot_tried"]);
  expect(seen.filter((line) => line.startsWith("PUT ") && line.includes("/settings"))).toHaveLength(1);
});

describe("one object under two names is refused, and both places are named", () => {
  test.each([
    [
      "in two cases",
      "projects:\n  acme/website: { container_registry_access_level: private }\n" +
        "  ACME/Website: { container_registry_access_level: disabled }\n",
      "state.yaml:4: container_registry_access_level of ACME/Website is already in state.yaml:3",
    ],
    [
      "by path and ID",
      "projects:\n  acme/website: { container_registry_access_level: private }\n" +
        "  1: { container_registry_access_level: disabled }\n",
      "state.yaml:3",
    ],
  ])("%s", async (_, text, words) => {
    const log: string[] = [];
    const admin = await sandboxSession({ log: (line) => log.push(line) });
    file(admin, text);
    const { code, stderr } = await admin.run("state", "apply", "-f", "state.yaml", "--yes");
    expect(code).toBe(2);
    expect(stderr).toContain(words);
    expect(stderr).toContain("state.yaml:4");
    expect(requestsIn(log).filter((line) => !line.startsWith("GET "))).toEqual([]);
  });

  test("other sections under another name are merged, and the project's own entry is ignored in any case", async () => {
    const admin = await sandboxSession();
    await admin.run("state", "export", "-p", "acme/storefront", "-O", "own.yaml");
    const own = await admin.run(
      "job-token",
      "projects",
      "list",
      "-p",
      "acme/storefront",
      "--fields",
      "id",
      "--no-header",
    );
    const ids = own.stdout.trim().split("\n").join(", ");
    file(
      admin,
      `projects:\n  ACME/Storefront: { job_token_scope: { allowlist: [${ids}, acme/StoreFront] } }\n` +
        "  7: { container_registry_access_level: enabled }\n",
    );
    expect(await admin.run(...plan, "--prune", "--count-extra")).toMatchObject({ code: 0, stdout: "" });
  });
});

test("two objects that one entry may mean are a row that asks for the ID; not where their addresses differ", async () => {
  const admin = await sandboxSession();
  for (const url of ["https://a.example/", "https://b.example/"]) {
    await admin.run("hooks", "create", url, "-g", "acme", "--name", "Twice", "--events", "push");
  }
  file(admin, 'groups: { acme: { hooks: [{ name: Twice, url: "https://b.example/", events: [push] }] } }\n');
  expect(await admin.run("state", "plan", "-f", "state.yaml", "--exit-code")).toMatchObject({ code: 0 });
  file(
    admin,
    'groups: { acme: { hooks: [{ name: Twice, url: "https://c.example/" }] } }\nsettings: { max_attachment_size: 77 }\n',
  );
  const { code, stdout } = await admin.run(...plan, "--prune");
  expect(code).toBe(9);
  expect(stdout).toMatch(
    /^acme#hooks\/Twice\tunreadable\t2 of them exist, with the IDs \d+, \d+: add id to the entry/m,
  );
  expect(stdout).toContain("#settings\tupdate");
  // Neither of them may be removed as extra.
  expect(stdout.match(/hooks\/Twice/g)).toHaveLength(1);
});

test("an ID that does not exist is unreadable, and creates nothing however often it is applied", async () => {
  const log: string[] = [];
  const admin = await sandboxSession({ log: (line) => log.push(line) });
  file(admin, 'groups: { acme: { hooks: [{ id: 999, name: Ghost, url: "https://ghost.example/" }] } }\n');
  const { stdout } = await admin.run(...plan, "--prune");
  expect(stdout).toContain("acme#hooks/999\tunreadable\tthe ID 999 does not exist; leave id out to create it\n");
  // One of the others may be it.
  expect(stdout).not.toContain("\tdisarm\t");
  for (const _ of [1, 2]) expect((await admin.run("state", "apply", "-f", "state.yaml", "--yes")).code).toBe(9);
  expect(requestsIn(log).filter((line) => line.startsWith("POST "))).toEqual([]);
});
