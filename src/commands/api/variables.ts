import { type DeclaredShape, ofVariable } from "../../base/secrets.ts";
import { queryOf, queryTextsOf } from "./query.ts";

// CI/CD variables have no command, and are what `api` sets most: each has a `key` and a `value`, and the value is a
// secret. So it is with single headers and URL variables of webhooks. src/base/secrets.ts knows them in lists and in
// answers; in a request it is the path that tells.

/** Shorter values may be any word; from this length on, instances mask them in the logs of jobs. */
export const minMasked = 8;

/** The secret fields of what is sent to a path, if it is that of such a value, or of a list of them. */
export function secretFieldsAt(path: string): DeclaredShape | undefined {
  const [place = ""] = path.split("?", 1);
  return /(?:^|\/)(?:variables|url_variables|custom_headers)(?:\/[^/]+)?\/*$/.test(place) ? ofVariable : undefined;
}

/** Whether a parameter, `value` or `variables[][value]`, is the value of a variable. */
export function isValueOfVariable(path: string, key: string): boolean {
  return key === "value"
    ? secretFieldsAt(path) !== undefined
    : /^(?:\w+_)?variables(?:_attributes)?\[.*\[value\]$|^custom_headers\[.*\[value\]$/.test(key);
}

/** Of these parameters, and those in the path, the ones that are values of variables. */
export function valuesOfVariables(path: string, pairs: readonly string[]): string[] {
  const typed = [...pairs, ...queryTextsOf(path)];
  return typed.filter((pair) => isValueOfVariable(path, nameOf(pair)));
}

/** The name of a parameter; in a path its brackets may be encoded. */
function nameOf(pair: string): string {
  const [name = ""] = pair.split("=", 1);
  return Object.keys(queryOf(`?${name}`))[0] ?? name;
}
