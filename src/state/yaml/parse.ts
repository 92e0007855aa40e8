import type { Tree } from "./tree.ts";

/**
 * Reads one YAML 1.2 document (JSON is YAML). Duplicate keys, tags, several documents, and keys that are not strings
 * are errors. The parser is loaded here, for the commands that read a file.
 *
 * @throws TreeError
 */
export async function parseTree(text: string): Promise<Tree> {
  const { compose } = await import("./yaml.ts");
  return compose(text);
}
