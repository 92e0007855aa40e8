import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { Failure } from "../../../../src/base/errors.ts";
import type { Keyring } from "../../../../src/config/keyring.ts";
import type { Place } from "../../../../src/config/location.ts";
import { type ConfigHost, resolveConfig } from "../../../../src/config/resolve.ts";
import { openStore, type ProfileStore, type StoreHost } from "../../../../src/config/store.ts";
import { nodeFiles } from "../../../../src/node/files.ts";
import { nodeHolder } from "../../../../src/node/holder.ts";
import { nodeProcesses } from "../../../../src/node/processes.ts";

/** A new real folder. */
export async function temporary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "forgectl-config-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

export function storeHost(cwd = "/"): StoreHost {
  return { files: nodeFiles(cwd), holder: nodeHolder(), sleep };
}

export async function freshStore(): Promise<ProfileStore> {
  return openStore(storeHost(), placeIn(await temporary()));
}

/** Where the profiles are found in a folder. */
export function placeIn(foundIn: string): Place {
  return { path: join(foundIn, "forgectl"), foundIn };
}

/** A keyring in memory. */
export function memoryKeyring(): Keyring & { accounts: Map<string, string> } {
  const accounts = new Map<string, string>();
  return {
    accounts,
    get: async (account) => accounts.get(account),
    set: async (account, secret) => void accounts.set(account, secret),
    remove: async (account) => accounts.delete(account),
  };
}

/** The error of a machine without a keyring service. */
export const noKeyring: Keyring = {
  get: () => Promise.reject(new Error("no secret service")),
  set: () => Promise.reject(new Error("no secret service")),
  remove: () => Promise.reject(new Error("no secret service")),
};

export interface Situation extends Partial<ConfigHost> {
  /** The content of `profiles.json`; a text is written unchanged. */
  stored?: object | string | undefined;
  /** The content of `credentials.json`. */
  tokens?: Record<string, string>;
}

/** Resolves in a new folder; warnings are collected. */
export async function resolveIn(situation: Situation) {
  const folder = await temporary();
  const { stored, tokens, env, ...rest } = situation;
  if (stored !== undefined) {
    const text = typeof stored === "string" ? stored : JSON.stringify({ version: 1, ...stored });
    await writeFile(join(folder, "profiles.json"), text, { mode: 0o600 });
  }
  if (tokens !== undefined) {
    await writeFile(join(folder, "credentials.json"), JSON.stringify({ version: 1, tokens }), { mode: 0o600 });
  }
  const warnings: string[] = [];
  const config = await resolveConfig({
    options: {},
    env: { FORGECTL_CONFIG_DIR: folder, ...env },
    ...storeHost(),
    processes: nodeProcesses({ PATH: process.env.PATH }, folder),
    stdinIsTerminal: true,
    stderrIsTerminal: true,
    home: "/home/someone",
    platform: "linux",
    keyring: noKeyring,
    warn: (text) => warnings.push(text),
    ...rest,
  });
  return { config, warnings, folder };
}

/** The failure that a promise rejects with; anything else fails the test. */
export async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  let result: unknown;
  try {
    result = await promise;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error(`expected a failure, got ${JSON.stringify(result)}`);
}
