import type { Endpoint } from "../../api/endpoint.ts";
import type { updateHook } from "../../api/endpoints/hooks.ts";
import { isObject } from "../../base/is-object.ts";

/**
 * What a change does to the secrets that an instance stores with a hook and never shows: its token, its custom headers,
 * and its URL variables. Only this file handles the differences of real instances from the API documents
 * (`2-collaboration-identity-api: Group webhooks`; src/api/differences.ts):
 *
 * - A new URL drops the token unless the same request has one, the custom headers in any case, even those of the same
 *   request, and the URL variables. According to the documents, what is not given is kept.
 * - Headers given are set, and the others are kept. According to the documents, `custom_headers` is the whole list.
 */

type InputOf<E> = E extends Endpoint<infer I, infer _O, infer _S> ? I : never;
type HookInput = InputOf<typeof updateHook>;
export type Attributes = Partial<Omit<HookInput, "group" | "hook_id" | "url">>;

/** What is known of a hook before the change. */
export interface Present {
  url: string;
  /** Names of its custom headers. */
  headers: readonly string[];
  /** Names of its URL variables. */
  variables: readonly string[];
  /** Whether it has a secret token; newer releases say so. */
  token: boolean | undefined;
  /** Whether it has a token that signs deliveries, which no request shows or takes here. */
  signs: boolean;
}

export interface HookChange {
  /** Undefined if it is unchanged. */
  url: string | undefined;
  attributes: Attributes;
  /** Names of headers to remove, as the hook has them. */
  removed: readonly string[];
}

/** What of a hook an instance shows of its address and its secrets. */
export interface StoredHook {
  url: string;
  custom_headers?: unknown;
  url_variables?: unknown;
  token_present?: unknown;
  signing_token_present?: unknown;
}

export function presentOf(hook: StoredHook): Present {
  const { url, custom_headers, url_variables, token_present: token, signing_token_present: signs } = hook;
  return {
    url,
    headers: keysOf(custom_headers),
    variables: keysOf(url_variables),
    token: typeof token === "boolean" ? token : undefined,
    signs: signs === true,
  };
}

/** The names in a list of `{ key }`; older releases have no such list. */
function keysOf(pairs: unknown): string[] {
  if (!Array.isArray(pairs)) return [];
  return pairs.flatMap((pair: unknown) => (isObject(pair) && typeof pair.key === "string" ? [pair.key] : []));
}

/** The name of a header as the hook has it; headers are the same in any case. */
export function nameAmong(names: readonly string[], name: string): string | undefined {
  return names.find((each) => each.toLowerCase() === name.toLowerCase());
}

/** Whether the change sets a different URL. */
export function moves(present: Present, change: HookChange): boolean {
  return change.url !== undefined && change.url !== present.url;
}

/**
 * Descriptions of the stored values that the change would drop unintentionally: `its secret token (if it
 * has one)`, `header X-Key`. They cannot be read, so that only the user can give them again.
 */
export function losses(present: Present, change: HookChange): string[] {
  const others = othersThan(present, change);
  if (!moves(present, change)) return change.attributes.custom_headers === undefined ? [] : headersText(others);
  const lost = change.attributes.token === undefined && present.token !== false;
  const token = lost ? [present.token === true ? "its secret token" : "its secret token (if it has one)"] : [];
  return [...token, ...headersText(others), ...namesText("URL variable", present.variables)];
}

/** The stored headers that are neither given again nor removed. */
function othersThan(present: Present, { attributes, removed }: HookChange): string[] {
  const given = (attributes.custom_headers ?? []).map(({ key }) => key);
  const named = new Set([...given, ...removed].map((name) => name.toLowerCase()));
  return present.headers.filter((name) => !named.has(name.toLowerCase()));
}

function headersText(names: readonly string[]): string[] {
  return namesText("header", names);
}

function namesText(noun: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${noun}${names.length === 1 ? "" : "s"} ${names.join(", ")}`];
}

/**
 * The bodies to send, in order. With a new URL, the token is in the same request, and the headers are sent again in a
 * second one; on an instance that kept them, this changes nothing.
 */
export function bodiesOf(present: Present, change: HookChange): (Attributes & { url: string })[] {
  const url = change.url ?? present.url;
  const { custom_headers } = change.attributes;
  if (custom_headers === undefined) return [{ ...change.attributes, url }];
  if (moves(present, change)) {
    const { custom_headers: _, ...others } = change.attributes;
    return [
      { ...others, url },
      { url, custom_headers },
    ];
  }
  // An instance that keeps other headers would also keep the same name in a different case.
  const spelled = custom_headers.map(({ key, value }) => ({ key: nameAmong(present.headers, key) ?? key, value }));
  return [{ ...change.attributes, url, custom_headers: spelled }];
}

/** The names of the headers that the hook has after an answer; older releases do not return any. */
export function headersAfter(present: Present, answer: object): readonly string[] {
  return "custom_headers" in answer ? keysOf(answer.custom_headers) : present.headers;
}

/** What happened to the stored secrets, as far as the answer shows it; empty if nothing is lost. */
export function outcomeTexts(present: Present, change: HookChange, answer: object): string[] {
  const left = new Set(headersAfter(present, answer));
  const others = othersThan(present, change);
  const removed = others.filter((name) => !left.has(name));
  const texts = removed.length > 0 ? [`${headersText(removed)} of the hook: removed by this change`] : [];
  if (present.signs && "signing_token_present" in answer && answer.signing_token_present === false) {
    texts.push("the hook's signing token: removed by this change; it can be set again in the web interface");
  }
  if (moves(present, change)) return [...texts, ...tokenTexts(present, change, answer)];
  if (removed.length > 0 || others.length === 0 || change.attributes.custom_headers === undefined) return texts;
  return [`${headersText(others)} of the hook: kept; this instance sets the given headers and keeps the others`];
}

/** A token is never shown; newer releases say whether there is one. */
function tokenTexts(present: Present, { attributes }: HookChange, answer: object): string[] {
  const { token: held } = presentOf({ url: "", ...answer });
  if (attributes.token !== undefined || present.token === false || held === true) return [];
  const fact = held === false ? "removed by this change" : "instances drop it with a new URL";
  return [
    `the hook's secret token${present.token === true ? "" : " (if it had one)"}: ${fact}; give it again with --token-file`,
  ];
}
