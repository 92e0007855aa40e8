import { readFileSync, readlinkSync } from "node:fs";
import type { Holder } from "../host.ts";

/**
 * This process as the holder of a lock: its ID, when it started (IDs are used again), and its machine. Where IDs are
 * counted in a namespace of their own, as in containers that share a home folder and maybe a host name, that is part of
 * the machine's name.
 */
export function nodeHolder(): Holder {
  const machine = () => `${process.getBuiltinModule("node:os").hostname()}${namespace()}`;
  return {
    // Asked for by the few commands that take the lock.
    get name() {
      return `${process.pid}:${statusOf(process.pid)?.started ?? "?"}@${machine()}`;
    },
    alive(name) {
      const [, id, started, where] = /^(\d+):(\w+|\?)@(.*)$/.exec(name) ?? [];
      // A home folder may be shared: of another machine's processes nothing is known.
      if (id === undefined || where === undefined) return true;
      // Versions before this one did not name the namespace.
      if (where !== machine() && where !== process.getBuiltinModule("node:os").hostname()) return true;
      return lives(Number(id), started);
    },
  };
}

/** `/pid:[4026531836]` on Linux, empty elsewhere. */
function namespace(): string {
  try {
    return process.platform === "linux" ? `/${readlinkSync("/proc/self/ns/pid")}` : "";
  } catch {
    return "";
  }
}

/** Whether a process lives; `started` tells it from a later one of the same number, `?` where that is not known. */
export function lives(id: number, started: string | undefined): boolean {
  try {
    process.kill(id, 0);
  } catch (error) {
    // EPERM: it exists, and is another user's.
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  const status = statusOf(id);
  if (status === undefined) return true;
  // A killed process stays in the table until its parent asks for it, and some containers have no parent that does.
  return !["Z", "X"].includes(status.state) && (started === "?" || started === status.started);
}

/** A process's state and start, in clock ticks since boot, where the system tells: Linux. */
function statusOf(id: number): { state: string; started: string } | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    // A /proc of another namespace knows other processes under these IDs.
    if (readlinkSync("/proc/self") !== String(process.pid)) return undefined;
    const text = readFileSync(`/proc/${id}/stat`, "latin1");
    // The name in parentheses may hold spaces and parentheses of its own.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", started: fields[19] ?? "?" };
  } catch {
    return undefined;
  }
}
