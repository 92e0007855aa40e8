import { canonical, isHidden, normalLive } from "../fields/normal.ts";
import { isStorable } from "../fields/secrecy.ts";
import { addressOf } from "../keys.ts";
import { type Action, type Change, type FieldChange, fieldOf, type Values } from "../kind.ts";

/** A change as a plan shows it: stable JSON, the same for every format. */
export interface PlanRow {
  readonly address: string;
  /** ID or path of the group or project; null for the instance. */
  readonly scope: string | null;
  readonly kind: string;
  readonly key: string | null;
  readonly id: number | null;
  /** `unmanaged` is what the instance has and no file names. */
  readonly action: Action | "unmanaged";
  readonly fields: readonly FieldChange[];
  /** Why it can lock users out. */
  readonly lockout: string | null;
  readonly reason: string | null;
  /** A hash of the current values of the affected fields, which `apply --plan` compares. */
  readonly preimage: string | null;
  readonly file: string | null;
  readonly line: number | null;
}

/** The address of a change's object, such as `acme#hooks/Deploys`. */
export function addressOfChange({ scope, kind, key }: Change): string {
  return addressOf(scope, kind, key);
}

/** The row of a change in a plan; the scope and the key are null for the instance. */
export function planRow(change: Change): PlanRow {
  const { scope, kind, key, id, action, fields, lockout, reason, desired } = change;
  const place = desired?.origin ?? change.origin;
  return {
    address: addressOf(scope, kind, key),
    scope: scope.name === "" ? null : scope.name,
    kind: kind.name,
    key: key === "" ? null : key,
    id,
    action,
    fields,
    lockout: lockout?.reason ?? null,
    reason: reason ?? null,
    preimage: preimageOf(change, change.live?.values) ?? null,
    file: place?.file ?? null,
    line: place?.line ?? null,
  };
}

/**
 * The current values of the fields that a change affects, and of those that identify the object: for an update those
 * that are written, and what that takes away besides, for a removal all. Fields that cannot be read back are left out,
 * and secrets, which are not stored. Undefined if the object does not exist.
 */
export function touchedFields(change: Touching, live: Values | undefined): Values | undefined {
  if (live === undefined) return undefined;
  const touched = touchedNames(change, live).filter((name) => isStorable(change, name, live[name]));
  return Object.fromEntries(touched.map((name) => [name, live[name]]));
}

function touchedNames({ kind, desired, write, action }: Touching, live: Values): string[] {
  const own = () => [...Object.keys(kind.fields), ...Object.keys(live).filter((name) => kind.fieldOf?.(name))];
  // A rollback removes what a run created only if nothing of it was changed since, declared or not.
  const isWhole = desired === undefined || action === "replace" || action === "create";
  const names = isWhole ? own() : [...kind.keys.flat(), ...write, ...(kind.takes?.(write) ?? [])];
  return [...new Set(names)].filter((name) => name in live && !isHidden(fieldOf(kind, name), live[name]));
}

/** Whether the touched fields are alike in both, secrets included; for a check within a run. */
export function isSameBefore(change: Touching, one: Values | undefined, other: Values | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const { kind } = change;
  const text = (live: Values) =>
    canonical(
      touchedNames(change, live)
        .filter((name) => fieldOf(kind, name).readOnly !== true && !fieldOf(kind, name).writeOnly)
        .map((name) => [name, normalLive(fieldOf(kind, name), live[name])]),
    );
  return text(one) === text(other);
}

type Touching = Pick<Change, "kind" | "desired" | "write" | "action" | "hidden">;

/** A 64-bit FNV-1a hash of the normalized fields. */
export function preimageOf(change: Touching, live: Values | undefined): string | undefined {
  const fields = touchedFields(change, live);
  if (fields === undefined) return undefined;
  const normalized = Object.entries(fields).map(([name, value]) => [
    name,
    normalLive(fieldOf(change.kind, name), value),
  ]);
  return fnv(canonical(Object.fromEntries(normalized)));
}

function fnv(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, "0");
}
