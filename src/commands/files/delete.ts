import { commitFields, deleteFile, FileWrite, lastCommitField } from "../../api/endpoints/files.ts";
import { entity, string } from "../../api/field.ts";
import { command } from "../../command/command.ts";
import { confirm } from "../../command/confirm.ts";
import { send } from "./commit.ts";
import { checkPath, pathArgument, projectFlag } from "./path.ts";

const Outcome = entity("File delete", { ...FileWrite.shape, status: string("deleted") });

export const deleteCommand = command({
  name: "delete",
  summary: "Delete a file with a commit",
  args: pathArgument,
  params: { ...projectFlag, ...commitFields, ...lastCommitField },
  requests: [deleteFile],
  returns: Outcome,
  examples: [
    { line: `files delete docs/old.md -p acme/storefront -b main -m "Remove what is outdated"` },
    { line: `files delete docs/old.md -p 7 -b main -m "Remove it" --yes`, note: "in a script" },
  ],
  related: ["files create", "files put"],
  async run(context, { path, ...rest }) {
    const input = { ...rest, file_path: checkPath(path) };
    const { project, branch, file_path } = input;
    await confirm(context, { action: `delete the file ${file_path} on branch ${branch} of project ${project}` });
    await send(context, { ...input, action: "delete" }, () => context.api.call(deleteFile, input));
    return { record: { file_path, branch, status: "deleted" }, entity: Outcome };
  },
});
