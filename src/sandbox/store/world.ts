import type { Hosting, Tier } from "../server/options.ts";
import type { ActivityEvent, EventNote, PushData, Timestamp } from "./model.ts";
import { events } from "./model.ts";
import type { Store } from "./store.ts";

/** An event to record; missing fields become null. */
export interface NewEvent {
  readonly author_id: number;
  readonly project_id?: number | null;
  /** As shown: `opened`, `closed`, `pushed`, `commented on`, ... */
  readonly action_name: string;
  readonly target_id?: number | null;
  readonly target_iid?: number | null;
  readonly target_type?: string | null;
  readonly target_title?: string | null;
  /** Now by default. */
  readonly created_at?: Timestamp;
  readonly push_data?: PushData;
  readonly note?: EventNote;
  /** For a confidential issue, or a note on one. */
  readonly confidential?: boolean;
  /** The group, if the event belongs to no project. */
  readonly group_id?: number;
}

/** A complete event, before the activity feed gives it an ID. */
export type Activity = Omit<ActivityEvent, "id">;

interface WorldOptions {
  readonly tier: Tier;
  readonly hosting: Hosting;
  readonly asDeployed: boolean;
  readonly offsetLimit?: number | undefined;
  readonly minuteMs?: number | undefined;
  readonly settingsCacheMs?: number;
  readonly now: () => Date;
  readonly log: (line: string) => void;
}

const OFFSET_LIMIT = 50_000;
const MINUTE_MS = 60_000;

const tiers: readonly Tier[] = ["free", "premium", "ultimate"];

/** The instance that the areas share: its state, its clock, and its tier and hosting. */
export class World {
  readonly store: Store;
  readonly tier: Tier;
  readonly hosting: Hosting;
  /** Whether it answers like real instances where these differ from the documents. */
  readonly asDeployed: boolean;
  /** The row after which real instances refuse offset pagination. */
  readonly offsetLimit: number;
  /** The length of a minute in rate limits, in milliseconds. */
  readonly minuteMs: number;
  /** How long reads of the settings are cached, in milliseconds. */
  readonly settingsCacheMs: number;
  readonly now: () => Date;
  /** Prints a line for the user of the sandbox. */
  readonly log: (line: string) => void;
  /** The address of the sandbox; known once it listens. */
  url = "http://127.0.0.1";
  /** Called for every event while the sandbox runs, but not for demo data. */
  onEvent: (event: Activity) => void = () => {};
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #ending = new AbortController();

  constructor(store: Store, options: WorldOptions) {
    this.store = store;
    this.tier = options.tier;
    this.hosting = options.hosting;
    this.asDeployed = options.asDeployed;
    this.offsetLimit = options.offsetLimit ?? OFFSET_LIMIT;
    this.minuteMs = options.minuteMs ?? MINUTE_MS;
    this.settingsCacheMs = options.settingsCacheMs ?? 0;
    this.now = options.now;
    this.log = options.log;
  }

  /** The current time in the API's format. */
  timestamp(): Timestamp {
    return this.now().toISOString();
  }

  /** Whether the instance has the features of a tier. */
  has(tier: Tier): boolean {
    return tiers.indexOf(this.tier) >= tiers.indexOf(tier);
  }

  /** Adds an event to the activity feed and notifies hooks. */
  record(event: NewEvent): ActivityEvent {
    const activity = this.#complete(event);
    const recorded = this.store.table(events).insert(activity);
    this.onEvent(activity);
    return recorded;
  }

  /** Notifies hooks of an event that the feed does not show. */
  announce(event: NewEvent): void {
    this.onEvent(this.#complete(event));
  }

  #complete({ created_at = this.timestamp(), ...event }: NewEvent): Activity {
    return {
      project_id: null,
      target_id: null,
      target_iid: null,
      target_type: null,
      target_title: null,
      created_at,
      ...event,
    };
  }

  /**
   * Runs a task in the background after `ms` milliseconds, unless the sandbox is closed first. A restart loses it: if
   * the result matters, store a time in the row and derive the state from it on read.
   */
  later(ms: number, action: () => void | Promise<void>): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void Promise.resolve()
        .then(action)
        .catch((error: unknown) => this.log(`background work failed: ${String(error)}`));
    }, ms);
    this.#timers.add(timer);
  }

  /** Aborted when the sandbox closes, to end background work. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  close(): void {
    this.#ending.abort();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}
