import { expect, test } from "vitest";
import { Findings, fold, type Pair, readMap, reverseMap } from "../../../src/commands/identities/map.ts";
import { type Identity, keyOf, planMoves } from "../../../src/commands/identities/remap-plan.ts";
import { chanceOf } from "../../support/chance.ts";

/** An instance that refuses a UID that another user has, ignoring case. */
class Instance {
  readonly uids: Map<number, string>;

  constructor(identities: readonly Identity[]) {
    this.uids = new Map(identities.map(({ user_id, extern_uid }) => [user_id, extern_uid]));
  }

  change(from: string, to: string): void {
    const [user] = [...this.uids].find(([, uid]) => uid === from) ?? [];
    if (user === undefined) throw new Error(`no user has ${from}`);
    const taken = [...this.uids].some(([other, uid]) => other !== user && fold(uid) === fold(to));
    if (taken) throw new Error(`${to} is taken`);
    this.uids.set(user, to);
  }

  get identities(): Identity[] {
    return [...this.uids].map(([user_id, extern_uid]) => ({ user_id, extern_uid }));
  }
}

/** A valid map of chains, cycles, changes of case, and new UIDs. */
function randomCase(chance: () => number): { identities: Identity[]; map: string; wanted: Map<number, string> } {
  const count = 1 + Math.floor(chance() * 12);
  const identities = Array.from({ length: count }, (_, index) => ({ user_id: index + 1, extern_uid: `uid-${index}` }));
  const moving = identities.filter(() => chance() < 0.8);
  const targets = [...moving.map(({ extern_uid }) => extern_uid), ...moving.map((_, index) => `new-${index}`)]
    .map((uid) => ({ uid: chance() < 0.3 ? uid.toUpperCase() : uid, at: chance() }))
    .sort((a, b) => a.at - b.at);
  const wanted = new Map(identities.map(({ user_id, extern_uid }) => [user_id, extern_uid]));
  const lines = moving.map(({ user_id, extern_uid }, index) => {
    const uid = targets[index]?.uid ?? "";
    wanted.set(user_id, uid);
    return `${extern_uid},${uid}\n`;
  });
  return { identities, map: lines.join(""), wanted };
}

test("any map is applied correctly, also after an interruption at any step; no step is refused; it can be undone", () => {
  const chance = chanceOf(4);
  for (let round = 0; round < 500; round++) {
    const { identities, map, wanted } = randomCase(chance);
    if (map === "") continue;
    const findings = new Findings();
    const pairs = readMap(map, "map", findings);
    const instance = new Instance(identities);
    const users = new Map(pairs.map((pair) => [keyOf(pair), userOf(identities, pair)]));
    const plan = (remembered: boolean) =>
      planMoves(
        pairs,
        instance.identities,
        (pair) => (remembered ? { user_id: users.get(keyOf(pair)) as number } : undefined),
        findings,
      ).units.flatMap(({ steps }) => steps);
    const first = plan(false);
    for (const { from, to } of first.slice(0, Math.floor(chance() * (first.length + 1)))) instance.change(from, to);
    for (const { from, to } of plan(true)) instance.change(from, to);
    expect(instance.uids, map).toEqual(wanted);
    expect(plan(true)).toEqual([]);
    const back = planMoves(
      readMap(reverseMap(pairs), "back", findings),
      instance.identities,
      () => undefined,
      findings,
    );
    for (const { from, to } of back.units.flatMap(({ steps }) => steps)) instance.change(from, to);
    expect(instance.identities, map).toEqual(identities);
    expect(findings.any, map).toBe(false);
  }
});

function userOf(identities: readonly Identity[], { old }: Pair): number | undefined {
  return identities.find(({ extern_uid }) => extern_uid === old)?.user_id;
}

test("UIDs of users who are not in the map, and unused UIDs, are found", () => {
  const findings = new Findings();
  const identities = [
    { user_id: 1, extern_uid: "a" },
    { user_id: 2, extern_uid: "b" },
  ];
  planMoves(readMap("a,B\nc,d\n", "map", findings), identities, () => undefined, findings);
  expect(findings.error().details.fields).toEqual({
    "map:1": ["user 2 has the new UID b"],
    "map:2": ["no identity has the old UID c"],
  });
});

test("a pair that an unknown run has changed already is named as that, beside one that is left", () => {
  const findings = new Findings();
  const identities = [
    { user_id: 1, extern_uid: "a" },
    { user_id: 2, extern_uid: "d" },
  ];
  planMoves(readMap("a,b\nc,d\n", "map", findings), identities, () => undefined, findings);
  expect(findings.error().message).toBe("map:2: no identity has the old UID c; user 2 has the new one");
});

test("a new UID that another identity of the same user has is taken", () => {
  const findings = new Findings();
  const identities = [
    { user_id: 1, extern_uid: "a" },
    { user_id: 1, extern_uid: "B" },
  ];
  planMoves(readMap("a,b\n", "map", findings), identities, () => undefined, findings);
  expect(findings.error().message).toBe("map:1: user 1 has the new UID B");
});
