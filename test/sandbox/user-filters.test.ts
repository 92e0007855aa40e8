import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { people } from "../../src/sandbox/areas/places/people.ts";
import { openSession, type Session } from "./session.ts";
import { findOnly, findUsers, type Shown } from "./user-list.ts";

let session: Session;
beforeAll(async () => {
  session = await openSession();
});
afterAll(() => session.sandbox.close());

const find = (query: string) => findUsers(session, query);
const count = async (query: string) => (await find(query)).length;

describe("filters for administrators", () => {
  test.each([
    ["two_factor=enabled", (user: Shown) => user.two_factor_enabled === true],
    ["two_factor=disabled", (user: Shown) => user.two_factor_enabled === false],
    ["admins=true", (user: Shown) => user.is_admin === true],
    ["auditors=true", (user: Shown) => user.is_auditor === true],
    ["saml_provider_id=1", (user: Shown) => JSON.stringify(user.identities).includes('"saml_provider_id":1')],
    ["skip_ldap=true", (user: Shown) => !JSON.stringify(user.identities).includes("ldap")],
  ])("%s", async (query, test) => {
    await findOnly(session, query, test);
  });
  test("an identity at a provider", async () => {
    const uid = encodeURIComponent("uid=");
    const known = (await find("skip_ldap=false")).find((user) => JSON.stringify(user.identities).includes("ldapmain"));
    const identity = known?.identities?.[0];
    const exact = encodeURIComponent(String(identity?.extern_uid));
    expect((await find(`provider=ldapmain&extern_uid=${exact}`)).map((user) => user.id)).toEqual([known?.id]);
    expect(await count(`provider=ldapmain&extern_uid=${uid}`)).toBe(0);
    const alone = await session.ask("GET /users?extern_uid=x");
    expect([alone.status, alone.json.message]).toEqual([400, '400 (Bad request) "provider" not given']);
  });
  test("an identity of SCIM", async () => {
    const known = (await find("")).find((user) => user.scim_identities?.[0] !== undefined);
    const identity = known?.scim_identities?.[0];
    expect((await find(`provider=scim&extern_uid=${identity?.extern_uid}`)).map((user) => user.id)).toEqual([
      known?.id,
    ]);
  });
  test("no membership anywhere", async () => {
    const ids = (await find("without_projects=true")).map((user) => user.id);
    expect(ids).toContain(people.outsider);
    expect(ids).not.toContain(people.guest);
  });
  test("custom attributes, all of those given", async () => {
    const both = "custom_attributes[department]=support&with_custom_attributes=true";
    const found = await find(both);
    const center = found[0]?.custom_attributes?.find((own) => own.key === "cost_center");
    const narrowed = await count(`${both}&custom_attributes[cost_center]=${center?.value}`);
    expect(narrowed).toBeGreaterThan(0);
    expect(narrowed).toBeLessThan(found.length);
  });
  test.each(["id", "name", "username", "created_at", "updated_at"])("order by %s", async (field) => {
    const up = (await find(`order_by=${field}&sort=asc`)).map((user) => user.id);
    const down = (await find(`order_by=${field}`)).map((user) => user.id);
    expect(down).toEqual([...up].reverse());
    expect(up).not.toEqual(down);
  });
  test.each([
    ["two_factor=enabled"],
    ["order_by=name"],
    ["sort=asc"],
    ["extern_uid=x&provider=ldapmain"],
    ["without_projects=true"],
    ["admins=false"],
    ["auditors=true"],
    ["custom_attributes[a]=b"],
    ["with_custom_attributes=true"],
  ])("%s is refused by name for others", async (query) => {
    const { status, json } = await session.ask(`GET /users?${query}`, { as: "owner" });
    const name = query.split(/[=[]/)[0] ?? "";
    expect([status, json.message]).toEqual([403, `403 Forbidden - ${name} is for administrators only`]);
  });
  test.each(["two_factor=maybe", "order_by=email", "sort=up", "saml_provider_id=x", "admins=perhaps"])(
    "%s is not a valid value",
    async (query) => {
      const { status, json } = await session.ask(`GET /users?${query}`);
      expect([status, Object.keys(json.message)]).toEqual([400, [query.split("=")[0]]]);
    },
  );
  test("of the paid tiers are refused on the free one", async () => {
    const { ask, sandbox } = await openSession({ tier: "free" });
    for (const query of ["auditors=true", "skip_ldap=true", "saml_provider_id=1", "provider=scim&extern_uid=x"]) {
      expect((await ask(`GET /users?${query}`)).status, query).toBe(400);
    }
    await sandbox.close();
  });
});
