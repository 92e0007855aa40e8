import { duration } from "../../terminal/time.ts";

/** The fields of a delivery that describe a failure (`2-collaboration-identity-api: Hook event record`). */
export interface Failed {
  readonly response_status: unknown;
  readonly response_body: unknown;
  /** Seconds. */
  readonly execution_duration: unknown;
}

/** The status of a delivery without an answer. The instance does not report the reason. */
const unanswered = "internal error";

/** Maximum characters of an instance's reason. */
const maxReason = 120;

/** How a delivery failed, in words: "answered 503 Service Unavailable", "no answer after 10s". */
export async function failureWords({ response_status, response_body, execution_duration }: Failed): Promise<string> {
  const status = String(response_status ?? unanswered);
  if (/^\d{3}$/.test(status)) {
    const { STATUS_CODES } = await import("node:http");
    return ["answered", status, STATUS_CODES[status] ?? ""].join(" ").trim();
  }
  const reason = status === unanswered ? firstLine(response_body) : status;
  if (reason !== "") return reason.startsWith("no answer") ? reason : `no answer: ${reason}`;
  return typeof execution_duration === "number" ? `no answer after ${duration(execution_duration)}` : "no answer";
}

function firstLine(text: unknown): string {
  if (typeof text !== "string") return "";
  const [line = ""] = text.trim().split(/\r?\n/);
  return line.length > maxReason ? `${line.slice(0, maxReason)}...` : line;
}
