import { type AnyEndpoint, type Endpoint, pathNames } from "../../api/endpoint.ts";
import type { Fields } from "../../api/field.ts";
import type { Look } from "../../api/transport/message.ts";
import { Failure, UsageError } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { type Command, command } from "../../declare/command.ts";
import { choose } from "../../verbs/choose.ts";
import { confirm, type Question } from "../../verbs/confirm.ts";
import { type ResourceView, recordOf, storedAs } from "../../verbs/resource-view.ts";
import { described, type VerbOptions, withWhole } from "../../verbs/verbs.ts";
import { requireNote } from "../discussions/note-in.ts";
import { mayBeStored, refuseUnapplied } from "./applied-commands.ts";
import { type CaptchaInput, captchaFlags, captchaOptions } from "./captcha.ts";
import { isOnlyCommands, warnOfCommands } from "./commands-in-text.ts";
import { type ParentInput, publicNote } from "./public-note.ts";
import { type BodyInput, bodyFlags, withBody } from "./text.ts";

/** The flags of a command that posts a text: its source, and the answer to a spam challenge. */
export const postFlags = { ...bodyFlags, ...captchaFlags };

interface Posting<S extends Fields> extends VerbOptions<S> {
  summary: string;
  shown: ResourceView<S>;
  /**
   * Show the note, or the discussion that contains it: a changed text opens in the editor with its current content, and
   * a reply without a note ID is to the discussion's first note.
   */
  present?: readonly Endpoint[];
}

type Input = PostInput & ParentInput & Readonly<Record<string, unknown>>;

/** Posts a text to the given parent, and shows the result. */
export function post<S extends Fields>(
  name: string,
  endpoints: readonly Endpoint[],
  { present = [], shown, shortened, ...options }: Posting<S>,
): Command {
  return command({
    name,
    verb: "post",
    returns: shown.entity,
    prints: "record",
    ...options,
    ...described(endpoints, { ...options, params: { ...options.params, ...postFlags } }),
    run: async (context, input: Input) => {
      const endpoint = choose(endpoints, input);
      const show = async (whole: Input) => (await context.api.call(choose(present, whole), whole)) as ReadNotes;
      const whole = () => withWhole(context, input, shortened);
      const initial = async () => (endpoint.method === "PUT" ? textIn(await show(await whole()), input) : "");
      const more = async () => {
        const found = await whole();
        if (endpoint.method === "PUT" && found.discussion_id !== undefined) {
          requireNote((await show(found)).notes ?? [], found as Readonly<Record<string, unknown>>);
        }
        const isOpen = endpoint.params.note_id?.required === true && input.note_id === undefined;
        return isOpen ? { ...found, note_id: firstNote(await show(found), found) } : found;
      };
      const answer = await send(context, endpoint, input, { initial, more }).catch(storedAs(shown, input));
      return recordOf(shown, answer as object, input);
    },
  });
}

/** A note, or a discussion. */
interface ReadNotes {
  body?: string;
  notes?: readonly { id: number; body: string }[];
}

/** The text of a note, or of the named note of a discussion. */
function textIn({ body, notes = [] }: ReadNotes, { note_id }: Input): string {
  return body ?? notes.find(({ id }) => id === note_id)?.body ?? "";
}

/** The documents require the note replied to; any note of the discussion works. */
function firstNote({ notes = [] }: ReadNotes, { discussion_id }: Input): number {
  const [first] = notes;
  if (first !== undefined) return first.id;
  throw new Failure("notFound", `discussion ${discussion_id} has no note to reply to`);
}

interface PostInput extends BodyInput, CaptchaInput {
  created_at?: string | undefined;
  internal?: boolean | undefined;
}

interface Details {
  /** The editor's initial content. */
  initial(): Promise<string>;
  /** Further parameters, looked up once there is a text to send. */
  more(): Promise<object>;
}

/** Checks the flags, then posts the text. */
async function send(
  context: Context,
  endpoint: Endpoint<object>,
  { body, body_file, captcha_response, spam_log_id, ...input }: PostInput & ParentInput,
  { initial, more }: Details,
): Promise<unknown> {
  checkCreatedAt(input.created_at);
  const options = captchaOptions({ captcha_response, spam_log_id });
  const post = async (text: string | undefined, afterWait?: Look) => {
    const deletes = endpoint.method === "PUT" && text !== undefined && isOnlyCommands(text);
    if (deletes) {
      await confirm(context, deletion);
      // The text of an editor may be that of a note which was changed while the question was open.
      await afterWait?.();
    }
    if (text !== undefined) warnOfCommands(context, text);
    // Ignored by requests that do not have it.
    const twin = input.internal === undefined ? {} : { confidential: input.internal };
    const values = { ...input, ...twin, ...(await more()), body: text };
    return context.api
      .call(endpoint, values, { ...options, ...(afterWait && { afterWait }) })
      .catch((error: unknown) => {
        throw input.created_at === undefined ? error : withRole(error);
      })
      .catch(publicNote(context, input))
      .catch(mayBeStored(text ?? ""))
      .catch((error: unknown) => {
        throw deletes ? withDoubt(error) : error;
      })
      .then(refuseUnapplied(text ?? "", { deletes, isNew: endpoint.method === "POST" }));
  };
  if (body === undefined && body_file === undefined && isTextOptional(endpoint, input)) return post(undefined);
  return withBody(context, { body, body_file }, initial, post);
}

const deletion: Question = {
  action: "delete the note, since its new text is only commands",
  remark: "instances run the commands, and delete the note",
  instead: "to keep it, add a line that is no command",
};

/** The note is deleted even if none of the commands applies, which is refused with 400. */
function withDoubt(error: unknown): unknown {
  if (!(error instanceof Failure) || error.details.status !== 400) return error;
  const outcomeText = "the note may be deleted in spite of that: look at it before you run this again";
  return error.with({ outcome: "unknown", outcomeText, retryable: false });
}

/** The text may be left out if the request does not require it and something else is changed. */
function isTextOptional(endpoint: AnyEndpoint, input: Readonly<Record<string, unknown>>): boolean {
  const places = pathNames(endpoint);
  const others = Object.keys(endpoint.params).filter((name) => !places.includes(name));
  return endpoint.params.body?.required !== true && others.some((name) => input[name] !== undefined);
}

/** Backdating requires a higher role than writing (`2-collaboration-identity-api: Authentication`). */
function withRole(error: unknown): unknown {
  if (!(error instanceof Failure) || error.exit !== "forbidden") return error;
  const hint = "--created-at is for administrators and owners: leave it out, or use such a user's token";
  return error.with({ hint });
}

/** The platform refuses times before 1970 (`2-collaboration-identity-api: Notes`). */
function checkCreatedAt(time: string | undefined): void {
  if (time !== undefined && Date.parse(time) <= 0) {
    throw new UsageError(`--created-at: must be after 1970-01-01, not "${time}"`);
  }
}
