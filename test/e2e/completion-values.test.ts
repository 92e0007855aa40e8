import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { json, signedIn } from "../support/answering.ts";
import { atEnd } from "../support/ending.ts";
import { sampled } from "../support/examples.ts";
import { startSandbox } from "../support/sandbox.ts";
import { requestsIn, session } from "../support/session.ts";

// What TAB requests from the instance. Most tests allow plenty of time, since the duration depends on the machine.

async function shellAt(options: SandboxOptions = {}, env: Readonly<Record<string, string>> = {}) {
  const log: string[] = [];
  const sandbox = await startSandbox({ ...options, log: (line) => log.push(line) });
  atEnd(() => sandbox.close());
  const { run, home } = session({
    FORGECTL_BASE_URL: sandbox.url,
    FORGECTL_TOKEN: sandbox.tokens.administrator,
    FORGECTL_COMPLETION_TIMEOUT: "30",
    XDG_CACHE_HOME: undefined,
    ...env,
  });
  return { ...tabs(run), home, sandbox, requests: () => requestsIn(log) };
}

/** Words of a line, the last of which is being typed; the answer's lines. */
function tabs(run: ReturnType<typeof session>["run"]) {
  return {
    tab: async (line: string, env: Readonly<Record<string, string | undefined>> = {}) => {
      const { stdout, stderr, code } = await run("__complete", "--", ...line.split(" "), { env });
      expect([line, stderr, code]).toEqual([line, "", 0]);
      return stdout.split("\n").slice(0, -1);
    },
  };
}

const values = (home: string) => join(home, ".cache/forgectl/values");

function kept(home: string): string[] {
  return readdirSync(values(home)).map((name) => join(values(home), name));
}

describe("values of the instance on TAB", () => {
  test("are those that the instance lists in the line's scope, each with a description", async () => {
    const { tab } = await shellAt({}, { FORGECTL_PROJECT: "acme/storefront", FORGECTL_GROUP: "acme" });
    const offers = [
      ["registry get ", "12\tacme/storefront"],
      ["registry delete 12 ", "13\tacme/storefront/worker"],
      ["registry tags get 12 late", "latest"],
      ["registry manifests delete acme/storefront/w", "acme/storefront/worker\t13"],
      ["uploads download ", "5\trelease-notes.md"],
      ["envs update ", "production"],
      ["errors keys rotate ", "1\tactive"],
      ["hooks get ", "1\tChat, https://chat.acme.example"],
      ["saml links get Eng", "Engineering"],
      ["ldap links remove --cn eng", "engineering\tldapmain"],
      ["users get dana", "dana.dixon\tDana Dixon"],
      ["projects get acme/mobile/ios", "acme/mobile/ios-app\tiOS App"],
      ["registry list -g glo", "globex\tGlobex"],
      ["envs protect x --allow user:dana", "user:dana.dixon\tDana Dixon"],
      ["envs update x --set-allow=12=group:acme/mob", "--set-allow=12=group:acme/mobile\tMobile"],
      ["each -- registry get ", "12\tacme/storefront"],
    ] as const;
    // Each of them runs two processes. With FORGECTL_TEST_EXAMPLES=all, all.
    for (const [line, offer] of sampled(offers, 3)) expect(await tab(line), line).toContain(offer);
    expect((await tab("hooks resend 1 "))[0]).toMatch(/^\d+\t\w+_hooks, /);
    // Existing names are not offered for something new.
    expect(await tab("saml links add Eng")).toEqual([]);
    expect(await tab("envs protect prod")).toEqual([]);
  }, 120_000);

  test("take one request, and none for five minutes", async () => {
    const { tab, requests, home } = await shellAt({}, { FORGECTL_PROJECT: "acme/storefront" });
    const list = "GET /api/v4/projects/acme%2Fstorefront/registry/repositories 200";
    const found = await tab("registry get ");
    expect(found).toHaveLength(3);
    expect(requests()).toEqual([list]);
    expect(await tab("registry get 1")).toEqual(found);
    expect(await tab("registry tags list ")).toEqual(found);
    expect(requests()).toEqual([]);
    const [file = ""] = kept(home);
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), at: Date.now() - 5 * 60_000 }));
    expect(await tab("registry get ")).toEqual(found);
    expect(requests()).toEqual([list]);
    // If the clock was turned back, its age is unknown.
    writeFileSync(file, JSON.stringify({ at: Date.now() + 60_000, offers: [["99", "made up"]] }));
    expect(await tab("registry get ")).toEqual(found);
  }, 60_000);

  test("are stored for this user only, without secrets, separately for each instance, token, and profile", async () => {
    const { tab, home, sandbox, requests } = await shellAt({}, { FORGECTL_GROUP: "acme" });
    const other = await startSandbox();
    atEnd(() => other.close());
    await tab("hooks get ");
    const modes = [values(home), ...kept(home)].map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600]);
    const text = kept(home)
      .map((path) => readFileSync(path, "utf8"))
      .join();
    expect(text).toContain("https://chat.acme.example");
    expect(text).not.toMatch(/hooks\/|glpat|token/);
    expect(text).not.toContain(sandbox.tokens.administrator);
    requests();

    expect(await tab("hooks get ", { FORGECTL_TOKEN: sandbox.tokens.developer })).toEqual([]);
    expect(requests()).toHaveLength(1);
    await tab("hooks get ", { FORGECTL_BASE_URL: other.url, FORGECTL_TOKEN: other.tokens.administrator });
    expect(requests()).toEqual([]);
    expect(kept(home)).toHaveLength(3);
    mkdirSync(join(home, ".config/forgectl"), { recursive: true, mode: 0o700 });
    const work = { settings: {}, "base-url": sandbox.url };
    writeFileSync(join(home, ".config/forgectl/profiles.json"), JSON.stringify({ version: 1, profiles: { work } }));
    await tab("--profile work hooks get ");
    expect(kept(home)).toHaveLength(4);
  }, 60_000);

  test("are searched on the instance if the list is long, a path by its last part", async () => {
    const { tab, requests } = await shellAt();
    // Not among the first hundred.
    expect(await tab("users get d")).not.toContain("dana.dixon\tDana Dixon");
    expect(await tab("users get dana")).toEqual(["dana.dixon\tDana Dixon"]);
    expect(requests()).toHaveLength(2);
  }, 60_000);

  test("that arrive too late are used by the next TAB, and are requested once", async () => {
    const { tab, requests, home } = await shellAt({ latencyMs: 1000 }, { FORGECTL_PROJECT: "acme/storefront" });
    const inTime = { FORGECTL_COMPLETION_TIMEOUT: undefined };
    expect(await tab("registry get ", inTime)).toEqual([]);
    expect(await tab("registry get ", inTime)).toEqual([]);
    const isThere = () => kept(home).some((path) => readFileSync(path, "utf8").includes("acme/storefront/worker"));
    while (!isThere()) await sleep(50);
    // The time limit is part of the key.
    expect(await tab("registry get ", inTime)).toHaveLength(3);
    expect(requests()).toHaveLength(1);
  }, 60_000);

  test("are each offered once, so that bash inserts no text that two of one ID have in common", async () => {
    const url = "https://chat.example";
    const hooks = ["a", "b"].map((end) => ({ id: 12, name: `x; touch PWNED; ${end}`, url }));
    const { run } = await signedIn(json(200, JSON.stringify(hooks)));
    const env = { FORGECTL_COMPLETION_TIMEOUT: "30" };
    const line = "forgectl hooks get --group 7 ";
    const { stdout } = await run("__complete", "--bash", " =:", "80", "--", line, { env });
    expect(stdout).toBe("12\n");
  });
});

describe("no values of the instance on TAB, and no message", () => {
  test("if it accepts and never answers: the shell continues", async () => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => void sockets.add(socket.on("error", () => undefined)));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    atEnd(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const { port } = server.address() as { port: number };
    const { tab } = tabs(
      session({ FORGECTL_BASE_URL: `http://127.0.0.1:${port}`, FORGECTL_TOKEN: "x", FORGECTL_PROJECT: "7" }).run,
    );
    expect(await tab("registry get ")).toEqual([]);
    // Values that are known without the instance are offered.
    expect(await tab("registry list -p ")).toEqual(["7\tFORGECTL_PROJECT"]);
    for (let tries = 0; sockets.size === 0 && tries < 200; tries++) await sleep(50);
    expect(sockets.size).toBeGreaterThan(0);
  }, 60_000);

  test("if the token is refused or missing, and it is not tried again at once", async () => {
    const { tab, requests } = await shellAt({}, { FORGECTL_PROJECT: "7", FORGECTL_TOKEN: "wrong" });
    expect(await tab("registry get ")).toEqual([]);
    expect(await tab("registry get ")).toEqual([]);
    expect(requests()).toHaveLength(1);
    expect(await tab("registry get ", { FORGECTL_TOKEN: undefined })).toEqual([]);
    expect(requests()).toEqual([]);
  }, 60_000);

  test("if the token command is slow; it has no terminal to prompt on", async () => {
    const { sandbox, home, tab, requests } = await shellAt({}, { FORGECTL_PROJECT: "7" });
    mkdirSync(join(home, ".config/forgectl"), { recursive: true, mode: 0o700 });
    const work = {
      "base-url": sandbox.url,
      "token-command": `{ true < /dev/tty; } 2> ${home}/tty; echo $? > ${home}/code; sleep 3; echo ${sandbox.tokens.administrator}`,
    };
    const profiles = { version: 1, current: "work", profiles: { work } };
    writeFileSync(join(home, ".config/forgectl/profiles.json"), JSON.stringify(profiles), { mode: 0o600 });
    const own = { FORGECTL_BASE_URL: undefined, FORGECTL_TOKEN: undefined, FORGECTL_COMPLETION_TIMEOUT: undefined };
    expect(await tab("registry get ", own)).toEqual([]);
    expect(requests()).toEqual([]);
    while (requests().length === 0) await sleep(50);
    expect(readFileSync(join(home, "code"), "utf8")).not.toBe("0\n");
  }, 60_000);

  test("if it is turned off, no folder can be used, or others can write to the folder", async () => {
    const { tab, requests, home } = await shellAt({}, { FORGECTL_PROJECT: "7" });
    expect(await tab("registry get ", { FORGECTL_COMPLETION_TIMEOUT: "0" })).toEqual([]);
    expect(await tab("registry get ", { XDG_CACHE_HOME: undefined, HOME: "/nowhere" })).toEqual([]);
    const open = join(home, "open");
    mkdirSync(join(open, "forgectl/values"), { recursive: true });
    chmodSync(join(open, "forgectl/values"), 0o777);
    expect(await tab("registry get ", { XDG_CACHE_HOME: open })).toEqual([]);
    expect(requests()).toEqual([]);
  }, 60_000);

  test("for words that need no instance", async () => {
    const { tab, requests, home } = await shellAt();
    await tab("registry ");
    await tab("registry list --");
    await tab("users list -o ");
    await tab("settings get signup");
    expect(requests()).toEqual([]);
    expect(() => readdirSync(join(home, ".cache/forgectl/values"))).toThrow();
  }, 60_000);
});

test("an answer that arrives byte by byte is not waited for longer than ten seconds", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n[");
      const drip = setInterval(() => socket.write(" "), 200);
      socket.on("close", () => clearInterval(drip));
    });
  }).listen(0, "127.0.0.1");
  atEnd(() => server.close());
  await new Promise((listening) => server.once("listening", listening));
  const { port } = server.address() as { port: number };
  const { run } = session({ FORGECTL_BASE_URL: `http://127.0.0.1:${port}`, FORGECTL_TOKEN: "t0ken-of-nobody" });
  const wanted = JSON.stringify({ source: "project", typed: "", line: {} });
  const began = performance.now();
  const { stdout, code } = await run("__complete", "--ask", "--", wanted, { asProcess: true });
  expect([stdout, code, performance.now() - began < 20_000]).toEqual(["", 0, true]);
}, 60_000);
