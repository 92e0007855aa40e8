import { groupName, groupPath, importGroup, parentGroup } from "../../api/endpoints/groups.ts";
import { bytes, entity, id, nullable, required, string } from "../../api/field.ts";
import { command } from "../../command/command.ts";
import { uploadSource } from "../../command/upload.ts";
import { Failure, UsageError } from "../../errors.ts";
import { problemWith } from "./gzip-tar.ts";

const Imported = entity("GroupImport", {
  name: string("Name of the new group"),
  path: string("Its path"),
  parent_id: nullable(id("Group that it goes into")),
  size: bytes("Size of the archive"),
  status: string("started"),
});

export const importCommand = command({
  name: "import",
  summary: importGroup.summary,
  details:
    "The archive is checked to be a readable gzip tar, then streamed. The import itself goes on at the instance. The " +
    "new group is private, or as visible as the group that it is put into. Members are kept whose users are there.",
  args: { archive: required(string("Archive of a group's export", { placeholder: "archive", completes: "file" })) },
  params: { name: groupName, path: groupPath, parent_id: parentGroup },
  requests: [importGroup],
  returns: Imported,
  examples: [
    {
      before: "forgectl groups export -g acme -O acme.tar.gz",
      line: "groups import acme.tar.gz --name 'Acme (copy)' --path acme-copy",
    },
    {
      before: "forgectl groups export -g acme -O acme.tar.gz",
      line: "groups import acme.tar.gz --name Acme --path acme --parent-id 8",
      note: "into another group",
    },
  ],
  related: ["groups export", "groups download"],
  async run(context, { archive, ...given }) {
    if (given.name.trim() === "") throw new UsageError("--name: is empty");
    const file = await uploadSource(context, archive);
    const problem = await problemWith(context, archive);
    if (problem !== undefined) {
      throw new UsageError(`${archive} is not the archive of a group: no readable gzip tar`, { reason: problem });
    }
    await context.api.call(importGroup, { ...given, file }).catch((error: unknown) => {
      throw withLimit(error);
    });
    const { name, path, parent_id = null } = given;
    const record = { name, path, parent_id, size: file.size, status: "started" };
    return {
      record,
      entity: Imported,
      message: `the import is started, and goes on at the instance; ${lookWith(given)}`,
    };
  },
});

function lookWith({ path, parent_id }: { path: string; parent_id?: number | undefined }): string {
  return parent_id === undefined
    ? `once the group is there this finds it: forgectl registry list -g ${path}`
    : `once the group is there this lists it: forgectl api groups/${parent_id}/subgroups`;
}

/** How large an import may be is a setting of the instance (`2-collaboration-identity-api: Limits`). */
function withLimit(error: unknown): unknown {
  if (!(error instanceof Failure) || error.details.status !== 413) return error;
  const hint = "the setting max_import_size says how many MiB may be sent: forgectl settings get max_import_size";
  return new Failure(error.exit, error.message, { ...error.details, hint });
}
