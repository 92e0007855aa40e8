import { writableRule } from "../fields/normal.ts";
import { isGiven, namesItsId } from "../keys.ts";
import { fieldOf, type Kind, type Values } from "../kind.ts";

/**
 * The values of an earlier object that requests can contain: no header keys, or fields set by the instance. For null
 * they have the value of a field that is left out: a switch is off, a text is empty.
 */
export function writableValues(kind: Kind, values: Values): Values {
  if (kind.at === "instance") return values;
  // What has an ID is found by it, whatever its name is.
  const identifying = namesItsId(kind, values) ? [] : [...kind.keys.flat(), kind.tie];
  const entries = Object.entries(values).flatMap(([name, held]): [string, unknown][] => {
    const field = fieldOf(kind, name);
    const isText = field.form === "text" && field.values === undefined && !identifying.includes(name);
    const value = held ?? field.absent ?? (isText ? "" : held);
    const isNone = field.nullable === true && value === null;
    if ((!isGiven(value) && !isText && !isNone) || field.readOnly || field.form === "keys") return [];
    if (field.form !== "rules" || !Array.isArray(value)) return [[name, value]];
    return [[name, value.map((rule) => writableRule(field, rule as Values))]];
  });
  return Object.fromEntries(entries);
}
