import type { Endpoint } from "../../api/endpoint.ts";
import type { Fields } from "../../api/field.ts";
import { Failure, UsageError } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { choose } from "../../verbs/choose.ts";
import { type CaptchaInput, captchaFlags, captchaOptions } from "./captcha.ts";
import { type BodyInput, bodyFlags, withBody } from "./text.ts";

/** The flags of a command that posts a text: where it comes from, and the answer to a spam challenge. */
export const postFlags = { ...bodyFlags, ...captchaFlags };

interface PostInput extends BodyInput, CaptchaInput {
  created_at?: string | undefined;
}

interface Post {
  /** What the editor begins with. */
  initial?: () => Promise<string>;
  /** More of the request, looked up once there is a text to send. */
  more?: () => Promise<object>;
}

/** Posts a text to the parent given, once all that can be wrong with the flags has been checked. */
export async function post<O, S extends Fields>(
  context: Context,
  endpoints: readonly Endpoint<never, O, S>[],
  { body, body_file, captcha_response, spam_log_id, ...input }: PostInput,
  { initial = async () => "", more = async () => ({}) }: Post = {},
): Promise<O> {
  const endpoint = choose(endpoints, input);
  checkCreatedAt(input.created_at);
  const options = captchaOptions({ captcha_response, spam_log_id });
  return withBody(context, { body, body_file }, initial, async (text) => {
    const values = { ...input, ...(await more()), body: text };
    return context.api.call(endpoint, values, options).catch((error: unknown) => {
      throw input.created_at === undefined ? error : withRole(error);
    });
  });
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
