import { updateSettings } from "../../api/endpoints/settings.ts";
import { Failure, reasonIn } from "../../base/errors.ts";
import { commandLine } from "../../base/shell-words.ts";
import type { Context } from "../../context.ts";
import { presentSettings } from "./present.ts";
import { notApplied } from "./write-check.ts";

type Values = Readonly<Record<string, unknown>>;

/** What a refusal left on the instance, or may have left. */
interface Left {
  readonly failure: Failure;
  readonly sent: Values;
  /** The settings as they are shown; null if they do not show it: a read may be of a copy from before. */
  readonly now: Values | null;
}

/**
 * For a change that was refused: some settings an instance stores before it looks at the others (`storedFirst`),
 * and does not take back. Undefined if none of these was to be changed.
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
  const left = now === undefined ? changed : Object.keys(notApplied(sent, now));
  const stored = changed.filter((name) => !left.includes(name));
  if (now === undefined || stored.length === 0) {
    const failure = error.with({
      outcome: "unknown",
      outcomeText: `nothing else was changed, but ${changed.join(", ")} may have been stored`,
      retryable: false,
      hint: `check in a minute: forgectl ${commandLine(["settings", "get", ...changed])}`,
    });
    return { failure, sent, now: null };
  }
  const names = stored.join(", ");
  const failure = new Failure("partial", `the instance stored ${names}, and refused the rest`, {
    code: "altered",
    reason: reasonIn(error),
    ...(error.details.fields !== undefined && { fields: error.details.fields }),
    outcome: "altered",
    retryable: false,
    hint: `forgectl ${commandLine(["settings", "get", ...stored])}`,
  });
  return { failure, sent, now };
}
