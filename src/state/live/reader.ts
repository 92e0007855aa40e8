import { type Api, maxPageSize } from "../../api/api.ts";
import { type AnyEndpoint, changes } from "../../api/endpoint.ts";
import { Failure, isNotFound } from "../../base/errors.ts";
import { memoized } from "../../base/memo.ts";
import { concurrently } from "../../jobs/concurrently.ts";
import { wholeRows } from "../../verbs/whole-list.ts";
import { normal } from "../fields/normal.ts";
import { keyOf } from "../keys.ts";
import type { Kind, Live, Scope, Section, Values } from "../kind.ts";
import { kindsAt } from "../kinds/index.ts";
import { movedTo, type Place, Places } from "./places.ts";
import { Slots } from "./slots.ts";

/** A plan's access to the instance, which refuses anything but reads. */
export interface Reader {
  call(endpoint: AnyEndpoint, input: object): Promise<object>;
  list(endpoint: AnyEndpoint, input: object): Promise<object[]>;
  /** How many sections to have in progress, so that the reads that may be in flight are. */
  readonly ahead: number;
  /** What is known of the scopes themselves. */
  readonly places: Places;
}

export interface Readers {
  readonly reader: Reader;
  /** Reads despite Ctrl-C, for looking at what was sent. */
  readonly verifier: Reader;
}

/**
 * How many sections are in progress for each read that may be in flight: those of one scope wait together for its
 * lookup, and meanwhile others are read.
 */
const sectionsAhead = 3;

/**
 * A reader on an API client, with at most `concurrency` reads in flight. A request that would change something is a bug
 * and throws.
 */
export function readerOf(api: Api, { concurrency }: { readonly concurrency: number }): Reader {
  const slots = new Slots(concurrency);
  const refuse = (endpoint: AnyEndpoint) => {
    if (changes(endpoint)) throw new Error(`a plan tried to send ${endpoint.route}`);
  };
  const reader: Reader = {
    ahead: sectionsAhead * concurrency,
    places: new Places((endpoint, input) => reader.call(endpoint, input)),
    async call(endpoint, input) {
      refuse(endpoint);
      return (await slots.run(() => api.call(endpoint, input as never))) as object;
    },
    async list(endpoint, input) {
      refuse(endpoint);
      const rows: object[] = [];
      await slots.run(async () => {
        for await (const row of wholeRows(api, endpoint as never, input as never)) rows.push(row);
      });
      return rows;
    },
  };
  return reader;
}

/** The live objects of a section, or why it could not be read. */
export type Seen = { readonly live: readonly Live[] } | { readonly unreadable: string };

/** Failures that concern one section alone. Anything else (no token, no network, Ctrl-C) ends the run. */
const local = new Set<Failure["exit"]>(["forbidden", "notFound", "refused", "conflict", "rateLimited", "partial"]);

/**
 * For which entries to read fields that the list leaves out: those that declare them; also those that the file does not
 * name, which may be removed and must come back whole; or all.
 */
export type Details = "declared" | "removable" | "all";

interface ReadOptions {
  readonly details?: Details;
  /** The scope as it was just looked up, for the kinds that are fields of it. */
  readonly place?: Place | undefined;
}

/** Reads the live objects of a kind in a scope. */
export async function readLive(reader: Reader, section: Section, options: ReadOptions = {}): Promise<Seen> {
  const { scope, kind } = section;
  const { details = "declared", place } = options;
  try {
    const read =
      kind.form === "list" ? await readList(reader, scope, kind) : await readRecord(reader, scope, kind, place);
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
    return { unreadable: reasonOf(error, kind) };
  }
}

function reasonOf({ exit, details, message }: Failure, { beyond }: Kind): string {
  const reason = details.reason ?? message;
  return beyond && exit === "notFound"
    ? `${reason}; the API documents do not have it, and the instance may lack it`
    : reason;
}

/** Whether a failure concerns what was read, and not the whole run. */
export function isLocal({ exit }: Failure): boolean {
  return local.has(exit);
}

/** Whether a failure concerns one object alone. Some routes answer 401 instead of 403 (saml-links-401). */
export function concernsOne({ exit }: Failure, { read }: Kind): boolean {
  if (exit === "unauthenticated") return read.endpoint.access.means?.[401] !== undefined;
  return local.has(exit);
}

/** Reads the sections, several at once, and yields them in order. */
export function readSections(
  reader: Reader,
  sections: readonly Section[],
  details: Details = "declared",
): AsyncIterable<{ section: Section; seen: Seen; place: Place | undefined }> {
  const read = async (section: Section) => {
    const place = await reader.places.of(section.scope);
    const moved = movedTo(section.scope, place);
    const scope = { ...section.scope, id: place?.id };
    const seen: Seen =
      moved === undefined
        ? await readLive(reader, { ...section, scope }, { details, place })
        : { unreadable: `the ${scope.at} has moved to ${moved}` };
    return { section, seen, place };
  };
  return concurrently(sections, read, { limit: reader.ahead, ordered: true });
}

/** Converts IDs that an instance returned as strings to numbers. */
export function withNumbers(kind: Kind, { values }: Live): Live {
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

async function readList(reader: Reader, scope: Scope, kind: Kind): Promise<Live[]> {
  const rows = await unlessMissing(reader, scope, kind, () => reader.list(kind.read.endpoint, inputOf(scope)));
  const own = (rows as Values[]).filter((values) => kind.read.isElsewhere?.(values) !== true);
  // An entry that is added while the pages are read shifts them, and two of them show the same.
  const once = new Map(own.map((values) => [values.id ?? JSON.stringify(values), values]));
  return [...once.values()].map((values) => ({ values }));
}

async function readRecord(
  reader: Reader,
  scope: Scope,
  kind: Kind,
  place: Place | undefined,
): Promise<Live[] | undefined> {
  const { endpoint, shows } = kind.read;
  const values =
    place?.endpoint === endpoint
      ? place.values
      : await unlessMissing(reader, scope, kind, () => reader.call(endpoint, inputOf(scope)));
  if (shows !== undefined && !(shows in values)) return undefined;
  return [{ values: values as Values }];
}

/**
 * A 404 is taken as a value only once another read has shown that the scope exists: a project or group that does not
 * exist, or is not visible to this token, answers the same.
 */
async function unlessMissing(reader: Reader, scope: Scope, kind: Kind, read: () => Promise<object>): Promise<object> {
  const { missing } = kind.read;
  try {
    return await read();
  } catch (error) {
    const isNone = isNotFound(error) && missing?.says?.test(error.details.reason ?? "") !== false;
    if (missing === undefined || !isNone || !(await isProved(reader, scope))) throw error;
    return missing.value;
  }
}

/** Whether any read of the scope succeeds: of itself, or of what else it holds. */
async function isProved(reader: Reader, scope: Scope): Promise<boolean> {
  return reader.places.isProved(scope, async () => {
    for (const { form, read } of kindsAt(scope.at).filter((kind) => kind.read.missing === undefined)) {
      const input = inputOf(scope);
      const found = form === "list" ? reader.list(read.endpoint, input) : reader.call(read.endpoint, input);
      const answered = await found.then(() => true, isRefusal);
      if (answered) return true;
    }
    return false;
  });
}

/** A refused read proves nothing; anything else ends the run. */
function isRefusal(error: unknown): false {
  if (error instanceof Failure && (local.has(error.exit) || error.exit === "unauthenticated")) return false;
  throw error;
}

/** About how many requests a read of a section takes that has this number of live objects. */
export function requestsOf({ kind, entries }: Section, size: number): number {
  const { detail } = kind.read;
  const needing = entries.filter(({ values }) => detail !== undefined && detail.for in values);
  return Math.ceil(size / maxPageSize) + (detail?.always ? size : needing.length);
}

/** Fields that the list leaves out, of the entries that need them. */
async function withDetails(
  reader: Reader,
  { scope, kind, entries }: Section,
  live: readonly Live[],
  details: Details,
): Promise<readonly Live[]> {
  const { detail } = kind.read;
  if (detail === undefined) return live;
  const keysOf = (some: typeof entries) => new Set(some.map(({ values }) => keyOf(kind, values)));
  const needing = keysOf(entries.filter(({ values }) => detail.for in values));
  const named = keysOf(entries);
  const isWanted = (key: string) =>
    detail.always || details === "all" || needing.has(key) || (details === "removable" && !named.has(key));
  return Promise.all(
    live.map(async (each) => {
      if (detail.for in each.values || !isWanted(keyOf(kind, each.values))) return each;
      const input = { ...inputOf(scope), [detail.as ?? detail.by]: each.values[detail.by] };
      return withNumbers(kind, { values: { ...each.values, ...(await reader.call(detail.endpoint, input)) } });
    }),
  );
}
