import { getUser } from "../../api/endpoints/users.ts";
import { Failure, undefinedOn } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { idOf } from "../../verbs/lookup.ts";
import { unlessRefused } from "../../verbs/optional-call.ts";

// Events that an instance leaves out, and does not say so.

/** How many events of all projects, or of each, instances look at with `scope=all` (events-of-all-projects). */
const newest = 20;

export interface Asked {
  readonly user?: string | undefined;
  readonly scope?: string | undefined;
}

/** Counts the events that are shown, and then says what may be missing. */
export class Omissions {
  readonly #context: Context;
  readonly #asked: Asked;
  readonly #ofProject = new Map<unknown, number>();
  #isEmpty = true;

  constructor(context: Context, asked: Asked) {
    this.#context = context;
    this.#asked = asked;
  }

  note(events: readonly { project_id?: unknown }[]): void {
    if (events.length > 0) this.#isEmpty = false;
    if (this.#asked.scope === undefined) return;
    for (const { project_id: id } of events) this.#ofProject.set(id, (this.#ofProject.get(id) ?? 0) + 1);
  }

  /**
   * @param isCut there are others, so that the newest are known
   * @throws Failure if the instance hides the events of this user
   */
  async end(isCut: boolean): Promise<void> {
    const { user, scope } = this.#asked;
    if (user !== undefined && this.#isEmpty) await refuseHidden(this.#context, user);
    if (scope === undefined || isCut || [...this.#ofProject.values()].some((count) => count > newest)) return;
    this.#context.warn(
      `an instance may look only at the newest ${newest} events of all your projects together, and filter these: ` +
        "for all events, list those of each project with -p",
    );
  }
}

/**
 * An empty list may mean that a profile is private, or an account blocked or not confirmed (events-hidden): only its
 * user and administrators see the events, and since when it exists.
 */
async function refuseHidden(context: Context, name: string): Promise<void> {
  // By its name a blocked account is found by administrators only, but its events are an empty list.
  const id = await idOf(context, "user", name, "--user", false).catch(undefinedOn("notFound"));
  const unlisted = { username: name, state: "blocked" };
  const user = id === undefined ? unlisted : await unlessRefused(context.api.call(getUser, { user_id: id }));
  if (user === undefined) {
    context.warn(`user ${name} was not read: whether the instance hides the events of a private profile is not known`);
    return;
  }
  if (Object.hasOwn(user, "created_at")) return;
  const { username, state } = user;
  throw new Failure("forbidden", `the instance does not show the events of ${username} to this user`, {
    code: "not_shown",
    reason: state === "active" ? "the profile is private, or the address is not confirmed" : `the account is ${state}`,
    hint: "use the token of an administrator",
  });
}
