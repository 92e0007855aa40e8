import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { groups } from "../../src/commands/index.ts";
import type { Command } from "../../src/declare/command.ts";
import { commandsIn, parsedFlags } from "../../src/declare/describe.ts";
import { globalFlags } from "../../src/declare/globals.ts";
import { refuseUnfit } from "../../src/jobs/unfit-commands.ts";
import { type Altered, alteringSession, type Exchange } from "./altering-proxy.ts";
import { changeLines } from "./change-lines.ts";
import { isPlain, shellWords } from "./shell.ts";
import { withTimeout } from "./with-timeout.ts";

// A command alone, and the same as the only one of `batch` and of `each`, on instances of their own.

/** A command that `each` and `batch` take, and a line of it, without the program and without global flags. */
export interface Line {
  readonly line: string;
  readonly command: Pick<Command, "params" | "requests">;
  readonly words: readonly string[];
}

/** What is answered in place of the sandbox's own answer. */
export type Alter = (exchange: Exchange) => Altered;

/** A run as data. */
export interface Told {
  readonly code: number | null;
  /** Stdout as JSON; as text, if it is none; undefined if there is none. */
  readonly result: unknown;
  /** Stdout as it is. */
  readonly text: string;
  /** The names in its first line, if it is CSV. */
  readonly columns: readonly string[];
  /** The error object of stderr, without the request's ID. */
  readonly error: Readonly<Record<string, unknown>> | undefined;
  /** The other lines of stderr. */
  readonly said: readonly string[];
}

/** The lines of the examples and of the table of changes, of every command that may run inside another. */
export async function insideLines(): Promise<Line[]> {
  const nodes = await Promise.all(groups.map((entry) => entry.load()));
  const admitted = nodes.flatMap((node) => [...commandsIn(node)]).filter(({ path }) => isAdmitted(path));
  const examples = admitted.flatMap(({ command }) => command.examples.map(({ line }) => ({ line, command })));
  const changes = changeLines.map(filledIn).flatMap((line) => {
    const own = admitted.find(({ path }) => line.startsWith(`${path.join(" ")} `));
    return own === undefined ? [] : [{ line, command: own.command }];
  });
  const found: Line[] = [];
  for (const { line, command } of [...examples, ...changes]) {
    if (!isPlain(`forgectl ${line}`)) continue;
    const [, ...words] = await shellWords(`forgectl ${line}`, { cwd: process.cwd(), env: process.env });
    found.push({ line, command, words: withoutGlobals(words) });
  }
  return found;
}

function isAdmitted(path: readonly string[]): boolean {
  try {
    refuseUnfit({ path, globals: [] } as unknown as Parameters<typeof refuseUnfit>[0], "batch");
    return true;
  } catch {
    return false;
  }
}

const known = { n: "1", project: "9", group: "8", reply: "45e1", thread: "9378a9ed", saml: "x", scim: "x" };

function filledIn(line: string): string {
  return line.replace(/\{(\w+)\}/g, (_, name: string) => known[name as keyof typeof known] ?? name);
}

const globals = parsedFlags(globalFlags);

/** `each` and `batch` take the global flags themselves. */
function withoutGlobals(words: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as string;
    const flag = globals.find(({ long, short }) => word === long || word === short || word.startsWith(`${long}=`));
    if (flag === undefined) kept.push(word);
    else if (flag.placeholder !== undefined && !word.includes("=")) index += 1;
  }
  return kept;
}

/** The names that each line's instance has of what `-p` and `-g` name by default. */
const defaults = { project: "7", group: "4" } as const;
type Kind = keyof typeof defaults;

/** The scope of a line that `each` fills in, and the words without it; undefined if it takes none. */
export function scopeOf({ command, words }: Line): { kind: Kind; name: string; rest: string[] } | undefined {
  const kinds = Object.values(command.params).flatMap(({ scope }) => (scope === undefined ? [] : [scope as Kind]));
  if (kinds.length === 0) return undefined;
  const typed = words.findIndex((word) => /^(?:-p|--project|-g|--group)$/.test(word));
  if (typed >= 0) {
    const kind = /^-{1,2}p/.test(words[typed] as string) ? "project" : "group";
    return { kind, name: words[typed + 1] as string, rest: words.toSpliced(typed, 2) };
  }
  const kind = kinds.includes("project") ? "project" : "group";
  return { kind, name: defaults[kind], rest: [...words] };
}

const timeoutMs = 20_000;

/** A new instance with the answers altered, and a home with the files that the examples read. */
export async function trial(alter: Alter) {
  const reads = new Set<string>();
  const own = await alteringSession((exchange) => {
    if (exchange.method === "GET") reads.add(placeOf(exchange));
    return alter(exchange);
  });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(own.home, name), text);
  const url = String(own.env.FORGECTL_BASE_URL);
  const env = { ...own.env, FORGECTL_PROJECT: defaults.project, FORGECTL_GROUP: defaults.group };
  const run = async (...words: string[]) => {
    const running = own.run(...words, { env, cwd: own.home });
    const { code, stdout, stderr } = await withTimeout(running, timeoutMs, { code: null, stdout: "", stderr: late });
    const plain = (text: string) => stable(text.replaceAll(url, "http://instance").replaceAll(own.home, "/home"));
    return { code, stdout: plain(stdout), stderr: plain(stderr) };
  };
  return {
    reads,
    /** The line by itself. */
    alone: async ({ words }: Line, ...flags: string[]) => toldBy(await run(...words, "--yes", ...flags)),
    /** The same as the only line of a batch. */
    inBatch: async ({ words }: Line, ...flags: string[]) => {
      writeFileSync(join(own.home, "lines.ndjson"), `${JSON.stringify({ args: words })}\n`);
      return toldBy(await run("batch", "lines.ndjson", "--yes", ...flags));
    },
    /** The same for one project or group, or for one profile. */
    inEach: async (line: Line, ...flags: string[]) => {
      const scope = scopeOf(line);
      if (scope !== undefined) {
        writeFileSync(join(own.home, "scopes.txt"), `${scope.name}\n`);
        return toldBy(await run("each", `--${scope.kind}s-file`, "scopes.txt", "--yes", ...flags, "--", ...scope.rest));
      }
      const token = `token-command=echo ${own.env.FORGECTL_TOKEN}`;
      await own.run("profiles", "set", "one", `base-url=${url}`, token, "project=7", "group=4", { env, cwd: own.home });
      return toldBy(await run("each", "--profiles", "one", "--yes", ...flags, "--", ...line.words));
    },
  };
}

const late = "not ended before the timeout";

/** The path of a request below the API's. */
export function placeOf({ path }: Pick<Exchange, "path">): string {
  return path.replace(/\?.*/, "").replace("/api/v4", "");
}

/** The files that the examples name. */
const files = {
  ...{ "report.md": "A report.\n", "question.md": "Why?\n", "app.css": "a {}\n", "screenshot.png": "png\n" },
  ...{ "deploy.sh": "echo\n", "body.json": "{}\n", "token.txt": "t0ken-of-a-hook\n", "key.txt": "k\n" },
  key: "X-Key: value\n",
  "job-token.yaml": "inbound_enabled: true\nallowlist: [acme/website]\n",
  "environments.yaml": "- name: production\n  deploy_access_levels: [{ access_level: maintainer }]\n",
  "settings.yaml": "signup_enabled: false\nfirst_day_of_week: 1\n",
  "users.csv": "dana.dixon@acme.example,dana@acme.example\n",
};

/** What differs from one run to the next, whatever runs. */
function stable(text: string): string {
  return text
    .replace(/127\.0\.0\.1:\d+/g, "instance")
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?/g, "TIME")
    .replace(/\d{8}T\d{6}Z-[0-9a-f]{4}/g, "RUN")
    .replace(/(?:et_)?[0-9a-f]{32,64}/g, "HEX")
    .replace(/"request_id": ?"[^"]*"/g, '"request_id":null');
}

function toldBy({ code, stdout, stderr }: { code: number | null; stdout: string; stderr: string }): Told {
  const at = stderr.search(/^\{"error":/m);
  const error = at < 0 ? undefined : (JSON.parse(stderr.slice(at)) as { error: Record<string, unknown> }).error;
  const said = (at < 0 ? stderr : stderr.slice(0, at)).split("\n").filter((line) => line !== "");
  const columns = (stdout.split("\n")[0] ?? "").split(",");
  return { code, result: parsed(stdout), text: stdout, columns, error, said };
}

function parsed(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
