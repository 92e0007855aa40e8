import { readFileSync, readlinkSync } from "node:fs";
import type { Holder } from "../host.ts";

/**
 * This process as the holder of a lock: its ID, its start time (IDs are reused), and its machine. If IDs belong to a
 * PID namespace, as in containers that may share a home folder and a host name, the namespace is part of
 * the machine's name.
 */
export function nodeHolder(): Holder {
  const machine = () => `${process.getBuiltinModule("node:os").hostname()}${namespace()}`;
  return {
    // Loaded by the few commands that take a lock.
    get name() {
      return `${process.pid}:${statusOf(process.pid)?.started ?? "?"}@${machine()}`;
    },
    alive(name) {
      const [, id, started, where] = /^(\d+):(\w+|\?)@(.*)$/.exec(name) ?? [];
      // A home folder may be shared: the processes of another machine are unknown.
      if (id === undefined || where === undefined) return true;
      // Earlier versions did not record the namespace.
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

/** Whether a process is running; `started` distinguishes it from a later one with the same ID; `?` if unknown. */
export function lives(id: number, started: string | undefined): boolean {
  try {
    process.kill(id, 0);
  } catch (error) {
    // EPERM: it exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  const status = statusOf(id);
  if (status === undefined) return true;
  // A killed process remains as a zombie until its parent reaps it, which never happens in some containers.
  return !["Z", "X"].includes(status.state) && (started === "?" || started === status.started);
}

/** A process's state and start time in clock ticks since boot, on Linux. */
function statusOf(id: number): { state: string; started: string } | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    // In the /proc of another namespace these IDs are other processes.
    if (readlinkSync("/proc/self") !== String(process.pid)) return undefined;
    const text = readFileSync(`/proc/${id}/stat`, "latin1");
    // The name in parentheses may hold spaces and parentheses of its own.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", started: fields[19] ?? "?" };
  } catch {
    return undefined;
  }
}
