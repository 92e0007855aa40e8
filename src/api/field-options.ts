import type { Tones } from "../base/tone.ts";

/**
 * The vocabulary of parameters and responses. A field is data: the parser, the help, the completions, the request
 * placement, and the rendering of columns all read the same one.
 */
export type FieldKind =
  | "string"
  | "integer"
  | "number"
  | "boolean"
  | "timestamp"
  | "date"
  | "id"
  | "bytes"
  | "seconds"
  | "share"
  | "enum"
  | "code"
  | "array"
  | "object"
  | "map"
  | "json"
  | "file";

/** What the instance lists: TAB offers the values of such a field, and the user chooses from them if it is missing. */
export const listed = [
  "project",
  "group",
  "user",
  "repository",
  "image",
  "tag",
  "upload",
  "environment",
  "error-key",
  "hook",
  "delivery",
  "saml-identity",
  "scim-identity",
  "saml-link",
  "ldap-cn",
] as const;
export type Listed = (typeof listed)[number];

/** The source of completions for a field without its own list of values; `value-file` is a file in `key=@file`,
 * `own-command` a command of this program. */
export type Completes =
  | Listed
  | "file"
  | "directory"
  | "command"
  | "own-command"
  | "value-file"
  | "profile"
  | "profile-key"
  | "profile-value"
  | "setting"
  | "setting-value"
  | "hook-event"
  | "who"
  | "rule-who"
  | "field";

export interface FieldOptions {
  /** Minimum of a number, or of a text's length in characters. */
  min?: number;
  /** Maximum of a number, or of a text's length in characters. */
  max?: number;
  /** The pattern of a text, and its description: `a tag name: letters, digits, ".", "_", "-"`. */
  pattern?: { readonly test: RegExp; readonly words: string };
  /** A path below a root: `./` before it, by which no name can be read as an option, is taken off. */
  relative?: true;
  /** Each entry of the object is a separate parameter of the body, for a body with arbitrary names. */
  entries?: boolean;
  /** An array that is sent with its name repeated (`scope=a&scope=b`), not as `scope[]`. */
  repeats?: boolean;
  /** Name in requests, if it differs from the key, such as `range[start]`. */
  wire?: string;
  /** Of a rest of the path: a value whose slashes are encoded, since instances would read a part of it otherwise. */
  asSegment?: RegExp;
  /** The flag's name, if it differs from the key. */
  flag?: string;
  /** One-letter flag. */
  short?: string;
  /** Placeholder of the value in help: `<branch>`. */
  placeholder?: string;
  default?: string | number | boolean;
  /** A boolean that is also offered as `--no-<flag>`. */
  negatable?: boolean;
  /** A boolean that takes its value as a word: `--active true`. */
  valued?: boolean;
  /** Never shown in traces, dry runs, and errors; masked in results. */
  secret?: boolean;
  /** A scope flag: if not given, its value comes from the environment, the profile, or the CI job. */
  scope?: "project" | "group";
  /**
   * Identifies an object within this scope. Exactly one of a command's fields with it must be given, and it determines
   * which scope the command takes: `--issue` a project, `--epic` a group.
   */
  within?: "project" | "group";
  /** Determines by itself what the command works on: no project or group is needed beside it. */
  ownScope?: boolean;
  /** Takes an ID or a name: a name is looked up, and the ID is sent. */
  names?: "user" | "group" | "project" | "hook" | "repository";
  /** Converts a value to the API's spelling; values that already have it are unchanged. */
  sent?: (value: unknown) => unknown;
  /** Why this command does not take a flag of its siblings: it is left out of help and refused with this reason. */
  refused?: string;
  /** The source of completions: the name of a lookup in src/completion/lookups.ts. */
  completes?: Completes;
  /**
   * Names a file or folder that the command writes: `whole`, or the one after `=` in `form=file`. `appended` is a
   * record that it also reads, and that several commands may share.
   */
  writes?: "whole" | "value" | "appended";
  /** Several of its values in one word, separated by commas. */
  commas?: boolean;
  /** Only in an answer: the documents leave it out of some answers. */
  sometimes?: true;
  /** Of a day in UTC: the list is of what is after it, or before. */
  bound?: "after" | "before";
  /** Of a timestamp: it may be a date alone. */
  orDate?: true;
  /** An answer may have null in its place. */
  nullable?: true;
  /** Only in an answer: undocumented. */
  beyond?: true;
  /** Only in an answer: returned if this parameter requests it. */
  onlyWith?: string;
  /** A list of numbers that is drawn as a chart on a terminal; elsewhere it is printed unchanged. */
  pictured?: "sparkline";
  /**
   * How the answer to a change shows what was sent, if not under the same name as the same kind of value: `as` are
   * dotted paths of which the first that the answer has counts. `never`: it is not answered, or not as it was sent.
   * `missing: "unset"`: an answer without it says that nothing is stored.
   */
  answered?:
    | "never"
    | { readonly as?: readonly string[]; readonly form?: "rules" | "keys"; readonly missing?: "unset" };
  /**
   * Formats a list's items as one text for table, csv, and tsv; other formats print them unchanged. An object is the
   * only item, and formatted in tables alone.
   */
  worded?: (items: readonly unknown[], signs: { readonly arrow: string }) => string;
  /** The colors of the words that a value is shown as. */
  tones?: Tones;
  /** Never cut in a table: an address, a rule, a problem, a request. A table too narrow for it is shown as records. */
  whole?: boolean;
  /** Extra words that completion offers and the parser accepts unchanged. */
  suggests?: readonly string[];
}
