import { isObject } from "../../base/is-object.ts";
import { ownValue } from "../../base/own-value.ts";
import { sameValue } from "../../settings/compare.ts";
import { predecessors } from "../../settings/other-names.ts";
import { isSecretSetting, quotedValue } from "../../settings/secret-settings.ts";
import { asTaken } from "../../settings/units.ts";
import { isEmpty } from "../../settings/value.ts";

type Values = Readonly<Record<string, unknown>>;

/** The sent values that an instance did not apply, by name, with a description. Secrets need not be in the answer. */
export function notApplied(sent: Values, answer: Values): Record<string, string[]> {
  const others = Object.entries(sent).filter(
    ([name, value]) =>
      !isSecretSetting(name) && !(shownName(name, answer) && isTaken(name, value, valueIn(answer, name))),
  );
  const shown = (name: string, value: unknown) => JSON.stringify(quotedValue(name, value));
  return Object.fromEntries(
    others.map(([name, value]) => {
      const now = shownName(name, answer)
        ? `the instance has ${shown(name, valueIn(answer, name))}`
        : "not in the answer";
      return [name, [`sent ${shown(name, value)}, ${now}`]];
    }),
  );
}

const causes: Readonly<Record<string, string>> = {
  performance_bar_allowed_group_id: "instances look there for the path of a group, and clear it where they find none",
  terms: "instances keep the terms of service where they get none",
};

/** Why an instance did not apply these. */
export function causeOf(names: readonly string[]): string {
  const [cause] = names.length === 1 ? names.map((name) => ownValue(causes, name)) : [];
  return cause ?? "an instance ignores settings that its tier or version lacks";
}

/** The name under which an instance shows a setting: of some it takes an old name, and shows the one in use. */
function shownName(name: string, answer: Values): string | undefined {
  return [name, ownValue(predecessors, name)].find((each) => each !== undefined && Object.hasOwn(answer, each));
}

function valueIn(answer: Values, name: string): unknown {
  return answer[shownName(name, answer) ?? name];
}

/** Instances add their own host to these lists. */
const withOwnHost = new Set(["asset_proxy_allowlist", "asset_proxy_whitelist"]);

/** Whether an answer shows what was sent; of lists as text, instances change separators and case. */
function isTaken(name: string, sent: unknown, now: unknown): boolean {
  if (isApplied(asTaken(name, sent), asTaken(name, now)) || isApplied(sent, now)) return true;
  const inLowerCase = (value: unknown) => itemsOf(String(value ?? "").toLowerCase());
  if (/_raw$/.test(name) && sameValue(inLowerCase(sent), inLowerCase(now))) return true;
  const all = new Set(itemsOf(now));
  return withOwnHost.has(name) && itemsOf(sent).every((item) => all.has(item));
}

/** Whether an answered value equals the sent one, allowing for numbers as text and lists in another order. */
function isApplied(sent: unknown, now: unknown): boolean {
  if (sameValue(sent, now) || (isEmpty(sent) && isEmpty(now))) return true;
  if (Array.isArray(sent)) return sameValue(itemsOf(sent), itemsOf(now));
  // Its other keys are kept.
  if (isObject(sent)) return isObject(now) && Object.keys(sent).every((key) => isApplied(sent[key], now[key]));
  if (Array.isArray(now) || isObject(now)) return sameValue(itemsOf(sent), itemsOf(now));
  // Instances show a decimal as a text: "2.0".
  return plain(sent) === plain(now) || (typeof sent === "number" && plain(now) !== "" && Number(now) === sent);
}

/** A list that an instance accepts or returns as text. */
function itemsOf(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value : plain(value).split(/[\s,;]+/);
  return items.map((item) => (isObject(item) ? JSON.stringify(item) : plain(item))).sort();
}

function plain(value: unknown): string {
  return String(value ?? "")
    .replaceAll("\r\n", "\n")
    .trim()
    .replace(/^(https?:\/\/.*)\/$/i, "$1");
}
