import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { atEnd } from "./ending.ts";

interface Message {
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

interface Diagnostic {
  message: string;
  range: { start: { line: number } };
}

/** A place in an open file: the end of the first line that holds this text, counted from 0. */
interface Place {
  line: number;
  character: number;
}

/** A YAML file that is open in an editor. */
export interface OpenFile {
  /** The problems that the editor shows. */
  problems(): Promise<Diagnostic[]>;
  /** What it offers at a place. */
  completions(place: Place): Promise<string[]>;
  /** What it shows for the word at a place. */
  hover(place: Place): Promise<string>;
}

/** The YAML language server as editors run it, over its protocol on stdin and stdout. */
export async function startLanguageServer(): Promise<{ open(path: string, text: string): OpenFile }> {
  const folder = dirname(createRequire(import.meta.url).resolve("yaml-language-server/package.json"));
  const server = spawn(process.execPath, [join(folder, "bin", "yaml-language-server"), "--stdio"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  atEnd(() => void server.kill());
  const waiting = new Map<number, (message: Message) => void>();
  const published = new Map<string, Diagnostic[]>();
  const watchers = new Map<string, (found: Diagnostic[]) => void>();
  let count = 0;

  function send(message: Message): void {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }
  function ask(method: string, params: unknown): Promise<unknown> {
    const id = ++count;
    send({ id, method, params });
    return new Promise((resolve, reject) => {
      waiting.set(id, ({ error, result }) => (error === undefined ? resolve(result) : reject(error)));
    });
  }
  function take(message: Message): void {
    const { id, method, params } = message;
    if (method === undefined) {
      waiting.get(id ?? 0)?.(message);
      return;
    }
    if (method === "textDocument/publishDiagnostics") {
      const { uri, diagnostics } = params as { uri: string; diagnostics: Diagnostic[] };
      published.set(uri, diagnostics);
      watchers.get(uri)?.(diagnostics);
    }
    // An editor without settings of its own.
    const items = (params as { items?: unknown[] } | undefined)?.items ?? [];
    if (id !== undefined) send({ id, result: method === "workspace/configuration" ? items.map(() => null) : null });
  }

  let rest: Buffer = Buffer.alloc(0);
  server.stdout.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const [head, length] = /^Content-Length: (\d+)\r\n(?:.*\r\n)*?\r\n/.exec(rest.toString("latin1")) ?? [];
      if (head === undefined || rest.length < head.length + Number(length)) return;
      const end = head.length + Number(length);
      const text = rest.toString("utf8", head.length, end);
      rest = rest.subarray(end);
      take(JSON.parse(text) as Message);
    }
  });

  await ask("initialize", { processId: process.pid, rootUri: null, capabilities: {} });
  send({ method: "initialized", params: {} });

  return {
    open(path, text) {
      const uri = String(pathToFileURL(path));
      const first = new Promise<Diagnostic[]>((resolve) => watchers.set(uri, resolve));
      send({ method: "textDocument/didOpen", params: { textDocument: { uri, languageId: "yaml", version: 1, text } } });
      const at = (position: Place) => ({ textDocument: { uri }, position });
      return {
        problems: async () => published.get(uri) ?? first,
        completions: async (place) => {
          const found = (await ask("textDocument/completion", at(place))) as { items: { label: string }[] };
          return found.items.map(({ label }) => label);
        },
        hover: async (place) => {
          const found = (await ask("textDocument/hover", at(place))) as { contents: { value: string } } | null;
          return found?.contents.value ?? "";
        },
      };
    },
  };
}
