import { downloadGroupExport } from "../../api/endpoints/groups.ts";
import { group } from "../../api/endpoints/scope.ts";
import { required, string } from "../../api/field.ts";
import { Failure } from "../../base/errors.ts";
import { command } from "../../declare/command.ts";
import type { Source } from "../../transfer/body.ts";
import { deliver, SavedFile, targetFlags } from "../../transfer/download.ts";
import { archiveOf } from "./archive.ts";
import { isOfContent, isOther, type Mark, markPattern } from "./mark.ts";

export const download = command({
  name: "download",
  summary: downloadGroupExport.summary,
  details:
    "The archive of the latest complete export, which may be old: groups export --wait creates a new one. Newer releases " +
    "keep one for each user: there it is that of your own latest export. It " +
    "is verified to be a readable gzip tar before it is saved, except on stdout.",
  params: {
    group: required(group),
    ...targetFlags("<group>-export.tar.gz"),
    other_than: string("Refuse the archive with this mark: exit 8 until a newer one exists", {
      placeholder: "mark",
      pattern: markPattern,
    }),
  },
  requests: [downloadGroupExport],
  returns: SavedFile,
  prints: "record",
  examples: [
    { line: "groups download -g acme" },
    { line: "groups download -g acme -O - | tar -tz", note: "list its content" },
  ],
  related: ["groups export", "groups import"],
  async run(context, { group, other_than, ...target }) {
    const archive = archiveOf(context, group);
    const source = other_than === undefined ? archive.source : otherThan(archive.source, other_than, group);
    return deliver(context, { ...archive, source, ...target });
  },
});

function otherThan(source: Source, mark: Mark, group: string): Source {
  return {
    ...source,
    async open(range) {
      const answer = await source.open(isOfContent(mark) ? undefined : range);
      if (await isOther(answer, mark)) return isOfContent(mark) ? source.open(range) : answer;
      throw new Failure("notReady", `group ${group} has no new export yet`, {
        code: "not_ready",
        reason: "the archive is still the previous one",
        hint: "run the command again later",
        retryable: true,
      });
    },
  };
}
