import { UsageError } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { bare } from "../../state/fields/field-value.ts";
import { parseTree } from "../../state/yaml/parse.ts";
import { TreeError } from "../../state/yaml/tree.ts";
import { readTextSource } from "../../transfer/source.ts";

/** Reads a baseline file with `read`, which reports problems by their paths: a UsageError names all of them. */
export async function loadBaseline<T>(
  context: Context,
  path: string,
  read: (content: unknown, problem: (where: string, message: string) => void) => T,
): Promise<T> {
  const problems: string[] = [];
  let content: unknown;
  try {
    content = bare(await parseTree(await readTextSource(context, path)));
  } catch (error) {
    if (!(error instanceof TreeError)) throw error;
    throw new UsageError(
      `${path}:${error.line}: the file ${error.message}`,
      error.hint === undefined ? {} : { hint: error.hint },
    );
  }
  const baseline = read(content, (where, message) => problems.push(`${where === "" ? "the file" : where} ${message}`));
  if (problems.length === 0) return baseline;
  throw new UsageError(`${path}: ${problems.join("; ")}`, { code: "invalid_baseline" });
}
