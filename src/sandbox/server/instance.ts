import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener, type Server, type ServerOptions } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { demoRegistry, demoTokens } from "../areas/places/tokens.ts";
import { DataFile } from "../store/datafile.ts";
import { cell, Store } from "../store/store.ts";
import { World } from "../store/world.ts";
import { answerWithFault } from "./answer-with-fault.ts";
import { createApp } from "./app.ts";
import { Faults, parseFault } from "./faults.ts";
import { loopbackOnly } from "./guard.ts";
import type { Sandbox, SandboxOptions } from "./options.ts";
import type { Area } from "./router.ts";

/** How long a close waits for answers in progress. */
const GRACE_MS = 250;

/** The usual value of proxies: with Node's 5 s, a client that pauses occasionally gets connection resets. */
const KEEP_ALIVE_MS = 65_000;

/** The areas whose demo data is in the store. */
const seeded = cell<readonly string[]>("seeded", () => []);

/**
 * Starts a server with the given areas; see `startSandbox` for its errors.
 *
 * @param addDemoData fills the store, by default with the demo data of the areas that it does not have yet
 */
export async function startInstance(
  options: SandboxOptions,
  areas: readonly Area[],
  addDemoData: (world: World) => void = (world) => seed(world, areas),
): Promise<Sandbox> {
  const faults = new Faults(typeof options.faults === "string" ? parseFault(options.faults) : (options.faults ?? []));
  const log = options.log ?? (() => {});
  const store = new Store();
  const world = new World(store, {
    tier: options.tier ?? "ultimate",
    hosting: options.hosting ?? "self-managed",
    asDeployed: options.asDeployed ?? false,
    offsetLimit: options.offsetLimit,
    minuteMs: options.minuteMs,
    settingsCacheMs: (options.settingsCacheSeconds ?? 0) * 1000,
    now: options.now ?? (() => new Date()),
    log,
  });
  const dataFile = options.dataFile === undefined ? undefined : new DataFile(options.dataFile, store, log);
  const ending = new AbortController();
  try {
    await dataFile?.load();
    addDemoData(world);
    const server = createServer(createApp(world, areas), {
      now: world.now,
      faults,
      log,
      latencyMs: options.latencyMs ?? 0,
      signal: ending.signal,
    });
    // Before the port opens, so that all changes are saved from the first request on.
    if (dataFile !== undefined) store.onChange = () => dataFile.schedule();
    const url = await listen(server, options.host ?? "127.0.0.1", options.port ?? 0);
    world.url = url;
    world.onEvent = (event) => {
      for (const area of areas) area.onEvent?.(world, event);
    };
    if (dataFile !== undefined) await saveFirst(dataFile, server);
    const end = async () => {
      ending.abort();
      world.close();
      await stop(server);
      await dataFile?.finish().finally(() => store.blobs.close());
      store.blobs.close();
    };
    let ended: Promise<void> | undefined;
    const close = () => (ended ??= end());
    return { url, registryUrl: url, registryUser: demoRegistry.user, tokens: demoTokens, store, close };
  } catch (error) {
    store.blobs.close();
    throw error;
  }
}

/** Adds the demo data of areas that is not yet in the store. */
function seed(world: World, areas: readonly Area[]): void {
  const held = world.store.get(seeded);
  const missing = areas.filter((area) => !held.includes(area.name));
  for (const area of missing) area.seed?.(world);
  if (missing.length > 0) world.store.set(seeded, [...held, ...missing.map((area) => area.name)]);
}

/** Saves immediately, so that an unwritable file is an error at start. */
async function saveFirst(dataFile: DataFile, server: Server): Promise<void> {
  try {
    await dataFile.save();
  } catch (error) {
    await stop(server);
    throw error;
  }
}

interface Serving {
  readonly now: () => Date;
  readonly faults: Faults;
  readonly log: (line: string) => void;
  readonly latencyMs: number;
  readonly signal: AbortSignal;
}

function createServer(app: ReturnType<typeof createApp>, serving: Serving): Server {
  const { faults, log, latencyMs, signal } = serving;
  const fetch = async (request: Request, env: unknown): Promise<Response> => {
    const { incoming } = env as HttpBindings;
    const started = performance.now();
    const path = (incoming.url ?? "/").split("?")[0] ?? "/";
    const fault = faults.take(request.method, path);
    if (latencyMs > 0) await sleep(latencyMs, undefined, { signal }).catch(() => {});
    const proceed = async () => app.fetch(request, env as HttpBindings);
    const response = await (fault === undefined ? proceed() : answerWithFault(fault, { incoming, signal }, proceed));
    const requestId = newRequestId(serving.now());
    if (response !== RESPONSE_ALREADY_SENT) response.headers.set("x-request-id", requestId);
    const ms = Math.round(performance.now() - started);
    log(`${request.method} ${path} ${fault?.kind ?? response.status} ${ms}ms ${requestId}`);
    return response;
  };
  const server = createAdaptorServer({
    fetch,
    overrideGlobalObjects: false,
    createServer: ((options: ServerOptions, listener: RequestListener) =>
      createHttpServer(options, loopbackOnly(listener))) as typeof createHttpServer,
  }) as Server;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return server;
}

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A ULID: ten characters of time, sixteen random. */
function newRequestId(now: Date): string {
  let id = "";
  for (let time = now.getTime(), i = 0; i < 10; i += 1, time = Math.floor(time / 32))
    id = `${ALPHABET[time % 32]}${id}`;
  for (const byte of randomBytes(16)) id += ALPHABET[byte % 32];
  return id;
}

async function listen(server: Server, host: string, port: number): Promise<string> {
  server.listen(port, host);
  await once(server, "listening");
  const bound = (server.address() as AddressInfo).port;
  return `http://${host.includes(":") ? `[${host}]` : host}:${bound}`;
}

/** Closes idle connections immediately, and the others after a grace period. */
async function stop(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, "close");
  server.close();
  server.closeIdleConnections();
  const hurry = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearTimeout(hurry);
}
