import { getSettings } from "../../api/endpoints/settings.ts";
import { FileError, reasonIn, UsageError } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { settingsKind } from "../../state/kinds/settings.ts";
import { recallWrites, recentIn } from "../../state/runs/recent-writes.ts";

export interface Present {
  /** What the instance shows, and what this machine wrote where that is of before: reads are cached. */
  readonly current: Readonly<Record<string, unknown>>;
  /** Settings that this machine may have changed a moment ago. */
  readonly unsure: readonly string[];
  /** These, and settings that this machine has changed a moment ago. */
  readonly recent: readonly string[];
}

/**
 * The settings as they are, as far as that is known.
 *
 * @param api what reads them
 */
export async function presentSettings(context: Context, api = context.api): Promise<Present> {
  const shown: Present["current"] = await api.call(getSettings, {});
  const recalled = await recallWrites(context, settingsKind, { values: shown }).catch((error: unknown) => {
    if (!(error instanceof FileError || error instanceof UsageError)) throw error;
    context.warn(
      `what this machine changed a moment ago cannot be looked up (${reasonIn(error)}): the instance may still show ` +
        "what was there before, and what is sent along may set it back",
    );
    return undefined;
  });
  if (recalled === undefined) return { current: shown, unsure: [], recent: [] };
  return { current: recalled.live.values, unsure: recalled.unsure, recent: recentIn(recalled) };
}
