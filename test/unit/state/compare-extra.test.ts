import { describe, expect, test } from "vitest";
import type { Values } from "../../../src/state/kind.ts";
import { hooksKind } from "../../../src/state/kinds/hooks.ts";
import { allowlistKind, groupsAllowlistKind } from "../../../src/state/kinds/job-token.ts";
import { samlLinksKind } from "../../../src/state/kinds/links.ts";
import { compareSection } from "../../../src/state/live/compare.ts";

import { compared, declared, plain, reference, sectionOf, words } from "../../support/compared.ts";

const url = "https://deploys.acme.example/in";
const deploys = { id: 1, name: "Deploys", url, push_events: true };
const engineering = { name: "Engineering", access_level: 30 };
const leads = { name: "Platform Leads", access_level: 40 };

describe("what the file does not have", () => {
  const live = [engineering, leads];
  test.each([
    [false, [leads], ["extra Engineering (not in the file; --prune removes it)"]],
    [true, [leads], ["delete Engineering"]],
    [true, [], ["delete Engineering", "delete Platform Leads"]],
  ] as const)("with --prune %s and %j declared: %j", (prune, to, changes) => {
    expect(compared(samlLinksKind, [...to], live, { prune }).changes.map(words)).toEqual(changes);
  });

  test("what is removed has the place of its list", () => {
    const { changes } = compared(samlLinksKind, [leads], live, { prune: true });
    expect(changes).toMatchObject([{ origin: { line: 2 }, desired: undefined, id: null, lockout: undefined }]);
  });

  test("a removal of a hook disarms it, and one without events counts as removed", () => {
    const off = { id: 2, name: "Chat", url };
    expect(compared(hooksKind, [], [deploys, off], { prune: true }).changes.map(words)).toEqual(["disarm Deploys"]);
  });

  test("a key does not show the credentials of an address", () => {
    const hook = { id: 1, url: "https://bot:hunter2@a.example/in", push_events: true };
    expect(compared(hooksKind, [], [hook]).changes[0]?.key).toBe("https://[redacted]@a.example/in");
  });

  test.each<[why: string, to: Values[]]>([
    ["has an ID that does not exist", [{ id: 9, name: "New", url: "https://b.example" }]],
    ["has a name from a variable that is not set", [{ name: reference("HOOK_NAME"), url: "https://b.example" }]],
  ])("nothing is removed from a list of which an entry %s", (_why, to) => {
    const { changes } = compared(hooksKind, to, [deploys], { prune: true });
    expect(changes.map(({ action }) => action)).toEqual(["unreadable", "extra"]);
    expect(changes[1]?.reason).toBe("not in the file, but kept: an entry of this list was not found");
  });

  const lost = "its permissions, if they were restricted, are not known to the API: added again, it has all";

  test("nothing is removed from an allowlist of which a project was not found; a whole list is pruned", () => {
    const entry = declared({ path: "acme/gone" });
    const unknown = new Map([[entry, "acme/gone: not found"]]);
    const options = { ...plain, prune: true, unknown };
    const { changes } = compareSection(sectionOf(allowlistKind, [entry]), [{ values: { id: 3 } }], options);
    expect(changes.map(words)).toEqual([
      "unreadable acme/gone (acme/gone: not found)",
      "extra 3 (not in the file, but kept: an entry of this list was not found)",
    ]);
    expect(compared(allowlistKind, [{ id: 5 }], [{ id: 5 }, { id: 3 }], { prune: true }).changes.map(words)).toEqual([
      `delete 3 (${lost})`,
    ]);
  });

  test("the project itself is on its own allowlist, and never compared, added, or removed", () => {
    const own = { id: 7, path_with_namespace: "acme/storefront" };
    expect(compared(allowlistKind, [], [own], { prune: true })).toEqual({ changes: [], equal: 0, uncompared: 0 });
    expect(compared(allowlistKind, [{ id: 7 }], [own])).toEqual({ changes: [], equal: 0, uncompared: 0 });
    // A group may have the same ID.
    expect(compared(groupsAllowlistKind, [], [own], { prune: true }).changes.map(words)).toEqual([
      `delete 7 (${lost})`,
    ]);
  });
});
