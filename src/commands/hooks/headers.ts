import { headerName } from "../../api/headers.ts";
import { UsageError } from "../../errors.ts";

interface Written {
  text: string;
  /** The flag, or the line of a file. */
  where: string;
}

/** `key: value` as the API wants it. A value may be a secret: what was typed is never repeated. */
export function parseHeaders(written: readonly Written[]): { key: string; value: string }[] {
  const seen = new Set<string>();
  return written.map(({ text, where }) => {
    const at = text.indexOf(":");
    if (at < 0) throw new UsageError(`${where}: must be "key: value"; there is no colon in it`);
    const key = text.slice(0, at).trim();
    const value = text.slice(at + 1).trim();
    if (/[\r\n\0]/.test(text.trim()))
      throw new UsageError(`${where}: a header is one line; there is a line break in it`);
    if (!headerName.test(key)) throw new UsageError(`${where}: what stands before the colon is no name of a header`);
    if (seen.has(key.toLowerCase())) throw new UsageError(`${where}: ${key} is given twice`);
    seen.add(key.toLowerCase());
    return { key, value };
  });
}
