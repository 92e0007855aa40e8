import type { Call } from "../../server/call.ts";
import { conflict, forbidden, missing, Problem } from "../../server/problem.ts";
import { roles, type User } from "../../store/model.ts";
import { mergeRequests } from "./model.ts";
import type { Noteable } from "./noteables.ts";
import { addNote } from "./threads.ts";

type Merging = Pick<Call, "world" | "level">;

const command = /^\/merge[ \t]*$\n?/gm;

/** Whether a text contains the merge quick action: `/merge` on its own line. */
export function holdsMerge(text: string): boolean {
  return text.search(command) >= 0;
}

/** The text without the quick action. */
export function withoutMerge(text: string): string {
  return text.replace(command, "").trim();
}

interface Merged {
  readonly commands_changes: { readonly merge?: string };
  readonly summary: readonly string[];
}

/** The effects of the merge quick action; real instances accept one that they do not run. */
export function mergedBy(call: Merging, author: User, noteable: Noteable, head?: string): Merged {
  try {
    const merge = run(call, author, noteable, head);
    return { commands_changes: { merge }, summary: ["Merged this merge request."] };
  } catch (error) {
    if (!call.world.asDeployed || !(error instanceof Problem)) throw error;
    const present = call.world.store.table(mergeRequests).get(noteable.id);
    const isMoved = head !== undefined && present?.state === "opened" && present.head_sha !== head;
    const summary = isMoved
      ? "Branch has been updated since the merge was requested."
      : "Could not apply merge command.";
    return { commands_changes: {}, summary: [summary] };
  }
}

/**
 * Runs the merge quick action. It requires the head commit; if the merge request has a newer one, nothing is merged
 * (2-collaboration-identity-api: Notes). The document does not show that answer; here it is a 409.
 */
function run(call: Merging, author: User, noteable: Noteable, head?: string): string {
  const table = call.world.store.table(mergeRequests);
  const present = table.get(noteable.id);
  if (head === undefined) throw missing("merge_request_diff_head_sha");
  if (call.level < roles.developer) throw forbidden();
  if (present?.state !== "opened") throw conflict("the merge request is not open");
  if (present.head_sha !== head) throw conflict("the merge request was updated after the request was sent");
  table.update(present.id, { state: "merged" });
  addNote(call.world, noteable, { author_id: author.id, body: `merged at ${head}`, system: true });
  call.world.record({
    author_id: author.id,
    project_id: present.project_id,
    action_name: "accepted",
    target_id: present.id,
    target_iid: present.iid,
    target_type: "MergeRequest",
    target_title: present.title,
  });
  return head;
}
