import { changes } from "../api/endpoint.ts";
import { changesNeedAccessToken, jobTokenRefused } from "../api/job-token.ts";
import { UsageError } from "../base/errors.ts";
import { readOnlyRefusal } from "../config/guard.ts";
import type { Context } from "../context.ts";
import type { Command } from "../declare/command.ts";
import { isChanging } from "../declare/is-changing.ts";
import { notConfirmed } from "../verbs/confirm.ts";

interface Asked {
  command: Command;
  path: readonly string[];
  input: Readonly<Record<string, unknown>>;
}

/** Decides, before the first request of a command, whether it may change the instance. */
export type Admit = (asked: Asked) => Promise<void>;

/** The one place that decides. Commands inside `each` and `batch` pass it too; a name is asked for only once. */
export function admission({ config, prompt }: Pick<Context, "config" | "prompt">): Admit {
  let named: Promise<void> | undefined;
  return async ({ command, path, input }) => {
    const { guard, dryRun } = config;
    if (dryRun || !isChanging(command, input)) return;
    const what = `"${path.join(" ")}"`;
    if (guard.readOnly !== undefined) throw readOnlyRefusal(what, guard.readOnly);
    await refuseJobToken(command, config);
    if (guard.protectedBy.length === 0) return;
    named ??= requireName(what, guard.protectedBy, { config, prompt });
    await named;
  };
}

async function refuseJobToken({ requests, summary }: Command, config: Context["config"]): Promise<void> {
  const change = requests.find(changes);
  if (change === undefined || !changesNeedAccessToken(requests)) return;
  const credential = await config.usedJobCredential();
  if (credential === undefined) return;
  // Of two directions, the command knows its own.
  throw jobTokenRefused(change.directions === undefined ? change.summary : summary, credential.source);
}

async function requireName(
  what: string,
  names: readonly string[],
  { config, prompt }: Pick<Context, "config" | "prompt">,
): Promise<void> {
  const [name = ""] = names;
  const { yesFor } = config;
  if (yesFor !== undefined) {
    if (names.includes(yesFor)) return;
    throw new UsageError(`--yes=${yesFor}: the instance is protected by profile ${name}`, {
      code: "other_profile",
      nothing: "sent",
      hint: `add --yes=${name} if that is the instance to change`,
    });
  }
  if (!prompt.available) {
    throw new UsageError(`${what} changes something, and profile ${name} is protected`, {
      code: "confirmation_needed",
      nothing: "sent",
      hint: `add --yes=${name} to confirm, or --dry-run to see the requests; --yes alone is not enough`,
    });
  }
  const where = config.baseUrl?.value ?? "the instance";
  const typed = await prompt.text(`${name} (${where}) is protected, and ${what} changes it. Type ${name} to continue:`);
  if (typed.trim() !== name) throw notConfirmed();
}
