import { createFile, statFile, updateFile } from "../../api/endpoints/files.ts";
import { command } from "../../declare/command.ts";
import { sendOrFind, WriteOutcome } from "./commit.ts";
import { type Facts, statOn } from "./location.ts";
import { pathArgument, restoring } from "./path.ts";
import { formOf, isSame } from "./stored-form.ts";
import { deleting, flags, noContent, prepare } from "./write.ts";

/**
 * A mode that an instance does not show (older releases) counts as that of most files: otherwise the same
 * `--no-executable` would be a commit each time.
 */
function withMode(facts: Facts): Facts {
  return facts && { ...facts, execute_filemode: facts.execute_filemode ?? false };
}

export const put = command({
  name: "put",
  summary: "Create or update a file, as needed",
  details:
    "Checks first: creates the file, updates it (exit 6 if another commit came in between), " +
    "or reports unchanged and sends nothing. With --start-branch, a file that already has this content creates no " +
    "new branch: its current branch is printed. Where the instance does not show whether a file is executable (older " +
    "releases), it counts as one that is not: --executable is sent each time.",
  args: pathArgument,
  params: flags,
  requests: [statFile, createFile, updateFile],
  returns: WriteOutcome,
  prints: "record",
  examples: [
    { line: `files put .tool-versions -p acme/storefront -b main -m "Pin tools" --from -` },
    { line: `files put VERSION -p acme/storefront -b main -m "Release 1.2" --content 1.2 --dry-run`, note: "preview" },
  ],
  undo: { line: [restoring("put"), deleting("before.created")], unless: ["start_branch"] },
  related: ["files create", "files update", "files stat"],
  async run(context, input) {
    const { commit, body, isLost } = await prepare(context, "create", input);
    const { branch, file_path, start_branch: start } = commit;
    const there = await statOn(context, commit, branch);
    const base = there ?? (start === undefined ? undefined : await statOn(context, commit, start));
    if (isLost && base !== undefined && base.size !== 0) throw noContent();
    const checked = { ...commit, checked: true, start_branch: there === undefined ? start : undefined };
    const shown = (status: string, on = branch) => ({ record: { file_path, branch: on, status } });
    const made = (status: string, before: object) => ({ ...shown(status), before });
    const sent = { ...body, start_branch: checked.start_branch };
    if (base === undefined) {
      const act = () => context.api.call(createFile, sent);
      const isOwn = await sendOrFind(context, checked, act);
      return isOwn ? made("created", { created: file_path }) : shown("created");
    }
    const form = await formOf(context, withMode(there), commit);
    if (form === "lf") {
      context.notice(
        `${file_path} on ${branch} has LF in place of CRLF, as instances store it: nothing was sent; files update sends it`,
      );
    }
    if (form !== undefined) return shown("unchanged");
    if (start !== undefined && (await isSame(context, withMode(base), commit, start))) {
      // The commit that creates the branch would be empty, and empty commits are refused.
      context.notice(
        `${start} has this content, so ${branch} is not created from it; if that branch exists, leave out ` +
          `--start-branch to commit to it`,
      );
      return shown("unchanged", start);
    }
    const guard = { last_commit_id: base.last_commit_id };
    const act = () => context.api.call(updateFile, { ...sent, ...guard });
    const isOwn = await sendOrFind(context, { ...checked, ...guard, action: "update" }, act);
    return isOwn ? made("updated", base) : shown("updated");
  },
});
