import type { Field, Fields } from "../api/field.ts";
import { topicNames } from "../cli/topics.ts";
import { groups } from "../commands/index.ts";
import type { Command, Group } from "../declare/command.ts";
import { childNamed, type FlagDescription, parsedFlags, takesValue } from "../declare/describe.ts";
import { globalFlags } from "../declare/globals.ts";
import type { CompletionHost } from "./host.ts";
import { completeValue, type Typed } from "./values.ts";
import { type Completions, matching, nothing, type Offer, withPrefix } from "./words.ts";

// What TAB offers, derived from the same commands that the parser uses. Only the group's chunk is loaded.

/** The state of a line after its complete words. */
interface Place {
  /** Undefined at the root, null after an unknown word. */
  node: Command | Group | undefined | null;
  /** `help` was typed: what follows are names. */
  help: boolean;
  /** `--` was typed, or what follows belongs to another program. */
  ended: boolean;
  args: string[];
  /** Flags that were typed, by parameter, with the values of those that have one. */
  given: Map<string, string>;
  /** The flag whose value comes next. */
  pending: FlagDescription | undefined;
}

/**
 * The completions at the end of a line.
 *
 * @param words those after the program's name; the last is the one being typed, possibly empty
 */
export async function complete(words: readonly string[], host: CompletionHost): Promise<Completions> {
  const place: Place = { node: undefined, help: false, ended: false, args: [], given: new Map(), pending: undefined };
  for (const word of words.slice(0, -1)) await step(place, word);
  return answerAt(place, words.at(-1) ?? "", host);
}

async function step(place: Place, word: string): Promise<void> {
  const { node } = place;
  if (place.pending !== undefined) {
    place.given.set(place.pending.name, word);
    place.pending = undefined;
  } else if (place.ended) place.args.push(word);
  else if (word === "--") place.ended = true;
  else if (/^-./.test(word)) stepFlag(place, word);
  else if (word === "help" && node === undefined && !place.help) place.help = true;
  else if (node === undefined) place.node = (await groups.find(({ name }) => name === word)?.load()) ?? null;
  else if (node?.kind === "group") place.node = childNamed(node, word) ?? null;
  else {
    place.args.push(word);
    place.ended = node?.passThrough === true;
  }
}

function stepFlag(place: Place, word: string): void {
  const { last, value } = readFlags(place, word);
  if (last !== undefined && takesValue(last.field) && value === undefined) place.pending = last;
}

/** The flags in one word, noted as given: `--output=json`, `-ojson`, `-qy`; of the last one also its value, if any. */
function readFlags(place: Place, word: string): { last: FlagDescription | undefined; value: string | undefined } {
  const known = flagsAt(place);
  const [, long, value] = /^(--[^=]*)(?:=(.*))?$/s.exec(word) ?? [];
  if (long !== undefined) {
    const flag = known.find((each) => long === each.long || (each.negatable && long === negated(each)));
    if (flag !== undefined) place.given.set(flag.name, value ?? "");
    return { last: flag, value };
  }
  for (const [index, letter] of [...word.slice(1)].entries()) {
    const flag = known.find(({ short }) => short === `-${letter}`);
    const value = word.slice(index + 2);
    if (flag !== undefined) place.given.set(flag.name, takesValue(flag.field) ? value : "");
    if (flag === undefined || !takesValue(flag.field)) continue;
    return { last: flag, value: value || undefined };
  }
  return { last: undefined, value: undefined };
}

function flagsAt({ node }: Place): FlagDescription[] {
  return [...(node?.kind === "command" ? parsedFlags(node.params) : []), ...parsedFlags(globalFlags)];
}

function negated({ long }: FlagDescription): string {
  return `--no-${long.slice(2)}`;
}

function answerAt(place: Place, typed: string, host: CompletionHost): Completions | Promise<Completions> {
  const { node, ended, pending } = place;
  const returns = node?.kind === "command" ? node.returns : undefined;
  const asked = { host, returns, line: lineOf(place) };
  if (pending !== undefined) return completeValue(pending.field, { ...asked, typed });
  if (!ended && typed.startsWith("-")) return flagAnswer(place, typed, asked);
  if (place.help)
    return { offers: matching([...childOffers(node), ...(node === undefined ? topicOffers : [])], typed) };
  if (node === undefined) {
    const help: Offer = ["help", "Help on a command or a topic"];
    return { offers: ended ? [] : matching([...childOffers(node), help], typed) };
  }
  if (node === null) return nothing;
  return node.kind === "group"
    ? { offers: matching(childOffers(node), typed) }
    : argument(place, node, { ...asked, typed });
}

const topicOffers = topicNames.map((word): Offer => [word, "Help topic"]);

/** What is typed so far, by parameter. */
function lineOf({ node, args, given }: Place): Record<string, string> {
  const names = node?.kind === "command" ? Object.keys(node.args) : [];
  const typed = names.flatMap((name, index) => (args[index] === undefined ? [] : [[name, args[index]] as const]));
  return Object.fromEntries([...given, ...typed]);
}

function childOffers(node: Command | Group | undefined | null): Offer[] {
  const children = node === undefined ? groups : node?.kind === "group" ? node.children : [];
  return children.map(({ name, summary }) => [name, summary]);
}

type Asked = Pick<Typed, "host" | "returns" | "line">;

async function flagAnswer(place: Place, typed: string, asked: Asked): Promise<Completions> {
  const given = new Map(place.given);
  const { last, value } = readFlags(place, typed);
  if (last !== undefined && value !== undefined && takesValue(last.field)) {
    const prefix = typed.slice(0, typed.length - value.length);
    return withPrefix(prefix, await completeValue(last.field, { ...asked, typed: value }));
  }
  // Short flags are case-sensitive.
  return { offers: flagOffers({ ...place, given }).filter(([word]) => word.startsWith(typed)) };
}

/** The flags that may still be given: each once, except repeatable ones, and one of several parents. */
function flagOffers(place: Place): Offer[] {
  const all = flagsAt(place);
  const isIn = all.some(({ name, field }) => field.within !== undefined && place.given.has(name));
  const left = all.filter(
    ({ name, field, repeatable }) =>
      field.refused === undefined && (repeatable || !(place.given.has(name) || (isIn && field.within !== undefined))),
  );
  const own: Offer[] = [
    ["--help", "Show help"],
    ["-h", "Show help"],
  ];
  if (place.node === undefined) own.push(["--version", "Print the version"], ["-V", "Print the version"]);
  const needed = left.filter(({ required }) => required);
  return [...needed, ...left.filter(({ required }) => !required)].flatMap(wordsOf).concat(own);
}

function wordsOf(flag: FlagDescription): Offer[] {
  const description = `${flag.field.description}${flag.required ? " (required)" : ""}`;
  const names = [
    flag.long,
    ...(flag.negatable ? [negated(flag)] : []),
    ...(flag.short === undefined ? [] : [flag.short]),
  ];
  return names.map((name) => [name, description]);
}

async function argument(place: Place, command: Command, asked: Asked & { typed: string }): Promise<Completions> {
  const { args } = place;
  const field = fieldFor(command.args, args.length);
  if (field?.completes === "own-command" || field?.item?.completes === "own-command") {
    return complete([...args, asked.typed], asked.host);
  }
  if (command.passThrough && args.length > 0) {
    // The arguments of other programs are unknown.
    return /^(?:.*[\\/])?forgectl$/.test(args[0] ?? "")
      ? complete([...args.slice(1), asked.typed], asked.host)
      : { offers: [], own: "file" };
  }
  if (field !== undefined) {
    const earlier = args.slice(Object.keys(command.args).length - 1);
    const answer = await completeValue(field, { ...asked, earlier });
    // Before `--` it would be read as a flag.
    return place.ended ? answer : { ...answer, offers: answer.offers.filter(([word]) => !word.startsWith("-")) };
  }
  return place.ended || asked.typed !== ""
    ? nothing
    : { offers: flagOffers(place).filter(([word]) => word.startsWith("--")) };
}

/** The next argument; the last one may be repeatable. */
function fieldFor(args: Fields, count: number): Field | undefined {
  const fields = Object.values(args);
  const last = fields.at(-1);
  return fields[count] ?? (last?.kind === "array" ? last : undefined);
}
