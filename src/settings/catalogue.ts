import { compareTexts } from "../base/compare-texts.ts";
import { nearest } from "../base/nearest.ts";
import { accessSettings } from "./data/access.ts";
import { ciSettings } from "./data/ci.ts";
import { contentSettings } from "./data/content.ts";
import { instanceSettings } from "./data/instance.ts";
import { integrationSettings } from "./data/integrations.ts";
import { packageSettings } from "./data/packages.ts";
import { throttleSettings } from "./data/throttle.ts";
import { userSettings } from "./data/users.ts";
import type { Setting } from "./setting.ts";

export type { Setting } from "./setting.ts";

const described: readonly Setting[] = [
  ...accessSettings,
  ...ciSettings,
  ...contentSettings,
  ...instanceSettings,
  ...integrationSettings,
  ...packageSettings,
  ...throttleSettings,
  ...userSettings,
];

function withRequires(setting: Setting): Setting {
  const requires = described.filter((other) => other.requiredBy === setting.name).map((other) => other.name);
  return requires.length > 0 ? { ...setting, requires } : setting;
}

/** Every setting that the documents name, in alphabetical order (`3-settings-api: Resources and their fields`). */
export const settings: readonly Setting[] = described.map(withRequires).sort((a, b) => compareTexts(a.name, b.name));

export const settingNames: readonly string[] = settings.map((setting) => setting.name);

const byName: ReadonlyMap<string, Setting> = new Map(settings.map((setting) => [setting.name, setting]));

/** The setting of exactly this name; undefined for undocumented settings. */
export function findSetting(name: string): Setting | undefined {
  return byName.get(name);
}

/** The documented name closest to a mistyped one; undefined if none is similar. */
export function nearestSetting(name: string): string | undefined {
  return nearest(name, settingNames);
}
