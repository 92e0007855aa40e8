import type { CallOptions } from "../../api/api.ts";
import { id, string } from "../../api/field.ts";
import { UsageError } from "../../base/errors.ts";

/** The answer to a spam challenge (`1-project-api: Errors`), for every command that posts text. */
export const captchaFlags = {
  captcha_response: string("Answer to the spam challenge of an earlier attempt", {
    placeholder: "answer",
    pattern: { test: /^[!-~]+$/, words: "one word of ASCII characters" },
  }),
  spam_log_id: id("Spam log ID of that challenge", { placeholder: "id" }),
};

export interface CaptchaInput {
  captcha_response?: string | undefined;
  spam_log_id?: number | undefined;
}

/** The answer as request headers: both parts or neither. */
export function captchaOptions({ captcha_response: response, spam_log_id: log }: CaptchaInput): CallOptions {
  if ((response === undefined) !== (log === undefined)) {
    throw new UsageError("--captcha-response and --spam-log-id must be given together");
  }
  if (response === undefined) return {};
  return { headers: { "X-Service-Captcha-Response": response, "X-Service-Spam-Log-Id": String(log) } };
}
