import {
  commitFields,
  createFile,
  FileWrite,
  lastCommitField,
  statFile,
  updateFile,
  writeFields,
} from "../../api/endpoints/files.ts";
import { string } from "../../api/field.ts";
import { buildRequest } from "../../api/request.ts";
import { missing, UsageError } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { type Command, command, type Explained } from "../../declare/command.ts";
import { isPiped, readSource } from "../../transfer/source.ts";
import { send } from "./commit.ts";
import { checkKnownGuard } from "./guard.ts";
import type { Commit } from "./location.ts";
import { pathArgument, projectFlag, readingBranch, restoring } from "./path.ts";
import { onTheWire } from "./text.ts";

export const flags = {
  ...projectFlag,
  ...commitFields,
  content: string("The content, as text", { placeholder: "text" }),
  from: string("Read the content from this file, or from stdin", { placeholder: "file|-", completes: "file", min: 1 }),
  ...writeFields,
};

const related = ["files put", "files delete", "files stat"];

/** A commit that writes one file: the endpoint's parameters, with the content from a flag, a file, or stdin. */
function write(
  name: "create" | "update",
  endpoint: typeof createFile | typeof updateFile,
  explained: Explained & { summary: string },
): Command {
  return command({
    name,
    verb: "write",
    args: pathArgument,
    params: { ...flags, ...("last_commit_id" in endpoint.params && lastCommitField) },
    requests: [endpoint, statFile],
    returns: FileWrite,
    prints: "record",
    related,
    ...explained,
    async run(context, input) {
      const { commit, body, isLost } = await prepare(context, name, input);
      if (isLost && name === "update") throw noContent();
      // What cannot be sent is refused before anything is.
      buildRequest(endpoint, body);
      await checkKnownGuard(context, commit);
      return { record: await send(context, commit, () => context.api.call(endpoint, body)) };
    },
  });
}

/** @param path the name of the path, as in an undo line */
export const deleting = (path: string) => `files delete {${path}} -p {project} -b {branch} -m 'Delete {${path}}'`;

export const create = write("create", createFile, {
  summary: "Create a file with a commit",
  examples: [
    { line: `files create docs/hello.md -p acme/storefront -b main -m "Say hello" --content "# Hello"` },
    {
      line: `files create screenshot.png -p acme/storefront -b art --start-branch main -m "Add a screenshot" --from screenshot.png`,
    },
  ],
  undo: { line: deleting("path"), unless: ["start_branch"] },
});

export const update = write("update", updateFile, {
  summary: "Replace a file's content with a commit",
  details: "With --last-commit-id the commit fails (exit 6) if the file changed since.",
  examples: [
    { line: `files update README.md -p acme/storefront -b main -m "Say hello" --content "# Hello"` },
    {
      line: `files update scripts/deploy.sh -p acme/storefront -b main -m "Make it run" --from deploy.sh --executable`,
    },
  ],
  undo: { line: restoring("put"), before: statFile, reads: readingBranch, unless: ["start_branch"] },
});

interface WriteInput {
  path: string;
  project: string;
  branch: string;
  commit_message: string;
  content?: string | undefined;
  from?: string | undefined;
  encoding?: "text" | "base64" | undefined;
  start_branch?: string | undefined;
  execute_filemode?: boolean | undefined;
}

/** Finds every mistake that can be found without a request. `isLost`: a pipe had no content. */
export async function prepare(
  context: Context,
  action: Commit["action"],
  { path, content, from, ...rest }: WriteInput,
) {
  const input = { ...rest, file_path: path };
  if (content === undefined && from === undefined) throw missing("--content <text> or --from <file|->");
  if (content !== undefined && from !== undefined) throw new UsageError("give only one of --content and --from");
  const bytes = content === undefined ? await readSource(context, from ?? "-") : new TextEncoder().encode(content);
  const commit: Commit = { ...input, action, bytes };
  const isLost = bytes.length === 0 && from !== undefined && (await isPiped(context, from));
  return { commit, body: { ...input, ...onTheWire(bytes, input.encoding) }, isLost };
}

/** What a command that failed leaves in a pipe does not replace the content of a file. */
export function noContent(): UsageError {
  return new UsageError("--from: there is no content to write", {
    hint: "to empty the file, give it as --content ''",
  });
}
