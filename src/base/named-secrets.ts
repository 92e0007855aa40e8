import { isSecretParameter } from "./secret-names.ts";
import { hideInAddresses, mask } from "./secrets.ts";

// Secrets in free text: what it has behind the name of one.

// Quotes may be those of JSON inside a text that is shown as JSON.
const lead = /(?<![\w-])["']?([A-Za-z][\w-]*)\\?["']?(\s*[:=]\s*)/g;
const behind = /((?:Bearer|Basic|Token)\s+)?("(?:[^"\\]|\\.)*"|\\"(?:[^"\\]|\\[^"])*\\"|'[^']*'|[^\s"'&,;<>{}[\]]+)/iy;
const scheme = /\b(Bearer|Basic)\s+[\w.~+/=-]{4,}/gi;

/** Hides the secrets in addresses, and the values behind the names of secrets: of headers, of JSON, of settings. */
export function hideInText(text: string): string {
  return hideNamed(hideInAddresses(text)).replace(scheme, `$1 ${mask}`);
}

/** The value of another name is searched too: a command line may have a header in quotes. */
function hideNamed(text: string): string {
  const parts: string[] = [];
  let shown = 0;
  for (const { index, 0: found, 1: name = "", 2: gap = "" } of text.matchAll(lead)) {
    if (index < shown || !isSecretParameter(name) || isProse(found, name, gap, text[index - 1])) continue;
    behind.lastIndex = index + found.length;
    const [whole, kind = "", value = ""] = behind.exec(text) ?? [];
    if (whole === undefined || isPlaceholder(value)) continue;
    const quote = /^\\?["']/.exec(value)?.[0] ?? "";
    parts.push(text.slice(shown, index + found.length), `${kind}${quote}${mask}${quote}`);
    shown = index + found.length + whole.length;
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(shown);
}

/** What the words of this program name in place of a secret: `name=-` or `name=@file`. */
function isPlaceholder(value: string): boolean {
  return value === "-" || value === "@file";
}

/**
 * `password: is too short` describes a field, and `branches/rotate-secret: not restored` an object; only headers are
 * written that way with their value.
 */
function isProse(found: string, name: string, gap: string, before: string | undefined): boolean {
  if (!/:\s/.test(gap) || /["']/.test(found)) return false;
  return /[/#.]/.test(before ?? "") || !/-|^authorization$|^cookie$/i.test(name);
}
