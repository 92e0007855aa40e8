import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { afterAll, beforeAll, expect, test } from "vitest";
import { holdLock } from "../../../src/config/lock.ts";
import { openStore } from "../../../src/config/store.ts";
import { failureOf, freshStore, placeIn, sleep, storeHost, temporary } from "./support/machine.ts";

let bundle: string;
beforeAll(async () => {
  bundle = await mkdtemp(join(tmpdir(), "forgectl-writer-"));
  await build({
    input: fileURLToPath(new URL("./support/writer.ts", import.meta.url)),
    platform: "node",
    output: { dir: bundle, format: "cjs", entryFileNames: "writer.js" },
    logLevel: "silent",
  });
});
afterAll(() => rm(bundle, { recursive: true, force: true }));

function writer(...args: string[]): ChildProcess {
  return spawn(process.execPath, [join(bundle, "writer.js"), ...args], { stdio: ["ignore", "pipe", "inherit"] });
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
}

async function killed(child: ChildProcess): Promise<void> {
  const gone = ended(child);
  child.kill("SIGKILL");
  await gone;
}

/** More with FORGECTL_KILLS. */
const rounds = Number(process.env.FORGECTL_KILLS ?? 2);

const readText = (path: string): Promise<string> => readFile(path, "utf8").catch(() => "");

test("six processes at once lose nothing", async () => {
  const store = await freshStore();
  const codes = await Promise.all(Array.from({ length: 6 }, (_, n) => ended(writer(store.folder, `p${n}`, "3"))));
  expect(codes).toEqual(Array.from({ length: 6 }, () => 0));
  const expected = Array.from({ length: 6 }, (_, n) => [`p${n}-0`, `p${n}-1`, `p${n}-2`]).flat();
  expect([...(await store.read()).profiles.keys()].sort()).toEqual(expected.sort());
  expect(await readdir(store.folder)).toEqual(["profiles.json"]);
});

test("many changes at once in one process lose nothing", async () => {
  const store = await freshStore();
  const names = Array.from({ length: 10 }, (_, n) => `p${n}`);
  await Promise.all(
    names.map((name) => store.change((data) => void data.profiles.set(name, { settings: {}, rest: {} }))),
  );
  expect([...(await store.read()).profiles.keys()].sort()).toEqual(names);
});

test("processes killed at any moment lose nothing that was stored", async () => {
  const store = await freshStore();
  const journal = join(await temporary(), "journal");
  for (let round = 0; round < rounds; round++) {
    const children = ["a", "b", "c"].map((name) => writer(store.folder, `${name}${round}`, "1000", journal));
    await expect.poll(() => readText(journal), { interval: 5, timeout: 20_000 }).toMatch(new RegExp(`[abc]${round}-`));
    await sleep(round * 3);
    await Promise.all(children.map(killed));
  }
  await store.change((data) => void data.profiles.set("after", { settings: {}, rest: {} }));
  const stored = (await store.read()).profiles;
  const noted = (await readText(journal)).trim().split("\n");
  expect(noted.filter((name) => !stored.has(name))).toEqual([]);
  expect(stored.has("after")).toBe(true);
});

test("a killed holder's lock is taken over by exactly one process", async () => {
  const store = await freshStore();
  for (let round = 0; round < 2; round++) {
    const holder = writer(store.folder, "held", "hold");
    await once(holder.stdout as NodeJS.EventEmitter, "data");
    await killed(holder);
    expect(await readdir(store.folder)).toContain("profiles.lock");
    const codes = await Promise.all(Array.from({ length: 4 }, (_, n) => ended(writer(store.folder, `r${round}p${n}`))));
    expect(codes).toEqual(Array.from({ length: 4 }, () => 0));
  }
  expect((await store.read()).profiles.size).toBe(8);
  expect(await readdir(store.folder)).toEqual(["profiles.json"]);
});

test("a takeover that was killed is taken over too", async () => {
  const store = await freshStore();
  const dead = writer(store.folder, "nobody", "0");
  await ended(dead);
  const name = `${dead.pid}:?@${hostname()}`;
  await mkdir(store.folder);
  await writeFile(join(store.folder, "profiles.lock"), `aaaa ${name}`);
  await writeFile(join(store.folder, "profiles.lock.aaaa"), `bbbb ${name}`);
  await store.change((data) => void data.profiles.set("work", { settings: {}, rest: {} }));
  expect(await readdir(store.folder)).toEqual(["profiles.json"]);
});

test.each([
  [
    "a living process of this machine",
    `cccc ${process.pid}:?@${hostname()}`,
    ` by process ${process.pid}:?@${hostname()}`,
  ],
  ["a process of another machine", "cccc 1:1@elsewhere", " by process 1:1@elsewhere"],
  ["an unknown process", "", ""],
])("a lock held by %s is waited for, then named", async (_, content, by) => {
  const place = placeIn(await temporary());
  let slept = 0;
  const sleep = async (ms: number) => {
    slept += ms;
  };
  const store = openStore({ ...storeHost(), sleep }, place);
  await mkdir(place.path);
  const lock = join(place.path, "profiles.lock");
  await writeFile(lock, content);
  const failure = await failureOf(store.change((data) => void data.profiles.set("work", { settings: {}, rest: {} })));
  expect(slept).toBe(10_000);
  expect(failure.exit).toBe("conflict");
  expect(failure.details.reason).toBe(`${lock} has been held for 10 seconds${by}`);
  expect(failure.details.hint).toBe("try again; if no other forgectl is running, remove that file");
  expect(await readFile(lock, "utf8")).toBe(content);
});

test("a holder that releases it in time is waited for", async () => {
  const store = await freshStore();
  await mkdir(store.folder);
  const lock = join(store.folder, "profiles.lock");
  await writeFile(lock, `cccc ${process.pid}:?@${hostname()}`);
  const change = store.change((data) => void data.profiles.set("work", { settings: {}, rest: {} }));
  // Nothing may be stored in this time.
  await sleep(150);
  expect((await store.read()).profiles.size).toBe(0);
  await rm(lock);
  await change;
  expect((await store.read()).profiles.size).toBe(1);
});

test("a lock that was removed meanwhile is none to release, and one that another process took stays", async () => {
  const folder = await temporary();
  const path = join(folder, "run.lock");
  const host = { ...storeHost(), sleep };
  const first = await holdLock(host, path);
  await rm(path);
  await first?.();
  const second = await holdLock(host, path);
  await rm(path);
  const third = await holdLock(host, path);
  await second?.();
  expect(await readdir(folder)).toEqual(["run.lock"]);
  await third?.();
  expect(await readdir(folder)).toEqual([]);
});
