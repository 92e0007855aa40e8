import { bytes, entity, string, timestamp, uncut } from "../../api/field.ts";
import { globOf } from "../../base/glob.ts";
import { pauses } from "../../base/next-turn.ts";
import { byteSize, counted } from "../../base/wording.ts";
import { command } from "../../declare/command.ts";
import { choose } from "../../verbs/choose.ts";
import { openArchive } from "./remote-archive.ts";
import { archives, selectorFlags, selectorOf } from "./selector.ts";

const ArchivedFile = entity("ArchivedFile", {
  path: uncut(),
  size: bytes("Unpacked"),
  packed_size: bytes("Compressed size"),
  modified: timestamp("As recorded in the archive, without a time zone"),
});

export const listCommand = command({
  name: "list",
  summary: "List the files in the artifacts of a job",
  details:
    "Reads only the directory at the end of the archive, whatever its size. If the server cannot " +
    "send a range, the archive is streamed to a temporary file.",
  params: {
    ...selectorFlags,
    match: string("Only files whose path matches; ** matches anything", { placeholder: "glob", min: 1 }),
  },
  requests: archives,
  returns: ArchivedFile,
  prints: "rows",
  examples: [
    { line: "artifacts list -p acme/storefront --ref main --job build" },
    { line: "artifacts list -p acme/storefront --job-id 1000 --match '**/*.html' -o json" },
  ],
  related: ["artifacts cat", "artifacts download"],
  async run(context, { match, ...input }) {
    const { options, input: selected } = selectorOf(context, input);
    const ask = (range?: string) =>
      context.api.download(choose(archives, selected), selected, {
        ...options,
        ...(range !== undefined && { headers: { range } }),
      });
    const fits = match === undefined ? () => true : globOf(match);
    let files = 0;
    let size = 0;
    async function* rows() {
      const { archive, close } = await openArchive(context, ask);
      const pause = pauses(context);
      try {
        for await (const { path, size: unpacked, packedSize, modified } of context.archives.list(archive)) {
          await pause();
          if (!fits(path)) continue;
          files += 1;
          size += unpacked;
          yield { path, size: unpacked, packed_size: packedSize, modified: modified.toISOString() };
        }
      } finally {
        await close();
      }
    }
    return {
      rows: rows(),
      columns: ["path", "size", "packed_size", "modified"],
      finishes: false,
      until: async (printed) => {
        await printed;
        context.notice(`${counted(files, "file")}, ${byteSize(size)} unpacked`);
      },
    };
  },
});
