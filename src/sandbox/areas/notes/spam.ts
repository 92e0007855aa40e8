import type { Call } from "../../server/call.ts";
import { Problem } from "../../server/problem.ts";
import type { User } from "../../store/model.ts";
import { spamLogs } from "./model.ts";

/** A text with this word gets a challenge, which any answer passes. */
const suspicious = "sandbox-spam";
/** A text with this word is refused, as an instance without a CAPTCHA service refuses spam. */
const refused = "sandbox-refused-spam";

const reason = "Your note has been recognized as spam and has been discarded.";

/**
 * Refuses text that looks like spam (1-project-api: Errors). The documented headers answer the challenge; a spam log is
 * valid for one text of its user.
 */
export function checkSpam({ world, header }: Pick<Call, "world" | "header">, user: User, text: string): void {
  if (text.includes(refused)) throw new Problem(400, { message: { error: reason } });
  if (!text.includes(suspicious)) return;
  const table = world.store.table(spamLogs);
  const log = table.get(Number(header("x-service-spam-log-id")));
  if (header("x-service-captcha-response") && log?.user_id === user.id && log.text === text) {
    table.delete(log.id);
    return;
  }
  const { id } = table.insert({ user_id: user.id, text, created_at: world.timestamp() });
  throw new Problem(400, {
    needs_captcha_response: true,
    spam_log_id: id,
    captcha_site_key: "sandbox-site-key",
    message: { error: `${reason} Please solve the challenge to proceed.` },
  });
}
