import { afterAll, beforeAll, expect, test } from "vitest";
import { openSession, type Session } from "./session.ts";

// The fields of real instances' answers, next to those of the documents.

let session: Session;
let documented: Session;
beforeAll(async () => {
  session = await openSession({ asDeployed: true });
  documented = await openSession();
});
afterAll(() => Promise.all([session.sandbox.close(), documented.sandbox.close()]));

interface Difference {
  readonly request: string;
  /** The object in the answer. */
  readonly at: (json: never) => object;
  readonly more: readonly string[];
  readonly less: readonly string[];
}

const differences: readonly Difference[] = [
  {
    request: "GET /projects/7/issues/28/notes/300001",
    at: (note: object) => note,
    more: ["type", "commands_changes"],
    less: [],
  },
  {
    request: "GET /projects/7/issues/28/notes",
    at: ([note]: [{ author: object }]) => note.author,
    more: ["locked", "avatar_url", "web_url", "public_email"],
    less: ["email", "created_at"],
  },
  {
    request: "GET /projects/7/jobs/1001",
    at: (job: object) => job,
    more: [...["pipeline", "queued_duration", "erased_at", "artifacts_expire_at", "tag_list", "project", "archived"]],
    less: ["download_url"],
  },
  { request: "GET /metadata", at: (metadata: object) => metadata, more: ["kas"], less: [] },
  { request: "GET /events?scope=all", at: ([event]: [object]) => event, more: [], less: ["title"] },
  { request: "GET /projects/7/events", at: ([event]: [object]) => event, more: [], less: ["title", "data"] },
  {
    request: "GET /groups/acme/hooks",
    at: ([hook]: [object]) => hook,
    more: ["milestone_events", "project_events", "vulnerability_events", "token_present", "signing_token_present"],
    less: [],
  },
];

test.each(differences)("$request has other fields: $more, and not $less", async ({ request, at, more, less }) => {
  const keys = async (from: Session) => Object.keys(at((await from.ask(request)).json as never));
  const [theirs, ours] = [await keys(session), await keys(documented)];
  expect(theirs.filter((name) => !ours.includes(name)).sort()).toEqual([...more].sort());
  expect(ours.filter((name) => !theirs.includes(name)).sort()).toEqual([...less].sort());
});

test("settings have undocumented names, and one setting has two", async () => {
  const shown = async (from: Session) => (await from.ask("GET /application/settings")).json;
  const names = Object.keys(await shown(session)).filter((name) => !name.startsWith("arkose"));
  const plain = Object.keys(await shown(documented));
  expect(names.filter((name) => !plain.includes(name))).toEqual(
    expect.arrayContaining(["ci_max_includes", "default_artifacts_expire_in", "can_create_organization"]),
  );
  const [old, current] = [
    "allow_local_requests_from_hooks_and_services",
    "allow_local_requests_from_web_hooks_and_services",
  ] as const;
  const put = async (from: Session, json: object) => {
    const answer = (await from.ask("PUT /application/settings", { json })).json;
    return [answer[old], answer[current]];
  };
  expect(await put(session, { [current]: true })).toEqual([true, true]);
  expect(await put(session, { [old]: false })).toEqual([false, false]);
  expect(await put(documented, { [current]: true })).toEqual([false, true]);
});

test("two SAML links may have one name; without custom roles, the role of one is dropped", async () => {
  const links = "/groups/globex/saml_group_links";
  const named = (await session.ask(`GET ${links}`)).json.filter(({ name }: { name: string }) => name === "Analysts");
  expect(named.map(({ provider }: { provider: string }) => provider)).toEqual(["saml", "saml-eu"]);
  expect((await session.ask(`DELETE ${links}/Analysts`)).status).toBe(422);
  expect((await session.ask(`DELETE ${links}/Analysts?provider=saml-eu`)).status).toBe(204);
  expect((await session.ask(`GET ${links}/Analysts`)).json.provider).toBe("saml");
  const premium = await openSession({ asDeployed: true, tier: "premium" });
  const json = { saml_group_name: "Staff", access_level: 30, member_role_id: 12 };
  const role = async (from: Session) => {
    const made = await from.ask(`POST ${links}`, { json });
    return [made.status, made.json.member_role_id];
  };
  expect([await role(premium), await role(session)]).toEqual([
    [201, undefined],
    [201, 12],
  ]);
  await premium.sandbox.close();
});
