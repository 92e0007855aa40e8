import { exportGroup } from "../../api/endpoints/groups.ts";
import type { Download } from "../../api/types.ts";
import type { Source } from "../../command/body.ts";
import { commandLine } from "../../command/line.ts";
import { waitFor } from "../../command/poll.ts";
import type { Context } from "../../context.ts";
import { Failure } from "../../errors.ts";
import { isOfContent, isOther, type Mark, markOf } from "./mark.ts";

interface Wish {
  group: string;
  /** `-O`, for the command to go on with. */
  output: string | undefined;
  limitSeconds: number;
}

/** An archive that is yet to be made. */
interface NewExport {
  /** Opened for the first time it looks what is there, schedules the export, and waits until there is another. */
  source: Source;
  /** A failure as it is; once the export is scheduled, with the command that goes on with it. */
  told(error: unknown): unknown;
}

export function newExport(context: Context, source: Source, wish: Wish): NewExport {
  let scheduled = false;
  let before: Mark | undefined;
  const resume = () => {
    const other = before === undefined ? [] : ["--other-than", before];
    const output = wish.output === undefined ? [] : ["-O", wish.output];
    return commandLine(["groups", "download", "-g", wish.group, ...other, ...output]);
  };
  const schedule = async () => {
    const present = await ifThere(source);
    before = present && (await markOf(present));
    await context.api.call(exportGroup, { group: wish.group });
    scheduled = true;
    context.notice("the export is scheduled; waiting for its archive");
  };
  return {
    source: {
      ...source,
      async open(range) {
        if (scheduled) return source.open(range);
        await schedule();
        return waitFor(context, {
          label: `exporting group ${wish.group}`,
          look: () => lookFor(source, before),
          resume: resume(),
          limitSeconds: wish.limitSeconds,
        });
      },
    },
    told(error) {
      if (!scheduled || !(error instanceof Failure)) return error;
      if (error.exit === "notReady" || error.code === "damaged_archive") return error;
      const hint = `the export is scheduled and goes on; its archive: forgectl ${resume()}`;
      return new Failure(error.exit, error.message, { ...error.details, hint });
    },
  };
}

/** The archive, once it is another than the one from before. */
async function lookFor(source: Source, before: Mark | undefined): Promise<{ done: Download } | undefined> {
  const answer = await ifThere(source);
  if (answer === undefined || before === undefined) return answer && { done: answer };
  if (!(await isOther(answer, before))) return undefined;
  return { done: isOfContent(before) ? await source.open() : answer };
}

/** 404 stands for an archive that is not there (`2-collaboration-identity-api: States and transitions`). */
async function ifThere(source: Source): Promise<Download | undefined> {
  try {
    return await source.open();
  } catch (error) {
    if (error instanceof Failure && error.exit === "notFound") return undefined;
    throw error;
  }
}
