import { normal, withCurrentKeys } from "../fields/normal.ts";
import { hideCredentials, isSecret, referenceOf } from "../fields/secrecy.ts";
import type { Origin } from "../finding.ts";
import { referenceText } from "../keys.ts";
import {
  type Change,
  type Declared,
  type FieldChange,
  fieldOf,
  isReference,
  type StateField,
  type Values,
} from "../kind.ts";

export type Unfinished = Omit<Change, "fields">;

/** The fields of a change as a plan shows them: without secrets, each with its place. */
export function fieldsOf(change: Unfinished, sentAlong: readonly string[]): FieldChange[] {
  const { kind, desired, live, write, action } = change;
  const values = desired?.values ?? {};
  const rows = write.map((name): FieldChange => {
    const field = fieldOf(kind, name);
    const declared = Object.hasOwn(values, name) ? values[name] : live?.values[name];
    const isPart = field.form === "hash" && desired?.whole !== true;
    const value = isPart ? withCurrentKeys(declared, live?.values[name]) : declared;
    const reference = desired === undefined ? undefined : referenceOf(desired, name);
    const secret = isSecret(kind, desired, name);
    const source = [
      ...(reference === undefined ? referencesIn(field, values[name]) : [referenceText(reference)]),
      ...(secret && values[name] === "" ? ["empty"] : []),
      ...(sentAlong.includes(name) ? ["sent along"] : []),
    ];
    const place = Object.hasOwn(values, name) ? placeOf(desired, name) : undefined;
    return {
      path: name,
      from: secret || action === "create" ? null : shown(field, live?.values[name]),
      to: secret ? null : shown(field, value),
      secret,
      source: source.length === 0 ? null : source.join(", "),
      file: place?.file ?? null,
      line: place?.line ?? null,
    };
  });
  const hidden = (name: string) => fieldOf(kind, name).writeOnly === true || isReference(values[name]);
  const writeOnly = Object.keys(values).filter((name) => hidden(name) && !write.includes(name));
  return [
    ...rows,
    ...writeOnly.map((path): FieldChange => {
      const { file = null, line = null } = placeOf(desired, path) ?? {};
      return { path, from: null, to: null, secret: true, source: "not comparable", file, line };
    }),
  ];
}

/** Whether a field is sent since another one requires it. */
export function isSentAlong({ source }: Pick<FieldChange, "source">): boolean {
  return source?.split(", ").includes("sent along") === true;
}

/** The fields that a change sends along as they were read: they are not declared. */
export function sentAsRead({ fields, desired }: Pick<Change, "fields" | "desired">): string[] {
  const along = fields.filter(isSentAlong).map(({ path }) => path);
  return along.filter((name) => !Object.hasOwn(desired?.values ?? {}, name));
}

/** The fields that a change writes, without those that it sends along as they were read. */
export function writtenAnew(change: Pick<Change, "fields" | "desired" | "write">): string[] {
  const along = new Set(sentAsRead(change));
  return change.write.filter((name) => !along.has(name));
}

/** What the values of headers refer to: `X-Key: $TOKEN`. The values themselves are not shown. */
function referencesIn({ form }: StateField, value: unknown): string[] {
  if (form !== "keys" || !Array.isArray(value)) return [];
  return value.flatMap(({ key, ...values }: Values) => {
    const references = Object.values(values).filter(isReference);
    return references.map((each) => `${String(key)}: ${referenceText(each)}`);
  });
}

/** Where a field is declared. */
function placeOf(desired: Declared | undefined, name: string): Origin | undefined {
  return desired?.places?.[name] ?? desired?.origin;
}

/** A value without secrets: of headers only the keys. */
function shown(field: StateField, value: unknown): unknown {
  return field.form === "keys" ? normal(field, value) : (hideCredentials(value) ?? null);
}
