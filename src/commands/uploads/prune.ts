import type { Api } from "../../api/api.ts";
import { group, project } from "../../api/endpoints/scope.ts";
import {
  deleteGroupUpload,
  deleteProjectUpload,
  type UploadedFile,
  uploadRequests,
} from "../../api/endpoints/uploads.ts";
import {
  bytes,
  entity,
  id,
  integer,
  nullable,
  outcome,
  type Row,
  required,
  string,
  timestamp,
  uncut,
} from "../../api/field.ts";
import { timeIn } from "../../base/answered-value.ts";
import { readDuration } from "../../base/duration.ts";
import { globOf } from "../../base/glob.ts";
import { commandLine, flagWords } from "../../base/shell-words.ts";
import { verdictTones } from "../../base/tone.ts";
import { sumOfSizes } from "../../base/wording.ts";
import { command } from "../../declare/command.ts";
import { bulk, distinct } from "../../jobs/bulk.ts";
import { choose } from "../../verbs/choose.ts";
import { confirm, confirmed, refuseUnasked } from "../../verbs/confirm.ts";
import { instanceClock } from "../../verbs/instance-clock.ts";
import { deletedOrVerified } from "../../verbs/lost-answer-check.ts";
import { collected } from "../../verbs/row-collection.ts";

const PrunedUpload = entity("PrunedUpload", {
  id: id("Upload ID"),
  filename: uncut(),
  size: bytes(),
  created_at: timestamp(),
  verdict: string("KEEP or DELETE, in a dry run", { tones: verdictTones }),
  rule: uncut("The rule that decided: match, keep_n, or older_than"),
  status: outcome(),
  error: nullable(uncut()),
});

type Upload = Pick<Row<typeof UploadedFile.shape>, "id" | "filename" | "size" | "created_at">;

interface Judged extends Upload {
  verdict: "KEEP" | "DELETE";
  rule: "match" | "keep_n" | "older_than";
}

export const prune = command({
  name: "prune",
  summary: "Delete old uploads of a project or a group",
  details:
    "--dry-run is the preview: every upload with KEEP or DELETE and the rule that decided. Links to a deleted upload " +
    "break: texts are not searched for them. Ages are counted by the instance's clock if this machine's is ahead.",
  params: {
    project,
    group,
    older_than: required(string("Delete only older uploads: 30d, 2 weeks, 1year", { placeholder: "duration" })),
    match: string("Only files whose name matches: *.log", { placeholder: "glob", min: 1 }),
    keep_n: integer("Keep this many of the newest that match", { placeholder: "n", min: 0 }),
  },
  requests: [...uploadRequests.list, deleteProjectUpload, deleteGroupUpload],
  returns: PrunedUpload,
  prints: "rows",
  examples: [
    { line: "uploads prune -p acme/storefront --older-than 1year --dry-run", note: "preview" },
    { line: "uploads prune -p acme/storefront --older-than 90d --match '*.log' --yes" },
  ],
  related: ["uploads list", "uploads delete"],
  async run(context, { older_than, match, keep_n, ...scope }) {
    const ageMs = readDuration(older_than, "--older-than") * 1000;
    const glob = match === undefined ? undefined : globOf(match);
    // A file without a name in the answer matches nothing, and stays.
    const fits = (name: unknown) => glob === undefined || (typeof name === "string" && glob(name));
    const place = scope.project === undefined ? `group ${scope.group}` : `project ${scope.project}`;
    await refuseUnasked(context, { action: `delete uploads of ${place}` });
    // The newest come first: one that is added while the list is read shifts its pages, and two of them show the same.
    const listed = async (api: Api) => {
      const rows = await collected(api.list(choose(uploadRequests.list, scope), scope, { limit: undefined }));
      return distinct(rows, ({ id }) => id);
    };
    const clock = instanceClock(context);
    const uploads = await listed(clock.api);
    const judged = judge(uploads, { fits, keepN: keep_n ?? 0, limit: clock.earlier().getTime() - ageMs });
    const selected = judged.filter(({ verdict }) => verdict === "DELETE");
    const summary = `${selected.length} of ${judged.length} uploads, ${sumOfSizes(selected.map(({ size }) => size))}`;
    if (context.config.dryRun) {
      context.notice(`${summary}, would be deleted with one request each`);
      return {
        rows: judged,
        columns: ["id", "filename", "size", "created_at", "verdict", "rule"],
      };
    }
    if (selected.length === 0) context.notice("nothing to delete: the rules select no upload");
    else await confirm(context, { action: `delete ${summary} (${place})` });
    const rules = flagWords({ ...scope, older_than, match, keep_n });
    const words = ["uploads", "prune", ...rules, ...confirmed(context)];
    const rows = await bulk(
      context,
      selected,
      async ({ id, filename }) => {
        const input = { ...scope, upload_id: id };
        const deletion = () => context.api.call(choose([deleteProjectUpload, deleteGroupUpload], input), input);
        const show = async (api: Api) => (await listed(api)).find((each) => each.id === id);
        await deletedOrVerified(context, deletion, show, `upload ${id}`);
        return { id, filename, status: "deleted", error: null };
      },
      ({ id, filename }) => ({ id, filename }),
      { again: `forgectl ${commandLine(words)}` },
    );
    return { rows, columns: ["id", "filename", "status", "error"], validIfPartial: true };
  },
});

/**
 * Newest first. An upload without a time counts as new: nothing is deleted for an unknown age, nor does it take the
 * place of one of the newest.
 */
function judge(
  uploads: readonly Upload[],
  { fits, keepN, limit }: { fits(name: unknown): boolean; keepN: number; limit: number },
): Judged[] {
  const timeOf = ({ created_at }: Upload) => timeIn(created_at) ?? Number.POSITIVE_INFINITY;
  let left = keepN;
  return uploads
    .map(({ id, filename, size, created_at }) => ({ id, filename, size, created_at }))
    .sort((a, b) => timeOf(b) - timeOf(a) || b.id - a.id)
    .map((each) => {
      if (!fits(each.filename)) return { ...each, verdict: "KEEP", rule: "match" };
      if (left > 0) {
        if (timeIn(each.created_at) !== undefined) left -= 1;
        return { ...each, verdict: "KEEP", rule: "keep_n" };
      }
      return timeOf(each) >= limit
        ? { ...each, verdict: "KEEP", rule: "older_than" }
        : { ...each, verdict: "DELETE", rule: "older_than" };
    });
}
