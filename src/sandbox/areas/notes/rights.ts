import type { Call } from "../../server/call.ts";
import { RateLimit } from "../../server/limit.ts";
import { forbidden, invalid, unauthorized } from "../../server/problem.ts";
import { roles, type User } from "../../store/model.ts";
import type { World } from "../../store/world.ts";
import type { Note } from "./model.ts";

/** Per user. The documents say that there may be such a limit, but give no number. */
const notesPerMinute = 300;

const limits = new WeakMap<World, RateLimit>();

/** The author of a note: even in a public thread, only signed-in users may write. */
export function writerOf(call: Pick<Call, "user">): User {
  if (call.user === undefined) throw unauthorized();
  return call.user;
}

/** Counts a note against its author's limit. */
export function checkRate(world: World, author: User): void {
  const limit = limits.get(world) ?? new RateLimit(notesPerMinute);
  limits.set(world, limit);
  limit.take(world, String(author.id));
}

/** Only administrators and owners may backdate notes (2-collaboration-identity-api: Notes). */
export function creationTime(level: number, time: Date | undefined): string | undefined {
  if (time === undefined) return undefined;
  if (level < roles.owner) throw forbidden();
  if (time.getTime() <= 0) throw invalid({ created_at: ["must be after 1970-01-01"] });
  return time.toISOString();
}

/** Only users who may read internal notes may write them. */
export function checkInternal(level: number, internal: boolean): void {
  if (internal && level < roles.reporter) throw forbidden();
}

/** A note can be changed by its author and by maintainers; system notes cannot be changed. */
export function checkMayChange(call: Pick<Call, "user" | "level">, note: Note): void {
  const author = writerOf(call);
  if (note.system || (note.author_id !== author.id && call.level < roles.maintainer)) throw forbidden();
}
