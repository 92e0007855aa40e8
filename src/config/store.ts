import { join } from "node:path";
import { Failure, FileError, reasonIn } from "../base/errors.ts";
import type { Files, Holder } from "../host.ts";
import { withLock } from "./lock.ts";
import { type ProfilesData, parseProfiles, storedProfiles } from "./shape.ts";

export interface StoreHost {
  files: Files;
  holder: Holder;
  sleep(ms: number): Promise<void>;
}

/** The stored profiles: one JSON file, 0600 in a 0700 folder. */
export interface ProfileStore {
  readonly folder: string;
  /** The file of the profiles. */
  readonly path: string;
  /** What is stored; a missing file is an empty one. One read, no lock: the file is whole at any time. */
  read(): Promise<ProfilesData>;
  /**
   * Changes what is stored, under a lock: of any number of processes at once, none loses what another wrote. The edit
   * gets what is stored now and changes it in place; when it throws, nothing is written.
   */
  change<T>(edit: (data: ProfilesData, secrets: SecretFile) => T | Promise<T>): Promise<T>;
  /** Another file of the folder, as text; undefined where there is none. */
  readText(path: string): Promise<string | undefined>;
}

/** Writes another JSON file of the folder, for as long as the lock is held. */
export interface SecretFile {
  write(path: string, value: Readonly<Record<string, unknown>>): Promise<void>;
}

export function openStore(host: StoreHost, folder: string): ProfileStore {
  const { files } = host;
  const path = join(folder, "profiles.json");
  const readText = (file: string) => readIfThere(files, file);
  const read = async (): Promise<ProfilesData> => {
    const text = await readText(path);
    return text === undefined ? { current: undefined, profiles: new Map(), rest: {} } : parseProfiles(text, path);
  };
  return {
    folder,
    path,
    read,
    readText,
    change: async (edit) => {
      const lock = join(folder, "profiles.lock");
      // Read first: a folder that cannot be written to should not hide that the file in it is broken.
      await read();
      return unwritable(folder, async () => {
        await files.makeFolder(folder, { mode: 0o700 });
        return withLock(host, lock, async () => {
          await sweep(files, folder, lock);
          const data = await read();
          const before = JSON.stringify(storedProfiles(data));
          const result = await edit(data, { write: files.store });
          const after = storedProfiles(data);
          if (JSON.stringify(after) !== before) await files.store(path, after);
          return result;
        });
      });
    },
  };
}

async function readIfThere(files: Files, path: string): Promise<string | undefined> {
  try {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await files.read(path));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new Failure("usage", `${path} cannot be read`, {
      code: "unreadable_config",
      reason: reasonIn(error),
      hint: "check its permissions, or name another folder with FORGECTL_CONFIG_DIR",
      cause: error,
    });
  }
}

/** Runs what writes; the system's refusals become one error that names the folder. */
async function unwritable<T>(folder: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new Failure("usage", `the profiles cannot be written to ${folder}`, {
      code: "unwritable_config",
      reason: reasonIn(error),
      hint: "make that folder writable, or name another with FORGECTL_CONFIG_DIR",
      cause: error,
    });
  }
}

const abandonedMs = 60_000;
/** Ours beside a lock, and conf's beside what it stores. */
const halfWritten = /^\.forgectl-.*\.tmp$|\.json\.tmp-\w+$/;

/** Removes what killed processes left half written; there may be tokens in it. Times are the file system's own. */
async function sweep(files: Files, folder: string, lock: string): Promise<void> {
  const now = (await files.facts(lock))?.modifiedMs ?? 0;
  for (const name of await files.list(folder)) {
    if (!halfWritten.test(name)) continue;
    const path = join(folder, name);
    const facts = await files.facts(path);
    if (facts === undefined || now - facts.modifiedMs < abandonedMs) continue;
    await files.remove(path).catch(ignoreMissing);
  }
}

function ignoreMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

function isMissing(error: unknown): boolean {
  return error instanceof FileError && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
