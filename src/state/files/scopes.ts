import { isId } from "../../base/group-paths.ts";
import type { Block } from "../block.ts";
import { at, originOf, type Spot } from "../fields/spot.ts";
import { describe } from "../fields/value-words.ts";
import { sectionName } from "../keys.ts";
import type { At, Scope, Section } from "../kind.ts";
import { findKind, kindsAt } from "../kinds/index.ts";
import { exactly, isPattern, overlap, type Pattern, readPattern } from "../pattern.ts";
import type { Mapping, Tree } from "../yaml/tree.ts";
import { readSection } from "./section.ts";

type Add = (section: Section) => void;
/** What a file declares by name. */
type Of = Exclude<At, "instance">;

/** Reads what a file declares of groups or of projects; problems are reported. */
export function readScopes(top: Mapping, of: Of, spot: Spot, add: Add): void {
  const key = `${of}s`;
  const entry = top.entries.get(key);
  if (entry === undefined) return;
  const here = at(spot, key);
  if (entry.value.kind !== "mapping") {
    here.findings.error(originOf(here, entry), key, `must be a mapping of ${of}s, not ${describe(entry.value)}`);
    return;
  }
  for (const [name, { line, value }] of entry.value.entries) {
    const place = at(here, name);
    const pattern = isPattern(name) ? readPattern(name) : undefined;
    const problem = pattern === undefined ? nameProblem(of, name) : "problem" in pattern ? pattern.problem : undefined;
    if (problem !== undefined) {
      place.findings.error({ file: spot.file, line }, place.path, problem);
      continue;
    }
    if (value.kind !== "mapping") {
      const hint = `leave the ${of} out, or write its sections`;
      const message = `must be a mapping of sections, not ${describe(value)}`;
      here.findings.error({ file: spot.file, line }, place.path, message, hint);
      continue;
    }
    const scope: Scope = { at: of, name: ownCopy(name) };
    if (pattern === undefined || "problem" in pattern) {
      readSections(value, scope, place, add);
      continue;
    }
    const under = { ...place, pattern: scope.name };
    const block = readBlock(value, { at: of, pattern: { ...pattern, text: scope.name }, line }, under);
    readSections(value, scope, under, (section) => add({ ...section, block }));
  }
}

/** A pattern with its exceptions. */
function readBlock(
  { entries }: Mapping,
  { at: of, pattern, line }: { at: Of; pattern: Pattern; line: number },
  spot: Spot,
): Block {
  const origin = originOf(spot, { line });
  const given = entries.get("except");
  if (given === undefined) return { at: of, pattern, except: [], origin };
  const place = at(spot, "except");
  const { value } = given;
  if (value.kind !== "sequence") {
    const hint = 'write except: ["acme/lab/**"]';
    spot.findings.error(originOf(spot, given), place.path, `must be a list of paths and patterns`, hint);
    return { at: of, pattern, except: [], origin };
  }
  const except = value.items.flatMap((item, index) => {
    const read = readException(item, of);
    const itemOrigin = originOf(spot, item);
    const problem =
      "problem" in read
        ? read.problem
        : overlap(read, pattern)
          ? undefined
          : `can leave nothing out of ${pattern.text}`;
    if (problem === undefined && !("problem" in read)) return [{ pattern: read, origin: itemOrigin }];
    spot.findings.error(itemOrigin, at(place, index).path, problem ?? "");
    return [];
  });
  return { at: of, pattern, except, origin };
}

function readException(item: Tree, of: Of): Pattern | { problem: string } {
  if (item.kind !== "scalar" || typeof item.value !== "string")
    return { problem: `must be a path, not ${describe(item)}` };
  const name = ownCopy(item.value);
  if (isPattern(name)) return readPattern(name);
  const problem = isId(name) ? "must be a path, not an ID" : nameProblem(of, name);
  return problem === undefined ? exactly(name) : { problem };
}

/** Why a name is neither an ID nor a path. */
function nameProblem(of: Of, name: string): string | undefined {
  if (/^[1-9]\d{0,15}$/.test(name)) return undefined;
  const parts = name.split("/");
  const isPath = parts.every((part) => /^[\w.][\w.-]*$/.test(part) && !/^\.+$/.test(part));
  if (isPath && (of === "group" || parts.length > 1)) return undefined;
  return `is neither the ID nor the full path of a ${of}`;
}

/** The same text, without keeping the whole file in memory that it is a slice of. */
export function ownCopy(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}

function readSections(tree: Mapping, scope: Scope, spot: Spot, add: Add): void {
  const offered = kindsAt(scope.at).filter((kind) => kind.within === undefined);
  for (const [key, { line, value }] of tree.entries) {
    const here = at(spot, key);
    const kind = offered.find((each) => sectionName(each) === key);
    if (kind !== undefined) readSection(value, kind, scope, here, add);
    else if (key !== "except") unknownSection(key, scope, here, line);
    else if (spot.pattern === undefined) {
      spot.findings.error({ file: spot.file, line }, here.path, "only a pattern has exceptions", "leave it out");
    }
  }
}

function unknownSection(key: string, scope: Scope, here: Spot, line: number): void {
  const offered = kindsAt(scope.at).filter((kind) => kind.within === undefined);
  const names = offered.map(sectionName);
  const within = findKind(key)?.within;
  const near = here.findings.guess(key, names);
  const hint =
    key === "keep"
      ? "keep holds for all scopes: write it at the top of the file"
      : within !== undefined
        ? `write it inside ${within}`
        : near === undefined
          ? `a ${scope.at} has ${names.join(", ")}`
          : `did you mean ${near}?`;
  here.findings.error({ file: here.file, line }, here.path, "is not allowed here", hint);
}
