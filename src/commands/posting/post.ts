import { type AnyEndpoint, type Endpoint, pathNames } from "../../api/endpoint.ts";
import type { Fields } from "../../api/field.ts";
import { Failure, UsageError } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { type Command, command } from "../../declare/command.ts";
import { choose } from "../../verbs/choose.ts";
import { withWhole } from "../../verbs/shortened.ts";
import { recordOf, type Shown } from "../../verbs/shown.ts";
import { described, type Told } from "../../verbs/verbs.ts";
import { type CaptchaInput, captchaFlags, captchaOptions } from "./captcha.ts";
import { type BodyInput, bodyFlags, withBody } from "./text.ts";

/** The flags of a command that posts a text: where it comes from, and the answer to a spam challenge. */
export const postFlags = { ...bodyFlags, ...captchaFlags };

interface Posting<S extends Fields> extends Told<S> {
  summary: string;
  shown: Shown<S>;
  /** Show the note that is changed, or the discussion that it is in: the editor begins with its text. */
  present?: readonly Endpoint[];
}

type Input = PostInput & Readonly<Record<string, unknown>>;

/** Posts a text to the parent given, and shows what came of it. */
export function post<S extends Fields>(
  name: string,
  endpoints: readonly Endpoint[],
  { present, shown, shortened, ...told }: Posting<S>,
): Command {
  return command({
    name,
    verb: "post",
    returns: shown.entity,
    ...told,
    ...described(endpoints, { ...told, params: { ...told.params, ...postFlags } }),
    run: async (context, input: Input) => {
      const more = async () => (shortened === undefined ? input : withWhole(context, input, shortened));
      const initial = async () =>
        present === undefined ? "" : textIn(await context.api.call(choose(present, input), await more()), input);
      const answer = await postText(context, endpoints, input, { initial, more });
      return recordOf(shown, answer as object, input);
    },
  });
}

/** The text of a note, or of the one of a discussion that was named. */
function textIn(found: unknown, { note_id }: Input): string {
  const { body, notes = [] } = found as { body?: string; notes?: readonly { id: number; body: string }[] };
  return body ?? notes.find(({ id }) => id === note_id)?.body ?? "";
}

interface PostInput extends BodyInput, CaptchaInput {
  created_at?: string | undefined;
}

interface Details {
  /** What the editor begins with. */
  initial?: () => Promise<string>;
  /** More of the request, looked up once there is a text to send. */
  more: () => Promise<object>;
}

/** Posts a text to the parent given, once all that can be wrong with the flags has been checked. */
export async function postText<O, S extends Fields>(
  context: Context,
  endpoints: readonly Endpoint<never, O, S>[],
  { body, body_file, captcha_response, spam_log_id, ...input }: PostInput,
  { initial = async () => "", more }: Details,
): Promise<O> {
  const endpoint = choose(endpoints, input);
  checkCreatedAt(input.created_at);
  const options = captchaOptions({ captcha_response, spam_log_id });
  const send = async (text: string | undefined) => {
    const values = { ...input, ...(await more()), body: text };
    return context.api.call(endpoint, values, options).catch((error: unknown) => {
      throw input.created_at === undefined ? error : withRole(error);
    });
  };
  if (body === undefined && body_file === undefined && mayStay(endpoint, input)) return send(undefined);
  return withBody(context, { body, body_file }, initial, send);
}

/** The text may stay as it is where the request does without, and something else is to change. */
function mayStay(endpoint: AnyEndpoint, input: Readonly<Record<string, unknown>>): boolean {
  const places = pathNames(endpoint);
  const others = Object.keys(endpoint.params).filter((name) => !places.includes(name));
  return endpoint.params.body?.required !== true && others.some((name) => input[name] !== undefined);
}

/** Who may date back is less than who may write (`2-collaboration-identity-api: Authentication`). */
function withRole(error: unknown): unknown {
  if (!(error instanceof Failure) || error.exit !== "forbidden") return error;
  const hint = "--created-at is for administrators and owners: leave it out, or use the token of one";
  return error.with({ hint });
}

/** No note can be dated back to before the beginning of time (`2-collaboration-identity-api: Notes`). */
function checkCreatedAt(time: string | undefined): void {
  if (time !== undefined && Date.parse(time) <= 0) {
    throw new UsageError(`--created-at: must be after 1970-01-01, not "${time}"`);
  }
}
