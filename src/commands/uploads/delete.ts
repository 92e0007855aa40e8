import type { Api } from "../../api/api.ts";
import { group, project } from "../../api/endpoints/scope.ts";
import { uploadRequests } from "../../api/endpoints/uploads.ts";
import { array, required, string } from "../../api/field.ts";
import { Failure } from "../../base/errors.ts";
import { byteSize } from "../../base/wording.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { bulk } from "../../jobs/bulk.ts";
import { choose } from "../../verbs/choose.ts";
import { asks, confirm } from "../../verbs/confirm.ts";
import { deletionOf, deletions } from "../../verbs/deletion-view.ts";
import { deletedIfSeen, shownBy } from "../../verbs/lost-answer-check.ts";
import { firstOf } from "../../verbs/row-collection.ts";
import { readUpload } from "./owner.ts";
import { keyOf, parseUpload, type UploadReference } from "./reference.ts";

const Deleted = deletionOf({ upload: string("As given") });

export const remove = command({
  name: "delete",
  summary: "Delete uploads of a project or a group",
  details:
    "Links to a deleted upload break. An upload is given by ID, SECRET/FILENAME, or Markdown or a URL with them; a " +
    "URL must be of this instance and of the given project or group. On a terminal the question names each file.",
  args: {
    uploads: required(
      array(
        string("", { placeholder: "upload", completes: "upload" }),
        "Upload: ID, SECRET/FILENAME, Markdown, or URL",
        {
          placeholder: "upload",
        },
      ),
    ),
  },
  params: { project, group },
  requests: [...uploadRequests.delete, ...uploadRequests.list],
  returns: Deleted,
  prints: "rows",
  examples: [{ line: "uploads delete 1 2 -p acme/storefront --yes" }],
  related: ["uploads list"],
  async run(context, { uploads, ...scope }) {
    const items = await readUploads(context, uploads, scope);
    await confirm(context, { action: await question(context, items, scope) });
    const seen = await seenIds(context, items, scope);
    const rows = await bulk(
      context,
      items,
      async ({ upload, reference }) => {
        const input = { ...scope, ...reference };
        const deletion = () => context.api.call(choose(uploadRequests.delete, input), input).catch(refusedAsMissing);
        if ("upload_id" in reference) {
          const show = (api: Api) => firstOf(shownBy(api, choose(uploadRequests.list, scope), scope, idOf(reference)));
          const wasSeen = seen.has(reference.upload_id);
          await deletedIfSeen(context, deletion, show, { name: `upload ${reference.upload_id}`, wasSeen });
        } else await deletion(); // No list shows secrets.
        return { upload, status: "deleted" };
      },
      ({ upload }) => ({ upload }),
    );
    return deletions(Deleted, rows);
  },
});

/** Instances answer 400 for an upload that is missing or may not be deleted (`upload-missing`). */
function refusedAsMissing(error: unknown): never {
  if (!(error instanceof Failure) || error.details.status !== 400) throw error;
  if (!/does not exist or you don't have permission/i.test(error.details.reason ?? "")) throw error;
  throw error.with({
    exit: "notFound",
    code: "not_found",
    reason: "it does not exist, or you may not delete it",
    hint: "the uploads: forgectl uploads list",
  });
}

const idOf = ({ upload_id: id }: { upload_id: number }) => ({ id });

interface Item {
  upload: string;
  reference: UploadReference;
}

interface Scope {
  project?: string | undefined;
  group?: string | undefined;
}

/** The uploads without duplicates. All are parsed before the first request. */
async function readUploads(context: Context, uploads: readonly string[], scope: Scope): Promise<Item[]> {
  for (const upload of uploads) parseUpload(upload);
  const items = new Map<string, Item>();
  for (const upload of uploads) {
    const reference = await readUpload(context, upload, scope);
    if (!items.has(keyOf(reference))) items.set(keyOf(reference), { upload, reference });
  }
  return [...items.values()];
}

async function question(context: Context, items: readonly Item[], scope: Scope): Promise<string> {
  const known = asks(context) ? await listed(context, items, scope) : new Map<number, string>();
  const names = items.map(({ upload, reference }) =>
    "upload_id" in reference ? (known.get(reference.upload_id) ?? upload) : `${reference.secret}/${reference.filename}`,
  );
  const place = scope.project === undefined ? `group ${scope.group}` : `project ${scope.project}`;
  return `delete ${items.length > 1 ? "uploads" : "upload"} ${names.join(", ")} (${place})`;
}

/** A page of uploads costs as much as a deletion: an older one is deleted too, but a lost answer leaves it unknown. */
const mostLooked = 1000;

/** Which of them are there before the deletion, of the newest. If they cannot be read, none is known. */
async function seenIds(context: Context, items: readonly Item[], scope: Scope): Promise<ReadonlySet<number>> {
  if (context.config.dryRun) return new Set();
  try {
    return new Set((await listed(context, items, scope, mostLooked)).keys());
  } catch (error) {
    if (!(error instanceof Failure) || error.exit === "interrupted") throw error;
    return new Set();
  }
}

/** Descriptions by ID: `12 "logo.png" (4.2 KiB, by Ada)`. An upload that is not in the list is named as typed. */
async function listed(
  context: Context,
  items: readonly Item[],
  scope: Scope,
  limit?: number,
): Promise<Map<number, string>> {
  const wanted = new Set(items.flatMap(({ reference }) => ("upload_id" in reference ? [reference.upload_id] : [])));
  const names = new Map<number, string>();
  if (wanted.size === 0) return names;
  const rows = context.api.list(choose(uploadRequests.list, scope), scope, { limit });
  for await (const { id, filename, size, uploaded_by: by } of rows) {
    if (!wanted.delete(id)) continue;
    const author = by?.name === undefined ? "" : `, by ${by.name}`;
    const held = typeof size === "number" ? byteSize(size) : "of unknown size";
    names.set(id, `${id} "${filename}" (${held}${author})`);
    if (wanted.size === 0) break;
  }
  return names;
}
