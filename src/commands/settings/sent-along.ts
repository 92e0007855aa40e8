import { Failure } from "../../base/errors.ts";
import { commandLine } from "../../base/shell-words.ts";
import type { Context } from "../../context.ts";
import { sentAlong } from "../../settings/dependencies.ts";
import { type Present, presentSettings } from "./present.ts";

type Values = Readonly<Record<string, unknown>>;

export interface Sent {
  /** The values, and those that must be sent with them. */
  readonly sent: Values;
  /** Throws if another has changed what is sent along. */
  afterWait(): Promise<void>;
}

/** Instances require some settings in the same request, so the current values of required ones are sent too. */
export function withRequired(context: Context, values: Values, { current, unsure }: Present): Sent {
  const others = sentAlong({ values, current });
  const names = Object.keys(others);
  if (names.length === 0) return { sent: values, afterWait: async () => undefined };
  const open = names.filter((name) => unsure.includes(name));
  if (open.length > 0) throw stale(open, "may have been changed a moment ago");
  context.notice(`sent along as they were read, since they are required: ${names.join(", ")}`);
  const afterWait = async () => {
    const now = await presentSettings(context);
    const changed = names.filter((name) => now.unsure.includes(name) || !isSame(name, current, now.current));
    if (changed.length > 0) throw stale(changed, "changed while the request had to wait");
  };
  return { sent: { ...values, ...others }, afterWait };
}

function stale(names: readonly string[], how: string): Failure {
  return new Failure("conflict", `${names.join(", ")} must be sent along, and ${how}`, {
    code: "stale",
    nothing: "sent",
    hint: `name it too, or wait for a minute: forgectl ${commandLine(["settings", "get", ...names])}`,
  });
}

/** Whether a setting is as it was before. */
export function isSame(name: string, before: Values, after: Values): boolean {
  return JSON.stringify(before[name] ?? null) === JSON.stringify(after[name] ?? null);
}
