import { compareTexts } from "../../base/compare-texts.ts";
import { isBelow } from "../../base/group-paths.ts";
import type { Scope } from "../kind.ts";
import type { Held } from "./unit.ts";

/** A project or group of an export, with what it has of each unit. */
export interface Leaf {
  readonly scope: Scope;
  readonly held: ReadonlyMap<string, Held>;
}

/** A group, with the scopes directly in it and the groups below it that have scopes. */
export interface Node {
  readonly path: string;
  readonly direct: readonly Leaf[];
  readonly groups: readonly Node[];
  /** The scopes below it at any depth. */
  readonly all: readonly Leaf[];
}

/** The groups below a root. Scopes that are not below it are left out. */
export function treeOf(root: string, leaves: readonly Leaf[]): Node {
  const depth = root.split("/").length;
  const below = leaves.filter(({ scope }) => isBelow(scope.name, root));
  const direct: Leaf[] = [];
  const deeper = new Map<string, Leaf[]>();
  for (const leaf of below) {
    const segments = leaf.scope.name.split("/");
    if (segments.length === depth + 1) {
      direct.push(leaf);
      continue;
    }
    const path = segments.slice(0, depth + 1).join("/");
    const held = deeper.get(path);
    if (held === undefined) deeper.set(path, [leaf]);
    else held.push(leaf);
  }
  const groups = [...deeper].sort(([a], [b]) => compareTexts(a, b)).map(([path, each]) => treeOf(path, each));
  return { path: root, direct, groups, all: below };
}
