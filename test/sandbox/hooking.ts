import { afterAll, expect } from "vitest";
import { areas } from "../../src/sandbox/areas/index.ts";
import { anyHash } from "../../src/sandbox/server/params.ts";
import { ok } from "../../src/sandbox/server/reply.ts";
import type { Area } from "../../src/sandbox/server/router.ts";
import type { NewEvent } from "../../src/sandbox/store/world.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { openWith, type Session } from "./session.ts";

/** Makes anything happen: what any area records, hooks are told of. */
const happenings: Area = {
  name: "happenings",
  routes(router) {
    router.on("POST /happen", { params: { event: anyHash() } }, ({ world, user, params }) =>
      ok(world.record({ author_id: user.id, action_name: "pushed", ...params.event } as NewEvent)),
    );
  },
};

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
type Delivery = any;

export interface Hooking {
  readonly session: Session;
  /** Where hooks lead unless said. */
  readonly receiver: Receiver;
  /** The sandbox's clock, which stands still. */
  now: Date;
  /** Makes a hook that hears of nothing unless said, in acme unless said; gives its ID. */
  makeHook(values: object, group?: string): Promise<number>;
  /** Lets something happen, in the storefront unless said. */
  happen(event: object): Promise<void>;
  /** Lets the developer push to a branch. */
  push(ref: string, more?: object, project_id?: number): Promise<void>;
  /** The deliveries of a hook of acme, newest first. */
  deliveries(hook: number, query?: string): Promise<Delivery[]>;
}

/** A sandbox with a receiver beside it, and a way to make things happen; both go after the file's tests. */
export async function openHooking(): Promise<Hooking> {
  let now = new Date("2026-03-04T10:00:00.000Z");
  const session = await openWith(happenings, { now: () => now }, areas);
  afterAll(() => session.sandbox.close());
  const receiver = await startReceiver();
  const happenAs = async (as: "administrator" | "developer", event: object) => {
    const { status, text } = await session.ask("POST /happen", { as, json: { event: { project_id: 7, ...event } } });
    expect(status, text).toBe(200);
  };
  return {
    session,
    receiver,
    get now() {
      return now;
    },
    set now(time) {
      now = time;
    },
    async makeHook(values, group = "acme") {
      const { status, text, json } = await session.ask(`POST /groups/${encodeURIComponent(group)}/hooks`, {
        json: { url: receiver.url, push_events: false, ...values },
      });
      expect(status, text).toBe(201);
      return json.id;
    },
    happen: (event) => happenAs("administrator", event),
    push: (ref, more = {}, project_id = 7) =>
      happenAs("developer", {
        project_id,
        push_data: {
          commit_count: 1,
          action: "pushed",
          ref_type: "branch",
          commit_from: "a".repeat(40),
          commit_to: "b".repeat(40),
          ref,
          commit_title: "Fix the cart",
          ...more,
        },
      }),
    async deliveries(hook, query = "") {
      const { status, json, text } = await session.ask(`GET /groups/acme/hooks/${hook}/events${query}`);
      expect(status, text).toBe(200);
      return json;
    },
  };
}
