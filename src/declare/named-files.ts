import type { Field } from "../api/field.ts";
import { isStdin } from "../base/special-file.ts";
import type { Command } from "./command.ts";
import { argumentTerms, parsedFlags } from "./describe.ts";

/** A file or folder that a command line names. */
export interface NamedFile {
  /** The flag or argument, as in an error: `--save`, `<input>`. */
  readonly label: string;
  readonly path: string;
  /** A folder, by the flag or argument. */
  readonly isFolder: boolean;
  /** Undefined if it is only read. */
  readonly writes: Field["writes"];
}

type Input = Readonly<Record<string, unknown>>;

/** Whether a command line reads stdin: in place of a file, or by a flag that says so. */
export function readsStdin({ args, params }: Pick<Command, "args" | "params">, input: Input): boolean {
  return Object.entries({ ...args, ...params }).some(([name, field]) => {
    if (field.writes !== undefined) return false;
    if (name.endsWith("_stdin")) return input[name] === true;
    const texts = [input[name]].flat().filter((value) => typeof value === "string");
    const isValue = field.item?.completes === "setting-value";
    return texts.some((text) => isStdin(pathIn(field, text) ?? "") || (isValue && text.endsWith("=-")));
  });
}

/**
 * The files and folders that flags and arguments name, and files behind an `=@`; neither stdin nor stdout, but a `-`
 * that is neither: of what writes a file and has no `-` in its description.
 */
export function namedFiles({ args, params }: Pick<Command, "args" | "params">, input: Input): NamedFile[] {
  const labelled = [
    ...argumentTerms(args).map(({ name, field, term }) => ({ name, field, label: term })),
    ...parsedFlags(params).map(({ name, field, long }) => ({ name, field, label: long })),
  ];
  return labelled.flatMap(({ name, field, label }) => {
    const texts = [input[name]].flat().filter((value) => typeof value === "string");
    const { writes } = field;
    const isStream = writes === undefined || field.placeholder?.endsWith("|-") === true;
    return texts
      .flatMap((text) => pathIn(field, text) ?? [])
      .filter((path) => path !== "-" || !isStream)
      .map((path) => ({ label, path, writes, isFolder: field.completes === "directory" }));
  });
}

function pathIn({ completes, item, writes }: Field, text: string): string | undefined {
  if (writes === "value") return /=(.+)$/s.exec(text)?.[1];
  const isFile = ["file", "directory"].includes(completes ?? item?.completes ?? "");
  return isFile ? text : /=@(.+)$/s.exec(text)?.[1];
}
