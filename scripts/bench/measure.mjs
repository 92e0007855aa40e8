// Shared by the scenarios: runs a program, measures its wall time and peak memory, and compares medians within one run.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../ready.mjs";

export const forgectl = join(root, "bin", "forgectl.js");

/** The environment without the tester's variables: the certificate variable alone costs 50 ms. */
export function environment(more = {}) {
  const { PATH, HOME, LANG } = process.env;
  return { PATH, HOME, LANG, FORGECTL_CONFIG_DIR: "/nonexistent", ...more };
}

/**
 * Runs a program to its end and measures wall time in milliseconds; on Linux also user and system CPU time, to a
 * hundredth of a second, and peak resident memory in MiB. On a busy machine, CPU time varies less.
 */
export function measure(command, args, { env = environment(), output = "ignore" } = {}) {
  return new Promise((resolve, reject) => {
    const before = childrenCpu();
    const start = process.hrtime.bigint();
    const child = spawn(command, args, { env, stdio: ["ignore", output, "inherit"] });
    let peak;
    const look = () => {
      peak = peakOf(child.pid) ?? peak;
    };
    const timer = setInterval(look, 10);
    child.on("error", reject);
    child.on("exit", (code) => {
      clearInterval(timer);
      const ms = Number(process.hrtime.bigint() - start) / 1e6;
      if (code === 0) resolve({ ms, cpu: childrenCpu() - before, peak });
      else reject(new Error(`${command} ${args.join(" ")} ended with ${code}`));
    });
  });
}

function peakOf(pid) {
  try {
    const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

/** CPU time of the children that have ended, in milliseconds; a tick is ten of them. */
function childrenCpu() {
  try {
    const fields = readFileSync("/proc/self/stat", "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return (Number(fields[13]) + Number(fields[14])) * 10;
  } catch {
    return Number.NaN;
  }
}

export function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

export function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Prints one figure with its goal, if it has one. */
export function report(what, value, goal, unit = "x") {
  if (Number.isNaN(value)) return console.log(`      ${what}: not available on this system`);
  const figure = `${what.padEnd(58)} ${value.toFixed(2)}${unit}`;
  if (goal === undefined) console.log(`      ${figure}`);
  else console.log(`${value <= goal ? "ok  " : "MISS"}  ${figure}  (goal ${goal}${unit})`);
}
