import { isObject } from "../../base/is-object.ts";
import { isSecretName } from "../../base/secret-names.ts";
import { hideInAddresses, isMasked, mask } from "../../base/secrets.ts";
import {
  type Change,
  type Declared,
  fieldOf,
  isReference,
  type Kind,
  type Reference,
  type StateField,
  type Values,
} from "../kind.ts";
import { isHidden, normal } from "./normal.ts";

// What is secret in a change: fields that the documents call secret, whatever a variable gives, what a file gives in a
// secret field, and the credentials inside addresses and objects. It is shown and stored as its reference, or not at
// all.

/** The reference that a declared value was read from, or still is. */
export function referenceOf({ values, read }: Pick<Declared, "values" | "read">, name: string): Reference | undefined {
  const value = read?.[name] ?? values[name];
  return isReference(value) ? value : undefined;
}

/** Whether a field of a change is secret. */
export function isSecret(kind: Kind, desired: Declared | undefined, name: string): boolean {
  if (fieldOf(kind, name).secret === true) return true;
  const reference = desired === undefined ? undefined : referenceOf(desired, name);
  return reference?.reference === "env" || isReference(desired?.values[name]);
}

/** The declared values with references in place of the texts that are secret. */
export function withReferences(kind: Kind, desired: Declared): Values {
  const secret = Object.entries(desired.read ?? {}).filter(([name]) => isSecret(kind, desired, name));
  return secret.length === 0 ? desired.values : { ...desired.values, ...Object.fromEntries(secret) };
}

/**
 * Whether a value contains an address with credentials, or a text whose name says that it is secret, at any depth: a
 * setting that the documents do not have may be an object with both.
 */
export function holdsCredentials(value: unknown): boolean {
  if (typeof value === "string") return hideInAddresses(value) !== value;
  if (Array.isArray(value)) return value.some(holdsCredentials);
  return (
    isObject(value) && Object.entries(value).some(([name, each]) => isSecretText(name, each) || holdsCredentials(each))
  );
}

function isSecretText(name: string, value: unknown): boolean {
  return typeof value === "string" && value !== "" && !isMasked(value) && isSecretName(name);
}

/** A value without what others name themselves: a rule is shown with the name of its user, which may be any text. */
export function withoutNames(field: StateField, value: unknown): unknown {
  return field.form === "rules" ? normal(field, value) : value;
}

/** The value with masks in place of the credentials that it contains. */
export function hideCredentials(value: unknown): unknown {
  if (!holdsCredentials(value)) return value;
  if (typeof value === "string") return hideInAddresses(value);
  if (Array.isArray(value)) return value.map(hideCredentials);
  const hidden = (name: string, each: unknown) => (isSecretText(name, each) ? mask : hideCredentials(each));
  return Object.fromEntries(Object.entries(value as Values).map(([name, each]) => [name, hidden(name, each)]));
}

type Written = Pick<Change, "kind" | "desired" | "hidden">;

/** Whether the live value of a field may be stored: in a journal, a pre-image, or a saved plan. */
export function isStorable({ kind, desired, hidden }: Written, name: string, live: unknown): boolean {
  const field = fieldOf(kind, name);
  const isKept = isSecret(kind, desired, name) || hidden?.includes(name) === true;
  return field.readOnly !== true && !field.writeOnly && !isKept && !holdsCredentials(withoutNames(field, live));
}

/** The fields of a change that are secret because of what they refer to, for the journal. */
export function hiddenBy({ kind, desired, hidden = [] }: Written): string[] {
  const declared = Object.keys(desired?.values ?? {}).filter((name) => isSecret(kind, desired, name));
  return [...new Set([...hidden, ...declared])];
}

/** The written fields whose earlier values are not recorded, so that a rollback cannot restore them. */
export function unrecorded({
  kind,
  desired,
  live,
  write,
}: Pick<Change, "kind" | "desired" | "live" | "write">): string[] {
  const isLost = (name: string) => {
    const [field, before] = [fieldOf(kind, name), live?.values[name]];
    // Of headers only the names are shown.
    return field.form === "keys" || holdsCredentials(withoutNames(field, before)) || isHidden(field, before);
  };
  return write.filter((name) => isSecret(kind, desired, name) || isLost(name));
}
