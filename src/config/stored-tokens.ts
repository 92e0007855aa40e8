import { join } from "node:path";
import { Failure } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import type { Files } from "../host.ts";
import type { Keyring } from "./keyring.ts";
import { readOwnText } from "./own-file.ts";
import { broken, type ProfilesData, parseProfiles, parseVersioned, type StoredToken, versioned } from "./shape.ts";
import { type ProfileStore, readIfExists, type SecretFile } from "./store.ts";

/** The tokens of the profiles, each bound to its base URL. */
export interface Secrets {
  /** The file (0600) of the tokens that are not in the keyring. */
  readonly path: string;
  /** Throws what `save` would throw without a keyring, before the user is prompted for a token. */
  requireKeyring(): Promise<void>;
  /** Stores a profile's token in the keyring, or in a 0600 file if `insecure` is set. Removes the previous one. */
  save(profile: string, baseUrl: string, token: string, options: { insecure: boolean }): Promise<StoredToken>;
  /** Undefined if it no longer exists. */
  load(profile: string, stored: StoredToken): Promise<string | undefined>;
  /** Removes a profile's token; false if it had none. */
  forget(profile: string): Promise<boolean>;
}

interface SecretsHost {
  files: Files;
  store: ProfileStore;
  keyring: Keyring;
  /** Called when a token that was replaced could not be removed. */
  warn(text: string): void;
}

/** The tokens of a store's profiles. Nothing is read before the first call. */
export function openSecrets(host: SecretsHost): Secrets {
  const { store, keyring } = host;
  const path = join(store.folder, "credentials.json");
  const drop = async (data: ProfilesData, profile: string, writer: SecretFile): Promise<boolean> => {
    const stored = data.profiles.get(profile)?.token;
    if (stored === undefined) return false;
    const account = accountOf(profile, stored);
    if (stored.storage === "file") await editTokens(host.files, path, writer, (tokens) => tokens.delete(account));
    else if (!(await isOfAnother(host, profile, stored))) {
      await useKeyring(() => keyring.remove(account), "the token cannot be removed");
    }
    return true;
  };
  return {
    path,
    requireKeyring: async () => {
      await keeping(() => keyring.get("nobody"));
    },
    save: (profile, baseUrl, token, { insecure }) =>
      store.change(async (data, writer) => {
        const before = data.profiles.get(profile);
        const stored: StoredToken = insecure
          ? { storage: "file", baseUrl }
          : { storage: "keyring", baseUrl, folder: store.folder };
        const account = accountOf(profile, stored);
        if (!insecure) await keeping(() => keyring.set(account, token));
        else await editTokens(host.files, path, writer, (tokens) => tokens.set(account, token));
        const { token: old } = before ?? {};
        if (old && (old.storage !== stored.storage || accountOf(profile, old) !== account)) {
          // An unavailable keyring must not prevent storing the new token.
          await drop(data, profile, writer).catch((error: Error) =>
            host.warn(`the previous token was not removed: ${error.message}`),
          );
        }
        data.profiles.set(profile, { settings: {}, rest: {}, ...before, token: stored });
        return stored;
      }),
    load: async (profile, stored) => {
      const account = accountOf(profile, stored);
      if (stored.storage === "keyring") return useKeyring(() => keyring.get(account), "the token cannot be read");
      return (await readTokens(host.files, path)).get(account);
    },
    forget: (profile) =>
      store.change(async (data, writer) => {
        const dropped = await drop(data, profile, writer);
        const present = data.profiles.get(profile);
        if (present !== undefined) present.token = undefined;
        return dropped;
      }),
  };
}

/**
 * The system has one keyring for all folders of profiles, which may have profiles of one name for one instance. The
 * address is always a part of it: a file of another user must not lead to the token of another instance.
 */
function accountOf(profile: string, { baseUrl, folder }: StoredToken): string {
  return `${profile}@${baseUrl}${folder === undefined ? "" : ` ${folder}`}`;
}

/**
 * Whether the profile of another folder has this entry of the keyring, such as of the one that this folder is a copy
 * of; what cannot be read may have it. A folder that was renamed since has no other name.
 */
async function isOfAnother({ files, store }: SecretsHost, profile: string, stored: StoredToken): Promise<boolean> {
  const { folder } = stored;
  if (folder === undefined || folder === store.folder) return false;
  try {
    const there = await files.real(folder);
    if (there === undefined || there === (await files.real(store.folder))) return false;
    const path = join(there, "profiles.json");
    const file = await readIfExists(files, path);
    const token = file && parseProfiles(file.text, path).profiles.get(profile)?.token;
    return token?.storage === "keyring" && accountOf(profile, token) === accountOf(profile, stored);
  } catch {
    return true;
  }
}

async function keeping<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw new Failure("usage", "no keyring is available", {
      nothing: "stored",
      code: "no_keyring",
      reason: reasonOf(error),
      hint:
        "--insecure-storage keeps it in a file that only you can read; --token-command fetches it from a password " +
        "manager each time; or set FORGECTL_TOKEN and store nothing",
      cause: error,
    });
  }
}

async function useKeyring<T>(act: () => Promise<T>, what: string): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw new Failure("unauthenticated", `${what}: the system's keyring does not respond`, {
      code: "no_keyring",
      reason: reasonOf(error),
      hint: "unlock the keyring, or set FORGECTL_TOKEN, or store a token again with forgectl auth login",
      cause: error,
    });
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  // The package is optional: it, or its addon for this system, may not be installed.
  return code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND" ? "@napi-rs/keyring is not installed" : message;
}

async function editTokens(
  files: Files,
  path: string,
  writer: SecretFile,
  edit: (tokens: Map<string, string>) => unknown,
): Promise<void> {
  const tokens = await readTokens(files, path);
  edit(tokens);
  await writer.write(path, versioned({ tokens: Object.fromEntries(tokens) }));
}

async function readTokens(files: Files, path: string): Promise<Map<string, string>> {
  const text = await readOwnText(files, path, "the file of the tokens");
  if (text === undefined) return new Map();
  const { tokens } = parseVersioned(text, path);
  if (!isObject(tokens) || !Object.values(tokens).every((token) => typeof token === "string")) {
    throw broken(path, '"tokens" is not an object of texts');
  }
  return new Map(Object.entries(tokens) as [string, string][]);
}
