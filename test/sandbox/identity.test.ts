import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSession, type Session } from "./session.ts";

let hosted: Session;
let selfManaged: Session;
beforeAll(async () => {
  hosted = await openSession({ hosting: "hosted", tier: "premium" });
  selfManaged = await openSession();
});
afterAll(() => Promise.all([hosted.sandbox.close(), selfManaged.sandbox.close()]));

const uid = encodeURIComponent("ou=Product/Priya Patel");

describe("SAML identities", () => {
  test("belong to users: a change is visible in both places", async () => {
    const one = await hosted.ask(`GET /groups/acme/saml/${uid}`, { as: "owner" });
    expect([one.status, one.json]).toEqual([200, { extern_uid: "ou=Product/Priya Patel", user_id: 5 }]);
    const changed = await hosted.ask(`PATCH /groups/1/saml/${uid}`, { form: "extern_uid=priya%2F1", as: "owner" });
    expect([changed.status, changed.json]).toEqual([200, { extern_uid: "priya/1", user_id: 5 }]);
    const found = await hosted.ask("GET /users?extern_uid=priya%2F1&provider=group_saml");
    expect(found.json.map(({ id }: { id: number }) => id)).toEqual([5]);
    const gone = await hosted.ask("DELETE /groups/1/saml/priya%2F1", { as: "owner" });
    expect([gone.status, gone.text]).toEqual([204, ""]);
    expect((await hosted.ask("GET /groups/1/saml/priya%2F1")).status).toBe(404);
    const left = (await hosted.ask("GET /users/5")).json.identities;
    expect(left.map(({ provider }: { provider: string }) => provider)).toEqual(["ldapmain"]);
  });

  test("belong to one provider: the same UID in another group is another identity", async () => {
    const same = encodeURIComponent("olivia.ortega@acme.example");
    expect((await hosted.ask(`DELETE /groups/globex/saml/${same}`)).status).toBe(204);
    expect((await hosted.ask(`GET /groups/acme/saml/${same}`)).json.user_id).toBe(2);
    expect((await hosted.ask("GET /groups/initech/saml/identities")).json).toEqual([]);
  });

  test("a change needs a free UID", async () => {
    const path = "PATCH /groups/1/saml/dana.dixon%40acme.example";
    expect((await hosted.ask(path, { form: "" })).json).toEqual({
      message: '400 (Bad request) "extern_uid" not given',
    });
    expect((await hosted.ask(path, { form: "extern_uid=+" })).json).toEqual({
      message: { extern_uid: ["can't be blank"] },
    });
    expect((await hosted.ask(path, { form: "extern_uid=olivia.ortega%40acme.example" })).json).toEqual({
      message: { extern_uid: ["has already been taken"] },
    });
    expect((await hosted.ask(path, { form: "extern_uid=dana.dixon%40acme.example" })).status).toBe(200);
  });
});

describe("SCIM identities", () => {
  test("show who is active, and what was changed", async () => {
    const { json, headers } = await hosted.ask("GET /groups/acme/scim/identities?per_page=100", { as: "owner" });
    expect(headers.get("x-total")).toBe(String(json.length));
    expect(json).toContainEqual({ extern_uid: "робин рейес/1", user_id: 6, active: false });
    expect(json).toContainEqual({ extern_uid: "dana.dixon@acme.example", user_id: 4, active: true });
    const path = (extern: string) => `/groups/acme/scim/${encodeURIComponent(extern)}`;
    const changed = await hosted.ask(`PATCH ${path("dana.dixon@acme.example")}`, { form: "extern_uid=dana" });
    expect([changed.status, changed.json]).toEqual([200, { extern_uid: "dana", user_id: 4, active: true }]);
    expect((await hosted.ask(`GET ${path("dana")}`)).json).toEqual({ extern_uid: "dana", user_id: 4, active: true });
    expect((await hosted.ask("GET /users/4")).json.scim_identities).toEqual([
      { extern_uid: "dana", group_id: 1, active: true },
    ]);
    const taken = await hosted.ask(`PATCH ${path("dana")}`, { form: "extern_uid=olivia.ortega%40acme.example" });
    expect(taken.json).toEqual({ message: { extern_uid: ["has already been taken"] } });
    expect((await hosted.ask(`DELETE ${path("dana")}`)).status).toBe(204);
    expect((await hosted.ask(`DELETE ${path("dana")}`)).status).toBe(404);
  });
});

describe("SAML group links", () => {
  const path = "/groups/acme/saml_group_links";

  test("are created, read, and deleted", async () => {
    const made = await selfManaged.ask(`POST ${path}`, {
      as: "owner",
      json: { saml_group_name: "A/B", access_level: 30, member_role_id: 4 },
    });
    const link = { name: "A/B", access_level: 30, member_role_id: 4 };
    expect([made.status, made.json]).toEqual([201, link]);
    expect((await selfManaged.ask(`GET ${path}/A%2FB`)).json).toEqual(link);
    expect((await selfManaged.ask(`GET ${path}`)).json).toContainEqual(link);
    expect((await selfManaged.ask(`DELETE ${path}/A%2FB`)).status).toBe(204);
    expect((await selfManaged.ask(`DELETE ${path}/A%2FB`)).status).toBe(404);
  });

  test.each([
    [{ access_level: 30 }, '400 (Bad request) "saml_group_name" not given'],
    [{ saml_group_name: "A" }, '400 (Bad request) "access_level" not given'],
    [{ saml_group_name: "A", access_level: 60 }, { access_level: ["does not have a valid value"] }],
    [{ saml_group_name: "A", access_level: "owner" }, { access_level: ["is invalid"] }],
    [{ saml_group_name: " ", access_level: 30 }, { saml_group_name: ["can't be blank"] }],
    [{ saml_group_name: "Engineering", access_level: 30 }, { saml_group_name: ["has already been taken"] }],
  ])("%j is a 400", async (json, message) => {
    const answer = await selfManaged.ask(`POST ${path}`, { json });
    expect([answer.status, answer.json]).toEqual([400, { message }]);
  });

  test("a link gives a custom role on Premium too", async () => {
    const premium = await openSession({ tier: "premium" });
    const json = { saml_group_name: "A", access_level: 30, member_role_id: 4 };
    const made = await premium.ask(`POST ${path}`, { json });
    expect([made.status, made.json.member_role_id]).toEqual([201, 4]);
    // A link of LDAP does not.
    const ldap = { cn: "a", provider: "ldapmain", group_access: 30, member_role_id: 4 };
    expect((await premium.ask("POST /groups/acme/ldap_group_links", { json: ldap })).status).toBe(400);
    await premium.sandbox.close();
  });
});

describe("LDAP group links", () => {
  const path = "/groups/acme/ldap_group_links";

  test("are created and deleted by CN or by filter", async () => {
    const link = { provider: "ldapmain", filter: "(a=b)", group_access: 10 };
    const made = await selfManaged.ask(`POST ${path}`, { as: "owner", json: link });
    expect([made.status, made.json]).toEqual([201, { ...link, cn: null, member_role_id: null }]);
    expect((await selfManaged.ask(`POST ${path}`, { json: link })).status).toBe(409);
    const gone = await selfManaged.ask(`DELETE ${path}?provider=ldapmain&filter=${encodeURIComponent("(a=b)")}`);
    expect([gone.status, gone.text]).toEqual([204, ""]);
    expect((await selfManaged.ask(`DELETE ${path}?provider=ldapmain&cn=missing`)).status).toBe(404);
  });

  test("require exactly one of the two", async () => {
    const json = { provider: "ldapmain", group_access: 10 };
    const ask = async (more: object) => (await selfManaged.ask(`POST ${path}`, { json: { ...json, ...more } })).json;
    expect((await ask({})).message).toContain("exactly one parameter must be provided");
    expect((await ask({ cn: "a", filter: "(b=c)" })).message).toContain("mutually exclusive");
    expect((await selfManaged.ask(`DELETE ${path}?provider=ldapmain`)).status).toBe(400);
    expect((await selfManaged.ask(`DELETE ${path}?cn=leads`)).json.message).toContain('"provider" not given');
  });

  test("the deprecated deletes name the link in the path", async () => {
    const providers = async () =>
      (await selfManaged.ask(`GET ${path}`)).json
        .filter(({ cn }: { cn: string }) => cn === "engineering")
        .map(({ provider }: { provider: string }) => provider);
    expect(await providers()).toEqual(["ldapmain", "ldapsecondary"]);
    expect((await selfManaged.ask(`DELETE ${path}/ldapmain/engineering`)).status).toBe(204);
    expect((await selfManaged.ask(`DELETE ${path}/ldapmain/engineering`)).status).toBe(404);
    expect(await providers()).toEqual(["ldapsecondary"]);
    expect((await selfManaged.ask(`DELETE ${path}/engineering`)).status).toBe(204);
    expect(await providers()).toEqual([]);
  });
});

test("each exists only where documented, and only for owners", async () => {
  const free = await openSession({ tier: "free", hosting: "hosted" });
  const paths = ["saml/identities", "scim/identities", "saml_group_links", "ldap_group_links"];
  const statuses = (session: Session, as: "administrator" | "owner" | "maintainer") =>
    Promise.all(paths.map(async (path) => (await session.ask(`GET /groups/acme/${path}`, { as })).status));
  expect(await statuses(hosted, "owner")).toEqual([200, 200, 200, 404]);
  expect(await statuses(selfManaged, "owner")).toEqual([404, 404, 200, 200]);
  expect(await statuses(hosted, "maintainer")).toEqual([403, 403, 403, 404]);
  expect(await statuses(free, "administrator")).toEqual([404, 404, 404, 404]);
  await free.sandbox.close();
});
