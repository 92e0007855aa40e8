/** The meaning of a color; the word beside it says the same. */
export type Tone = "good" | "doubtful" | "bad" | "quiet";

/** Tones by the word that a value is shown as: `yes` for true, a code's name. `*` is every other word. */
export type Tones = Readonly<Record<string, Tone>>;

/** How one of many changes ended. */
export const outcomeTones: Tones = {
  ...{ done: "good", created: "good", updated: "good", deleted: "good", written: "good", saved: "good", ready: "good" },
  ...{
    delivered: "good",
    resent: "good",
    redelivered: "good",
    made_good: "good",
    started: "good",
    finished: "good",
    success: "good",
    applied: "good",
  },
  ...{ unchanged: "quiet", skipped: "quiet", exempt: "quiet", not_tried: "quiet" },
  ...{
    scheduled: "doubtful",
    waiting: "doubtful",
    pending: "doubtful",
    running: "doubtful",
    unknown: "doubtful",
    made: "doubtful",
  },
  ...{ altered: "doubtful", not_taken: "bad", stale: "bad", failed: "bad", refused: "bad", canceled: "bad" },
};

/** What a cleanup does with each item it examined. */
export const verdictTones: Tones = { KEEP: "good", DELETE: "bad", EITHER: "doubtful" };

/** What a plan does with an object. */
export const actionTones: Tones = {
  ...{ create: "good", update: "doubtful", replace: "doubtful", delete: "bad", disarm: "bad" },
  ...{ extra: "doubtful", unmanaged: "quiet", unreadable: "bad" },
};

/** The status that a receiver answered with; anything but a success is a failure, and so is a missing answer. */
export const statusTones: Tones = { 200: "good", 201: "good", 202: "good", 204: "good", "*": "bad" };

/** Whether something is in use. */
export const activeTones: Tones = { yes: "good", no: "quiet" };

/** How bad a finding is. */
export const severityTones: Tones = {
  high: "bad",
  error: "bad",
  medium: "doubtful",
  warning: "doubtful",
  ...{ low: "quiet", info: "quiet" },
};
