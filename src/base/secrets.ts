import { isObject } from "./is-object.ts";
import { memoized } from "./memo.ts";
import { isSecretInAddress, isSecretName, isSecretParameter, isSourceName } from "./secret-names.ts";
import { replaceSecretPaths } from "./secret-paths.ts";

// How secrets are found and masked: one walker, one mask, for results, traces, dry runs, and errors alike. Which names
// are secret is in src/base/secret-names.ts, and which paths in src/base/secret-paths.ts.

/** Replaces a secret in output. */
export const mask = "[redacted]";

const masks = /\*{8,}|\[(?:filtered|masked|redacted|hidden)\]/i;

export const everyMask = new RegExp(masks, "gi");

/** Whether a value is the mask that this program, or an instance, shows in place of a secret. */
export function isMasked(value: unknown): boolean {
  return typeof value === "string" && value.replace(masks, "") === "" && value !== "";
}

/** Whether a value contains such a mask at any depth. */
export function holdsMask(value: unknown): boolean {
  return masks.test(JSON.stringify(value) ?? "");
}

/** Lists of `{ key, value }` whose values are secret for every key. */
const secretLists = new Set([
  "custom_headers",
  "url_variables",
  "variables",
  "variables_attributes",
  "job_variables_attributes",
]);

/** What instances show of a CI/CD variable besides `key` and `value`, which others have too (custom attributes). */
const shownOfVariable = ["variable_type", "masked", "environment_scope"];
/** The secret field of a CI/CD variable, and of a header or a URL variable of a webhook. */
export const ofVariable: DeclaredShape = { value: { secret: true } };

/** The fields of an object that no document declares, if it is a CI/CD variable. */
function shapeOf(row: Readonly<Record<string, unknown>>): DeclaredShape | undefined {
  const isVariable = "value" in row && "key" in row && shownOfVariable.some((name) => name in row);
  return isVariable ? ofVariable : undefined;
}

// None of these starts with a repetition, so a long text is searched in linear time.
const userinfo = { address: /(ssh)?:\/\/([^\s/?#]*)@/gi, prose: /(ssh)?:\/\/([^\s/?#"<>]*)@/gi };
const parameter = { address: /([?&#;])([^\s?&#;=/"'<>]{1,100})=/g, prose: /([?&#;])([\w.%[\]-]{1,100})=/g };
const parameterEnd = { address: /[&#\s]|$/g, prose: /[&#\s"<>]|$/g };

/**
 * Inside other text a quote or a bracket ends an address; in a text that is one, or its path, a password may have them.
 * A text from a file may end with a line feed.
 */
function formOf(text: string): "address" | "prose" {
  return /^(?:[a-z][a-z\d+.-]*:\/)?\/\S*$/i.test(text.trim()) ? "address" : "prose";
}

/** Hides user and password in every address inside a text. The user alone in an SSH address is not a secret. */
function hideUserinfo(text: string): string {
  if (!text.includes("@") || !text.includes("://")) return text;
  return text.replace(userinfo[formOf(text)], (whole, ssh: string | undefined, credentials: string) => {
    const isShown = credentials === "" || (ssh !== undefined && !credentials.includes(":"));
    return isShown || credentials.split(":").every(isPlaceholder) ? whole : `${ssh ?? ""}://${mask}@`;
  });
}

const privateKey = /-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z\d ]{0,40}PRIVATE KEY-----|$)/g;

/** Hides private keys in PEM (RFC 7468), whatever the name of the field. */
function hidePrivateKeys(text: string): string {
  return text.includes("PRIVATE KEY-----") ? text.replace(privateKey, mask) : text;
}

const maxPlaceholder = 200;

/** `{key}` in the address of a webhook: the instance puts the value of a URL variable there, which it never shows. */
function isPlaceholder(text: string): boolean {
  return text.length < maxPlaceholder && /^\{[a-z]+\d*(?:[._-][a-z\d]+)*\}$/i.test(text);
}

/**
 * Hides user, password, secret parameters, and secret paths of known services in every address inside a text, and
 * private keys.
 */
export function hideInAddresses(text: string): string {
  const hidden = hideParameters(hideUserinfo(hidePrivateKeys(text)));
  return replaceSecretPaths(hidden, mask);
}

/** A semicolon separates parameters, and may be in a secret one. */
function hideParameters(text: string): string {
  if (!text.includes("=")) return text;
  const form = formOf(text);
  const isSecret = form === "address" ? isSecretInAddress : isSecretParameter;
  const parts: string[] = [];
  let shown = 0;
  for (const { index, 0: found, 1: lead, 2: name = "" } of text.matchAll(parameter[form])) {
    if (index < shown || !isSecret(decoded(name))) continue;
    const begin = index + found.length;
    const end = endOfParameter(text, begin, form);
    if (isPlaceholder(text.slice(begin, Math.min(end, begin + maxPlaceholder)))) continue;
    parts.push(text.slice(shown, index), `${lead}${name}=${mask}`);
    shown = end;
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(shown);
}

/** Where a value ends; the quotes around an address that is inside other text are not its own. */
function endOfParameter(text: string, from: number, form: "address" | "prose"): number {
  const pattern = parameterEnd[form];
  pattern.lastIndex = from;
  let end = pattern.exec(text)?.index ?? text.length;
  while (form === "prose" && end > from && text[end - 1] === "'") end -= 1;
  return end;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A field's declaration, as far as it matters here; the API's fields satisfy it. */
interface Declared {
  readonly secret?: boolean | undefined;
  readonly shape?: DeclaredShape | undefined;
  readonly item?: Declared | undefined;
}
export type DeclaredShape = { readonly [name: string]: Declared };

/** How a walk treats secrets. */
export interface Treatment {
  /** Whether the value of this name is secret; `isDeclaredSecret` by default. */
  isSecret?(name: string, field: Declared | undefined): boolean;
  /**
   * Replaces a secret of this field or list; the mask by default. Not called for values that reveal nothing: null,
   * empty text, a boolean.
   */
  secret?(value: unknown, name: string): unknown;
  /** Replaces every other text that no field declares, and every name. */
  text?(text: string): string;
}

/** Decided by the documents if they have the field, otherwise by its name. A data source name is always secret. */
function isDeclaredSecret(name: string, field: Declared | undefined): boolean {
  if (field === undefined) return isSecretName(name);
  return field.secret === true || field.item?.secret === true || isSourceName(name);
}

/** Returns a copy of a value with its secrets treated, at any depth; parts without secrets are not copied. */
export function treatSecrets<T>(value: T, treatment: Treatment = {}, shape?: DeclaredShape): T {
  return new Walk(treatment).value(value, shape, false) as T;
}

/** Masks the secrets in a result. */
export function hideSecrets<T>(value: T, shape?: DeclaredShape): T {
  return hiding.value(value, shape, false) as T;
}

interface DeclaredFields {
  readonly byName: ReadonlyMap<string, Declared>;
  /** Names of the fields of which a single value is not a secret. */
  readonly open: ReadonlySet<string>;
}

const fieldsOf = memoized((shape: DeclaredShape): DeclaredFields => {
  const all = Object.entries(shape);
  const open = all.filter(([name, field]) => !isDeclaredSecret(name, field));
  return { byName: new Map(all), open: new Set(open.map(([name]) => name)) };
});

class Walk {
  readonly #isSecret: NonNullable<Treatment["isSecret"]>;
  readonly #secret: NonNullable<Treatment["secret"]>;
  readonly #text: NonNullable<Treatment["text"]>;

  constructor({ isSecret = isDeclaredSecret, secret = () => mask, text = (each) => each }: Treatment) {
    this.#isSecret = isSecret;
    this.#secret = secret;
    this.#text = text;
  }

  value(value: unknown, shape: DeclaredShape | undefined, declared: boolean): unknown {
    if (typeof value === "string") return declared ? value : this.#text(value);
    if (Array.isArray(value)) return this.#array(value, (item) => this.value(item, shape, declared));
    return isObject(value) ? this.#object(value, shape) : value;
  }

  #array(items: readonly unknown[], treat: (item: unknown) => unknown): readonly unknown[] {
    let copy: unknown[] | undefined;
    for (let index = 0; index < items.length; index++) {
      const treated = treat(items[index]);
      if (treated === items[index]) continue;
      copy ??= [...items];
      copy[index] = treated;
    }
    return copy ?? items;
  }

  #object(
    row: Readonly<Record<string, unknown>>,
    declared: DeclaredShape | undefined,
  ): Readonly<Record<string, unknown>> {
    const shape = declared ?? shapeOf(row);
    const fields = shape && fieldsOf(shape);
    const open = this.#isSecret === isDeclaredSecret ? fields?.open : undefined;
    // Most rows hold no secret and are not copied. Each value is walked once: to look into it before it is copied
    // would take twice as long for every level.
    let changed: Map<string, readonly [string, unknown]> | undefined;
    for (const name in row) {
      const value = row[name];
      // True of nearly all values in a long list. The rest is a method: V8 would optimize a longer loop after one page,
      // and Node 20 waits for that at exit.
      if ((value === null || typeof value !== "object") && open?.has(name)) continue;
      const entry = this.#changed(name, value, fields?.byName.get(name));
      if (entry !== undefined) changed = (changed ?? new Map<string, readonly [string, unknown]>()).set(name, entry);
    }
    if (changed === undefined) return row;
    return Object.fromEntries(Object.entries(row).map((entry) => changed.get(entry[0]) ?? entry));
  }

  /** The name and the value in their place, if one of them differs. */
  #changed(name: string, value: unknown, field: Declared | undefined): readonly [string, unknown] | undefined {
    const shown = field === undefined ? this.#text(name) : name;
    const treated = this.#field(name, value, field);
    return shown === name && treated === value ? undefined : [shown, treated];
  }

  #field(name: string, value: unknown, field: Declared | undefined): unknown {
    // Whether a secret is set may be shown.
    if (value === null || value === undefined || value === "" || typeof value === "boolean") return value;
    if (this.#isSecret(name, field)) return this.#secret(value, name);
    if (secretLists.has(name) && Array.isArray(value)) {
      return this.#array(value, (item) => this.#pair(item, name));
    }
    return this.value(value, field?.shape ?? field?.item?.shape, field !== undefined);
  }

  #pair(item: unknown, list: string): unknown {
    return isObject(item) && "value" in item
      ? { ...item, value: this.#secret(item.value, list) }
      : this.value(item, undefined, false);
  }
}

const hiding = new Walk({ text: (text) => hidePrivateKeys(hideUserinfo(text)) });
