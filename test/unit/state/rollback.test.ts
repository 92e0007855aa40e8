import { describe, expect, test } from "vitest";
import { Failure } from "../../../src/base/errors.ts";
import type { Values } from "../../../src/state/kind.ts";
import { entry, hook, link, linkEntry, planned, type Trial, url } from "../../support/rollback-trial.ts";

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

describe("an object without an ID", () => {
  const of = (provider: string) => ({ ...link, provider });
  const named = { after: { access_level: 30 } };
  test.each<[law: string, trial: Trial, ids: unknown[]]>([
    [
      "is not one of another name, however alike",
      { entries: [linkEntry(named)], links: [{ ...link, name: "Leads" }] },
      [],
    ],
    ["is the one of its name", { entries: [linkEntry(named)], links: [{ ...link, name: "Leads" }, link] }, [null]],
    [
      "is the one of its provider beside another, which it was not beside before",
      { entries: [linkEntry({ after: of("two") })], links: [of("one"), of("two")] },
      ["two"],
    ],
    [
      "has its name alone, once no other is beside it",
      {
        entries: [linkEntry({ address: "acme#saml_group_links/Engineering/two", after: of("two") })],
        links: [of("two")],
      },
      ["two"],
    ],
  ])("%s", async (_law, trial, providers) => {
    const { changes } = (await planned(trial)).plan;
    expect(changes.map(({ action }) => action)).toEqual(providers.map(() => "delete"));
    expect(changes.map(({ live }) => live?.values.provider)).toEqual(providers);
  });
});

describe("what another user changed since", () => {
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

  test("is not known by an address whose secret is another one", async () => {
    const secret = { id: 2, url: "https://a.example/?token=old", push_events: true };
    const shown = "https://a.example/?token=[redacted]";
    const sent = { ...lost, address: `acme#hooks/${shown}`, key: shown, sent: { push_events: true } };
    expect((await planned({ entries: [sent], hooks: [secret] })).changes).toEqual([
      `unreadable ${shown} (it may be what the run created, which its address without the secret does not tell)`,
    ]);
  });

  test.each([
    ["Ops [Hidden]", "Ops [Hidden]", "delete Ops [Hidden]"],
    [
      "https://a.example/?token=new",
      "https://a.example/?token=[redacted]",
      "unreadable https://a.example/?token=[redacted]",
    ],
  ])("a link %s is known by its name, unless that hides something", async (name, shown, change) => {
    const after = { ...link, name };
    const created = linkEntry({ address: `acme#saml_group_links/${shown}`, key: shown, after });
    const { changes } = await planned({ entries: [created], links: [{ ...link, name }] });
    expect(changes).toEqual([expect.stringContaining(change)]);
  });

  test("is the one of several that is as it was sent", async () => {
    const other = { ...hook, id: 3, url: "https://b.example" };
    const { plan, changes } = await planned({ entries: [lost], hooks: [other, hook] });
    expect([changes, plan.changes[0]?.id]).toEqual([["disarm Deploys"], 2]);
  });
});

test("another project or group that has the path of the run's is left alone", async () => {
  const { plan } = await planned({ entries: [linkEntry({ scope_id: 3 })], links: [link] });
  const reason = "acme is another group by now: its ID is 4, and was 3";
  expect(plan.changes).toEqual([expect.objectContaining({ action: "unreadable", reason })]);
  expect((await planned({ entries: [linkEntry({ scope_id: 4 })], links: [link] })).changes).toEqual([
    "delete Engineering",
  ]);
});

test.each<[Values, string]>([
  [{ archived: true }, "the group is archived"],
  [{ marked_for_deletion_on: "2026-12-01" }, "the group is about to be deleted"],
])("what cannot be changed back, as %o, is unreadable, and not equal", async (group, reason) => {
  const { plan } = await planned({ entries: [entry({}), linkEntry({})], hooks: [hook], links: [link], group });
  expect(plan.changes).toEqual(["Deploys", "Engineering"].map((key) => expect.objectContaining({ key, reason })));
  expect([plan.changes.map(({ action }) => action), plan.equal]).toEqual([["unreadable", "unreadable"], 0]);
});

test("what an earlier rollback lost before it was killed is said by the one that finishes it", async () => {
  const moved = { before: { url: "https://old.example" }, after: { url } };
  const back = { before: { url }, after: null, sent: { url: "https://old.example" }, status: "unknown" } as const;
  const trial = { entries: [entry(moved)], hooks: [{ ...hook, url: "https://old.example" }], earlier: [entry(back)] };
  const killed = await planned({ ...trial, cutOff: true });
  expect([killed.changes, [...killed.withoutSecrets.values()]]).toEqual([[], [["acme#hooks/Deploys"]]]);
  expect([...(await planned(trial)).withoutSecrets.values()].flat()).toEqual([]);
  const begun = entry({ ...back, status: "not_tried" });
  expect([...(await planned({ ...trial, earlier: [begun], cutOff: true })).withoutSecrets.values()].flat()).toEqual([]);
});
