// The processes of a program that was started with a temporary folder of its own: also a server of tmux, for
// example, which leaves the process group but keeps the environment. Linux only: elsewhere the group alone.
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** IDs of all processes in its process group, or with its temporary folder in their environment. */
export function processesOf({ child, temporary }) {
  return idsOf(existsSync("/proc") ? readdirSync("/proc") : []).filter((pid) => {
    const group = read(`/proc/${pid}/stat`).split(") ").at(-1).split(" ")[2];
    return Number(group) === child.pid || read(`/proc/${pid}/environ`).split("\0").includes(`TMPDIR=${temporary}`);
  });
}

export function killAll(program) {
  for (const pid of [-program.child.pid, ...processesOf(program)]) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
}

/** The text of a file; empty if it is gone, such as that of a process that has ended. */
export function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function idsOf(names) {
  return names.filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid).map(Number);
}
