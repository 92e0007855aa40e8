import { ownValue } from "../base/own-value.ts";
import { settings as catalogue, findSetting } from "./catalogue.ts";

// Instances show some settings under a second name, which the API documents do not have (settings-with-two-names). A
// file with both would set them in turns.

const fixed: Readonly<Record<string, string>> = {
  password_authentication_enabled: "password_authentication_enabled_for_web",
  pre_receive_secret_detection_enabled: "secret_push_protection_available",
  housekeeping_full_repack_period: "housekeeping_optimize_repository_period",
  housekeeping_gc_period: "housekeeping_optimize_repository_period",
  housekeeping_incremental_repack_period: "housekeeping_optimize_repository_period",
};

/** The setting that an undocumented name is another one of, if it is there; undefined if there is none. */
export function otherNameOf(name: string, isThere: (name: string) => boolean): string | undefined {
  if (findSetting(name) !== undefined) return undefined;
  const [, list] = /^(.+)_raw$/.exec(name) ?? [];
  const [, feature] = /^(.+)_availability$/.exec(name) ?? [];
  return [
    ownValue(fixed, name),
    list,
    list?.replace(/_allowlist$/, "_whitelist"),
    feature && `${feature}_features_enabled`,
    feature && `${feature}_enabled`,
  ].find((each) => each !== undefined && isThere(each));
}

/** Settings that another one replaces, or that are another name of it: only one of the two is in a file. */
export const predecessors: Readonly<Record<string, string>> = Object.fromEntries(
  catalogue.flatMap(({ name, sameAs, deprecated }) => {
    const [successor = sameAs, another] = deprecated?.use ?? [];
    return successor === undefined || another !== undefined ? [] : [[name, successor]];
  }),
);

/**
 * What a change of these settings replaces besides: a successor of another type is no second name, and an instance
 * computes its value from that of the old setting (settings-changed-along).
 */
export function replacedBy(names: readonly string[]): string[] {
  const successors = names.flatMap((name) => {
    const successor = findSetting(ownValue(predecessors, name) ?? "");
    const old = findSetting(name);
    const isAnother = old?.sameAs === undefined && successor?.type !== old?.type;
    return successor !== undefined && isAnother ? [successor.name] : [];
  });
  return [...new Set(successors)];
}

/** Whether the two are names of one setting, or one of them replaces the other. */
export function areOneSetting(name: string, other: string): boolean {
  return nameInUse(name) === nameInUse(other);
}

/** The name in use of a setting: its own, unless it is another name of one, or replaced by it. */
export function nameInUse(name: string): string {
  const documented = otherNameOf(name, (each) => findSetting(each) !== undefined) ?? name;
  return findSetting(documented)?.sameAs ?? ownValue(predecessors, documented) ?? documented;
}

/** Whether both say the same: a list may be a text, and a switch one of several words. */
export function saysTheSame(value: unknown, other: unknown): boolean {
  if (Array.isArray(other)) {
    const entries = (list: readonly unknown[]) => list.map(String).sort().join("\n");
    return typeof value === "string" && entries(value.split(/[\s,;]+/).filter(Boolean)) === entries(other);
  }
  return typeof value === "string" && typeof other === "boolean" ? (value === "default_on") === other : value === other;
}
