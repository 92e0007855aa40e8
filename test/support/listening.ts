import { spawn } from "node:child_process";
import { request } from "node:http";
import { atEnd } from "./ending.ts";
import { binary, node, type Result, type Session } from "./session.ts";

interface Listening {
  /** Address without a path. */
  readonly url: string;
  readonly port: number;
  /** The complete lines on stdout so far. */
  lines(): string[];
  stderr(): string;
  signal(name: NodeJS.Signals): void;
  /** Stops reading its stdout, as `head` does. */
  close(): void;
  readonly ended: Promise<Result>;
}

/** Starts `hooks listen` in a session, and waits until it is listening; it is stopped after the file's tests. */
export async function startListening(session: Session, ...words: string[]): Promise<Listening> {
  const child = spawn(node, [binary, "hooks", "listen", ...words], {
    cwd: session.home,
    env: session.env as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
  });
  atEnd(() => child.kill("SIGKILL"));
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk;
  });
  const ended = new Promise<Result>((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
  const port = await new Promise<number>((resolve, reject) => {
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk;
      const [, said] = /^listening on http:\/\/127\.0\.0\.1:(\d+); Ctrl-C stops it$/m.exec(stderr) ?? [];
      if (said !== undefined) resolve(Number(said));
    });
    void ended.then(() => reject(new Error(`it ended: ${stderr}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    lines: () => stdout.split("\n").slice(0, -1),
    stderr: () => stderr,
    close: () => void child.stdout.destroy(),
    signal: (name) => void child.kill(name),
    ended,
  };
}

interface Posted {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}

/** Sends a request, by default a POST, with any headers; `fetch` does not allow some. */
export function post(
  url: string,
  { method = "POST", body = "", headers = {} }: { method?: string; body?: string | Buffer; headers?: object } = {},
): Promise<Posted> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers: { ...headers }, agent: false }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks).toString() });
    });
    outgoing.on("error", reject);
    // With a text, Node would encode the headers as UTF-8 too, but they are bytes.
    outgoing.end(Buffer.from(body));
  });
}
