import { createHash } from "node:crypto";
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { maxPageSize } from "../api/api.ts";
import { readJson } from "../base/read-value.ts";
import type { ValuesQuery } from "../completion/host.ts";
import { searchFor } from "../completion/search.ts";
import type { Offer } from "../completion/words.ts";
import { configFolder } from "../config/location.ts";
import { homeOf } from "./home.ts";
import { cacheFolder, idOf, makeFolder, ownerOf, ownsAll, readOwn, replaceOwn } from "./own-folder.ts";

// What the instance listed for TAB: one file per answer, readable by this user alone. No secret of the platform is
// among the lists (src/completion/instance-lists.ts).

/** How long an answer is valid. */
const validMs = 5 * 60_000;
/** How long no other process sends the same query after one has started to, or has failed. */
const askingMs = 10_000;
/** `.cache`, `forgectl`, and `values`. */
const foldersOwn = 3;

interface Entry {
  /** Unix time in milliseconds. */
  at: number;
  /** Undefined while a query is in progress, and after it failed. */
  offers?: Offer[];
}

export interface CachedValues {
  /** The stored values; empty while a query is in progress, undefined if one is needed. */
  read(wanted: ValuesQuery): readonly Offer[] | undefined;
  /** Records that a process is querying. Throws if nothing can be stored. */
  claim(wanted: ValuesQuery): void;
  write(wanted: ValuesQuery, offers: Offer[]): void;
}

export function cachedValues(host: NodeJS.Process): CachedValues | undefined {
  const caches = cacheFolder(host);
  if (caches === undefined) return undefined;
  const folder = join(caches, "values");
  const owner = ownerOf(host);
  const fileOf = (wanted: ValuesQuery, search?: string) => join(folder, keyOf(host, wanted, search));
  const own = (wanted: ValuesQuery) => fileOf(wanted, searchFor(wanted.source, wanted.typed));

  function readFile(path: string): readonly Offer[] | undefined {
    const file = ownsAll(folder, owner) ? readOwn(path, owner) : undefined;
    const entry = file && (readJson(file.content.toString()) as Entry | undefined);
    if (entry === undefined) return undefined;
    const age = Date.now() - entry.at;
    return age >= 0 && age < (entry.offers === undefined ? askingMs : validMs) ? (entry.offers ?? []) : undefined;
  }

  function put(path: string, entry: Entry): void {
    makeFolder(folder, foldersOwn, owner);
    replaceOwn(path, Buffer.from(JSON.stringify(entry)), host);
  }

  return {
    read(wanted) {
      // An answer below the limit holds everything a search could find.
      const all = readFile(fileOf(wanted));
      return all !== undefined && all.length > 0 && all.length < maxPageSize ? all : readFile(own(wanted));
    },
    claim(wanted) {
      put(own(wanted), { at: Date.now() });
      sweep(folder);
    },
    write: (wanted, offers) => put(own(wanted), { at: Date.now(), offers }),
  };
}

/**
 * A name that differs wherever the answer might: by the query, the instance, and the token's owner. A sign-in replaces
 * `profiles.json` or `credentials.json`, whose IDs are part of the key.
 */
function keyOf(host: NodeJS.Process, { source, line }: ValuesQuery, search: string | undefined): string {
  const { path: folder } = configFolder(host.env, { home: homeOf(host), platform: host.platform });
  const stored = ["profiles.json", "credentials.json"].map((name) => fileId(join(folder, name)));
  const settings = Object.entries(host.env).filter(([name]) => /^(?:FORGECTL|CI)_/.test(name));
  const all = [source, search, Object.entries(line).sort(), folder, stored, settings.sort()];
  return createHash("sha256").update(JSON.stringify(all)).digest("hex");
}

function fileId(path: string): string | undefined {
  try {
    return idOf(path);
  } catch {
    return undefined;
  }
}

function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const facts = statSync(path, { throwIfNoEntry: false });
    if (facts !== undefined && Date.now() - facts.mtimeMs > validMs) rmSync(path, { force: true });
  }
}
