import { findSetting } from "./catalogue.ts";

// Instances show some settings under a second name, which the API documents do not have (settings-with-two-names). A
// file with both would set them in turns.

const fixed: Readonly<Record<string, string>> = {
  password_authentication_enabled: "password_authentication_enabled_for_web",
  pre_receive_secret_detection_enabled: "secret_push_protection_available",
};

/** The setting that an undocumented name is another one of, if it is there; undefined if there is none. */
export function otherNameOf(name: string, isThere: (name: string) => boolean): string | undefined {
  if (findSetting(name) !== undefined) return undefined;
  const [, list] = /^(.+)_raw$/.exec(name) ?? [];
  const [, feature] = /^(.+)_availability$/.exec(name) ?? [];
  return [
    fixed[name],
    list,
    list?.replace(/_allowlist$/, "_whitelist"),
    feature && `${feature}_features_enabled`,
    feature && `${feature}_enabled`,
  ].find((each) => each !== undefined && isThere(each));
}

/** Whether both say the same: a list may be a text, and a switch one of several words. */
export function saysTheSame(value: unknown, other: unknown): boolean {
  if (Array.isArray(other)) {
    const entries = (list: readonly unknown[]) => list.map(String).sort().join("\n");
    return typeof value === "string" && entries(value.split(/[\s,;]+/).filter(Boolean)) === entries(other);
  }
  return typeof value === "string" && typeof other === "boolean" ? (value === "default_on") === other : value === other;
}
