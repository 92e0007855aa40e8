import { beforeAll, describe, expect, test } from "vitest";
import { startReceiver } from "../support/receiver.ts";
import { type Hooking, openHooking } from "./hooking.ts";

let hooking: Hooking;
beforeAll(async () => {
  hooking = await openHooking();
});

const asOwner = (request: string, json?: unknown) => hooking.session.ask(request, { as: "owner", json });

describe("a resend", () => {
  test("delivers the same again, with the hook's current secrets, and creates its own record", async () => {
    const own = await startReceiver();
    own.answer = { status: 503, body: "later" };
    const id = await hooking.makeHook({ url: own.url, push_events: true, token: "one" });
    await hooking.push("main");
    await expect.poll(() => hooking.deliveries(id)).toHaveLength(1);
    const [failed] = await hooking.deliveries(id);
    own.answer = { status: 204 };
    await asOwner(`PUT /groups/acme/hooks/${id}`, { url: own.url, token: "two" });
    const { status, json } = await asOwner(`POST /groups/acme/hooks/${id}/events/${failed.id}/resend`);
    expect({ status, json }).toEqual({ status: 201, json: { response_status: 204 } });
    const [first, second] = own.received;
    expect(second?.body).toBe(first?.body);
    for (const name of ["x-service-event-uuid", "idempotency-key"]) {
      expect(second?.headers[name]).toBe(first?.headers[name]);
    }
    expect([first, second].map((request) => request?.headers["x-service-token"])).toEqual(["one", "two"]);
    const records = await hooking.deliveries(id);
    expect(records.map((row: { response_status: string }) => row.response_status)).toEqual(["204", "503"]);
    expect(records[0].request_data).toEqual(records[1].request_data);
  });

  test("of a missing delivery, or without a receiver, is refused", async () => {
    expect((await asOwner("POST /groups/acme/hooks/3/events/99999/resend")).json).toEqual({
      message: "404 Hook Event Not Found",
    });
    const id = await hooking.makeHook({ url: "http://127.0.0.1:9", push_events: true });
    await hooking.push("main");
    await expect.poll(() => hooking.deliveries(id)).toHaveLength(1);
    const [{ id: event }] = await hooking.deliveries(id);
    const answer = await asOwner(`POST /groups/acme/hooks/${id}/events/${event}/resend`);
    expect(answer.status).toBe(422);
    expect(answer.json.message).toMatch(/^The event was not delivered: .*ECONNREFUSED/);
    expect(await hooking.deliveries(id)).toHaveLength(2);
  });

  test("is limited to 5 per minute for a hook and a user", async () => {
    const resend = (hook: number, event: number, as: "owner" | "administrator" = "owner") =>
      hooking.session.ask(`POST /groups/acme/hooks/${hook}/events/${event}/resend`, { as });
    hooking.now = new Date(hooking.now.getTime() + 1000);
    for (let n = 0; n < 5; n += 1) {
      expect((await resend(1, 10)).status).toBe(201);
      hooking.now = new Date(hooking.now.getTime() + 1000);
    }
    const refused = await resend(1, 10);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("55");
    expect((await resend(1, 10, "administrator")).status).toBe(201);
    expect((await resend(2, 70)).json).toEqual({ response_status: 202 });
    hooking.now = new Date(hooking.now.getTime() + 54_999);
    expect((await resend(1, 10)).status).toBe(429);
    hooking.now = new Date(hooking.now.getTime() + 1);
    expect((await resend(1, 10)).status).toBe(201);
    expect((await resend(1, 10)).status).toBe(429);
  });
});
