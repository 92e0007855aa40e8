import { mkdir, readdir, readFile, readlink, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FileError } from "../../../src/base/errors.ts";
import { openStore } from "../../../src/config/store.ts";
import { failureOf, freshStore, placeIn, storeHost, temporary } from "./support/machine.ts";

const refusal = (text: string) =>
  new FileError("f", "written", Object.assign(new Error(text), { code: text.slice(0, text.indexOf(":")) }));
const work = { settings: { "base-url": "https://forge.example.com", timeout: "30" }, rest: {} };

test("an empty store reads as empty, and reading creates nothing", async () => {
  const parent = await temporary();
  const store = openStore(storeHost(), placeIn(parent));
  expect(await store.read()).toEqual({ current: undefined, profiles: new Map(), rest: {} });
  expect(await readdir(parent)).toEqual([]);
});

test("what is written is private, and is read back", async () => {
  const store = await freshStore();
  await store.change((data) => {
    data.current = "work";
    data.profiles.set("work", { ...work, token: { storage: "keyring", baseUrl: "https://forge.example.com" } });
  });
  expect(JSON.parse(await readFile(store.path, "utf8"))).toEqual({
    version: 1,
    current: "work",
    profiles: {
      work: {
        "base-url": "https://forge.example.com",
        timeout: 30,
        token: { storage: "keyring", "base-url": "https://forge.example.com" },
      },
    },
  });
  expect((await stat(store.path)).mode & 0o777).toBe(0o600);
  expect((await stat(store.folder)).mode & 0o777).toBe(0o700);
  expect(await readdir(store.folder)).toEqual(["profiles.json"]);
  expect((await store.read()).profiles.get("work")?.settings).toEqual(work.settings);
});

test("unknown data of other versions is kept", async () => {
  const store = await freshStore();
  await mkdir(store.folder);
  await writeFile(store.path, '{"version":1,"theme":"dark","profiles":{"work":{"retries":2,"shade":[1]}}}');
  await store.change((data) => {
    data.profiles.set("other", work);
  });
  expect(JSON.parse(await readFile(store.path, "utf8"))).toMatchObject({
    theme: "dark",
    profiles: { work: { retries: 2, shade: [1] }, other: { timeout: 30 } },
  });
});

test("names of built-in object properties are ordinary names", async () => {
  const store = await freshStore();
  expect((await store.read()).profiles.get("constructor")).toBeUndefined();
  await store.change((data) => {
    data.profiles.set("__proto__", work);
  });
  expect([...(await store.read()).profiles.keys()]).toEqual(["__proto__"]);
});

test("an edit that throws changes nothing and releases the lock", async () => {
  const store = await freshStore();
  await store.change((data) => {
    data.profiles.set("work", work);
  });
  const before = await readFile(store.path, "utf8");
  const edit = store.change((data) => {
    data.profiles.clear();
    throw new RangeError("no");
  });
  await expect(edit).rejects.toThrow(RangeError);
  expect(await readFile(store.path, "utf8")).toBe(before);
  expect(await readdir(store.folder)).toEqual(["profiles.json"]);
});

test("the target of a link is replaced in place, and the link stays", async () => {
  const store = await freshStore();
  const elsewhere = join(await temporary(), "kept.json");
  await mkdir(store.folder);
  await writeFile(elsewhere, '{"version":1}');
  await symlink(elsewhere, store.path);
  await store.change((data) => {
    data.profiles.set("work", work);
  });
  expect(await readlink(store.path)).toBe(elsewhere);
  expect(JSON.parse(await readFile(elsewhere, "utf8")).profiles).toHaveProperty("work");
});

test("partial files of killed processes are removed, recent ones are kept", async () => {
  const store = await freshStore();
  await mkdir(store.folder);
  const left = (age: string) => [`.forgectl-1-${age}.tmp`, `profiles.json.tmp-17320${age}`];
  const anHourAgo = new Date(Date.now() - 3_600_000);
  for (const name of [...left("old"), ...left("fresh")]) await writeFile(join(store.folder, name), "token");
  for (const name of left("old")) await utimes(join(store.folder, name), anHourAgo, anHourAgo);
  await store.change(() => undefined);
  expect((await readdir(store.folder)).sort()).toEqual(left("fresh"));
});

describe("a file that is not valid", () => {
  test.each([
    ["{", /it is not valid JSON/],
    ["", /it is not valid JSON/],
    ["token: hunter2", /it is not valid JSON/],
    ["at position hunter2", /it is not valid JSON/],
    ["[]", /it is not a JSON object/],
    ["null", /it is not a JSON object/],
    ["{}", /it has no "version": 1/],
    ['{"version":"1"}', /it has no "version": 1/],
    ['{"version":0}', /it has no "version": 1/],
    ['{"version":2,"profiles":[]}', /its version is 2; this program supports version 1/],
    ['{"version":1,"current":7}', /"current" is not a name/],
    ['{"version":1,"profiles":[]}', /"profiles" is not an object/],
    ['{"version":1,"profiles":{"a":"https://x"}}', /profile "a" is not an object/],
    [
      '{"version":1,"profiles":{"a":{"base-url":["hunter2"]}}}',
      /"base-url" of profile "a" is neither a text, a number, nor a boolean/,
    ],
    ['{"version":1,"profiles":{"a":{"token":"hunter2"}}}', /"token" of profile "a" does not say where/],
  ])("%s: exit 2, named, and never overwritten", async (text, reason) => {
    const store = await freshStore();
    await mkdir(store.folder);
    await writeFile(store.path, text);
    const edit = () => store.change((data) => void data.profiles.set("work", work));
    for (const failure of [await failureOf(store.read()), await failureOf(edit())]) {
      expect(failure.exit).toBe("usage");
      expect(failure.message).toContain(store.path);
      expect(failure.details.reason).toMatch(reason);
      expect(failure.details.hint).toContain("FORGECTL_CONFIG_DIR");
      expect(failure.message + failure.details.reason).not.toContain("hunter2");
    }
    expect(await readFile(store.path, "utf8")).toBe(text);
    expect(await readdir(store.folder)).toEqual(["profiles.json"]);
  });

  test("a byte order mark is accepted", async () => {
    const store = await freshStore();
    await mkdir(store.folder);
    await writeFile(store.path, '\uFEFF{"version":1,"current":"work"}');
    expect((await store.read()).current).toBe("work");
  });

  test("a folder in the file's place", async () => {
    const store = await freshStore();
    await mkdir(store.path, { recursive: true });
    const failure = await failureOf(store.read());
    expect([failure.exit, failure.message]).toEqual(["usage", `${store.path} cannot be read`]);
  });
});

describe("a read-only folder", () => {
  test("below a file: reading finds nothing, writing fails with the path and the fix", async () => {
    const file = join(await temporary(), "a-file");
    await writeFile(file, "");
    const store = openStore(storeHost(), placeIn(file));
    expect((await store.read()).profiles.size).toBe(0);
    const failure = await failureOf(store.change((data) => void data.profiles.set("work", work)));
    expect(failure.exit).toBe("usage");
    expect(failure.message).toBe(`the profiles cannot be written to ${store.folder}`);
    expect(failure.details.hint).toContain("FORGECTL_CONFIG_DIR");
  });

  test.runIf(process.platform === "linux")("if the system cannot create folders, the error is immediate", async () => {
    const failure = await failureOf(openStore(storeHost(), placeIn("/proc/nowhere")).change(() => undefined));
    expect(failure.code).toBe("unwritable_config");
    expect(failure.details.reason).toContain("'/proc/nowhere'");
  });

  test("read-only, with the system's error", async () => {
    const { files, ...host } = storeHost();
    const refuse = () => Promise.reject(refusal("EROFS: read-only file system"));
    const store = openStore({ ...host, files: { ...files, create: refuse } }, placeIn(await temporary()));
    const failure = await failureOf(store.change((data) => void data.profiles.set("work", work)));
    expect([failure.exit, failure.code, failure.details.reason]).toEqual([
      "usage",
      "unwritable_config",
      "EROFS: read-only file system",
    ]);
  });

  test("a full disk while writing keeps what was stored", async () => {
    const { files, ...host } = storeHost();
    const place = placeIn(await temporary());
    await openStore(storeHost(), place).change((data) => void data.profiles.set("work", work));
    const full = () => Promise.reject(refusal("ENOSPC: no space left"));
    const store = openStore({ ...host, files: { ...files, store: full } }, place);
    const failure = await failureOf(store.change((data) => data.profiles.clear()));
    expect(failure.details.reason).toBe("ENOSPC: no space left");
    expect((await store.read()).profiles.has("work")).toBe(true);
  });
});

test("a deeply nested file is refused without a crash", async () => {
  const store = await freshStore();
  await mkdir(store.folder);
  const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
  await writeFile(store.path, `{"version":1,"profiles":{},"later":${deep}}`);
  const failure = await failureOf(store.change((data) => void data.profiles.set("work", work)));
  expect([failure.exit, failure.code]).toEqual(["usage", "broken_config"]);
});
