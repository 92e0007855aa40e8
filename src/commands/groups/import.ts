import { groupName, groupPath, importGroup } from "../../api/endpoints/groups.ts";
import { getGroup } from "../../api/endpoints/places.ts";
import { bytes, entity, id, nullable, outcome, required, string } from "../../api/field.ts";
import { Failure, isNotFound, UsageError } from "../../base/errors.ts";
import { isId } from "../../base/group-paths.ts";
import { commandLine } from "../../base/shell-words.ts";
import { command } from "../../declare/command.ts";
import { uploadSource } from "../../transfer/upload.ts";
import { idOf } from "../../verbs/lookup.ts";
import { problemWith } from "./gzip-tar.ts";

const Imported = entity("GroupImport", {
  name: string("Name of the new group"),
  path: string("Its path"),
  parent_id: nullable(id("Parent group")),
  size: bytes("Size of the archive"),
  status: outcome("started"),
});

/** An ID, or a path that is looked up. */
const parentId = string("Parent group (default your own namespace)", {
  placeholder: "id|path",
  min: 1,
  completes: "group",
});

export const importCommand = command({
  name: "import",
  summary: importGroup.summary,
  details:
    "The archive is verified to be a readable gzip tar, then streamed. The import itself runs on the instance; there is no " +
    "--wait, since the API does not report its progress. The new group is private, or as visible as its parent group. Members keep their access if their user exists here.",
  args: { archive: required(string("Archive of a group's export", { placeholder: "archive", completes: "file" })) },
  params: { name: groupName, path: groupPath, parent_id: parentId },
  requests: [importGroup, getGroup],
  returns: Imported,
  prints: "record",
  examples: [
    {
      before: "forgectl groups export -g acme -O acme.tar.gz",
      line: "groups import acme.tar.gz --name 'Acme (copy)' --path acme-copy",
    },
    {
      before: "forgectl groups export -g acme -O acme.tar.gz",
      line: "groups import acme.tar.gz --name Acme --path acme --parent-id acme/mobile",
      note: "into another group",
    },
  ],
  related: ["groups export", "groups download"],
  inspectWith: "api groups?search={path}",
  async run(context, { archive, parent_id: parent, ...named }) {
    if (named.name.trim() === "") throw new UsageError("--name: is empty");
    const file = await uploadSource(context, archive);
    const problem = await problemWith(context, archive);
    if (problem !== undefined) {
      throw new UsageError(`${archive} is not the archive of a group: not a readable gzip tar`, { reason: problem });
    }
    const given = {
      ...named,
      ...(parent !== undefined && { parent_id: await idOf(context, "group", parent, "--parent-id", true) }),
    };
    await context.api.call(importGroup, { ...given, file }).catch((error: unknown) => {
      throw withLimit(withParent(error, parent));
    });
    const { name, path, parent_id = null } = given;
    const record = { name, path, parent_id, size: file.size, status: "started" };
    return {
      record,
      message: `the import is started, and runs on the instance; ${findLine(given)}`,
    };
  },
});

function findLine({ path, parent_id }: { path: string; parent_id?: number | undefined }): string {
  if (parent_id === undefined && isId(path)) {
    return `once the group exists, this lists it: forgectl ${commandLine(["groups", "list", "--search", path])}`;
  }
  return parent_id === undefined
    ? `once the group exists, this finds it: forgectl ${commandLine(["groups", "get", path])}`
    : `once the group exists, this lists it: forgectl ${commandLine(["api", `groups/${parent_id}/subgroups`])}`;
}

/** A 404 can only mean the parent group. */
function withParent(error: unknown, parent: string | undefined): unknown {
  if (parent === undefined || !isNotFound(error)) return error;
  return error.with({
    reason: `the parent group ${parent} does not exist, is not visible to this token, or does not accept groups from it`,
    hint: `check it: forgectl ${commandLine(["api", `groups/${encodeURIComponent(parent)}`])}`,
  });
}

/** Adds the setting that limits imports (`2-collaboration-identity-api: Limits`). */
function withLimit(error: unknown): unknown {
  if (!(error instanceof Failure) || error.details.status !== 413) return error;
  const hint = "the setting max_import_size is the maximum size in MiB: forgectl settings get max_import_size";
  return error.with({ hint });
}
