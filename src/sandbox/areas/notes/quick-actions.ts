import type { Call } from "../../server/call.ts";
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

interface Applied {
  readonly body: string;
  readonly changes: Readonly<Record<string, string>>;
}

/** Runs the quick actions; the text without them and the blank lines behind. Those in a code block are text. */
export function applied(call: Pick<Call, "world">, noteable: Noteable, body: string): Applied {
  if (!call.world.asDeployed) return { body, changes: {} };
  const lines = body.replaceAll("\r", "").split("\n");
  const lastFence = lines.lastIndexOf("```");
  const kept: string[] = [];
  let inCode = false;
  let afterAction = false;
  let changes: Applied["changes"] = {};
  for (const [at, line] of lines.entries()) {
    const action = inCode ? undefined : inText.exec(line)?.[1];
    if (action !== undefined) changes = { ...changes, ...setState(call, noteable, action) };
    else if (!afterAction || line.trim() !== "") kept.push(line);
    afterAction = action !== undefined || (afterAction && line.trim() === "");
    inCode = inCode ? line !== "```" : line.startsWith("```") && at < lastFence;
  }
  return { body: kept.join("\n").trimEnd(), changes };
}

const inText = /^\/(close|reopen)(?: .*)?$/;

/** Real instances accept those that do not apply: here, to what is in that state already. */
function run(call: Pick<Call, "world">, noteable: Noteable, action: string): Reply {
  const commands_changes = setState(call, noteable, action);
  const done = action === "close" ? "Closed this." : "Reopened this.";
  const isDone = Object.keys(commands_changes).length > 0;
  return accepted({ commands_changes, summary: [isDone ? done : `Could not apply ${action} command.`] });
}

/** What that changed. */
function setState({ world }: Pick<Call, "world">, { type, id }: Noteable, action: string): Applied["changes"] {
  if (type !== "Issue" && type !== "MergeRequest") return {};
  const table = type === "Issue" ? world.store.table(issues) : world.store.table(mergeRequests);
  const present = table.get(id);
  const state = action === "close" ? "closed" : "opened";
  if (present === undefined || present.state === state || present.state === "merged") return {};
  table.update(id, { state });
  return { state_event: action };
}
