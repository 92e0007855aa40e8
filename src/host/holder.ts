import { readFileSync } from "node:fs";
import type { Holder } from "../config/lock.ts";

/** This process as the holder of a lock: its ID, when it started (IDs are used again), and its machine. */
export function nodeHolder(): Holder {
  const machine = () => process.getBuiltinModule("node:os").hostname();
  return {
    // Asked for by the few commands that take the lock.
    get name() {
      return `${process.pid}:${statusOf(process.pid)?.started ?? "?"}@${machine()}`;
    },
    alive(name) {
      const [, id, started, where] = /^(\d+):(\w+|\?)@(.*)$/.exec(name) ?? [];
      // A home folder may be shared: of another machine's processes nothing is known.
      if (id === undefined || where !== machine()) return true;
      return lives(Number(id), started);
    },
  };
}

function lives(id: number, started: string | undefined): boolean {
  try {
    process.kill(id, 0);
  } catch (error) {
    // EPERM: it is there, and somebody else's.
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  const status = statusOf(id);
  if (status === undefined) return true;
  // A killed process stays in the table until its parent asks for it, and some containers have nobody who does.
  return !["Z", "X"].includes(status.state) && (started === "?" || started === status.started);
}

/** A process's state and start, in clock ticks since boot, where the system tells: Linux. */
function statusOf(id: number): { state: string; started: string } | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const text = readFileSync(`/proc/${id}/stat`, "latin1");
    // The name in parentheses may hold spaces and parentheses of its own.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", started: fields[19] ?? "?" };
  } catch {
    return undefined;
  }
}
