import { kindOf, suffix } from "./event-kinds.ts";

type Hook = Readonly<Record<string, unknown>>;

/** Attributes that a flag restores, by the flag's name in an undo line. */
const attributes = {
  name: "name",
  description: "description",
  branch_filter: "push_events_branch_filter",
  branch_filter_strategy: "branch_filter_strategy",
  ssl: "enable_ssl_verification",
} as const;

/** The flags of `hooks update` that restore what a change has altered; undefined if it altered nothing. */
export function flagsBack(before: object, result: unknown): object | undefined {
  const [old, now] = [before as Hook, result as Hook];
  const altered = Object.entries(attributes).filter(([, name]) => (old[name] ?? "") !== (now[name] ?? ""));
  const flags = altered.map(([flag, name]) => [flag, old[name] ?? ""]);
  const kinds = Object.keys(old).filter(
    (name) => name.endsWith(suffix) && (old[name] ?? false) !== (now[name] ?? false),
  );
  const events = kinds.map((name) => `${old[name] === true ? "" : "-"}${kindOf(name)}`).join(",");
  if (flags.length === 0 && events === "") return undefined;
  return { ...Object.fromEntries(flags), ...(events !== "" && { events }) };
}
