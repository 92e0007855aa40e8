import type { Call } from "../../server/call.ts";
import { badRequest } from "../../server/problem.ts";
import { accepted, type Reply } from "../../server/reply.ts";
import type { World } from "../../store/world.ts";
import { issues, mergeRequests, type Note, notes } from "./model.ts";
import type { Noteable } from "./noteables.ts";
import { checkMayChange } from "./rights.ts";

const known = /^\/(close|reopen)[ \t]*$/;

/**
 * Real instances run a changed text that is only quick actions, and delete the note, even if none applies. Here /close
 * and /reopen are known; undefined for any other text.
 */
export function runActions(
  call: Pick<Call, "world" | "user" | "level">,
  noteable: Noteable,
  note: Note,
  body: string | undefined,
): Reply | undefined {
  const { world } = call;
  const action = lastAction(world, body);
  if (action === undefined) return undefined;
  checkMayChange(call, note);
  world.store.table(notes).delete(note.id);
  return run(call, noteable, action);
}

/** The same for a new text, of which no note is made. */
export function runNew(call: Pick<Call, "world">, noteable: Noteable, body: string): Reply | undefined {
  const action = lastAction(call.world, body);
  return action === undefined ? undefined : run(call, noteable, action);
}

/** The last quick action of a text that has nothing else. */
function lastAction({ asDeployed }: World, body = ""): string | undefined {
  const lines = body.split("\n").filter((line) => line.trim() !== "");
  const actions = lines.flatMap((line) => known.exec(line)?.[1] ?? []);
  return asDeployed && actions.length === lines.length ? actions.at(-1) : undefined;
}

/** The text without its quick actions and the blank lines behind them, once run; those in a code block are text. */
export function applied(call: Pick<Call, "world">, noteable: Noteable, body: string): string {
  if (!call.world.asDeployed) return body;
  const lines = body.replaceAll("\r", "").split("\n");
  const lastFence = lines.lastIndexOf("```");
  const kept: string[] = [];
  let inCode = false;
  let afterAction = false;
  for (const [at, line] of lines.entries()) {
    const action = inCode ? undefined : inText.exec(line)?.[1];
    if (action !== undefined) setState(call, noteable, action === "close" ? "closed" : "opened");
    else if (!afterAction || line.trim() !== "") kept.push(line);
    afterAction = action !== undefined || (afterAction && line.trim() === "");
    inCode = inCode ? line !== "```" : line.startsWith("```") && at < lastFence;
  }
  return kept.join("\n").trimEnd();
}

const inText = /^\/(close|reopen)(?: .*)?$/;

function run(call: Pick<Call, "world">, noteable: Noteable, action: string): Reply {
  const state = action === "close" ? "closed" : "opened";
  if (!setState(call, noteable, state)) throw badRequest("Commands did not apply");
  const event = state === "closed" ? "close" : "reopen";
  return accepted({
    commands_changes: { state_event: event },
    summary: [`${state === "closed" ? "Closed" : "Reopened"} this.`],
  });
}

/** Whether that changed anything. */
function setState({ world }: Pick<Call, "world">, { type, id }: Noteable, state: "opened" | "closed"): boolean {
  if (type !== "Issue" && type !== "MergeRequest") return false;
  const table = type === "Issue" ? world.store.table(issues) : world.store.table(mergeRequests);
  const present = table.get(id);
  if (present === undefined || present.state === state || present.state === "merged") return false;
  table.update(id, { state });
  return true;
}
