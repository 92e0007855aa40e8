import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSession, type Session } from "./session.ts";

let session: Session;
beforeAll(async () => {
  session = await openSession();
});
afterAll(() => session.sandbox.close());

const put = (json: unknown) => session.ask("PUT /application/settings", { json });
const read = async () => (await session.ask("GET /application/settings")).json;

describe("kinds of sandbox", () => {
  test("settings are those of a self-managed instance", async () => {
    const { ask, sandbox } = await openSession({ hosting: "hosted" });
    expect((await ask("GET /application/settings")).status).toBe(404);
    expect((await ask("PUT /application/settings", { json: { max_export_size: 1 } })).status).toBe(404);
    await sandbox.close();
  });
  test("a cache returns the old values for its time", async () => {
    let now = Date.parse("2026-03-01T12:00:00.000Z");
    const { ask, sandbox } = await openSession({ settingsCacheSeconds: 60, now: () => new Date(now) });
    const read = async () => (await ask("GET /application/settings")).json.max_export_size;
    const before = await read();
    const changed = await ask("PUT /application/settings", { json: { max_export_size: 41 } });
    expect([changed.json.max_export_size, await read()]).toEqual([41, before]);
    now += 59_999;
    expect(await read()).toBe(before);
    now += 1;
    expect(await read()).toBe(41);
    await sandbox.close();
  });
});

describe("a regular expression", () => {
  test.each(["(?i)acme", "(?P<u>x)", "\\Aa\\z", "[[:alpha:]]+"])("%s is RE2", async (value) => {
    expect((await put({ email_restrictions: value })).status).toBe(200);
  });
  test.each(["(?=x)", "(a)\\1", "(?<!x)a"])("%s is not", async (value) => {
    expect((await put({ email_restrictions: value })).status).toBe(400);
  });
});

describe("branch protection", () => {
  const name = "default_branch_protection_defaults";
  test("can be given in part, as JSON and as a form", async () => {
    const before = (await read())[name];
    expect((await put({ [name]: { allow_force_push: true } })).json[name]).toEqual({
      ...before,
      allow_force_push: true,
    });
    const form = `${name}[allowed_to_push][][access_level]=30`;
    const { json } = await session.ask("PUT /application/settings", { form });
    expect(json[name]).toEqual({ ...before, allow_force_push: true, allowed_to_push: [{ access_level: 30 }] });
  });
  test.each([
    [{ allow_force_push: "perhaps" }],
    [{ allowed_to_push: [{ access_level: 31 }] }],
    [{ allowed_to_merge: 40 }],
    [{ allowed_to_merge: [40] }],
    [{ nobody: true }],
  ])("%j is refused", async (value) => {
    const { status, json } = await put({ [name]: value });
    expect([status, json]).toEqual([400, { message: { [name]: ["must be a valid json schema"] } }]);
  });
});

test("a secret that was accepted once is not required again", async () => {
  const { ask, sandbox } = await openSession();
  const status = async (json: object) => (await ask("PUT /application/settings", { json })).status;
  expect(await status({ spamsvc_enabled: true })).toBe(400);
  expect(await status({ spamsvc_enabled: true, spamsvc_api_key: "s3cret" })).toBe(200);
  expect(await status({ spamsvc_enabled: false })).toBe(200);
  expect(await status({ spamsvc_enabled: true })).toBe(200);
  expect(await status({ spamsvc_enabled: true, spamsvc_api_key: "" })).toBe(400);
  await sandbox.close();
});
