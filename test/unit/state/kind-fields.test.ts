import { describe, expect, test } from "vitest";
import { noLdapLinks } from "../../../src/api/endpoints/ldap.ts";
import type { Field, Fields } from "../../../src/api/field.ts";
import { findSetting } from "../../../src/settings/catalogue.ts";
import type { Form, Kind, StateField, Values } from "../../../src/state/kind.ts";
import { findKind, kinds, kindsAt } from "../../../src/state/kinds/index.ts";
import { settingsKind } from "../../../src/state/kinds/settings.ts";

// The kinds' fields are those of the API: what its endpoints answer and take says how each is written and compared.

const ofApi = kinds.filter((kind) => kind !== settingsKind);

/** The form of a field by its type in the API; undefined for a type that says nothing. */
function formOf({ kind, item, codes }: Field): Form | undefined {
  if (codes !== undefined) return "level";
  if (kind === "string" || kind === "enum") return "text";
  if (kind === "boolean" || kind === "integer" || kind === "id") return kind;
  if (item?.shape === undefined) return undefined;
  return "key" in item.shape ? "keys" : "access_level" in item.shape ? "rules" : undefined;
}

function shownBy({ read: { endpoint } }: Kind): Fields {
  const { returns } = endpoint;
  return typeof returns === "object" && "shape" in returns ? returns.shape : {};
}

/** What a kind's requests take, under the names that answers have. */
function takenBy(kind: Kind): Fields {
  const change = { scope: { at: kind.at, name: "7" }, kind, key: "x", id: 1, write: Object.keys(kind.fields) };
  const values: Values = Object.fromEntries(change.write.map((name) => [name, true]));
  const rest = {
    lockout: undefined,
    reason: undefined,
    fields: [],
    desired: { values, origin: { file: "", line: 0 } },
  };
  const steps = (["create", "update", "replace"] as const).flatMap((action) =>
    kind.steps({ ...change, ...rest, action, live: { values: { name: "x" } } }),
  );
  const names = kind.writeNames ?? {};
  const taken = steps.flatMap(({ endpoint }) => Object.entries(endpoint.params));
  return Object.fromEntries(
    taken.flatMap(([name, field]) => [
      [name, field],
      [names[name] ?? name, field],
    ]),
  );
}

const fields = ofApi.flatMap((kind) =>
  Object.entries(kind.fields).map(([name, field]) => ({ kind, name, field, at: `${kind.name}.${name}` })),
);

test("the form of a field is that of its type in answers, or in requests", () => {
  const wrong = fields.filter(({ kind, name, field }) => {
    const [shown, taken] = [shownBy(kind)[name], takenBy(kind)[name]];
    const form = (shown && formOf(shown)) ?? (taken && formOf(taken));
    // What the instance alone sets is shown as it is.
    return form !== undefined && field.form !== form && !(field.readOnly && field.form === "json");
  });
  expect(wrong.map(({ at }) => at)).toEqual([]);
});

test("the fields of a rule, too", () => {
  const wrong = fields.flatMap(({ kind, name, field: { form, item = {} }, at }) => {
    const shape = form === "rules" ? shownBy(kind)[name]?.item?.shape : undefined;
    if (shape === undefined) return [];
    const forms = Object.entries(item).filter(([each, { form }]) => shape[each] && formOf(shape[each]) !== form);
    const missing = Object.keys(shape).filter((each) => item[each] === undefined);
    return [...forms.map(([each]) => each), ...missing].map((each) => `${at}.${each}`);
  });
  expect(wrong).toEqual([]);
});

test("every field that an answer has is a field of the kind, but for those of other things", () => {
  const others = new Set(["allowlist", "groups_allowlist", "container_registry_access_level"]);
  const missing = ofApi
    .filter(({ name }) => !others.has(name))
    .flatMap((kind) => Object.keys(shownBy(kind)).filter((name) => kind.fields[name] === undefined));
  expect(missing).toEqual([]);
});

test("what no request takes is read-only, and what no answer has is write-only; secrets are those of the requests", () => {
  const wrong = fields.filter(({ kind, name, field }) => {
    const taken = takenBy(kind)[name];
    const isIdentity = name === "id" || name === "events" || field.form === "rules";
    if (!isIdentity && (taken === undefined) !== (field.readOnly !== undefined)) return true;
    if (field.readOnly || isIdentity) return false;
    return (shownBy(kind)[name] === undefined) !== (field.writeOnly === true) || taken?.secret !== field.secret;
  });
  expect(wrong.map(({ at }) => at)).toEqual([]);
});

test("the values of a header are secret, and not read back; its key is both", () => {
  for (const { field } of fields.filter(({ field }) => field.form === "keys")) {
    expect(field.item).toMatchObject({ key: { form: "text", required: true } });
    expect(field.item?.value).toEqual({ form: "text", required: true, writeOnly: true, secret: true });
    expect(field.item?.key).toEqual({ form: "text", required: true });
  }
});

test("the ID and the level's words of a rule are the instance's; a user may be given by name", () => {
  for (const { field } of fields.filter(({ field }) => field.form === "rules")) {
    const readOnly = Object.entries(field.item ?? {}).filter(([, each]) => each.readOnly);
    expect(readOnly.map(([name, { form }]) => [name, form])).toEqual([
      ["id", "id"],
      ["access_level_description", "text"],
    ]);
    expect(field.item?.username).toMatchObject({ form: "text" });
  }
});

test("the hint for a request's name in a file is the answer's name, which the kind has", () => {
  const named = ofApi.flatMap((kind) =>
    Object.entries(kind.writeNames ?? {}).map(([, name]) => [kind.fields[name], name]),
  );
  expect(named.filter(([field]) => field === undefined)).toEqual([]);
  const hints = Object.fromEntries(ofApi.flatMap((kind) => Object.entries(kind.writeNames ?? {})));
  expect(hints).toEqual({
    saml_group_name: "name",
    access_level: "group_access",
    enabled: "inbound_enabled",
    target_project_id: "id",
    target_group_id: "id",
    allowed_to_push: "push_access_levels",
    allowed_to_merge: "merge_access_levels",
    allowed_to_unprotect: "unprotect_access_levels",
  });
});

/** What a file must give, what it may give, and how an object is identified: the table of the design. */
test.each<[name: string, at: string, form: string, required: string, keys: string, removal: string]>([
  ["settings", "instance", "record", "", "", "never"],
  ["hooks", "group", "list", "url", "name or url", "disarm"],
  ["saml_group_links", "group", "list", "name access_level", "name", "delete"],
  ["ldap_group_links", "group", "list", "provider group_access", "provider+cn or provider+filter", "delete"],
  ["container_registry_access_level", "project", "record", "container_registry_access_level", "", "never"],
  ["job_token_scope", "project", "record", "", "", "never"],
  ["allowlist", "project", "list", "id", "id", "delete"],
  ["groups_allowlist", "project", "list", "id", "id", "delete"],
  ["protected_environments", "project", "list", "name", "name", "delete"],
  ["error_tracking", "project", "record", "active", "", "never"],
  ["project_hooks", "project", "list", "url", "name or url", "disarm"],
  ["protected_branches", "project", "list", "name", "name", "delete"],
])("%s: of a %s, a %s; requires %j, identified by %j, removal: %s", (name, at, form, required, keys, removal) => {
  const kind = kinds.find((each) => each.name === name) as Kind;
  const needed = Object.entries(kind.fields).filter(([, field]) => field.required);
  expect([kind.at, kind.form, kind.removal]).toEqual([at, form, removal]);
  expect(needed.map(([field]) => field).join(" ")).toBe(required);
  expect(kind.keys.map((each) => each.join("+")).join(" or ")).toBe(keys);
});

test("what a 404 means, and which field shows that a record is visible", () => {
  const reads = kinds.map(({ name, read: { endpoint: _, ...more } }) => [name, more] as const);
  const given = reads.filter(([, more]) => Object.keys(more).length > 0);
  expect(given.map(([name, { detail, ...more }]) => [name, more, detail && [detail.by, detail.for]])).toEqual([
    ["ldap_group_links", { missing: { value: [], says: noLdapLinks } }, undefined],
    ["container_registry_access_level", { shows: "container_registry_access_level" }, undefined],
    ["protected_environments", {}, ["name", "approval_rules"]],
    ["error_tracking", { missing: { value: { active: false, integrated: false } } }, undefined],
    ["project_hooks", {}, ["id", "custom_headers"]],
    ["protected_branches", { isElsewhere: expect.any(Function) }, undefined],
  ]);
  const bare = kinds.filter(({ bare }) => bare !== undefined);
  expect(bare.map(({ bare, fields }) => fields[bare as string]?.values)).toEqual([["enabled", "private", "disabled"]]);
});

test("a kind is found by its name, and those of a group in the order of export", () => {
  expect(findKind("hooks")?.name).toBe("hooks");
  expect(findKind("hook")).toBeUndefined();
  expect(kindsAt("group").map(({ name }) => name)).toEqual(["hooks", "saml_group_links", "ldap_group_links"]);
  expect(kindsAt("instance")).toEqual([settingsKind]);
});

test("only what the API documents do not have is marked so, and what sends two requests for a change", () => {
  const marked = (test: (kind: Kind) => unknown) => kinds.filter(test).map(({ name }) => name);
  expect(marked(({ beyond }) => beyond)).toEqual(["project_hooks", "protected_branches"]);
  expect(marked(({ replaces }) => replaces)).toEqual(["saml_group_links", "ldap_group_links"]);
  expect(marked(({ exclusive }) => exclusive)).toEqual(["ldap_group_links"]);
  expect(marked(({ needsCaller }) => needsCaller)).toEqual(["protected_environments"]);
  expect(marked(({ showsAll }) => showsAll)).toEqual(["settings"]);
  expect(marked(({ section }) => section === "hooks")).toEqual(["project_hooks"]);
  expect(marked(({ within }) => within === "job_token_scope")).toEqual(["allowlist", "groups_allowlist"]);
});

describe("a field that an answer leaves out has the value of the documents", () => {
  const absent = fields.filter(({ field }) => field.absent !== undefined);
  test("a switch is off", () => {
    expect(absent.map(({ field }) => [field.form, field.absent])).toEqual(absent.map(() => ["boolean", false]));
    const names = absent.map(({ name }) => name).filter((name) => !name.endsWith("_events"));
    expect(names).toEqual(["integrated", "allow_force_push", "code_owner_approval_required"]);
  });

  test("a rule counts direct members, and one approval", () => {
    const environments = fields.filter(({ at }) => /environments\.(deploy_access|approval)/.test(at));
    const inherited: StateField = { form: "integer", min: 0, max: 1, absent: 0 };
    for (const { field } of environments) expect(field.item?.group_inheritance_type).toMatchObject(inherited);
    expect(environments.map(({ field }) => field.item?.required_approvals)).toEqual([
      undefined,
      { form: "integer", min: 0, absent: 1 },
    ]);
  });

  test("no one may push is the same as no rule", () => {
    const branches = fields.filter(({ at, field }) => at.startsWith("protected_branches.") && field.form === "rules");
    expect(branches.map(({ field }) => field.none)).toEqual(["level:0", "level:0", undefined]);
  });
});

test("a hook has an address of the web, and one of the documents' ways to filter branches", () => {
  const hooks = kinds.find(({ name }) => name === "hooks");
  expect(hooks?.fields.url?.schemes).toEqual(["http", "https"]);
  expect(hooks?.fields.branch_filter_strategy?.values).toEqual(["wildcard", "regex", "all_branches"]);
  expect(hooks?.fields.events?.form).toBe("names");
  expect(hooks?.fields.events?.suggested).toEqual(expect.arrayContaining(["push", "member", "vulnerability"]));
  expect(hooks?.alias).toBe("url");
});

test.each([
  ["signup_enabled", "boolean"],
  ["max_login_attempts", "integer"],
  ["after_sign_up_text", "text"],
  ["domain_allowlist", "domains"],
  ["asset_proxy_whitelist", "domains"],
  ["globally_allowed_ips", "addresses"],
  ["restricted_visibility_levels", "names"],
  ["default_branch_protection_defaults", "hash"],
] as const)("the setting %s is of the form %s", (name, form) => {
  expect(settingsKind.fields[name]?.form).toBe(form);
});

test("numbers among the settings have the documents' bounds, at least 0; words have their values", () => {
  for (const [name, field] of Object.entries(settingsKind.fields)) {
    const { type, min, max, values } = findSetting(name) ?? {};
    const isNumber = type === "integer" || type === "number";
    expect([name, field.min, field.max, field.values]).toEqual([name, isNumber ? (min ?? 0) : undefined, max, values]);
  }
});
