// What YAML 1.2 makes of a plain word, for messages about values of another type.

/** Words that earlier versions of YAML took for true and false. */
const switches = /^(?:yes|no|on|off|y|n)$/i;

/** `yes is a string: YAML 1.2 knows true and false`; undefined for other values, which may be secrets. */
export function switchWords(value: unknown): string | undefined {
  return typeof value === "string" && switches.test(value)
    ? `${value} is a string: YAML 1.2 knows true and false`
    : undefined;
}

/** Whether a text would be of the other type if it were written without quotes. */
export function isQuoted(type: "boolean" | "number", text: string): boolean {
  return type === "boolean" ? /^(?:true|false)$/i.test(text) : /^[+-]?\d+(?:\.\d+)?$/.test(text);
}
