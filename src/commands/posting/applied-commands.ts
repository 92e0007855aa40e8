import { Failure } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";
import { ownValue } from "../../base/own-value.ts";
import { commandsOf, isOnlyCommands } from "./commands-in-text.ts";

// What an answer shows of the commands in a posted text (commands-not-applied): instances accept a text whose commands
// they do not apply, since the token may not, or the item is not in that state.

/**
 * The commands whose effect is always a field of `commands_changes`, with its names. The commands that remove something
 * are left out: where there is nothing to remove, nothing is missing. So are those that no field is shown of, such as
 * `/approve` and `/move`.
 */
const effects: Readonly<Record<string, readonly string[]>> = {
  assign: ["assignee_ids"],
  assign_reviewer: ["reviewer_ids"],
  close: ["state_event"],
  due: ["due_date"],
  estimate: ["time_estimate"],
  label: ["add_label_ids", "label_ids"],
  labels: ["add_label_ids", "label_ids"],
  merge: ["merge"],
  milestone: ["milestone_id"],
  reassign: ["assignee_ids"],
  relabel: ["label_ids", "add_label_ids"],
  reopen: ["state_event"],
  reviewer: ["reviewer_ids"],
  spend: ["spend_time"],
  target_branch: ["target_branch"],
  title: ["title"],
  weight: ["weight"],
};

/** What a command that was not applied says in English. */
const refusal =
  /(?:^|\s)(?:cannot|not|\w+n['’]t|failed to|unable to|went wrong|try again)(?=[\s.,:]|$)|^no\b(?! change\b)/i;
/** What one that was applied says in English: one of the first words is a participle. */
const success = /^(?:\S+ ){0,5}(?:\w+ed|made|set)\b/i;

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
    const changed = shown.commands_changes;
    const changes = Object.keys(changed);
    // Of a changed note, and of a new discussion, instances do not say what the commands changed.
    if (hasNote && (!isNew || ("notes" in (answer as object) && changes.length === 0))) return answer;
    const names = namesOf(commandsOf(text).filter(hasNote ? notStoredIn(shown.body) : () => true));
    const summary = Array.isArray(shown.summary) ? shown.summary.map(String) : [];
    const said = summary.flatMap((each) => sentencesOf(each, changed.title));
    const without = names.filter(
      (name) => ownValue(effects, name)?.some((field) => isEffect(field, changed)) === false,
    );
    const refused = said.filter((each) => refusal.test(each));
    const applied = said.filter((each) => !refused.includes(each) && success.test(each));
    const isRefused = without.length > 0 || refused.length > 0;
    const isUnsaid = !hasNote && changes.length === 0 && applied.length === 0;
    if (!isRefused && !isUnsaid) return answer;
    const end = hasNote ? "; the note was stored" : deletes ? ", and deleted the note" : ", and made no note";
    const act = isRefused ? "did not apply commands of the text" : "does not say that it applied the commands";
    const isAltered = hasNote || deletes || changes.length > 0 || (applied.length > 0 && names.length > 1);
    throw new Failure("partial", `the instance ${act}${end}`, {
      code: "not_applied",
      reason:
        summary.join("\n") || `no change by ${(isRefused ? without : names).map((each) => `/${each}`).join(", ")}`,
      outcome: isRefused ? (isAltered ? "altered" : "not_taken") : "unknown",
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

/**
 * Whether a field is the effect of its command. A time that cannot be read is stored as none; of the commit that
 * `/merge` is for, some answers have none.
 */
function isEffect(field: string, changed: Record<string, unknown>): boolean {
  const value = ownValue(changed, field);
  return value !== undefined && (value !== null || field === "merge");
}

/**
 * The sentences of a summary, which has those of all commands in one text, without the titles and labels in quotes. A
 * title may have quotes of its own.
 */
function sentencesOf(summary: string, title: unknown): string[] {
  const quoted = typeof title === "string" ? summary.replaceAll(`"${title}"`, '""') : summary;
  return quoted.replace(/"[^"]*"/g, '""').split(/(?<=[.!?])\s+/);
}

/**
 * Whether a line is not in the stored text: there it was taken for text. Instances remove white space at the end of a
 * text.
 */
function notStoredIn(body: unknown): (line: string) => boolean {
  const lines = typeof body === "string" ? body.replaceAll("\r", "").split("\n") : [];
  const stored = new Set(lines.map((line) => line.trimEnd()));
  return (line) => !stored.has(line.trimEnd());
}

/** The names of the commands, each once. */
function namesOf(lines: readonly string[]): string[] {
  const names = lines.map((line) => /^\/([a-z_]+)/i.exec(line)?.[1]?.toLowerCase() ?? "");
  return [...new Set(names)];
}

/**
 * For `catch`: a comment beside commands is stored before they are applied, and stays if what they change is not valid
 * (400). Of a thread, older releases answer so too where nothing is left of the text, with its commands applied.
 */
export function mayBeStored(text: string): (error: unknown) => never {
  return (error) => {
    const isDoubtful = error instanceof Failure && error.details.status === 400 && commandsOf(text).length > 0;
    const said = isDoubtful ? JSON.stringify([error.details.reason, error.details.fields]) : "";
    if (!isDoubtful || !/validation|blank/i.test(said)) throw error;
    const outcomeText = isOnlyCommands(text)
      ? "the commands may be applied in spite of that: look at the item before you run this again"
      : "the comment may be stored in spite of that: look at the list before you run this again";
    throw error.with({ outcome: "unknown", outcomeText, retryable: false });
  };
}
