import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { binary, node, session } from "../support/session.ts";

const { env, home } = session({ FORGECTL_BASE_URL: "http://127.0.0.1:1", FORGECTL_TOKEN: "any" });

const put = ["files", "put", "a", "-p", "1", "-b", "main", "-m", "x", "--from"];

/** A pipe whose writer, this process, writes nothing and does not end. */
function openPipe(): number {
  const path = join(home, crypto.randomUUID());
  execFileSync("mkfifo", [path]);
  const pipe = openSync(path, "r+");
  onTestFinished(() => closeSync(pipe));
  return pipe;
}

// As a command that hangs, or a person who has not typed Ctrl-D yet.
test
  .runIf(process.platform === "linux")
  .each([
    [["batch", "-", "--yes"]],
    [[...put, "-"]],
    [[...put, "/dev/fd/3"]],
    [["each", "--projects-file", "-", "--", "files", "stat", "a"]],
  ])("one signal ends %j, which waits for the rest of a pipe", async (args) => {
  const pipe = openPipe();
  const child = spawn(node, [binary, ...args], { cwd: home, env, stdio: [pipe, "ignore", "ignore", pipe] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "exit");
  // Nothing shows that it has begun to read.
  await setTimeout(2000);
  expect(child.exitCode).toBe(null);
  child.kill("SIGTERM");
  expect(await Promise.race([ended, setTimeout(3000)])).toEqual([null, "SIGTERM"]);
});
