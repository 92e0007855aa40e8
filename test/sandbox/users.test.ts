import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { people } from "../../src/sandbox/areas/places/people.ts";
import { type Asking, openSession, type Session } from "./session.ts";
import { findOnly, findUsers, type Shown } from "./user-list.ts";

let session: Session;
beforeAll(async () => {
  session = await openSession();
});
afterAll(() => session.sandbox.close());

const find = (query: string, as?: Asking["as"]) => findUsers(session, query, as);
const count = async (query: string) => (await find(query)).length;
const every = (query: string, test: (user: Shown) => boolean) => findOnly(session, query, test);

const brief = ["id", "username", "name", "state", "locked", "avatar_url", "web_url"];
const single = [
  ...brief,
  ...["created_at", "bio", "bot", "location", "public_email", "skype", "linkedin", "twitter", "discord"],
  ...["website_url", "organization", "job_title", "pronouns", "work_information", "followers", "following"],
  ...["local_time", "is_followed"],
];
const administrators = [
  ...["email", "is_admin", "last_sign_in_at", "confirmed_at", "theme_id", "last_activity_on", "color_scheme_id"],
  ...["projects_limit", "current_sign_in_at", "note", "identities", "can_create_group", "can_create_project"],
  ...["two_factor_enabled", "external", "private_profile", "commit_email", "current_sign_in_ip", "last_sign_in_ip"],
  ...["namespace_id", "created_by", "email_reset_offered_at", "sign_in_count"],
];
const enterprise = ["plan", "trial"];
const paid = [
  ...["shared_runners_minutes_limit", "extra_shared_runners_minutes_limit", "is_auditor", "using_license_seat"],
  ...["provisioned_by_group_id", "scim_identities"],
];

describe("visible fields of a user", () => {
  const fields = async (path: string, as: Asking["as"]) => {
    const { json } = await session.ask(`GET ${path}`, { as: as ?? null });
    return Object.keys(Array.isArray(json) ? json[0] : json).sort();
  };

  test("to regular users", async () => {
    expect(await fields("/users", "developer")).toEqual([...brief].sort());
    expect(await fields("/users/4", "developer")).toEqual([...single].sort());
  });
  test("to administrators", async () => {
    const all = [...single, ...administrators, ...enterprise, ...paid].sort();
    expect(await fields("/users", "administrator")).toEqual(all);
    expect(await fields("/users/4", "administrator")).toEqual(all);
  });
  test("to administrators on the free tier", async () => {
    const { ask, sandbox } = await openSession({ tier: "free" });
    expect(Object.keys((await ask("GET /users/4")).json).sort()).toEqual([...single, ...administrators].sort());
    await sandbox.close();
  });
  test("with custom attributes, to administrators on request", async () => {
    const [user] = await find("custom_attributes[department]=research&with_custom_attributes=true");
    expect(user?.custom_attributes).toContainEqual({ key: "department", value: "research" });
    const path = `/users/${user?.id}?with_custom_attributes=true`;
    expect((await session.ask(`GET ${path}`)).json.custom_attributes).toEqual(user?.custom_attributes);
    expect((await session.ask(`GET ${path}`, { as: "developer" })).json).not.toHaveProperty("custom_attributes");
  });
});

describe("GET /users", () => {
  test("starts with the newest", async () => {
    const ids = (await find("")).map((user) => user.id);
    expect(ids).toEqual(Array.from({ length: 300 }, (_, index) => 300 - index));
  });
  test("needs a token", async () => {
    expect((await session.ask("GET /users", { as: null })).status).toBe(401);
    expect((await session.ask("GET /users", { as: "readUser" })).status).toBe(200);
    expect((await session.ask("GET /users", { as: "readRepository" })).status).toBe(403);
  });
  test("finds one username, in any case", async () => {
    expect((await find("username=DANA.Dixon")).map((user) => user.id)).toEqual([people.developer]);
    expect(await count("username=dana")).toBe(0);
  });
  test("searches parts of names and usernames, and complete emails", async () => {
    expect((await find("search=DiXo", "developer")).map((user) => user.id)).toContain(people.developer);
    expect((await find("search=李小龙", "developer")).map((user) => user.username)).toEqual(["li.xiaolong"]);
    const open = (await find("")).find((user) => user.public_email !== null);
    const address = String(open?.public_email);
    expect((await find(`search=${address}`, "developer")).map((user) => user.id)).toEqual([open?.id]);
    expect(await find(`search=${address.slice(0, -1)}`, "developer")).toEqual([]);
  });
  test("finds a private email for administrators only", async () => {
    expect((await find("search=dana.dixon@acme.example")).map((user) => user.id)).toEqual([people.developer]);
    expect(await find("search=dana.dixon@acme.example", "developer")).toEqual([]);
  });

  test("filters by state and kind, and their opposites", async () => {
    const total = await count("");
    const active = await every("active=true", (user) => user.state === "active");
    expect(await every("exclude_active=true", (user) => user.state !== "active")).toBe(total - active);
    const external = await every("external=true", (user) => user.external === true);
    expect(await every("exclude_external=true", (user) => user.external === false)).toBe(total - external);
    const humans = await every("humans=true", (user) => user.bot === false);
    expect(await every("exclude_humans=true", (user) => user.bot === true)).toBe(total - humans);
    await every("blocked=true", (user) => user.state === "blocked");
    expect(await every("active=true&external=true&humans=true", (user) => user.external === true)).toBeLessThan(
      external,
    );
  });
  test("treats false as not given", async () => {
    expect(await count("active=false&blocked=false&external=false")).toBe(300);
  });
  test("omits internal bots, or those of projects and groups", async () => {
    const ids = async (query: string) => (await find(query)).map((user) => user.id);
    const internal = [people.alertBot, people.supportBot];
    const tokens = [people.projectBot, people.groupBot];
    const [withoutInternal, withoutTokens] = [
      await ids("exclude_internal=true"),
      await ids("without_project_bots=true"),
    ];
    for (const id of internal)
      expect([withoutInternal.includes(id), withoutTokens.includes(id)]).toEqual([false, true]);
    for (const id of tokens) expect([withoutInternal.includes(id), withoutTokens.includes(id)]).toEqual([true, false]);
    expect([withoutInternal.length, withoutTokens.length]).toEqual([298, 298]);
  });
  test("filters by creation", async () => {
    const { created_at } = (await session.ask("GET /users/150")).json;
    const instant = encodeURIComponent(created_at);
    const [after, before] = [await count(`created_after=${instant}`), await count(`created_before=${instant}`)];
    expect([after, before]).toEqual([150, 149]);
    expect(await count(`created_after=${created_at.slice(0, 10)}`)).toBeGreaterThanOrEqual(151 - 1);
    expect((await session.ask("GET /users?created_after=yesterday")).json.message).toEqual({
      created_after: ["is invalid"],
    });
  });
  test("has accounts of every kind", async () => {
    const all = await find("");
    const some = (test: (user: Shown) => boolean) => expect(all.filter(test).length).toBeGreaterThan(1);
    some((user) => user.last_sign_in_at === null && user.bot === false);
    some((user) => user.is_auditor === true);
    some((user) => String(user.last_activity_on) < new Date(Date.now() - 90 * 86_400_000).toISOString().slice(0, 10));
    some((user) => !/^[\x20-\x7e]*$/.test(String(user.name)));
    expect(all.find((user) => user.username === "mallory")?.bio).toContain("\u001b[2J");
  });
});

describe("one user", () => {
  test("that does not exist is 404, and a name is not an id", async () => {
    const none = await session.ask("GET /users/9999");
    expect([none.status, none.json]).toEqual([404, { message: "404 User Not Found" }]);
    expect((await session.ask("GET /users/dana.dixon")).status).toBe(400);
    expect((await session.ask("GET /users/4", { as: null })).status).toBe(401);
  });
  test("is the caller at /user, for every token", async () => {
    const names = [];
    for (const as of ["administrator", "owner", "guest", "readUser", "outsider"] as const) {
      names.push((await session.ask("GET /user", { as })).json.username);
    }
    expect(names).toEqual(["root", "olivia.ortega", "grace.green", "dana.dixon", "wanda.wolf"]);
  });
  test("at /user has the caller's private fields", async () => {
    const { json } = await session.ask("GET /user", { as: "developer" });
    expect(json).toMatchObject({
      email: "dana.dixon@acme.example",
      two_factor_enabled: true,
      can_create_project: true,
    });
    expect(json).not.toHaveProperty("is_admin");
    expect(json).not.toHaveProperty("note");
    expect((await session.ask("GET /user")).json.is_admin).toBe(true);
  });
  test("can be impersonated by an administrator with sudo, as parameter or header", async () => {
    expect((await session.ask(`GET /user?sudo=${people.guest}`)).json.username).toBe("grace.green");
    const header = await session.ask("GET /user", { headers: { sudo: String(people.guest) } });
    expect(header.json.username).toBe("grace.green");
    expect((await session.ask("GET /user?sudo=9999")).status).toBe(404);
    expect((await session.ask("GET /user?sudo=x")).status).toBe(400);
    expect((await session.ask(`GET /user?sudo=${people.guest}`, { as: "owner" })).status).toBe(403);
  });
});

test("the demo data is the same in every sandbox", async () => {
  const other = await openSession();
  const [mine, theirs] = [await session.ask("GET /users?per_page=100"), await other.ask("GET /users?per_page=100")];
  const origin = other.sandbox.url;
  // The clock may strike between the two.
  const plain = (text: string, url: string) => text.replaceAll(url, "").replace(/"local_time":"[^"]*"/g, "");
  expect(plain(theirs.text, origin)).toBe(plain(mine.text, session.sandbox.url));
  await other.sandbox.close();
});
