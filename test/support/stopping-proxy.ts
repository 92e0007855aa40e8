import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { atEnd } from "./ending.ts";
import { binary, node, type Result, type Session } from "./session.ts";

/** Where something happens to a run: at one of its requests, before the instance receives it or after it has acted. */
export interface Moment {
  /** Number of the request, from 0. */
  readonly at: number;
  readonly when: "before" | "after";
  /**
   * A signal to the program, the end of its output, a broken connection, half an answer, or another answer in place of
   * the instance's.
   */
  readonly what: NodeJS.Signals | "closed" | "cut" | "torn" | 403 | 500 | 502;
}

interface Stopped extends Result {
  /** `GET /path` of the requests that arrived. */
  readonly requests: string[];
}

/** What is known of the run in progress. */
interface Running {
  readonly requests: string[];
  readonly moment: Moment | undefined;
  kill(signal: NodeJS.Signals): void;
  /** Reads no more of its output, as `| head -1` does. */
  close(): void;
  /** Resolves when the program says that it waits for what is in progress. */
  waits(): Promise<void>;
}

/**
 * Runs commands as processes against an instance behind a proxy, and stops them at an exact request: no time is
 * involved, so that a failure can be reproduced.
 */
export async function stoppable(target: string) {
  const idle: Running = {
    requests: [],
    moment: undefined,
    kill: () => undefined,
    close: () => undefined,
    waits: () => new Promise(() => undefined),
  };
  let running = idle;
  const server = createServer((incoming, outgoing) => {
    void pass(target, running, incoming, outgoing);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const run = async (place: Session, words: readonly string[], moment?: Moment): Promise<Stopped> => {
    const child = spawn(node, [binary, ...words], {
      cwd: place.home,
      env: { ...place.env, FORGECTL_BASE_URL: url } as NodeJS.ProcessEnv,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const output = { stdout: "", stderr: "" };
    const waiting: (() => void)[] = [];
    child.stdout.on("data", (chunk: Buffer) => {
      output.stdout += chunk.toString();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      output.stderr += chunk.toString();
      if (output.stderr.includes("stopping: ")) for (const resolve of waiting) resolve();
    });
    running = {
      requests: [],
      moment,
      kill: (signal) => child.kill(signal),
      close: () => child.stdout.destroy(),
      waits: () => new Promise((resolve) => waiting.push(resolve)),
    };
    const { requests } = running;
    const [code] = (await once(child, "close")) as [number | null];
    running = idle;
    return { code, ...output, requests };
  };
  return { url, run };
}

async function pass(target: string, running: Running, incoming: IncomingMessage, outgoing: ServerResponse) {
  const { method = "", url = "", headers } = incoming;
  const { moment } = running;
  const isMoment = running.requests.push(`${method} ${url}`) - 1 === moment?.at;
  const body = await buffer(incoming);
  if (isMoment && moment?.when === "before" && (await happens(running, moment, outgoing))) return;
  const onward = request(new URL(url, target), { method, headers });
  onward.end(body);
  const [answer] = (await once(onward, "response")) as [IncomingMessage];
  const bytes = await buffer(answer);
  if (isMoment && moment?.when === "after" && (await happens(running, moment, outgoing))) return;
  outgoing.writeHead(answer.statusCode ?? 0, answer.headers).end(bytes);
}

/** What happens at the moment; whether the program gets no other answer. */
async function happens(running: Running, { what }: Moment, outgoing: ServerResponse): Promise<boolean> {
  if (typeof what === "number") {
    outgoing
      .writeHead(what, { "content-type": "application/json" })
      .end(JSON.stringify({ message: `${what} by chance` }));
    return true;
  }
  if (what === "closed") {
    running.close();
    return false;
  }
  if (what === "cut") {
    outgoing.destroy();
    return true;
  }
  if (what === "torn") {
    outgoing.writeHead(200, { "content-type": "application/json", "content-length": "100" });
    outgoing.write('{"id":', () => outgoing.destroy());
    return true;
  }
  // Waits for the effect of the signal: the request is given up, or the program says that it waits for it.
  const closed = once(outgoing, "close").then(() => true);
  const waits = running.waits().then(() => false);
  running.kill(what);
  return Promise.race([closed, waits]);
}
