import { readdirSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import type { Api } from "../../src/api/api.ts";
import { createApi } from "../../src/api/client.ts";
import { Redactor } from "../../src/api/redact.ts";
import { createTransport } from "../../src/api/transport/index.ts";
import type { Transport } from "../../src/api/transport/message.ts";
import { after } from "../../src/node/timers.ts";
import type { Sandbox, SandboxOptions } from "../../src/sandbox/index.ts";
import { startSandbox } from "../support/sandbox.ts";
import type { Call } from "./call.ts";
import { endpoints, linesOf } from "./documents.ts";

// The client's endpoints are compared with a list written from the documents alone (endpoints.tsv), and each is called
// against the sandbox, which shares no route with the client: a path that is wrong on one side cannot pass.

/** What a file of calls exports. */
interface Called {
  calls: Call[];
  /** The instance that they need, if not the default one. */
  sandbox?: SandboxOptions;
}

const here = (path: string) => new URL(path, import.meta.url);

const documented = linesOf("endpoints.tsv").map(([base = "", method = "", path = ""]) =>
  normal(base === "base_url" ? "instance" : base === "registry_url" ? "registry" : "api", method, path),
);

/** The names of path parameters differ between the documents and the client, but not their positions. */
function normal(base: string, method: string, path: string): string {
  const places = path.replace(/:[a-z_]+|<[a-z_]+>/g, ":").replace(/\*[a-z_]+/g, "*");
  // A registry name may hold slashes: the documents write <name>.
  return `${base} ${method} ${base === "registry" ? places.replace("/v2/*/", "/v2/:/") : places}`;
}

const files = readdirSync(here("calls/"));
const calls = new Map<string, Called>(
  await Promise.all(
    files.map(async (file) => [file, await import(here(`calls/${file}`).pathname)] as [string, Called]),
  ),
);

// Undocumented endpoints are marked as such, and called against the sandbox like the others.
const within = endpoints.filter((endpoint) => !endpoint.beyond);

describe("the client's endpoints", () => {
  test.each(within.map((endpoint) => [endpoint.route, endpoint] as const))("%s is documented", (_, endpoint) => {
    expect(documented).toContain(normal(endpoint.base, endpoint.method, endpoint.path));
  });

  test("each documented endpoint is listed once", () => {
    const written = within.map((endpoint) => normal(endpoint.base, endpoint.method, endpoint.path));
    expect(written.toSorted()).toEqual(documented.toSorted());
  });

  test("no undocumented endpoint is among them", () => {
    for (const endpoint of endpoints.filter((each) => each.beyond)) {
      expect(documented).not.toContain(normal(endpoint.base, endpoint.method, endpoint.path));
    }
  });

  test("each is called in these tests", () => {
    const called = new Set([...calls.values()].flatMap(({ calls }) => calls).map((call) => call.endpoint.route));
    expect(endpoints.map((endpoint) => endpoint.route).filter((route) => !called.has(route))).toEqual([]);
  });
});

describe.each([...calls])("against the sandbox: %s", (_, { calls: list, sandbox: instance }) => {
  const running: { sandbox?: Sandbox; transport?: Transport } = {};
  afterAll(async () => {
    await running.transport?.close();
    await running.sandbox?.close();
  });

  test.each(list.map((call) => [call.endpoint.route, call] as const))("%s", async (_, call) => {
    running.sandbox ??= await startSandbox(instance);
    running.transport ??= await connect();
    const api = clientOf(running.sandbox, running.transport, call.as);
    const { authorization } = call;
    const signed = typeof authorization === "function" ? await authorization(running.sandbox) : authorization;
    const options = signed === undefined ? {} : { authorization: signed };
    if (call.endpoint.page !== undefined) {
      for await (const row of api.list(call.endpoint as never, call.input as never, { limit: 3, perPage: 3 }))
        expect(row).toBeTypeOf("object");
    } else if (call.endpoint.returns === "bytes") {
      const { body } = await api.download(call.endpoint as never, call.input as never, options);
      for await (const chunk of body) expect(chunk.length).toBeGreaterThan(0);
    } else {
      const answer = await api.call(call.endpoint, call.input as never, options);
      // A "json" answer may have any form, or be empty.
      if (call.endpoint.returns !== "json") {
        // What an answer does not show is read once more.
        const { returns, readBy } = call.endpoint;
        expect(typeof answer).toBe(returns === "nothing" && readBy === undefined ? "undefined" : "object");
      }
    }
  });
});

function connect(): Promise<Transport> {
  return createTransport({
    timeoutMs: 10_000,
    retries: 0,
    connections: 4,
    userAgent: "contract",
    env: {},
    signal: new AbortController().signal,
    now: Date.now,
    elapsedMs: () => performance.now(),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    after,
    random: Math.random,
  });
}

function clientOf(sandbox: Sandbox, transport: Transport, role: keyof Sandbox["tokens"]): Api {
  return createApi({
    baseUrl: () => sandbox.url,
    registryUrl: () => sandbox.registryUrl,
    credential: async () => ({ token: sandbox.tokens[role], kind: role === "jobToken" ? "job" : "access" }),
    headerPrefix: "X-Service",
    concurrency: 4,
    dryRun: false,
    pause: async () => {},
    transport: async () => transport,
    redactor: new Redactor(),
  });
}
