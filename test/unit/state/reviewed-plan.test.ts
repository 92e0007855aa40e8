import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { type SavedPlan, savePlan } from "../../../src/state/plan/plan-file.ts";
import { reviewedPlan } from "../../../src/state/plan/reviewed-plan.ts";
import { words } from "../../support/compared.ts";
import { type Answers, instanceWith } from "../../support/planned-state.ts";

const url = "https://a.example/in";
const hook = { id: 2, name: "Deploys", url, push_events: true, description: "was", enable_ssl_verification: true };
const group = { "/user": { username: "ada", id: 1, is_admin: false }, "/groups/acme": { id: 3, full_path: "acme" } };
const project = {
  "/user": { username: "ada", id: 1 },
  "/projects/acme/api": { id: 7, path_with_namespace: "acme/api" },
};
const hooks = "/groups/acme/hooks";
const links = "/groups/acme/saml_group_links";
const link = (name: string, access_level = 30) => ({ name, access_level, provider: null });
const toSet = "groups: { acme: { hooks: [{ name: Deploys, description: set }] } }";
const ofHooks = (...live: object[]): Answers => ({ ...group, [hooks]: live });
const ofLinks = (...live: object[]): Answers => ({ ...group, [links]: live });

interface Trial {
  answers: Answers;
  text: string;
  /** What the instance answers once the plan is saved. */
  later?: Answers;
  /** A change of the saved plan. */
  altered?: (plan: SavedPlan) => object;
  /** Files below the folder of the state file, by name. */
  files?: Record<string, string>;
  env?: Record<string, string>;
  folder?: string;
  prune?: boolean;
  secrets?: SavedPlan["secrets"];
  /** Called once the plan is saved. */
  meanwhile?: (instance: Awaited<ReturnType<typeof instanceWith>>) => Promise<void> | void;
}

/** Plans, saves, and resumes; the plan is in a folder `ci` of its own, unless another one is given. */
async function resumed(trial: Trial) {
  const instance = await instanceWith({ ...trial.answers });
  const { context } = instance;
  Object.assign(context, { env: trial.env ?? {} });
  for (const [name, text] of Object.entries(trial.files ?? {})) writeFileSync(join(context.folder, name), text);
  const options = { prune: trial.prune ?? false, secrets: trial.secrets ?? "auto" };
  const plan = await instance.plan(trial.text, options);
  const path = join(context.folder, "plan.json");
  await savePlan(context, path, plan, { ...options, only: undefined, projects: undefined, groups: undefined });
  const saved = JSON.parse(readFileSync(path, "utf8")) as SavedPlan;
  if (trial.altered) writeFileSync(path, JSON.stringify({ ...saved, ...trial.altered(saved) }));
  await trial.meanwhile?.(instance);
  Object.assign(instance.answers, trial.later);
  const before = instance.log().length;
  const end = await reviewedPlan(context, path, trial.folder && join(context.folder, trial.folder)).then(
    ({ plan: again, already }) => ({
      plan: again,
      lines: again.changes.map(words),
      already: already.map(words),
      changes: again.changes,
    }),
    (error: unknown) => ({ error, lines: [], already: [], changes: [], plan: undefined }),
  );
  return {
    error: undefined,
    ...end,
    planned: plan.changes.map(words),
    warnings: instance.warnings,
    log: instance.log().slice(before),
    sent: instance.log("changes"),
    folder: context.folder,
  };
}

const update = "update Deploys: description";

describe("a saved plan whose objects", () => {
  test("are as they were is resumed, with each object as it is now, and its counts", async () => {
    const now = { ...hook, push_events: false, note_events: true };
    const text = `groups: { acme: { hooks: [{ name: Deploys, description: set }], saml_group_links: [] } }`;
    const end = await resumed({ answers: { ...ofHooks(hook), ...ofLinks() }, text, later: ofHooks(now) });
    expect([end.lines, end.already, end.warnings, end.sent]).toEqual([[update], [], [], []]);
    expect(end.changes[0]?.live?.values).toMatchObject({ description: "was", note_events: true });
    expect(end.plan).toMatchObject({ equal: 0, shared: [], caller: { id: 1, admin: false }, pruned: new Map() });
    expect(end.log.toSorted()).toEqual(["GET /groups/acme", `GET ${hooks}`, "GET /user"].toSorted());
  });

  test.each<[law: string, trial: Pick<Trial, "answers" | "text" | "prune">, later: Answers]>([
    ["are as planned", { answers: ofHooks(hook), text: toSet }, ofHooks({ ...hook, description: "set" })],
    [
      "were created as planned",
      { answers: ofLinks(), text: "groups: { acme: { saml_group_links: [{ name: Leads, access_level: 30 }] } }" },
      ofLinks(link("Leads")),
    ],
    [
      "are gone, as planned",
      { answers: ofLinks(link("Leads")), text: "groups: { acme: { saml_group_links: [] } }", prune: true },
      ofLinks(),
    ],
  ])("%s, need nothing", async (_law, trial, later) => {
    const end = await resumed({ ...trial, later });
    expect([end.lines, end.already, end.error]).toEqual([[], end.planned, undefined]);
    expect(end.already).toHaveLength(1);
  });

  test.each<[law: string, trial: Pick<Trial, "answers" | "text" | "prune">, later: Answers, address: string]>([
    [
      "were changed",
      { answers: ofHooks(hook), text: toSet },
      ofHooks({ ...hook, description: "other" }),
      "hooks/Deploys",
    ],
    ["are gone", { answers: ofHooks(hook), text: toSet }, ofHooks(), "hooks/Deploys"],
    [
      "differ in what was as declared",
      {
        answers: ofHooks(hook),
        text: "groups: { acme: { hooks: [{ name: Deploys, description: set, enable_ssl_verification: true }] } }",
      },
      ofHooks({ ...hook, enable_ssl_verification: false }),
      "hooks/Deploys",
    ],
    [
      "were created otherwise",
      { answers: ofLinks(), text: "groups: { acme: { saml_group_links: [{ name: Leads, access_level: 30 }] } }" },
      ofLinks(link("Leads", 10)),
      "saml_group_links/Leads",
    ],
    [
      "were changed before their removal",
      { answers: ofLinks(link("Leads")), text: "groups: { acme: { saml_group_links: [] } }", prune: true },
      ofLinks(link("Leads", 10)),
      "saml_group_links/Leads",
    ],
  ])("%s, are a conflict", async (_law, trial, later, address) => {
    const end = await resumed({ ...trial, later });
    expect(end.error).toMatchObject({
      exit: "conflict",
      message: `acme#${address}: changed since the plan was made`,
      details: { code: "stale_plan", nothing: "sent" },
    });
    expect(end.sent).toEqual([]);
  });

  test("are in two conflicts are both named, whatever else is as it was", async () => {
    const text =
      "groups: { acme: { saml_group_links: [{ name: A, access_level: 40 }, { name: B, access_level: 40 }, { name: C, access_level: 40 }] } }";
    const end = await resumed({
      answers: ofLinks(link("A"), link("B"), link("C")),
      text,
      later: ofLinks(link("A", 10), link("B"), link("C", 10)),
    });
    expect(end.error).toMatchObject({
      message: "acme#saml_group_links/A, acme#saml_group_links/C: changed since the plan was made",
    });
  });
});

describe("what cannot be read any more", () => {
  const text =
    "groups: { acme: { hooks: [{ name: Deploys, description: set }], saml_group_links: [{ name: Leads, access_level: 30 }] } }";

  test("is unreadable, with the reason; the rest is resumed", async () => {
    const end = await resumed({ answers: { ...ofHooks(hook), ...ofLinks() }, text, later: { [hooks]: 403 } });
    expect(end.lines).toEqual([
      expect.stringMatching(/^unreadable Deploys \(.+\)$/),
      "create Leads: name, access_level",
    ]);
    expect(end.changes[0]).toMatchObject({ fields: [], write: [], lockout: undefined });
  });

  test("and so is a group that has moved", async () => {
    const later = { "/groups/acme": { id: 3, full_path: "umbrella" } };
    const end = await resumed({ answers: ofHooks(hook), text: toSet, later });
    expect(end.lines).toEqual(["unreadable Deploys (the group has moved to umbrella)"]);
    expect(end.log).not.toContain(`GET ${hooks}`);
  });

  test("what was unreadable when it was planned, and what is extra, is kept, and not read", async () => {
    const both = "groups: { acme: { hooks: [], saml_group_links: [] } }";
    const end = await resumed({ answers: { ...ofLinks(link("Leads")), [hooks]: 403 }, text: both });
    expect(end.lines).toEqual([
      expect.stringMatching(/^unreadable \(when planned: .+\)$/),
      expect.stringMatching(/^extra Leads/),
    ]);
    expect(end.log).toEqual(["GET /user"]);
  });
});

describe("a secret, which cannot be compared", () => {
  const next = "https://b.example/in";
  const text = `groups: { acme: { hooks: [{ name: Deploys, url: "${next}", token: { env: HOOK_TOKEN } }] } }`;
  const env = { HOOK_TOKEN: "s3cret-of-a-hook" };

  test("is sent if the rest is as it was", async () => {
    const end = await resumed({ answers: ofHooks(hook), text, env });
    expect(end.lines).toEqual(["update Deploys: url, token"]);
  });

  test("is not sent again if the rest has become as planned", async () => {
    const end = await resumed({ answers: ofHooks(hook), text, env, later: ofHooks({ ...hook, url: next }) });
    expect([end.lines, end.already]).toEqual([[], ["update Deploys: url, token"]]);
    const created = await resumed({ answers: ofHooks(), text, env, later: ofHooks({ ...hook, url: next }) });
    expect([created.lines, created.already.length]).toEqual([[], 1]);
  });

  test("is sent if nothing but it was planned, although the rest is as planned", async () => {
    const end = await resumed({
      answers: ofHooks(hook),
      text: "groups: { acme: { hooks: [{ name: Deploys, token: { env: HOOK_TOKEN } }] } }",
      env,
      secrets: "always",
    });
    expect([end.lines, end.already]).toEqual([["update Deploys: token"], []]);
  });
});

describe("the removals of a saved plan", () => {
  test("count for the limits with the list as it is now", async () => {
    const text = "groups: { acme: { saml_group_links: [{ name: C, access_level: 30 }] } }";
    const end = await resumed({
      answers: ofLinks(link("A"), link("B"), link("C")),
      text,
      prune: true,
      later: ofLinks(link("A"), link("B"), link("C"), link("D")),
    });
    expect(end.lines).toEqual(["delete A", "delete B"]);
    expect([...(end.plan?.pruned ?? [])]).toEqual([
      ["acme#saml_group_links", { size: 4, origin: { file: join(end.folder, "plan.json"), line: 1 } }],
    ]);
  });

  test("of one place in one scope are not those of a pattern", async () => {
    const text = "groups: { acme: { hooks: [] } }";
    const other = { ...hook, id: 3, name: "Chat" };
    const end = await resumed({ answers: ofHooks(hook, other), text, prune: true });
    expect(end.lines).toEqual(["disarm Deploys", "disarm Chat"]);
  });

  test("of hooks by a pattern count, too", async () => {
    const answers = { ...fleet(), "/groups/acme/a/hooks": [hook], "/groups/acme/b/hooks": [hook] };
    const text = "groups: { acme/**: { hooks: [] } }";
    const end = await resumed({ answers, text, prune: true, altered: () => ({ shared: [] }) });
    expect(end.error).toMatchObject({ details: { code: "altered_plan" } });
  });

  const pattern = "groups: { acme/**: { saml_group_links: [] } }";
  const fleet = (): Answers => ({
    "/user": { username: "ada", id: 1 },
    ...Object.fromEntries(
      ["acme/a", "acme/b"].map((path, at) => [`/groups/${path}`, { id: 10 + at, full_path: path }]),
    ),
    "/groups/acme": { id: 3, full_path: "acme" },
    "/groups/acme/descendant_groups": ["acme/a", "acme/b"].map((full_path, at) => ({ id: 10 + at, full_path })),
    "/groups/acme/a/saml_group_links": [link("A")],
    "/groups/acme/b/saml_group_links": [link("B")],
  });

  test("of a pattern are those that the plan counts", async () => {
    const end = await resumed({ answers: fleet(), text: pattern, prune: true });
    expect([end.error, end.lines]).toEqual([undefined, ["delete A", "delete B"]]);
    expect(end.plan?.shared[0]).toMatchObject({ removals: 2, scopes: 2 });
    const altered = await resumed({ answers: fleet(), text: pattern, prune: true, altered: () => ({ shared: [] }) });
    expect(altered.error).toMatchObject({
      name: "UsageError",
      message: expect.stringMatching(/: the plan's rows remove more than its counts say$/),
      details: { code: "altered_plan", nothing: "sent" },
    });
    expect(altered.log).toEqual([]);
  });

  test("count, and what is added or changed in many scopes does not", async () => {
    const added = "groups: { acme/**: { saml_group_links: [{ name: X, access_level: 30 }] } }";
    const answers = { ...fleet(), "/groups/acme/a/saml_group_links": [], "/groups/acme/b/saml_group_links": [] };
    const end = await resumed({ answers, text: added, altered: () => ({ shared: [] }) });
    expect(end.lines).toEqual(["create X: name, access_level", "create X: name, access_level"]);
  });
});

describe("who applies a plan", () => {
  const environments = "/projects/acme/api/protected_environments";
  const live = { name: "p", deploy_access_levels: [{ id: 1, user_id: 4 }] };
  const text =
    "projects: { acme/api: { protected_environments: [{ name: p, deploy_access_levels: [{ user_id: 6 }] }] } }";
  const answers = {
    ...project,
    "/user": { username: "ada", id: 4 },
    [environments]: [live],
    [`${environments}/p`]: live,
  };

  test("is the one who is locked out", async () => {
    const end = await resumed({ answers, text });
    expect([end.changes[0]?.lockout?.certain, end.warnings]).toEqual([true, []]);
    expect(end.log).toContain(`GET ${environments}/p`);
    const other = await resumed({ answers, text, later: { "/user": { username: "ada", id: 5 } } });
    expect(other.changes[0]?.lockout).toBeUndefined();
    expect(other.warnings).toEqual([
      "the plan was made by user 4; what locks users out is judged for user 5, who applies it",
    ]);
    expect(other.plan?.caller).toEqual({ id: 5, admin: false });
  });
});

test("a plan for another instance is refused, with nothing read", async () => {
  const altered = () => ({ instance: "https://other.example.com" });
  const end = await resumed({ answers: ofHooks(hook), text: toSet, altered });
  expect(String(end.error)).toMatch(
    /the plan is for https:\/\/other\.example\.com, not for http:\/\/127\.0\.0\.1:\d+$/,
  );
  expect(end.log).toEqual([]);
});

describe("the files of a plan", () => {
  const text = "groups: { acme: { hooks: [{ name: Deploys, description: { file: about.md } }] } }";
  const trial: Trial = { answers: ofHooks(hook), text, files: { "about.md": "set" } };
  const refused = (reason: string) => ({
    message: "the file about.md is not the one that was planned",
    details: { code: "altered_plan", nothing: "sent", reason },
  });

  test("are beside it, or in the given folder, or beside the given file", async () => {
    expect((await resumed(trial)).lines).toEqual([update]);
    expect((await resumed({ ...trial, folder: "." })).lines).toEqual([update]);
    expect((await resumed({ ...trial, folder: "about.md" })).lines).toEqual([update]);
    expect((await resumed({ ...trial, folder: "not-there.yaml" })).lines).toEqual([update]);
  });

  test("of secrets are read again, wherever they are within a value", async () => {
    const headers = "custom_headers: [{ key: A, value: { file: header } }]";
    const secret = {
      ...trial,
      text: `groups: { acme: { hooks: [{ name: Deploys, ${headers} }] } }`,
      files: { header: "s3cret-of-a-header" },
    };
    const end = await resumed({ ...secret, folder: "." });
    expect(end.lines).toEqual(["update Deploys: custom_headers"]);
    const value = { reference: "file", name: "header", folder: end.folder };
    expect(end.changes[0]?.desired?.values.custom_headers).toMatchObject([{ key: "A", value }]);
    // Any file of that name beside the plan could be meant.
    expect((await resumed(secret)).error).toMatchObject({
      message: expect.stringMatching(/Deploys takes a secret from the file header$/),
      details: {
        code: "missing_flag",
        nothing: "sent",
        hint: expect.stringMatching(/^give the folder of the files with -f, which \S+ is in$/),
      },
    });
  });

  test("must be the ones that were planned", async () => {
    const write = (content: string) => (instance: { context: { folder: string } }) =>
      writeFileSync(join(instance.context.folder, "about.md"), content);
    const end = await resumed({ ...trial, meanwhile: write("other") });
    expect(end.error).toMatchObject(refused(`looked below ${end.folder}`));
    expect(end.log).toEqual([]);
  });

  test("are looked for in the folder alone", async () => {
    const meanwhile = ({ context }: { context: { folder: string } }) => {
      mkdirSync(join(context.folder, "other"));
    };
    const end = await resumed({ ...trial, folder: "other", meanwhile });
    expect(end.error).toMatchObject(refused(`looked below ${join(end.folder, "other")}`));
  });

  test("of a plan on stdin need a folder", async () => {
    const instance = await instanceWith({ ...trial.answers });
    const { context } = instance;
    writeFileSync(join(context.folder, "about.md"), "set");
    const plan = await instance.plan(text);
    const path = join(context.folder, "plan.json");
    const options = { prune: false, secrets: "auto", only: undefined, projects: undefined, groups: undefined } as const;
    await savePlan(context, path, plan, options);
    const bytes = readFileSync(path);
    const stream = () => Readable.from([bytes]);
    Object.assign(context, { stdin: { isTerminal: false, stream } });
    await expect(reviewedPlan(context, "-", undefined)).rejects.toMatchObject(refused("the plan is on stdin"));
    expect((await reviewedPlan(context, "-", context.folder)).plan.changes.map(words)).toEqual([update]);
  });
});

describe("what a cache may still show", () => {
  const updated_at = "2026-11-21T16:00:00.000Z";
  const settings = (attempts: number) => ({
    "/user": { username: "ada", id: 1 },
    "/application/settings": { id: 1, max_login_attempts: attempts, updated_at },
  });
  const text = "settings: { max_login_attempts: 5 }";
  const doubts = ({ changes }: SavedPlan) => ({
    changes: changes.map((change) => ({ ...change, doubts: { max_login_attempts: [5] } })),
  });
  const aged = (seconds: number) => (plan: SavedPlan) => {
    return { ...doubts(plan), planned: new Date(Date.parse(plan.planned ?? "") - seconds * 1000).toISOString() };
  };
  const row = "update: max_login_attempts";

  test("is doubted for as long as it may", async () => {
    const end = await resumed({ answers: settings(7), text, altered: aged(0) });
    expect(end.lines).toEqual([row]);
    expect(end.changes[0]?.doubts).toEqual(new Map([["max_login_attempts", [5]]]));
    const old = await resumed({ answers: settings(7), text, altered: aged(90) });
    expect([old.lines, old.changes[0]?.doubts]).toEqual([[row], undefined]);
    const none = await resumed({ answers: settings(7), text });
    expect(none.changes[0]?.doubts).toBeUndefined();
  });

  test("so that a copy with the wanted value may hide what is to be changed", async () => {
    const end = await resumed({ answers: settings(7), text, altered: aged(0), later: settings(5) });
    expect([end.lines, end.already]).toEqual([[row], []]);
    const old = await resumed({ answers: settings(7), text, altered: aged(90), later: settings(5) });
    expect([old.lines, old.already]).toEqual([[], [row]]);
  });

  /** A run of this machine wrote a setting a few seconds ago. */
  const ran =
    (name: string, from: unknown, to: unknown) =>
    ({ context }: Parameters<NonNullable<Trial["meanwhile"]>>[0]) => {
      const run = "20261121T164510Z-7f3a";
      const folder = join(context.stateFolder("runs"), run);
      mkdirSync(folder, { recursive: true });
      const time = context.now().toISOString();
      const head = { run, instance: context.config.baseUrl?.value, what: "apply", started: time };
      const written = { before: { [name]: from }, after: { [name]: to }, sent: { [name]: to }, secrets: [], time };
      const at = { address: "#settings", at: "instance", scope: "", kind: "settings", key: "", id: 1 };
      const end = { ...at, action: "update", status: "done", error: null, ...written };
      const lines = [head, { n: 1, end }].map((line) => `${JSON.stringify(line)}\n`);
      writeFileSync(join(folder, "journal.ndjson"), lines.join(""), { mode: 0o600 });
    };

  test("after a run of this machine is replaced by what that wrote", async () => {
    const trial = { answers: settings(7), text };
    const same = await resumed({ ...trial, meanwhile: ran("max_login_attempts", 7, 5) });
    expect([same.lines, same.already]).toEqual([[], [row]]);
    const other = await resumed({ ...trial, meanwhile: ran("max_login_attempts", 7, 9) });
    expect(other.error).toMatchObject({ details: { code: "stale_plan" } });
  });

  test("is doubted as well, if what it hides is what was planned to be changed", async () => {
    const two = "settings: { max_login_attempts: 5, terminal_max_session_time: 60 }";
    const shown = (max_login_attempts: number) => ({
      "/user": { username: "ada", id: 1 },
      "/application/settings": { id: 1, max_login_attempts, terminal_max_session_time: 0, updated_at },
    });
    const meanwhile = ran("max_login_attempts", 5, 7);
    const altered = ({ changes }: SavedPlan) => ({
      changes: changes.map((change) => ({ ...change, doubts: { terminal_max_session_time: [60] } })),
    });
    const end = await resumed({ answers: shown(7), text: two, altered, meanwhile, later: shown(5) });
    const both: [string, unknown][] = [
      ["terminal_max_session_time", [60]],
      ["max_login_attempts", [5]],
    ];
    expect(end.changes[0]?.doubts).toEqual(new Map(both));
    expect(end.changes[0]?.live?.values.max_login_attempts).toBe(7);
    const none = await resumed({ answers: shown(7), text: two, meanwhile, later: shown(5) });
    expect(none.changes[0]?.doubts).toEqual(new Map([["max_login_attempts", [5]]]));
  });

  test("of a setting that is not written does not matter", async () => {
    const live = { ...settings(7), "/application/settings": { id: 1, max_login_attempts: 7, signup_enabled: true } };
    const end = await resumed({ answers: live, text, meanwhile: ran("signup_enabled", true, false) });
    expect(end.lines).toEqual([row]);
    expect(end.changes[0]).not.toHaveProperty("doubts");
    expect(end.changes[0]?.live?.values.signup_enabled).toBe(true);
  });
});

test("a saved plan is not applied to another project that has the path by now", async () => {
  const registry = { container_registry_access_level: "enabled", path_with_namespace: "acme/api" };
  const at = (id: number): Answers => ({ ...project, "/projects/acme/api": { ...registry, id } });
  const text = "projects: { acme/api: { container_registry_access_level: private } }";
  const { changes, planned } = await resumed({ answers: at(7), text, later: at(70) });
  expect(planned).toHaveLength(1);
  const reason = "acme/api is another project by now: its ID is 70, and was 7";
  expect(changes).toEqual([expect.objectContaining({ action: "unreadable", reason })]);
  const same = await resumed({ answers: at(7), text, later: at(7) });
  expect(same.changes.map(({ action }) => action)).toEqual(["update"]);
});
