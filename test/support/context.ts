import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createApi } from "../../src/api/client.ts";
import { Redactor } from "../../src/api/redact.ts";
import { createTransport } from "../../src/api/transport/index.ts";
import type { Transport } from "../../src/api/transport/message.ts";
import type { Config } from "../../src/config/config.ts";
import type { Context } from "../../src/context.ts";
import type { Files } from "../../src/host.ts";
import { nodeFiles } from "../../src/node/files.ts";
import { after } from "../../src/node/timers.ts";

export interface TestContext extends Context {
  /** A new folder, which is also the working directory. */
  folder: string;
  notices: string[];
  interrupt: AbortController;
}

interface More {
  folder?: string;
  retries?: number;
  files?: Partial<Files>;
  /** Signs in with this access token; without it there is none. */
  token?: string;
  env?: Readonly<Record<string, string>>;
  /** Takes what is to be done once the context is no longer used; by default it is done at the end of the test. */
  finally?: (act: () => Promise<void>) => void;
}

/** A Context with this machine's files in a separate folder and an instance at `url`; waits end at once. */
export function contextFor(url: string, more: More = {}) {
  const folder = more.folder ?? mkdtempSync(join(tmpdir(), "forgectl-test-"));
  const interrupt = new AbortController();
  const redactor = new Redactor();
  const notices: string[] = [];
  let transport: Promise<Transport> | undefined;
  const until = (signal: AbortSignal) =>
    new Promise<void>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  // Waits that can be canceled are real; others end at once.
  const sleep = async (_ms: number, signal?: AbortSignal) =>
    signal === undefined ? interrupt.signal.throwIfAborted() : until(signal);
  const openTransport = () => {
    transport ??= createTransport({
      timeoutMs: 20_000,
      retries: 0,
      connections: 4,
      userAgent: "forgectl/test",
      env: {},
      signal: interrupt.signal,
      now: Date.now,
      elapsedMs: () => performance.now(),
      sleep: (_ms, signal) => until(signal ?? interrupt.signal),
      after,
      random: Math.random,
      redactor,
    });
    return transport;
  };
  (more.finally ?? onTestFinished)(async () => {
    await (await transport)?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const credential = async () =>
    more.token === undefined ? undefined : { token: more.token, kind: "access" as const };
  const api = createApi({
    baseUrl: () => url,
    registryUrl: () => url,
    credential,
    headerPrefix: "X-Service",
    concurrency: 4,
    dryRun: false,
    pause: async () => {},
    transport: openTransport,
    redactor,
  });
  const context = {
    folder,
    notices,
    interrupt,
    signal: interrupt.signal,
    cwd: folder,
    env: more.env ?? {},
    stateFolder: (of: string) => join(folder, "state", of),
    isLogged: false,
    uninterrupted: <T>(act: () => Promise<T>) => act(),
    unwatched: <T>(compute: () => Promise<T>) => compute(),
    files: { ...nodeFiles(folder), ...more.files },
    redact: (text: string) => redactor.text(text),
    conceal: (text: string) => redactor.add(text),
    holder: { name: "1:1@test", alive: () => false },
    sleep,
    now: () => new Date(),
    elapsedMs: () => performance.now(),
    config: {
      retries: more.retries ?? 4,
      concurrency: 4,
      dryRun: false,
      baseUrl: { value: url, source: "test" },
      credential: credential as unknown as Config["credential"],
      usedJobCredential: async () => undefined,
    } as Partial<Config>,
    api,
    verifier: api,
    progress: { start: () => ({ update() {}, stop() {} }) },
    shownTime: (time: string) => time,
    notice: (text: string) => notices.push(text),
    warn: (text: string) => notices.push(text),
    closing: (text: string) => notices.push(text),
    ifCutOff: () => undefined,
  };
  return context as unknown as TestContext;
}
