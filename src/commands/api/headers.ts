import { readHeaderLine } from "../../api/headers.ts";
import { UsageError } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { readTextSource } from "../../transfer/source.ts";
import { warnOfExposed } from "../../verbs/leak-warning.ts";

/** Headers that say where a request goes, how long it is, or what a proxy does with it. */
const ofConnection =
  /^(?:host|connection|content-length|expect|keep-alive|proxy-.+|te|trailer|transfer-encoding|upgrade)$/i;

interface Given {
  header?: readonly string[] | undefined;
  header_file?: string | undefined;
}

/** The headers of `-H` and `--header-file`, by name in lower case. */
export async function headersOf(
  context: Context,
  { header = [], header_file: file }: Given,
): Promise<Record<string, string>> {
  const lines = file === undefined ? [] : (await readTextSource(context, file)).split(/\r?\n/);
  const written = [
    ...header.map((text) => ({ text, where: "-H" })),
    ...lines.map((text, index) => ({ text, where: `--header-file: line ${index + 1}` })),
  ].filter(({ text, where }) => where === "-H" || text.trim() !== "");
  return Object.fromEntries(
    written.map(({ text, where }) => {
      const read = readHeaderLine(text);
      if ("problem" in read) throw new UsageError(`${where}: ${read.problem}`);
      const { name, value } = read;
      if (/^(?:private-token|job-token|authorization)$/i.test(name)) {
        throw new UsageError(`${where}: ${name} is the token's header; set the token in FORGECTL_TOKEN`);
      }
      if (ofConnection.test(name)) {
        throw new UsageError(`${where}: ${name} is about the connection, and set by the program`, {
          ...(/^host$/i.test(name) && { hint: "--base-url says which instance a request is for" }),
        });
      }
      if (where === "-H") warnOfExposed(context, name, "give it with --header-file");
      return [name.toLowerCase(), value];
    }),
  );
}
