import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { randomState } from "../support/random-state.ts";
import { sandboxSession } from "../support/session.ts";

// Parts of a plan and of an audit, what no file names, and the settings of more than two instances.

let admin: Awaited<ReturnType<typeof sandboxSession>>;
beforeAll(async () => {
  admin = await sandboxSession();
  writeFileSync(
    join(admin.home, "s.yaml"),
    `forgectl: 1
settings: { terminal_max_session_time: 60 }
groups: { acme: { saml_group_links: [{ name: Ops, access_level: guest }] }, acme/none: { saml_group_links: [] } }
projects:
  acme/**: { container_registry_access_level: disabled, except: [acme/mobile/**] }
`,
  );
});
const rowsOf = async (...words: string[]) => {
  const { code, stdout } = await admin.run(...words, "-o", "json", "-q");
  return { code, rows: JSON.parse(stdout) as { address?: string; action?: string; key?: string; kind?: string }[] };
};
const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort();

test.each([
  ["state plan", "state plan -f s.yaml --unmanaged"],
  ["audit", "audit -g acme --settings --all"],
])("%s: by property, the rows of all parts together are those of one run", async (_, line) => {
  const whole = await rowsOf(...line.split(" "));
  for (const total of [1, 2, 5]) {
    const parts = [];
    for (let index = 1; index <= total; index += 1) {
      parts.push(await rowsOf(...line.split(" "), "--shard", `${index}/${total}`));
    }
    expect(sorted(parts.flatMap(({ rows }) => rows))).toEqual(sorted(whole.rows));
    expect(Math.max(...parts.map(({ code }) => code ?? 0))).toBe(whole.code);
    if (total === 5) expect(parts.filter(({ rows }) => rows.length > 0).length).toBeGreaterThan(1);
  }
});

test.each([1, 2, 3])("the same holds for random files: seed %i", async (seed) => {
  const name = `random-${seed}.yaml`;
  writeFileSync(join(admin.home, name), randomState(seed));
  const words = ["state", "plan", "-f", name];
  const whole = await rowsOf(...words);
  expect(whole.rows.length).toBeGreaterThan(5);
  const total = 2 + (seed % 3);
  const parts = await Promise.all(
    Array.from({ length: total }, (_, index) => rowsOf(...words, "--shard", `${index + 1}/${total}`)),
  );
  expect(sorted(parts.flatMap(({ rows }) => rows))).toEqual(sorted(whole.rows));
});

test("a part whose machine cannot list the projects of a pattern says so, whichever it is", async () => {
  let isDown = false;
  const { home, run } = await alteringSession(({ path }) =>
    isDown && path.includes("/groups/acme/projects") ? { status: 403, body: { message: "403 Forbidden" } } : undefined,
  );
  const text = "forgectl: 1\nprojects:\n  acme/**: { container_registry_access_level: disabled }\n";
  writeFileSync(join(home, "all.yaml"), text);
  for (const down of [1, 2, 3]) {
    for (const index of [1, 2, 3]) {
      isDown = index === down;
      const words = `state plan -f all.yaml --exit-code --shard ${index}/3`.split(" ");
      const { code, stdout, stderr } = await run(...words);
      if (index !== down) expect([0, 10]).toContain(code);
      else
        expect([code, stdout, stderr]).toEqual([9, expect.stringContaining("could not be listed"), expect.anything()]);
    }
  }
});

test("a part of a plan cannot be saved or applied", async () => {
  const saved = await admin.run(..."state plan -f s.yaml --shard 1/2 --save p.json".split(" "));
  expect([saved.code, saved.stderr]).toEqual([2, expect.stringContaining("--save cannot be combined with --shard")]);
  expect((await admin.run(..."state apply -f s.yaml --shard 1/2 --yes".split(" "))).code).toBe(2);
  expect((await admin.run(..."state plan -f s.yaml --shard 3/2".split(" "))).code).toBe(2);
});

test("--unmanaged shows what no file names, counted, and it is never drift", async () => {
  writeFileSync(
    join(admin.home, "some.yaml"),
    "forgectl: 1\nsettings: { terminal_max_session_time: 0 }\nprojects:\n" +
      "  acme/mobile/*: { container_registry_access_level: enabled }\n" +
      "  acme/d*: { container_registry_access_level: enabled, except: [acme/docs] }\n",
  );
  const words = [..."state plan -f some.yaml --unmanaged".split(" ")];
  const { rows } = await rowsOf(...words);
  const unmanaged = rows.filter(({ action }) => action === "unmanaged");
  const settings = unmanaged.flatMap(({ kind, key }) => (kind === "settings" ? [key] : []));
  expect(settings).toContain("max_login_attempts");
  expect(settings).not.toContain("terminal_max_session_time");
  const projects = unmanaged.flatMap(({ kind, address }) => (kind === "project" ? [address] : []));
  expect(projects).toContain("acme/website");
  // The exception names it.
  expect(projects).not.toContain("acme/docs");
  expect(projects.filter((path) => /^acme\/mobile\/[^/]+$/.test(path ?? ""))).toEqual([]);
  const { code, stderr } = await admin.run(...words, "--only", "settings", "--exit-code");
  expect([code, stderr]).toEqual([0, expect.stringMatching(/no change, \d+ unmanaged; 1 object matches/)]);
  const developer = await admin
    .as("developer")
    .run("state", "plan", "-f", join(admin.home, "some.yaml"), "--unmanaged");
  expect(developer.code).toBe(9);
});

test("--unmanaged shows the groups below those of a pattern that no file names", async () => {
  writeFileSync(
    join(admin.home, "groups.yaml"),
    "forgectl: 1\ngroups:\n  acme/*: { saml_group_links: [], except: [acme/mobile] }\n",
  );
  const { rows } = await rowsOf("state", "plan", "-f", "groups.yaml", "--unmanaged");
  const unmanaged = rows.flatMap(({ action, kind, address = "" }) =>
    action === "unmanaged" && kind === "group" ? [address] : [],
  );
  const { stdout } = await admin.run("api", "groups/acme/descendant_groups?per_page=100");
  const deeper = (JSON.parse(stdout) as { full_path: string }[]).map((group) => group.full_path).filter(isDeep);
  expect(deeper.length).toBeGreaterThan(0);
  expect(unmanaged).toEqual(deeper.sort());
});
const isDeep = (path: string) => path.split("/").length > 2;

test("settings diff of three profiles has a column for each, and an error says of which", async () => {
  const others = [await sandboxSession(), await sandboxSession()];
  await others[1]?.run("settings", "set", "max_login_attempts=3", "--yes");
  for (const [index, { sandbox }] of [admin, ...others].entries()) {
    const words = ["auth", "login", "--profile", `p${index}`, "--base-url", sandbox.url];
    const login = await admin.run(...words, "--token-stdin", "--insecure-storage", {
      input: sandbox.tokens.administrator,
    });
    expect(login.code, login.stderr).toBe(0);
  }
  const env = { FORGECTL_BASE_URL: undefined, FORGECTL_TOKEN: undefined };
  const three = await admin.run(..."settings diff p0 p1 p2 --exit-code -o csv".split(" "), { env });
  expect([three.code, three.stdout]).toEqual([
    10,
    expect.stringMatching(/^name,p0,p1,p2\n(.*\n)*max_login_attempts,,,3\n/),
  ]);
  expect(three.stdout).not.toContain("key");
  const two = await admin.run(..."settings diff p0 p2 -o csv".split(" "), { env });
  expect(two.stdout).toMatch(/^name,a,b\n/);
  const gone = await admin.run(..."settings diff p0 p1 none".split(" "), { env });
  expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining("none")]);
  await others[0]?.sandbox.close();
  const down = await admin.run(..."settings diff p0 p1 p2 --retries 0".split(" "), { env });
  expect([down.code, down.stderr]).toEqual([11, expect.stringContaining("error: profile p1: ")]);
});
