/** Actions whose names in tables differ from the API's filter. */
const actions = new Map([
  ["opened", "created"],
  ["accepted", "merged"],
  ["commented on", "commented"],
  ["pushed to", "pushed"],
  ["pushed new", "pushed"],
  ["removed due to membership expiration from", "expired"],
]);

/** The API's filter value of an action, which may be typed as events show it: `Pushed`, `commented on`. */
export function actionWord(typed: string): string {
  const word = typed.trim().toLowerCase();
  return actions.get(word) ?? word;
}

const targets = new Map([
  ["wikipage::meta", "wiki"],
  ["designmanagement::design", "design"],
]);

/** Converts a kind of target to the API's filter value: `MergeRequest`, as an event shows it, is `merge_request`. */
export function targetWord(typed: string): string {
  const name = typed.trim();
  const words = name.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase();
  return targets.get(name.toLowerCase()) ?? words.replaceAll(" ", "_");
}
