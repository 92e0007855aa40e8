import { join } from "node:path";
import { Failure, FileError, reasonIn } from "../base/errors.ts";
import type { Files, Holder } from "../host.ts";
import type { Place } from "./location.ts";
import { withLock } from "./lock.ts";
import { foreignFile, foreignFolder, notOwn } from "./own-file.ts";
import { type ProfilesData, parseProfiles, storedProfiles } from "./shape.ts";

export interface StoreHost {
  files: Files;
  holder: Holder;
  sleep(ms: number): Promise<void>;
}

/** The stored profiles: one JSON file, 0600 in a 0700 folder. */
export interface ProfileStore {
  readonly folder: string;
  /** The path of the profiles file. */
  readonly path: string;
  /**
   * Reads the stored profiles; a missing file counts as empty. Needs no lock, since the file is replaced atomically.
   */
  read(): Promise<ProfilesData>;
  /**
   * Changes the stored profiles under a lock, so that concurrent processes do not lose each other's changes. The edit
   * gets the current data and changes it in place; if it throws, nothing is written.
   */
  change<T>(edit: (data: ProfilesData, secrets: SecretFile) => T | Promise<T>): Promise<T>;
}

/** Writes another JSON file of the folder, while the lock is held. */
export interface SecretFile {
  write(path: string, value: Readonly<Record<string, unknown>>): Promise<void>;
}

/**
 * The profile store of a folder, which need not exist. Nothing is read before the first call. A file of a folder that
 * was named may be another user's, such as a mounted one; only a command in it is not run.
 */
export function openStore(host: StoreHost, { path: folder, foundIn }: Place): ProfileStore {
  const { files } = host;
  const path = join(folder, "profiles.json");
  const refuseForeign = async (mustExist: boolean) => {
    const part = foundIn === undefined ? undefined : await files.foreignPart(folder, foundIn, mustExist);
    if (part !== undefined) throw foreignFolder(part, "the profiles", "FORGECTL_CONFIG_DIR");
  };
  const read = async (): Promise<ProfilesData> => {
    const file = await readIfExists(files, path);
    if (file === undefined) return { current: undefined, profiles: new Map(), rest: {} };
    if (file.foreign !== undefined && foundIn !== undefined) throw foreignFile(path, file.foreign);
    // After it was read: what another user puts in its place meanwhile is found too.
    await refuseForeign(true);
    return { ...parseProfiles(file.text, path), doubt: file.doubt };
  };
  return {
    folder,
    path,
    read,
    change: async (edit) => {
      const lock = join(folder, "profiles.lock");
      // Read first, so that a read-only folder does not hide that the file in it is invalid.
      await read();
      return unwritable(folder, async () => {
        await refuseForeign(false);
        await files.makeFolder(folder, { mode: 0o700 });
        await refuseForeign(true);
        return withLock(host, lock, async () => {
          await sweep(files, folder, lock);
          const data = await read();
          const before = JSON.stringify(storedProfiles(data));
          const result = await edit(data, { write: files.store });
          // The file is replaced by one of this user: a command of another user must not become believed.
          if (data.doubt !== undefined && namesCommand(data)) throw notOwn(path, data.doubt, believed);
          const after = storedProfiles(data);
          if (JSON.stringify(after) !== before) await files.store(path, after);
          return result;
        });
      });
    },
  };
}

/** What the file of the profiles is if it names a command to run. */
export const believed = "a configuration with a token-command";

function namesCommand({ profiles }: ProfilesData): boolean {
  return [...profiles.values()].some(({ settings }) => settings["token-command"] !== undefined);
}

/** A file of profiles and who may have written it; undefined if it does not exist. */
export async function readIfExists(files: Files, path: string) {
  try {
    const { bytes, ...judged } = await files.readOwn(path);
    return { text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), ...judged };
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

/** Runs a write; system errors become one error that names the folder. */
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
/** Temporary files: ours beside a lock, and conf's beside its files. */
const temporaryName = /^\.forgectl-.*\.tmp$|\.json\.tmp-\w+$/;

/** Removes temporary files of killed processes, which may contain tokens. Times are those of the file system. */
async function sweep(files: Files, folder: string, lock: string): Promise<void> {
  const now = (await files.facts(lock))?.modifiedMs ?? 0;
  for (const name of await files.list(folder)) {
    if (!temporaryName.test(name)) continue;
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
