import { type FieldErrors, invalid, missing } from "../problem.ts";
import { ok } from "../reply.ts";
import type { Area } from "../router.ts";
import type { Setting } from "../settings/definition.ts";
import { generalSettings } from "../settings/general.ts";
import { limitSettings } from "../settings/limits.ts";
import { paidSettings, serviceSettings } from "../settings/services.ts";
import { checkSetting } from "../settings/validate.ts";
import { cell } from "../store.ts";
import type { World } from "../world.ts";

/** What an administrator changed, by name, and when. Secrets are among them. */
interface KeptSettings {
  readonly created_at: string | null;
  readonly updated_at: string | null;
  readonly values: Readonly<Record<string, unknown>>;
}

const kept = cell<KeptSettings>("application_settings", () => ({ created_at: null, updated_at: null, values: {} }));

const catalog: readonly Setting[] = [...generalSettings, ...limitSettings, ...serviceSettings, ...paidSettings];

/** Instance settings: 3-settings-api. A change is in force at once: the cache of 60 seconds is not simulated. */
export const settingsArea: Area = {
  name: "settings",
  seed(world) {
    const at = new Date(world.now().getTime() - 1800 * 86_400_000).toISOString();
    world.store.set(kept, { created_at: at, updated_at: at, values: demoChanges });
  },
  routes(router) {
    const access = { administrator: true } as const;
    router.on("GET /application/settings", { access }, ({ world }) => ok(show(world)));
    router.on("PUT /application/settings", { access }, ({ world, raw }) => {
      update(world, raw);
      return ok(show(world));
    });
  },
};

/** An instance that nobody ever configured would not look like a real one. */
const demoChanges: Readonly<Record<string, unknown>> = {
  signup_enabled: false,
  after_sign_out_path: "https://acme.example/",
  default_project_visibility: "internal",
  session_expire_delay: 480,
  restricted_visibility_levels: ["public"],
  external_pipeline_validation_service_token: "sandbox-validation-secret",
};

/** The value in force of one setting, for the areas that obey it; undefined for a name that there is none of. */
export function settingOf(world: World, name: string): unknown {
  const { values } = world.store.get(kept);
  return name in values ? values[name] : catalog.find((setting) => setting.name === name)?.initial;
}

/** The settings that this instance's tier has. */
function available(world: World): readonly Setting[] {
  return catalog.filter((setting) => setting.tier === undefined || world.has(setting.tier));
}

function show(world: World): Record<string, unknown> {
  const { values, created_at, updated_at } = world.store.get(kept);
  const shown: Record<string, unknown> = { id: 1, created_at, updated_at };
  for (const { name, aliasOf = name, initial, secret } of available(world)) {
    if (secret) continue;
    shown[name] = aliasOf in values ? values[aliasOf] : initial;
  }
  return shown;
}

/** Checks everything that was sent before anything is kept. Names that the server does not know are passed over. */
function update(world: World, sent: Readonly<Record<string, unknown>>): void {
  const settings = available(world);
  const present = settings.filter((setting) => sent[setting.name] !== undefined);
  const accepted: Record<string, unknown> = {};
  const errors: Record<string, readonly string[] | FieldErrors> = {};
  for (const setting of present) {
    const checked = checkSetting(setting, sent[setting.name]);
    if ("errors" in checked) errors[setting.name] = checked.errors;
    else accepted[setting.aliasOf ?? setting.name] = checked.value;
  }
  checkRequired(settings, sent, accepted);
  Object.assign(errors, blankErrors(world, settings, accepted));
  if (Object.keys(errors).length > 0) throw invalid(errors);
  const before = world.store.get(kept);
  world.store.set(kept, { ...before, updated_at: world.timestamp(), values: { ...before.values, ...accepted } });
}

/** What a setting requires must come in the same request that turns it on (3-settings-api: Settings table). */
function checkRequired(
  settings: readonly Setting[],
  sent: Readonly<Record<string, unknown>>,
  accepted: Readonly<Record<string, unknown>>,
): void {
  for (const { name, requiredBy } of settings) {
    if (requiredBy !== undefined && accepted[requiredBy] === true && isBlank(sent[name])) throw missing(name);
  }
}

/** What an active setting requires cannot be taken away from it. */
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
