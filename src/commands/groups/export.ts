import { downloadGroupExport, exportGroup } from "../../api/endpoints/groups.ts";
import { group } from "../../api/endpoints/scope.ts";
import { boolean, bytes, entity, nullable, oneOf, required, string, uncut } from "../../api/field.ts";
import { UsageError } from "../../base/errors.ts";
import { commandLine } from "../../base/shell-words.ts";
import { isStdout } from "../../base/special-file.ts";
import { outcomeTones } from "../../base/tone.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import type { View } from "../../terminal/view.ts";
import type { Source } from "../../transfer/body.ts";
import { deliver, outputFlag, save } from "../../transfer/download.ts";
import { checkTarget } from "../../transfer/target.ts";
import { waitTimeout } from "../../verbs/poll.ts";
import { archiveOf } from "./archive.ts";
import { newExport } from "./new-export.ts";

const Exported = entity("GroupExport", {
  group: string("Group, as typed"),
  status: oneOf(["scheduled", "ready", "saved"], "Progress of the export", { tones: outcomeTones }),
  file: uncut("Where the archive is saved"),
  size: nullable(bytes("Size of the archive, if the instance reports it")),
});

const defaultWait = 3600;

export const exportCommand = command({
  name: "export",
  summary: exportGroup.summary,
  details:
    "The archive contains the group's milestones, boards, labels, badges, members, wikis (Premium, Ultimate), and subgroups, " +
    "but no projects. " +
    "--wait waits until it can be downloaded; -O then saves it, verified to be a readable gzip tar. " +
    "An archive from an earlier export is never mistaken for the new one, but that of " +
    "another export that is still running may be, on releases that keep one archive for all users.",
  params: {
    group: required(group),
    wait: boolean("Wait until the archive can be downloaded"),
    output: outputFlag("not saved"),
    wait_timeout: waitTimeout(defaultWait),
  },
  requests: [exportGroup, downloadGroupExport],
  returns: Exported,
  prints: "record",
  examples: [
    { line: "groups export -g acme -O acme.tar.gz", note: "export, wait, and save" },
    { line: "groups export -g acme --wait", note: "only until it can be downloaded" },
    { line: "groups export -g acme" },
  ],
  related: ["groups download", "groups import"],
  async run(context, { group, wait = false, output, wait_timeout }) {
    const waits = wait || output !== undefined;
    if (wait_timeout !== undefined && !waits) throw new UsageError("--wait-timeout needs --wait or -O");
    const archive = archiveOf(context, group);
    if (output !== undefined && !isStdout(output)) await checkTarget(context, { ...archive, output });
    if (!waits || context.config.dryRun) return schedule(context, group);
    const limitSeconds = wait_timeout ?? defaultWait;
    const { source, explain } = newExport(context, archive.source, { group, output, limitSeconds });
    try {
      if (isStdout(output)) return await deliver(context, { ...archive, source, output });
      if (output !== undefined) {
        const { file, size } = await save(context, { ...archive, source, output });
        return { record: { group, status: "saved", file, size } };
      }
      return { record: { group, status: "ready", size: await sizeOf(source) } };
    } catch (error) {
      throw explain(error);
    }
  },
});

async function schedule(context: Context, group: string): Promise<View> {
  await context.api.call(exportGroup, { group });
  const message =
    "the export is scheduled; until it is complete, the archive is missing or that of an earlier export: " +
    `forgectl ${commandLine(["groups", "download", "-g", group])}`;
  return { record: { group, status: "scheduled" }, message };
}

async function sizeOf(source: Source): Promise<number | null> {
  const { headers, discard } = await source.open();
  await discard();
  const length = headers["content-length"];
  return length === undefined ? null : Number(length);
}
