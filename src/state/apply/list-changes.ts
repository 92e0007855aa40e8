import { mayHaveBeenMade, mayStillBeMade } from "../../api/outcome.ts";
import { Failure } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";
import type { Context } from "../../context.ts";
import type { Change, Live } from "../kind.ts";
import { LiveList } from "../live/live-list.ts";
import { type Readers, readLive, requestsOf, withNumbers } from "../live/reader.ts";
import { asItIs, type Comparison, compareWith, sectionOf } from "../plan/live-comparison.ts";
import { recallWrites, recentIn } from "../runs/recent-writes.ts";
import { type ApplyOptions, Ended, endedBy, outdated, refuseOther, sendsBack } from "./before-sending.ts";
import { type Looks, type Sent, send } from "./change-request.ts";
import { type Before, changedAlong } from "./changed-along.ts";
import { identified, unlisted } from "./created-object.ts";
import { halfRefused } from "./half-refused.ts";
import { type Looked, lookUntil } from "./look-until.ts";
import { RefusedChanges } from "./refused-changes.ts";
import {
  done,
  failed,
  failureText,
  found,
  isProof,
  late,
  madeOf,
  type Result,
  remarked,
  removable,
  stale,
  unknown,
  unseen,
  unsettled,
  untouched,
} from "./result.ts";
import { untilEffective } from "./until-effective.ts";

type Looking = Pick<Looks, "look"> & { isMade(): boolean };

/**
 * The changes of one list, or of one record. The list is read before the first of them is sent and after the last;
 * between, the answer to each is what is known of its object, and where it has none, or was lost, the list is read. It
 * is also read before each change that sends something back as it was read: what another user has changed must not be
 * undone.
 */
export class ListChanges {
  readonly #context: Context;
  readonly #readers: Readers;
  readonly #options: ApplyOptions;
  readonly #first: Change;
  readonly #section: ReturnType<typeof sectionOf>;
  /** The list as it was last read, with what was answered since. */
  #live: LiveList;
  /** How many changes were sent since the list was read. */
  #sentSince = 0;
  readonly #sent = new Map<Change, Result>();
  readonly #refused: RefusedChanges;
  /** The object of a change as it was when it was last looked at before. */
  readonly #before = new Map<Change, Before>();
  /** What was answered to a change. */
  readonly #answered = new Map<Change, Live>();

  constructor(context: Context, readers: Readers, options: ApplyOptions, changes: readonly [Change, ...Change[]]) {
    this.#context = context;
    this.#readers = readers;
    this.#options = options;
    this.#first = changes[0];
    this.#section = sectionOf(changes);
    this.#live = new LiveList(this.#first.kind, []);
    this.#refused = new RefusedChanges(context);
  }

  /** Reads the list before a change; why that is not possible, or undefined. */
  async open(): Promise<Result | undefined> {
    try {
      const why = await outdated(this.#context, this.#readers.reader, this.#first, this.#options);
      if (why !== undefined) return stale(undefined, why);
      const seen = await readLive(this.#readers.reader, this.#section);
      if ("unreadable" in seen) return untouched("unreadable", seen.unreadable);
      this.#live = new LiveList(this.#first.kind, seen.live);
      this.#sentSince = 0;
      return undefined;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return untouched("not_tried", failureText(error), error);
    }
  }

  /** Whether to read the list again: a long one not before each change, so that there is one request more for each. */
  #isOld(): boolean {
    return this.#sentSince > 0 && this.#sentSince >= requestsOf(this.#section, this.#live.size);
  }

  /** Makes one change; `begin` is called before something of it is sent. */
  async make(change: Change, begin: () => Promise<void>): Promise<Result> {
    const unread = this.#isOld() && sendsBack(change) ? await this.open() : undefined;
    if (unread !== undefined) return unread;
    const first = compareWith(change, this.#live);
    const ended = endedBy(change, first);
    if (ended !== undefined) return ended;
    this.#before.set(change, await this.#recalled(first.live));
    await begin();
    const now = asItIs(change, first.live);
    try {
      const sent = await this.#send(now, () => this.#lookAfterWait(change, now));
      const along = changedAlong(change, this.#before.get(change), this.#answered.get(now));
      if (along?.text !== undefined) this.#context.warn(along.text);
      const result = { ...remarked(change, sent), along };
      if (result.status === "refused") this.#refused.add(change, result);
      else if (result.status !== "not_tried" && result.status !== "failed") this.#sent.set(change, result);
      return result;
    } catch (error) {
      if (error instanceof Ended) return error.result;
      throw error;
    }
  }

  async #lookAfterWait(change: Change, sent: Change): Promise<void> {
    const unread = await this.open();
    if (unread !== undefined) throw new Ended(unread);
    const seen = compareWith(change, this.#live);
    refuseOther(change, sent, seen);
    this.#before.set(change, await this.#recalled(seen.live));
  }

  async #recalled(live: Live | undefined): Promise<Before> {
    const recalled = live && (await recallWrites(this.#context, this.#first.kind, live));
    return recalled === undefined ? { live, recent: [] } : { live: recalled.live, recent: recentIn(recalled) };
  }

  /** Reads the list after the last change, and returns the outcomes that are other than they seemed. */
  async close(): Promise<Map<Change, Result>> {
    if (this.#section.kind.cached !== undefined) return new Map();
    const look = async () => !("unreadable" in (await this.#look()));
    const corrected = await this.#refused.corrected({ look, seen: (change) => this.#seen(change) });
    if (this.#sent.size === 0) return corrected;
    const isSettled = () =>
      [...this.#sent].every(([change, { status }]) => status !== "done" || this.#seen(change).wanted);
    const seen = this.#sentSince > 0 || !isSettled() ? await this.#lookUntil(isSettled) : undefined;
    for (const [change, result] of this.#sent) {
      const unread = seen !== undefined && "unreadable" in seen;
      const now = unread ? unseen(seen, result) : remarked(change, this.#judge(change, result));
      if (now.status !== result.status) corrected.set(change, { ...now, along: result.along, isOpen: result.isOpen });
    }
    return corrected;
  }

  #judge(change: Change, result: Result): Result {
    const seen = this.#seen(change);
    if (result.status === "unknown") return isProof(change, seen) && !result.mayRemove ? done(seen.live) : result;
    return result.status === "done" && !seen.wanted ? this.#shown(change) : result;
  }

  /** The outcome of a change that was answered with success, by the list as it was read afterwards. */
  #shown(change: Change): Result {
    const seen = this.#seen(change);
    if (!seen.wanted && this.#context.signal.aborted)
      return unknown("it was sent, and interrupted before it was visible");
    return unlisted(change, seen, this.#answered.get(change)) ?? unsettled(change, seen) ?? madeOf(change, seen);
  }

  #seen(change: Change): Comparison {
    return compareWith(identified(change, this.#answered.get(change)), this.#live);
  }

  async #send(change: Change, afterWait: () => Promise<void>): Promise<Result> {
    const isMade = () => isProof(change, this.#seen(change));
    const look = async (patient: boolean) => {
      const seen = await (patient ? this.#lookUntil(isMade) : this.#look());
      return "unreadable" in seen ? undefined : this.#seen(change);
    };
    this.#sentSince += 1;
    const sent = await this.#context
      // A replaced object must not remain deleted because of Ctrl-C.
      .uninterrupted(() => send(this.#context, change, { look, afterWait }))
      .catch((error: unknown) => {
        if (error instanceof Failure) return { failure: error, partly: false, lost: 0, mayRemove: false };
        throw error;
      });
    const result = await this.#outcome(change, sent, { look, isMade });
    // Without an answer, it is done by one of the lost attempts.
    return { ...(sent.mayRemove ? removable(result) : result), isOpen: sent.lost > ("answer" in sent ? 0 : 1) };
  }

  async #outcome(change: Change, sent: Sent, { look, isMade }: Looking): Promise<Result> {
    if ("answer" in sent) return this.#afterAnswer(change, sent.answer);
    const early = failed(change, sent, undefined);
    if (early.status === "refused") return halfRefused(change, early, () => look(false));
    if (early.status !== "unknown") return early;
    const isLate = mayHaveBeenMade(sent.failure) && mayStillBeMade(sent.failure);
    const { api } = this.#context;
    if (!isLate) return found(api, sent, failed(change, sent, await look(sent.partly)));
    const seen = await this.#lookUntil(isMade);
    return "unreadable" in seen ? early : found(api, sent, late(failed(change, sent, this.#seen(change))));
  }

  async #afterAnswer(change: Change, answer: unknown): Promise<Result> {
    const { kind, action } = change;
    if (action === "delete") return this.#replaced(change, undefined);
    if (isObject(answer)) {
      const values = change.live === undefined ? (kind.fromAnswer?.(answer) ?? answer) : answer;
      const answered = withNumbers(kind, { values });
      this.#answered.set(change, answered);
      // Reads are cached, so the answer shows what was stored.
      const own = { ...identified(change, answered), doubts: undefined };
      const seen = compareWith(own, new LiveList(kind, [answered]));
      if (kind.cached !== undefined && !seen.unseen) return this.#untilEffective(change, madeOf(change, seen));
      if (seen.wanted && seen.live !== undefined) return this.#replaced(change, answered);
    }
    const seen = await this.#lookUntil(() => this.#seen(change).wanted);
    return "unreadable" in seen ? unseen(seen) : this.#shown(change);
  }

  #untilEffective(change: Change, result: Result): Promise<Result> {
    const { waitSeconds } = this.#options;
    const isShown = async () => {
      const seen = await readLive(this.#readers.reader, this.#section);
      return "live" in seen && compareWith(change, new LiveList(this.#first.kind, seen.live)).wanted;
    };
    return untilEffective(this.#context, change, result, { waitSeconds, isShown });
  }

  /** Keeps what was answered in place of what was read. */
  #replaced(change: Change, answered: Live | undefined): Result {
    this.#live.replace(this.#seen(change).live, answered);
    return done(answered);
  }

  #lookUntil(isSettled: () => boolean): Promise<Looked> {
    return lookUntil(this.#context, () => this.#look(), isSettled);
  }

  /** Reads the list after something was sent: despite Ctrl-C, and a failure is a reason as well. */
  async #look(): Promise<Looked> {
    const { reader, verifier } = this.#readers;
    const read = () => readLive(this.#context.signal.aborted ? verifier : reader, this.#section);
    try {
      const seen = await read().catch((error: unknown) => {
        if (error instanceof Failure && error.exit === "interrupted") return read();
        throw error;
      });
      if ("unreadable" in seen) return seen;
      this.#live = new LiveList(this.#first.kind, seen.live);
      this.#sentSince = 0;
      return seen;
    } catch (error) {
      if (error instanceof Failure) return { unreadable: failureText(error), failure: error };
      throw error;
    }
  }
}
