import { afterAll, beforeAll, expect, test } from "vitest";
import { openSession, type Session } from "./session.ts";

let session: Session;
beforeAll(async () => {
  session = await openSession();
});
afterAll(() => session.sandbox.close());

const settings = (id: number) => `/projects/${id}/error_tracking/settings`;
const keys = "/projects/7/error_tracking/client_keys";
const integrated = { project_name: null, tracker_external_url: null, api_url: null, integrated: true };

test("settings that were never set are not found until a PUT", async () => {
  expect((await session.ask(`GET ${settings(8)}`)).status).toBe(404);
  expect((await session.ask(`PATCH ${settings(8)}`, { json: { active: true } })).status).toBe(404);
  const made = await session.ask(`PUT ${settings(8)}`, { json: { active: true, integrated: true } });
  expect([made.status, made.json]).toEqual([200, { active: true, ...integrated }]);
  const off = await session.ask(`PATCH ${settings(8)}`, { json: { active: false } });
  expect([off.status, off.json]).toEqual([200, { active: false, ...integrated }]);
  expect((await session.ask(`GET ${settings(8)}`)).json).toEqual({ active: false, ...integrated });
});

test("PUT requires both parameters, and PATCH requires active", async () => {
  expect((await session.ask(`PUT ${settings(7)}`, { json: { active: true } })).json).toEqual({
    message: '400 (Bad request) "integrated" not given',
  });
  expect((await session.ask(`PATCH ${settings(7)}`, { json: { integrated: true } })).status).toBe(400);
  expect((await session.ask(`PUT ${settings(7)}`, { json: { active: "perhaps", integrated: true } })).json).toEqual({
    message: { active: ["is invalid"] },
  });
});

test("a key is created, listed, and deleted", async () => {
  const made = await session.ask(`POST ${keys}`);
  expect(made.status).toBe(201);
  expect(Object.keys(made.json)).toEqual(["id", "active", "public_key", "tracker_dsn"]);
  const { host } = new URL(session.sandbox.url);
  expect(made.json.tracker_dsn).toBe(`http://${made.json.public_key}@${host}/api/v4/error_tracking/collector/7`);
  const ids = async () => (await session.ask(`GET ${keys}`)).json.map(({ id }: { id: number }) => id);
  expect(await ids()).toEqual([1, 2, made.json.id]);
  expect((await session.ask(`DELETE /projects/8/error_tracking/client_keys/${made.json.id}`)).status).toBe(404);
  const since = { "if-unmodified-since": "Mon, 01 Jan 2001 00:00:00 GMT" };
  expect((await session.ask(`DELETE ${keys}/${made.json.id}`, { headers: since })).status).toBe(412);
  expect((await session.ask(`DELETE ${keys}/${made.json.id}`)).status).toBe(204);
  expect(await ids()).toEqual([1, 2]);
});

test("everything needs the Maintainer role", async () => {
  for (const request of [`GET ${settings(7)}`, `GET ${keys}`, `POST ${keys}`, `DELETE ${keys}/1`]) {
    expect([request, (await session.ask(request, { as: "developer" })).status]).toEqual([request, 403]);
  }
  expect((await session.ask(`GET ${keys}`, { as: "maintainer" })).status).toBe(200);
});
