import { UsageError } from "../../base/errors.ts";
import { isTypedId } from "../../base/group-paths.ts";

// What of a request is typed: words that others may see, and IDs, which are something else on another instance.

interface Typed {
  raw_field?: string[] | undefined;
  field?: string[] | undefined;
}

/** The parameters whose values are words of the command line. */
export function typedPairsOf({ raw_field: raw = [], field = [] }: Typed): string[] {
  return [...raw, ...field.filter((pair) => !/^[^=]*=@/.test(pair))];
}

/** The IDs in the path, and in parameters whose names say that they are one. */
export function typedIds(input: Readonly<Record<string, unknown>>): string[] {
  const path = String(input.path);
  const query = [...new URLSearchParams(path.replace(/^[^?]*\??/, ""))];
  const ofObjects = [...query, ...typedPairsOf(input).map(splitPair)].filter(
    ([key, value]) => isForId(key) && value.split(",").some(isTypedId),
  );
  // The last one may end in the form of the answer, but for the name of a file.
  const [place = ""] = path.split("?", 1);
  const steps = place
    .replace(/\.json(?<!\/files\/\d*\.json)$/, "")
    .split("/")
    .map(decoded);
  return [...steps.filter(isTypedId), ...ofObjects.map((pair) => pair.join("="))];
}

/** Such as `user_ids[0]`; the `namespace` of a transfer takes an ID or a path. */
function isForId(key: string): boolean {
  const name = namesIn(key).findLast((each) => !/^\d+$/.test(each)) ?? "";
  return name === "namespace" || /^(?:.*_)?ids?$/.test(name);
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** The innermost name of a parameter: `b` of `a[b][]`. */
export function lastName(key: string): string {
  return namesIn(key).at(-1) ?? key;
}

function namesIn(key: string): string[] {
  return key.match(/[^[\]]+/g) ?? [];
}

export function splitPair(text: string): [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw new UsageError(`-f, -F: must be key=value, not "${text}"`);
  return [text.slice(0, at), text.slice(at + 1)];
}
