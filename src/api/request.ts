import { UsageError } from "../base/errors.ts";
import type { DeclaredShape } from "../base/secrets.ts";
import { halfCharacter } from "../base/unicode.ts";
import type { AnyEndpoint, Base, Method } from "./endpoint.ts";
import type { Field, UploadSource } from "./field.ts";
import type { WireBody } from "./transport/message.ts";

/** A request without the instance's address and credentials. */
export interface BuiltRequest {
  /** What the request does, for errors: the endpoint's summary, or that of its direction. */
  summary?: string;
  method: Method;
  base: Base;
  /** Encoded, with a leading slash and the query. */
  path: string;
  headers: Record<string, string>;
  body: BuiltBody | undefined;
  /** See `Endpoint.once`. */
  once?: boolean;
  /** See `WireRequest.whole`. */
  whole?: boolean | "json";
}

export type BuiltBody =
  | {
      kind: "json";
      value: Record<string, unknown>;
      /** Its secret fields, where neither an endpoint nor a name says so. */
      secret?: DeclaredShape;
    }
  | { kind: "raw"; contentType: string; body: WireBody }
  | { kind: "form"; pairs: Pair[] }
  | { kind: "multipart"; pairs: Pair[]; file: { name: string; source: UploadSource } | undefined };

type Pair = [name: string, value: string];

/**
 * Builds a request from an input by the endpoint's route: names in it go to the path, the rest to the query for GET,
 * HEAD, and DELETE and to the body otherwise. A DELETE's query that would be too long for a URL goes in the body.
 */
export function buildRequest(endpoint: AnyEndpoint, input: Readonly<Record<string, unknown>>): BuiltRequest {
  const inPath = new Set<string>();
  const path = endpoint.path.replace(/([:*])([a-z_]+)/g, (_, sigil: string, name: string) => {
    inPath.add(name);
    const label = labelOf(name, endpoint.params[name]);
    const value = sentAs(endpoint.params[name], input[name]);
    if (sigil === ":") return encodeSegment(label, value);
    const segments = encodeSegments(label, value);
    return endpoint.params[name]?.asSegment?.test(String(value)) ? encoded(label, String(value)) : segments;
  });
  const inQuery = ["GET", "HEAD", "DELETE"].includes(endpoint.method);
  const query: Pair[] = [];
  const body: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(endpoint.params)) {
    if (inPath.has(name) || input[name] === undefined) continue;
    const value = sentAs(field, input[name]);
    const wire = field.wire ?? name;
    if (!inQuery) Object.assign(body, field.entries ? value : { [wire]: value });
    else if (field.repeats) for (const item of value as unknown[]) query.push([wire, String(item)]);
    else flatten(query, wire, value);
  }
  const search = query.length === 0 ? "" : `?${encodePairs(query)}`;
  const isLong = endpoint.method === "DELETE" && endpoint.base === "api" && search.length > maxQuery;
  return {
    summary: summaryOf(endpoint, input),
    method: endpoint.method,
    base: endpoint.base,
    path: isLong ? path : path + search,
    headers: {},
    body: isLong ? { kind: "json", value: valuesIn(endpoint, input, inPath) } : buildBody(endpoint, body),
    once: endpoint.once && (endpoint.guard === undefined || input[endpoint.guard] === undefined),
  };
}

/** What a request does; of two directions, the one that is asked for. */
export function summaryOf({ summary, directions }: AnyEndpoint, input: Readonly<Record<string, unknown>>): string {
  return directions === undefined ? summary : directions[input[directions.by] === true ? "on" : "off"];
}

export function sentAs(field: Field | undefined, value: unknown): unknown {
  return field?.sent === undefined ? value : field.sent(value);
}

/**
 * Maximum length of a DELETE's query: web servers accept 8 KiB for the whole request line, and answer more with 414 or
 * 431. A longer one goes in a JSON body, as parameters may (`1-project-api: Endpoints, common conventions`).
 */
const maxQuery = 4000;

/** The parameters outside the path, under their names in requests. */
function valuesIn(endpoint: AnyEndpoint, input: Readonly<Record<string, unknown>>, inPath: ReadonlySet<string>) {
  const entries = Object.entries(endpoint.params).flatMap(([name, field]) =>
    inPath.has(name) || input[name] === undefined ? [] : [[field.wire ?? name, input[name]] as const],
  );
  return Object.fromEntries(entries);
}

function buildBody(endpoint: AnyEndpoint, values: Record<string, unknown>): BuiltBody | undefined {
  if (endpoint.encoding === "json") {
    return Object.keys(values).length === 0 ? undefined : { kind: "json", value: values };
  }
  const pairs: Pair[] = [];
  let file: { name: string; source: UploadSource } | undefined;
  for (const [name, value] of Object.entries(values)) {
    if (endpoint.params[name]?.kind === "file") file = { name, source: value as UploadSource };
    else flatten(pairs, name, value);
  }
  return endpoint.encoding === "form" ? { kind: "form", pairs } : { kind: "multipart", pairs, file };
}

/** An object's values as pairs for a query or a form. */
export function flattenPairs(values: Readonly<Record<string, unknown>>): Pair[] {
  const pairs: Pair[] = [];
  for (const [name, value] of Object.entries(values)) flatten(pairs, name, value);
  return pairs;
}

/** Pairs as the text of a query or a form. */
export function encodePairs(pairs: readonly Pair[]): string {
  return pairs.map((pair) => pair.map((text) => encoded(pair[0], text)).join("=")).join("&");
}

/** Nested values in the platform's notation: `a[b]=c`, `a[]=c`. */
function flatten(pairs: Pair[], name: string, value: unknown): void {
  if (Array.isArray(value)) for (const item of value) flatten(pairs, `${name}[]`, item);
  else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) flatten(pairs, `${name}[${key}]`, item);
  } else pairs.push([name, String(value)]);
}

/** The name of a path parameter on the command line: `<uid>`, `--group`. */
function labelOf(name: string, field: Field | undefined): string {
  if (field?.scope !== undefined) return `--${name}`;
  return `<${field?.placeholder ?? name.replaceAll("_", "-")}>`;
}

/** Encodes a value as one segment of a path, including slashes. */
function encodeSegment(label: string, value: unknown): string {
  const text = String(value ?? "");
  if (text === "") throw new UsageError(`${label}: is empty`);
  // URL parsers resolve "." and ".." even when they are percent-encoded. Some proxies decode slashes first: behind one
  // of them, `x/../../../../projects/5` as the name of a link is another object.
  if (text.split(/[/\\]/).some((part) => /^(?:\.|%2e){1,2}$/i.test(part))) {
    throw new UsageError(`${label}: "${text}" cannot be part of a request's path`, {
      hint: "a proxy may take it for another object's path: use its ID, or the instance's own page",
    });
  }
  return encoded(label, text);
}

function encoded(label: string, text: string): string {
  if (!text.isWellFormed()) throw new UsageError(`${label}: ${halfCharacter}`);
  return encodeURIComponent(text);
}

function encodeSegments(label: string, value: unknown): string {
  const text = String(value ?? "");
  if (text.includes("//")) throw new UsageError(`${label}: "${text}" has an empty segment`);
  return text
    .split("/")
    .map((segment) => encodeSegment(label, segment))
    .join("/");
}
