import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";

// No telemetry, no update check: a module that Node loads first, below all libraries, records the process's connections
// and name lookups.

const { sandbox, run, home } = await sandboxSession();
const instance = new URL(sandbox.url).host;
const contacts = join(home, "contacts");
const watch = join(home, "watch.cjs");
writeFileSync(
  watch,
  `const { appendFileSync } = require("node:fs");
const note = (text) => appendFileSync(${JSON.stringify(contacts)}, text + "\\n");
const { Socket } = require("node:net");
const { connect } = Socket.prototype;
Socket.prototype.connect = function (...all) {
  const [{ host, port, path }] = Array.isArray(all[0]) ? all[0] : all;
  note(path ?? (host ?? "localhost") + ":" + port);
  return connect.apply(this, all);
};
const dgram = require("node:dgram");
const { send } = dgram.Socket.prototype;
dgram.Socket.prototype.send = function (...all) {
  note("datagram");
  return send.apply(this, all);
};
for (const dns of [require("node:dns"), require("node:dns").promises]) {
  for (const name of Object.keys(dns).filter((each) => /^(?:lookup|resolve)/.test(each))) {
    const original = dns[name];
    dns[name] = (host, ...rest) => {
      note("name " + host);
      return original.call(dns, host, ...rest);
    };
  }
}
`,
);

/** What a command contacts, each once: \`host:port\`, \`name host\`, or a socket's path. */
async function contacted(line: string, baseUrl = sandbox.url): Promise<string[]> {
  const args = line.split(" ");
  rmSync(contacts, { force: true });
  const { code, stderr } = await run(...args, {
    env: {
      FORGECTL_BASE_URL: baseUrl,
      NODE_OPTIONS: `--require ${watch}`,
      FORGECTL_REGISTRY_URL: sandbox.registryUrl,
    },
  });
  expect(code, stderr).toBe(0);
  return existsSync(contacts) ? [...new Set(readFileSync(contacts, "utf8").trim().split("\n"))] : [];
}

test("names and addresses are recorded", async () => {
  const { port } = new URL(sandbox.url);
  expect(await contacted("users me", `http://localhost:${port}`)).toEqual([`localhost:${port}`, "name localhost"]);
});

describe("a command contacts only the instance", () => {
  test.each([
    ["users me"],
    ["users list --limit all"],
    ["registry list -p 7"],
    ["artifacts download -p 7 --ref main --job build"],
    ["settings list"],
    ["settings set terminal_max_session_time=60"],
    ["projects list -g acme"],
    ["auth status"],
    ["doctor"],
  ])("%s", async (line) => {
    expect(await contacted(line)).toEqual([instance]);
  });
});

describe("a command without requests contacts nothing", () => {
  test.each([
    ["--version"],
    ["--help"],
    ["commands"],
    ["completion bash"],
    ["help environment"],
    ["settings explain signup_enabled"],
    ["profiles list"],
    ["doctor --offline"],
  ])("%s", async (line) => {
    expect(await contacted(line)).toEqual([]);
  });
});
