import { cp, readdir, readFile, rename, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Keyring, systemKeyring } from "../../../src/config/keyring.ts";
import { openStore } from "../../../src/config/store.ts";
import { openSecrets } from "../../../src/config/stored-tokens.ts";
import { nodeFiles } from "../../../src/node/files.ts";
import { failureOf, freshStore, memoryKeyring, noKeyring, storeHost, temporary } from "./support/machine.ts";

const [A, B] = ["https://a.example.com", "https://b.example.com"];

async function open(keyring: Keyring = memoryKeyring()) {
  const store = await freshStore();
  const warnings: string[] = [];
  const make = (other: Keyring) =>
    openSecrets({
      store,
      keyring: other,
      files: nodeFiles("/"),
      warn: (text) => warnings.push(text),
    });
  const credentials = join(store.folder, "credentials.json");
  const tokens = async () => JSON.parse(await readFile(credentials, "utf8")).tokens;
  return { store, warnings, secrets: make(keyring), with: make, credentials, tokens };
}

test("the keyring keeps the token, the profile says where it is, and no file has it", async () => {
  const keyring = memoryKeyring();
  const { store, secrets } = await open(keyring);
  const stored = await secrets.save("work", A, "s3cr3t", { insecure: false });
  expect(stored).toEqual({ storage: "keyring", baseUrl: A, folder: store.folder });
  expect([...keyring.accounts]).toEqual([[`work@${A} ${store.folder}`, "s3cr3t"]]);
  expect((await store.read()).profiles.get("work")?.token).toEqual(stored);
  expect(await secrets.load("work", stored)).toBe("s3cr3t");
  expect(await readdir(store.folder)).toEqual(["profiles.json"]);
  expect(await readFile(store.path, "utf8")).not.toContain("s3cr3t");
});

test("the token file is private and separate from the profiles", async () => {
  const { store, secrets, credentials, tokens, warnings } = await open(noKeyring);
  const stored = await secrets.save("work", A, "s3cr3t", { insecure: true });
  expect(await tokens()).toEqual({ [`work@${A}`]: "s3cr3t" });
  expect((await stat(credentials)).mode & 0o777).toBe(0o600);
  expect(await readFile(store.path, "utf8")).not.toContain("s3cr3t");
  expect(await secrets.load("work", stored)).toBe("s3cr3t");
  expect(warnings).toEqual([]);
});

test("no keyring: refused with the alternatives, nothing stored", async () => {
  const { store, secrets } = await open(noKeyring);
  const failure = await failureOf(secrets.save("work", A, "s3cr3t", { insecure: false }));
  expect([failure.exit, failure.code, failure.details.reason]).toEqual(["usage", "no_keyring", "no secret service"]);
  for (const way of ["--insecure-storage", "--token-command", "FORGECTL_TOKEN"]) {
    expect(failure.details.hint).toContain(way);
  }
  expect(failure.message + failure.details.hint).not.toContain("s3cr3t");
  expect(await readdir(store.folder)).toEqual([]);
  expect(await failureOf(secrets.requireKeyring())).toMatchObject({ message: failure.message });
  await (await open(memoryKeyring())).secrets.requireKeyring();
});

test("a new token replaces the previous one, wherever it was stored", async () => {
  const keyring = memoryKeyring();
  const { store, secrets, tokens } = await open(keyring);
  await secrets.save("work", A, "first", { insecure: false });
  await secrets.save("work", B, "second", { insecure: false });
  expect([...keyring.accounts]).toEqual([[`work@${B} ${store.folder}`, "second"]]);
  await secrets.save("work", B, "third", { insecure: true });
  expect(keyring.accounts.size).toBe(0);
  expect(await tokens()).toEqual({ [`work@${B}`]: "third" });
  await secrets.save("work", B, "fourth", { insecure: false });
  expect(await tokens()).toEqual({});
});

test("an unreachable keyring does not prevent storing a new token", async () => {
  const { secrets, with: withKeyring, store, warnings } = await open(memoryKeyring());
  await secrets.save("work", A, "first", { insecure: false });
  await withKeyring(noKeyring).save("work", A, "second", { insecure: true });
  expect((await store.read()).profiles.get("work")?.token?.storage).toBe("file");
  expect(warnings).toEqual([expect.stringContaining("the previous token was not removed")]);
});

test("profiles of one name and instance in two folders have tokens of their own", async () => {
  const keyring = memoryKeyring();
  const [usual, other] = [await open(keyring), await open(keyring)];
  const stored = await usual.secrets.save("default", A, "of-a-guest", { insecure: false });
  await other.secrets.save("default", A, "of-an-administrator", { insecure: false });
  const read = async () => (await usual.store.read()).profiles.get("default")?.token;
  expect(await read()).toEqual(stored);
  expect(await usual.secrets.load("default", (await read()) ?? stored)).toBe("of-a-guest");
  expect(await other.secrets.forget("default")).toBe(true);
  expect(await usual.secrets.load("default", stored)).toBe("of-a-guest");
});

test("what is done in a copy of a folder leaves the tokens of that folder alone", async () => {
  const keyring = memoryKeyring();
  const [usual, copy] = [await open(keyring), await open(keyring)];
  const stored = await usual.secrets.save("work", A, "of-an-administrator", { insecure: false });
  const copied = () => cp(usual.store.path, copy.store.path);
  await copied();
  await copy.secrets.save("work", A, "of-a-guest", { insecure: false });
  expect(await usual.secrets.load("work", stored)).toBe("of-an-administrator");
  expect(await copy.secrets.forget("work")).toBe(true);
  await copied();
  await copy.secrets.forget("work");
  expect([...keyring.accounts.values()]).toEqual(["of-an-administrator"]);
});

test.each(["renamed", "reached by another name"])("the token of a folder that was %s is removed", async (how) => {
  const keyring = memoryKeyring();
  const { store, secrets } = await open(keyring);
  await secrets.save("work", A, "s3cr3t", { insecure: false });
  const folder = join(await temporary(), "forgectl");
  await (how === "renamed" ? rename(store.folder, folder) : symlink(store.folder, folder));
  const other = openSecrets({
    ...{ store: openStore(storeHost(), { path: folder, foundIn: undefined }), keyring, files: nodeFiles("/") },
    warn: () => undefined,
  });
  expect(await other.forget("work")).toBe(true);
  expect(keyring.accounts.size).toBe(0);
});

test("a token that an earlier version stored is found, and replaced by the next one", async () => {
  const keyring = memoryKeyring();
  const { store, secrets } = await open(keyring);
  const earlier = { storage: "keyring", baseUrl: A } as const;
  await keyring.set(`work@${A}`, "first");
  await store.change((data) => void data.profiles.set("work", { settings: {}, rest: {}, token: earlier }));
  expect(await secrets.load("work", earlier)).toBe("first");
  await secrets.save("work", A, "second", { insecure: false });
  expect([...keyring.accounts.values()]).toEqual(["second"]);
});

test("what a file of profiles says of its folder leads to no token of another instance", async () => {
  const keyring = memoryKeyring();
  const { store, secrets } = await open(keyring);
  await secrets.save("work", A, "s3cr3t", { insecure: false });
  expect(await secrets.load("work", { storage: "keyring", baseUrl: B, folder: store.folder })).toBeUndefined();
});

test("the settings of a profile are kept when its token changes", async () => {
  const { secrets, store } = await open();
  await store.change((data) => void data.profiles.set("work", { settings: { project: "7" }, rest: { shade: 1 } }));
  await secrets.save("work", A, "t", { insecure: false });
  await secrets.forget("work");
  expect((await store.read()).profiles.get("work")).toEqual({ settings: { project: "7" }, rest: { shade: 1 } });
});

test("a removed token is gone from its storage; removing it again says so", async () => {
  const keyring = memoryKeyring();
  const { secrets, tokens } = await open(keyring);
  await secrets.save("work", A, "one", { insecure: false });
  await secrets.save("home", A, "two", { insecure: true });
  await secrets.save("away", A, "three", { insecure: true });
  expect([await secrets.forget("work"), await secrets.forget("home")]).toEqual([true, true]);
  expect(keyring.accounts.size).toBe(0);
  expect(await tokens()).toEqual({ [`away@${A}`]: "three" });
  expect([await secrets.forget("work"), await secrets.forget("nobody")]).toEqual([false, false]);
});

test("a token that cannot be removed from the keyring is not reported as removed", async () => {
  const { secrets, with: withKeyring, store } = await open();
  await secrets.save("work", A, "one", { insecure: false });
  const failure = await failureOf(withKeyring(noKeyring).forget("work"));
  expect(failure.code).toBe("no_keyring");
  expect((await store.read()).profiles.get("work")?.token).toBeDefined();
});

test("tokens stored at once in one folder are all kept", async () => {
  const { secrets, tokens, store } = await open();
  const names = Array.from({ length: 8 }, (_, n) => `p${n}`);
  await Promise.all(names.map((name) => secrets.save(name, A, name, { insecure: true })));
  expect(Object.values(await tokens()).sort()).toEqual(names);
  expect([...(await store.read()).profiles.keys()].sort()).toEqual(names);
});

test("the system's keyring stores a token, or the error says why it cannot", async () => {
  const { secrets } = await open(systemKeyring());
  let failure: Awaited<ReturnType<typeof failureOf>>;
  try {
    const stored = await secrets.save("forgectl-test", A, "s3cr3t", { insecure: false });
    expect(await secrets.load("forgectl-test", stored)).toBe("s3cr3t");
    expect(await secrets.forget("forgectl-test")).toBe(true);
    expect(await secrets.load("forgectl-test", stored)).toBeUndefined();
    return;
  } catch (error) {
    failure = error as typeof failure;
  }
  expect([failure.exit, failure.code]).toEqual(["usage", "no_keyring"]);
  expect(failure.details.reason).toMatch(/\S/);
});
