import { describe, expect, test } from "vitest";
import { Failure } from "../../../src/base/errors.ts";
import type { Values } from "../../../src/state/kind.ts";
import { planRollback } from "../../../src/state/rollback.ts";
import type { Run, RunEntry } from "../../../src/state/runs.ts";
import { words } from "../../support/compared.ts";
import { smallInstance } from "../../support/small-instance.ts";

type Entry = { [K in keyof RunEntry]?: RunEntry[K] | undefined };

const url = "https://a.example/in";
const hook = { id: 2, name: "Deploys", url, push_events: true, description: "set" };
const link = { name: "Engineering", access_level: 30, provider: null };

function entry(more: Entry): RunEntry {
  const whole = {
    address: "acme#hooks/Deploys",
    at: "group",
    scope: "acme",
    kind: "hooks",
    key: "Deploys",
    id: 2,
    action: "update",
    status: "done",
    error: null,
    before: { description: "was" },
    after: { description: "set" },
    secrets: [],
    ...more,
  };
  return { sent: whole.after, ...whole } as RunEntry;
}

const linkEntry = (more: Entry) =>
  entry({
    address: "acme#saml_group_links/Engineering",
    kind: "saml_group_links",
    key: "Engineering",
    id: null,
    action: "create",
    before: null,
    after: link,
    ...more,
  });
const allowed = (more: Entry) =>
  entry({
    address: "acme/x#allowlist/9",
    at: "project",
    scope: "acme/x",
    kind: "allowlist",
    key: "9",
    id: 9,
    action: "delete",
    before: { id: 9 },
    after: null,
    sent: null,
    ...more,
  });

interface Trial {
  entries: RunEntry[];
  hooks?: Values[];
  links?: Values[] | number;
  allowlist?: Values[];
  overwrite?: boolean;
  earlier?: RunEntry[];
  damaged?: number[];
  instance?: string;
}

async function planned({
  entries,
  hooks = [],
  links = [],
  allowlist = [],
  overwrite = false,
  earlier = [],
  damaged = [],
  instance,
}: Trial) {
  const { context, log } = await smallInstance(({ path }) => {
    if (path === "/groups/acme") return [200, { id: 4, full_path: "acme" }];
    if (path === "/projects/acme/x") return [200, { id: 7, path_with_namespace: "acme/x" }];
    if (path.endsWith("/hooks")) return [200, hooks];
    if (path.endsWith("/allowlist")) return [200, allowlist];
    return typeof links === "number" ? [links, {}] : [200, links];
  });
  const run: Run = {
    run: "r1",
    instance: instance ?? context.config.baseUrl?.value ?? "",
    what: "apply",
    started: "",
    ended: "",
    complete: true,
    entries,
    damaged,
  };
  const earlierRuns = earlier.length === 0 ? [] : [{ ...run, entries: earlier }];
  const back = await planRollback(context, run, { overwrite, earlier: earlierRuns });
  expect(log("changes")).toEqual([]);
  return { ...back, changes: back.plan.changes.map(words) };
}

const message = async (trial: Trial) => {
  const thrown = await planned(trial).catch((error: unknown) => error);
  return thrown instanceof Failure ? `${thrown.code}: ${thrown.message}` : thrown;
};

describe("the plan of a rollback", () => {
  test.each<[law: string, trial: Trial, changes: string[], equal: number]>([
    [
      "what a run changed is changed back, found by its ID",
      { entries: [entry({})], hooks: [hook] },
      ["update Deploys: description"],
      0,
    ],
    ["what is as before is equal", { entries: [entry({})], hooks: [{ ...hook, description: "was" }] }, [], 1],
    ["what a run created is removed", { entries: [linkEntry({})], links: [link] }, ["delete Engineering"], 0],
    [
      "or disarmed, by its ID, whatever it is called now",
      {
        entries: [entry({ action: "create", before: null, after: { push_events: true } })],
        hooks: [{ ...hook, name: "Chat" }],
      },
      ["disarm Deploys"],
      0,
    ],
    ["what is gone again needs nothing", { entries: [linkEntry({})] }, [], 1],
    [
      "what a run removed is created",
      { entries: [linkEntry({ action: "delete", before: link, after: null })] },
      ["create Engineering: name, access_level"],
      0,
    ],
    [
      "other entries of the list are left alone",
      { entries: [linkEntry({})], links: [link, { name: "Leads", access_level: 40 }] },
      ["delete Engineering"],
      0,
    ],
    [
      "what the run did not change is left alone",
      { entries: [linkEntry({ status: "refused" }), entry({ status: "skipped" })], links: [link], hooks: [hook] },
      [],
      0,
    ],
    [
      "what it may have created is removed, if it is that",
      { entries: [linkEntry({ status: "unknown", after: null, sent: { access_level: 30 } })], links: [link] },
      ["delete Engineering"],
      0,
    ],
    [
      "a list that cannot be read makes its entries unreadable",
      { entries: [linkEntry({}), linkEntry({ key: "Leads", address: "acme#saml_group_links/Leads" })], links: 403 },
      ["unreadable Engineering", "unreadable Leads"],
      0,
    ],
    [
      "the fields that two changes of one object wrote are written back together",
      { entries: [entry({}), entry({ before: { name: "Old" }, after: { name: "Deploys" } })], hooks: [hook] },
      ["update Deploys: description, name"],
      0,
    ],
    [
      "an empty text is restored as one",
      { entries: [entry({ before: { description: null } })], hooks: [hook] },
      ["update Deploys: description"],
      0,
    ],
  ])("%s", async (_law, trial, changes, equal) => {
    const { changes: found, plan } = await planned(trial);
    const isUnread = trial.links === 403;
    expect(isUnread ? found.map((each) => each.replace(/ \(.*/, "")) : found).toEqual(changes);
    expect([plan.equal, plan.pruned.size]).toEqual([equal, 0]);
  });

  test("keys are those of the run, even where the object has another name now", async () => {
    const { plan } = await planned({ entries: [entry({ hidden: ["name"] })], hooks: [{ ...hook, name: "Chat" }] });
    expect(plan.changes[0]).toMatchObject({ key: "Deploys", id: 2, hidden: ["name"] });
  });

  test("a run of another instance is refused", async () => {
    expect(await message({ entries: [], instance: "https://other.example" })).toMatch(
      /^usage: run r1 is for https:\/\/other\.example, not for http/,
    );
  });
});

describe("what somebody else changed since", () => {
  const changed = {
    entries: [entry({}), linkEntry({})],
    hooks: [{ ...hook, description: "other" }],
    links: [{ ...link, access_level: 10 }],
  };

  test("is a conflict, and nothing is undone", async () => {
    expect(await message(changed)).toBe(
      "stale: acme#hooks/Deploys, acme#saml_group_links/Engineering: changed since run r1",
    );
  });

  test("--overwrite undoes it anyway", async () => {
    expect((await planned({ ...changed, overwrite: true })).changes).toEqual([
      "update Deploys: description",
      "delete Engineering",
    ]);
  });

  test("what an earlier rollback of the run did is no such change, if it was of that object", async () => {
    const half = entry({ before: { description: "set" }, after: { description: "other" } });
    const one = { entries: [entry({})], hooks: [{ ...hook, description: "other" }] };
    expect((await planned({ ...one, earlier: [half] })).changes).toEqual(["update Deploys: description"]);
    expect(await message({ ...one, earlier: [{ ...half, address: "acme#hooks/Chat" }] })).toMatch(/^stale/);
    expect(await message({ ...one, earlier: [{ ...half, id: 3 }] })).toMatch(/^stale/);
    expect((await planned({ ...one, earlier: [{ ...half, id: null }] })).changes).toHaveLength(1);
    expect(await message({ ...one, earlier: [{ ...half, status: "refused" }] })).toMatch(/^stale/);
  });
});

describe("what an interrupted creation may have left", () => {
  const lost = entry({ status: "unknown", id: null, action: "create", before: null, after: null, sent: { url } });

  test("is removed if one object is what was sent", async () => {
    expect((await planned({ entries: [lost], hooks: [hook] })).changes).toEqual(["disarm Deploys"]);
  });

  test("is not chosen among several that may be it", async () => {
    const { changes } = await planned({ entries: [lost], hooks: [hook, { ...hook, id: 3 }] });
    expect(changes).toEqual([
      "unreadable Deploys (2 of them may be what the run created)",
      "unreadable Deploys (2 of them may be what the run created)",
    ]);
  });

  test("is the one of several that is as it was sent", async () => {
    const other = { ...hook, id: 3, url: "https://b.example" };
    const { plan, changes } = await planned({ entries: [lost], hooks: [other, hook] });
    expect([changes, plan.changes[0]?.id]).toEqual([["disarm Deploys"], 2]);
  });
});

describe("what a rollback cannot restore", () => {
  test("the secrets that a run replaced, and those of what is created again", async () => {
    const replaced = await planned({ entries: [entry({ secrets: ["token"] })], hooks: [hook] });
    expect(replaced.withoutSecrets).toEqual(["acme#hooks/Deploys"]);
    expect((await planned({ entries: [entry({})], hooks: [hook] })).withoutSecrets).toEqual([]);
    const created = await planned({
      entries: [entry({ action: "create", before: null, secrets: ["token"], after: { push_events: true } })],
      hooks: [hook],
    });
    expect(created.withoutSecrets).toEqual([]);
    const moved = entry({ before: { url: "https://b.example" }, after: { url } });
    expect((await planned({ entries: [moved], hooks: [hook] })).withoutSecrets).toEqual(["acme#hooks/Deploys"]);
    const links = await planned({ entries: [linkEntry({ action: "delete", before: link, after: null })] });
    expect(links.withoutSecrets).toEqual([]);
  });

  test("the permissions of what comes back to an allowlist", async () => {
    const { changes, unshown } = await planned({ entries: [allowed({})] });
    expect(changes).toEqual(["create 9: id"]);
    expect([...unshown]).toEqual([
      ["the permissions of an added entry, which the API does not show; it has all", ["acme/x#allowlist/9"]],
    ]);
    const removed = await planned({
      entries: [allowed({ action: "create", before: null, after: { id: 9 } })],
      allowlist: [{ id: 9, path_with_namespace: "acme/y" }],
    });
    expect([removed.changes, removed.unshown.size]).toEqual([["delete 9"], 0]);
  });

  test("kinds that this version does not know, and lines that are damaged", async () => {
    const moon = entry({ kind: "moons", address: "acme#moons/x" });
    const { unreadable, changes } = await planned({ entries: [moon, { ...moon, status: "refused" }], damaged: [4] });
    expect(changes).toEqual([]);
    expect(unreadable).toEqual([
      { address: "acme#moons/x", action: "update", reason: "this version does not know the kind moons" },
      { address: "line 4", action: "unreadable", reason: "the journal of the run is damaged there" },
    ]);
  });
});
