import { dirname, join } from "node:path";
import { UsageError } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { readSource } from "../../transfer/source.ts";
import type { Findings } from "../finding.ts";
import { parseTree } from "../yaml/parse.ts";
import { type Tree, TreeError } from "../yaml/tree.ts";
import { type Below, isStateFile, leadingElsewhere } from "./links.ts";

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
    const below = folder ? await lookBelow(context, source) : undefined;
    const links = below === undefined ? [] : await leadingElsewhere(context, below, sources);
    const names = below === undefined ? [source] : [...below.found.values()];
    if (names.length === 0) {
      const hint =
        links.length === 0 ? {} : { hint: "links in a folder are not followed: name what they lead to with -f" };
      throw new UsageError(`the folder ${source} contains no .yaml, .yml, or .json file`, hint);
    }
    for (const file of links) {
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

/** The state files below a folder, sorted by name, so that findings and plans have the same order everywhere. */
export async function stateFilesBelow(context: Context, folder: string): Promise<string[]> {
  return [...((await lookBelow(context, folder))?.found.values() ?? [])];
}

async function lookBelow({ files, signal }: Context, folder: string): Promise<Below | undefined> {
  const root = await files.real(folder);
  if (root === undefined) return undefined;
  const found = new Map<string, string>();
  const links: Below["links"][number][] = [];
  const visit = async (shown: string, real: string): Promise<void> => {
    signal.throwIfAborted();
    for (const { name, kind } of await files.entries(real)) {
      const at = { shown: join(shown, name), real: join(real, name), isNamed: isStateFile(name) };
      if (name.startsWith(".")) continue;
      if (kind === "folder") await visit(at.shown, at.real);
      else if (kind === "other") links.push(at);
      else if (at.isNamed) found.set(at.real, at.shown);
    }
  };
  await visit(folder, root);
  return { root, found, links };
}
