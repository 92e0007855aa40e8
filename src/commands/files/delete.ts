import { commitFields, deleteFile, FileWrite, lastCommitField, statFile } from "../../api/endpoints/files.ts";
import { entity, outcome } from "../../api/field.ts";
import { buildRequest } from "../../api/request.ts";
import { command } from "../../declare/command.ts";
import { asks, confirmSeen } from "../../verbs/confirm.ts";
import { send } from "./commit.ts";
import { checkGuard } from "./guard.ts";
import { type Commit, statOn } from "./location.ts";
import { pathArgument, projectFlag, readingBranch, restoring } from "./path.ts";

const Outcome = entity("File delete", { ...FileWrite.shape, status: outcome("deleted") });

export const deleteCommand = command({
  name: "delete",
  summary: "Delete a file with a commit",
  details:
    "With --last-commit-id nothing is deleted (exit 6) if the file changed since. The program compares before it " +
    "sends the commit; the instance may ignore the parameter, so a push in between may go unnoticed.",
  args: pathArgument,
  params: { ...projectFlag, ...commitFields, ...lastCommitField },
  requests: [deleteFile, statFile],
  returns: Outcome,
  prints: "record",
  examples: [
    { line: `files delete docs/old.md -p acme/storefront -b main -m "Remove what is outdated"` },
    { line: `files delete docs/old.md -p acme/storefront -b main -m "Remove it" --yes`, note: "in a script" },
  ],
  undo: { line: restoring("create"), before: statFile, reads: readingBranch, unless: ["start_branch"] },
  related: ["files create", "files put"],
  async run(context, { path, ...rest }) {
    const input = { ...rest, file_path: path };
    const { project, branch, file_path } = input;
    const commit: Commit = { ...input, action: "delete" };
    // What cannot be sent is refused before anything is.
    buildRequest(deleteFile, input);
    const what = `the file ${file_path} on branch ${branch} of project ${project}`;
    const look = async () => (await statOn(context, input, branch))?.last_commit_id;
    const seen = asks(context) ? await look() : undefined;
    await confirmSeen(context, { action: `delete ${what}` }, { seen, look, what });
    const guard = async () => {
      if (input.last_commit_id !== undefined) await checkGuard(context, commit);
    };
    await guard();
    // The guard refuses what is not there.
    const before = seen === undefined && input.last_commit_id === undefined ? undefined : { wasSo: false };
    await send(context, { ...commit, before }, () => context.api.call(deleteFile, input, { afterWait: guard }));
    return { record: { file_path, branch, status: "deleted" } };
  },
});
