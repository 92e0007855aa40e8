import type { ComparedField } from "../api/normal.ts";
import { ownValue } from "../base/own-value.ts";
import type { Block } from "./block.ts";
import type { Origin } from "./finding.ts";
import type { Read } from "./kind-read.ts";
import type { Step } from "./step.ts";

/** How a field's value is written and compared. */
export type Form = Exclude<ComparedField["form"], "time">;

export interface StateField extends ComparedField {
  readonly form: Form;
  readonly description?: string;
  readonly required?: true;
  /** Set by the instance: in a file it is ignored with a warning. A run may record what it was. */
  readonly readOnly?: true | "recorded";
  /** Cannot be read back: it is sent if needed, and only whether it is set can be compared. */
  readonly writeOnly?: true;
  readonly secret?: true;
  /** The instance raises it along with other changes: exports leave it out, and a rollback does not lower it. */
  readonly counter?: true;
  /** Null is a value: none. Of other forms than texts it is the same as a field that is left out. */
  readonly nullable?: true;
  readonly values?: readonly string[];
  /** The values of a list that the documents name; an instance may know more. */
  readonly suggested?: readonly string[];
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
  /** Its ID on the instance, once it was looked up. */
  readonly id?: number | undefined;
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
  /** References whose texts are among the values, because they can be compared with the live values. */
  readonly read?: Readonly<Record<string, Reference>>;
  /** Where each field is declared, if that is known. */
  readonly places?: Readonly<Record<string, Origin>>;
  /** It takes an inherited entry out of the list. */
  readonly absent?: true;
  /** Its name, if that does not identify it: a rollback matches by ID, and shows the run's name. */
  readonly key?: string;
  /** Its hashes are whole, as an object was before a run: a key that they do not have is to go. */
  readonly whole?: true;
  readonly origin: Origin;
}

/** One section of one scope. A list declares the complete list, even if it is empty. */
export interface Section {
  readonly scope: Scope;
  readonly kind: Kind;
  readonly entries: readonly Declared[];
  readonly origin: Origin;
  /** The pattern that it is declared for; undefined for one scope. */
  readonly block?: Block | undefined;
  /** The list begins with what the next wider pattern declares. */
  readonly inherits?: true;
  /** Not declared here, whatever a wider pattern declares. */
  readonly unmanaged?: true;
  /** The lists of patterns that it was put together from, each as the files have it. */
  readonly shared?: readonly Section[];
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
  /** Where it is declared; null if it is not. */
  readonly file: string | null;
  readonly line: number | null;
}

/** One change of an object, with the data that plan and apply need, and no means to send it. */
export interface Change {
  readonly scope: Scope;
  readonly kind: Kind;
  readonly key: string;
  readonly action: Action;
  readonly id: number | null;
  /** Where the list is declared that does not have it; only for what is not in the files. */
  readonly origin?: Origin | undefined;
  /** As declared; undefined for a removal. */
  readonly desired: Declared | undefined;
  /** The live object; undefined for a creation. */
  readonly live: Live | undefined;
  /** Only of a kind whose reads are cached: other values that its fields may have, since recent runs wrote them. */
  readonly doubts?: ReadonlyMap<string, readonly unknown[]> | undefined;
  /** Secrets that are sent since the instance showed that they are not set as declared. */
  readonly byPresence?: readonly string[];
  /** Fields that were secret in the run that is undone. */
  readonly hidden?: readonly string[] | undefined;
  readonly fields: readonly FieldChange[];
  /** Names of the fields that are written. */
  readonly write: readonly string[];
  /** Why it can lock users out; `certain` if it locks out the caller. */
  readonly lockout: { readonly reason: string; readonly certain: boolean } | undefined;
  readonly reason: string | undefined;
}

type Written = Pick<Change, "desired" | "live" | "write" | "action">;

/** The user of the token. */
export interface Caller {
  readonly id: number;
  readonly admin: boolean;
}

/** One kind of object in a state file: data and pure functions. It never calls the API. */
export interface Kind {
  readonly name: string;
  /** Its key in files, if that is not its name: groups and projects have `hooks`. */
  readonly section?: string;
  /** The API documents do not have it, so an instance may lack it. */
  readonly beyond?: true;
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
  /** A field that distinguishes entries with one key; it is part of the key only where two share it. */
  readonly tie?: string;
  /** Each of the keys selects by itself, so an entry has exactly one of them. */
  readonly exclusive?: true;
  /** Its entries give access, as those of other lists of the scope do: one may take the place of another list's. */
  readonly gives?: true;
  /** Entries may be written as a bare ID or path of a project or group. */
  readonly target?: "project" | "group";
  /** The record may be written as the bare value of this field. */
  readonly bare?: string;
  /** An instance accepts a second entry of the same key. */
  readonly alike?: true;
  /** A field that identifies an entry with a new key, if its value is unique. */
  readonly alias?: string;
  /** What a pattern over groups would do besides, in words. */
  readonly spreads?: string;
  readonly read: Read;
  /** The entry that a creation made, from its answer; by default the answer is the entry. */
  fromAnswer?(answer: Values): Values;
  /** Reads may be up to a minute old: the fields with the times of the copy and of its creation; what shows them. */
  readonly cached?: { readonly version: string; readonly made: string; readonly command: readonly string[] };
  readonly removal: "delete" | "disarm" | "never";
  /** The most entries that an instance accepts in the list, and the command for one that has too many. */
  readonly limit?: { readonly entries: number; mend(scope: Scope): readonly string[] };
  /** A change is a removal and a creation: the API has no update. */
  readonly replaces?: true;
  /** The short form of a live object, for export. */
  condense?: ((values: Values) => Values) | undefined;
  /** Fields that are required for a creation, but not for an update. */
  readonly needs?: readonly string[];
  /** The field of a name that the documents do not have; undefined if the kind has no others. */
  fieldOf?(name: string): StateField | undefined;
  /** Completes values by what only the instance knows; `all` is its list. A problem makes the object unreadable. */
  settle?(values: Values, live: Values | undefined, all: readonly Values[]): { values: Values; problem?: string };
  /** Every declared field must be one that the instance shows; others do not exist there. */
  readonly showsAll?: true;
  /** Live entries that cannot be managed: a project is always on its own allowlist. */
  ignores?(live: Values, scope: Scope): boolean;
  /** What a change of these fields takes away besides, as far as the instance shows it. */
  takes?(write: readonly string[]): readonly string[];
  /** What else an answer shows otherwise than before, which was not sent, and a warning of it. */
  changedAlong?(
    names: { sent: readonly string[]; recent: readonly string[] },
    before: Values,
    answered: Values,
  ): { values: Values; text: string } | undefined;
  /** Whether the instance computes a field from these, which a rollback restores with it. */
  isComputed?(name: string, from: { written: readonly string[]; changed: readonly string[]; before: Values }): boolean;
  /** The fields that must be sent together with these, also one whose value a saved plan hides, if it was planned. */
  sentAlong?(change: Written, isPlanned?: (name: string) => boolean): readonly string[];
  /** What a change loses, for the plan: secrets that cannot be read back. */
  loses?(change: Written): string | undefined;
  /** What the instance does besides, for the plan: it continues the name of what is changed. */
  besides?(change: Written): string | undefined;
  /** What the first entry of a list makes an instance do, and what its last one leaves: for the plan. */
  readonly ends?: { readonly first: string; readonly last?: string };
  /** What no request restores of a removed object: for the plan, or only for a rollback that creates it again. */
  readonly unrestored?: string;
  readonly unreturned?: string;
  /** What no request sets of an object that a rollback creates again, and what to do instead. */
  unset?(before: Values): string | undefined;
  /** What no request shows or takes of an object that is created, and what it is then: it is never verified. */
  readonly unshown?: string;
  steps(change: Change): readonly Step[];
  /** Whether a change revokes access, so that it comes after additions. */
  restricts?(change: Pick<Change, "desired">): boolean;
  /** Whether its lock-outs depend on the user of the token. */
  readonly needsCaller?: true;
  /** The written fields that can lock users out, if they can be written apart from the others. */
  risky?(change: Written): readonly string[];
  lockout?(change: Written, caller: Caller | undefined): Change["lockout"];
}

export function isReference(value: unknown): value is Reference {
  return typeof value === "object" && value !== null && "reference" in value && "origin" in value;
}

/** The field of a kind; an undocumented one has a plain form. */
export function fieldOf(kind: Kind, name: string): StateField {
  return ownValue(kind.fields, name) ?? kind.fieldOf?.(name) ?? { form: "json" };
}
