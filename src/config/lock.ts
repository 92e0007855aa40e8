import { Failure, FileError } from "../base/errors.ts";
import type { Files, Holder } from "../host.ts";

interface LockHost {
  files: Files;
  holder: Holder;
  sleep(ms: number): Promise<void>;
}

const pauseMs = 20;
const longestWaitMs = 10_000;

/**
 * Acts while holding the lock file at `path`, which only one process can create. A lock left by a process that is
 * dead is taken away; one that is held is waited for, up to 10 seconds.
 */
export async function withLock<T>(host: LockHost, path: string, act: () => Promise<T>): Promise<T> {
  await acquire(host, path);
  try {
    return await act();
  } finally {
    // Whoever took it for a dead one's has removed it.
    await host.files.remove(path).catch(unlessMissing);
  }
}

async function acquire(host: LockHost, path: string): Promise<void> {
  for (let waited = 0; waited < longestWaitMs; waited += pauseMs) {
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

/** One try; when it finds a dead holder's lock it takes that away, and the next try is everybody's. */
async function attempt(host: LockHost, path: string): Promise<boolean> {
  if (await host.files.create(path, `${crypto.randomUUID()} ${host.holder.name}`, { mode: 0o600 })) return true;
  const seen = await readLock(host.files, path);
  const [, id, holder] = /^([\w-]+) (.+)$/.exec(seen ?? "") ?? [];
  if (id === undefined || holder === undefined || host.holder.alive(holder)) return false;
  await takeAway(host, path, `${path}.${id}`, seen);
  return false;
}

/**
 * Two processes may find the same dead lock; were both to remove it, the slower one would remove the lock that the
 * faster one holds by then. So the removal of this very lock has a lock of its own, under which is looked again.
 */
async function takeAway(host: LockHost, path: string, marker: string, seen: string | undefined): Promise<void> {
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
    return new TextDecoder().decode(await files.read(path));
  } catch (error) {
    if (error instanceof FileError && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Takes the lock at once, or not at all: undefined where another process that lives holds it. What is returned gives it
 * back.
 */
export async function holdLock(host: LockHost, path: string): Promise<(() => Promise<void>) | undefined> {
  // The first try may find a dead holder's lock and take it away.
  const held = (await attempt(host, path)) || (await attempt(host, path));
  return held ? () => host.files.remove(path) : undefined;
}
