/** The system's keyring, as much of it as is needed here. */
export interface Keyring {
  /** Undefined where nothing is kept under that account. Throws where the keyring cannot be used. */
  get(account: string): Promise<string | undefined>;
  set(account: string, secret: string): Promise<void>;
  /** Whether there was something to remove. */
  remove(account: string): Promise<boolean>;
}

const service = "forgectl";

/** Throws, with the system's words, where there is no keyring: no such package, no service, not unlocked. */
export function systemKeyring(): Keyring {
  const open = async (account: string) => {
    // An optional dependency with a native addon: loaded only where a token is kept in or goes to the keyring.
    const { AsyncEntry } = await import("@napi-rs/keyring");
    // Left to itself it falls back to the kernel's keyring on Linux, which forgets everything at the next boot.
    return new AsyncEntry(service, account, { linux: { store: "secret-service" } });
  };
  return {
    get: async (account) => (await (await open(account)).getPassword()) ?? undefined,
    set: async (account, secret) => (await open(account)).setPassword(secret),
    remove: async (account) => (await open(account)).deleteCredential(),
  };
}
