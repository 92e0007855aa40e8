import { ownValue } from "../base/own-value.ts";
import { partsOf } from "./parts.ts";

// Settings that an instance computes from others each time that it shows them: what it has stored for them stays as it
// is (settings-changed-along).

const objects = ["editor_extension_marketplace", "sign_in_restrictions"];

const sources: ReadonlyMap<string, readonly string[]> = new Map([
  ["usage_ping_features_enabled", ["usage_ping_enabled", "include_optional_metrics_in_service_ping"]],
  ["usage_ping_generation_enabled", ["usage_ping_enabled"]],
  ["disable_feed_token", ["disable_personal_access_tokens"]],
  ["performance_bar_enabled", ["performance_bar_allowed_group_id"]],
  ["housekeeping_incremental_repack_period", ["housekeeping_optimize_repository_period"]],
  ...["housekeeping_full_repack_period", "housekeeping_gc_period"].map((name): [string, string[]] => [
    name,
    ["housekeeping_optimize_repository_period", "housekeeping_incremental_repack_period"],
  ]),
  ["iframe_rendering_allowlist_raw", ["iframe_rendering_allowlist"]],
  ...objects.map((name): [string, string[]] => [name, partsOf(name)]),
]);

/** Of these, what they are computed from is written, too, where they are sent, and restored with them. */
const writesSources = new Set(["housekeeping_incremental_repack_period", "iframe_rendering_allowlist_raw", ...objects]);

/** Whether a feature is on, and locked, by the word for both: `…_availability`. */
const toldBy: ReadonlyMap<unknown, readonly boolean[]> = new Map([
  ["default_on", [true, false]],
  ["default_off", [false, false]],
  ["never_on", [false, true]],
]);

function sourcesOf(name: string): readonly string[] {
  return availabilityOf(name) ?? sources.get(name) ?? [];
}

function availabilityOf(name: string): readonly string[] | undefined {
  const [, feature] = /^(\w+)_availability$/.exec(name) ?? [];
  return feature === undefined ? undefined : [`${feature}_features_enabled`, `lock_${feature}_features_enabled`];
}

type Values = Readonly<Record<string, unknown>>;

/** When what an instance shows of a setting is only what others say, whatever is stored for it. */
const onlyShown: Readonly<Record<string, (live: Values) => boolean>> = {
  disable_feed_token: (live) => live.disable_personal_access_tokens === true,
  performance_bar_enabled: () => true,
  usage_ping_features_enabled: (live) =>
    live.usage_ping_enabled === false || live.include_optional_metrics_in_service_ping === false,
  usage_ping_generation_enabled: (live) => live.usage_ping_enabled === true,
};

/** Whether an export leaves a setting out: a file with it would contradict the others later. */
export function isOnlyShown(name: string, live: Values): boolean {
  return ownValue(onlyShown, name)?.(live) === true;
}

interface Others {
  readonly written: readonly string[];
  readonly changed: readonly string[];
  readonly before: Values;
}

/** Whether a setting shows another value only because of one that was written, or that is not as it was either. */
export function isComputed(name: string, { written, changed, before }: Others): boolean {
  const isMoved = (each: string) => written.includes(each) || changed.includes(each);
  const isWrittenBy = (each: string) => sourcesOf(each).includes(name) && restores(each, before);
  return sourcesOf(name).some(isMoved) || written.some(isWrittenBy);
}

/** A feature that is on and locked has the word of one that is off: restored, the word does not turn it on. */
function restores(name: string, before: Others["before"]): boolean {
  if (writesSources.has(name)) return true;
  const told = toldBy.get(before[name]);
  return told !== undefined && availabilityOf(name)?.every((each, at) => before[each] === told[at]) === true;
}
