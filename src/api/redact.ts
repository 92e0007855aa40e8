import { hideInText } from "../base/named-secrets.ts";
import { isSecretName } from "../base/secret-names.ts";
import { type DeclaredShape, hideInAddresses, mask, treatSecrets } from "../base/secrets.ts";
import { withOctals } from "../base/shell-words.ts";
import { KnownTexts } from "./known-texts.ts";

/** Shorter values would match parts of any text; they are redacted by name only. */
const minLength = 4;

/**
 * Redacts secrets in everything that is shown or stored: traces, dry runs, errors, journals. It finds them by name, and
 * by value after `add`, even if a value is URL-encoded, JSON-escaped, written for `printf`, or inside base64.
 */
export class Redactor {
  readonly #known = new Set<string>();
  /** Every encoded form of the known values. */
  readonly #forms = new KnownTexts();

  /** Values not read yet: most runs redact nothing, and their start need not wait for it. */
  #unread: Iterable<string>;

  /** @param values known from the start; they are iterated once something is redacted */
  constructor(values: Iterable<string> = []) {
    this.#unread = values;
  }

  /** Redacts this value from now on. */
  add(value: string | undefined): void {
    if (value === undefined || value.length < minLength || this.#known.has(value)) return;
    this.#known.add(value);
    for (const form of encodedForms(value)) this.#forms.add(form);
  }

  /** The same for the value of an `Authorization` header: a token, or a password and its encoded form. */
  addAuthorization(header: string): void {
    const [, kind = "", value = ""] = /^(\S+) +(?! )(.*)$/s.exec(header) ?? [];
    this.add(value);
    if (kind.toLowerCase() !== "basic") return;
    const pair = Buffer.from(value, "base64").toString("utf8");
    this.add(pair.slice(pair.indexOf(":") + 1));
  }

  /** Free text: messages, lines of a trace. */
  text(text: string): string {
    return this.#byValue(hideInText(text));
  }

  /** Redacts a URL: credentials, secret parameters in query and fragment, and known values anywhere. */
  url(url: string): string {
    return this.#byValue(hideInAddresses(url));
  }

  /** Redacts headers, by name and by value. `secret` names more of them. */
  headers(headers: Readonly<Record<string, string>>, secret: readonly string[] = []): Record<string, string> {
    const more = new Set(secret.map((name) => name.toLowerCase()));
    const shown: Record<string, string> = {};
    for (const [name, value] of Object.entries(headers)) {
      const hidden = isSecretName(name) || more.has(name.toLowerCase());
      shown[name] = hidden ? mask : isAddress(name) ? this.url(value) : this.#byValue(value);
    }
    return shown;
  }

  /** A JSON value, as a copy: secret fields become the mask, known values are masked inside every string. */
  json(value: unknown, shape?: DeclaredShape): unknown {
    return treatSecrets(value, { text: (text) => this.#byValue(hideInAddresses(text)) }, shape);
  }

  /** Masks every occurrence of a form of a known value, overlapping ones as one. */
  #byValue(text: string): string {
    for (const value of this.#unread) this.add(value);
    this.#unread = [];
    const places = this.#forms.placesIn(text);
    if (places.length === 0) return text;
    let shown = "";
    let done = 0;
    for (const [from, to] of places) {
      if (from >= done) shown += text.slice(done, from) + mask;
      done = Math.max(done, to);
    }
    return shown + text.slice(done);
  }
}

function isAddress(header: string): boolean {
  return ["location", "link", "referer", "content-location"].includes(header.toLowerCase());
}

function percentEncoded(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return value;
  }
}

/** The forms that a value may have in other text: plain, URL-encoded, JSON-escaped, for `printf`, and inside base64. */
export function encodedForms(value: string): string[] {
  const encoded = percentEncoded(value);
  const lower = encoded.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase());
  const form = new URLSearchParams([["", value]]).toString().slice(1);
  const escaped = JSON.stringify(value).slice(1, -1);
  return [value, encoded, lower, form, escaped, withOctals(value), ...base64Of(value)];
}

/**
 * The forms of a value inside base64: alone, and within a longer text (`user:value`), where it may start at
 * any of three offsets within a group. Characters that depend on its neighbors are left out.
 */
function base64Of(value: string): string[] {
  const bytes = Buffer.from(value);
  const found = [bytes.toString("base64"), bytes.toString("base64url")];
  for (let offset = 0; offset < 3; offset++) {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
    const from = Math.ceil((offset * 8) / 6);
    const to = Math.floor((padded.length * 8) / 6);
    if (to - from < 5) continue;
    found.push(padded.toString("base64").slice(from, to), padded.toString("base64url").slice(from, to));
  }
  return found;
}
