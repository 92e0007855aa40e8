import { type AnyEndpoint, changes } from "../api/endpoint.ts";
import type { Api } from "../api/types.ts";
import { Failure } from "../base/errors.ts";
import { memoized } from "../base/memoized.ts";
import { concurrently } from "../jobs/concurrently.ts";
import { type Kind, keyOf, type Live, type Scope, type Section, type Values } from "./kind.ts";
import { normal } from "./normal.ts";

/** A plan's access to the instance, which refuses anything but reads. */
export interface Reader {
  call(endpoint: AnyEndpoint, input: object): Promise<object>;
  list(endpoint: AnyEndpoint, input: object): Promise<object[]>;
}

/** A reader on an API client. A request that would change something is a bug and throws. */
export function readerOf(api: Api): Reader {
  const refuse = (endpoint: AnyEndpoint) => {
    if (changes(endpoint)) throw new Error(`a plan tried to send ${endpoint.route}`);
  };
  return {
    async call(endpoint, input) {
      refuse(endpoint);
      return (await api.call(endpoint, input as never)) as object;
    },
    async list(endpoint, input) {
      refuse(endpoint);
      const rows: object[] = [];
      for await (const batch of api.list(endpoint as never, input as never, { limit: undefined }).batches()) {
        rows.push(...(batch as object[]));
      }
      return rows;
    },
  };
}

/** The live objects of a section, or why it could not be read. */
export type Seen = { readonly live: readonly Live[] } | { readonly unreadable: string };

/** Failures that concern one section alone. Anything else (no token, no network, Ctrl-C) ends the run. */
const local = new Set<Failure["exit"]>(["forbidden", "notFound", "refused", "conflict", "rateLimited"]);

/** For which entries to read fields that the list leaves out: for those that declare them, or for all. */
export type Details = "declared" | "all";

/** Reads the live objects of a kind in a scope. */
export async function readLive(reader: Reader, section: Section, details: Details = "declared"): Promise<Seen> {
  const { scope, kind } = section;
  try {
    const read = kind.form === "list" ? await readList(reader, scope, kind) : await readRecord(reader, scope, kind);
    if (read === undefined) return { unreadable: `the instance does not show ${kind.read.shows}` };
    return {
      live: await withDetails(
        reader,
        section,
        read.map((each) => withNumbers(kind, each)),
        details,
      ),
    };
  } catch (error) {
    if (!(error instanceof Failure) || !concernsOne(error, kind)) throw error;
    return { unreadable: error.details.reason ?? error.message };
  }
}

/** Whether a failure concerns one object alone. Some routes answer 401 instead of 403 (saml-links-401). */
export function concernsOne({ exit }: Failure, { read }: Kind): boolean {
  if (exit === "unauthenticated") return read.endpoint.access.means?.[401] !== undefined;
  return local.has(exit);
}

/** Reads the sections, `concurrency` at once, and yields them in order. */
export function readAll(
  reader: Reader,
  sections: readonly Section[],
  concurrency: number,
  details: Details = "declared",
): AsyncIterable<{ section: Section; seen: Seen }> {
  const read = async (section: Section) => ({ section, seen: await readLive(reader, section, details) });
  return concurrently(sections, read, { limit: concurrency, ordered: true });
}

/** Converts IDs that an instance returned as strings to numbers. */
function withNumbers(kind: Kind, { values }: Live): Live {
  const numbered: Record<string, unknown> = { ...withNumericId(values) };
  for (const name of rulesOf(kind)) {
    const list = values[name];
    if (Array.isArray(list)) numbered[name] = list.map(withNumericId);
  }
  return { values: numbered };
}

/** Names of a kind's fields that are lists of rules, which have IDs too. */
const rulesOf = memoized((kind: Kind): readonly string[] =>
  Object.entries(kind.fields).flatMap(([name, { form }]) => (form === "rules" ? [name] : [])),
);

function withNumericId(values: Values): Values {
  return typeof values.id === "string" ? { ...values, id: normal({ form: "id" }, values.id) } : values;
}

function inputOf(scope: Scope): Values {
  return scope.at === "instance" ? {} : { [scope.at]: scope.name };
}

async function readList(reader: Reader, scope: Scope, { read }: Kind): Promise<Live[]> {
  const rows = await unlessMissing(read.missing, () => reader.list(read.endpoint, inputOf(scope)));
  return (rows as Values[]).map((values) => ({ values }));
}

async function readRecord(reader: Reader, scope: Scope, { read }: Kind): Promise<Live[] | undefined> {
  const values = await unlessMissing(read.missing, () => reader.call(read.endpoint, inputOf(scope)));
  if (read.shows !== undefined && !(read.shows in values)) return undefined;
  return [{ values: values as Values }];
}

async function unlessMissing(missing: object | undefined, read: () => Promise<object>): Promise<object> {
  try {
    return await read();
  } catch (error) {
    if (missing === undefined || !(error instanceof Failure) || error.exit !== "notFound") throw error;
    return missing;
  }
}

/** Fields that the list leaves out, of the entries that declare them. */
async function withDetails(
  reader: Reader,
  { scope, kind, entries }: Section,
  live: readonly Live[],
  details: Details,
): Promise<readonly Live[]> {
  const { detail } = kind.read;
  if (detail === undefined) return live;
  const declared = entries.filter(({ values }) => detail.for in values).map(({ values }) => keyOf(kind, values));
  const isWanted = (each: Live) => details === "all" || declared.includes(keyOf(kind, each.values));
  return Promise.all(
    live.map(async (each) => {
      if (detail.for in each.values || !isWanted(each)) return each;
      const input = { ...inputOf(scope), [detail.by]: each.values[detail.by] };
      return { values: { ...each.values, ...(await reader.call(detail.endpoint, input)) } };
    }),
  );
}
