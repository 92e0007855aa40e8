import { describe, expect, test } from "vitest";
import type { Field } from "../../src/api/field.ts";
import { oneOf } from "../../src/base/wording.ts";
import { groups } from "../../src/commands/index.ts";
import type { Command } from "../../src/declare/command.ts";
import { argumentTerms, commandsIn, describeFlags, flagUsage } from "../../src/declare/describe.ts";
import { sandboxSession } from "../support/session.ts";

// The mistakes that every command can be given, in one grammar: what is missing, what is too much, what is unknown.

const log: string[] = [];
const { run } = await sandboxSession({ log: (line) => log.push(line) });
const nodes = await Promise.all(groups.map((entry) => entry.load()));
const commands = nodes.flatMap((node) => [...commandsIn(node)]);

interface Mistake {
  words: string[];
  headline: string;
}

const candidates = ["a", "1", "ab12cd34", "a=b", "https://a.example"];

/** A word that the field accepts. */
function wordFor(field: Field): string {
  const { pattern } = field;
  if (pattern !== undefined) return candidates.find((word) => pattern.test.test(word)) ?? "";
  switch (field.kind) {
    case "array":
      return wordFor(field.item as Field);
    case "enum":
      return field.values?.[0] ?? "";
    case "code":
      return Object.keys(field.codes ?? {})[0] ?? "";
    case "map":
      return "a=b";
    case "json":
      return "{}";
    case "boolean":
      return "true";
    case "timestamp":
    case "date":
      return "2026-01-31";
    case "string":
    case "file":
      return "a".repeat(Math.max(1, field.min ?? 1));
    default:
      return String(field.min ?? 1);
  }
}

/** The words of a complete line, but for the scope and parent: arguments, then required flags. */
function wordsOf({ args, params }: Command) {
  const required = describeFlags(params).filter((flag) => flag.required);
  return {
    args: argumentTerms(args).map(({ field }) => wordFor(field)),
    flags: required.map((flag) => (flag.placeholder === undefined ? [flag.long] : [flag.long, wordFor(flag.field)])),
    required,
  };
}

function missingIn(path: string[], command: Command): Mistake[] {
  const { args, flags, required } = wordsOf(command);
  const terms = argumentTerms(command.args);
  const before = command.passThrough ? flags.flat() : [];
  const after = command.passThrough ? [] : flags.flat();
  const mistakes: Mistake[] = [];
  for (const [index, { term, field }] of terms.entries()) {
    if (!field.required) continue;
    const words = [...path, ...before, ...args.slice(0, index), ...after];
    mistakes.push({ words, headline: `missing ${term.replace("...", "")}` });
  }
  for (const [index, flag] of required.entries()) {
    const others = flags.filter((_, at) => at !== index).flat();
    mistakes.push({ words: [...path, ...args, ...others], headline: `missing ${flagUsage(flag)}` });
  }
  const parents = describeFlags(command.params).filter(({ field }) => field.within !== undefined);
  const scopes = describeFlags(command.params).filter(({ field }) => field.scope !== undefined && field.required);
  if (parents.length > 0) {
    mistakes.push({ words: [...path, ...args, ...flags.flat()], headline: `missing ${oneOf(parents.map(flagUsage))}` });
  } else if (scopes.length > 0) {
    const names = scopes.map(({ short, long }) => `${short}, ${long}`);
    mistakes.push({ words: [...path, ...args, ...flags.flat()], headline: `missing ${oneOf(names)}` });
  }
  return mistakes;
}

function otherIn(path: string[], command: Command): Mistake[] {
  const { args, flags } = wordsOf(command);
  const terms = argumentTerms(command.args);
  const unknown = "--no-such-flag-at-all";
  const mistakes = [{ words: [...path, unknown, ...flags.flat(), ...args], headline: `unknown flag '${unknown}'` }];
  if (terms.at(-1)?.field.kind !== "array") {
    const shown = path[0] === "auth" ? "[redacted]" : "surplus";
    mistakes.push({ words: [...path, ...args, "surplus", ...flags.flat()], headline: `unexpected argument: ${shown}` });
  }
  for (const [index, { term, field }] of terms.entries()) {
    const { kind, values = [] } = field.item ?? field;
    if (kind !== "enum") continue;
    const wrong = args.map((word, at) => (at === index ? "wrong" : word));
    const headline = `${term}: must be one of ${values.join(", ")}, not "wrong"`;
    mistakes.push({ words: [...path, ...wrong, ...flags.flat()], headline });
  }
  const valued = describeFlags(command.params).filter(({ placeholder }) => placeholder !== undefined);
  const last = valued.at(-1);
  if (last !== undefined && !command.passThrough) {
    const words = [...path, ...args, ...flags.flat(), last.long];
    mistakes.push({ words, headline: `${last.long}: missing ${last.placeholder}` });
  }
  for (const flag of valued) {
    const { kind, values = [] } = flag.field.item ?? flag.field;
    if (kind !== "enum") continue;
    const headline = `${flag.long}: must be one of ${values.join(", ")}, not "wrong"`;
    const others = flags.filter(([name]) => name !== flag.long).flat();
    mistakes.push({ words: [...path, flag.long, "wrong", ...others, ...args], headline });
  }
  return mistakes;
}

/** What each of these lines is answered with, next to what it should be. */
async function typed(mistakes: readonly Mistake[]): Promise<{ actual: unknown[]; wanted: unknown[] }> {
  const actual: unknown[] = [];
  const wanted: unknown[] = [];
  for (const { words, headline } of mistakes) {
    const line = words.join(" ");
    log.splice(0);
    const { code, stdout, stderr } = await run(...words);
    const noCauses = stderr.split("\n").filter((each) => /^cause: (?:nothing|no change)/.test(each));
    actual.push({ line, code, stdout, headline: stderr.split("\n")[0], noCauses, sent: log.splice(0) });
    wanted.push({ line, code: 2, stdout: "", headline: `error: ${headline}`, noCauses: [], sent: [] });
  }
  return { actual, wanted };
}

describe.each(groups.map(({ name }) => name))("%s", (name) => {
  const own = commands.filter(({ path }) => path[0] === name);

  test("what is missing", async () => {
    const { actual, wanted } = await typed(own.flatMap(({ path, command }) => missingIn(path, command)));
    expect(actual).toEqual(wanted);
  });

  test("what is too much, unknown, or not one of the choices", async () => {
    const { actual, wanted } = await typed(own.flatMap(({ path, command }) => otherIn(path, command)));
    expect(actual).toEqual(wanted);
  });
});
