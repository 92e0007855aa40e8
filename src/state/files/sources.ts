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
 * below it. Links are not followed; names with a leading dot, and `*.schema.json`, which is for editors, are left out.
 * Invalid YAML is a finding.
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
    const names = folder ? await stateFilesBelow(context, source) : [source];
    if (names.length === 0) throw new UsageError(`the folder ${source} contains no .yaml, .yml, or .json file`);
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

/** Sorted by name, so that findings and plans have the same order everywhere. */
export async function stateFilesBelow({ files, signal }: Context, folder: string): Promise<string[]> {
  const root = await files.real(folder);
  if (root === undefined) return [];
  const found: string[] = [];
  const visit = async (shown: string, real: string): Promise<void> => {
    signal.throwIfAborted();
    for (const { name, kind } of await files.entries(real)) {
      if (name.startsWith(".")) continue;
      if (kind === "folder") await visit(join(shown, name), join(real, name));
      else if (kind === "file" && /(?:\.ya?ml|(?<!\.schema)\.json)$/i.test(name)) found.push(join(shown, name));
    }
  };
  await visit(folder, root);
  return found;
}
