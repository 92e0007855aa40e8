import { Failure } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";
import { commandsOf } from "./commands-in-text.ts";

// What an answer shows of the commands in a posted text (commands-not-applied): instances accept a text whose commands
// they do not apply, since the token may not, or the item is not in that state.

/** The commands that are known to change a field, by which an answer names what it changed. */
const effects: Readonly<Record<string, string>> = { close: "state_event", merge: "merge", reopen: "state_event" };

/** Commands that change no field: an answer has nothing of them but a sentence, in the language of the token's user. */
const silent: ReadonlySet<string> = new Set([
  "approve",
  "blocked_by",
  "blocks",
  "cc",
  "link",
  "rebase",
  "relate",
  "timeline",
  "unapprove",
  "unlink",
]);

/** A sentence of a command that was not applied. */
const refusal = /^(?:cannot|could not|failed to)\b/i;
/** The same where nothing was changed: otherwise it may quote a title or a label with these words. */
const anyRefusal = /\b(?:cannot|could not|failed|not allowed|protected)\b/i;

interface Posted {
  readonly isNew: boolean;
  /** Whether the note is deleted, since its text is only commands. */
  readonly deletes: boolean;
}

/** For `then`: fails if the answer shows that commands of the text were not applied, or does not say that any was. */
export function refuseUnapplied(text: string, { deletes, isNew }: Posted): (answer: unknown) => unknown {
  return (answer) => {
    const shown = noteIn(answer);
    if (shown === undefined || !isObject(shown.commands_changes)) return answer;
    const hasNote = "body" in shown && shown.id !== null;
    // Of a changed note, instances do not say what its commands changed.
    if (hasNote && !isNew) return answer;
    const names = namesOf(commandsOf(text).filter((line) => !hasNote || !isStored(line, shown.body)));
    const changes = Object.keys(shown.commands_changes);
    const summary = Array.isArray(shown.summary) ? shown.summary.map(String) : [];
    const without = names.filter((name) => name in effects && !changes.includes(effects[name] ?? ""));
    const words = changes.length > 0 ? refusal : anyRefusal;
    const isRefused = without.length > 0 || (!hasNote && summary.some((line) => words.test(line)));
    const isSilent = summary.length > 0 && names.every((name) => silent.has(name));
    const isUnsaid = !hasNote && changes.length === 0 && !isSilent;
    if (!isRefused && !isUnsaid) return answer;
    const end = hasNote ? "; the note was stored" : deletes ? ", and deleted the note" : ", and made no note";
    const act = isRefused ? "did not apply commands of the text" : "does not say that it applied the commands";
    const reason =
      summary.join("\n") || `no change by ${(isRefused ? without : names).map((each) => `/${each}`).join(", ")}`;
    throw new Failure("partial", `the instance ${act}${end}`, {
      code: "not_applied",
      reason,
      outcome: isRefused ? (changes.length > 0 || hasNote || deletes ? "altered" : "not_taken") : "unknown",
      retryable: false,
      stored: answer as object,
    });
  };
}

/** The answered note, or that of a new discussion. */
function noteIn(answer: unknown): Record<string, unknown> | undefined {
  if (!isObject(answer)) return undefined;
  const { notes } = answer as { notes?: unknown };
  const shown = Array.isArray(notes) ? notes[0] : answer;
  return isObject(shown) ? (shown as Record<string, unknown>) : undefined;
}

/** Whether the line is in the stored text: then it was taken for text. */
function isStored(line: string, body: unknown): boolean {
  return typeof body === "string" && body.replaceAll("\r", "").split("\n").includes(line);
}

/** The names of the commands, each once. */
function namesOf(lines: readonly string[]): string[] {
  const names = lines.map((line) => /^\/([a-z_]+)/i.exec(line)?.[1]?.toLowerCase() ?? "");
  return [...new Set(names)];
}

/**
 * For `catch`: a comment beside commands is stored before they are applied, and stays if what they change is not valid
 * (400).
 */
export function mayBeStored(text: string): (error: unknown) => never {
  return (error) => {
    const isDoubtful = error instanceof Failure && error.details.status === 400 && commandsOf(text).length > 0;
    if (!isDoubtful || !/validation/i.test(JSON.stringify([error.details.reason, error.details.fields]))) throw error;
    const outcomeText = "the comment may be stored in spite of that: look at the list before you run this again";
    throw error.with({ outcome: "unknown", outcomeText, retryable: false });
  };
}
