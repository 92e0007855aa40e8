import { type AnyEndpoint, changes } from "../api/endpoint.ts";
import type { Api } from "../api/types.ts";
import { Failure } from "../base/errors.ts";
import { ordered } from "../verbs/bulk.ts";
import { type Kind, keyOf, type Live, type Scope, type Section, type Values } from "./kind.ts";

/** All that a plan has of the instance: it reads, and refuses to do anything else. */
export interface Reader {
  call(endpoint: AnyEndpoint, input: object): Promise<object>;
  list(endpoint: AnyEndpoint, input: object): Promise<object[]>;
}

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

/** A section as the instance has it, or why it could not be read. */
export type Seen = { readonly live: readonly Live[] } | { readonly unreadable: string };

/** Failures that concern one section alone. Anything else (no token, no network, Ctrl-C) ends the run. */
const local = new Set<Failure["exit"]>(["forbidden", "notFound", "refused", "conflict", "rateLimited"]);

/** Reads what the instance has of a kind in a scope. */
export async function readLive(reader: Reader, { scope, kind, entries }: Section): Promise<Seen> {
  try {
    const live = kind.form === "list" ? await readList(reader, scope, kind) : await readRecord(reader, scope, kind);
    if (live === undefined) return { unreadable: `the instance does not show ${kind.read.shows}` };
    return {
      live: await withDetails(
        reader,
        scope,
        kind,
        live,
        entries.map(({ values }) => values),
      ),
    };
  } catch (error) {
    if (!(error instanceof Failure) || !local.has(error.exit)) throw error;
    return { unreadable: error.details.reason ?? error.message };
  }
}

/** Reads the sections, `concurrency` at once; they come in their order. */
export function readAll(
  reader: Reader,
  sections: readonly Section[],
  concurrency: number,
): AsyncIterable<{ section: Section; seen: Seen }> {
  return ordered(sections, async (section) => ({ section, seen: await readLive(reader, section) }), concurrency);
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
  scope: Scope,
  kind: Kind,
  live: readonly Live[],
  declared: readonly Values[],
): Promise<readonly Live[]> {
  const { detail } = kind.read;
  if (detail === undefined) return live;
  const wanted = new Set(declared.filter((values) => detail.for in values).map((values) => keyOf(kind, values)));
  return Promise.all(
    live.map(async (each) => {
      if (detail.for in each.values || !wanted.has(keyOf(kind, each.values))) return each;
      const input = { ...inputOf(scope), [detail.by]: each.values[detail.by] };
      return { values: { ...each.values, ...(await reader.call(detail.endpoint, input)) } };
    }),
  );
}
