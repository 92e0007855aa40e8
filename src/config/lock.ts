import { Failure, FileError } from "../base/errors.ts";
import type { Files, Holder } from "../host.ts";

interface LockHost {
  files: Files;
  holder: Holder;
  sleep(ms: number): Promise<void>;
}

const pauseMs = 20;
const maxWaitMs = 10_000;
const maxLockBytes = 4096;

/**
 * Runs `act` while holding the lock file at `path`, which only one process can create. The lock of a process that is
 * dead is removed; a live one is waited for, up to 10 seconds.
 */
export async function withLock<T>(host: LockHost, path: string, act: () => Promise<T>): Promise<T> {
  await acquire(host, path);
  try {
    return await act();
  } finally {
    // Another process took it for a stale lock and has removed it.
    await host.files.remove(path).catch(unlessMissing);
  }
}

async function acquire(host: LockHost, path: string): Promise<void> {
  for (let waited = 0; waited < maxWaitMs; waited += pauseMs) {
    if (await attempt(host, path)) return;
    await host.sleep(pauseMs);
  }
  const holder = (await readLock(host.files, path))?.split(" ")[1];
  throw new Failure("conflict", "the profiles are locked by another forgectl", {
    code: "locked",
    reason: `${path} has been held for 10 seconds${holder === undefined ? "" : ` by process ${holder}`}`,
    hint: "try again; if no other forgectl is running, remove that file",
    retryable: true,
  });
}

/** One attempt; a stale lock is removed, and any process may then acquire it. */
async function attempt(host: LockHost, path: string): Promise<boolean> {
  if (await host.files.create(path, `${crypto.randomUUID()} ${host.holder.name}`, { mode: 0o600 })) return true;
  const seen = await readLock(host.files, path);
  const [, id, holder] = /^([\w-]+) (.+)$/.exec(seen ?? "") ?? [];
  if (id === undefined || holder === undefined || host.holder.alive(holder)) return false;
  await removeStale(host, path, `${path}.${id}`, seen);
  return false;
}

/**
 * Two processes may find the same stale lock; if both removed it, the slower one would remove the lock that the
 * faster one has acquired by then. So removing a stale lock requires another lock, and a second check while holding it.
 */
async function removeStale(host: LockHost, path: string, marker: string, seen: string | undefined): Promise<void> {
  if (!(await attempt(host, marker))) return;
  try {
    if ((await readLock(host.files, path)) === seen) await host.files.remove(path).catch(unlessMissing);
  } finally {
    await host.files.remove(marker).catch(unlessMissing);
  }
}

function unlessMissing(error: unknown): void {
  if (!(error instanceof FileError && error.code === "ENOENT")) throw error;
}

async function readLock(files: Files, path: string): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await files.read(path, maxLockBytes));
  } catch (error) {
    // No process has written a lock of that size, so that it names none.
    if (error instanceof FileError && ["ENOENT", "EFBIG"].includes(error.code)) return undefined;
    throw error;
  }
}

/**
 * Acquires the lock without waiting: undefined if another live process holds it. The returned function releases
 * it.
 */
export async function holdLock(host: LockHost, path: string): Promise<(() => Promise<void>) | undefined> {
  // The first attempt may find a stale lock and remove it.
  const held = (await attempt(host, path)) || (await attempt(host, path));
  return held ? () => host.files.remove(path) : undefined;
}

/**
 * Names the file of a lock that is held. The next run removes that of a killed process, but one that a power failure
 * has emptied names no process: only the user knows whether another one runs.
 */
export function heldBy(path: string): string {
  return `${path} exists; if no other forgectl is running, remove that file`;
}
