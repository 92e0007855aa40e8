import { dirname, join } from "node:path";
import { UsageError } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { readSource } from "../../transfer/source.ts";
import type { Findings } from "../finding.ts";
import { parseTree } from "../yaml/parse.ts";
import { type Tree, TreeError } from "../yaml/tree.ts";

const maxBytes = 64 * 1024 * 1024;

/** One file of a state, read. */
export interface StateFile {
  /** The name for messages: the given path, or a path below the given folder; `-` is stdin. */
  readonly name: string;
  /** The folder that file references must stay in; undefined for stdin. */
  readonly folder: string | undefined;
  readonly tree: Tree;
}

/**
 * Reads the files that `-f` names, in order: a file, stdin (`-`), or a folder with every `.yaml`, `.yml`, and `.json`
 * below it; names with a leading dot, and `*.schema.json`, which is for editors, are left out. A link is not followed,
 * since a repository's may lead anywhere: it is a finding, as is invalid YAML.
 */
export async function* readStateFiles(
  context: Context,
  sources: readonly string[],
  findings: Findings,
): AsyncGenerator<StateFile> {
  const repeated = sources.find((source, index) => sources.indexOf(source) !== index);
  if (repeated !== undefined) throw new UsageError(`-f ${repeated} is given twice`);
  for (const source of sources) {
    const facts = source === "-" ? undefined : await context.files.facts(source);
    const folder = facts?.kind === "folder";
    const links: string[] = [];
    const names = folder ? await stateFilesBelow(context, source, links) : [source];
    if (names.length === 0) {
      const hint =
        links.length === 0 ? {} : { hint: "links in a folder are not followed: name what they lead to with -f" };
      throw new UsageError(`the folder ${source} contains no .yaml, .yml, or .json file`, hint);
    }
    for (const file of links) {
      if (sources.some((named) => join(named) === file)) continue;
      // It may hold a `keep:` or an exception.
      findings.error({ file, line: 1 }, "", "is a link in a folder, and is not read", "name it with -f, too");
    }
    for (const name of names) {
      const tree = await readTree(context, name, findings);
      const root = folder ? source : name === "-" ? undefined : dirname(name);
      if (tree !== undefined) yield { name, folder: root, tree };
    }
  }
}

async function readTree(context: Context, name: string, findings: Findings): Promise<Tree | undefined> {
  const bytes = await readSource(context, name);
  const origin = { file: name, line: 1 };
  if (bytes.length > maxBytes) {
    findings.error(origin, "", "is larger than 64 MiB", "split it into several files");
    return undefined;
  }
  const text = decode(bytes);
  if (text === undefined) {
    findings.error(origin, "", "is not UTF-8 text");
    return undefined;
  }
  try {
    return await parseTree(text);
  } catch (error) {
    if (!(error instanceof TreeError)) throw error;
    findings.error({ file: name, line: error.line }, "", error.message, error.hint);
    return undefined;
  }
}

function decode(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The files that are read of these sources: those below a folder, in place of its name. */
export async function namesRead(context: Context, sources: readonly string[]): Promise<string[]> {
  const names: string[][] = [];
  for (const source of new Set(sources)) {
    const isFolder = source !== "-" && (await context.files.facts(source))?.kind === "folder";
    names.push(isFolder ? await stateFilesBelow(context, source) : [source]);
  }
  return names.flat();
}

const stateFile = /(?:\.ya?ml|(?<!\.schema)\.json)$/i;

/**
 * Sorted by name, so that findings and plans have the same order everywhere.
 *
 * @param links gets the links that may lead to state files beside those
 */
export async function stateFilesBelow(
  { files, signal }: Context,
  folder: string,
  links: string[] = [],
): Promise<string[]> {
  const root = await files.real(folder);
  if (root === undefined) return [];
  const found = new Map<string, string>();
  const linked: { shown: string; real: string; isNamed: boolean }[] = [];
  const visit = async (shown: string, real: string): Promise<void> => {
    signal.throwIfAborted();
    for (const { name, kind } of await files.entries(real)) {
      const at = { shown: join(shown, name), real: join(real, name), isNamed: stateFile.test(name) };
      if (name.startsWith(".")) continue;
      if (kind === "folder") await visit(at.shown, at.real);
      else if (kind === "file" && at.isNamed) found.set(at.real, at.shown);
      else if (kind === "other") linked.push(at);
    }
  };
  await visit(folder, root);
  for (const { shown, real, isNamed } of linked) {
    const isFolder = (await files.facts(real).catch(() => undefined))?.kind === "folder";
    const isRead = found.has((await files.real(real)) ?? "");
    if (isFolder ? await mayHoldState(files, real) : isNamed && !isRead) links.push(shown);
  }
  return [...found.values()];
}

/** How much of a folder is looked through: it may be anything, and what it links to is not followed. */
const maxEntries = 1000;

/** Whether there is a state file in a folder, or so much else that it is not known. */
async function mayHoldState(files: Context["files"], folder: string): Promise<boolean> {
  const open = [folder];
  let count = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { name, kind } of await files.entries(next).catch(() => [])) {
      count += 1;
      if (count > maxEntries || (kind !== "folder" && stateFile.test(name) && !name.startsWith("."))) return true;
      if (kind === "folder" && !name.startsWith(".")) open.push(join(next, name));
    }
  }
  return false;
}
