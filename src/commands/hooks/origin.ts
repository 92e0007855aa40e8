import { mask } from "../../base/secrets.ts";

export interface Origin {
  /** Undefined if the address does not say it. */
  readonly host: string | undefined;
  readonly scheme: "http" | "https" | undefined;
  /** Scheme and host, or why they are not known. */
  readonly text: string;
  /** The host with its port, or what the address has in its place; without the path, which may be a secret. */
  readonly receiver: string;
}

/** Scheme, slashes, and the text from which the host is read. */
const beforePath = /^([^/\\?#:]*:)?([/\\]*)([^/?#]*)/;
/** A variable, whose value may end the host, or begin another one. */
const variable = /[{}]|%7[bd]/i;
/** What some parsers take for the end of the host, and others do not. */
const disputed = /[\\\s\p{Cc}]|@.*@/u;

/**
 * Scheme and host of an address. An instance fills in variables before it reads the address, and reads it with other
 * parsers than this program's: with `https://ci:{password}@host`, or `https://host\@other`, the receiver is not known.
 */
export function originOf(url: string): Origin {
  const address = asRead(url);
  const [start, scheme = "", slashes = "", authority = ""] = beforePath.exec(address) ?? [""];
  const parsed = URL.canParse(address) ? new URL(address) : undefined;
  const [, known] = /^(https?):$/i.exec(scheme) ?? [];
  const isKnown = !variable.test(start) && !disputed.test(slashes + authority);
  const given = { scheme: known?.toLowerCase() as Origin["scheme"] };
  if (parsed !== undefined && parsed.host !== "" && isKnown) {
    return { ...given, host: parsed.hostname, text: `${parsed.protocol}//${parsed.host}`, receiver: parsed.host };
  }
  const text = `an address whose host ${variable.test(start) ? "is a variable" : "cannot be told"}`;
  const shown = `${scheme}${slashes}${withoutCredentials(authority)}`;
  return { ...given, host: undefined, text, receiver: shown === "" ? text : `${text}: ${shown}` };
}

/** Parsers drop white space at the ends, and tabs and ends of lines anywhere. */
function asRead(url: string): string {
  return url.trim().replace(/[\t\r\n]/g, "");
}

/** Names of variables are no secrets, and say why the host is not known. */
function withoutCredentials(authority: string): string {
  const end = Math.max(0, authority.lastIndexOf("@"));
  const parts = /\{[^{}]*\}|[^{}]+/g;
  const hidden = authority.slice(0, end).replace(parts, (part) => (part.startsWith("{") ? part : mask));
  return `${hidden}${authority.slice(end)}`;
}
