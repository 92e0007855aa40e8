import { createHash } from "node:crypto";
import type { Api } from "../../api/api.ts";
import { anyNotes, Note, projectNotes } from "../../api/endpoints/notes.ts";
import { getCurrentUser } from "../../api/endpoints/users.ts";
import { entity, outcome, required, string } from "../../api/field.ts";
import { shorterList } from "../../api/shorter-lists.ts";
import { Failure } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { staleCode } from "../../jobs/tally.ts";
import type { RecordView } from "../../terminal/view.ts";
import { choose } from "../../verbs/choose.ts";
import { captchaOptions } from "../posting/captcha.ts";
import { commandsOf, warnOfCommands, withoutCommands } from "../posting/commands-in-text.ts";
import { parentFlags, parentInUndo } from "../posting/parent.ts";
import { postFlags } from "../posting/post.ts";
import { withBody } from "../posting/text.ts";

const KeptNote = entity("KeptNote", { ...Note.shape, status: outcome("created, updated, or unchanged") });

export const upsert = command({
  name: "upsert",
  summary: "Keep one note for a key: create it, or change it if its text differs",
  details:
    "For a pipeline that updates its report. The note has a hidden marker with the key as its last " +
    "line; only notes of the caller are searched. If several have the marker, the oldest is changed. A line that " +
    "instances run as a command, such as /close, runs with each change: texts of others belong between lines of ```, or have a space before each line.",
  params: {
    ...parentFlags({ epic_id: "notes of epics cannot be changed: the API has no request for it" }),
    key: required(
      string("Key of the note: letters, digits, ., _, and -", {
        placeholder: "key",
        pattern: { test: /^[A-Za-z0-9._-]{1,64}$/, words: "1 to 64 of letters, digits, ., _, and -" },
      }),
    ),
    ...postFlags,
  },
  requests: [...anyNotes.list, ...anyNotes.create, ...projectNotes.update, getCurrentUser],
  returns: KeptNote,
  prints: "record",
  examples: [
    { line: "notes upsert --mr 19 -p acme/storefront --key coverage --body 'Coverage: 93 %'" },
    { line: "notes upsert --mr 19 -p acme/storefront --key report --body-file report.md" },
  ],
  undo: {
    line: [
      `notes update {before.id} ${parentInUndo} --body={before.body}`,
      `notes delete {before.created} ${parentInUndo}`,
    ],
  },
  related: ["notes create", "notes update"],
  run: (context, { key, body, body_file, captcha_response, spam_log_id, ...parent }) =>
    withBody(
      context,
      { body, body_file },
      async () => "",
      async (text) => {
        const options = captchaOptions({ captcha_response, spam_log_id });
        const marked = [text.trimEnd(), "", ...digestFor(text), markerOf(key)].join("\n");
        return keep(context, { parent, key, marked, options });
      },
    ),
});

interface Keeping {
  parent: object;
  key: string;
  /** The text with its marker. */
  marked: string;
  options: ReturnType<typeof captchaOptions>;
}

/** Thrown in place of a request if the notes with the key are others than those that it was made for. */
class Changed extends Error {}

/** Creates or changes the note. After a wait it looks again: another pipeline may have created it meanwhile. */
async function keep(context: Context, { parent, key, marked, options }: Keeping): Promise<RecordView> {
  const look = () => notesWith(context, parent, markerOf(key));
  const found = await look();
  const afterWait = async () => {
    if (textsOf(await look()) !== textsOf(found)) throw new Changed();
  };
  const [oldest, ...others] = found;
  if (others.length > 0) {
    context.warn(`notes ${others.map(({ id }) => id).join(", ")} also have the key ${key}, and are unchanged`);
  }
  const isSame = oldest !== undefined && isStored(oldest.body, marked);
  try {
    if (isSame) return shown(oldest, "unchanged");
    warnOfCommands(context, marked);
    if (oldest === undefined) {
      const values = { ...parent, body: marked };
      const note = await context.api.call(choose(anyNotes.create, values), values, { ...options, afterWait });
      return { ...shown(note, "created"), ...("id" in note && { before: { created: note.id } }) };
    }
    const values = { ...parent, note_id: oldest.id, body: marked };
    const note = await context.api.call(choose(projectNotes.update, values), values, { ...options, afterWait });
    return { ...shown(note, "updated"), before: oldest };
  } catch (error) {
    if (error instanceof Changed) return keep(context, { parent, key, marked, options });
    throw error;
  }
}

/** Of a text with commands, whose digest is in it, instances store a part. */
function isStored(stored: string, marked: string): boolean {
  if (plain(stored) === plain(marked)) return true;
  return commandsOf(marked).length > 0 && withoutCommands(plain(stored)) === withoutCommands(plain(marked));
}

/** Instances may store line ends otherwise than they were sent. */
function plain(text: string): string {
  return text.replaceAll("\r", "").trimEnd();
}

/** Instances store the text without the commands, and some blank lines: which text it was, its digest tells. */
function digestFor(text: string): string[] {
  if (commandsOf(text).length === 0) return [];
  return [`<!-- commands:${createHash("sha256").update(plain(text)).digest("hex").slice(0, 16)} -->`];
}

function markerOf(key: string): string {
  return `<!-- forgectl:${key} -->`;
}

/** How often a list is read that becomes shorter meanwhile: the note may have moved to a page that was read before. */
const maxReads = 3;

/** The notes with the marker. That there is none is believed only of a list that did not become shorter. */
async function notesWith(context: Context, parent: object, marker: string) {
  const caller = await context.api.call(getCurrentUser, {});
  for (let reads = 0; reads < maxReads; reads++) {
    let isShorter = false;
    const onShorter = () => {
      isShorter = true;
    };
    const found = await readNotes(context.api, parent, { caller, marker, onShorter });
    if (isShorter && found.length > 0) context.warn(shorterList);
    if (!isShorter || found.length > 0) return found;
  }
  throw new Failure("conflict", "the note was not created: there may be one with the key", {
    code: staleCode,
    reason: `entries left the list of notes each of the ${maxReads} times that it was read`,
    nothing: "changed",
    hint: "run the command again",
    retryable: true,
  });
}

interface Wanted {
  readonly caller: { readonly id: number };
  readonly marker: string;
  onShorter(): void;
}

/** The caller's notes with the marker as their last line, the oldest first. */
async function readNotes(api: Api, parent: object, { caller, marker, onShorter }: Wanted) {
  const found: { id: number; body: string }[] = [];
  for await (const note of api.list(choose(anyNotes.list, parent), parent, { limit: undefined, onShorter })) {
    const isOwn = note.system !== true && note.author?.id === caller.id;
    if (isOwn && note.body.trimEnd().endsWith(marker)) found.push(note);
  }
  return found.sort((a, b) => a.id - b.id);
}

/** What tells whether another has changed them. */
function textsOf(notes: readonly { id: number; body: string }[]): string {
  return JSON.stringify(notes.map(({ id, body }) => [id, body]));
}

function shown(note: object, status: "created" | "updated" | "unchanged") {
  return {
    record: { ...note, status },
    columns: ["id", "status", "body", "created_at", "updated_at"],
  };
}
