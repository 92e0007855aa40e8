import { wordsOf } from "../api/json.ts";
import { hideInAddresses } from "../base/secrets.ts";
import { isReference, type Kind, type Reference, type Scope, type Values } from "./kind.ts";

/** The key of a kind in files. */
export function sectionName({ name, section = name }: Kind): string {
  return section;
}

/** `acme#hooks/Deploys`, `#settings`. */
export function addressOf(scope: Scope, kind: Kind, key: string): string {
  return `${scope.name}#${kind.name}${key === "" ? "" : `/${key}`}`;
}

/** Identifies an entry of a file: by its ID if given, otherwise by its key. */
export function declaredKey(kind: Kind, values: Values): string {
  return namesItsId(kind, values) ? String(values.id) : keyOf(kind, values);
}

/** Whether an entry of a file is matched by its ID; in an allowlist the ID is the key. */
export function namesItsId(kind: Kind, values: Values): boolean {
  return kind.target === undefined && kind.fields.id !== undefined && typeof values.id === "number";
}

/** The key of an entry: `Deploys`, `ldapmain/engineering`. */
export function keyOf(kind: Kind, values: Values): string {
  const names = keyNames(kind, values);
  if (names !== undefined) return names.map((name) => textOf(values[name])).join("/");
  return typeof values.path === "string" ? values.path : "";
}

/** The key, with the field that distinguishes it from others of the same key. */
export function tiedKey(kind: Kind, values: Values): string {
  const tie = kind.tie === undefined ? undefined : values[kind.tie];
  return isGiven(tie) ? `${keyOf(kind, values)}/${textOf(tie)}` : keyOf(kind, values);
}

/** The fields that identify an object: the first key whose fields are all given. */
export function keyNames({ keys }: Kind, values: Values): readonly string[] | undefined {
  return keys.find((each) => each.every((name) => isGiven(values[name])));
}

function textOf(value: unknown): string {
  return isReference(value) ? referenceText(value) : wordsOf(value);
}

/** `$DEPLOYS_TOKEN`, `file secrets/key`. */
export function referenceText({ reference, name }: Reference): string {
  return reference === "env" ? `$${name}` : `file ${name}`;
}

/** Why a reference has no text. */
export function missingWords({ reference, name }: Reference): string {
  return reference === "env" ? `the variable ${name} is not set` : `the file ${name} does not exist`;
}

/** Whether a value is set: not undefined, null, or an empty text. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

/** The keys that several objects of a list share, and differ in what distinguishes them. */
export function sharedKeys(kind: Kind, all: readonly Values[]): ReadonlySet<string> {
  const shared = new Set<string>();
  if (kind.tie === undefined) return shared;
  const first = new Map<string, string>();
  for (const values of all) {
    const key = keyOf(kind, values);
    const tied = tiedKey(kind, values);
    if ((first.get(key) ?? tied) !== tied) shared.add(key);
    first.set(key, tied);
  }
  return shared;
}

/** The key that a plan shows: without secrets, and with what distinguishes it where others have the same key. */
export function shownKey(kind: Kind, values: Values, shared: ReadonlySet<string>): string {
  const key = keyOf(kind, values);
  return hideInAddresses(shared.has(key) ? tiedKey(kind, values) : key);
}
