import { expect, test } from "vitest";
import type { Kind, Live, Values } from "../../../src/state/kind.ts";
import { hooksKind } from "../../../src/state/kinds/hooks.ts";
import { ldapLinksKind, samlLinksKind } from "../../../src/state/kinds/links.ts";
import { LiveList } from "../../../src/state/live/live-list.ts";
import { match } from "../../../src/state/live/match.ts";
import { chanceOf, oneOf } from "../../support/chance.ts";
import { declared } from "../../support/compared.ts";

// What finds the object of one change by an index finds what a look through all of them would.

const kinds: [name: string, kind: Kind, fields: Record<string, readonly unknown[]>][] = [
  ["hooks", hooksKind, { id: [1, 2, 3, 4], name: [null, "a", "b"], url: ["https://a.b", "https://c.d"] }],
  ["SAML links", samlLinksKind, { name: ["a", "A", "b"], provider: [null, "x", "y"], access_level: [10, 30] }],
  ["LDAP links", ldapLinksKind, { cn: [null, "a", "b"], filter: [null, "(a)", "(b)"], provider: ["x", "y"] }],
];

test.each(kinds)("%s", (_, kind, fields) => {
  const chance = chanceOf(3);
  const values = (more: Values = {}): Values => ({
    ...Object.fromEntries(Object.entries(fields).map(([name, all]) => [name, oneOf(all, chance)])),
    ...more,
  });
  const scope = { at: kind.at, name: "acme" };
  for (let round = 0; round < 2_000; round += 1) {
    const all: Live[] = Array.from({ length: Math.floor(chance() * 6) }, (__, id) => ({ values: values({ id }) }));
    const list = new LiveList(kind, all);
    // The indexes are there before an object is replaced.
    const first = declared(values());
    list.meant(first, scope);
    list.made(first, scope);
    const old = chance() < 0.7 ? all[0] : undefined;
    const now = chance() < 0.7 ? { values: values({ id: 9 }) } : undefined;
    list.replace(old, now);
    const left = [...all.filter((each) => each !== old), ...(now ? [now] : [])];
    expect([list.size, list.first]).toEqual([left.length, left[0]]);
    const { id, ...rest } = values();
    const entry = declared(chance() < 0.3 ? { id, ...rest } : rest);
    const [pair] = match({ kind, scope, entries: [entry] }, left).pairs;
    expect(list.meant(entry, scope)).toBe(pair?.held ?? pair?.among[0]);
    expect(list.withId(1)[0]).toBe(left.find((each) => each.values.id === 1));
  }
});
