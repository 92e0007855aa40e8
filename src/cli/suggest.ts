import { UsageError } from "../base/errors.ts";
import { nearest } from "../base/nearest.ts";
import type { Command, Group } from "../declare/command.ts";
import { commandsIn, describeFlags, type FlagDescription } from "../declare/describe.ts";
import { globalFlags } from "../declare/globals.ts";

// Suggestions for unknown commands and flags, loaded only for errors. Words are looked up in maps, because every plain
// object has a `constructor`.

/** Other programs' names for the verbs. */
const verbs: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    ls: ["list"],
    search: ["list"],
    rm: ["delete", "remove"],
    del: ["delete", "remove"],
    destroy: ["delete", "remove"],
    delete: ["remove", "unprotect"],
    remove: ["delete"],
    show: ["get"],
    view: ["get", "show"],
    describe: ["get", "show"],
    info: ["get", "show"],
    get: ["show"],
    new: ["create", "add"],
    add: ["create", "protect"],
    create: ["add", "protect"],
    edit: ["update", "set"],
    update: ["set"],
    patch: ["update", "set"],
    fetch: ["download", "get"],
    upload: ["create"],
  }),
);

/** Other programs' top-level commands. */
const roots: ReadonlyMap<string, string> = new Map(
  Object.entries({
    whoami: "users me",
    me: "users me",
    version: "--version",
    signin: "auth login",
    signout: "auth logout",
    configure: "auth login",
    config: "profiles",
    curl: "api",
    request: "api",
  }),
);

/** Other programs' names for the flags. */
const flags: ReadonlyMap<string, string> = new Map(
  Object.entries({
    format: "--output",
    json: "--output json",
    yaml: "--output yaml",
    csv: "--output csv",
    all: "--limit all",
    max: "--limit",
    count: "--limit",
    columns: "--fields",
    query: "--jq",
    verbose: "--debug",
    v: "--debug",
    silent: "--quiet",
    force: "--yes",
    host: "--base-url",
    hostname: "--base-url",
    server: "--base-url",
    url: "--base-url",
    repo: "--project",
    repository: "--project",
    namespace: "--group",
    cacert: "--ca-file",
  }),
);

/** The verb of a group that the word probably means. */
function meantVerb(node: Command | Group, word: string): string | undefined {
  const known = node.kind === "group" ? node.children.map(({ name }) => name) : [];
  return verbs.get(word.toLowerCase())?.find((name) => known.includes(name)) ?? nearest(word, known);
}

/** The error for a word that names no command of a group. */
export function unknownVerb(node: Command | Group, word: string, path: readonly string[]): UsageError {
  const guess = meantVerb(node, word);
  const hint = guess && `did you mean ${guess}?`;
  const error = new UsageError(`unknown command '${word}'`, { code: "unknown_command", ...(hint && { hint }) });
  error.command = path.join(" ");
  return error;
}

/**
 * The command that an unknown first word probably means: another program's name for it, a verb before its group (`list
 * users`), or a verb of only one group (`login`).
 *
 * @param following the words after it
 */
export function meantCommand(
  nodes: readonly (Command | Group)[],
  word: string,
  following: readonly string[],
): string | undefined {
  const root = roots.get(word);
  if (root !== undefined) return root;
  const names = [word, ...(verbs.get(word) ?? [])];
  const paths = nodes.flatMap((node) => [...commandsIn(node)]).map(({ path }) => path);
  const isMeant = (path: readonly string[]) => names.includes(path.at(-1) ?? "");
  const group = following.find((each) => nodes.some(({ name, kind }) => kind === "group" && name === each));
  const below = paths.filter((path) => path[0] === group && path.length === 2 && isMeant(path));
  const only = paths.filter((path) => path.length > 1 && path.at(-1) === word);
  return below[0]?.join(" ") ?? (only.length === 1 ? only[0]?.join(" ") : undefined);
}

/** The flags that a command accepts. */
export function flagsOf(node: Command | Group): FlagDescription[] {
  return [...describeFlags(node.kind === "command" ? node.params : {}), ...describeFlags(globalFlags)];
}

/**
 * The flag that was probably meant, with its value if that is certain: `--format json` is `-o json`.
 *
 * @param next the word after it
 */
export function meantFlag(node: Command | Group, typed: string, next: string | undefined): string | undefined {
  const known = flagsOf(node);
  const name = typed.replace(/^-+/, "").replace(/=.*/s, "");
  const [meant = "", value] = flags.get(name)?.split(" ") ?? [];
  const flag = known.find(({ long }) => long === meant);
  const opposite = `--exclude-${name.replace(/^in/, "")}`;
  if (/^in\w/.test(name) && known.some(({ long }) => long === opposite)) return opposite;
  if (flag === undefined) return nearest(`--${name}`, [...known.map(({ long }) => long), "--help", "--version"]);
  const given = value ?? /=(.*)/s.exec(typed)?.[1] ?? next;
  const shown = given !== undefined && (value === given || flag.field.values?.includes(given) === true);
  return `${flag.short ?? flag.long}${shown ? ` ${given}` : ""}`;
}
