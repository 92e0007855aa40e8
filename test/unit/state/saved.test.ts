import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Change, Declared, Kind, Values } from "../../../src/state/kind.ts";
import { protectedBranchesKind } from "../../../src/state/kinds/branches.ts";
import { environmentsKind } from "../../../src/state/kinds/environments.ts";
import { hooksKind } from "../../../src/state/kinds/hooks.ts";
import { allowlistKind } from "../../../src/state/kinds/job-token.ts";
import { samlLinksKind } from "../../../src/state/kinds/links.ts";
import { settingsKind } from "../../../src/state/kinds/settings.ts";
import { compareSection } from "../../../src/state/live/compare.ts";
import {
  digestOf,
  readSaved,
  readSavedRows,
  type SavedChange,
  type SavedPlan,
  savePlan,
} from "../../../src/state/plan/plan-file.ts";
import { planRow } from "../../../src/state/plan/plan-row.ts";
import { recomputed } from "../../../src/state/plan/row-check.ts";
import { changeOf, compared, declared, plain, reference } from "../../support/compared.ts";
import { contextFor } from "../../support/context.ts";

const url = "https://a.example/in";
const hook = { id: 2, name: "Deploys", url, push_events: true, custom_headers: [{ key: "a" }], created_at: "x" };
const link = { name: "Engineering", access_level: 30, provider: "okta" };
const token = reference("TOKEN");
const environment = { name: "p", deploy_access_levels: [{ id: 1, user_id: 4 }] };

/** The plan in a file, as text and as it is read. */
async function saved(changes: readonly Change[], more: Partial<{ prune: boolean; dryRun: boolean }> = {}) {
  const context = contextFor("https://forge.example.com", { env: { TOKEN: "s3cret-of-a-hook", URL: secretUrl } });
  if (more.dryRun) Object.assign(context.config, { dryRun: true });
  const path = join(context.folder, "plan.json");
  const plan = { readAtMs: 0, changes, equal: 3, pruned: new Map(), shared: [], caller: { id: 1, admin: true } };
  const options = {
    prune: more.prune ?? true,
    secrets: "auto",
    only: undefined,
    projects: undefined,
    groups: undefined,
  } as const;
  await savePlan(context, path, plan, options);
  return { context, path, read: () => readSaved(context, path) };
}

const rowOf = (plan: SavedPlan, at = 0) => plan.changes[at] as SavedChange;

/** A hook whose text comes from a file that exists. */
function fromFile(folder: string): Declared {
  const about = { ...reference("about.md", "file"), folder };
  return declared({ name: "Deploys", url, description: "Hello" }, { read: { description: about } });
}

const [one] = compared(samlLinksKind, [{ ...link, access_level: 40 }], [link, { ...link, provider: "two" }]).changes;
const places = { description: { file: "state.yaml", line: 8 } };

const next = "https://next.example";
const moon = compared(hooksKind, [{ name: "New", url: next, events: ["moon"] }], [{ ...hook, moon_events: false }]);
const secretUrl = "https://u:s3cret-of-a-hook@a.example";
const bySecret = declared({ url: secretUrl, description: "x" }, { read: { url: reference("URL") } });

const cases: [what: string, change: Change][] = [
  ["an update", changeOf(hooksKind, { name: "Deploys", description: "x" }, hook)],
  ["an update by ID", changeOf(hooksKind, { id: 2, name: "Chat" }, hook)],
  ["a creation", changeOf(samlLinksKind, link, undefined)],
  ["a removal", changeOf(samlLinksKind, undefined, link)],
  ["a removal of a hook", changeOf(hooksKind, undefined, hook)],
  ["a replacement", changeOf(samlLinksKind, { ...link, access_level: 40 }, link)],
  ["a secret that is sent", changeOf(hooksKind, { name: "Deploys", token }, hook, { secrets: "always" })],
  ["a secret that is not sent", changeOf(hooksKind, { name: "Deploys", description: "x", token }, hook)],
  [
    "a new URL, with a secret sent along",
    changeOf(hooksKind, { name: "Deploys", url: "https://b.example", token }, hook),
  ],
  ["events", changeOf(hooksKind, { name: "Deploys", events: ["note"] }, { ...hook, moon_events: true })],
  [
    "settings, with what one requires",
    changeOf(
      settingsKind,
      { enforce_terms: true, max_login_attempts: 1 },
      { enforce_terms: false, terms: "x", max_login_attempts: 5 },
    ),
  ],
  ["an environment", changeOf(environmentsKind, { name: "p", deploy_access_levels: [{ user_id: 6 }] }, environment)],
  ["an entry of an allowlist", changeOf(allowlistKind, { id: 9 }, undefined)],
  ["headers", changeOf(hooksKind, { name: "Deploys", custom_headers: [{ key: "b", value: token }] }, hook)],
  ["one of two links of a name", one as Change],
  ["fields with places", changeOf(hooksKind, declared({ name: "Deploys", description: "x" }, { places }), hook)],
  ["what is extra", compared(samlLinksKind, [], [link]).changes[0] as Change],
  ["an event that only other hooks have", moon.changes.find(({ action }) => action === "create") as Change],
  ["what a rollback finds by its ID", changeOf(hooksKind, declared({ id: 2, name: "Old" }, { key: "Was" }), hook)],
];

test.each(cases)("%s is computed again from the plan as it was shown, and sends the same", async (_what, change) => {
  const { context, read } = await saved([change], { prune: change.action !== "extra" });
  const plan = await read();
  const again = await recomputed(context, plan, { change: rowOf(plan), index: 0, base: undefined });
  expect(planRow(again)).toEqual({ ...planRow(change), lockout: again.lockout?.reason ?? null });
  const sent = (each: Change) =>
    JSON.stringify(each.action === "extra" ? [] : each.kind.steps(each).map(({ input }) => input));
  expect(sent(again)).toBe(sent(change));
});

test("what is extra with --prune, since another entry was not found, is computed again so", async () => {
  const lost = declared({ id: 9, url });
  const section = {
    scope: { at: "group", name: "acme" },
    kind: hooksKind,
    entries: [lost],
    origin: lost.origin,
  } as const;
  const options = { ...plain, prune: true, unknown: new Map([[lost, "not found"]]) };
  const extra = compareSection(section, [{ values: hook }], options).changes.find(({ action }) => action === "extra");
  const { context, read } = await saved([extra as Change]);
  const plan = await read();
  const again = await recomputed(context, plan, { change: rowOf(plan), index: 0, base: undefined });
  expect(planRow(again)).toEqual(planRow(extra as Change));
});

test("what a secret identifies, which the plan does not have, is found by its ID", async () => {
  const change = changeOf(hooksKind, bySecret, { ...hook, name: null, url: secretUrl });
  const { context, read } = await saved([change]);
  const plan = await read();
  expect(rowOf(plan).from).not.toHaveProperty("url");
  const again = await recomputed(context, plan, { change: rowOf(plan), index: 0, base: undefined });
  expect(planRow(again)).toEqual(planRow(change));
  const other = { ...rowOf(plan), from: { ...rowOf(plan).from, id: 3 } };
  const altered = recomputed(context, plan, { change: other, index: 0, base: undefined });
  await expect(altered).rejects.toThrow("is not what its declaration gives");
});

test("what a variable identifies cannot be found if it is no longer set", async () => {
  const { context, read } = await saved([changeOf(hooksKind, bySecret, undefined)]);
  const plan = await read();
  Object.assign(context, { env: {} });
  const again = recomputed(context, plan, { change: rowOf(plan), index: 0, base: undefined });
  await expect(again).rejects.toThrow("acme#hooks/$URL: url comes from a variable that is not set");
});

test("what could not be read when it was planned is unreadable with that reason", async () => {
  const unreadable = compared(hooksKind, [{ id: 9, url }], []).changes[0] as Change;
  const { context, read } = await saved([unreadable]);
  const plan = await read();
  const again = await recomputed(context, plan, { change: rowOf(plan), index: 0, base: undefined });
  expect(again).toMatchObject({ action: "unreadable", key: "9", id: null, fields: [], write: [], live: undefined });
  expect(again.reason).toBe("when planned: the ID 9 does not exist; leave id out to create it");
});

describe("a row that is not what its declaration gives is refused", () => {
  const altered = async (change: Change, alter: (row: Record<string, unknown>) => object) => {
    const { context, read } = await saved([change]);
    const plan = await read();
    const row = { ...rowOf(plan), ...alter(structuredClone(rowOf(plan)) as never) } as SavedChange;
    return recomputed(context, plan, { change: row, index: 4, base: undefined }).catch((error: Error) => error.message);
  };
  const change = cases[0]?.[1] as Change;
  const refused = "row 5 of the plan, acme#hooks/Deploys, is not what its declaration gives";

  test.each<[what: string, alter: (row: Record<string, unknown>) => object]>([
    ["another value", () => ({ declared: { values: { name: "Deploys", description: "y" } } })],
    [
      "another field",
      () => ({ declared: { values: { name: "Deploys", description: "x", url: "https://evil.example" } } }),
    ],
    ["another object", () => ({ from: { ...hook, id: 3 } })],
    ["another state before", () => ({ from: { ...hook, description: "z" } })],
    ["another action", () => ({ action: "delete" })],
    ["another hash", () => ({ preimage: "0" })],
    ["another line", () => ({ line: 9 })],
    ["no fields", () => ({ fields: [] })],
    ["another key", () => ({ key: "Chat" })],
    ["a reason", () => ({ reason: "harmless" })],
    ["a lock-out", () => ({ lockout: "x" })],
    ["a removal", () => ({ declared: null })],
  ])("%s", async (_what, alter) => {
    expect(await altered(change, alter)).toBe(refused);
  });

  test("a key of what has none, too", async () => {
    const settings = cases.find(([what]) => what.startsWith("settings"))?.[1] as Change;
    const keyed = await altered(settings, () => ({ key: "x", address: "#settings/x" }));
    expect(keyed).toBe("row 5 of the plan, #settings/x, is not what its declaration gives");
  });

  test("with what to do, since nothing was sent", async () => {
    const { context, read } = await saved([change]);
    const plan = await read();
    const again = recomputed(context, plan, { change: { ...rowOf(plan), line: 9 }, index: 0, base: undefined });
    await expect(again).rejects.toMatchObject({
      details: { code: "altered_plan", nothing: "sent", hint: "plan again" },
    });
  });

  test("an address of something else, too", async () => {
    expect(await altered(change, () => ({ address: "acme#hooks/Chat" }))).toContain(
      "acme#hooks/Chat, is not what its declaration gives",
    );
  });

  test("the row says whether a secret is sent", async () => {
    const sent = cases[6]?.[1] as Change;
    expect(await altered(sent, () => ({ fields: [] }))).toBe(refused);
  });
});

describe("a saved plan", () => {
  test("has references in place of secrets, no folder, and no value that was secret", async () => {
    const secret = { ...token, folder: "/home/ada" };
    const custom_headers = [{ key: "a", value: secret }];
    const to = declared({ name: "Deploys", url: "https://b.example", token: secret, custom_headers });
    const { path } = await saved([changeOf(hooksKind, to, { ...hook, url: "https://u:p4ss@a.example", token: "0ld" })]);
    const text = readFileSync(path, "utf8");
    expect(text).toMatch(/^\{\n {2}"forgectl_plan": 2,\n/);
    expect(text).not.toMatch(/p4ss|0ld|\/home\/ada|created_at/);
    const { changes } = JSON.parse(text) as SavedPlan;
    expect(changes[0]?.declared?.values.token).toEqual({ reference: "env", name: "TOKEN", origin: token.origin });
    expect(changes[0]?.from).toMatchObject({
      id: 2,
      url: "https://[redacted]@a.example",
      custom_headers: [{ key: "a" }],
    });
  });

  test("keeps the keys of headers only", async () => {
    const live = { ...hook, custom_headers: [{ key: "a", value: "v4lue" }] };
    const { read } = await saved([changeOf(hooksKind, { name: "Deploys", description: "x" }, live)]);
    expect(rowOf(await read()).from?.custom_headers).toEqual([{ key: "a" }]);
  });

  test.each<[what: string, kind: Kind, to: Values, from: Values | undefined]>([
    ["a token", hooksKind, { url, token: "plain" }, undefined],
    ["the value of a header", hooksKind, { url, custom_headers: [{ key: "a", value: "plain" }] }, undefined],
    ["the password of an address", hooksKind, { url: "https://u:p@a.example" }, undefined],
  ])("with %s in plain text is refused", async (_what, kind, to, from) => {
    await expect(saved([changeOf(kind, to, from)])).rejects.toThrow(
      "is in plain text, and a plan must not contain secrets",
    );
  });

  test("leaves out a secret in plain text that is not sent", async () => {
    const { read } = await saved([changeOf(hooksKind, { name: "Deploys", description: "x", token: "plain" }, hook)]);
    expect(rowOf(await read()).declared?.values).toEqual({ name: "Deploys", description: "x" });
  });

  test("has what a cache may still show of the fields that are written", async () => {
    const change = changeOf(settingsKind, { max_login_attempts: 5 }, { max_login_attempts: 7 });
    const doubts = new Map<string, unknown[]>([
      ["max_login_attempts", [10]],
      ["signup_enabled", [true]],
    ]);
    expect(rowOf(await (await saved([{ ...change, doubts }])).read()).doubts).toEqual({ max_login_attempts: [10] });
    expect(rowOf(await (await saved([change])).read())).not.toHaveProperty("doubts");
  });

  test("has its head, and the rows that a plan shows", async () => {
    const { context, path, read } = await saved([cases[0]?.[1] as Change]);
    const { changes, ...head } = await read();
    expect(head).toMatchObject({
      forgectl_plan: 2,
      instance: "https://forge.example.com",
      caller: { id: 1, admin: true },
      prune: true,
      secrets: "auto",
      files: {},
      equal: 3,
      shared: [],
      planned: expect.stringMatching(/^\d{4}-/),
    });
    expect(changes[0]?.at).toBe("group");
    expect(await readSavedRows(context, path)).toEqual([planRow(cases[0]?.[1] as Change)]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("is not written in a dry run", async () => {
    const { read } = await saved([], { dryRun: true });
    await expect(read()).rejects.toThrow("plan.json");
  });

  test("has the hash of a file whose text it shows, and none of a secret's", async () => {
    const folder = contextFor("https://forge.example.com").folder;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "about.md"), "Hello");
    const change = changeOf(hooksKind, fromFile(folder), hook);
    const { context, read } = await saved([change]);
    // SHA-256 of "Hello".
    const digest = "185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969";
    expect((await read()).files).toEqual({ "about.md": digest });
    const named = { reference: "file", name: "about.md", origin: { file: "state.yaml", line: 3 } };
    expect(rowOf(await read()).declared?.values.description).toEqual(named);
    expect(await digestOf(context, { folder, name: "none.md" })).toBeUndefined();
  });

  test("has the files in order, and says which one there was not", async () => {
    const folder = contextFor("https://forge.example.com").folder;
    mkdirSync(folder, { recursive: true });
    for (const name of ["b.md", "a.md"]) writeFileSync(join(folder, name), "Hello");
    const from = (name: string) => ({ ...reference(name, "file"), folder });
    const of = (id: number, name: string) => {
      const read = { description: from(name), token: from("a.md"), url: reference("URL") };
      const to = declared({ id, url: secretUrl, token: "s3cret", description: "Hello" }, { read });
      return changeOf(hooksKind, to, { ...hook, id });
    };
    const { read } = await saved([of(1, "b.md"), of(2, "c.md"), of(3, "a.md")]);
    expect(Object.entries((await read()).files).map(([name, hash]) => [name, hash.slice(0, 4)])).toEqual([
      ["a.md", "185f"],
      ["b.md", "185f"],
      ["c.md", ""],
    ]);
    const secret = declared(
      { id: 2, token: "s3cret", description: "x" },
      { read: { token: from("a.md"), url: reference("URL") } },
    );
    expect((await (await saved([changeOf(hooksKind, secret, hook)])).read()).files).toEqual({});
  });

  test("has the ID of an object, even if nothing can write it", async () => {
    const branch = { id: 3, name: "main", push_access_levels: [{ id: 1, access_level: 40 }], inherited: false };
    const { read } = await saved([changeOf(protectedBranchesKind, undefined, branch)]);
    expect(rowOf(await read()).from).toMatchObject({ id: 3, name: "main" });
    expect(rowOf(await read()).from).not.toHaveProperty("inherited");
  });

  test("that is of another version, or damaged, has a code that says so", async () => {
    const { path, read } = await saved([]);
    for (const [text, code] of [
      ['{"forgectl_plan":3}', "plan_version"],
      ['{"forgectl_plan":2}', "damaged_plan"],
    ] as const) {
      writeFileSync(path, text);
      await expect(read()).rejects.toMatchObject({ name: "UsageError", details: { code } });
    }
  });

  test.each([
    ["nothing", "plan.json is not a plan that forgectl state plan --save wrote"],
    ["[]", "plan.json is not a plan that forgectl state plan --save wrote"],
    ["{}", "plan.json is not a plan that forgectl state plan --save wrote"],
    ['{"forgectl_plan":1}', "plan.json: its format is version 1, not 2"],
    ['{"forgectl_plan":2}', "plan.json is damaged: its head is incomplete"],
  ])("%s is none: %s", async (text, message) => {
    const { path, read } = await saved([]);
    writeFileSync(path, text);
    await expect(read()).rejects.toThrow(message);
  });
});
