import type { AnyEndpoint } from "../api/endpoint.ts";
import type { Origin } from "./finding.ts";

/**
 * How a field's value is written and compared. `names`: a set of texts, or of other plain values; `domains`: the same
 * without case; `addresses`: one text of addresses between commas, blanks, or lines; `hash`: an object of which only
 * the declared keys count; `rules`: a set of objects keyed by their subject; `keys`: objects of which only `key` can be
 * read back.
 */
export type Form =
  | "boolean"
  | "integer"
  | "number"
  | "text"
  | "id"
  | "level"
  | "names"
  | "domains"
  | "addresses"
  | "list"
  | "hash"
  | "rules"
  | "keys"
  | "json";

export interface StateField {
  readonly form: Form;
  readonly description?: string;
  readonly required?: true;
  /** The instance sets it: an answer has it, a file may, and it is passed over with a warning. */
  readonly readOnly?: true;
  /** Cannot be read back: it is sent where that is needed, and compared with nothing. */
  readonly blind?: true;
  readonly secret?: true;
  readonly values?: readonly string[];
  /** Of a level: the number that each name stands for. */
  readonly levels?: Readonly<Record<string, number>>;
  /** Of rules and keys: the fields of an item. */
  readonly item?: StateFields;
  readonly min?: number;
  readonly max?: number;
  readonly schemes?: readonly string[];
  /** What an absent value of an answer stands for. */
  readonly absent?: unknown;
}

export type StateFields = { readonly [name: string]: StateField };

export type At = "instance" | "group" | "project";

/** An instance, group, or project, as the file names it. */
export interface Scope {
  readonly at: At;
  /** ID or path; empty for the instance. */
  readonly name: string;
}

/** A secret that stands elsewhere: in the environment, or in a file below the folder of the state file. */
export interface Reference {
  readonly reference: "env" | "file";
  readonly name: string;
  readonly origin: Origin;
  /** The folder that a file must be below; undefined where the state file came on stdin. */
  readonly folder: string | undefined;
}

export type Values = Readonly<Record<string, unknown>>;

/** One object that a file declares: the declared fields in the API's words, levels as numbers, secrets as references. */
export interface Declared {
  readonly values: Values;
  /** References whose text is among the values because it can be compared with what is live. */
  readonly read?: Readonly<Record<string, Reference>>;
  /** What it is called, where that is not what identifies it: a rollback finds by ID, and names as the run did. */
  readonly key?: string;
  readonly origin: Origin;
}

/** One section of one scope. A list is all of what is declared of it, also when it is empty. */
export interface Section {
  readonly scope: Scope;
  readonly kind: Kind;
  readonly entries: readonly Declared[];
  readonly origin: Origin;
}

/** What a scope has of a kind, as the instance answered it. */
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
  /** Where a secret comes from (`$DEPLOYS_TOKEN`), or why a field is sent or is not. */
  readonly source: string | null;
}

/** One object that is to become another. Everything that a plan shows and apply needs; nothing that can write. */
export interface Change {
  readonly scope: Scope;
  readonly kind: Kind;
  readonly key: string;
  readonly action: Action;
  readonly id: number | null;
  /** As declared; undefined for what is to go. */
  readonly desired: Declared | undefined;
  /** As it is; undefined for what is to be made. */
  readonly live: Live | undefined;
  readonly fields: readonly FieldChange[];
  /** Names of the fields that are written. */
  readonly write: readonly string[];
  /** Why it can lock people out; `certain` where it locks out the caller for sure. */
  readonly lockout: { readonly reason: string; readonly certain: boolean } | undefined;
  readonly reason: string | undefined;
}

/** One request that a change becomes. References among the values are read when it is sent. */
export interface Step {
  readonly endpoint: AnyEndpoint;
  readonly input: Values;
  /** An instance that lacks this request does without it. */
  readonly optional?: true;
}

/** Who makes the change. */
export interface Caller {
  readonly id: number;
  readonly admin: boolean;
}

/** How a kind is read: one object, or a list; and what a 404 means. */
interface Read {
  readonly endpoint: AnyEndpoint;
  /** The answer of a 404 in place of an error. */
  readonly missing?: object;
  /** Of a record: the field without which the instance does not show it at all. */
  readonly shows?: string;
  /** Of a list: reads one by its key, for fields that the list leaves out. */
  readonly detail?: { readonly endpoint: AnyEndpoint; readonly by: string; readonly for: string };
}

/** One kind of thing that a state file declares: data and two pure functions. It never calls the API. */
export interface Kind {
  readonly name: string;
  /** The section that it stands in, where it is not one of its own: `allowlist` in `job_token_scope`. */
  readonly within?: string;
  readonly at: At;
  readonly form: "record" | "list";
  readonly summary: string;
  readonly fields: StateFields;
  /** A field's name in requests, where a reader might take it for the name in files. */
  readonly writeNames?: Readonly<Record<string, string>>;
  /** What identifies an entry; the first set of fields that is all given. */
  readonly keys: readonly (readonly string[])[];
  /** Entries may be written as a bare ID or path: what a path is looked up as. */
  readonly target?: "project" | "group";
  /** A record that is written as a bare value of this field. */
  readonly bare?: string;
  /** A field that identifies an entry where its key is new, if it is the only one that has it. */
  readonly alias?: string;
  readonly read: Read;
  readonly removal: "delete" | "disarm" | "never";
  /** A change is a removal and a creation: the API has no update. */
  readonly replaces?: true;
  /** Names for what is written in one short word and travels as several fields. */
  expand?(values: Values): Values;
  /** The other way round, for export. */
  condense?(values: Values): Values;
  /** What a new one must have, and a change of one need not. */
  readonly needs?: readonly string[];
  /** Live entries that are nobody's to manage: a project is on its own allowlist. */
  ignores?(live: Values, scope: Scope): boolean;
  /** The fields that have to go along when these are written. */
  along?(change: Pick<Change, "desired" | "live" | "write" | "action">): readonly string[];
  /** What a change cannot keep, for the plan to say: secrets that nobody can read back. */
  loses?(change: Pick<Change, "desired" | "live" | "write" | "action">): string | undefined;
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

/** What identifies an entry of a file: its ID where one is given to tell it from others of its name, else its key. */
export function declaredKey(kind: Kind, values: Values): string {
  return namesItsId(kind, values) ? String(values.id) : keyOf(kind, values);
}

/** Whether an entry of a file is found by its ID: of an allowlist the ID is the key. */
export function namesItsId(kind: Kind, values: Values): boolean {
  return kind.target === undefined && kind.fields.id !== undefined && typeof values.id === "number";
}

/** What identifies an entry: `Deploys`, `ldapmain/engineering`. */
export function keyOf(kind: Kind, values: Values): string {
  const names = kind.keys.find((each) => each.every((name) => isGiven(values[name])));
  if (names !== undefined) return names.map((name) => String(values[name])).join("/");
  return typeof values.path === "string" ? values.path : "";
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
