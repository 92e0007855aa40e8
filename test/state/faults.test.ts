import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alteringSession, type Exchange } from "../support/altering-proxy.ts";
import { engineFor, outcomeText } from "../support/engine.ts";
import { randomState, seeded } from "../support/random-state.ts";
import { requestsIn, sandboxSession } from "../support/session.ts";
import { stateTrials } from "../support/state-trial.ts";

// Failures during an apply: killed runs converge, lost answers are checked, a refused replacement is restored.

type Alter = Parameters<typeof alteringSession>[0];

async function engineBefore(alter: Alter, options: Parameters<typeof alteringSession>[1] = {}) {
  const { env, direct, seen } = await alteringSession(alter, options);
  const token = direct.sandbox.tokens.administrator;
  return { ...engineFor(env.FORGECTL_BASE_URL as string, token), direct: engineFor(direct.sandbox.url, token), seen };
}

const writes = (seen: string[]) => seen.splice(0).filter((line) => !line.startsWith("GET "));
const saml = (level: string) =>
  `forgectl: 1\ngroups: { acme: { saml_group_links: [{ name: Platform Leads, access_level: ${level} }] } }\n`;

test("a run killed at any moment converges when run again", { timeout: 120_000 }, async () => {
  const admin = await sandboxSession({ latencyMs: 15 });
  const random = seeded(7);
  for (const seed of [1, 2]) {
    writeFileSync(join(admin.home, "state.yaml"), randomState(seed));
    const words = ["state", "apply", "-f", "state.yaml", "--prune", "--max-delete", "all", "--yes"];
    await admin.run(...words, { kill: { signal: "SIGKILL", afterMs: 600 + random() * 900 } });
    const again = await admin.run(...words);
    expect(again.code, again.stderr).toBe(0);
    const plan = await admin.run("state", "plan", "-f", "state.yaml", "--prune", "--exit-code");
    expect(plan.code, plan.stdout).toBe(0);
  }
});

test.each(["POST", "PUT", "DELETE"])(
  "a lost answer to a %s is checked, and nothing is created twice",
  async (method) => {
    let lost = 0;
    const { plan, carryOut, seen } = await engineBefore((exchange) =>
      exchange.method === method && lost++ === 0 ? "lost" : undefined,
    );
    const text = randomState(method === "DELETE" ? 5 : 2);
    const outcomes = await carryOut(await plan(text));
    expect(outcomes.filter(({ status }) => status !== "done").map(outcomeText)).toEqual([]);
    expect(lost).toBeGreaterThan(0);
    const made = writes(seen).filter((line) => line.startsWith("POST ") && line.endsWith(" lost"));
    expect(made.length).toBeLessThanOrEqual(1);
    expect((await plan(text)).changes).toEqual([]);
  },
);

test("if the instance refuses the new entry, the old one is restored", async () => {
  const { plan, carryOut, exported, seen } = await engineBefore(() => undefined);
  const scope = [{ at: "group" as const, name: "acme" }];
  const before = await exported(scope);
  const [outcome] = await carryOut(await plan(saml("45"), false));
  expect(outcome?.status).toBe("refused");
  expect(outcome?.error).toMatch(/^access_level.*; the old one was restored$/);
  expect(writes(seen).map((line) => line.replace(/ .* /, " "))).toEqual(["DELETE 204", "POST 400", "POST 201"]);
  expect(await exported(scope)).toBe(before);
});

const rules = `forgectl: 1
projects:
  acme/storefront:
    protected_environments: [{ name: production, deploy_access_levels: [{ access_level: maintainer }] }]
`;
const ldap =
  "forgectl: 1\ngroups: { acme: { ldap_group_links: [{ cn: engineering, provider: ldapmain, group_access: guest }] } }\n";
const unnumbered = "map(del(..|.id?))";

test.each([
  { method: "DELETE", status: 404, text: saml("developer"), list: ["saml", "links", "list", "-g", "acme"] },
  { method: "DELETE", status: 404, text: ldap, list: ["ldap", "links", "list", "-g", "acme"] },
  { method: "PUT", status: 400, text: rules, list: ["envs", "list", "-p", "acme/storefront"] },
  { method: "DELETE", status: 404, text: saml("developer"), list: ["saml", "links", "list", "-g", "acme"], lags: true },
  { method: "PUT", status: 400, text: rules, list: ["envs", "list", "-p", "acme/storefront"], lags: true },
])("what a $method did that a proxy sent twice is done, and a rollback restores it", async (given) => {
  const { status, text, list } = given;
  const lists = new Map<string, unknown>();
  let sentAt = Number.NEGATIVE_INFINITY;
  const { run, direct, home, seen } = await alteringSession(({ method, path, body }) => {
    if (method === given.method) sentAt = performance.now();
    if (method === given.method) return { status, body: { message: "404 Linked LDAP Group Not Found" } };
    if (method !== "GET" || given.lags !== true) return undefined;
    // A copy of the database that is half a second behind.
    if (performance.now() - sentAt > 500) lists.set(path, body);
    return { body: lists.get(path) };
  });
  const shown = async () =>
    (await direct.run(...list, "--jq", `${unnumbered} | sort_by(.name, .cn, .provider)`)).stdout;
  const before = await shown();
  writeFileSync(join(home, "state.yaml"), text);
  const applied = await run(..."state apply -f state.yaml --prune --max-delete all --yes -o ndjson".split(" "));
  expect(applied.code, applied.stderr).toBe(0);
  expect(writes(seen).filter((line) => line.endsWith(` ${status}`)).length).toBeGreaterThan(0);
  const rows = applied.stdout.trim().split("\n");
  expect(rows.map((line) => JSON.parse(line).status).filter((each) => each !== "done")).toEqual([]);
  expect((await direct.run("state", "plan", "-f", join(home, "state.yaml"), "--prune", "--exit-code")).code).toBe(0);
  const back = await run("state", "rollback", "--yes");
  expect([back.code, await shown()], back.stderr).toEqual([0, before]);
});

test("a removal that is answered with 404 is refused while the list has the entry", async () => {
  const elsewhere = (path: string) => path.replace(/(?<=\/saml_group_links\/).*/, "nobody");
  const { env, direct, seen } = await alteringSession(() => undefined, {}, elsewhere);
  const { plan, carryOut } = engineFor(env.FORGECTL_BASE_URL as string, direct.sandbox.tokens.administrator);
  const [outcome] = await carryOut(await plan(saml("developer"), false));
  expect([outcome?.status, writes(seen)]).toEqual(["refused", [expect.stringMatching(/^DELETE .* 404$/)]]);
});

test("a replacement whose new entry is lost on its way is completed", async () => {
  const at = await stateTrials();
  const apply = "state apply -f state.yaml --yes -o ndjson".split(" ");
  const { requests } = await at.run(at.ready(saml("developer")), apply);
  const creation = requests.findIndex((request) => request.startsWith("POST "));
  const { code, stdout } = await at.run(at.ready(saml("developer")), apply, {
    at: creation,
    when: "before",
    what: "cut",
  });
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ action: "replace", status: "done" })]);
  expect((await at.open(saml("developer"))).has("acme#saml_group_links/Platform Leads")).toBe(false);
});

test("a value that the instance stores differently is reported as altered, and an ignored one as not accepted", async () => {
  const keeps = (value: unknown) => (exchange: Exchange) =>
    exchange.path.endsWith("/application/settings")
      ? { body: { ...(exchange.body as object), terminal_max_session_time: value } }
      : undefined;
  const text = "forgectl: 1\nsettings: { terminal_max_session_time: 60 }\n";
  const ignoring = await engineBefore(keeps(0));
  expect((await ignoring.apply(text)).map(outcomeText)).toEqual([
    "#settings/ update not_taken: the instance accepted the change, but nothing changed",
  ]);
  const altering = await engineBefore((exchange) => keeps(exchange.method === "PUT" ? 55 : 0)(exchange));
  expect((await altering.apply(text)).map(outcomeText)).toEqual([
    "#settings/ update altered: the instance keeps terminal_max_session_time as 55: write terminal_max_session_time: 55 in the file",
  ]);
});

test("a change that its answer does not show is unknown if the list cannot be read again", async () => {
  let wasMade = false;
  const { plan, carryOut, direct } = await engineBefore(({ method, path }) => {
    if (!path.includes("/saml_group_links")) return undefined;
    if (method === "GET") return wasMade ? { status: 403, body: { message: "403 Forbidden" } } : undefined;
    wasMade = true;
    return { body: { access_level: 10 } };
  });
  const text = "forgectl: 1\ngroups: { acme: { saml_group_links: [{ name: Newcomers, access_level: guest }] } }\n";
  const [outcome, ...others] = await carryOut(await plan(text, false));
  expect(others).toEqual([]);
  expect(outcome && outcomeText(outcome)).toMatch(
    /^acme#saml_group_links\/Newcomers create unknown: it was sent, and could not be read again: /,
  );
  const open = (await direct.plan(text, false)).changes.filter(({ action }) => action !== "extra");
  expect(open).toEqual([]);
});

test("access is not limited if an addition to the allowlist failed, and nothing is removed from it", async () => {
  const { plan, carryOut, seen } = await engineBefore(() => undefined);
  await carryOut(
    await plan("forgectl: 1\nprojects: { acme/storefront: { job_token_scope: { inbound_enabled: false } } }\n"),
  );
  writes(seen);
  const text =
    "forgectl: 1\nprojects: { acme/storefront: { job_token_scope: { inbound_enabled: true, allowlist: [4711] } } }\n";
  const outcomes = await carryOut(await plan(text));
  expect(outcomes.map(({ change, status }) => `${change.kind.name} ${change.action} ${status}`)).toEqual([
    "allowlist create refused",
    "job_token_scope update skipped",
    "allowlist delete skipped",
    "allowlist delete skipped",
    "allowlist delete skipped",
  ]);
  expect(writes(seen)).toEqual(["POST /api/v4/projects/7/job_token_scope/allowlist 404"]);
});

test("an unreadable section is exit 9 whatever else differs, and a moved scope is a row with its path", async () => {
  const { run, home, direct } = await alteringSession(({ path, body }) => {
    if (path.includes("/saml_group_links")) return { status: 403, body: { message: "403 Forbidden" } };
    if (/\/projects\/acme%2Fdocs$/.test(path))
      return { body: { ...(body as object), path_with_namespace: "acme/handbook" } };
    return undefined;
  });
  expect(direct.home).not.toBe(home);
  writeFileSync(join(home, "a.yaml"), `${saml("owner")}settings: { terminal_max_session_time: 60 }\n`);
  const plan = await run("state", "plan", "-f", "a.yaml", "--exit-code", "--fields", "address,action", "--no-header");
  expect(plan.stdout.trim().split("\n").sort()).toEqual(["#settings\tupdate", "acme#saml_group_links\tunreadable"]);
  expect(plan.code).toBe(9);
  writeFileSync(
    join(home, "b.yaml"),
    "forgectl: 1\nprojects: { acme/docs: { job_token_scope: { allowlist: [1] } } }\n",
  );
  const moved = await run("state", "apply", "-f", "b.yaml", "--yes");
  expect(moved.code).toBe(9);
  expect(moved.stderr).toContain("acme/docs#allowlist: the project has moved to acme/handbook");
});

test("two hooks with the same name are exported with their IDs, and a header is removed on an instance that merges them", async () => {
  const log: string[] = [];
  const { sandbox } = await sandboxSession({ asDeployed: true, log: (line) => log.push(line) });
  const engine = engineFor(sandbox.url, sandbox.tokens.administrator);
  const hook = (name: string, headers: string) =>
    `{ name: ${name}, url: "https://a.example/${name}", events: [push], custom_headers: [${headers}] }`;
  const text = (headers: string) => `forgectl: 1\ngroups: { acme/platform: { hooks: [${hook("Two", headers)}] } }\n`;
  await engine.carryOut(await engine.plan(text("{ key: X-A, value: a }, { key: X-B, value: b }"), false));
  requestsIn(log);
  const outcomes = await engine.carryOut(await engine.plan(text("{ key: X-B, value: b }"), false));
  expect(outcomes.map(({ status }) => status)).toEqual(["done"]);
  expect(requestsIn(log).filter((line) => line.startsWith("DELETE")).length).toBe(1);
  expect((await engine.plan(text("{ key: X-B, value: b }"), false)).changes.filter(({ desired }) => desired)).toEqual(
    [],
  );
  await fetch(`${sandbox.url}/api/v4/groups/acme%2Fplatform/hooks`, {
    method: "POST",
    headers: { "PRIVATE-TOKEN": sandbox.tokens.administrator, "content-type": "application/json" },
    body: JSON.stringify({ name: "Two", url: "https://b.example/", push_events: true }),
  });
  const exported = await engine.exported([{ at: "group", name: "acme/platform" }]);
  expect(exported.match(/- id: \d+\n +url: .*\n +name: Two/g)?.length).toBe(2);
  expect((await engine.plan(exported)).changes).toEqual([]);
});

test("a saved plan has no secrets, and a plain-text secret is refused there; only GET is sent", async () => {
  const log: string[] = [];
  const admin = await sandboxSession({ log: (line) => log.push(line) });
  const hook = (token: string) =>
    `forgectl: 1\ngroups: { acme: { hooks: [{ name: New, url: "https://n.example/", token: ${token} }] } }\n`;
  writeFileSync(join(admin.home, "plain.yaml"), hook("glaring-secret"));
  writeFileSync(join(admin.home, "env.yaml"), hook("{ env: HOOK_TOKEN }"));
  requestsIn(log);
  const plain = await admin.run("state", "plan", "-f", "plain.yaml", "--save", "plain.json");
  expect([plain.code, plain.stderr]).toEqual([2, expect.stringContaining("token is in plain text")]);
  const saved = await admin.run("state", "plan", "-f", "env.yaml", "--save", "plan.json", {
    env: { HOOK_TOKEN: "glaring-secret" },
  });
  expect(saved.code).toBe(0);
  expect(requestsIn(log).every((line) => line.startsWith("GET "))).toBe(true);
  expect(readdirSync(admin.home)).not.toContain("plain.json");
  expect(readFileSync(join(admin.home, "plan.json"), "utf8")).not.toContain("glaring-secret");
  const never = await admin.run("state", "apply", "-f", "env.yaml", "--secrets", "never", "--yes");
  expect([never.code, never.stderr]).toEqual([2, expect.stringContaining("--secrets never: acme#hooks/New")]);
  const state = join(admin.home, "readonly");
  mkdirSync(state);
  writeFileSync(join(state, "forgectl"), "a file, where a folder would be");
  const homeless = await admin.run("state", "apply", "-f", "env.yaml", "--yes", "-o", "json", {
    env: { HOOK_TOKEN: "glaring-secret", FORGECTL_STATE_DIR: join(state, "forgectl") },
  });
  const { code, message } = JSON.parse(homeless.stderr.trim().split("\n").at(-1) ?? "").error;
  expect([homeless.code, code]).toEqual([2, "unwritable_state"]);
  expect(message).toContain("the run cannot be recorded in");
  expect(requestsIn(log).every((line) => line.startsWith("GET "))).toBe(true);
});

test("a plan of one changed setting is two requests or fewer", async () => {
  const log: string[] = [];
  const admin = await sandboxSession({ log: (line) => log.push(line) });
  writeFileSync(join(admin.home, "settings.yaml"), "terminal_max_session_time: 60\n");
  const plan = await admin.run("settings", "plan", "-f", "settings.yaml", "--exit-code");
  expect(plan.code).toBe(10);
  expect(requestsIn(log)).toEqual(["GET /api/v4/application/settings 200"]);
});
