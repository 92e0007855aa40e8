import { Failure } from "../../base/errors.ts";
import { isId } from "../../base/group-paths.ts";
import { commandLine } from "../../base/shell-words.ts";
import type { Context } from "../../context.ts";

/** The parent of a note, as typed. */
export interface ParentInput {
  internal?: boolean | undefined;
  project?: string | undefined;
  group?: string | undefined;
  issue_iid?: number | undefined;
  epic_id?: number | undefined;
}

/**
 * For `catch`: if the instance stored an internal note as a public one, the error says that first, and how to delete
 * the note.
 */
export function publicNote(context: Context, input: ParentInput): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Failure) || input.internal !== true || !hasInternal(error)) throw error;
    const { id, noteable_iid: iid } = error.details.stored as { id?: unknown; noteable_iid?: unknown };
    const message = `note ${id} is public: the instance stored it without internal`;
    throw error.with({ message, hint: deletion(context, input, { id, iid }) });
  };
}

function hasInternal({ details: { stored, fields = {} } }: Failure): boolean {
  return stored !== undefined && "internal" in fields;
}

/** Notes of epics can be deleted only on the web: the API has no request for it. */
function deletion({ config }: Context, input: ParentInput, { id, iid }: { id: unknown; iid: unknown }): string {
  const { project = "", group = "", issue_iid: issue } = input;
  if (issue !== undefined) {
    return `forgectl ${commandLine(["notes", "delete", String(id), "--issue", String(issue), "-p", project, "--yes"])}`;
  }
  const isPath = !isId(group) && config.baseUrl !== undefined && typeof iid === "number";
  const page = isPath ? `${config.baseUrl?.value}/groups/${group}/-/epics/${iid}#note_${id}` : "the epic's page";
  return `delete it on the web, the API has no request for it: ${page}`;
}
