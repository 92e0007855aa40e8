import { Failure } from "../../../base/errors.ts";
import type { Context } from "../../../context.ts";
import { levelIn, Protections } from "./protection.ts";

const roleMissing = "role_missing";
/** The documents name no role; instances let Developers delete tags one by one, and Maintainers in bulk. */
const developer = 30;

/** Whether a failure says that the caller may delete nothing, so that no other request is worth sending. */
export function isRoleMissing(error: unknown): boolean {
  return error instanceof Failure && error.code === roleMissing;
}

/** What the first deletion showed; open if it was not sent. */
type Verdict = "allowed" | "missing" | "open";

/**
 * Lets the first deletion go alone: if the caller's role does not allow it, one refusal is enough. A refusal of a tag
 * may also be due to a rule that protects it, which is ruled out only if the caller is not known to be a Developer.
 */
export class RoleGate {
  readonly #context: Context;
  readonly #via: "bulk" | "tags";
  readonly #protections: Protections;
  #first: Promise<Verdict> | undefined;

  constructor(context: Context, via: "bulk" | "tags") {
    this.#context = context;
    this.#via = via;
    this.#protections = new Protections(context);
  }

  async pass<T>(project: string, deletion: () => Promise<T>): Promise<T> {
    while (this.#first !== undefined) {
      const verdict = await this.#first;
      if (verdict === "allowed") return deletion();
      // Counted as not tried.
      if (verdict === "missing") throw new Failure("interrupted", "the role does not allow it");
    }
    let settle: (verdict: Verdict) => void = () => undefined;
    this.#first = new Promise((resolve) => {
      settle = resolve;
    });
    try {
      const result = await deletion();
      settle("allowed");
      return result;
    } catch (error) {
      if (!isAnswered(error)) {
        // Nothing was sent, such as for a tag that is gone: the next one shows what the role allows.
        this.#first = undefined;
        settle("open");
        throw error;
      }
      const isMissing = await this.#isMissing(project, error).catch(() => false);
      settle(isMissing ? "missing" : "allowed");
      throw isMissing ? error.with({ code: roleMissing }) : error;
    }
  }

  async #isMissing(project: string, error: Failure): Promise<boolean> {
    if (error.details.status !== 403) return false;
    if (this.#via === "bulk") return true;
    if ((await this.#protections.in(project)).isListed) return false;
    const level = await levelIn(this.#context, project);
    return level === undefined || level < developer;
  }
}

/** Whether a deletion was sent. */
function isAnswered(error: unknown): error is Failure {
  return error instanceof Failure && error.details.method === "DELETE";
}
