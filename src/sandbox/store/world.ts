import type { Hosting, Tier } from "../server/options.ts";
import type { ActivityEvent, EventNote, PushData, Timestamp } from "./model.ts";
import { events } from "./model.ts";
import type { Store } from "./store.ts";

/** What to record of something that happened; what is left out is null. */
export interface NewEvent {
  readonly author_id: number;
  readonly project_id?: number | null;
  /** As shown: `opened`, `closed`, `pushed`, `commented on`, ... */
  readonly action_name: string;
  readonly target_id?: number | null;
  readonly target_iid?: number | null;
  readonly target_type?: string | null;
  readonly target_title?: string | null;
  /** Now, unless said. */
  readonly created_at?: Timestamp;
  readonly push_data?: PushData;
  readonly note?: EventNote;
  /** Of a confidential issue, or a note on one. */
  readonly confidential?: boolean;
  /** The group of what happened in no project. */
  readonly group_id?: number;
}

/** Something that happened, as the feed would keep it. */
export type Happening = Omit<ActivityEvent, "id">;

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

/** The instance that the areas work on: its state, its clock, and what kind of instance it is. */
export class World {
  readonly store: Store;
  readonly tier: Tier;
  readonly hosting: Hosting;
  /** Whether it answers as real instances do where these differ from the documents. */
  readonly asDeployed: boolean;
  /** Where instances as they are deployed refuse to page on by number, in rows. */
  readonly offsetLimit: number;
  /** How long the minute of rate limits is, in milliseconds. */
  readonly minuteMs: number;
  /** How long reading the settings lags behind a change of them, in milliseconds. */
  readonly settingsCacheMs: number;
  readonly now: () => Date;
  /** Prints a line for the user of the sandbox. */
  readonly log: (line: string) => void;
  /** Where the sandbox can be reached; known once it listens. */
  url = "http://127.0.0.1";
  /** Told of everything that happens while the sandbox runs, and of nothing in the demo data. */
  onHappening: (happening: Happening) => void = () => {};
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

  /** The present instant as the API writes it. */
  timestamp(): Timestamp {
    return this.now().toISOString();
  }

  /** Whether the instance has what comes with a tier. */
  has(tier: Tier): boolean {
    return tiers.indexOf(this.tier) >= tiers.indexOf(tier);
  }

  /** Adds an event to the activity feed. Call it when something happens that people would see there. */
  record(event: NewEvent): ActivityEvent {
    const happening = this.#complete(event);
    const recorded = this.store.table(events).insert(happening);
    this.onHappening(happening);
    return recorded;
  }

  /** The same for events that the feed does not show, but hooks receive. */
  announce(event: NewEvent): void {
    this.onHappening(this.#complete(event));
  }

  #complete(event: NewEvent): Happening {
    return {
      project_id: null,
      target_id: null,
      target_iid: null,
      target_type: null,
      target_title: null,
      created_at: this.timestamp(),
      ...event,
    };
  }

  /**
   * Does something in the background after `ms` milliseconds, unless the sandbox is closed first. A restart forgets it:
   * where the outcome must come all the same, keep a time in the row and work the state out from it when it is read.
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

  /** Aborted when the sandbox closes: what is under way in the background ends with it. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  close(): void {
    this.#ending.abort();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}
