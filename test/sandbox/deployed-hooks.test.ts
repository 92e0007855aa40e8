import { afterAll, beforeAll, expect, test } from "vitest";
import { groupHooks } from "../../src/sandbox/areas/hooks/model.ts";
import { startReceiver } from "../support/receiver.ts";
import { openSession, type Session } from "./session.ts";

// Hooks of real instances.

let session: Session;
let documented: Session;
const ask: Session["ask"] = (...asking) => session.ask(...asking);
beforeAll(async () => {
  session = await openSession({ asDeployed: true });
  documented = await openSession();
});
afterAll(() => Promise.all([session.sandbox.close(), documented.sandbox.close()]));

const hooks = "/groups/acme/hooks";

interface Delivery {
  readonly id: number;
  readonly url: string;
  readonly request_data: object;
  readonly response_status: string;
}

test("a hook shows kinds that the documents lack, whether it has a token, and flags without a value", async () => {
  const { json: chat } = await ask(`GET ${hooks}/1`);
  expect(chat).toMatchObject({
    ...{ milestone_events: false, project_events: false, vulnerability_events: false },
    ...{ token_present: false, signing_token_present: false },
    ...{ confidential_issues_events: null, confidential_note_events: null },
  });
  expect((await ask(`GET ${hooks}/2`)).json.token_present).toBe(true);
  expect((await ask("GET /groups/globex/hooks/4")).json.milestone_events).toBe(true);
  const { json: plain } = await documented.ask(`GET ${hooks}/1`);
  expect(plain.confidential_note_events).toBe(false);
  expect(Object.keys(chat).filter((name) => !(name in plain))).toEqual([
    ...["milestone_events", "project_events", "vulnerability_events", "token_present", "signing_token_present"],
  ]);
});

test("it takes these kinds, drops updates of repositories, and loses its token with its URL", async () => {
  const json = { url: "http://127.0.0.1:9/a", token: "s3cret", project_events: true, repository_update_events: true };
  const { json: made } = await ask(`POST ${hooks}`, { json });
  expect(made).toMatchObject({ project_events: true, repository_update_events: false, token_present: true });
  const off = await ask(`PUT ${hooks}/${made.id}`, {
    json: { url: json.url, project_events: false, confidential_note_events: true },
  });
  expect(off.json).toMatchObject({ project_events: false, confidential_note_events: true, token_present: true });
  const moved = await ask(`PUT ${hooks}/${made.id}`, { json: { url: "http://127.0.0.1:9/b" } });
  expect(moved.json.token_present).toBe(false);
  const other = (await documented.ask(`POST ${hooks}`, { json })).json;
  expect(other).not.toHaveProperty("project_events");
  expect(other.repository_update_events).toBe(true);
});

test("a failure of the server is also no answer at all", async () => {
  const statuses = async (from: Session) => {
    const { json } = await from.ask(`GET ${hooks}/2/events?status=server_failure`);
    return new Set(json.map((row: Delivery) => row.response_status));
  };
  expect(await statuses(session)).toContain("internal error");
  expect(await statuses(documented)).not.toContain("internal error");
});

test("a resend sends what was recorded: without email addresses, and nothing of what was too large", async () => {
  const all: Delivery[] = [];
  for (const page of [1, 2, 3]) all.push(...(await ask(`GET ${hooks}/2/events?page=${page}`)).json);
  const texts = JSON.stringify(all.map(({ request_data }) => request_data));
  expect(texts).not.toMatch(/"[^"\s@]+@[^"\s@]+"/);
  expect(texts).toContain("[REDACTED]");
  const oversize = all.find(({ request_data }) => JSON.stringify(request_data) === '{"oversize":true}');
  const disabled = await ask(`POST ${hooks}/2/events/${oversize?.id}/resend`);
  expect([disabled.status, disabled.json]).toEqual([422, { message: "Hook disabled" }]);
  session.sandbox.store.table(groupHooks).update(2, { disabled_until: null });
  const again = await ask(`POST ${hooks}/2/events/${oversize?.id}/resend`);
  expect([again.status, again.json]).toEqual([201, { response_status: 202 }]);
  const [newest] = (await ask(`GET ${hooks}/2/events`)).json;
  expect(newest.request_data).toEqual({ oversize: true });

  const moved = all.filter(({ url }) => url !== "https://deploys.acme.example/webhook");
  expect(moved.length).toBe(2);
  const refused = await ask(`POST ${hooks}/2/events/${moved[0]?.id}/resend`);
  expect([refused.status, refused.json]).toEqual([
    422,
    { message: "The hook URL has changed, and this log entry cannot be retried" },
  ]);
});

test("after a change of the URL, earlier deliveries are not resent", async () => {
  const receiver = await startReceiver();
  const { json: made } = await ask(`POST ${hooks}`, { json: { url: `${receiver.url}/a` } });
  expect((await ask(`POST ${hooks}/${made.id}/test/push_events`)).status).toBe(201);
  const [delivery] = (await ask(`GET ${hooks}/${made.id}/events`)).json;
  const [other] = (await documented.ask(`GET ${hooks}/2/events`)).json;
  // Real instances show its time besides.
  expect(Object.keys(delivery).sort()).toEqual([...Object.keys(other), "created_at"].sort());
  const resend = () => ask(`POST ${hooks}/${made.id}/events/${delivery.id}/resend`);
  expect((await resend()).status).toBe(201);
  await ask(`PUT ${hooks}/${made.id}`, { json: { url: `${receiver.url}/b` } });
  expect((await resend()).status).toBe(422);
  expect(receiver.received.length).toBe(2);
});

test("some kinds cannot be tested, and a failed test has the receiver's answer as its message", async () => {
  for (const kind of ["repository_update", "subgroup", "member", "project", "nonsense"]) {
    const { status, json } = await ask(`POST ${hooks}/1/test/${kind}_events`);
    expect([kind, status, json]).toEqual([kind, 400, { error: "trigger does not have a valid value" }]);
  }
  expect((await ask(`POST ${hooks}/1/test/milestone_events`)).status).toBe(422);
  const receiver = await startReceiver();
  const { json: made } = await ask(`POST ${hooks}`, { json: { url: receiver.url } });
  for (const body of ["<html>502</html>", ""]) {
    receiver.answer = { status: 502, body };
    const failed = await ask(`POST ${hooks}/${made.id}/test/push_events`);
    expect([failed.status, failed.json]).toEqual([422, { message: body }]);
  }
});
