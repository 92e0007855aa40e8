import { updateSettings } from "../../api/endpoints/settings.ts";
import { Failure, reasonIn } from "../../base/errors.ts";
import { commandLine } from "../../base/shell-words.ts";
import type { Context } from "../../context.ts";
import { presentSettings } from "./present.ts";
import { notApplied } from "./write-check.ts";

type Values = Readonly<Record<string, unknown>>;

/** What a refusal left on the instance. */
interface Left {
  readonly failure: Failure;
  readonly now: Values;
}

/**
 * For a change that was refused: some settings an instance stores before it looks at the others (`storedFirst`),
 * and does not take back. Undefined if nothing of the change is there.
 */
export async function leftBy(
  context: Context,
  error: unknown,
  values: Values,
  current: Values,
): Promise<Left | undefined> {
  if (!(error instanceof Failure) || (error.details.status !== 400 && error.details.status !== 422)) return undefined;
  const first = updateSettings.storedFirst.filter((name) => Object.hasOwn(values, name));
  const sent = Object.fromEntries(first.map((name) => [name, values[name]]));
  const changed = Object.keys(notApplied(sent, current));
  if (changed.length === 0) return undefined;
  const now = (await presentSettings(context).catch(() => undefined))?.current;
  const left = now === undefined ? [] : Object.keys(notApplied(sent, now));
  const stored = changed.filter((name) => !left.includes(name));
  if (now === undefined || stored.length === 0) return undefined;
  const names = stored.join(", ");
  const failure = new Failure("partial", `the instance stored ${names}, and refused the rest`, {
    code: "altered",
    reason: reasonIn(error),
    ...(error.details.fields !== undefined && { fields: error.details.fields }),
    outcome: "altered",
    retryable: false,
    hint: `forgectl ${commandLine(["settings", "get", ...stored])}`,
  });
  return { failure, now };
}
