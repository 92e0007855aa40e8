import { type User, users } from "../../store/model.ts";
import { createRandom, type Random } from "../../store/random.ts";
import { daysAgo } from "../../store/time.ts";
import type { World } from "../../store/world.ts";
import { familyNames, givenNames, jobTitles, places, unusualNames } from "./names.ts";

/** Users with a demo token or a special role. Their ids are fixed, because documentation and tests refer to them. */
export const people = {
  root: 1,
  owner: 2,
  maintainer: 3,
  developer: 4,
  planner: 5,
  reporter: 6,
  guest: 7,
  outsider: 8,
  blocked: 9,
  auditor: 10,
  /** Name and biography contain terminal escape sequences. */
  mallory: 11,
  serviceAccount: 12,
  projectBot: 13,
  alertBot: 14,
  supportBot: 15,
  groupBot: 16,
} as const;

const TOTAL = 300;

type Given = Partial<Omit<User, "id" | "username" | "name">>;

/** Adds the users of the demo instance: first the named ones, then the generated ones. */
export function seedPeople(world: World): void {
  const random = createRandom(20_240_501);
  const add = (username: string, name: string, given: Given = {}) => addUser(world, random, username, name, given);
  const recent: Given = { ...activeUntil(world, 0.3), two_factor_enabled: true };
  add("root", "Administrator", {
    ...recent,
    admin: true,
    created_at: daysAgo(world.now(), 1830),
    bio: "Looks after this instance.",
  });
  add("olivia.ortega", "Olivia Ortega", { ...recent, job_title: "Engineering Manager" });
  add("mateo.marin", "Mateo Marín", { ...recent, job_title: "Senior Software Engineer" });
  add("dana.dixon", "Dana Dixon", { ...recent, job_title: "Software Engineer", bio: "Ships small changes often." });
  add("priya.patel", "Priya Patel", { ...recent, job_title: "Product Manager" });
  add("robin.reyes", "Robin Reyes", { ...recent, job_title: "QA Engineer", two_factor_enabled: false });
  add("grace.green", "Grace Green", { ...recent, external: true, organization: "Contractors Inc." });
  add("wanda.wolf", "Wanda Wolf", { ...recent, two_factor_enabled: false });
  add("boris.black", "Boris Black", { ...activeUntil(world, 140), state: "blocked", note: "Left the company." });
  add("audrey.auer", "Audrey Auer", { ...recent, auditor: true, job_title: "Auditor" });
  add("mallory", "Mallory \u001b[31mRed\u001b[0m", {
    bio: "\u001b]0;your title is mine\u0007\u001b[2J\u001b[1;1Hnothing\u202eto see here\r\nok: all good",
    location: "\u009b31mnowhere",
    website_url: "javascript:alert(1)",
  });
  add("service_account_group_1_deploy", "Deployer", bot("service"));
  add("project_7_bot_4f1c9a", "Storefront release bot", bot("project_bot"));
  add("alert-bot", "Alert Bot", bot("alert_bot"));
  add("support-bot", "Support Bot", bot("support_bot"));
  add("group_5_bot_b07e21", "Globex sync bot", bot("project_bot"));
  for (const [username, name] of unusualNames)
    add(username, name, { ...recent, two_factor_enabled: random.percent(50) });
  addCrowd(world, random, add);
}

function bot(kind: User["kind"]): Given {
  return {
    kind,
    bio: "",
    job_title: "",
    location: "",
    identities: [],
    two_factor_enabled: false,
    custom_attributes: [],
  };
}

function activeUntil(world: World, days: number): Given {
  const now = world.now();
  return {
    last_sign_in_at: daysAgo(now, days + 1.2),
    current_sign_in_at: daysAgo(now, days),
    last_activity_on: daysAgo(now, days).slice(0, 10),
  };
}

function addCrowd(world: World, random: Random, add: (username: string, name: string, given: Given) => void): void {
  const taken = new Set<string>();
  for (let id = world.store.table(users).size + 1; id <= TOTAL; id += 1) {
    const given = random.pick(givenNames);
    const family = random.pick(familyNames);
    const plain = `${given}.${family}`.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
    const username = taken.has(plain) ? `${plain}${id}` : plain;
    taken.add(username);
    add(username, `${given} ${family}`, { ...activity(world, random), ...standing(random) });
  }
}

/** Last activity: mostly recent, some long ago, a few never. */
function activity(world: World, random: Random): Given {
  const kind = random.below(100);
  if (kind < 7) {
    return { last_sign_in_at: null, current_sign_in_at: null, last_activity_on: null, sign_in_count: 0 };
  }
  return activeUntil(world, kind < 25 ? 95 + random.below(500) : random.below(60) + random.below(100) / 100);
}

function standing(random: Random): Given {
  const kind = random.below(100);
  if (kind < 5) return { state: "blocked", note: "Blocked after the audit." };
  if (kind < 7) return { state: "deactivated" };
  if (kind < 8) return { state: "blocked_pending_approval", confirmed_at: null };
  if (kind < 16) return { external: true, state: random.percent(20) ? "blocked" : "active" };
  if (kind < 18) return { admin: true, two_factor_enabled: random.percent(70) };
  if (kind < 20) return { auditor: true };
  if (kind < 21) return { locked: true };
  return {};
}

function addUser(world: World, random: Random, username: string, name: string, given: Given): void {
  const table = world.store.table(users);
  const id = table.size + 1;
  const [location, utc_offset] = random.pick(places);
  // Older accounts have smaller ids.
  const created_at = daysAgo(world.now(), 1800 - id * 5.7 - random.below(100) / 100);
  table.insert({
    username,
    email: `${username}@acme.example`,
    name,
    public_email: random.percent(25) ? `${username}@mail.example` : null,
    state: "active",
    locked: false,
    kind: "human",
    admin: false,
    auditor: false,
    external: false,
    has_avatar: random.percent(40),
    created_at,
    updated_at: daysAgo(world.now(), random.below(90)),
    confirmed_at: created_at,
    last_sign_in_at: null,
    current_sign_in_at: null,
    last_activity_on: null,
    sign_in_count: 1 + random.below(400),
    two_factor_enabled: random.percent(65),
    private_profile: random.percent(6),
    bio: random.percent(20) ? "Likes plain text and short meetings." : "",
    location: random.percent(60) ? location : "",
    utc_offset,
    organization: random.percent(70) ? "Acme" : "",
    job_title: random.pick(jobTitles),
    pronouns: random.percent(15) ? random.pick(["she/her", "he/him", "they/them"]) : null,
    website_url: random.percent(15) ? `https://${username}.example` : "",
    linkedin: random.percent(10) ? username : "",
    followers: random.below(30),
    following: random.below(30),
    note: null,
    ...directoryEntries(random, username),
    custom_attributes: attributes(random),
    created_by_id: random.percent(60) ? 1 : null,
    namespace_id: 1000 + id,
    ...given,
  });
}

/** Identities of the account: LDAP, the group's identity provider, SCIM. */
function directoryEntries(
  random: Random,
  username: string,
): Pick<User, "identities" | "scim_identities" | "provisioned_by_group_id"> {
  const kind = random.below(100);
  const nobody = { identities: [], scim_identities: [], provisioned_by_group_id: null };
  if (kind < 20) {
    const extern_uid = `uid=${username},ou=people,dc=acme,dc=example`;
    return { ...nobody, identities: [{ provider: "ldapmain", extern_uid, saml_provider_id: null }] };
  }
  if (kind < 35) {
    const extern_uid = random.hex(12);
    return {
      identities: [{ provider: "group_saml", extern_uid, saml_provider_id: 1 }],
      scim_identities: [{ extern_uid, group_id: 1, active: random.percent(90) }],
      provisioned_by_group_id: 1,
    };
  }
  return nobody;
}

function attributes(random: Random): User["custom_attributes"] {
  if (!random.percent(35)) return [];
  return [
    { key: "department", value: random.pick(["engineering", "support", "research", "finance"]) },
    { key: "cost_center", value: String(4000 + random.below(12) * 10) },
  ];
}
