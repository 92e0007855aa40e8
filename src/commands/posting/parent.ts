import { epic_id, issue_iid, merge_request_iid, snippet_id } from "../../api/endpoints/parents.ts";
import { group, project } from "../../api/endpoints/scope.ts";
import type { Field } from "../../api/field.ts";

const parents = { issue_iid, merge_request_iid, snippet_id, epic_id };
type Parent = keyof typeof parents;

/** The flags that name the parent of notes and discussions, and its scope. */
type ParentFlags = typeof parents & { project: typeof project; group: typeof group };

/** The same flags in an undo line; what is posted to an epic cannot be changed or deleted. */
export const parentInUndo = "-p {project} [--issue {issue_iid}] [--mr {merge_request_iid}] [--snippet {snippet_id}]";

/**
 * The parent flags of a command. `refused` gives the reason why a kind of parent is not supported; its flag is left out
 * of help, and giving it is a usage error with that reason.
 */
export function parentFlags(refused: Partial<Record<Parent, string>> = {}): ParentFlags {
  const flags: Record<string, Field> = {};
  for (const [name, field] of Object.entries(parents)) {
    const reason = refused[name as Parent];
    flags[name] = reason === undefined ? field : { ...field, refused: reason };
  }
  const hasGroup = Object.values(flags).some(({ within, refused: why }) => within === "group" && why === undefined);
  const { scope: _, ...unscoped } = group;
  const groupFlag = hasGroup ? group : { ...unscoped, refused: "only epics are in a group" };
  return { ...flags, project, group: groupFlag } as ParentFlags;
}
