import type { AnyEndpoint } from "../api/endpoint.ts";
import type { Compared } from "../api/normal.ts";
import type { Origin } from "./finding.ts";

/** How a field's value is written and compared. */
export type Form = Exclude<Compared["form"], "time">;

export interface StateField extends Compared {
  readonly form: Form;
  readonly description?: string;
  readonly required?: true;
  /** Set by the instance: in a file it is ignored with a warning. */
  readonly readOnly?: true;
  /** Cannot be read back: it is sent if needed, and never compared. */
  readonly writeOnly?: true;
  readonly secret?: true;
  readonly values?: readonly string[];
  /** Only for rules and keys: the fields of an item. */
  readonly item?: StateFields;
  readonly min?: number;
  readonly max?: number;
  readonly schemes?: readonly string[];
}

export type StateFields = { readonly [name: string]: StateField };

export type At = "instance" | "group" | "project";

/** An instance, group, or project, as the file names it. */
export interface Scope {
  readonly at: At;
  /** ID or path; empty for the instance. */
  readonly name: string;
}

/** A reference to a secret: an environment variable, or a file below the folder of the state file. */
export interface Reference {
  readonly reference: "env" | "file";
  readonly name: string;
  readonly origin: Origin;
  /** The folder that must contain the file; undefined if the state file was read from stdin. */
  readonly folder: string | undefined;
}

export type Values = Readonly<Record<string, unknown>>;

/** One declared object: its fields in the API's form, levels as numbers, secrets as references. */
export interface Declared {
  readonly values: Values;
  /** References whose text is among the values, because it can be compared with the live values. */
  readonly read?: Readonly<Record<string, Reference>>;
  /** Its name, if that does not identify it: a rollback matches by ID, and shows the run's name. */
  readonly key?: string;
  readonly origin: Origin;
}

/** One section of one scope. A list declares the complete list, even if it is empty. */
export interface Section {
  readonly scope: Scope;
  readonly kind: Kind;
  readonly entries: readonly Declared[];
  readonly origin: Origin;
}

/** One live object of a kind, as returned by the instance. */
export interface Live {
  readonly values: Values;
}

export type Action = "create" | "update" | "replace" | "delete" | "disarm" | "extra" | "unreadable";

export interface FieldChange {
  readonly path: string;
  /** Null for a secret. */
  readonly from: unknown;
  readonly to: unknown;
  readonly secret: boolean;
  /** The source of a secret (`$DEPLOYS_TOKEN`), or why a field is or is not sent. */
  readonly source: string | null;
}

/** One change of an object, with the data that plan and apply need, and no means to send it. */
export interface Change {
  readonly scope: Scope;
  readonly kind: Kind;
  readonly key: string;
  readonly action: Action;
  readonly id: number | null;
  /** As declared; undefined for a removal. */
  readonly desired: Declared | undefined;
  /** The live object; undefined for a creation. */
  readonly live: Live | undefined;
  readonly fields: readonly FieldChange[];
  /** Names of the fields that are written. */
  readonly write: readonly string[];
  /** Why it can lock users out; `certain` if it locks out the caller. */
  readonly lockout: { readonly reason: string; readonly certain: boolean } | undefined;
  readonly reason: string | undefined;
}

/** One request of a change. References among the values are read when it is sent. */
export interface Step {
  readonly endpoint: AnyEndpoint;
  readonly input: Values;
  /** Skipped if the instance lacks this request. */
  readonly optional?: true;
}

/** The user of the token. */
export interface Caller {
  readonly id: number;
  readonly admin: boolean;
}

/** How a kind is read: one object, or a list; and what a 404 means. */
interface Read {
  readonly endpoint: AnyEndpoint;
  /** The value that replaces a 404. */
  readonly missing?: object;
  /** Only for a record: if this field is absent, the record is not visible. */
  readonly shows?: string;
  /** Only for a list: reads one by its key, for fields that the list leaves out. */
  readonly detail?: { readonly endpoint: AnyEndpoint; readonly by: string; readonly for: string };
}

/** One kind of object in a state file: data and pure functions. It never calls the API. */
export interface Kind {
  readonly name: string;
  /** The section that contains it, if it is not a section itself: `allowlist` in `job_token_scope`. */
  readonly within?: string;
  readonly at: At;
  readonly form: "record" | "list";
  readonly summary: string;
  readonly fields: StateFields;
  /** A field's name in requests, for a hint if it is used in a file. */
  readonly writeNames?: Readonly<Record<string, string>>;
  /** The keys of an entry; the first whose fields are all given identifies it. */
  readonly keys: readonly (readonly string[])[];
  /** Entries may be written as a bare ID or path of a project or group. */
  readonly target?: "project" | "group";
  /** The record may be written as the bare value of this field. */
  readonly bare?: string;
  /** A field that identifies an entry with a new key, if its value is unique. */
  readonly alias?: string;
  readonly read: Read;
  readonly removal: "delete" | "disarm" | "never";
  /** A change is a removal and a creation: the API has no update. */
  readonly replaces?: true;
  /** Expands a short form in a file into the fields of requests. */
  expand?(values: Values): Values;
  /** The reverse, for export. */
  condense?(values: Values): Values;
  /** Fields that are required for a creation, but not for an update. */
  readonly needs?: readonly string[];
  /** Live entries that cannot be managed: a project is always on its own allowlist. */
  ignores?(live: Values, scope: Scope): boolean;
  /** The fields that must be sent together with these. */
  sentAlong?(change: Pick<Change, "desired" | "live" | "write" | "action">): readonly string[];
  /** What a change loses, for the plan: secrets that cannot be read back. */
  loses?(change: Pick<Change, "desired" | "live" | "write" | "action">): string | undefined;
  /** What differs in an object that is created again, since the API does not show it: for a rollback. */
  readonly recreated?: string;
  steps(change: Change): readonly Step[];
  lockout?(
    change: Pick<Change, "desired" | "live" | "write" | "action">,
    caller: Caller | undefined,
  ): Change["lockout"];
}

export function isReference(value: unknown): value is Reference {
  return typeof value === "object" && value !== null && "reference" in value && "origin" in value;
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
  const names = kind.keys.find((each) => each.every((name) => isGiven(values[name])));
  if (names !== undefined) return names.map((name) => String(values[name])).join("/");
  return typeof values.path === "string" ? values.path : "";
}

/** Whether a value is set: not undefined, null, or an empty text. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
