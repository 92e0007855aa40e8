import { type FieldErrors, invalid, missing, Problem } from "../../server/problem.ts";
import { ok } from "../../server/reply.ts";
import type { Area } from "../../server/router.ts";
import { type Project, projects, users } from "../../store/model.ts";
import { cell } from "../../store/store.ts";
import { DAY_MS } from "../../store/time.ts";
import type { World } from "../../store/world.ts";
import { asComputed, storedFor } from "./computed.ts";
import type { Setting } from "./definition.ts";
import { deployedChanges, deployedSettings, notRequired } from "./deployed.ts";
import { generalSettings } from "./general.ts";
import { limitSettings } from "./limits.ts";
import { paidSettings, serviceSettings } from "./services.ts";
import { checkSetting } from "./validate.ts";

/** Settings changed by an administrator, by name, with the time. Includes secrets. */
interface KeptSettings {
  readonly created_at: string | null;
  readonly updated_at: string | null;
  readonly values: Readonly<Record<string, unknown>>;
}

const kept = cell<KeptSettings>("application_settings", () => ({ created_at: null, updated_at: null, values: {} }));

const catalog: readonly Setting[] = [...generalSettings, ...limitSettings, ...serviceSettings, ...paidSettings];
const everything: readonly Setting[] = [...catalog, ...deployedSettings];
const deployed: readonly Setting[] = everything.map((setting) =>
  setting.deployedAliasOf === undefined ? setting : { ...setting, aliasOf: setting.deployedAliasOf },
);

/** The cached answer of GET, and its expiry in milliseconds (3-settings-api: Limits). */
interface Cached {
  readonly shown: Record<string, unknown>;
  readonly until: number;
}

const caches = new WeakMap<World, Cached>();

/** Instance settings: 3-settings-api. A change takes effect immediately, unless the cache is on. */
export const settingsArea: Area = {
  name: "settings",
  seed(world) {
    const at = new Date(world.now().getTime() - 1800 * DAY_MS).toISOString();
    const values = { ...demoChanges, ...(world.asDeployed && deployedChanges) };
    world.store.set(kept, { created_at: at, updated_at: at, values });
  },
  routes(router) {
    const served = { access: { administrator: true }, hosting: "self-managed" } as const;
    router.on("GET /application/settings", served, ({ world }) => ok(cached(world) ?? show(world)));
    router.on("PUT /application/settings", served, ({ world, raw }) => {
      const before = cached(world) ?? show(world);
      update(world, raw);
      caches.set(world, { shown: before, until: world.now().getTime() + world.settingsCacheMs });
      return ok(show(world));
    });
  },
};

function cached(world: World): Record<string, unknown> | undefined {
  const found = caches.get(world);
  return found !== undefined && world.now().getTime() < found.until ? found.shown : undefined;
}

/** Some settings differ from the defaults, as on a real instance. */
const demoChanges: Readonly<Record<string, unknown>> = {
  signup_enabled: false,
  after_sign_out_path: "https://acme.example/",
  default_project_visibility: "internal",
  session_expire_delay: 480,
  restricted_visibility_levels: ["public"],
  external_pipeline_validation_service_token: "sandbox-validation-secret",
};

/** The current value of one setting, for the areas that apply it; undefined for an unknown name. */
export function settingOf(world: World, name: string): unknown {
  const { values } = world.store.get(kept);
  return name in values ? values[name] : everything.find((setting) => setting.name === name)?.initial;
}

/** The settings available on this instance and tier. */
function available(world: World): readonly Setting[] {
  return (world.asDeployed ? deployed : catalog).filter(
    (setting) => setting.tier === undefined || world.has(setting.tier),
  );
}

/** Secrets are omitted; real instances return them decrypted, and no dates of settings that are not cached. */
function show(world: World): Record<string, unknown> {
  const { values, created_at, updated_at } = world.store.get(kept);
  const isDated = !world.asDeployed || world.settingsCacheMs > 0;
  const shown: Record<string, unknown> = { id: 1, ...(isDated && { created_at, updated_at }) };
  for (const { name, kind, aliasOf = name, initial, secret, unshown } of available(world)) {
    if (world.asDeployed ? unshown : secret) continue;
    const value = aliasOf in values ? values[aliasOf] : initial;
    shown[name] = kind === "string" && typeof value === "boolean" ? String(value) : value;
  }
  return world.asDeployed ? { ...asComputed(shown) } : shown;
}

/** Validates all values before storing any. Unknown names are ignored. */
function update(world: World, sent: Readonly<Record<string, unknown>>): void {
  const settings = available(world);
  const present = settings.filter((setting) => sent[setting.name] !== undefined);
  if (world.asDeployed && present.length === 0) {
    const names = settings.map(({ name }) => name).join(", ");
    throw new Problem(400, { error: `${names} are missing, at least one parameter must be provided` });
  }
  checkWords(present, sent);
  const accepted: Record<string, unknown> = {};
  const errors: Record<string, readonly string[] | FieldErrors> = {};
  for (const setting of present) {
    const checked = checkSetting(setting, sent[setting.name]);
    if ("errors" in checked) errors[setting.name] = checked.errors;
    else accepted[setting.aliasOf ?? setting.name] = keptValue(world, setting, checked.value);
  }
  if (world.asDeployed) checkSent(settings, sent, accepted);
  else {
    checkRequired(world, settings, sent, accepted);
    Object.assign(errors, blankErrors(world, settings, accepted));
  }
  if (Object.keys(errors).length > 0) {
    if (world.asDeployed) storeFirst(world, accepted);
    throw invalid(errors);
  }
  if (world.asDeployed) {
    approveWaiting(world, accepted);
    deleteOverdue(world, accepted);
    Object.assign(accepted, renderedAgain(world, accepted), protectionOf(accepted), storedFor(accepted));
  }
  const before = world.store.get(kept);
  world.store.set(kept, { ...before, updated_at: world.timestamp(), values: { ...before.values, ...accepted } });
}

/** Real instances store new terms before they look at the other settings. */
function storeFirst(world: World, { terms }: Readonly<Record<string, unknown>>): void {
  if (typeof terms !== "string" || terms.trim() === "") return;
  const before = world.store.get(kept);
  world.store.set(kept, { ...before, values: { ...before.values, terms: terms.trim() } });
}

/** With a shorter wait, real instances delete within a day what was to be deleted later; here it is gone at once. */
function deleteOverdue(world: World, accepted: Readonly<Record<string, unknown>>): void {
  const days = accepted.deletion_adjourned_period;
  if (typeof days !== "number" || days >= Number(settingOf(world, "deletion_adjourned_period"))) return;
  const last = new Date(world.now().getTime() - days * DAY_MS).toISOString().slice(0, 10);
  const table = world.store.table(projects);
  const isDue = ({ marked_for_deletion_on: day }: Project) => day !== undefined && day <= last;
  for (const { id } of table.where(isDue)) table.delete(id);
}

/** Once sign-ups need no approval any more, real instances approve all accounts that wait for it. */
function approveWaiting(world: World, accepted: Readonly<Record<string, unknown>>): void {
  const name = "require_admin_approval_after_user_signup";
  if (accepted[name] !== false || settingOf(world, name) !== true) return;
  const table = world.store.table(users);
  for (const { id } of table.where(({ state }) => state === "blocked_pending_approval"))
    table.update(id, { state: "active" });
}

/** What decides how images are shown makes real instances render all texts again: the version is raised along. */
function renderedAgain(world: World, accepted: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const version = "local_markdown_version";
  const names = ["asset_proxy_enabled", "asset_proxy_url", "asset_proxy_allowlist"];
  const isChanged = names.some((name) => name in accepted && accepted[name] !== settingOf(world, name));
  return isChanged && !(version in accepted) ? { [version]: Number(settingOf(world, version)) + 1 } : {};
}

/** Real instances write the new form of the branch protection from the old one, even beside another value of it. */
function protectionOf({ default_branch_protection: level }: Readonly<Record<string, unknown>>) {
  const [push, merge] = { 0: [30, 30], 1: [30, 40], 2: [40, 40], 3: [40, 30], 4: [40, 40] }[Number(level)] ?? [];
  if (push === undefined) return {};
  const defaults = {
    allowed_to_push: [{ access_level: push }],
    allowed_to_merge: [{ access_level: merge }],
    allow_force_push: level === 0,
    ...(level === 4 && { developer_can_initial_push: true }),
  };
  return { default_branch_protection_defaults: defaults };
}

function keptValue(world: World, setting: Setting, value: unknown): unknown {
  if (setting.shownEmpty !== undefined && value === setting.shownEmpty) return "";
  if (setting.deployedPath && world.asDeployed) return null;
  if (setting.megabytes && typeof value === "number") return value * 1_048_576;
  if (setting.merges && !world.asDeployed)
    return { ...(settingOf(world, setting.name) as object), ...(value as object) };
  // A string under the deprecated name of a boolean.
  return setting.aliasOf !== undefined && (value === "true" || value === "false") ? value === "true" : value;
}

/** Real instances look at the words of a parameter before they look at any setting, and take null for each. */
function checkWords(present: readonly Setting[], sent: Readonly<Record<string, unknown>>): void {
  const wrong = present.filter(({ name, words, shownEmpty }) => {
    const value = sent[name];
    return shownEmpty !== undefined && value !== null && !words?.includes(String(value));
  });
  if (wrong.length === 0) return;
  throw new Problem(400, { error: wrong.map(({ name }) => `${name} does not have a valid value`).join(", ") });
}

/** Real instances require a setting's dependencies in the request itself, even if empty or already set. */
function checkSent(
  settings: readonly Setting[],
  sent: Readonly<Record<string, unknown>>,
  accepted: Readonly<Record<string, unknown>>,
): void {
  const absent = settings.filter(({ name, requiredBy, deployedRequiredBy: owner = requiredBy }) => {
    const isRequired = owner !== undefined && accepted[owner] === true && !notRequired.includes(name);
    return isRequired && sent[name] === undefined;
  });
  if (absent.length === 0) return;
  throw new Problem(400, { error: absent.map(({ name }) => `${name} is missing`).join(", ") });
}

/**
 * Required settings must be in the request that turns a setting on (3-settings-api: Settings table), except stored
 * secrets, which cannot be read back to be repeated.
 */
function checkRequired(
  world: World,
  settings: readonly Setting[],
  sent: Readonly<Record<string, unknown>>,
  accepted: Readonly<Record<string, unknown>>,
): void {
  for (const { name, requiredBy, secret } of settings) {
    if (requiredBy === undefined || accepted[requiredBy] !== true || !isBlank(sent[name])) continue;
    if (secret && sent[name] === undefined && !isBlank(settingOf(world, name))) continue;
    throw missing(name);
  }
}

/** A setting required by an active one cannot be cleared. */
function blankErrors(
  world: World,
  settings: readonly Setting[],
  accepted: Readonly<Record<string, unknown>>,
): FieldErrors {
  const errors: Record<string, readonly string[]> = {};
  for (const { name, requiredBy } of settings) {
    if (requiredBy === undefined || !(name in accepted) || !isBlank(accepted[name])) continue;
    const isOn = requiredBy in accepted ? accepted[requiredBy] : settingOf(world, requiredBy);
    if (isOn === true) errors[name] = ["can't be blank"];
  }
  return errors;
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}
