import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sinceLastWrite } from "../../src/state/rollback/since-run.ts";
import type { Run, RunEntry } from "../../src/state/runs/runs.ts";
import { alteringSession } from "../support/altering-proxy.ts";
import { lateProxy } from "../support/late-proxy.ts";
import { sandboxSession, session } from "../support/session.ts";

// A gateway answers 504 when it waits no longer, or breaks the connection; the instance makes the change later.

const hook = "groups: { acme: { hooks: [{ name: Late, url: 'https://late.example/x', events: [push] }] } }";
const rule =
  "projects: { acme/storefront: { protected_environments: [{ name: staging/eu, deploy_access_levels: " +
  "[{ access_level: developer }, { user_id: 6 }] }] } }";
const link = "groups: { acme: { saml_group_links: [{ name: Late, access_level: developer }] } }";
const entry = "projects: { acme/storefront: { job_token_scope: { allowlist: [acme/docs] } } }";
const environment =
  "projects: { acme/storefront: { protected_environments: [{ name: late, deploy_access_levels: " +
  "[{ access_level: maintainer }] }] } }";

type Late = [when: Parameters<typeof lateProxy>[1], how: Parameters<typeof lateProxy>[2]];

const paths: Readonly<Record<string, string>> = { Chat: "hooks/{channel}", Deploys: "webhook" };

async function applied(text: string, ...[when, how]: Late) {
  const direct = await sandboxSession();
  const { url, changes } = await lateProxy(direct.sandbox.url, when, how);
  const admin = session({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: direct.sandbox.tokens.administrator });
  writeFileSync(join(admin.home, "state.yaml"), `forgectl: 1\n${text}\n`);
  const result = await admin.run("state", "apply", "-f", "state.yaml", "--yes", "-o", "json");
  return { ...result, rows: JSON.parse(result.stdout || "[]"), changes, admin, direct };
}

describe.concurrent.each(["504", "reset"] as const)("%s", (how) => {
  test.concurrent.each([
    ["a webhook", hook, "POST /api/v4/groups/acme/hooks", "groups/acme/hooks", '.[] | select(.name == "Late") | .id'],
    [
      "a rule",
      rule,
      "PUT /api/v4/projects/acme%2Fstorefront/protected_environments/staging%2Feu",
      "projects/7/protected_environments/staging%2Feu",
      ".deploy_access_levels[] | select(.user_id == 6) | .id",
    ],
  ])("%s that is made after the gateway's time is not made twice", async (_, text, sent, path, filter) => {
    const { code, rows, changes, direct } = await applied(text, { afterMs: 600 }, how);
    expect([code, rows[0].status, changes]).toEqual([0, "done", [sent]]);
    const { stdout } = await direct.run("api", path, "--jq", filter);
    expect(stdout.trim().split("\n")).toHaveLength(1);
  });

  test.concurrent.each([
    ["an environment", environment],
    ["a group link", link],
    ["an entry of an allowlist", entry],
  ])("%s whose second attempt is refused because of the first is done, and can be undone", async (_, text) => {
    const { code, stderr, rows, changes, admin } = await applied(text, "before the next change", how);
    expect([code, rows[0].status], stderr).toEqual([0, "done"]);
    expect(changes).toHaveLength(2);
    const undone = await admin.run("state", "rollback", "--yes", "-o", "json");
    expect([undone.code, JSON.parse(undone.stdout)[0].action]).toEqual([0, "delete"]);
  });

  test.concurrent("a webhook that is not seen a while later is unknown, and not sent again", async () => {
    const { code, stderr, rows, changes } = await applied(hook, "never", how);
    expect([code, rows[0].status, changes.length]).toEqual([how === "reset" ? 11 : 1, "unknown", 1]);
    expect(rows[0].error).toContain("the instance may still be making it");
    expect(JSON.parse(stderr.slice(stderr.indexOf('{"error"'))).error).toMatchObject({
      outcome: "unknown",
      retryable: false,
      hint: expect.stringContaining("# in a minute, as what is unknown may still be made: only the rest is sent"),
    });
  });
});

test.concurrent.each(["504", "reset"] as const)(
  "what was sent again may be made again after its rollback: %s",
  async (how) => {
    const chat = `groups: { acme: { hooks: [{ name: Chat, url: "https://chat.acme.example/${paths.Chat}", events: [note] }] } }`;
    const { code, rows, changes, admin, direct } = await applied(chat, { afterMs: 5000 }, how);
    expect([code, rows[0].status, changes.length]).toEqual([0, "done", 2]);
    const events = async () => (await direct.run("hooks", "get", "1", "-g", "acme", "--jq", ".events")).stdout;
    const undone = await admin.run("state", "rollback", "--yes", "--no-header");
    expect([undone.code, undone.stdout]).toEqual([
      9,
      "acme#hooks/Chat\tupdate\tunreadable\tthe run's change may still be made after this: run this again in a minute\n" +
        "acme#hooks/Chat\tupdate\tdone\t\n",
    ]);
    const before = await events();
    expect(before).not.toBe('["note"]\n');
    await expect.poll(events, { timeout: 10_000 }).toBe('["note"]\n');
    // The same command restores it once more.
    const [{ run }] = JSON.parse((await admin.run("state", "history", "-o", "json")).stdout).slice(1);
    await admin.run("state", "rollback", run, "--yes");
    expect(await events()).toBe(before);
  },
);

test.concurrent.each([
  [1, 9],
  // Its only attempt is the one that the look shows.
  [0, 0],
])("what a look shows after %i more lost attempts may be made again: exit %i of its rollback", async (more, exit) => {
  let isSlow = true;
  const admin = await alteringSession(({ method }) => {
    return isSlow && method === "PUT" ? { status: 504, body: { message: "Gateway Time-out" } } : undefined;
  });
  const chat = `{ name: Chat, url: "https://chat.acme.example/${paths.Chat}", events: [note] }`;
  writeFileSync(join(admin.home, "state.yaml"), `forgectl: 1\ngroups: { acme: { hooks: [${chat}] } }\n`);
  const words = ["-f", "state.yaml", "--yes", "--retries", String(more), "--no-header"];
  const { code, stdout } = await admin.run("state", "apply", ...words);
  expect([code, stdout]).toEqual([0, "acme#hooks/Chat\tupdate\tdone\t\n"]);
  isSlow = false;
  expect((await admin.run("state", "rollback", "--yes")).code).toBe(exit);
});

describe.concurrent.each(["504", "reset"] as const)("a replacement whose removal was sent again: %s", (how) => {
  const replaced = "groups: { acme: { saml_group_links: [{ name: Engineering, access_level: reporter }] } }";

  test.concurrent("is not done, as the first removal would take the new entry", async () => {
    const { code, rows, changes, direct } = await applied(replaced, { afterMs: 4000 }, how);
    expect([code, rows[0].status, changes.length]).toEqual([9, "unknown", 3]);
    expect(rows[0].error).toContain("the lost first removal of the old one may still be made: plan again in a minute");
    const names = async () => (await direct.run("saml", "links", "list", "-g", "acme", "--fields", "name")).stdout;
    expect(await names()).toContain("Engineering");
    await expect.poll(names, { timeout: 10_000 }).not.toContain("Engineering");
  });

  test.concurrent("is done where the second removal finds that the first was made", async () => {
    const { code, rows, changes, admin } = await applied(replaced, "before the next change", how);
    expect([code, rows[0].status, changes.length]).toEqual([0, "done", 3]);
    expect((await admin.run("state", "rollback", "--yes")).code).toBe(0);
  });
});

test.concurrent("a rollback by a record, on another machine, does not believe a read that shows nothing of the run", async () => {
  const place = await sandboxSession();
  const rules = "protected_environments: [{ name: late, deploy_access_levels: [{ access_level: maintainer }] }]";
  const link = "saml_group_links: [{ name: Late, access_level: developer }]";
  const text = `forgectl: 1\ngroups: { acme: { ${link} } }\nprojects: { acme/storefront: { ${rules} } }\n`;
  writeFileSync(join(place.home, "state.yaml"), text);
  const record = join(place.home, "run.ndjson");
  let isOld = true;
  const lagging = await alteringSession(({ method, path, body }) => {
    if (method !== "GET" || !isOld || !path.includes("/protected_environments") || !Array.isArray(body))
      return undefined;
    return { body: body.filter(({ name }) => name !== "late") };
  });
  writeFileSync(join(lagging.home, "state.yaml"), text);
  isOld = false;
  expect((await lagging.run("state", "apply", "-f", "state.yaml", "--yes", "--record", record)).code).toBe(0);
  isOld = true;
  // Its own machine, whose user's reads show what that user wrote.
  const own = await lagging.run("state", "rollback", record, "--dry-run", "--no-header");
  expect(own.stdout).not.toContain("a read may lag");
  const other = session({
    FORGECTL_BASE_URL: lagging.env.FORGECTL_BASE_URL,
    FORGECTL_TOKEN: lagging.env.FORGECTL_TOKEN,
  });
  const back = () => other.run("state", "rollback", record, "--yes", "--no-header");
  const { code, stdout } = await back();
  const reason = "it is as before the run, and a read may lag: run this again in a minute";
  const row = `acme/storefront#protected_environments/late\tcreate\tunreadable\t${reason}\n`;
  expect([code, stdout]).toEqual([9, `${row}acme#saml_group_links/Late\tdelete\tdone\t\n`]);
  // What was restored is believed by now, and nothing else.
  const second = await back();
  expect([second.code, second.stdout]).toEqual([9, row]);
  isOld = false;
  expect((await back()).stdout).toBe("acme/storefront#protected_environments/late\tdelete\tdone\t\n");
  expect((await back()).code).toBe(0);
});

test.concurrent("a list that is read between two changes, and lags, is no proof against the first", async () => {
  const hooks = ["Chat", "Deploys"].map(
    (name) => `{ name: ${name}, url: "https://${name.toLowerCase()}.acme.example/${paths[name]}", events: [note] }`,
  );
  let before: { name: string }[] = [];
  let reads = 0;
  let puts = 0;
  const admin = await alteringSession(({ method, path, body }) => {
    if (method === "PUT") puts += 1;
    if (method !== "GET" || !/\/hooks(?:\?|$)/.test(path)) return undefined;
    if (puts === 0) before = body as typeof before;
    if (puts === 0 || ++reads > 1) return undefined;
    const wanted = { push_events: false, tag_push_events: false, note_events: true };
    return { body: before.map((hook) => (hook.name === "Deploys" ? { ...hook, ...wanted } : hook)) };
  });
  writeFileSync(join(admin.home, "state.yaml"), `forgectl: 1\ngroups: { acme: { hooks: [${hooks.join(", ")}] } }\n`);
  const { code, stdout, stderr } = await admin.run("state", "apply", "-f", "state.yaml", "--yes", "-o", "json");
  const statuses = JSON.parse(stdout).map(({ status }: { status: string }) => status);
  expect([code, statuses, puts], stderr).toEqual([0, ["done", "unchanged"], 1]);
});

test.concurrent("a rollback of settings sends, and does not call undone what may still be made after it", async () => {
  let isSlow = true;
  let puts = 0;
  const admin = await alteringSession(
    ({ method }) => {
      if (method !== "PUT") return undefined;
      puts += 1;
      return isSlow ? { status: 504, body: { message: "Gateway Time-out" } } : undefined;
    },
    { settingsCacheSeconds: 600 },
  );
  writeFileSync(join(admin.home, "state.yaml"), "forgectl: 1\nsettings: { terminal_max_session_time: 77 }\n");
  const lost = await admin.run("state", "apply", "-f", "state.yaml", "--yes", "--retries", "0", "-o", "json");
  expect(JSON.parse(lost.stdout)).toMatchObject([{ address: "#settings", status: "unknown" }]);
  expect(lost.stderr).toContain("# in three minutes: restores the previous state");
  isSlow = false;
  const before = puts;
  const back = await admin.run("state", "rollback", "--yes", "--no-header");
  expect([back.code, back.stdout, puts - before]).toEqual([
    9,
    "#settings\tupdate\tunreadable\tthe run's change may still be made after this: run this again in three minutes\n" +
      "#settings\tupdate\tdone\t\n",
    1,
  ]);
  const again = await admin.run("state", "rollback", "--yes");
  expect([again.code, again.stderr]).toEqual([9, expect.stringMatching(/^rolls back run /)]);
});

test.concurrent("a rollback by a record, on another machine, counts what the record says while settings are cached", async () => {
  const place = await sandboxSession({ asDeployed: true, settingsCacheSeconds: 600 });
  const other = place.as("administrator");
  writeFileSync(join(place.home, "state.yaml"), "forgectl: 1\nsettings: { terminal_max_session_time: 77 }\n");
  const record = join(other.home, "run.ndjson");
  expect((await place.run("state", "apply", "-f", "state.yaml", "--yes", "--record", record)).code).toBe(0);
  const back = await other.run("state", "rollback", record, "--yes", "--no-header");
  expect([back.code, back.stdout]).toEqual([0, "#settings\tupdate\tdone\t\n"]);
  expect(back.stderr).toContain("what was changed after this run on another machine may not be seen yet");
  // A copy of before says the same whether it was undone or not: this one was, and its run is the newest.
  expect((await other.run("state", "rollback", record, "--yes")).code).toBe(0);
});

const second = 1000;

test.concurrent.each<[string, string, number, string | undefined, { open: true }?]>([
  ["settings", "unknown", 149 * second, "in three minutes"],
  ["settings", "unknown", 151 * second, undefined],
  ["settings", "done", second, undefined],
  ["hooks", "unknown", 59 * second, "in a minute"],
  ["hooks", "unknown", 61 * second, undefined],
  ["hooks", "done", second, undefined],
  ["hooks", "done", second, "in a minute", { open: true }],
  ["hooks", "done", 61 * second, undefined, { open: true }],
])("a change of %s that is %s, %i ms later, is open for %s", (kind, status, sinceMs, again, more) => {
  const time = "2026-01-01T00:00:00.000Z";
  const entry = { kind, status, time, ...more } as RunEntry;
  const run = { started: time, ended: null, entries: [entry] } as unknown as Run;
  expect(sinceLastWrite(run, new Date(Date.parse(time) + sinceMs)).openFor(entry, more !== undefined)).toBe(again);
});
