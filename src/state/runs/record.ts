import { UsageError } from "../../base/errors.ts";
import { hideInAddresses } from "../../base/secrets.ts";
import type { Context } from "../../context.ts";
import { readSource, utf8 } from "../../transfer/source.ts";
import { brokenLine } from "./chain.ts";
import { runIn } from "./recorded-runs.ts";
import type { Run } from "./runs.ts";

// A record is the journal of a run as a file of its own, which is read on any machine. It is believed for its content,
// not for its owner.

/**
 * Reads a record of this instance. A last line that is cut is dropped, and a record without its end has a warning; any
 * other damage is a UsageError.
 *
 * @returns undefined if the file is not a record, but something else
 */
export async function readRecord(context: Context, path: string): Promise<Run | undefined> {
  const name = hideInAddresses(path);
  const bytes = await readSource(context, path);
  const end = bytes.lastIndexOf(0x0a) + 1;
  const cut = new TextDecoder().decode(bytes.subarray(end));
  const text = utf8(bytes.subarray(0, end), name) + cut;
  const lines = text.split("\n");
  const isRecord = text.startsWith('{"run":') || lines.some((each) => /^\{.*"sum":"[0-9a-f]{64}"\}$/.test(each));
  if (!isRecord) return undefined;
  const damaged = (reason: string) =>
    new UsageError(`${name} is not a whole record: ${reason}`, {
      code: "damaged_record",
      hint: "take the file as the run wrote it, such as from the artifacts of its job",
    });
  const line = brokenLine(lines.slice(0, -1));
  if (line !== undefined) throw damaged(`line ${line} was altered, or does not follow the line before it`);
  const run = runIn(text);
  if (run === undefined) throw damaged("its first line is missing");
  if (run.damaged.length > 0) throw damaged(`this version cannot read line ${run.damaged[0]}`);
  refuseOther(context, name, run);
  // Cut between two lines, it is like that of a killed run.
  if (run.ended === null) {
    context.warn(`${name} has no end: its run was killed, or the file is cut; what it does not begin is left alone`);
  }
  return run;
}

/** Addresses and IDs of one instance mean something else on another. */
function refuseOther({ config }: Context, name: string, { instance }: Run): void {
  const here = config.baseUrl?.value;
  if (here === undefined || here === instance) return;
  throw new UsageError(`${name} is a record of ${instance}, not of ${here}`, {
    code: "other_instance",
    hint: "choose the instance with --profile or --base-url",
  });
}
