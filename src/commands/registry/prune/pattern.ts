import { RE2JS, RE2JSException } from "re2js";
import { UsageError } from "../../../base/errors.ts";

/** A pattern over tag names, as the platform evaluates it. */
interface TagPattern {
  /** As it is sent. */
  readonly sent: string;
  /** Whether it matches a name from its first character to its last. */
  matches(name: string): boolean;
}

/**
 * Reads an RE2 pattern. The platform puts `\A` before it and `\z` after it, so that it must match a whole name; `a|b`
 * sent unchanged would delete whatever begins with `a` or ends with `b`. A pattern with alternatives is therefore sent
 * in a group, which changes nothing else.
 *
 * @param flag its source, for the error: `--delete-regex`.
 * @throws UsageError in RE2's own words.
 */
export function readPattern(text: string, flag: string): TagPattern {
  if (text === "") throw new UsageError(`${flag}: is empty; a pattern that matches every tag is written .*`);
  refuseStraySpaces(text, flag);
  // Without the group first: "a)|(b" is invalid, but would be valid in a group.
  compile(text, text, flag);
  const grouped = `(?:${text})`;
  const whole = compile(grouped, text, flag);
  return { sent: hasOuterAlternatives(text) ? grouped : text, matches: (name) => whole.matches(name) };
}

/** `--keep-regex 'v.* | latest'`, or the line of a file that ends in \r, would keep nothing. */
function refuseStraySpaces(text: string, flag: string): void {
  if (!/^\s|\s$|\s[|)]|[|(]\s|\p{Cc}/u.test(withoutLiterals(text))) return;
  throw new UsageError(`${flag}: has a space or line break where no tag has one`, {
    hint: "leave it out: names of tags have none, so that nothing would match",
  });
}

function compile(source: string, text: string, flag: string): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new UsageError(`${flag}: "${text}" is not a regular expression of RE2`, {
      code: "bad_pattern",
      reason: error.message.replace(/^error parsing regexp: /, ""),
      hint: "the syntax is https://github.com/google/re2/wiki/Syntax: no lookahead, no lookbehind, no backreferences",
    });
  }
}

/** Whether the pattern has a `|` outside of all groups, classes, and quotations. */
function hasOuterAlternatives(text: string): boolean {
  let rest = withoutLiterals(text);
  for (let before = ""; before !== rest; ) {
    before = rest;
    rest = rest.replace(/\([^()]*\)/g, "");
  }
  return rest.includes("|");
}

/** A pattern without its classes, quotations, and escapes. */
function withoutLiterals(text: string): string {
  return text.replace(/\\Q.*?(?:\\E|$)|\\.|\[\^?\]?(?:\[:\^?\w+:\]|\\(?:.|$)|[^\]\\])*(?:\]|$)/gs, "");
}

/** Sample names of every kind that people and machines give to tags. */
const allKinds = [
  "a",
  "Z",
  "0",
  "_",
  "latest",
  "v1.20.3",
  "2026.01.31",
  "feature-login_2.0-rc.1",
  "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
  "_.-".repeat(42),
  "x".repeat(128),
];

/** Whether a pattern matches every name, however it is written. */
export function matchesEverything(pattern: TagPattern): boolean {
  return allKinds.every((name) => pattern.matches(name));
}
