import type { Download } from "../../api/api.ts";
import { exportGroup } from "../../api/endpoints/groups.ts";
import { Failure, undefinedOn } from "../../base/errors.ts";
import { commandLine } from "../../base/shell-words.ts";
import type { Context } from "../../context.ts";
import type { Source } from "../../transfer/body.ts";
import { waitFor } from "../../verbs/poll.ts";
import { isOfContent, isOther, type Mark, markOf } from "./mark.ts";

interface ExportOptions {
  group: string;
  /** `-O`, for the command to resume with. */
  output: string | undefined;
  limitSeconds: number;
}

/** An archive that does not exist yet. */
interface NewExport {
  /** On the first open, records the current archive's mark, schedules the export, and waits for a new archive. */
  source: Source;
  /** The failure; once the export is scheduled, with the command that resumes it. */
  explain(error: unknown): unknown;
}

export function newExport(context: Context, source: Source, options: ExportOptions): NewExport {
  let scheduled = false;
  let before: Mark | undefined;
  const resume = () => {
    const other = before === undefined ? [] : ["--other-than", before];
    return commandLine(["groups", "download", "-g", options.group, ...other, ...outputOf(options)]);
  };
  const schedule = async () => {
    // A temporary error is waited through here too: without the mark, the old archive could pass for the new one.
    before = await waitFor(context, {
      label: `reading the last export of group ${options.group}`,
      check: async () => {
        const present = await ifExists(source);
        return { done: present && (await markOf(present)) };
      },
      resume: commandLine(["groups", "export", "-g", options.group, ...waitOf(options)]),
      limitSeconds: options.limitSeconds,
    });
    await context.api.call(exportGroup, { group: options.group });
    scheduled = true;
    context.notice("the export is scheduled; waiting for its archive");
  };
  return {
    source: {
      ...source,
      async open(range) {
        if (scheduled) return source.open(range);
        await schedule();
        const throttle = throttled(context);
        return waitFor(context, {
          label: `exporting group ${options.group}`,
          check: () => throttle(() => newArchive(source, before)),
          resume: resume(),
          limitSeconds: options.limitSeconds,
        });
      },
    },
    explain(error) {
      if (!scheduled || !(error instanceof Failure)) return error;
      if (error.exit === "notReady" || error.code === "damaged_archive") return error;
      const hint = `the export is scheduled and continues; its archive: forgectl ${resume()}`;
      return error.with({ hint });
    },
  };
}

function outputOf({ output }: ExportOptions): string[] {
  return output === undefined ? [] : ["-O", output];
}

/** `-O` waits too. */
function waitOf(options: ExportOptions): string[] {
  return options.output === undefined ? ["--wait"] : outputOf(options);
}

/** Real instances allow one download per minute (difference `group-export-once-a-minute`). */
const limitedPauseMs = 61_000;
/** An answer that took this long followed a 429 and its wait. */
const waitedMs = 30_000;

/** Runs each check at once until the instance's rate limit applies; from then on, one every 61 seconds. */
function throttled(context: Context) {
  const now = () => context.elapsedMs();
  let next = 0;
  return async <T>(check: () => Promise<T>): Promise<T> => {
    if (next > now()) await context.sleep(next - now());
    const start = now();
    let limited = next > 0;
    try {
      return await check();
    } catch (error) {
      limited ||= error instanceof Failure && error.exit === "rateLimited";
      throw error;
    } finally {
      if (limited || now() - start > waitedMs) next = now() + limitedPauseMs;
    }
  };
}

/** The archive, once it differs from the previous one. */
async function newArchive(source: Source, before: Mark | undefined): Promise<{ done: Download } | undefined> {
  const answer = await ifExists(source);
  if (answer === undefined || before === undefined) return answer && { done: answer };
  if (!(await isOther(answer, before))) return undefined;
  return { done: isOfContent(before) ? await source.open() : answer };
}

/**
 * 404 means that there is no archive (`2-collaboration-identity-api: States and transitions`), and so does an answer
 * that is not a file: the export is accepted (202), or there is nothing (204).
 */
async function ifExists(source: Source): Promise<Download | undefined> {
  try {
    return await source.open();
  } catch (error) {
    if (error instanceof Failure && (error.details.status === 202 || error.details.status === 204)) return undefined;
    return undefinedOn("notFound")(error);
  }
}
