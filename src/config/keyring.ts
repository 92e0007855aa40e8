/** The part of the system's keyring that is used here. */
export interface Keyring {
  /** Undefined if nothing is stored under that account. Throws if the keyring cannot be used. */
  get(account: string): Promise<string | undefined>;
  set(account: string, secret: string): Promise<void>;
  /** True if an entry was removed. */
  remove(account: string): Promise<boolean>;
}

/** Runs something during which a signal ends the process. */
export type Unwatched = <T>(act: () => Promise<T>) => Promise<T>;

const service = "forgectl";

/**
 * Throws the system's error if the keyring is unavailable: package not installed, no service, locked.
 *
 * @param unwatched what it runs, a signal ends: a keyring that waits to be unlocked hears none
 */
export function systemKeyring(unwatched: Unwatched = (act) => act()): Keyring {
  const open = async (account: string) => {
    // An optional dependency with a native addon: loaded only when the keyring is used.
    const { AsyncEntry } = await import("@napi-rs/keyring");
    // Otherwise it falls back to the kernel's keyring on Linux, which is lost on reboot.
    return new AsyncEntry(service, account, { linux: { store: "secret-service" } });
  };
  return {
    get: (account) => unwatched(async () => (await (await open(account)).getPassword()) ?? undefined),
    set: (account, secret) => unwatched(async () => (await open(account)).setPassword(secret)),
    remove: (account) => unwatched(async () => (await open(account)).deleteCredential()),
  };
}
