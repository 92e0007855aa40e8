import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";

/** A tmux with one window. */
export interface Tmux {
  /** Does a command after the earlier ones; resolves with the lines that it prints. */
  do(...words: string[]): Promise<string[]>;
  /** Resolves when the window gets more output, or after a while. */
  output(): Promise<unknown>;
}

/** Milliseconds; not all that changes the screen is output. */
const longestWaitMs = 200;

interface Command {
  resolve(lines: string[]): void;
  reject(error: Error): void;
}

/**
 * Starts a tmux in control mode, in which one client sends all commands, and hears of all output: a client for each
 * command and each look at the screen would take most of a test's time.
 */
export function startTmux(socket: string, session: readonly string[]): Tmux {
  const flags = ["-u", "-S", socket, "-f", "/dev/null", "-C"];
  const client = spawn("tmux", [...flags, "new-session", ...session], { stdio: ["pipe", "pipe", "inherit"] });
  const sent: Command[] = [];
  const heard = new EventEmitter();
  // Until there is a session, commands have no target.
  const attached = once(heard, "attached");
  let block: { guard: string; lines: string[] } | undefined;
  let rest = "";
  const hear = (line: string) => {
    if (block === undefined) {
      // Flag 1 marks the answers to what this client sent.
      const [, guard] = /^%begin (\d+ \d+ 1)$/.exec(line) ?? [];
      if (guard !== undefined) block = { guard, lines: [] };
      else if (line.startsWith("%output ")) heard.emit("output");
      else if (line.startsWith("%session-changed ")) heard.emit("attached");
    } else if (line === `%end ${block.guard}`) {
      sent.shift()?.resolve(block.lines);
      block = undefined;
    } else if (line === `%error ${block.guard}`) {
      sent.shift()?.reject(new Error(`tmux: ${block.lines.join("\n")}`));
      block = undefined;
    } else block.lines.push(line);
  };
  client.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) hear(line);
  });
  const fail = (error: Error) => {
    heard.emit("attached");
    for (const command of sent.splice(0)) command.reject(error);
  };
  client.on("error", fail);
  client.on("close", () => fail(new Error("tmux ended")));
  // Commands that are sent to a tmux that has ended are rejected by its end.
  client.stdin.on("error", () => undefined);
  return {
    async do(...words) {
      await attached;
      return new Promise((resolve, reject) => {
        sent.push({ resolve, reject });
        client.stdin.write(`${words.map(quoted).join(" ")}\n`);
      });
    },
    output: () => once(heard, "output", { signal: AbortSignal.timeout(longestWaitMs) }).catch(() => undefined),
  };
}

/** As tmux reads a word; commands end with their line. */
function quoted(word: string): string {
  const escaped = word.replace(/["\\$]/g, "\\$&");
  return `"${escaped.replace(/\p{Cc}/gu, (control) => `\\${control.charCodeAt(0).toString(8).padStart(3, "0")}`)}"`;
}
