import type { Field } from "../api/field.ts";
import { type Asked, lookups } from "./lookups.ts";
import { type Completions, matching, nothing, type Offer, withPrefix } from "./words.ts";

export interface Typed extends Omit<Asked, "before"> {
  /** The preceding arguments. */
  earlier?: readonly string[];
}

/** The completions of a flag or an argument, by its field. */
export async function completeValue(field: Field, asked: Typed): Promise<Completions> {
  const { typed, earlier = [] } = asked;
  const commas = field.commas ?? field.item?.commas ?? false;
  const start = commas ? typed.lastIndexOf(",") + 1 : 0;
  const before = typed.slice(0, start).split(",").slice(0, -1);
  const item = typed.slice(start);
  const found = await itemOf(field, { ...asked, typed: item, before });
  // Values that are already in the list, or given by an earlier argument, are not offered again.
  const taken = new Set([...before, ...(field.kind === "array" ? earlier : [])].map(nameIn));
  const left = found.offers.filter(([word]) => !taken.has(nameIn(word)));
  return withPrefix(typed.slice(0, start), { ...found, offers: matching(left, item) });
}

/** The name in an item of a list such as `-push` or `name=value`. */
function nameIn(word: string): string {
  return word.replace(/^-|=.*$/gs, "");
}

function itemOf(field: Field, asked: Asked): Completions | Promise<Completions> {
  const item = field.item ?? field;
  const completes = field.completes ?? item.completes;
  if (completes !== undefined) return lookups[completes](asked);
  if (item.kind === "file") return { offers: [], own: "file" };
  const offers = [...new Map([field, item].flatMap(fixedOffers))];
  return offers.length === 0 ? nothing : { offers };
}

function fixedOffers({ kind, values = [], codes, suggests = [] }: Field): Offer[] {
  const known = kind === "boolean" ? ["true", "false"] : [...values, ...suggests];
  return known.map((word) => [word, codes?.[word] === undefined ? "" : String(codes[word])]);
}
