import { expect, test } from "vitest";
import type { Change, Kind, Values } from "../../../src/state/kind.ts";
import { protectedBranchesKind as branches } from "../../../src/state/kinds/branches.ts";
import { environmentsKind as environments } from "../../../src/state/kinds/environments.ts";
import { allowlistKind, groupsAllowlistKind, jobTokenScopeKind } from "../../../src/state/kinds/job-token.ts";
import { ldapLinksKind as ldap, samlLinksKind as saml } from "../../../src/state/kinds/links.ts";
import { errorTrackingKind as errors, registryVisibilityKind } from "../../../src/state/kinds/project.ts";
import { changeOf, compared } from "../../support/compared.ts";

/** The requests of a change: `PUT /groups/:group/hooks/:hook_id {"group":"acme",…}`. */
function requests(change: Change): string[] {
  return change.kind.steps(change).map(({ endpoint, input }) => `${endpoint.route} ${JSON.stringify(input)}`);
}

const project = '"project":"acme/storefront"';
const link = { name: "Engineering", access_level: 30, provider: "okta", member_role_id: 12 };
const ldapLink = { provider: "ldapmain", cn: "it", filter: null, group_access: 30, member_role_id: null };
const addsLdap = 'POST /groups/:group/ldap_group_links {"group":"acme","provider":"ldapmain",';
const removesLdap = 'DELETE /groups/:group/ldap_group_links {"group":"acme","provider":"ldapmain","cn":"it"}';
const production = { name: "production", deploy_access_levels: [{ id: 3, access_level: 40 }], approval_rules: [] };
const protects = "/projects/:project/protected_environments";
const main = { id: 9, name: "main", allow_force_push: false, push_access_levels: [{ id: 5, access_level: 40 }] };
const protectsBranch = `POST /projects/:project/protected_branches {${project},"name":"main"`;

test.each<[law: string, kind: Kind, to: Values | undefined, from: Values | undefined, requests: string[]]>([
  [
    "a SAML link is added by the request's name for it",
    saml,
    link,
    undefined,
    [
      'POST /groups/:group/saml_group_links {"group":"acme","saml_group_name":"Engineering","access_level":30,"provider":"okta","member_role_id":12}',
    ],
  ],
  [
    "and removed with its provider",
    saml,
    undefined,
    link,
    [
      'DELETE /groups/:group/saml_group_links/:saml_group_name {"group":"acme","saml_group_name":"Engineering","provider":"okta"}',
    ],
  ],
  [
    "or without one, if it has none",
    saml,
    undefined,
    { ...link, provider: null },
    ['DELETE /groups/:group/saml_group_links/:saml_group_name {"group":"acme","saml_group_name":"Engineering"}'],
  ],
  [
    "a changed level is a removal, and a creation with what the file does not name",
    saml,
    { name: "Engineering", access_level: 40 },
    { ...link, provider: "" },
    [
      'DELETE /groups/:group/saml_group_links/:saml_group_name {"group":"acme","saml_group_name":"Engineering"}',
      'POST /groups/:group/saml_group_links {"group":"acme","saml_group_name":"Engineering","access_level":40,"member_role_id":12}',
    ],
  ],
  [
    "an LDAP link is added by CN",
    ldap,
    { provider: "ldapmain", cn: "it", group_access: 30 },
    undefined,
    [`${addsLdap}"cn":"it","group_access":30}`],
  ],
  [
    "or by filter",
    ldap,
    { provider: "ldapmain", filter: "(a=b)", group_access: 30 },
    undefined,
    [`${addsLdap}"filter":"(a=b)","group_access":30}`],
  ],
  ["and removed by what it has of both", ldap, undefined, ldapLink, [removesLdap]],
  [
    "its level is a replacement",
    ldap,
    { provider: "ldapmain", cn: "it", group_access: 40 },
    ldapLink,
    [removesLdap, `${addsLdap}"cn":"it","group_access":40}`],
  ],
  [
    "a project on an allowlist is added by its ID",
    allowlistKind,
    { id: 9 },
    undefined,
    [`POST /projects/:project/job_token_scope/allowlist {${project},"target_project_id":9}`],
  ],
  [
    "and removed by it",
    allowlistKind,
    undefined,
    { id: 9 },
    [`DELETE /projects/:project/job_token_scope/allowlist/:target_project_id {${project},"target_project_id":9}`],
  ],
  [
    "a group likewise",
    groupsAllowlistKind,
    { id: 9 },
    undefined,
    [`POST /projects/:project/job_token_scope/groups_allowlist {${project},"target_group_id":9}`],
  ],
  [
    "and removed",
    groupsAllowlistKind,
    undefined,
    { id: 9 },
    [`DELETE /projects/:project/job_token_scope/groups_allowlist/:target_group_id {${project},"target_group_id":9}`],
  ],
  [
    "access by job tokens is limited by a switch",
    jobTokenScopeKind,
    { inbound_enabled: true },
    { inbound_enabled: false },
    [`PATCH /projects/:project/job_token_scope {${project},"enabled":true}`],
  ],
  [
    "error tracking is switched and set in one request",
    errors,
    { active: true },
    { active: false, integrated: true },
    [`PUT /projects/:project/error_tracking/settings {${project},"active":true,"integrated":true}`],
  ],
  [
    "one that is set up is switched, as it can be where the integrated tracker is off",
    errors,
    { active: false },
    { active: true, integrated: false, api_url: "https://errors.example/api/0/" },
    [`PATCH /projects/:project/error_tracking/settings {${project},"active":false,"integrated":false}`],
  ],
  [
    "or only switched where nothing says which tracker it is",
    errors,
    { active: true },
    { active: false },
    [`PATCH /projects/:project/error_tracking/settings {${project},"active":true}`],
  ],
  [
    "the registry's visibility is one word",
    registryVisibilityKind,
    { container_registry_access_level: "private" },
    { container_registry_access_level: "enabled" },
    [`PUT /projects/:project/ {${project},"container_registry_access_level":"private"}`],
  ],
  [
    "an environment is protected with its rules",
    environments,
    { name: "p", deploy_access_levels: [{ user_id: 4 }] },
    undefined,
    [`POST ${protects} {${project},"name":"p","deploy_access_levels":[{"user_id":4}]}`],
  ],
  [
    "and unprotected by its name",
    environments,
    undefined,
    production,
    [`DELETE ${protects}/:name {${project},"name":"production"}`],
  ],
  [
    "a new rule is added, and one that is left over removed with its subject",
    environments,
    { name: "production", deploy_access_levels: [{ user_id: 4 }] },
    production,
    [
      `PUT ${protects}/:name {${project},"name":"production","deploy_access_levels":[{"user_id":4},{"id":3,"access_level":40,"_destroy":true}]}`,
    ],
  ],
  [
    "a changed rule is sent whole: its other subjects as null, its defaults",
    environments,
    { name: "production", approval_rules: [{ group_id: 4, group_inheritance_type: 1 }] },
    { name: "production", approval_rules: [{ id: 8, group_id: 4, required_approvals: 2 }] },
    [
      `PUT ${protects}/:name {${project},"name":"production","approval_rules":[{"id":8,"user_id":null,"group_id":4,"access_level":null,"group_inheritance_type":1,"required_approvals":1}]}`,
    ],
  ],
  [
    "an equal rule is kept, and only the arrays that change are sent",
    environments,
    { ...production, approval_rules: [{ user_id: 2 }, { access_level: 40 }] },
    { ...production, approval_rules: [{ id: 1, access_level: 40 }] },
    [`PUT ${protects}/:name {${project},"name":"production","approval_rules":[{"user_id":2}]}`],
  ],
  [
    "of several rules only the one that is left over is removed",
    environments,
    { name: "production", deploy_access_levels: [{ access_level: 40 }] },
    { name: "production", deploy_access_levels: [...production.deploy_access_levels, { id: 4, group_id: 9 }] },
    [
      `PUT ${protects}/:name {${project},"name":"production","deploy_access_levels":[{"id":4,"group_id":9,"_destroy":true}]}`,
    ],
  ],
  [
    "a branch is unprotected by its name",
    branches,
    undefined,
    main,
    [`DELETE /projects/:project/protected_branches/:name {${project},"name":"main"}`],
  ],
  [
    "a new branch gives one level by itself, and no one where the file says none",
    branches,
    { name: "main", push_access_levels: [{ access_level: 40 }], merge_access_levels: [], allow_force_push: true },
    undefined,
    [`${protectsBranch},"allow_force_push":true,"push_access_level":40,"merge_access_level":0}`],
  ],
  [
    "and nothing where none is every Maintainer",
    branches,
    { name: "main", merge_access_levels: [], unprotect_access_levels: [] },
    undefined,
    [`${protectsBranch},"merge_access_level":0}`],
  ],
  [
    "a list of rules of a new branch is sent as one",
    branches,
    { name: "main", push_access_levels: [{ access_level: 40 }, { user_id: 4 }] },
    undefined,
    [`${protectsBranch},"allowed_to_push":[{"access_level":40},{"user_id":4}]}`],
  ],
  [
    "and so is one rule that is no level",
    branches,
    { name: "main", unprotect_access_levels: [{ user_id: 4, access_level: null }] },
    undefined,
    [`${protectsBranch},"allowed_to_unprotect":[{"user_id":4,"access_level":null}]}`],
  ],
  [
    "a changed branch sends its switches, and the changes of its rules",
    branches,
    { name: "main", code_owner_approval_required: true, push_access_levels: [{ user_id: 4 }], merge_access_levels: [] },
    main,
    [
      `PATCH /projects/:project/protected_branches/:name {${project},"name":"main","code_owner_approval_required":true,"allowed_to_push":[{"user_id":4},{"id":5,"access_level":40,"_destroy":true}]}`,
    ],
  ],
])("%s", (_law, kind, to, from, sent) => {
  expect(requests(changeOf(kind, to, from))).toEqual(sent);
});

test("no one may push is the same as an empty list", () => {
  const to = { name: "main", push_access_levels: [] };
  const from = { ...main, push_access_levels: [{ id: 5, access_level: 0 }] };
  expect(compared(branches, [to], [from])).toEqual({ changes: [], equal: 1, uncompared: 0 });
});
