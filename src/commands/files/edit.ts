import { createHash } from "node:crypto";
import { commitFields, getFile, updateFile } from "../../api/endpoints/files.ts";
import { string } from "../../api/field.ts";
import { Failure, isNotFound, UsageError } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import type { View } from "../../terminal/view.ts";
import { canRunEditor, dropped, editBytes, isBlank } from "../../verbs/editor.ts";
import { unlessRefused } from "../../verbs/optional-call.ts";
import { sendOrFind, WriteOutcome } from "./commit.ts";
import { type Commit, refOf } from "./location.ts";
import { pathArgument, projectFlag, restoring } from "./path.ts";
import { maxPointer, pointedDigest } from "./pointer.ts";
import { mayKeepBreaks } from "./stored-form.ts";
import { inFormOf, onTheWire, textOf } from "./text.ts";

export const edit = command({
  name: "edit",
  summary: "Edit a file in an editor, and commit the changes",
  details:
    "Opens a text file in $VISUAL, $EDITOR, or vi. A concurrent commit is never " +
    "overwritten (exit 6); on any failure, your text is kept in a file that the error names. CRLF, a byte order " +
    "mark, a missing final line break, and the executable bit are sent as they were; instances store LF for CRLF unless " +
    ".gitattributes has -text for the path, which a notice says before the editor opens.",
  args: pathArgument,
  params: {
    ...projectFlag,
    ...commitFields,
    commit_message: string(`Commit message (default "Update <path>")`, {
      flag: "message",
      short: "m",
      placeholder: "text",
      min: 1,
    }),
  },
  requests: [getFile, updateFile],
  returns: WriteOutcome,
  prints: "record",
  examples: [
    { line: "files edit README.md -p acme/storefront -b main" },
    {
      line: `files edit README.md -p acme/storefront -b fix-typo --start-branch main -m "Fix a typo"`,
      note: "on a new branch",
    },
  ],
  undo: {
    line: restoring("put"),
    before: getFile,
    inWords: (before, result) => (isObject(result) && result.status === "updated" ? before : undefined),
    unless: ["start_branch"],
  },
  related: ["files put", "files update", "files cat"],
  inspectWith: "files get {path} -p {project} --ref {branch}",
  async run(context, { path, commit_message = `Update ${path}`, ...rest }): Promise<View> {
    if (!canRunEditor(context)) {
      throw new UsageError("files edit needs a terminal, or an editor that needs none in VISUAL or EDITOR", {
        hint: "forgectl files put takes the content from a file or stdin",
      });
    }
    const place: Place = { ...rest, file_path: path, commit_message };
    const found = await present(context, place);
    const before = editableText(path, found.bytes);
    await announceBreaks(context, place, { text: before, on: found.on });
    const name = path.slice(path.lastIndexOf("/") + 1);
    let isOthers = false;
    const status = await editBytes(context, { name, initial: found.bytes }, async (saved) => {
      const edited = textOf(saved);
      if (edited === undefined) throw new UsageError("what the editor saved is not UTF-8 text");
      const text = inFormOf(before, edited);
      if (text === before) {
        context.notice(`${path} was not changed; nothing was sent`);
        return "unchanged";
      }
      if (isBlank(text))
        throw dropped("the text is empty", { hint: "forgectl files update --content '' empties a file" });
      isOthers = !(await commit(context, { ...place, ...found }, new TextEncoder().encode(text)));
      return "updated";
    });
    const record = { file_path: path, branch: status === "unchanged" ? found.on : place.branch, status };
    // What another commit may have made is not taken back.
    return isOthers ? { record, before: {} } : { record };
  },
});

interface Place {
  project: string;
  file_path: string;
  branch: string;
  start_branch?: string | undefined;
  commit_message: string;
  author_name?: string | undefined;
  author_email?: string | undefined;
}

/** The file as it is now. */
interface Present {
  bytes: Uint8Array;
  last_commit_id: string;
  /** The branch that it is on: the one to commit to, or the start branch. */
  on: string;
}

async function present(context: Context, { project, file_path, branch, start_branch: start }: Place): Promise<Present> {
  const read = async (on: string): Promise<Present> => {
    const found = await context.api.call(getFile, { project, file_path, ref: refOf(on) });
    return { ...checked(file_path, found), on };
  };
  try {
    return await read(branch).catch((error: unknown) => {
      if (start === undefined || !isNotFound(error)) throw error;
      return read(start);
    });
  } catch (error) {
    throw isNotFound(error)
      ? error.with({ hint: "check path and branch; forgectl files create creates a file" })
      : error;
  }
}

/** Refuses an answer that is not the file's content, or that has no commit to guard the update with. */
function checked(
  path: string,
  { content, content_sha256: digest, last_commit_id, size }: Readonly<Record<string, unknown>>,
): Pick<Present, "bytes" | "last_commit_id"> {
  const refused = (reason: string) =>
    new Failure("integrity", `${path} was not opened: the answer is not reliable`, { reason });
  if (typeof content !== "string") throw refused("it has no content");
  if (typeof last_commit_id !== "string" || last_commit_id === "") throw refused("it names no last commit");
  const bytes = Buffer.from(content, "base64");
  if (typeof digest === "string" && createHash("sha256").update(bytes).digest("hex") !== digest.toLowerCase()) {
    throw refused("the content does not match its checksum");
  }
  // Instances show the conversion of a text that is not UTF-8, and leave out what they cannot read of it.
  if (typeof size === "number" && size !== bytes.length) throw notText(path);
  return { bytes, last_commit_id };
}

function notText(path: string): UsageError {
  return new UsageError(`${path} is not UTF-8 text`, { hint: "forgectl files download, then files put" });
}

/** The text to edit; anything else is refused before an editor opens. */
function editableText(path: string, bytes: Uint8Array): string {
  const text = textOf(bytes);
  if (text === undefined) throw notText(path);
  if (bytes.length <= maxPointer && pointedDigest(text) !== undefined) {
    throw new UsageError(`${path} is in large file storage: the repository contains only a pointer to it`, {
      hint: "forgectl files download --lfs shows its content; change it with git",
    });
  }
  return text;
}

/** Instances store LF for CRLF, also in lines that are not edited (line-breaks-stored-as-lf). */
async function announceBreaks(context: Context, place: Place, { text, on }: { text: string; on: string }) {
  if (!text.includes("\r\n")) return;
  // The notice says "may": what cannot be read does not prevent the edit.
  if (await unlessRefused(mayKeepBreaks(context, place, on))) return;
  context.notice(
    `${place.file_path} has CRLF, and instances store LF in its place: the commit may change the end of every line, unless ` +
      ".gitattributes has the attribute -text for the path",
  );
}

/** False if the file had this content already. */
async function commit(
  context: Context,
  { on, bytes: _, ...rest }: Place & Present,
  bytes: Uint8Array,
): Promise<boolean> {
  const input = { ...rest, start_branch: on === rest.branch ? undefined : rest.start_branch };
  const facts: Commit = { ...input, action: "update", bytes, checked: true };
  const act = () => context.api.call(updateFile, { ...input, ...onTheWire(bytes, undefined) });
  return sendOrFind(context, facts, act);
}
