import { globOf } from "../../base/glob.ts";
import { Globs } from "../../base/globs.ts";
import type { Severity } from "../../settings/hardening.ts";
import { areaOf } from "./rules.ts";

/** An accepted finding, and until when. */
export interface Exemption {
  readonly reason: string;
  /** The last day, `YYYY-MM-DD`. */
  readonly until: string;
}

/** What a baseline file says about a rule, everywhere or where the glob matches. */
export interface Entry {
  /** A rule's ID, or `<area>.*`. */
  readonly rule: string;
  readonly where: string | undefined;
  readonly severity: Severity | undefined;
  readonly exempt: Exemption | undefined;
}

/** What the entries say about one rule at one place; the last one that says something counts. */
export interface Amendment {
  readonly severity: Severity | undefined;
  readonly exempt: Exemption | undefined;
}

/**
 * @param today `YYYY-MM-DD`; an exemption counts up to and including its last day
 * @returns the entries for a rule, where the glob matches one of the given names of a place
 */
export function amender(entries: readonly Entry[], today: string) {
  const severityOf = lastSaid(entries, ({ severity }) => severity);
  const exemptOf = lastSaid(entries, ({ exempt }) =>
    exempt !== undefined && exempt.until >= today ? exempt : undefined,
  );
  return (rule: string, places: readonly string[]): Amendment => ({
    severity: severityOf(rule, places),
    exempt: exemptOf(rule, places),
  });
}

/** More places than the rules of one object have. */
const maxRemembered = 1000;

/** What the last of the entries for a rule and a place says. Files have many entries, instances many places. */
export function lastSaid<T>(entries: readonly Entry[], of: (entry: Entry) => T | undefined) {
  interface Said {
    readonly order: number;
    readonly value: T;
    readonly fits: (place: string) => boolean;
  }
  const byRule = new Map<string, Map<string, Said>>();
  for (const [order, entry] of entries.entries()) {
    const value = of(entry);
    if (value === undefined) continue;
    const { rule, where = "**" } = entry;
    const glob = comparedGlob(where);
    const held = byRule.get(rule) ?? new Map<string, Said>();
    byRule.set(rule, held.set(glob, { order, value, fits: partsTest(glob) }));
  }
  const globs = new Map([...byRule].map(([rule, held]) => [rule, new Globs(held)]));
  const last = (said: readonly (Said | undefined)[]) =>
    said
      .filter((each) => each !== undefined)
      .reduce<Said | undefined>((a, b) => (a && a.order > b.order ? a : b), undefined);
  // The rules of one object follow each other, and ask for the same places.
  const remembered = new Map<string, Said | undefined>();
  const saidOf = (id: string, written: string): Said | undefined => {
    const fitting = globs.get(id);
    if (fitting === undefined) return undefined;
    const key = `${id}\n${written}`;
    if (remembered.has(key)) return remembered.get(key);
    const place = comparedPlace(written);
    const said = last(fitting.matching(place).filter(({ fits }) => fits(place)));
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(key, said);
    return said;
  };
  return (rule: string, places: readonly string[]): T | undefined => {
    const ids = [rule, `${areaOf(rule)}.*`];
    return last(ids.flatMap((id) => places.map((place) => saidOf(id, place))))?.value;
  };
}

/** Follows the path of a project, which has no space. */
const environmentMark = " env";

/** Begins the place of a user, who may be called `env`. */
const userMark = "user ";

// The name of an environment is free text, with slashes and spaces, that who is audited chooses: `acme/*/sandbox` is no
// glob of `acme/docs env live/sandbox`. Its case counts; that of paths and usernames does not.

/** A glob of places in the case in which it is compared. */
export function comparedGlob(glob: string): string {
  return glob.startsWith(userMark) ? glob.toLowerCase() : lowerBefore(glob, glob.indexOf(environmentMark));
}

function comparedPlace(place: string): string {
  return lowerBefore(place, place.indexOf(`${environmentMark} `));
}

function lowerBefore(text: string, at: number): string {
  return at === -1 ? text.toLowerCase() : text.slice(0, at).toLowerCase() + text.slice(at);
}

/** Whether a glob that matches a place matches its project and its environment, each with its own part. */
function partsTest(glob: string): (place: string) => boolean {
  const cut = glob.indexOf(environmentMark);
  if (cut === -1) return (place) => !place.includes(`${environmentMark} `);
  const [project, name] = [globOf(glob.slice(0, cut)), globOf(glob.slice(cut))];
  return (place) => {
    const at = place.indexOf(`${environmentMark} `);
    return at === -1 || (project(place.slice(0, at)) && name(place.slice(at)));
  };
}
