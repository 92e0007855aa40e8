import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alteringSession } from "../../support/altering-proxy.ts";
import { sandboxSession } from "../../support/session.ts";

/** Of what is shown before a shorter wait. */
const deletes = "deletes each project and group whose deletion was requested longer ago";
const doomed = "old-reports-deletion_scheduled-16";

test("settings-that-delete: settings set asks before a shorter wait deletes what was put off, and promises no way back", async () => {
  const place = await sandboxSession({ asDeployed: true });
  const listed = async () => (await place.run("projects", "list", "--search", "reports")).stdout.includes(doomed);
  const asked = await place.run("settings", "set", "deletion_adjourned_period=1");
  expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining(deletes)]);
  expect(await listed()).toBe(true);
  // A longer one deletes nothing.
  expect((await place.run("settings", "set", "deletion_adjourned_period=30")).code).toBe(0);
  expect(await listed()).toBe(true);
  const made = await place.run("settings", "set", "deletion_adjourned_period=1", "--yes");
  expect([made.code, made.stderr]).toEqual([0, expect.not.stringContaining("undo: ")]);
  expect(await listed()).toBe(false);
});

test("settings-that-delete: a plan says so, and so does the rollback of a longer wait", async () => {
  const place = await sandboxSession({ asDeployed: true });
  const line = (text: string) => place.run(...text.split(" "));
  writeFileSync(join(place.home, "settings.yaml"), "deletion_adjourned_period: 1\n");
  const plan = await line("settings plan -f settings.yaml");
  expect([plan.code, plan.stdout]).toEqual([0, expect.stringContaining(deletes)]);
  writeFileSync(join(place.home, "settings.yaml"), "deletion_adjourned_period: 30\n");
  const applied = await line("settings apply -f settings.yaml --yes");
  expect([applied.code, applied.stdout + applied.stderr]).toEqual([0, expect.not.stringContaining(deletes)]);
  const back = await line("settings rollback --dry-run");
  expect(back.stdout + back.stderr).toContain(deletes);
});

test("settings-that-delete: settings set asks before tokens that last longer are revoked", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  const set = (value: string, ...flags: string[]) =>
    run("settings", "set", `max_personal_access_token_lifetime=${value}`, ...flags);
  const asked = await set("90");
  expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining("revokes each personal access token")]);
  const made = await set("90", "--yes");
  expect([made.code, made.stderr]).toEqual([0, expect.not.stringContaining("undo: ")]);
  for (const value of ["180", "null"]) expect((await set(value)).code).toBe(0);
  expect((await set("180")).code).toBe(2);
});

test("settings-that-delete: settings set asks before accounts, tokens, and projects are deleted or deactivated", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  const set = (...given: string[]) => run("settings", "set", ...given);
  const asked = async (given: string, effect: string) => {
    const { code, stderr } = await set(given);
    expect([given, code, stderr]).toEqual([given, 2, expect.stringContaining(effect)]);
  };
  const silent = async (...given: string[]) => expect([given, (await set(...given)).code]).toEqual([given, 0]);
  await asked("inactive_resource_access_tokens_delete_after_days=1", "tokens of which none has been valid");
  await silent("inactive_resource_access_tokens_delete_after_days=60");
  const kinds = [
    ["delete_unconfirmed_users", "unconfirmed_users_delete_after_days", "6", "has not been confirmed"],
    ["delete_inactive_projects", "inactive_projects_delete_after_months", "6", "marks those for deletion"],
    ["deactivate_dormant_users", "deactivate_dormant_users_period", "100", "deactivates each account"],
  ] as const;
  await silent("deactivate_dormant_users_period=120");
  for (const [name, period, lower, effect] of kinds) {
    await asked(`${name}=true`, effect);
    await silent(`${period}=300`, `${name}=false`);
    const made = await set(`${name}=true`, "--yes");
    expect([made.code, made.stderr]).toEqual([0, expect.not.stringContaining("undo: ")]);
    await asked(`${period}=${lower}`, effect);
    await silent(`${name}=false`);
    await silent(`${period}=${lower}`);
  }
  // A warning that comes later leaves projects that were warned of before less time.
  await set("delete_inactive_projects=true", "--yes");
  await asked("inactive_projects_send_warning_email_after_months=5", "marks those for deletion");
});

const invalid = "email_restrictions=(";

test("terms-stored-first: settings set says that the terms of a refused change were stored", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  const set = (...values: string[]) => run("settings", "set", ...values, "--yes");
  expect((await set("terms=Old", "enforce_terms=true")).code).toBe(0);
  const { code, stderr } = await set("terms=New", invalid);
  expect([code, stderr]).toEqual([9, expect.stringContaining("the instance stored terms, and refused the rest")]);
  expect(stderr).toContain("field: email_restrictions: ");
  expect((await run("settings", "get", "terms")).stdout).toBe("New\n");
  // Without new terms, nothing of a refused change is stored.
  const refused = await set("terms=New", invalid);
  expect([refused.code, refused.stderr]).toEqual([1, expect.not.stringContaining("stored")]);
});

test("terms-stored-first: an apply reports them as altered, and a rollback gives the earlier ones back", async () => {
  const place = await sandboxSession({ asDeployed: true });
  const line = (text: string) => place.run(...text.split(" "));
  await line("settings set terms=Old enforce_terms=true --yes");
  writeFileSync(join(place.home, "settings.yaml"), 'terms: New\nemail_restrictions: "("\n');
  const { code, stdout } = await line("settings apply -f settings.yaml --yes --allow-lockout");
  expect([code, stdout]).toEqual([9, expect.stringMatching(/altered\s+only terms was stored: email_restrictions/)]);
  expect((await line("settings get terms")).stdout).toBe("New\n");
  expect((await line("settings rollback --yes")).code).toBe(0);
  expect((await line("settings get terms")).stdout).toBe("Old\n");
});

test("terms-stored-first: a copy from before, in which they are not, is no proof", async () => {
  const place = await sandboxSession({ asDeployed: true, settingsCacheSeconds: 2 });
  const line = (text: string) => place.run(...text.split(" "));
  const untilShown = (terms: string) =>
    expect.poll(async () => (await line("settings get terms")).stdout, { timeout: 20_000 }).toBe(`${terms}\n`);
  await line("settings set default_projects_limit=77");
  const { code, stderr } = await line(`settings set terms=New ${invalid} --yes`);
  expect([code, stderr]).toEqual([1, expect.stringContaining("but terms may have been stored\n")]);
  expect(stderr).toContain("check in a minute: forgectl settings get terms");
  await untilShown("New");
  await line("settings set default_projects_limit=78");
  writeFileSync(join(place.home, "settings.yaml"), 'terms: Newer\nemail_restrictions: "("\n');
  const applied = await line("settings apply -f settings.yaml --yes --allow-lockout");
  expect([applied.code, applied.stdout]).toEqual([1, expect.stringMatching(/unknown\s.*; terms may have been stored/)]);
  // What may have been stored is nothing that the next apply finds equal.
  writeFileSync(join(place.home, "before.yaml"), "terms: New\n");
  const again = await line("settings plan -f before.yaml --exit-code");
  expect([again.code, again.stdout]).toEqual([10, expect.stringContaining("terms")]);
  await untilShown("Newer");
  // Within a minute, what is unknown of settings may still be made after it.
  expect((await line("settings rollback --yes")).code).toBe(9);
  await untilShown("New");
});

test("terms-stored-first: a rollback of what may have been stored takes back nothing else", async () => {
  const place = await sandboxSession({ asDeployed: true });
  const line = (text: string) => place.run(...text.split(" "));
  await line("settings set default_projects_limit=67");
  writeFileSync(join(place.home, "settings.yaml"), 'terms: New\ndefault_projects_limit: 88\nemail_restrictions: "("\n');
  expect((await line("settings apply -f settings.yaml --yes --allow-lockout")).code).toBe(9);
  // By another administrator.
  const other = place.as("administrator");
  expect((await other.run("settings", "set", "default_projects_limit=88")).code).toBe(0);
  // The limit is not the run's.
  const back = await line("settings rollback --yes");
  expect([back.code, back.stdout + back.stderr]).toEqual([6, expect.stringContaining("changed since run")]);
  expect((await line("settings get default_projects_limit")).stdout).toBe("88\n");
});

test.each([403, 413, 429])(
  "terms-stored-first: a %i comes before the instance looks at what was sent",
  async (status) => {
    const place = await sandboxSession({ asDeployed: true, faults: `PUT /application/settings=${status}*always` });
    writeFileSync(join(place.home, "settings.yaml"), "terms: New\ndefault_projects_limit: 55\n");
    const applied = await place.run(
      ...["settings", "apply", "-f", "settings.yaml", "--yes", "--allow-lockout", "--retries", "0"],
    );
    expect(applied.stdout).toMatch(/\s(?:refused|failed)\s/);
    expect(applied.stdout + applied.stderr).not.toContain("may have been");
  },
);

test("terms-stored-first: as documented, nothing of a refused change is stored", async () => {
  const { run } = await sandboxSession();
  await run("settings", "set", "terms=Old", "enforce_terms=true", "--yes");
  expect((await run("settings", "set", "terms=New", invalid, "--yes")).code).toBe(1);
  expect((await run("settings", "get", "terms")).stdout).toBe("Old\n");
});

test("settings-written-below: settings set asks before what groups and projects have of their own is lost", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  const set = (value: boolean, ...flags: string[]) =>
    run("settings", "set", `assistant_features_enabled=${value}`, ...flags);
  const asked = await set(false);
  expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining("into each group and each project")]);
  expect((await set(true)).code).toBe(0);
  const made = await set(false, "--yes");
  expect([made.code, made.stderr]).toEqual([0, expect.not.stringContaining("undo: ")]);
  expect((await run("settings", "set", "lock_assistant_features_enabled=true")).code).toBe(2);
});

test("settings-written-below: one that changes along with another is named with its effect, and nothing is promised back", async () => {
  const { run } = await alteringSession(({ method, path, sent, body }) => {
    if (method !== "PUT" || !path.endsWith("/application/settings")) return undefined;
    const along = "first_day_of_week" in (sent as object) ? { assistant_features_enabled: false } : {};
    return { body: { ...(body as object), ...along } };
  });
  const { code, stderr } = await run("settings", "set", "first_day_of_week=1");
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(
      /assistant_features_enabled \(true → false\); of these, the instance writes it into each group/,
    ),
  ]);
  expect(stderr).not.toContain("undo:");
});
