import { afterAll, expect } from "vitest";
import { areas } from "../../src/sandbox/areas/index.ts";
import { anyHash } from "../../src/sandbox/server/params.ts";
import { ok } from "../../src/sandbox/server/reply.ts";
import type { Area } from "../../src/sandbox/server/router.ts";
import type { NewEvent } from "../../src/sandbox/store/world.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { openWith, type Session } from "./session.ts";

/** Triggers any event: hooks are notified of whatever an area records. */
const eventsArea: Area = {
  name: "events-by-request",
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
  /** The default address of hooks. */
  readonly receiver: Receiver;
  /** The sandbox's clock, which is stopped. */
  now: Date;
  /** Creates a hook, by default without events and in acme; returns its ID. */
  makeHook(values: object, group?: string): Promise<number>;
  /** Triggers an event, by default in the storefront. */
  happen(event: object): Promise<void>;
  /** A push of the developer to a branch. */
  push(ref: string, more?: object, project_id?: number): Promise<void>;
  /** The deliveries of a hook of acme, newest first. */
  deliveries(hook: number, query?: string): Promise<Delivery[]>;
}

/** A sandbox with a receiver, and a way to trigger events; both are closed after the file's tests. */
export async function openHooking(): Promise<Hooking> {
  let now = new Date("2026-03-04T10:00:00.000Z");
  const session = await openWith(eventsArea, { now: () => now }, areas);
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
