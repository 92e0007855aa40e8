import { sameValue } from "./compare.ts";
import { isComputed } from "./computed.ts";
import { effectsOf, lastingIn } from "./lasting.ts";
import { areOneSetting, replacedBy } from "./other-names.ts";
import { isSecretSetting, quotedValue } from "./secret-settings.ts";
import { isEmpty } from "./value.ts";

type Values = Readonly<Record<string, unknown>>;

/** Settings with the values that they have now, and a sentence on them. */
interface Along {
  readonly values: Values;
  readonly text: string;
}

/**
 * What else is not as it was read, though it was not sent: an instance may change a setting along with another. Not
 * secrets, times, and texts that it renders, nor what it computes from another. Undefined if there is nothing.
 *
 * @param sent names of settings
 * @param recent names of those that were written a moment ago, with their values in `before`: a cached read may show
 *   another name of one of them with the value of before
 */
export function changedAlong(
  { sent, recent }: { sent: readonly string[]; recent: readonly string[] },
  before: Values,
  answer: Values,
): Along | undefined {
  const replaced = replacedBy(sent);
  const isOther = (name: string) => [...sent, ...recent].some((each) => each !== name && areOneSetting(each, name));
  const isSent = (name: string) => sent.includes(name) || (!replaced.includes(name) && isOther(name));
  const changed = Object.keys(answer).filter(
    (name) =>
      Object.hasOwn(before, name) &&
      before[name] !== undefined &&
      !sameValue(before[name], answer[name]) &&
      !(isEmpty(before[name]) && isEmpty(answer[name])) &&
      !/_(?:at|html)$/.test(name) &&
      !isSecretSetting(name) &&
      !isSent(name),
  );
  const others = changed.filter((name) => !isComputed(name, { written: [...sent, ...recent], changed, before }));
  if (others.length === 0) return undefined;
  const values = Object.fromEntries(others.map((name) => [name, answer[name]]));
  const texts = others.map((name) => {
    const [was, is] = [shown(name, before[name]), shown(name, answer[name])];
    return was === is ? `${name} (a secret in it)` : `${name} (${shortened(was)} → ${shortened(is)})`;
  });
  const effect = effectsOf(lastingIn(values, before));
  const besides = effect === undefined ? "" : `; of these, ${effect}`;
  return { values, text: `not as it was read either, though it was not sent: ${texts.join(", ")}${besides}` };
}

function shown(name: string, value: unknown): string {
  return JSON.stringify(quotedValue(name, value));
}

/** Characters, as in a table's cell: a text of terms would fill the log. */
const mostShown = 200;

function shortened(text: string): string {
  const characters = Array.from(text.slice(0, 2 * mostShown + 2));
  return characters.length > mostShown ? `${characters.slice(0, mostShown).join("")}…` : text;
}
