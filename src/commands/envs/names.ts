import type { Context } from "../../context.ts";
import { lookUp, type Named } from "../../verbs/lookup.ts";

/** A rule as typed, `12=user:dana.dixon+inherited=2`, with a name in place of an ID. */
const withName = /^(\d+=)?(user|group):(?!\d+(?:[+=]|$))([^+=]+)(.*)$/s;

/** Replaces the name in a rule as typed by its ID. */
export type Resolve = (text: string) => string;

/** For validating a rule before names are looked up: inserts an arbitrary ID. */
export const withPlaceholderIds: Resolve = (text) => text.replace(withName, "$1$2:1$4");

/** Looks up the names in rules as typed, each once. An unknown name is exit 3. */
export async function lookUpNames(context: Context, texts: readonly string[]): Promise<Resolve> {
  const ids = new Map<string, number>();
  for (const text of texts) {
    const [, , what, name] = withName.exec(text) ?? [];
    if (what === undefined || name === undefined || ids.has(`${what}:${name}`)) continue;
    ids.set(`${what}:${name}`, await lookUp(context, what as Named, name));
  }
  return (text) =>
    text.replace(withName, (_, rule: string | undefined, what: string, name: string, rest: string) => {
      return `${rule ?? ""}${what}:${ids.get(`${what}:${name}`)}${rest}`;
    });
}
