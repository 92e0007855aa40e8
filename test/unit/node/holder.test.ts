import { spawnSync } from "node:child_process";
import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { expect, test } from "vitest";
import { nodeHolder } from "../../../src/node/holder.ts";

test.runIf(process.platform === "linux")(
  "a process of another PID namespace counts as alive, one of this only if it is",
  () => {
    const holder = nodeHolder();
    const here = readlinkSync("/proc/self/ns/pid");
    expect(holder.name.endsWith(`@${hostname()}/${here}`)).toBe(true);
    expect(holder.alive(holder.name)).toBe(true);
    const dead = spawnSync("true").pid;
    expect(holder.alive(`${dead}:?@${hostname()}/${here}`)).toBe(false);
    // There, the same ID is another process, whose state is unknown.
    expect(holder.alive(`${dead}:?@${hostname()}/pid:[1]`)).toBe(true);
    expect(holder.alive(`${process.pid}:1@${hostname()}/${here}`)).toBe(false);
  },
);
