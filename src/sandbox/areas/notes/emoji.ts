import { emojiNames } from "./emoji-names.ts";

/** The short name of each emoji, and that of each of its names. */
const named = new Map<string, string>();
const names = new Map<string, string>();
for (const entry of emojiNames.trim().split(/\s+/)) {
  const [character = ""] = entry;
  const [name = "", ...others] = entry.slice(character.length).split(",");
  named.set(character, name);
  for (const each of [name, ...others]) names.set(each, name);
}

const one = String.raw`\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?`;
/** A flag, a keycap, or one emoji, which may be a joined sequence. */
const oneEmoji = new RegExp(
  String.raw`^(?:\p{Regional_Indicator}{2}|[0-9#*]\ufe0f?\u20e3|${one}(?:\u200d${one})*)$`,
  "u",
);

/** The emoji's name if a text is exactly one emoji: the character itself, or a name between colons. */
export function onlyEmoji(text: string): string | undefined {
  const word = text.trim();
  const written = /^:([a-z0-9_+-]+):$/.exec(word)?.[1];
  if (written !== undefined) return names.get(written);
  return oneEmoji.test(word) ? nameOf(word) : undefined;
}

/** A sequence is named after its parts. Variation selectors and skin tones do not change the name. */
function nameOf(emoji: string): string {
  const parts = [...emoji.replace(/\p{Emoji_Modifier}|\ufe0f|\u200d|\u20e3/gu, "")];
  return parts.map((part) => named.get(part) ?? letterOf(part)).join("_");
}

/** Flags use regional indicator letters; keycaps and regions use plain ones. */
function letterOf(part: string): string {
  const code = part.codePointAt(0) ?? 0;
  return code >= 0x1f1e6 && code <= 0x1f1ff ? String.fromCharCode(code - 0x1f1e6 + 97) : part.replace(/[^0-9#*]/gu, "");
}
