import { type AnyEndpoint, changes, isDeletion } from "../api/endpoint.ts";
import type { Field, Fields } from "../api/field.ts";
import type { Command, Example, Group } from "../declare/command.ts";
import {
  argumentTerms,
  commandsIn,
  describeFlags,
  type FlagDescription,
  inHelpOrder,
  type RequestEntry,
  requestEntry,
  usageLine,
} from "../declare/describe.ts";
import { globalFlags } from "../declare/globals.ts";
import { exitCodesOf, type ResultField, resultFields } from "./result.ts";

/** A group or top-level command that is not loaded yet. */
export interface Entry {
  load(): Promise<Command | Group>;
}

/** The command tree as data, for help, documentation, and other programs. Keys are those of its JSON. */
export interface CommandEntry {
  /** As typed after the program's name: `users list`. */
  command: string;
  summary: string;
  details: string | null;
  usage: string;
  examples: readonly Example[];
  arguments: ArgumentEntry[];
  flags: FlagEntry[];
  requests: RequestEntry[];
  related: readonly string[];
  /** It changes the instance, so `--dry-run` applies; null if that depends on the input. */
  changes: boolean | null;
  /** It may delete something, so it asks first; null if that depends on the input. */
  deletes: boolean | null;
  /** Whether `-o json` prints rows or one record; null if that depends on the input, or if it prints neither. */
  prints: "rows" | "record" | null;
  /** The fields of the result; null if they depend on the input. */
  fields: ResultField[] | null;
  exit_codes: number[];
  /** Whether a CI job token is accepted: by all of its requests, by some, by none; null if it sends none. */
  job_token: "accepted" | "some" | "refused" | null;
}

export interface ArgumentEntry extends ValueEntry {
  name: string;
  /** `<tag...>`, `[name]`. */
  term: string;
}

export interface FlagEntry extends ValueEntry {
  /** `--limit`. */
  flag: string;
  /** `-L`. */
  short: string | null;
  /** `n|all`; null for a flag that takes no value. */
  placeholder: string | null;
  /** Also offered as `--no-…`. */
  negatable: boolean;
  default: string | number | boolean | null;
  /** The scope whose default applies (environment, profile, CI job), if any. */
  scope: "project" | "group" | null;
}

interface ValueEntry {
  description: string;
  type: string;
  required: boolean;
  repeatable: boolean;
  /** The only values allowed. */
  values: readonly string[] | null;
  /** Minimum and maximum of a number, or of a text's length in characters. */
  min: number | null;
  max: number | null;
}

/** What a command that changes something does, and does not do, in a sentence or two. */
export function effectOf({ deletes }: CommandEntry): string {
  const asks = deletes ? " It asks before it deletes; --yes answers." : "";
  return `Changes the instance: --dry-run shows the requests and sends none of them.${asks}`;
}

/** Loads every group, which is slow. */
export function loadNodes(entries: readonly Entry[]): Promise<(Command | Group)[]> {
  return Promise.all(entries.map((entry) => entry.load()));
}

/** Every command, in the order of the help. */
export function commandTree(nodes: readonly (Command | Group)[]): CommandEntry[] {
  return entriesOf(nodes.flatMap((node) => [...commandsIn(node)]));
}

/** Commands with their paths as entries. */
export function entriesOf(commands: readonly { path: string[]; command: Command }[]): CommandEntry[] {
  return commands.map(({ path, command }) => describeCommand(path, command));
}

/** The flags that every command takes. */
export function globalEntries(): FlagEntry[] {
  return flagEntries(globalFlags);
}

function describeCommand(path: readonly string[], command: Command): CommandEntry {
  return {
    command: path.join(" "),
    summary: command.summary,
    details: command.details ?? null,
    usage: `forgectl ${usageLine(path, command)}`,
    examples: command.examples,
    arguments: argumentTerms(command.args).map(({ name, term, field }) => ({ name, term, ...valueEntry(field) })),
    flags: flagEntries(command.params),
    requests: command.requests.map(requestEntry),
    related: command.related ?? [],
    changes: changesOf(command),
    deletes: deletesOf(command),
    prints: command.prints ?? null,
    fields: resultFields(command),
    exit_codes: exitCodesOf(command),
    job_token: jobTokenOf(command.requests),
  };
}

function changesOf(command: Command): CommandEntry["changes"] {
  if (command.changes === undefined) return command.requests.some(changes);
  return command.changes({}) || null;
}

function deletesOf(command: Command): CommandEntry["deletes"] {
  if (command.deletes === undefined) return command.requests.some(isDeletion);
  return command.deletes({}) || null;
}

/** Requests outside the API, such as those to the registry, take another credential. */
function jobTokenOf(requests: readonly AnyEndpoint[]): CommandEntry["job_token"] {
  const ofApi = requests.filter(({ base }) => base === "api");
  const accepting = ofApi.filter(({ access }) => access.jobToken === true).length;
  if (ofApi.length === 0) return null;
  if (accepting === ofApi.length) return "accepted";
  return accepting === 0 ? "refused" : "some";
}

function flagEntries(fields: Fields): FlagEntry[] {
  return inHelpOrder(describeFlags(fields)).map(flagEntry);
}

function flagEntry(flag: FlagDescription): FlagEntry {
  const { long, short, placeholder, negatable, required, field } = flag;
  return {
    flag: long,
    short: short ?? null,
    placeholder: placeholder?.slice(1, -1) ?? null,
    ...valueEntry(field),
    required,
    negatable,
    default: field.default ?? null,
    scope: field.scope ?? null,
  };
}

function valueEntry(field: Field): ValueEntry {
  const { kind, values, min, max } = field.item ?? field;
  return {
    description: field.description,
    type: kind,
    required: field.required,
    repeatable: field.kind === "array" || field.kind === "map",
    values: values ?? null,
    min: min ?? null,
    max: max ?? null,
  };
}
