import type { Download } from "../../api/api.ts";
import { bytes, entity, string, timestamp, uncut } from "../../api/field.ts";
import { globOf } from "../../base/glob.ts";
import { byteSize, counted } from "../../base/wording.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import type { RandomAccess } from "../../host.ts";
import { choose } from "../../verbs/choose.ts";
import { archives, selectorFlags, selectorOf } from "./selector.ts";

const ArchivedFile = entity("ArchivedFile", {
  path: uncut(),
  size: bytes("Unpacked"),
  packed_size: bytes("Compressed size"),
  modified: timestamp("As recorded in the archive, without a time zone"),
});

/** The end of an archive that is requested first: it holds the directory of some thousand files. */
const tailBytes = 256 * 1024;

export const listCommand = command({
  name: "list",
  summary: "List the files in the artifacts of a job",
  details:
    "Reads only the directory at the end of the archive, whatever its size. If the server cannot " +
    "send a range, the archive is streamed to a temporary file.",
  params: {
    ...selectorFlags,
    match: string("Only files whose path matches; ** matches anything", { placeholder: "glob" }),
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
    const ask = (range: string) =>
      context.api.download(choose(archives, selected), selected, { ...options, headers: { range } });
    const fits = match === undefined ? () => true : globOf(match);
    let files = 0;
    let size = 0;
    async function* rows() {
      const { archive, close } = await openArchive(context, ask);
      try {
        for await (const { path, size: unpacked, packedSize, modified } of context.archives.list(archive)) {
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
      until: async (printed) => {
        await printed;
        context.notice(`${counted(files, "file")}, ${byteSize(size)} unpacked`);
      },
    };
  },
});

type Ask = (range: string) => Promise<Download>;

async function openArchive(context: Context, ask: Ask): Promise<{ archive: RandomAccess; close(): Promise<void> }> {
  const first = await ask(`bytes=-${tailBytes}`);
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(first.headers["content-range"] ?? "") ?? [];
  if (first.status !== 206 || start === undefined || total === undefined) return streamed(context, first);
  const tail = { start: Number(start), bytes: await whole(first.body) };
  return { archive: inPieces(ask, Number(total), tail), close: async () => {} };
}

interface Piece {
  start: number;
  bytes: Uint8Array;
}

/** Requests whatever precedes the tail, up to the tail: a directory is at the end of an archive. */
function inPieces(ask: Ask, size: number, tail: Piece): RandomAccess {
  const held = [tail];
  return {
    size,
    async read(position, length) {
      const end = Math.min(position + length, size);
      const known = held.find(({ start, bytes }) => position >= start && end <= start + bytes.length);
      if (known !== undefined) return known.bytes.subarray(position - known.start, end - known.start);
      const last = held[0] as Piece;
      const upTo = position < last.start ? Math.max(end, last.start) : end;
      const { body, status } = await ask(`bytes=${position}-${upTo - 1}`);
      const fetched = await whole(body);
      const piece = { start: status === 206 ? position : 0, bytes: fetched };
      // Joined with the tail, so that a read may span both.
      const bytes = piece.start + fetched.length === last.start ? Buffer.concat([fetched, last.bytes]) : fetched;
      held.unshift({ start: piece.start, bytes });
      return bytes.subarray(position - piece.start, end - piece.start);
    },
  };
}

async function whole(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(Uint8Array.from(chunk));
  return Buffer.concat(chunks);
}

/** Without ranges the whole archive is downloaded, to a file to save memory. */
async function streamed({ files }: Context, { body }: Download) {
  const folder = await files.temporaryFolder();
  const path = `${folder}/artifacts.zip`;
  const close = () => files.removeFolder(folder);
  try {
    const file = await files.createPrivate(path);
    let size = 0;
    try {
      for await (const chunk of body) {
        size += chunk.length;
        await file.write([chunk]);
      }
    } finally {
      await file.close();
    }
    // Entries are read in order: most are in the piece that was read last.
    let last = { start: 0, bytes: new Uint8Array() };
    const archive: RandomAccess = {
      size,
      async read(position, length) {
        const at = position - last.start;
        if (at >= 0 && at + length <= last.bytes.length) return last.bytes.subarray(at, at + length);
        const parts: Uint8Array[] = [];
        let left = length;
        for await (const chunk of files.stream(path, position)) {
          if (parts.length === 0) last = { start: position, bytes: Uint8Array.from(chunk) };
          parts.push(chunk.subarray(0, left));
          left -= chunk.length;
          if (left <= 0) break;
        }
        return Buffer.concat(parts);
      },
    };
    return { archive, close };
  } catch (error) {
    await close();
    throw error;
  }
}
