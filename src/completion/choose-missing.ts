import { maxPageSize } from "../api/api.ts";
import type { Field } from "../api/field.ts";
import type { Listed } from "../api/field-options.ts";
import { Failure, missing as missingTerm, reasonIn, type UsageError } from "../base/errors.ts";
import { parseMany, parseValue } from "../cli/parse.ts";
import type { CommandInvocation } from "../cli/program.ts";
import type { Context } from "../context.ts";
import { argumentTerms } from "../declare/describe.ts";
import { type Choice, choicesOf, knownPlaces, nounOf, placesOf } from "./instance-lists.ts";
import { isListed, isSearched, searchFor } from "./search.ts";
import { completeValue } from "./values.ts";

type Input = CommandInvocation["input"];

/** How much is fetched of a list that the instance cannot search: enough to filter by typing. */
const maxFetched = 1000;
const nothingListed = "nothing_listed";
/** How long typing must pause before the instance is queried. */
const pauseMs = 200;

/**
 * Lets the user choose what is missing: the scope, then the arguments in order. If prompts are not possible, nothing
 * is listed, or the user cancels with Esc, it fails with the same error as in a script.
 */
export async function chooseMissing(
  context: Context,
  { command, input, missing }: CommandInvocation,
  scope: [string, Field] | undefined,
): Promise<Input> {
  const filled: Input = { ...input };
  const terms = argumentTerms(command.args).filter(({ name }) => missing.includes(name));
  if (scope !== undefined) {
    const [name, field] = scope;
    filled[name] = await chooseListed(context, field.scope as Listed, {}).catch(unlessInterrupted);
    if (filled[name] === undefined) {
      // Without a scope the command reports what is missing, as usual.
      if (terms[0] !== undefined) throw missingTerm(terms[0].term);
      return filled;
    }
  }
  for (const { name, term, field } of terms) {
    const refusal = (reason?: string) => missingTerm(term, reason === undefined ? {} : { reason });
    if (!context.prompt.available) throw refusal();
    const text = await chosenFor(context, field, { name, input: filled, refusal });
    filled[name] = field.kind === "array" ? parseMany(field, [text], term) : parseValue(field, text, term);
  }
  return filled;
}

function unlessInterrupted(error: unknown): undefined {
  if (!(error instanceof Failure) || error.exit === "interrupted") throw error;
  return undefined;
}

interface Missing {
  name: string;
  input: Input;
  /** The error if it stays missing. */
  refusal(reason?: string): UsageError;
}

async function chosenFor(context: Context, field: Field, { name, input, refusal }: Missing): Promise<string> {
  const source = field.completes ?? field.item?.completes;
  let chosen: string | undefined;
  try {
    chosen = isListed(source)
      ? await chooseListed(context, source, input)
      : await chooseHere(context, field, source ?? name.replaceAll("_", " "));
  } catch (error) {
    if (!(error instanceof Failure) || error.exit === "interrupted") throw error;
    throw refusal(error.code === nothingListed ? error.message : `there is no list to choose from: ${reasonIn(error)}`);
  }
  if (chosen === undefined) throw refusal();
  return chosen;
}

/** Offers values known on this machine: profiles, settings, and the words that a field accepts. */
async function chooseHere(context: Context, field: Field, noun: string): Promise<string | undefined> {
  const profiles = () => context.config.store.read();
  const host = { env: context.env, profiles, listed: async () => [] };
  const { offers } = await completeValue(field, { typed: "", host, line: {}, returns: undefined });
  return choose(context, noun, { all: offers });
}

/** Offers what the instance lists; if the project or group of the list is not known, it is chosen first. */
async function chooseListed(context: Context, source: Listed, typed: Input): Promise<string | undefined> {
  const places: Record<string, unknown> = { ...knownPlaces(context.config, typed) };
  for (const place of placesOf(source, places)) {
    if (places[place] !== undefined || (place !== "project" && place !== "group")) continue;
    places[place] = await chooseListed(context, place, {});
    if (places[place] === undefined) return undefined;
  }
  const limit = isSearched(source) ? maxPageSize : maxFetched;
  const all = (await choicesOf(context, source, { places, limit })) ?? [];
  const isWhole = all.length < limit || !isSearched(source);
  const search = async (text: string) => (await choicesOf(context, source, { places, search: text })) ?? [];
  return choose(context, nounOf(source), {
    all,
    ...(!isWhole && { more: (word) => searchFor(source, word), search }),
  });
}

interface List {
  all: readonly Choice[];
  /** What to search for on the instance if it has more than `all`; undefined: nothing. */
  more?(typed: string): string | undefined;
  search?(text: string): Promise<readonly Choice[]>;
}

async function choose(context: Context, noun: string, { all, more, search }: List): Promise<string | undefined> {
  if (all.length === 0) {
    throw new Failure("notFound", `there is nothing to choose from: no ${noun} is listed`, { code: nothingListed });
  }
  const how = search === undefined ? "" : " Type to search:";
  const part = all.length < maxFetched ? "" : ` Of the first ${maxFetched}:`;
  return context.prompt.choose(`Which ${noun}?${how}${part}`, async (typed, signal) => {
    const text = more?.(typed);
    if (text === undefined || search === undefined) return fitting(all, typed);
    await context.sleep(pauseMs, signal);
    const found = await search(text);
    return typed.includes("/") ? fitting(found, typed) : found;
  });
}

/** Choices whose value or description contains what was typed, ignoring case. */
function fitting(all: readonly Choice[], typed: string): readonly Choice[] {
  const word = typed.toLowerCase();
  return all.filter((choice) => choice.some((text) => text.toLowerCase().includes(word)));
}
