import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { stateTrials } from "../support/state-trial.ts";

// What was null before a run is null after its rollback: a custom role, and the name of a hook, found by its ID.
// What a file declares as null is not left alone.

const apply = "state apply -f state.yaml --yes -o ndjson".split(" ");
const rollback = "state rollback --yes -o ndjson".split(" ");

const file = (role: string, name: string) => `forgectl: 1
groups:
  acme/platform:
    saml_group_links: [{ name: Custom, access_level: developer${role} }]
    ldap_group_links: [{ cn: custom, provider: ldapmain, group_access: developer${role} }]
    hooks: [{ url: "https://receiver.example.com/in", events: [push]${name} }]
projects:
  acme/docs:
    hooks: [{ url: "https://receiver.example.com/in", events: [push]${name} }]
`;

test("a rollback takes away the custom role of a link and the name of a hook that had none", {
  timeout: 120_000,
}, async () => {
  const at = await stateTrials();
  const place = at.ready(file("", ""));
  expect((await at.run(place, apply)).code).toBe(0);
  const before = await at.exported();
  const count = (text: string) =>
    [/member_role_id: 12/g, /name: Receiver/g].map((each) => text.match(each)?.length ?? 0);
  const [roles = 0, names = 0] = count(before);

  writeFileSync(join(place.home, "state.yaml"), file(", member_role_id: 12", ", name: Receiver"));
  expect((await at.run(place, apply)).code).toBe(0);
  const after = await at.exported();
  expect(count(after)).toEqual([roles + 2, names + 2]);

  const undone = await at.run(place, rollback);
  expect([undone.code, undone.stdout.trim().split("\n").length]).toEqual([0, 4]);
  expect(await at.exported()).toBe(before);
  // Undone in its turn, the rollback brings both back.
  const history = await at.run(place, "state history -o json".split(" "));
  const [{ run }] = JSON.parse(history.stdout);
  expect((await at.run(place, [...rollback, run])).code).toBe(0);
  expect(await at.exported()).toBe(after);
});

test("null in a file is no custom role: a plan finds one that was added by hand, and an apply takes it away", {
  timeout: 120_000,
}, async () => {
  const at = await stateTrials();
  const place = at.ready(file(", member_role_id: 12", ""));
  expect((await at.run(place, apply)).code).toBe(0);
  const isNone = (await at.exported()).match(/member_role_id: null/g)?.length ?? 0;

  writeFileSync(join(place.home, "state.yaml"), file(", member_role_id: null", ""));
  const plan = await at.run(place, "state plan -f state.yaml --exit-code -o json".split(" "));
  const rows: { action: string; fields: object[] }[] = JSON.parse(plan.stdout);
  const found = rows.filter(({ action }) => action === "replace").map(({ fields }) => fields);
  expect(plan.code).toBe(10);
  expect(found).toEqual(Array(2).fill([expect.objectContaining({ path: "member_role_id", from: 12, to: null })]));

  expect((await at.run(place, apply)).code).toBe(0);
  expect((await at.exported()).match(/member_role_id: null/g)).toHaveLength(isNone + 2);
  expect((await at.run(place, "state plan -f state.yaml --exit-code -o json".split(" "))).code).toBe(0);
});

test("an environment whose approvals no request sets is not called restored", { timeout: 60_000 }, async () => {
  const of = (value: unknown) => ({ ...(value as object), required_approval_count: 2 });
  const place = await alteringSession(({ method, path, status, body }) => {
    if (method !== "GET" || status !== 200 || !path.includes("/protected_environments")) return undefined;
    return { body: Array.isArray(body) ? body.map(of) : of(body) };
  });
  writeFileSync(
    join(place.home, "state.yaml"),
    "forgectl: 1\nprojects: { acme/docs: { protected_environments: [] } }\n",
  );
  const { run } = place.direct;
  expect((await run(..."envs protect legacy -p acme/docs --allow level:maintainer".split(" "))).code).toBe(0);
  expect((await place.run(...apply, "--prune")).code).toBe(0);
  const undone = await place.run(...rollback);
  expect(undone.code).toBe(9);
  expect(undone.stderr).toContain("legacy: restored without required_approval_count: 2, which no request sets");
  expect((await run(..."envs get legacy -p acme/docs".split(" "))).code).toBe(0);
});
