import { listedUid, reachable } from "../../api/endpoints/identity.ts";
import { UsageError } from "../../base/errors.ts";
import { counted } from "../../base/wording.ts";
import { csvLine, readCsv } from "./csv.ts";

/** A line of a map: the identity with the UID `old` gets the UID `new`. */
export interface Pair {
  readonly old: string;
  readonly new: string;
  /** `users.csv:12`. */
  readonly place: string;
}

/** The problems with a map, by place. */
export class Findings {
  readonly #byPlace = new Map<string, string[]>();
  /** What may be the cause of all of them. */
  hint: string | undefined;

  add(place: string, problem: string): void {
    const problems = this.#byPlace.get(place);
    if (problems === undefined) this.#byPlace.set(place, [problem]);
    else problems.push(problem);
  }

  get any(): boolean {
    return this.#byPlace.size > 0;
  }

  /** All of them as one UsageError. */
  error(): UsageError {
    const all = [...this.#byPlace].flatMap(([place, problems]) => problems.map((problem) => `${place}: ${problem}`));
    const [first = ""] = all;
    return new UsageError(all.length === 1 ? first : `${all.length} problems with the map`, {
      code: "invalid_map",
      nothing: "changed",
      ...(this.hint !== undefined && { hint: this.hint }),
      ...(all.length > 1 && { fields: Object.fromEntries(this.#byPlace) }),
    });
  }
}

/** An instance ignores case when it checks whether a new UID is taken. */
export const fold = (uid: string) => uid.toLowerCase();

/**
 * The pairs of a map: CSV of two cells per line, with or without a header `old,new`. Lines that are not pairs, and
 * those given twice, are recorded in `findings`.
 */
export function readMap(text: string, source: string, findings: Findings): Pair[] {
  const pairs: Pair[] = [];
  const firstOf = { old: new Map<string, string>(), new: new Map<string, string>() };
  const once = (side: "old" | "new", key: string, pair: Pair) => {
    const first = firstOf[side].get(key);
    if (first === undefined) firstOf[side].set(key, pair.place);
    else findings.add(pair.place, `the ${side} UID ${pair[side]} is already in ${first}`);
  };
  let isFirst = true;
  for (const { line, cells, problem } of readCsv(text, separatorOf(text))) {
    const isHeader = isFirst && cells.join().toLowerCase() === "old,new";
    isFirst = false;
    if (isHeader) continue;
    const place = `${source}:${line}`;
    const found = problem ?? problemOf(cells);
    if (found !== undefined) {
      findings.add(place, found);
      continue;
    }
    const [old = "", wanted = ""] = cells;
    const pair = { old, new: wanted, place };
    once("old", old, pair);
    once("new", fold(wanted), pair);
    pairs.push(pair);
  }
  if (pairs.length === 0 && !findings.any) throw new UsageError(`${source} contains no pair`, { hint: form });
  return pairs;
}

/** Semicolons, if the first line has no second cell otherwise: spreadsheets write them in many languages. */
function separatorOf(text: string): "," | ";" {
  for (const { cells } of readCsv(text, ";")) {
    const [first = ""] = cells;
    return cells.length === 2 && !first.includes(",") ? ";" : ",";
  }
  return ",";
}

const form = "write one pair per line: old,new";

function problemOf(cells: readonly string[]): string | undefined {
  if (cells.length !== 2) return `${counted(cells.length, "cell")} where two are needed: old,new`;
  const [old = "", wanted = ""] = cells;
  if (old === "") return "the old UID is empty";
  if (wanted.trim() === "") return "the new UID is empty";
  for (const [side, uid] of [
    ["old", old],
    ["new", wanted],
  ] as const) {
    if (!reachable.test.test(uid)) return `the ${side} UID must be ${reachable.words}, not "${uid}"`;
  }
  return listedUid.pattern.test.test(wanted) ? undefined : `the new UID must be ${listedUid.pattern.words}`;
}

/** The map that undoes a map. */
export function reverseMap(pairs: readonly Pair[]): string {
  return ["old,new\n", ...pairs.map((pair) => csvLine([pair.new, pair.old]))].join("");
}
