import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  constants,
  type Dirent,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { chanceOf } from "../support/chance.ts";
import { binary, node, session } from "../support/session.ts";
import { zip } from "../support/zip.ts";

/** Kills at moments of chance; more with FORGECTL_KILLS. */
const kills = Number(process.env.FORGECTL_KILLS ?? 5);
const files = 1200;
const path = (index: number) => `d${index % 7}/s${index % 3}/f${index}`;
const archive = zip(Array.from({ length: files }, (_, index) => ({ name: path(index), content: "new" })));

/** Undefined: no artifacts. */
let served: Buffer | undefined = archive;
/** Called before the next answer. */
let meanwhile = () => {};
const server = createServer((_request, response) => {
  meanwhile();
  if (served === undefined) response.writeHead(404).end('{"message":"404 Not found"}');
  else response.writeHead(200, { "content-length": served.length }).end(served);
});
const url = await new Promise<string>((resolve) => {
  server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
});
afterAll(() => new Promise((done) => server.close(done)));

const job = session({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: "t" });
const at = (name: string) => join(job.home, name);
const line = "artifacts download -p 7 --job-id 1 --extract out".split(" ");

/** A folder with every second file of the archive, and another file. */
function makeOld(): void {
  rmSync(at("out"), { recursive: true, force: true });
  for (let index = 0; index < files; index += 2) {
    mkdirSync(join(at("out"), path(index), ".."), { recursive: true });
    writeFileSync(join(at("out"), path(index)), "old");
  }
  writeFileSync(join(at("out"), "own"), "own");
}

/**
 * The content of the folder: `old`, `new`, or how much of both. Subfolders do not count, leftovers only if requested; a
 * small file that was being written at the time of the kill never does.
 */
function state(leftovers: boolean): string {
  const all = readdirSync(at("out"), { recursive: true }) as string[];
  const ignored = leftovers ? /^\.forgectl-.*\.tmp$|^d\d(?:\/s\d)?$/ : /^\.forgectl-|^d\d(?:\/s\d)?$/;
  // Killed before it could name itself as the owner: no one knows whose note that is, and there is nothing beside it.
  const isBegun = (name: string) =>
    /^\.forgectl-\w+\.extract\.json$/.test(name) && statSync(join(at("out"), name)).size === 0;
  const names = all.filter((name) => !ignored.test(name) && !isBegun(name));
  const contents = names.map((name) =>
    statSync(join(at("out"), name)).isDirectory() ? "" : readFileSync(join(at("out"), name), "utf8"),
  );
  const count = (text: string) => contents.filter((content) => content === text).length;
  const counts = [names.length, count("old"), count("new"), count("own")].join(" ");
  if (counts === `${files / 2 + 1} ${files / 2} 0 1`) return "old";
  if (counts === `${files + 1} 0 ${files} 1`) return "new";
  return `mixed: ${counts} ${names.filter((name) => name.startsWith(".")).join(" ")}`;
}

const isMoving = () =>
  existsSync(at("out")) &&
  readdirSync(at("out")).some((name) => name.endsWith(".extract") && existsSync(join(at("out"), name, "moves.json")));

describe("--extract into a folder with files in it", () => {
  test("is complete or undone after a kill at any time", { timeout: 60_000 + kills * 20_000 }, async () => {
    const chance = chanceOf(15);
    const seen = new Set<string>();
    for (let round = 0; round < kills; round++) {
      makeOld();
      served = archive;
      const child = spawn(node, [binary, ...line], {
        cwd: job.home,
        env: job.env as NodeJS.ProcessEnv,
        stdio: "ignore",
      });
      const ended = once(child, "close");
      // Most kills are during the moves, the others at any time.
      if (round % 4 !== 3) await expect.poll(isMoving, { interval: 1, timeout: 30_000 }).toBe(true);
      await new Promise((done) => setTimeout(done, chance() * (round % 4 === 3 ? 600 : 60)));
      child.kill("SIGKILL");
      await ended;
      seen.add(state(false).replace(/:.*/s, ""));
      // A run without artifacts also cleans up after the killed one.
      served = undefined;
      expect((await job.run(...line)).code).toBe(3);
      expect(state(true)).toMatch(/^(?:old|new)$/);
    }
    expect(seen).toContain("mixed");
  });

  test("a pipe with the name of a leftover blocks nothing", async () => {
    makeOld();
    served = archive;
    for (const name of [".forgectl-a.extract.json", ".forgectl-b.extract"])
      execFileSync("mkfifo", ["-m", "600", join(at("out"), name)]);
    expect((await job.run(...line)).code).toBe(0);
    expect(readFileSync(join(at("out"), path(0)), "utf8")).toBe("new");
  });

  test("a planted journal moves nothing out of the folder", async () => {
    makeOld();
    served = undefined;
    const planted = join(at("out"), ".forgectl-c.extract");
    mkdirSync(join(planted, "replaced"), { recursive: true, mode: 0o700 });
    for (const index of [0, 1]) writeFileSync(join(planted, "replaced", String(index)), "planted");
    const steps = [
      { path: "../precious", isFolder: false, exists: true },
      { path: "own", isFolder: false, exists: true },
    ];
    writeFileSync(join(planted, "moves.json"), JSON.stringify(steps), { mode: 0o600 });
    writeFileSync(`${planted}.json`, JSON.stringify({ holder: "999999999:1@" }), { mode: 0o600 });
    writeFileSync(at("precious"), "precious");
    await job.run(...line);
    expect([readFileSync(at("precious"), "utf8"), readFileSync(join(at("out"), "own"), "utf8")]).toEqual([
      "precious",
      "own",
    ]);
  });
});

test("--extract undoes nothing for a leftover from a checkout, even if the umask made it private", async () => {
  makeOld();
  served = archive;
  const planted = join(at("out"), ".forgectl-d.extract");
  mkdirSync(join(planted, "files"), { recursive: true, mode: 0o700 });
  const steps = ["own", "unpushed"].map((name) => ({ path: name, isFolder: false, exists: false }));
  writeFileSync(join(planted, "moves.json"), JSON.stringify(steps), { mode: 0o600 });
  writeFileSync(`${planted}.json`, JSON.stringify({ holder: `1:1@${hostname()}` }), { mode: 0o600 });
  mkdirSync(join(at("out"), "unpushed"));
  writeFileSync(join(at("out"), "unpushed/work"), "work");
  expect((await job.run(...line)).code).toBe(0);
  expect([readFileSync(join(at("out"), "own"), "utf8"), readdirSync(join(at("out"), "unpushed"))]).toEqual([
    ...["own", ["work"]],
  ]);
});

describe("--extract into a folder that another process makes meanwhile", () => {
  test("a killed run is undone there, and nothing beside it is touched", { timeout: 120_000 }, async () => {
    const beside = Array.from({ length: files }, (_, index) => at(path(index)));
    for (const [index, file] of beside.entries()) {
      mkdirSync(join(file, ".."), { recursive: true });
      // Every second name is a file of the folder too.
      writeFileSync(file, index % 2 === 0 ? "beside" : "own");
    }
    const found = () => (existsSync(at("out")) ? readdirSync(at("out"), { recursive: true, withFileTypes: true }) : []);
    const isNew = (entry: Dirent) =>
      entry.isFile() && readFileSync(join(entry.parentPath, entry.name), "utf8") === "new";
    const isMixed = () => found().some(isNew) && found().filter(isNew).length < files;
    let wasMixed = false;
    for (let round = 0; round < 10 && !wasMixed; round++) {
      rmSync(at("out"), { recursive: true, force: true });
      served = archive;
      meanwhile = makeOld;
      const child = spawn(node, [binary, ...line], {
        cwd: job.home,
        env: job.env as NodeJS.ProcessEnv,
        stdio: "ignore",
      });
      const ended = once(child, "close");
      await expect.poll(() => found().some(isNew), { interval: 1, timeout: 30_000 }).toBe(true);
      child.kill("SIGKILL");
      await ended;
      wasMixed = isMixed();
      meanwhile = () => {};
      served = undefined;
      expect((await job.run(..."artifacts download -p 7 --job-id 1 --extract other".split(" "))).code).toBe(3);
      expect(state(true)).toMatch(/^(?:old|new)$/);
      expect(beside.map((file) => readFileSync(file, "utf8"))).toEqual(
        beside.map((_, index) => (index % 2 === 0 ? "beside" : "own")),
      );
      expect(readdirSync(job.home).filter((name) => name.startsWith(".forgectl-"))).toEqual([]);
    }
    expect(wasMixed).toBe(true);
  });
});

/** Whether the kernel has not yet given a process a signal that was sent to it. */
const isPending = (pid: number | undefined, signal: number) =>
  (BigInt(`0x${/^ShdPnd:\s*(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]}`) >> BigInt(signal - 1)) &
  1n;

/** Resolves when another process reads from a pipe. */
async function isRead(pipe: string): Promise<void> {
  const handle = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  const hasRoom = () => {
    try {
      return writeSync(handle, Buffer.alloc(4096)) > 0;
    } catch {
      return false;
    }
  };
  while (hasRoom());
  await expect.poll(hasRoom, { interval: 5, timeout: 10_000 }).toBe(true);
  closeSync(handle);
}

test.skipIf(process.platform !== "linux")("two signals end the program during any wait", async () => {
  execFileSync("mkfifo", [at("pipe")]);
  // A pipe from the shell is read, and its data never ends.
  const child = spawn(
    "bash",
    ["-c", 'exec 7<>pipe; exec "$@" --ca-file /dev/fd/7', "bash", node, binary, "api", "user"],
    {
      cwd: job.home,
      env: job.env as NodeJS.ProcessEnv,
      stdio: "ignore",
    },
  );
  const ended = once(child, "close");
  await isRead(at("pipe"));
  child.kill("SIGTERM");
  await expect.poll(() => isPending(child.pid, 15), { interval: 5 }).toBe(0n);
  // Within a tenth of a second it would be the same signal.
  await delay(200);
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), 5000);
  const [code, signal] = await ended;
  clearTimeout(late);
  expect(code === 130 || signal === "SIGINT").toBe(true);
});
