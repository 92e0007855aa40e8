import type { StateFields } from "../kind.ts";

export function readOnly(...names: string[]): StateFields {
  return Object.fromEntries(names.map((name) => [name, { form: "json", readOnly: true } as const]));
}
