import { describe, expect, test } from "vitest";
import { UsageError } from "../../../src/base/errors.ts";
import { loadGroup } from "../../../src/cli/load.ts";
import { parse } from "../../../src/cli/program.ts";
import { flagsOf } from "../../../src/cli/suggest.ts";
import { firstWord } from "../../../src/cli/words.ts";
import { groups } from "../../../src/commands/index.ts";
import type { Command } from "../../../src/declare/command.ts";
import { commandsIn } from "../../../src/declare/describe.ts";

// Seeded random mistakes in a command line: each is understood, or a usage error whose hint names only what exists.

const nodes = await Promise.all(groups.map((entry) => entry.load()));
const all = nodes.flatMap((node) => [...commandsIn(node)]);
const paths = new Set(all.map(({ path }) => path.join(" ")));
const secret = "hunter2-hunter2";

function random(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

type Mistake = (path: readonly string[], command: Command, one: <T>(list: readonly T[]) => T) => string[];

const foreign = ["ls", "rm", "show", "view", "info", "new", "edit", "whoami", "login", "version", "status", "config"];
const foreignFlags = [
  "--format",
  "--json",
  "--all",
  "--force",
  "--verbose",
  "--repo",
  "--host",
  "--token",
  "-k",
  "-vv",
];

const mistakes: Readonly<Record<string, Mistake>> = {
  "one dash for two": (path, command, one) => [...path, `-${one(flagsOf(command)).long.slice(2)}`, "7"],
  "a flag ahead of the command": (path, command, one) => [one(flagsOf(command)).long, "7", ...path],
  "a flag with its value ahead of the command": (path, command, one) => [`${one(flagsOf(command)).long}=7`, ...path],
  "a short flag ahead of the command": (path, _, one) => [one(["-p", "-g", "-L", "-O"]), "7", ...path],
  "letters missing in a flag": (path, command, one) => [...path, one(flagsOf(command)).long.replace(/.$/, ""), "7"],
  "unquoted words": (path, _, one) => [...path, ...one(["a b c d", "GET /users x", "-m Say hello x"]).split(" ")],
  "verb and group the wrong way round": (path) => [...path].reverse(),
  "another program's verb": (path, _, one) => [...path.slice(0, -1), one(foreign), "x"],
  "another program's flag": (path, _, one) => [...path, one(foreignFlags), one(["json", "x", "5"])],
  "a secret in a flag that is not one": (path, _, one) => [...path, `${one(foreignFlags)}=${secret}`],
  "the version, or the help, somewhere": (path, _, one) => [...path, one(["-V", "--version", "-h", "--help", "-v"])],
};

async function outcome(argv: readonly string[]): Promise<UsageError | string> {
  try {
    return parse(await loadGroup(firstWord(argv) ?? "", argv), argv).kind;
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw new Error(`${JSON.stringify(argv)}: ${error instanceof Error ? error.stack : error}`);
  }
}

/** A name in a hint that is neither a command nor a flag here. */
function invented(hint: string, path: readonly string[]): string | undefined {
  const meant = /^did you mean (.*)\?$/s.exec(hint)?.[1];
  if (meant === undefined || ["help", "--help", "--version"].includes(meant)) return undefined;
  if (!meant.startsWith("-")) {
    const whole = [meant, ...path.map((_, depth) => [...path.slice(0, depth), meant].join(" "))];
    return whole.some((name) => [...paths].some((each) => each === name || each.startsWith(`${name} `)))
      ? undefined
      : meant;
  }
  const [flag = ""] = meant.split(" ");
  const known = all.flatMap(({ command }) => flagsOf(command).flatMap(({ long, short }) => [long, short]));
  return known.includes(flag) ? undefined : meant;
}

describe.each(Object.entries(mistakes))("%s", (name, mistake) => {
  test("is understood, or explained with what exists", async () => {
    const chance = random(20_240_611 + name.length);
    const one = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T;
    for (const { path, command } of all) {
      const argv = mistake(path, command, one);
      const found = await outcome(argv);
      if (typeof found === "string") continue;
      const { hint = "" } = found.details;
      expect(`${found.message} ${hint}`, argv.join(" ")).not.toContain(secret);
      expect([argv, invented(hint, path)]).toEqual([argv, undefined]);
    }
  });
});
