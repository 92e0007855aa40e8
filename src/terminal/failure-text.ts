import { exitCodes, type Failure, type FailureDetails, outcomeIn, UsageError } from "../base/errors.ts";
import type { TerminalText } from "../host.ts";
import { blanks, joined, jsonText, linesOf, safe, visibleLines } from "./sanitize.ts";
import { labeled, type Style } from "./style.ts";

interface FailureOptions {
  /** One JSON object instead of text: with `-o json` and `ndjson`. */
  json: boolean;
  style: Style;
  /** Redacts secrets. Runs before control characters are replaced, which would change the secret's text. */
  redact: (text: string) => string;
  /** The stack trace, for `--debug`. */
  trace?: string | undefined;
}

/** The text of a failure on stderr, including the last line feed. */
export function renderFailure(error: Failure, options: FailureOptions): TerminalText {
  const help = helpFor(error);
  const text = options.json ? failureJson(error, help, options) : failureText(error, help, options);
  return safe`${text}\n${visibleLines(options.redact(options.trace ?? ""))}`;
}

function helpFor(error: Failure): string | undefined {
  if (!(error instanceof UsageError) || error.command === undefined) return undefined;
  return error.command === "" ? "forgectl --help" : `forgectl ${error.command} --help`;
}

const labelWidth = "cause: ".length;

function failureText(error: Failure, help: string | undefined, { style, redact }: FailureOptions): TerminalText {
  const { details } = error;
  const lines: TerminalText[] = [];
  const add = (label: TerminalText, text: string | undefined, paint: Style["dim"] = style.dim) => {
    if (text !== undefined && text !== "") {
      lines.push(safe`${paint(label)}${blanks(Math.max(1, labelWidth - label.length))}${indented(redact(text))}`);
    }
  };
  add(safe`error:`, error.message + origin(details, style.signs.arrow), (label) => labeled(style, "bad", label));
  add(safe`cause:`, details.reason);
  // Of what is stored otherwise, the cause names each field.
  const fields = details.stored === undefined ? (details.fields ?? {}) : {};
  for (const [path, messages] of Object.entries(fields)) {
    for (const message of messages) add(safe`field:`, `${path}: ${message}`);
  }
  add(safe`outcome:`, outcomeIn(details));
  add(safe`try:`, details.hint, style.cyan);
  add(safe`see:`, help, style.cyan);
  add(safe`request-id:`, details.requestId);
  return joined(lines, safe`\n`);
}

/** Indents all lines of a text behind its label, so that a server cannot fake a `try:` line. */
function indented(text: string): TerminalText {
  return joined(linesOf(visibleLines(text.trimEnd())), safe`\n${blanks(labelWidth)}`);
}

function origin({ method, path, status }: FailureDetails, arrow: string): string {
  const request = [method, path].filter((part) => part !== undefined).join(" ");
  const answer = status === undefined ? "" : `${arrow} ${status}`;
  const parts = [request, answer].filter((part) => part !== "").join(" ");
  return parts === "" ? "" : ` (${parts})`;
}

function failureJson(error: Failure, help: string | undefined, { redact }: FailureOptions): TerminalText {
  const tree = { error: failureObject(error, help) };
  return jsonText(JSON.parse(JSON.stringify(tree), (_, value) => (typeof value === "string" ? redact(value) : value)));
}

/**
 * A failure for programs. Every key is always present, null if unknown, so that scripts need no `has`;
 * those of a spam challenge only with one.
 */
export function failureObject(error: Failure, help = helpFor(error)): Record<string, unknown> {
  const { details } = error;
  return {
    code: error.code,
    exit: exitCodes[error.exit],
    status: details.status ?? null,
    method: details.method ?? null,
    path: details.path ?? null,
    message: error.message,
    cause: details.reason ?? null,
    fields: details.fields ?? null,
    hint: details.hint ?? help ?? null,
    ...details.challenge,
    retryable: details.retryable ?? false,
    outcome: details.outcome === "none" ? null : (details.outcome ?? null),
    outcome_text: outcomeIn(details) ?? null,
    request_id: details.requestId ?? null,
  };
}
