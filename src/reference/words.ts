import type { Field, Fields } from "../api/field.ts";
import type { Command, Group } from "../declare/command.ts";
import { describeFlags, type FlagDescription, takesValue } from "../declare/describe.ts";
import { globalFlags } from "../declare/globals.ts";

// What a shell can offer, as four tables that every shell's script holds in its own syntax: the words below a path,
// the flags of a path, the arguments of a path, and where a flag's values come from.

/** A word to offer and what it is for. Words hold no white space. */
export interface Word {
  word: string;
  description: string;
}

/**
 * Where a value's candidates come from: `none` (free text), `file`, `directory`, `command` (a program of this
 * machine), `words a b c`, or `ask kind` (what `forgectl __complete kind` prints).
 */
type Source = string;

/** One path of the tree: the root is `""`, a command `users list`. */
interface Place {
  path: string;
  children: Word[];
  flags: Word[];
  arguments: Source[];
  /** The last argument may be given again. */
  rest: boolean;
  /** What follows the arguments belongs to another program. */
  through: boolean;
}

export interface WordTables {
  places: Place[];
  globals: Word[];
  /** Flags that take a value, as `<path> <flag>`, by the source of their values; a global flag's path is empty. */
  values: { source: Source; keys: string[] }[];
}

export const helpTopics = ["exit-codes", "environment", "output"] as const;

const helpFlags: Word[] = ["--help", "-h"].map((word) => ({ word, description: "Show help" }));
const versionFlags: Word[] = ["--version", "-V"].map((word) => ({ word, description: "Print the version" }));

export function wordTables(nodes: readonly (Command | Group)[]): WordTables {
  const root: Place = {
    ...nothing,
    path: "",
    children: [...childWords(nodes), { word: "help", description: "Help on a command or a topic" }],
    flags: versionFlags,
  };
  const places = [root, ...nodes.filter(isShown).flatMap((node) => placesOf(node, []))];
  return { places, globals: [...describeFlags(globalFlags).flatMap(flagWords), ...helpFlags], values: valuesOf(nodes) };
}

const nothing = { children: [], flags: [], arguments: [], rest: false, through: false };

function placesOf(node: Command | Group, above: readonly string[]): Place[] {
  const words = [...above, node.name];
  const path = words.join(" ");
  if (node.kind === "group") {
    const below = node.children.filter(isShown).flatMap((child) => placesOf(child, words));
    return [{ ...nothing, path, children: childWords(node.children) }, ...below];
  }
  const fields = Object.values(node.args);
  return [
    {
      path,
      children: [],
      flags: describeFlags(node.params)
        .sort((a, b) => Number(b.required) - Number(a.required))
        .flatMap(flagWords),
      arguments: fields.map(sourceOf),
      rest: fields.at(-1)?.kind === "array",
      through: node.passThrough,
    },
  ];
}

function childWords(nodes: readonly (Command | Group)[]): Word[] {
  return nodes.filter(isShown).map(({ name, summary }) => ({ word: name, description: summary }));
}

function isShown(node: Command | Group): boolean {
  return node.kind === "group" || !node.hidden;
}

function flagWords(flag: FlagDescription): Word[] {
  const description = `${flag.field.description}${flag.required ? " (required)" : ""}`;
  const names = [flag.long, ...(flag.negatable ? [`--no-${flag.long.slice(2)}`] : []), flag.short];
  return names.flatMap((word) => (word === undefined ? [] : [{ word, description }]));
}

function valuesOf(nodes: readonly (Command | Group)[]): WordTables["values"] {
  const bySource = new Map<Source, string[]>();
  const note = (path: string, fields: Fields) => {
    for (const flag of describeFlags(fields)) {
      if (!takesValue(flag.field)) continue;
      const source = sourceOf(flag.field);
      const keys = [flag.long, flag.short].flatMap((name) => (name === undefined ? [] : [`${path} ${name}`]));
      bySource.set(source, [...(bySource.get(source) ?? []), ...keys]);
    }
  };
  const visit = (node: Command | Group, above: readonly string[]) => {
    const words = [...above, node.name];
    if (node.kind === "group") for (const child of node.children) visit(child, words);
    else if (!node.hidden) note(words.join(" "), node.params);
  };
  note("", globalFlags);
  for (const node of nodes) visit(node, []);
  return [...bySource].map(([source, keys]) => ({ source, keys }));
}

function sourceOf(field: Field): Source {
  const { item } = field;
  const completes = field.completes ?? item?.completes;
  const placeholder = field.placeholder ?? item?.placeholder;
  if (completes === "setting" && placeholder?.includes("=")) return "ask assignment";
  if (completes === "file" || completes === "directory" || completes === "command") return completes;
  if (completes !== undefined) return `ask ${completes}`;
  if (field.kind === "file" || item?.kind === "file") return "file";
  const words = [field, ...(item === undefined ? [] : [item])].flatMap(fixedWords).filter((word) => !/\s/.test(word));
  return words.length === 0 ? "none" : `words ${words.join(" ")}`;
}

function fixedWords(field: Field): string[] {
  const known = field.kind === "boolean" ? ["true", "false"] : (field.values ?? []);
  return [...known, ...(field.suggests ?? [])];
}
