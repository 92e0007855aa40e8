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
  const held = await acquire(host, path);
  try {
    return await act();
  } finally {
    await release(host, path, held);
  }
}

async function acquire(host: LockHost, path: string): Promise<string> {
  for (let waited = 0; waited < maxWaitMs; waited += pauseMs) {
    const held = await attempt(host, path);
    if (held !== undefined) return held;
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

/** One attempt: the content of the lock that is held now. A stale lock is removed; any process may then acquire it. */
async function attempt(host: LockHost, path: string): Promise<string | undefined> {
  const own = `${crypto.randomUUID()} ${host.holder.name}`;
  if (await host.files.create(path, own, { mode: 0o600 })) return own;
  const seen = await readLock(host.files, path);
  const { id, holder } = holderIn(seen) ?? {};
  if (id === undefined || holder === undefined || host.holder.alive(holder)) return undefined;
  await removeStale(host, path, `${path}.${id}`, seen);
  return undefined;
}

function holderIn(lock: string | undefined): { id: string; holder: string } | undefined {
  const [, id, holder] = /^([\w-]+) (.+)$/.exec(lock ?? "") ?? [];
  return id === undefined || holder === undefined ? undefined : { id, holder };
}

/**
 * Two processes may find the same stale lock; if both removed it, the slower one would remove the lock that the
 * faster one has acquired by then. So removing a stale lock requires another lock, and a second check while holding it.
 */
async function removeStale(host: LockHost, path: string, marker: string, seen: string | undefined): Promise<void> {
  const held = await attempt(host, marker);
  if (held === undefined) return;
  try {
    if ((await readLock(host.files, path)) === seen) await host.files.remove(path).catch(unlessMissing);
  } finally {
    await release(host, marker, held);
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
  const held = (await attempt(host, path)) ?? (await attempt(host, path));
  return held === undefined ? undefined : () => release(host, path, held);
}

/** Whether a live process holds the lock. */
export async function isHeld(host: LockHost, path: string): Promise<boolean> {
  const holder = holderIn(await readLock(host.files, path))?.holder;
  return holder !== undefined && host.holder.alive(holder);
}

/** A user may have removed the lock, as its holder seemed dead; the lock that another process then took stays. */
async function release({ files }: LockHost, path: string, held: string): Promise<void> {
  if ((await readLock(files, path)) === held) await files.remove(path).catch(unlessMissing);
}

/**
 * Names the file of a lock that is held. The next run removes that of a killed process, but one that a power failure
 * has emptied names no process: only the user knows whether another one runs.
 */
export function heldBy(path: string): string {
  return `${path} exists; if no other forgectl is running, remove that file`;
}
