import { randomBytes } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { SandboxDataError, startSandbox } from "../../src/sandbox/index.ts";
import type { Area } from "../../src/sandbox/server/router.ts";
import { collection, type Row } from "../../src/sandbox/store/store.ts";
import { openSession, openWith } from "./session.ts";

const folder = mkdtempSync(join(tmpdir(), "sandbox-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let dataFile = "";
let number = 0;
beforeEach(() => {
  number += 1;
  dataFile = join(folder, `data-${number}.json`);
});

const setting = "default_projects_limit";

describe("with a data file", () => {
  test("changes are present in the next run", async () => {
    const first = await openSession({ dataFile });
    await first.ask("PUT /application/settings", { json: { [setting]: 17 } });
    await first.sandbox.close();
    const second = await openSession({ dataFile });
    expect((await second.ask("GET /application/settings")).json[setting]).toBe(17);
    expect((await second.ask("GET /users")).headers.get("x-total")).toBe("300");
    await second.sandbox.close();
  });

  test("no other file in its folder is touched", async () => {
    writeFileSync(`${dataFile}.tmp`, "not its own");
    await (await openSession({ dataFile })).sandbox.close();
    expect(readFileSync(`${dataFile}.tmp`, "utf8")).toBe("not its own");
    const names = readdirSync(folder).filter((name) => name.startsWith(basename(dataFile)) || name.startsWith("."));
    expect(names.sort()).toEqual([basename(dataFile), `${basename(dataFile)}.tmp`]);
  });

  test("a change right after the port opens is saved, before the address is known", async () => {
    const probe = await openSession();
    const port = Number(new URL(probe.sandbox.url).port);
    await probe.sandbox.close();
    let isStarted = false;
    const starting = startSandbox({ dataFile, port }).finally(() => {
      isStarted = true;
    });
    const early: number[] = [];
    for (let value = 1; !isStarted; value += 1) {
      const body = JSON.stringify({ [setting]: value });
      const headers = { "private-token": "sandbox-administrator-token", "content-type": "application/json" };
      const url = `http://127.0.0.1:${port}/api/v4/application/settings`;
      const answer = await fetch(url, { method: "PUT", headers, body }).catch(() => undefined);
      if (answer?.status === 200) early.push(value);
      else await sleep(1);
    }
    expect(early.length).toBeGreaterThan(0);
    await (await starting).close();
    const second = await openSession({ dataFile });
    expect((await second.ask("GET /application/settings")).json[setting]).toBe(early.at(-1));
    await second.sandbox.close();
  });

  test("without one every run starts from scratch", async () => {
    // With a clock, the demo data is not copied from another sandbox.
    const fresh = { now: () => new Date() };
    const first = await openSession(fresh);
    await first.ask("PUT /application/settings", { json: { [setting]: 17 } });
    await first.sandbox.close();
    const second = await openSession(fresh);
    expect((await second.ask("GET /application/settings")).json[setting]).toBe(100_000);
    await second.sandbox.close();
  });

  test("a change is saved soon, without a close", async () => {
    const { ask, sandbox } = await openSession({ dataFile });
    await ask("PUT /application/settings", { json: { [setting]: 4711 } });
    await expect.poll(() => readFileSync(dataFile, "utf8").includes(`"${setting}":4711`), { timeout: 5000 }).toBe(true);
    await sandbox.close();
  });

  test("rows, used ids, and contents of any size and kind survive", async () => {
    interface Thing extends Row {
      readonly label: string;
    }
    const things = collection<Thing>("things");
    const area: Area = {
      name: "things",
      routes() {},
      seed: (world) => world.store.table(things).insert({ label: "seeded" }),
    };
    const contents = [Buffer.alloc(0), randomBytes(10), randomBytes(300_000)];
    const first = await openWith(area, { dataFile });
    const table = first.sandbox.store.table(things);
    table.insert({ label: "kept" });
    const last = table.insert({ label: "deleted" });
    table.delete(last.id);
    const ids = contents.map((bytes) => first.sandbox.store.blobs.put(bytes).id);
    await first.sandbox.close();

    const { sandbox } = await openWith(area, { dataFile });
    const again = sandbox.store.table(things);
    expect(again.all()).toEqual([
      { id: 1, label: "seeded" },
      { id: 2, label: "kept" },
    ]);
    expect(again.insert({ label: "new" }).id).toBe(4);
    for (const [index, bytes] of contents.entries()) {
      expect((await sandbox.store.blobs.read(ids[index] ?? "")).equals(bytes)).toBe(true);
    }
    expect(ids).not.toContain(sandbox.store.blobs.put("more").id);
    await sandbox.close();
  });

  test("a new area is seeded into an older file, the others are unchanged", async () => {
    const first = await openSession({ dataFile });
    await first.ask("PUT /application/settings", { json: { [setting]: 17 } });
    await first.sandbox.close();
    const seededNames: number[] = [];
    const late: Area = { name: "late", routes() {}, seed: (world) => seededNames.push(world.store.tables().size) };
    const { sandbox } = await openWith(late, { dataFile });
    expect(seededNames).toHaveLength(1);
    expect(readFileSync(dataFile, "utf8")).toContain(`"${setting}":17`);
    await sandbox.close();
    await (await openWith(late, { dataFile })).sandbox.close();
    expect(seededNames).toHaveLength(1);
  });

  test("only its owner can read the file, and no other file remains", async () => {
    await (await startSandbox({ dataFile })).close();
    expect(statSync(dataFile).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.startsWith(`data-${number}.json`))).toEqual([
      `data-${number}.json`,
    ]);
  });

  test.each(["the file", "its folder"])("a link that takes the place of %s leads nowhere", async (what) => {
    const [own, victim] = [join(folder, `own-${number}`), join(folder, `victim-${number}`)];
    for (const each of [own, victim]) mkdirSync(each);
    writeFileSync(join(victim, "data.json"), "another's");
    const { ask, sandbox } = await openSession({ dataFile: join(own, "data.json") });
    const taken = what === "the file" ? join(own, "data.json") : own;
    renameSync(taken, `${taken}.moved`);
    symlinkSync(what === "the file" ? join(victim, "data.json") : victim, taken);
    await ask("PUT /application/settings", { json: { [setting]: 17 } });
    const error = await sandbox.close().catch((failure: Error) => failure.message);
    expect(readdirSync(victim)).toEqual(["data.json"]);
    expect(readFileSync(join(victim, "data.json"), "utf8")).toBe("another's");
    if (what === "its folder") expect(error).toMatch(/cannot be written: its folder was replaced meanwhile$/);
    else expect(lstatSync(taken).isFile()).toBe(true);
  });

  test("a link stays a link, and its target is written", async () => {
    const link = `${dataFile}.link`;
    await (await startSandbox({ dataFile })).close();
    symlinkSync(dataFile, link);
    const { ask, sandbox } = await openSession({ dataFile: link });
    await ask("PUT /application/settings", { json: { [setting]: 99 } });
    await sandbox.close();
    expect(readlinkSync(link)).toBe(dataFile);
    expect(readFileSync(dataFile, "utf8")).toContain(`"${setting}":99`);
  });
});

describe("a data file that cannot be used", () => {
  let good: string;
  beforeAll(async () => {
    const file = join(folder, "good.json");
    await (await startSandbox({ dataFile: file })).close();
    good = readFileSync(file, "utf8");
  });

  test.each<[string, (good: string) => string, RegExp]>([
    ["is empty", () => "", /not a complete sandbox data file/],
    ["is something else", () => '{"users": []}\n', /not a complete sandbox data file/],
    ["is not JSON", () => "hello", /not a complete sandbox data file/],
    ["ends within a line", (good) => good.slice(0, good.length / 2), /not a complete sandbox data file/],
    ["lacks its last line", (good) => good.slice(0, good.lastIndexOf("\n", good.length - 2) + 1), /not a complete/],
    ["lacks a line", (good) => good.replace(/\n\{"table":"users".*/, ""), /not a complete sandbox data file/],
    ["continues after its end", (good) => `${good}{"end":1}\n`, /continues after its end/],
    ["has rows without IDs", (good) => good.replace('"rows":[{"id":1,', '"rows":[{'), /not a complete/],
    [
      "has a value of another kind",
      (good) => good.replace(/("value":"seeded","data":)\[.*\]/, "$17"),
      /not a complete/,
    ],
    ["lacks a part of a content", (good) => good.replace(/("id":"b1","size":)/, "$19"), /not a complete/],
    ["has a content that is no text", (good) => good.replace(/"base64":"[^"]*"/, '"base64":7'), /not a complete/],
    ["is of a newer version", (good) => good.replace('"version":1', '"version":2'), /newer version \(format 2/],
  ])("because it %s, is refused and not changed", async (_, spoil, message) => {
    const spoiled = spoil(good);
    writeFileSync(dataFile, spoiled);
    const starting = startSandbox({ dataFile });
    await expect(starting).rejects.toThrow(SandboxDataError);
    await expect(starting).rejects.toThrow(message);
    expect(readFileSync(dataFile, "utf8")).toBe(spoiled);
  });

  test.each(["../", "./../", "b1/../../", "/"])(
    "because a content has the name %sx, writes nothing there",
    async (up) => {
      const victim = join(folder, `victim-${number}`);
      writeFileSync(victim, "mine\n");
      const id = up === "/" ? victim : `${up}${basename(folder)}/${basename(victim)}`;
      const blob = { blob: { id, size: 99, sha256: "0".repeat(64) }, base64: btoa("theirs\n") };
      const count = good.trimEnd().split("\n").length;
      const end = good.lastIndexOf('{"end":');
      writeFileSync(dataFile, `${good.slice(0, end)}${JSON.stringify(blob)}\n${JSON.stringify({ end: count })}\n`);
      await expect(startSandbox({ dataFile })).rejects.toThrow(/not a complete sandbox data file/);
      expect(readFileSync(victim, "utf8")).toBe("mine\n");
    },
  );

  test("because it is a folder, is refused", async () => {
    await expect(startSandbox({ dataFile: folder })).rejects.toThrow(/cannot be read: EISDIR/);
  });

  test("because its folder is missing, prevents the sandbox from starting", async () => {
    await expect(startSandbox({ dataFile: join(folder, "missing", "data.json") })).rejects.toThrow(/ENOENT/);
  });
});

describe("closing", () => {
  test("ends keep-alive connections", async () => {
    const { ask, sandbox } = await openSession();
    await ask("GET /user");
    const { port } = new URL(sandbox.url);
    const idle = connect(Number(port), "127.0.0.1");
    await new Promise((resolve) => idle.once("connect", resolve));
    const ended = new Promise((resolve) => idle.once("close", resolve));
    idle.resume();
    const started = performance.now();
    await sandbox.close();
    await ended;
    expect(performance.now() - started).toBeLessThan(1000);
    await expect(ask("GET /user")).rejects.toThrow();
  });

  test("waits a moment for an answer in progress", async () => {
    const { ask, sandbox } = await openSession({ latencyMs: 5000 });
    const answer = ask("GET /user");
    await sleep(50);
    await sandbox.close();
    expect((await answer).status).toBe(200);
  });

  test("twice equals once", async () => {
    const sandbox = await startSandbox();
    await Promise.all([sandbox.close(), sandbox.close()]);
    await sandbox.close();
  });

  test("removes the temporary folder", async () => {
    const sandbox = await startSandbox();
    const temporary = sandbox.store.blobs.folder();
    expect(existsSync(temporary)).toBe(true);
    await sandbox.close();
    expect(existsSync(temporary)).toBe(false);
  });

  test("cancels scheduled work", async () => {
    const done: string[] = [];
    const area: Area = {
      name: "later",
      routes() {},
      seed(world) {
        world.later(1, () => void done.push("soon"));
        world.later(150, () => void done.push("late"));
      },
    };
    const { sandbox } = await openWith(area);
    await expect.poll(() => done).toEqual(["soon"]);
    await sandbox.close();
    // Past the time of the later one, which must not come.
    await sleep(250);
    expect(done).toEqual(["soon"]);
  });
});

test("a port that is taken is an error with its code", async () => {
  const first = await startSandbox();
  await expect(startSandbox({ port: Number(new URL(first.url).port) })).rejects.toMatchObject({ code: "EADDRINUSE" });
  await first.close();
});
