/** Emoji by name, with their other names: those that the sandbox takes for a reaction when a note is nothing else. */
const emoji: readonly (readonly [character: string, name: string, ...others: string[]])[] = [
  ["👍", "thumbsup", "+1"],
  ["👎", "thumbsdown", "-1"],
  ["👏", "clap"],
  ["🎉", "tada"],
  ["🚀", "rocket"],
  ["👀", "eyes"],
  ["❤", "heart"],
  ["🔥", "fire"],
  ["💯", "100"],
  ["🙏", "pray"],
  ["🙌", "raised_hands"],
  ["💪", "muscle"],
  ["👋", "wave"],
  ["🤔", "thinking"],
  ["😄", "smile"],
  ["😂", "joy"],
  ["😕", "confused"],
  ["😢", "cry"],
  ["✅", "white_check_mark"],
  ["❌", "x"],
  ["⚠", "warning"],
  ["🐛", "bug"],
  ["☕", "coffee"],
];

/** The emoji's name where a text is one emoji and nothing else: the character itself, or a name between colons. */
export function onlyEmoji(text: string): string | undefined {
  const word = text.trim();
  const name = /^:([a-z0-9_+-]+):$/.exec(word)?.[1];
  // A variation selector or a skin tone makes no other emoji of it.
  const character = word.replace(/[\u{fe0f}\u{1f3fb}-\u{1f3ff}]/gu, "");
  const found = emoji.find(([own, ...names]) => (name === undefined ? own === character : names.includes(name)));
  return found?.[1];
}
