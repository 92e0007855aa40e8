import { Failure } from "../../base/errors.ts";
import { capitalize, counted } from "../../base/wording.ts";
import type { Context, InnerCommand, InnerQuestion } from "../../context.ts";
import { concurrently } from "../../jobs/concurrently.ts";
import { staleCode } from "../../jobs/tally.ts";
import { asks, confirm } from "../../verbs/confirm.ts";
import type { Outputs } from "./outputs.ts";
import { filledIn, type Instance, type Instances, type Place, type Scope } from "./scopes.ts";
import type { ScopeKind } from "./sources.ts";

/** Answers the question of the command for one scope. */
export type Answers = (scope: Scope) => Context["answer"];

interface Asked {
  readonly instances: Instances;
  /** What the command does, which is the same on every instance. */
  readonly inner: InnerCommand;
  readonly kind: ScopeKind | undefined;
  readonly scopes: readonly Scope[];
  /** What it writes for a scope. */
  readonly outputs: (scope: Scope) => Outputs | undefined;
  /** The command as typed, without secrets. */
  readonly shown: string;
}

/** The most scopes named in a question. */
const maxNamed = 3;
/** The most lines above a question. */
const maxLines = 200;

/**
 * Asks once, for all scopes, what the command itself would ask for each; what it asks later must be the same. A command
 * that would not ask is named with all its words. If something may be deleted, the number of scopes must be typed.
 */
export async function askForAll(context: Context, asked: Asked): Promise<Answers> {
  const { inner, kind, scopes, shown } = asked;
  if (!inner.changes) return () => undefined;
  const typed = inner.deletes ? String(scopes.length) : undefined;
  if (!asks(context) || scopes.length === 0) return () => undefined;
  const all = named(kind, scopes);
  const questions = await questionsOf(context, asked);
  const actions = new Map([...questions].map(([scope, { action }]) => [scope, action]));
  // On several instances, one that would not ask is not what the others name.
  const isOfAll = kind !== undefined || actions.size === scopes.length;
  const summary = (isOfAll ? summed(actions, all) : undefined) ?? listed(context, actions, all);
  for (const remark of new Set([...questions.values()].flatMap(({ remark = [] }) => remark))) context.warn(remark);
  await confirm(context, { action: summary ?? `run "${shown}" on ${all}`, typed });
  return (scope) => {
    const expected = actions.get(scope);
    return ({ action }) => {
      if (action !== expected) throw changedSince(action);
    };
  };
}

/** Where no one can be asked, `--yes` is required before anything is changed. */
export async function refuseUnconfirmed(
  context: Context,
  { kind, places, shown }: { kind: ScopeKind | undefined; places: readonly Place[]; shown: string },
  { changes }: InnerCommand,
): Promise<void> {
  if (!changes || asks(context)) return;
  const scopes = places.flatMap(({ profile, names = [] }): Pick<Scope, "name" | "profile">[] =>
    kind === undefined ? [{ name: undefined, profile }] : names.map(({ name }) => ({ name, profile })),
  );
  if (scopes.length > 0) await confirm(context, { action: `run "${shown}" on ${named(kind, scopes)}` });
}

async function questionsOf(
  context: Context,
  { instances, kind, scopes, outputs }: Asked,
): Promise<Map<Scope, InnerQuestion>> {
  const progress = context.progress.start("previewing", { total: scopes.length, unit: "items" });
  const ask = async (scope: Scope) => {
    // What fails here fails in its own row later, unless it succeeds by then.
    const { inner } = instances.get(scope.profile) as Instance;
    const question = await inner.question(filledIn(kind, scope), outputs(scope)).catch((error: unknown) => {
      if (!(error instanceof Failure) || error.exit === "interrupted") throw error;
      return undefined;
    });
    return question === undefined ? undefined : ([scope, question] as const);
  };
  const asked = new Map<Scope, InnerQuestion>();
  let done = 0;
  try {
    for await (const each of concurrently(scopes, ask, { limit: context.config.concurrency, ordered: true })) {
      progress.update(++done);
      if (each !== undefined) asked.set(...each);
    }
  } finally {
    progress.stop();
  }
  return asked;
}

/** Replaces the scope in a question, so that those of several can be compared. */
const placeholder = "\0";

/** Sizes are rounded: they cannot be added up. */
const aSize = /\b\d+(?:\.\d+)? (?:[KMGTPE]i)?B\b/;

/** One question for all, if theirs differ only in the scope and in numbers, which are added up. */
function summed(actions: ReadonlyMap<Scope, string>, all: string): string | undefined {
  const parts = [...actions].map(([{ name }, action]) =>
    splitCounts(name === undefined ? action : action.replace(scopeNamed(name), placeholder)),
  );
  const [first] = parts;
  if (first === undefined) return undefined;
  const words = ({ texts }: Split) =>
    texts.map((text) => text.replace(/ies\b/g, "y").replace(/\b(\w+?)s?\b/g, "$1")).join("0");
  if (parts.some((each) => words(each) !== words(first))) return undefined;
  if (parts.length > 1 && aSize.test(first.texts.join("0"))) return undefined;
  // The plural of the texts fits the sums.
  const longest = parts.reduce((a, b) => (b.texts.join("").length > a.texts.join("").length ? b : a));
  const numbers = first.numbers.map((_, index) => parts.reduce((sum, each) => sum + (each.numbers[index] ?? 0), 0));
  const joined = longest.texts.map((text, index) => text + (numbers[index] ?? "")).join("");
  // Each of them may have one, so that no text has the plural.
  const whole = joined.replace(/\b([2-9]|\d{2,}) repository\b/g, "$1 repositories");
  const scoped = whole.replace(new RegExp(`(?:\\b(?:project|group) )?${placeholder}`), all);
  return (scoped === whole ? `${whole} in ${all}` : scoped).replaceAll(placeholder, "each");
}

/**
 * A project or group where a question names it. A short name may be any word, and an ID any number: only one that
 * follows such a word is meant. In "delete 7 of 7 uploads, 17.0 KiB (project 7)" it is the last.
 */
function scopeNamed(name: string): RegExp {
  const own = `${name.replace(/[$()*+./?[\\\]^{|}-]/g, "\\$&")}(?![\\w/-]|\\.\\w)`;
  if (name.includes("/")) return new RegExp(`(?<![\\w./-])${own}`, "g");
  return new RegExp(`(?<=\\b(?:project|group) )${own}|(?<=\\b(?:of|in|on|for) )${own}(?! [a-z])`, "g");
}

interface Split {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
}

/** Numbers that count something: "3 of 5 tags", but not the ID in "key 3 of project 7". */
const counts = /\b\d+(?= of \d| (?!(?:of|in|by|on|for|is|with|and|from|to)\b)[a-z])/g;

function splitCounts(text: string): Split {
  return { texts: text.split(counts), numbers: [...text.matchAll(counts)].map(([digits]) => Number(digits)) };
}

/** Questions that differ are lines above a common one. */
function listed(context: Context, actions: ReadonlyMap<Scope, string>, all: string): string | undefined {
  if (actions.size === 0) return undefined;
  for (const [{ name, profile }, action] of [...actions].slice(0, maxLines)) {
    const where = [name, profile].filter((part) => part !== undefined).join(" on ");
    context.warn(`${where}: ${capitalize(action)}`);
  }
  if (actions.size > maxLines) context.warn(`${actions.size - maxLines} more`);
  return `do this in ${all}`;
}

/** "8 projects (acme/docs, acme/website, acme/storefront, ...) on 2 instances (staging, prod)". */
function named(kind: ScopeKind | undefined, scopes: readonly Pick<Scope, "name" | "profile">[]): string {
  const profiles = [...new Set(scopes.flatMap(({ profile = [] }) => profile))];
  const instances = profiles.length === 0 ? [] : [countedNames("instance", profiles)];
  const names = scopes.flatMap(({ name = [] }) => name);
  return [...(kind === undefined ? [] : [countedNames(kind, names)]), ...instances].join(" on ");
}

/** "3 projects (acme/docs, acme/web, ...)" */
function countedNames(noun: string, names: readonly string[]): string {
  const some = names.slice(0, maxNamed);
  const more = names.length > maxNamed ? [...some, "..."] : some;
  return `${counted(names.length, noun)} (${more.join(", ")})`;
}

function changedSince(action: string): Failure {
  return new Failure("conflict", "what would be done has changed since the question", {
    code: staleCode,
    reason: `by now it would ${action}`,
    hint: "run it again, and look at the question",
    outcome: "none",
  });
}
