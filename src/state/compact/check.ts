import { isObject } from "../../base/is-object.ts";
import type { Exported } from "../export/export.ts";
import { canonical } from "../fields/normal.ts";
import { declare } from "../files/declaration.ts";
import { Findings } from "../finding.ts";
import type { Scope } from "../kind.ts";
import { Declared } from "../patterns/layers.ts";
import { merge } from "../patterns/merge.ts";
import type { Scalar, Tree } from "../yaml/tree.ts";
import { Commented, Remark } from "../yaml/yaml-comment.ts";

/** The scopes whose effective declaration is another one in the second export, as a plan would compute it. */
export async function differing(plain: readonly Exported[], short: readonly Exported[]): Promise<string[]> {
  const names = plain.map(({ scope }) => scope.name);
  const [before, after] = [await declaredBy(plain), await declaredBy(short)];
  if (before === undefined || after === undefined) return names;
  return plain.flatMap(({ scope }) => (effective(before, scope) === effective(after, scope) ? [] : [scope.name]));
}

/** Undefined if it has errors. */
async function declaredBy(exported: readonly Exported[]): Promise<Declared | undefined> {
  const of = (at: Scope["at"]) =>
    Object.fromEntries(
      exported.filter(({ scope }) => scope.at === at).map(({ scope, sections }) => [scope.name, sections]),
    );
  const findings = new Findings();
  const tree = treeOf({ forgectl: 1, groups: of("group"), projects: of("project") });
  const { sections } = await declare([{ name: "export", folder: undefined, tree }], findings);
  return findings.errorCount > 0 ? undefined : new Declared(sections);
}

function effective(declared: Declared, scope: Scope): string {
  const kinds = [...declared.layers(scope.at, scope.name)].flatMap(([kind, layers]) => {
    const { section } = merge(scope, kind, layers);
    return section === undefined ? [] : [[kind.name, section.entries.map(({ values }) => canonical(values)).sort()]];
  });
  return canonical(kinds.map(canonical).sort());
}

/** Exported values as a file would have them. */
function treeOf(value: unknown): Tree {
  if (value instanceof Commented) return treeOf(value.value);
  if (Array.isArray(value)) return { kind: "sequence", line: 0, items: value.map(treeOf) };
  if (!isObject(value)) return { kind: "scalar", line: 0, value: value as Scalar["value"] };
  const entries = Object.entries(value).filter(([, each]) => !(each instanceof Remark));
  return {
    kind: "mapping",
    line: 0,
    entries: new Map(entries.map(([name, each]) => [name, { line: 0, value: treeOf(each) }])),
  };
}
