import { describe, expect, test } from "vitest";
import { allowed, entry, hook, link, linkEntry, planned, url } from "../../support/rollback-trial.ts";

describe("what a rollback cannot restore", () => {
  test("the secrets that a run replaced, and those of what is created again", async () => {
    const replaced = await planned({ entries: [entry({ secrets: ["token"] })], hooks: [hook] });
    expect([...replaced.withoutSecrets.values()].flat()).toEqual(["acme#hooks/Deploys"]);
    expect([...(await planned({ entries: [entry({})], hooks: [hook] })).withoutSecrets.values()].flat()).toEqual([]);
    const created = await planned({
      entries: [entry({ action: "create", before: null, secrets: ["token"], after: { push_events: true } })],
      hooks: [hook],
    });
    expect([...created.withoutSecrets.values()].flat()).toEqual([]);
    const moved = entry({ before: { url: "https://b.example" }, after: { url } });
    expect([...(await planned({ entries: [moved], hooks: [hook] })).withoutSecrets.values()].flat()).toEqual([
      "acme#hooks/Deploys",
    ]);
    const twice = await planned({ entries: [entry({ secrets: ["token"] }), entry({})], hooks: [hook] });
    expect([...twice.withoutSecrets.values()].flat()).toEqual(["acme#hooks/Deploys"]);
    const links = await planned({ entries: [linkEntry({ action: "delete", before: link, after: null })] });
    expect([...links.withoutSecrets.values()].flat()).toEqual([]);
  });

  test("the permissions of what comes back to an allowlist", async () => {
    const { changes, unshown } = await planned({ entries: [allowed({})] });
    expect(changes).toEqual(["create 9: id"]);
    expect([...unshown]).toEqual([
      ["the permissions of an added entry, which the API does not show; it has all", ["acme/x#allowlist/9"]],
    ]);
    const another = allowed({ address: "acme/x#allowlist/8", key: "8", id: 8, before: { id: 8 } });
    expect([...(await planned({ entries: [allowed({}), another] })).unshown.values()]).toEqual([
      ["acme/x#allowlist/9", "acme/x#allowlist/8"],
    ]);
    const removed = await planned({
      entries: [allowed({ action: "create", before: null, after: { id: 9 } })],
      allowlist: [{ id: 9, path_with_namespace: "acme/y" }],
    });
    const lost = "its permissions, if they were restricted, are not known to the API: added again, it has all";
    expect([removed.changes, removed.unshown.size]).toEqual([[`delete 9 (${lost})`], 0]);
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
