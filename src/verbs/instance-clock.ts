import type { Api, ObservedAnswer } from "../api/api.ts";
import type { Context } from "../context.ts";

/** `Date` has whole seconds, and answers take time; a smaller difference is none. */
const toleranceMs = 30_000;

/** The runs that were warned: a job looks at many lists. */
const warned = new WeakSet<Context["warn"]>();

/** The times by which the age of things on an instance is counted, once something was read through `api`. */
export interface InstanceClock {
  readonly api: Api;
  /** The instance's time, where its answers show it (RFC 9110: Date), otherwise this machine's. */
  instance(): Date;
  /**
   * The earlier one of both, for what is deleted for its age: a clock that is ahead makes everything old. A warning, if
   * this machine's is ahead.
   */
  earlier(): Date;
}

export function instanceClock(context: Context): InstanceClock {
  let ahead: number | undefined;
  const observe = ({ date }: ObservedAnswer) => {
    const time = Date.parse(date ?? "");
    // A part of an answer that a cache kept is late: the latest tells the time.
    if (!Number.isNaN(time)) ahead = Math.max(ahead ?? Number.NEGATIVE_INFINITY, time - context.now().getTime());
  };
  const api = context.api.fork({ observe });
  const by = () => (ahead === undefined || Math.abs(ahead) <= toleranceMs ? 0 : ahead);
  const at = (ms: number) => new Date(context.now().getTime() + ms);
  return {
    api,
    instance: () => at(by()),
    earlier() {
      if (by() < 0 && !warned.has(context.warn)) {
        warned.add(context.warn);
        const [own, theirs] = [context.now(), at(by())].map((time) => context.shownTime(time.toISOString()));
        context.warn(
          `this machine's clock (${own}) is ahead of the instance's (${theirs}): ages are counted by the instance's`,
        );
      }
      return at(Math.min(0, by()));
    },
  };
}
