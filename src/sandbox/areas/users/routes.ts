import { asText } from "../../server/nested.ts";
import { opaquePage, page, pageParams } from "../../server/pagination.ts";
import {
  anyHash,
  boolean,
  dateTime,
  fallback,
  integer,
  oneOf,
  required,
  string,
  type Values,
} from "../../server/params.ts";
import { badRequest, forbidden, invalid, missing, notFound } from "../../server/problem.ts";
import { ok } from "../../server/reply.ts";
import type { Area, Router } from "../../server/router.ts";
import { foundIn } from "../../server/search.ts";
import { members, type User, users } from "../../store/model.ts";
import type { World } from "../../store/world.ts";
import { currentUser, listedUser, showsProfile, singleUser } from "./view.ts";

const readable = ["read_api", "read_user"] as const;

/** Users: 2-collaboration-identity-api: Users. */
export const usersArea: Area = {
  name: "users",
  routes(router) {
    listUsers(router);
    getUser(router);
    getCurrentUser(router);
  },
};

const regularFilters = {
  username: string(),
  search: string(),
  active: fallback(boolean(), false),
  external: fallback(boolean(), false),
  blocked: fallback(boolean(), false),
  humans: fallback(boolean(), false),
  created_after: dateTime(),
  created_before: dateTime(),
  exclude_active: fallback(boolean(), false),
  exclude_external: fallback(boolean(), false),
  exclude_humans: fallback(boolean(), false),
  exclude_internal: fallback(boolean(), false),
  without_project_bots: fallback(boolean(), false),
};

const administratorFilters = {
  extern_uid: string(),
  provider: string(),
  order_by: oneOf(["id", "name", "username", "created_at", "updated_at"]),
  sort: oneOf(["asc", "desc"]),
  two_factor: oneOf(["enabled", "disabled"]),
  without_projects: boolean(),
  admins: boolean(),
  custom_attributes: anyHash(),
  with_custom_attributes: boolean(),
};

/** Administrator filters that require Premium. */
const paidFilters = {
  auditors: boolean(),
  saml_provider_id: integer(),
  skip_ldap: boolean(),
};

/** Real instances list users in these states to administrators only. */
const hiddenStates: ReadonlySet<User["state"]> = new Set(["blocked", "banned"]);

const filters = { ...regularFilters, ...administratorFilters, ...paidFilters };
type Filters = Values<typeof filters>;

function listUsers(router: Router): void {
  router.on(
    "GET /users",
    { params: { ...pageParams, pagination: oneOf(["offset", "keyset"]), ...filters }, scopes: readable },
    (call) => {
      const { world, origin, user: caller } = call;
      const keyset = call.params.pagination === "keyset";
      const dropped = world.asDeployed && !caller.admin;
      const kept = dropped ? withoutAdministratorFilters(call.params, keyset) : call.params;
      const params = world.asDeployed ? withoutUnknownFilters(world, kept) : kept;
      if (!caller.admin) refuseAdministratorFilters(params, keyset);
      checkFilters(world, params);
      const viewing = {
        world,
        origin,
        administrator: caller.admin,
        withCustomAttributes: caller.admin && params.with_custom_attributes === true,
      };
      const view = (user: User) => listedUser(user, viewing);
      const test = createTest(world, params, caller.admin);
      const isHidden = (user: User) => world.asDeployed && !caller.admin && hiddenStates.has(user.state);
      const found = world.store.table(users).where((user) => !isHidden(user) && test(user));
      const sort = params.sort ?? "desc";
      if (keyset) return opaquePage(call, found, { by: params.order_by, sort }, view);
      return page(call, sorted(found, params.order_by ?? "id", sort), view);
    },
  );
}

/**
 * Refuses administrator filters from regular users, by name. Real instances silently ignore some of them and return an
 * unfiltered list; here the mistake is visible. Keyset pagination and its order are available to everyone.
 */
function refuseAdministratorFilters(params: Filters, keyset: boolean): void {
  for (const name of [...Object.keys(administratorFilters), ...Object.keys(paidFilters)]) {
    if (keyset && (name === "order_by" || name === "sort")) continue;
    if (params[name as keyof Filters] !== undefined) throw forbidden(`${name} is for administrators only`);
  }
}

/** Filters that real instances silently ignore for all but administrators; filters by identity are refused. */
function withoutAdministratorFilters<F extends Filters>(params: F, keyset: boolean): F {
  const names = [...Object.keys(administratorFilters), ...Object.keys(paidFilters), "created_after", "created_before"];
  const kept = ["extern_uid", "provider", ...(keyset ? ["order_by", "sort"] : [])];
  const gone = names.filter((name) => !kept.includes(name));
  return { ...params, ...Object.fromEntries(gone.map((name) => [name, undefined])) };
}

/** Real instances silently ignore the filters that their edition does not have. */
function withoutUnknownFilters<F extends Filters>(world: World, params: F): F {
  if (world.has("premium")) return params;
  return { ...params, ...Object.fromEntries(Object.keys(paidFilters).map((name) => [name, undefined])) };
}

function checkFilters(world: World, params: Filters): void {
  if (params.extern_uid !== undefined && params.provider === undefined) throw missing("provider");
  if (params.provider !== undefined && params.extern_uid === undefined) throw missing("extern_uid");
  const isPaid = world.has("premium");
  if (params.provider === "scim" && !isPaid) throw invalid({ provider: ["does not have a valid value"] });
  for (const name of Object.keys(paidFilters) as (keyof typeof paidFilters)[]) {
    if (params[name] !== undefined && !isPaid) throw badRequest(`${name} needs the Premium or Ultimate tier`);
  }
}

/** Combines the filters into one predicate. A boolean filter that is false has no effect. */
function createTest(world: World, params: Filters, administrator: boolean): (user: User) => boolean {
  const tests: ((user: User) => boolean)[] = [];
  const when = (asked: unknown, test: (user: User) => boolean) => {
    if (asked !== undefined && asked !== false) tests.push(test);
  };
  const name = params.username?.toLowerCase();
  when(name, (user) => user.username.toLowerCase() === name);
  when(params.search, createSearch(world, params.search ?? "", administrator));
  when(params.active, (user) => user.state === "active");
  when(params.blocked, (user) => user.state === "blocked");
  when(params.external, (user) => user.external);
  when(params.humans, (user) => user.kind === "human");
  when(params.exclude_active, (user) => user.state !== "active");
  when(params.exclude_external, (user) => !user.external);
  when(params.exclude_humans, (user) => user.kind !== "human");
  when(params.exclude_internal, (user) => user.kind !== "alert_bot" && user.kind !== "support_bot");
  when(params.without_project_bots, (user) => user.kind !== "project_bot");
  const after = params.created_after?.toISOString() ?? "";
  const before = params.created_before?.toISOString() ?? "";
  when(params.created_after, (user) => user.created_at > after);
  when(params.created_before, (user) => user.created_at < before);
  when(params.two_factor, (user) => user.two_factor_enabled === (params.two_factor === "enabled"));
  when(params.admins, (user) => user.admin);
  when(params.auditors, (user) => user.auditor);
  when(params.skip_ldap, (user) => !user.identities.some((identity) => identity.provider.startsWith("ldap")));
  when(params.saml_provider_id, (user) =>
    user.identities.some((id) => id.saml_provider_id === params.saml_provider_id),
  );
  when(params.extern_uid, createIdentityTest(params.provider ?? "", params.extern_uid ?? ""));
  when(params.without_projects, createWithoutProjectsTest(world));
  for (const [key, value] of Object.entries(params.custom_attributes ?? {})) {
    when(true, (user) => user.custom_attributes.some((own) => own.key === key && own.value === asText(value)));
  }
  return (user) => tests.every((test) => test(user));
}

/** Matches parts of names, and complete public emails; for administrators, private ones too. */
function createSearch(world: World, text: string, administrator: boolean): (user: User) => boolean {
  const word = text.toLowerCase();
  const isNamed = ({ name, username }: User) =>
    world.asDeployed
      ? foundIn([name, username], text)
      : name.toLowerCase().includes(word) || username.toLowerCase().includes(word);
  return (user) =>
    isNamed(user) || user.public_email?.toLowerCase() === word || (administrator && user.email.toLowerCase() === word);
}

function createIdentityTest(provider: string, externUid: string): (user: User) => boolean {
  if (provider === "scim") return (user) => user.scim_identities.some((identity) => identity.extern_uid === externUid);
  return (user) => user.identities.some((own) => own.provider === provider && own.extern_uid === externUid);
}

function createWithoutProjectsTest(world: World): (user: User) => boolean {
  const memberIds = new Set(
    world.store
      .table(members)
      .all()
      .map((member) => member.user_id),
  );
  return (user) => !memberIds.has(user.id);
}

function sorted(found: User[], by: NonNullable<Filters["order_by"]>, sort: "asc" | "desc"): User[] {
  const compare = (a: User, b: User) => (a[by] < b[by] ? -1 : a[by] > b[by] ? 1 : a.id - b.id);
  return found.sort((a, b) => (sort === "asc" ? compare(a, b) : compare(b, a)));
}

function getUser(router: Router): void {
  const params = { id: required(integer()), with_custom_attributes: boolean() };
  router.on("GET /users/:id", { params, scopes: readable }, ({ world, origin, user: caller, params }) => {
    const user = world.store.table(users).get(params.id);
    if (user === undefined) throw notFound("User");
    const withCustomAttributes = caller.admin && params.with_custom_attributes === true;
    const shown = singleUser(user, { world, origin, administrator: caller.admin, withCustomAttributes });
    if (!world.asDeployed || showsProfile(user, caller)) return ok(shown);
    const { created_at: _, followers: _f, following: _g, ...others } = shown;
    return ok(others);
  });
}

/** `sudo`, as a parameter or header: the user whom an administrator impersonates. */
function getCurrentUser(router: Router): void {
  router.on("GET /user", { params: { sudo: integer() }, scopes: readable }, (call) => {
    const { world, origin, user: caller, params } = call;
    const header = call.header("sudo");
    const sudo = params.sudo ?? (header === undefined ? undefined : sudoFromHeader(header));
    if (sudo === undefined) return ok(currentUser(caller, { world, origin, administrator: caller.admin }));
    if (!caller.admin) throw forbidden("Must be admin to use sudo");
    const user = world.store.table(users).get(sudo);
    if (user === undefined) throw notFound(`User with ID or username '${sudo}'`);
    return ok(currentUser(user, { world, origin, administrator: user.admin }));
  });
}

function sudoFromHeader(header: string): number {
  if (!/^\d+$/.test(header)) throw invalid({ sudo: ["is invalid"] });
  return Number(header);
}
