import type { AnyEndpoint } from "../../api/endpoint.ts";
import { exitOf } from "../../api/failure.ts";
import { Failure } from "../../base/errors.ts";
import { uncapitalize } from "../../base/wording.ts";

/**
 * The settings in the answer to a change. Instances answer a refused change with 200 and `{status: "error", message,
 * http_status}`: a Failure with that message, and the exit code of that status (400 if there is none).
 */
export function accepted<T extends object>(endpoint: AnyEndpoint, answer: T): T {
  const { status, message, http_status } = answer as { status?: unknown; message?: unknown; http_status?: unknown };
  if (status !== "error") return answer;
  const meant = typeof http_status === "number" ? http_status : 400;
  const { summary, method } = endpoint;
  throw new Failure(exitOf(meant), `could not ${uncapitalize(summary)}`, {
    code: "invalid",
    status: meant,
    method,
    reason: typeof message === "string" && message !== "" ? message : "the instance refused it without a reason",
    outcome: "none",
    retryable: false,
  });
}
