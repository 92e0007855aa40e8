import { dump } from "js-yaml";

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

type Random = () => number;

const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
const chance = (random: Random, share = 0.5): boolean => random() < share;
const some = <T>(random: Random, items: readonly T[], share = 0.5): T[] => items.filter(() => chance(random, share));
const upTo = (random: Random, most: number): number => Math.floor(random() * (most + 1));

export function shuffled<T>(random: Random, items: readonly T[]): T[] {
  return items
    .map((item) => [random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

/**
 * A state file for the sandbox's groups and projects, made of sections in every combination. Everything in it can be
 * applied by an administrator, and none of it locks out the caller.
 */
export function randomState(seed: number): string {
  const random = seeded(seed);
  const state = {
    forgectl: 1,
    ...(chance(random, 0.8) && { settings: randomSettings(random) }),
    groups: Object.fromEntries(["acme", "acme/platform"].map((name) => [name, randomGroup(random)])),
    projects: Object.fromEntries(["acme/storefront", "acme/docs"].map((name) => [name, randomProject(random, name)])),
  };
  return dump(state, { noRefs: true });
}

function randomSettings(random: Random): object {
  const all = {
    terminal_max_session_time: upTo(random, 90),
    avatarsvc_enabled: chance(random),
    after_sign_up_text: pick(random, ["", "Ask in #forge.", "Ask:\n- Ada\n- Bob\n"]),
    domain_allowlist: some(random, ["acme.example", "Docs.acme.example", "*.partner.example"]),
    globally_allowed_ips: shuffled(random, ["192.0.2.7", "198.51.100.0/24"]).join(pick(random, [",", ", ", "\n"])),
    default_branch_protection_defaults: { allow_force_push: chance(random), allowed_to_push: [{ access_level: 40 }] },
    default_project_visibility: pick(random, ["private", "internal"]),
    max_attachment_size: 1 + upTo(random, 200),
    default_ci_config_path: pick(random, ["", "ci/main.yaml"]),
    container_registry_token_expire_delay: 5 + upTo(random, 10),
    home_page_url: pick(random, ["", "https://www.acme.example/"]),
    max_login_attempts: pick(random, [null, 5, 10]),
    restricted_visibility_levels: some(random, ["internal", "public"]),
    allow_local_requests_from_web_hooks_and_services: chance(random),
  };
  return Object.fromEntries(some(random, Object.entries(all), 0.6));
}

function randomHooks(random: Random): object[] {
  const names = some(random, ["Deploys", "Chat", "Audit"]);
  const hooks = names.map((name) => ({
    name,
    url: `https://${pick(random, ["a", "b"])}.example/${name.toLowerCase()}`,
    events: some(random, ["push", "tag_push", "issues", "note"], 0.6).concat("pipeline"),
    ...(chance(random) && { description: pick(random, ["", "For the team."]) }),
    ...(chance(random) && { enable_ssl_verification: chance(random) }),
    ...(chance(random) && { branch_filter_strategy: pick(random, ["wildcard", "all_branches"]) }),
    ...(chance(random) && { token: `token-${upTo(random, 9)}` }),
    ...(chance(random) && {
      custom_headers: some(random, ["X-A", "X-B"], 0.7).map((key) => ({ key, value: `value-${upTo(random, 9)}` })),
    }),
  }));
  return shuffled(random, hooks);
}

function randomGroup(random: Random): object {
  const levels = ["guest", "reporter", "developer", "maintainer", "owner"] as const;
  const saml = some(random, [
    { name: "Engineering" },
    { name: "Platform Leads" },
    { name: "a/b c" },
    { name: "Shared", provider: "one" },
    { name: "Shared", provider: "two" },
  ]);
  const ldap = some(random, [{ cn: "engineering" }, { cn: "qa" }, { filter: "(department=QA)" }] as const);
  const all = {
    hooks: randomHooks(random),
    saml_group_links: saml.map((link) => ({ ...link, access_level: pick(random, levels) })),
    ldap_group_links: ldap.map((link) => ({ ...link, provider: "ldapmain", group_access: pick(random, levels) })),
  };
  return Object.fromEntries(some(random, Object.entries(all), 0.75));
}

function randomBranches(random: Random): object[] {
  const who = [{ user_id: 4 }, { user_id: 5 }, { group_id: 4 }, { access_level: 30 }, { access_level: "admin" }];
  const levels = () => pick(random, [[], [{ access_level: "no_one" }], [{ access_level: 40 }], some(random, who)]);
  const branches = some(random, ["main", "release/*", "hot*"], 0.6).map((name) => ({
    name,
    ...(chance(random) && { push_access_levels: levels() }),
    ...(chance(random) && { merge_access_levels: levels() }),
    ...(chance(random) && { unprotect_access_levels: pick(random, [[], [{ access_level: 40 }], some(random, who)]) }),
    ...(chance(random) && { allow_force_push: chance(random) }),
    ...(chance(random) && { code_owner_approval_required: chance(random) }),
  }));
  return shuffled(random, branches);
}

function randomProject(random: Random, name: string): object {
  const who = [
    { user_id: 4 },
    { user_id: 5 },
    { access_level: 60 },
    { access_level: "maintainer" },
    { access_level: 30 },
  ];
  const environments = some(random, ["production", "staging", "review/*"]).map((name) => ({
    name,
    deploy_access_levels: [{ access_level: 40 }, ...some(random, who.slice(0, 2))],
    ...(chance(random) && {
      approval_rules: some(random, who.slice(0, 4)).map((each) => ({
        ...each,
        required_approvals: 1 + upTo(random, 2),
      })),
    }),
  }));
  const all = {
    container_registry_access_level: pick(random, ["enabled", "private", "disabled"]),
    job_token_scope: {
      ...(chance(random) && { inbound_enabled: chance(random) }),
      ...(chance(random) && { allowlist: some(random, [1, 3, "acme/website", 12]) }),
      ...(chance(random) && { groups_allowlist: some(random, [1, 4, "acme/platform"]) }),
    },
    protected_environments: environments,
    hooks: randomHooks(random),
    protected_branches: randomBranches(random),
    // As deployed, only this project has the integrated tracker, and no other tracker can be set up.
    ...(name === "acme/storefront" && {
      error_tracking: { active: chance(random), ...(chance(random) && { integrated: true }) },
    }),
  };
  return Object.fromEntries(some(random, Object.entries(all), 0.75));
}
