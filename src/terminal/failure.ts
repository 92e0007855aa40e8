import { exitCodes, type Failure, type FailureDetails, UsageError } from "../errors.ts";
import { jsonText, visibleLines } from "./sanitize.ts";
import type { Style } from "./style.ts";

interface FailureOptions {
  /** One JSON object instead of text: with `-o json` and `ndjson`. */
  json: boolean;
  style: Style;
}

/** What stderr says of a failure, its last line feed included. */
export function renderFailure(error: Failure, options: FailureOptions): string {
  const help = helpFor(error);
  return `${options.json ? failureJson(error, help) : failureText(error, options.style, help)}\n`;
}

function helpFor(error: Failure): string | undefined {
  if (!(error instanceof UsageError) || error.command === undefined) return undefined;
  return error.command === "" ? "forgectl --help" : `forgectl ${error.command} --help`;
}

const labelWidth = "cause: ".length;

function failureText(error: Failure, style: Style, help: string | undefined): string {
  const { details } = error;
  const lines: string[] = [];
  const add = (label: string, text: string | undefined, paint: (label: string) => string = style.dim) => {
    if (text !== undefined && text !== "") {
      lines.push(paint(label) + " ".repeat(Math.max(1, labelWidth - label.length)) + indented(text));
    }
  };
  add("error:", error.message + origin(details), (label) => style.bold(style.red(label)));
  add("cause:", details.reason);
  for (const [path, messages] of Object.entries(details.fields ?? {})) {
    for (const message of messages) add("field:", `${path}: ${message}`);
  }
  add("try:", details.hint, style.cyan);
  add("see:", help, style.cyan);
  add("request-id:", details.requestId);
  return lines.join("\n");
}

/** A text of several lines stays behind its label, so that a server cannot write a `try:` line of its own. */
function indented(text: string): string {
  return visibleLines(text.trimEnd()).replaceAll("\n", `\n${" ".repeat(labelWidth)}`);
}

function origin({ method, path, status }: FailureDetails): string {
  const request = [method, path].filter((part) => part !== undefined).join(" ");
  const answer = status === undefined ? "" : `→ ${status}`;
  const parts = [request, answer].filter((part) => part !== "").join(" ");
  return parts === "" ? "" : ` (${parts})`;
}

/** Every key is always there, null where nothing is known, so that a script needs no `has`. */
function failureJson(error: Failure, help: string | undefined): string {
  const { details } = error;
  return jsonText({
    error: {
      code: error.code,
      exit: exitCodes[error.exit],
      status: details.status ?? null,
      method: details.method ?? null,
      path: details.path ?? null,
      message: error.message,
      cause: details.reason ?? null,
      fields: details.fields ?? null,
      hint: details.hint ?? help ?? null,
      captcha_site_key: details.challenge?.captcha_site_key ?? null,
      spam_log_id: details.challenge?.spam_log_id ?? null,
      retryable: details.retryable ?? null,
      outcome: details.outcome ?? null,
      request_id: details.requestId ?? null,
    },
  });
}
