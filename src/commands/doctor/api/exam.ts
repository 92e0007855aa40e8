import type { Api } from "../../../api/api.ts";
import { differences, type Sighting } from "../../../api/differences.ts";
import { type AnyEndpoint, entityOf } from "../../../api/endpoint.ts";
import { getMetadata } from "../../../api/endpoints/about.ts";
import { getSettings } from "../../../api/endpoints/settings.ts";
import { type Fields, json } from "../../../api/field.ts";
import { buildRequest } from "../../../api/request.ts";
import { Failure } from "../../../base/errors.ts";
import { isObject } from "../../../base/is-object.ts";
import { readJson } from "../../../base/read-value.ts";
import { settingNames } from "../../../settings/catalogue.ts";
import { type Deviation, deviations } from "./compare.ts";
import { neededBy, pageSize, type Source, sourceOf } from "./endpoints.ts";

export const verdicts = ["as_documented", "known_difference", "differs", "not_offered", "not_tried"] as const;

interface Examined {
  readonly verdict: (typeof verdicts)[number];
  readonly detail: string;
}

interface Answer extends Examined {
  /** The rows of a list, or the one object; other rows take IDs from it. */
  readonly rows: readonly unknown[];
}

interface Given {
  readonly project: string | undefined;
  readonly group: string | undefined;
  /** The current token is a job token. */
  readonly isJob: boolean;
}

type Values = Record<string, unknown>;

/** Asks each endpoint at most once; the lists that name objects are asked before what needs them. */
export class Exam {
  readonly #api: Api;
  readonly #given: Given;
  readonly #answers = new Map<AnyEndpoint, Promise<Answer>>();

  constructor(api: Api, given: Given) {
    this.#api = api;
    this.#given = given;
  }

  ask(endpoint: AnyEndpoint): Promise<Answer> {
    const asked = this.#answers.get(endpoint) ?? this.#ask(endpoint);
    this.#answers.set(endpoint, asked);
    return asked;
  }

  async #ask(endpoint: AnyEndpoint): Promise<Answer> {
    if (endpoint.base !== "api") return notTried("the checks of forgectl doctor without --api ask for it");
    if (this.#given.isJob && endpoint.access.jobToken !== true) return notTried("it takes no job token");
    if (!this.#given.isJob && endpoint.path === "/job") return notTried("it needs a job token");
    const input: Values = {};
    for (const name of neededBy(endpoint)) {
      const value = await this.#find(endpoint, name);
      if (value === undefined) return notTried(`no ${name.replaceAll("_", " ")} to ask about`);
      input[name] = value;
    }
    try {
      return await (endpoint.returns === "bytes" ? this.#head(endpoint, input) : this.#read(endpoint, input));
    } catch (error) {
      if (!(error instanceof Failure) || error.exit === "interrupted") throw error;
      if (error.details.status !== undefined) return judgeRefusal(endpoint, error.details.status, error.details.reason);
      if (endpoint === getMetadata) throw error;
      return notTried(`no answer (${error.code})`);
    }
  }

  async #find(endpoint: AnyEndpoint, name: string): Promise<unknown> {
    const given = name === "project" || name === "group" ? this.#given[name] : undefined;
    if (given !== undefined) return given;
    if (name === "file_path") return "README.md";
    const source = name === "project" || name === "group" ? undefined : sourceOf(endpoint, name);
    if (source === undefined) return undefined;
    return found(source, (await this.ask(source.list)).rows);
  }

  /** Only the head of the answer; the connection is closed after it. */
  async #head(endpoint: AnyEndpoint, input: Values): Promise<Answer> {
    const answer = await this.#api.download(endpoint as never, input as never);
    await answer.body[Symbol.asyncIterator]().return?.();
    return { verdict: "as_documented", detail: "bytes, of which only the head was read", rows: [] };
  }

  async #read(endpoint: AnyEndpoint, input: Values): Promise<Answer> {
    const { path } = buildRequest(endpoint, input);
    const size = endpoint.page === undefined ? "" : `${path.includes("?") ? "&" : "?"}per_page=${pageSize(endpoint)}`;
    const response = await this.#api.raw({ method: "GET", path: path.slice(1) + size });
    if (response.status >= 300) throw await response.failure();
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    return judge(endpoint, readJson(Buffer.concat(chunks).toString("utf8")), response.headers);
  }
}

function found({ field, where = {} }: Source, rows: readonly unknown[]): unknown {
  const fits = (row: unknown) => Object.entries(where).every(([name, value]) => valueAt(row, name) === value);
  const value = valueAt(rows.find(fits), field);
  return typeof value === "number" || (typeof value === "string" && value !== "") ? value : undefined;
}

function valueAt(row: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => (isObject(value) ? (value as Values)[name] : undefined), row);
}

function judge(endpoint: AnyEndpoint, value: unknown, headers: Readonly<Record<string, string>>): Answer {
  const isList = endpoint.page !== undefined;
  if (isList ? !Array.isArray(value) : !isObject(value)) {
    return { verdict: "differs", detail: `the answer is not ${isList ? "a list" : "an object"}`, rows: [] };
  }
  const rows = [value].flat();
  // Of what is not documented, the program declares only what it reads.
  const all = deviations(fieldsOf(endpoint), rows).filter(({ kind }) => kind !== "unknown" || !endpoint.beyond);
  const more = endpoint.beyond ? deviations(fieldsOf(endpoint), rows).filter((each) => isKnown(endpoint, each)) : [];
  if (isList && !isPaged(headers) && !endpoint.path.endsWith("/blame")) {
    all.push({ kind: "unpaged", field: "", words: "no paging headers" });
  }
  const detail = endpoint === getMetadata ? released(value) : isList && rows.length === 0 ? "an empty list" : "";
  return { ...verdictOn(endpoint, [...new Set([...all, ...more])], detail), rows };
}

/** The instance's release and edition, which a report is about. */
function released(value: unknown): string {
  const { version, enterprise } = value as Values;
  const isRelease = typeof version === "string" && /^\d+\.\d+[\w.-]{0,20}$/.test(version);
  return `release ${isRelease ? version : "not reported"}, ${enterprise === true ? "enterprise" : "community"} edition`;
}

function fieldsOf(endpoint: AnyEndpoint): Fields {
  const shape = entityOf(endpoint)?.shape ?? {};
  if (endpoint !== getSettings) return shape;
  const setting = { ...json(), sometimes: true as const };
  return { ...Object.fromEntries(settingNames.map((name) => [name, setting])), ...shape };
}

function isPaged(headers: Readonly<Record<string, string>>): boolean {
  return ["x-page", "x-next-page", "x-per-page", "link"].some((name) => headers[name] !== undefined);
}

function verdictOn(endpoint: AnyEndpoint, all: readonly Deviation[], head: string): Examined {
  const known = new Set<string>();
  const open: Deviation[] = [];
  for (const each of all) {
    const difference = differences.find(({ seenIn = [] }) => seenIn.some((sighting) => fits(sighting, endpoint, each)));
    if (difference === undefined) open.push(each);
    else known.add(difference.id);
  }
  const words = [...(head === "" ? [] : [head]), ...described(open)];
  if (known.size > 0) words.push(`known: ${[...known].join(", ")}`);
  const verdict = open.length > 0 ? "differs" : known.size > 0 ? "known_difference" : "as_documented";
  if (endpoint.beyond && open.length === 0) words.push("undocumented, and as expected");
  return { verdict, detail: words.join("; ") };
}

const maxNamed = 10;

function described(all: readonly Deviation[]): string[] {
  const of = (kind: Deviation["kind"]) => all.filter((each) => each.kind === kind).map(({ words }) => words);
  const named = (words: string[]) => words.slice(0, maxNamed).join(", ") + (words.length > maxNamed ? ", ..." : "");
  const [missing, nulls, unknown] = [of("missing"), of("null"), of("unknown")];
  return [
    ...(missing.length > 0 ? [`missing: ${named(missing)}`] : []),
    ...(nulls.length > 0 ? [`null: ${named(nulls)}`] : []),
    ...of("retyped").slice(0, maxNamed),
    ...of("unpaged"),
    ...of("status"),
    ...(unknown.length > 0 ? [`${unknown.length} unknown: ${named(unknown)}`] : []),
  ];
}

function isKnown(endpoint: AnyEndpoint, each: Deviation): boolean {
  return differences.some(({ seenIn = [] }) => seenIn.some((sighting) => fits(sighting, endpoint, each)));
}

function fits({ paths, ...seen }: Sighting, { path }: AnyEndpoint, { kind, field }: Deviation): boolean {
  if (paths !== undefined && !paths.some((end) => path.endsWith(end))) return false;
  if (kind === "unpaged") return seen.unpaged === true;
  const names = {
    missing: seen.missing,
    null: seen.null,
    unknown: seen.unknown,
    retyped: undefined,
    status: undefined,
  }[kind];
  return names?.some((name) => name === "*" || field === name || field.endsWith(`.${name}`)) ?? false;
}

/** An answer other than 2xx. Its text may have values, and is only compared. */
function judgeRefusal(endpoint: AnyEndpoint, status: number, reason = ""): Answer {
  const known = differences.find(({ seenIn = [] }) =>
    seenIn.some((sighting) => says(sighting, endpoint, status, reason)),
  );
  if (known !== undefined) return { verdict: "known_difference", detail: `${status}; known: ${known.id}`, rows: [] };
  const { tier, hosting, role } = endpoint.access;
  if (status === 429) return notTried("429: the rate limit of this token is used up");
  if (status === 401 || status === 403) {
    const need = role === undefined ? "" : `, which usually needs the role ${role}`;
    return { verdict: "not_offered", detail: `${status} to this token${need}`, rows: [] };
  }
  if (status === 404 || status === 405) {
    const isObjectOrBytes = endpoint.returns === "bytes" || endpoint.path.includes(":file_path");
    if (isObjectOrBytes) return notTried(`no object to ask about (${status})`);
    const why = [tier && `tier ${tier}`, hosting && `${hosting} offering`].filter(Boolean).join(", ");
    return {
      verdict: "not_offered",
      detail: `${status}: ${why || "its release, its tier, or switched off"}`,
      rows: [],
    };
  }
  return { verdict: "differs", detail: `the answer is ${status}`, rows: [] };
}

function says(sighting: Sighting, { path }: AnyEndpoint, status: number, reason: string): boolean {
  if (sighting.status !== status || sighting.says?.test(reason) === false) return false;
  return sighting.paths?.some((end) => path.endsWith(end)) ?? true;
}

function notTried(detail: string): Answer {
  return { verdict: "not_tried", detail, rows: [] };
}
