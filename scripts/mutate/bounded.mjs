// One trial as a process with bounds: a time for each test file, and memory for all its processes together.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { killAll, processesOf, read } from "../processes.mjs";

const minFreeBytes = 2 ** 30;
const pageBytes = 4096;
const lookEveryMs = 500;
const script = fileURLToPath(new URL("trial.mjs", import.meta.url));
const running = new Set();

/**
 * Runs test files in a tree, in this order, until one fails. `limitMs(file)` is the longest that one may take, and
 * `maxBytes` the most memory.
 * `outcome`: passed, failed, time (a file took longer), or memory; `file` and `why` say where it ended.
 */
export function runFiles({ tree }, files, { limitMs, maxBytes = 3 * 2 ** 30 }) {
  const temporary = mkdtempSync(join(memoryOr(tmpdir()), "fm-"));
  const child = spawn(process.execPath, [script, tree, JSON.stringify(files)], {
    cwd: tree,
    detached: true,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    env: { ...process.env, NODE_OPTIONS: "", TMPDIR: temporary },
  });
  const trial = { child, temporary };
  running.add(trial);
  let errors = "";
  child.stderr.on("data", (text) => {
    errors = `${errors}${text}`.slice(-2000);
  });
  return new Promise((resolve) => {
    let done = 0;
    let end;
    let deadline = Date.now() + limitMs(files[0]);
    const finish = (result) => {
      if (end !== undefined) return;
      clearInterval(watch);
      end = { file: files[Math.min(done, files.length - 1)], tried: Math.min(done + 1, files.length), ...result };
      stop(trial);
    };
    const watch = setInterval(() => {
      if (Date.now() > deadline) finish({ outcome: "time" });
      else if (isTooLarge(trial, maxBytes)) finish({ outcome: "memory" });
    }, lookEveryMs);
    child.on("message", ({ file, why, ended }) => {
      if (why !== undefined) finish({ outcome: "failed", why: why.split("\n")[0], ...(file && { file }) });
      else if (ended) finish({ outcome: "passed", ...(done < files.length && { outcome: "broken", why: "not run" }) });
      else {
        done += 1;
        deadline = Date.now() + limitMs(files[Math.min(done, files.length - 1)]);
      }
    });
    child.on("exit", () => {
      finish({ outcome: "broken", why: errors.trim().split("\n")[0] });
      resolve(end);
    });
  });
}

export function stopAll() {
  for (const trial of running) stop(trial);
}

/** Kills the processes of a trial, also those that left its group, and removes their files. */
function stop(trial) {
  running.delete(trial);
  killAll(trial);
  rmSync(trial.temporary, { recursive: true, force: true, maxRetries: 3 });
}

function isTooLarge(trial, maxBytes) {
  const pages = processesOf(trial).map((pid) => Number(read(`/proc/${pid}/statm`).split(" ")[1] ?? 0));
  const bytes = pages.reduce((sum, each) => sum + each, 0) * pageBytes;
  const { bavail, bsize } = statfsSync(trial.temporary);
  return bytes > maxBytes || bavail * bsize < minFreeBytes;
}

/** Temporary files of tests are in memory where there is room: it is several times faster. */
function memoryOr(folder) {
  if (!existsSync("/dev/shm")) return folder;
  const { bavail, bsize } = statfsSync("/dev/shm");
  return bavail * bsize > 4 * minFreeBytes ? "/dev/shm" : folder;
}
