import { readHeaderLine } from "../../api/headers.ts";
import { UsageError } from "../../base/errors.ts";

interface Written {
  text: string;
  /** The flag, or the line of a file. */
  where: string;
}

/** Parses `key: value` for the API. A value may be a secret: errors never repeat the text. */
export function parseHeaders(written: readonly Written[]): { key: string; value: string }[] {
  const seen = new Set<string>();
  return written.map(({ text, where }) => {
    const read = readHeaderLine(text);
    if ("problem" in read) throw new UsageError(`${where}: ${read.problem}`);
    const { name: key, value } = read;
    if (seen.has(key.toLowerCase())) throw new UsageError(`${where}: ${key} is given twice`);
    seen.add(key.toLowerCase());
    return { key, value };
  });
}
