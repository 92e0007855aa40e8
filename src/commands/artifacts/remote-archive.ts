import type { Download } from "../../api/api.ts";
import { Failure } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import type { RandomAccess } from "../../host.ts";

/** The end of an archive that is requested first: it holds the directory of some thousand files. */
const tailBytes = 256 * 1024;
/** A directory is read in pieces of this size: an archive may claim that all of it is directory. */
const maxPieceBytes = 16 * 1024 * 1024;

/** Requests an archive, or a range of it. */
type Ask = (range?: string) => Promise<Download>;

/** An archive on a server: its parts are requested when they are read. Without ranges it is saved to a file. */
export async function openArchive(
  context: Context,
  ask: Ask,
): Promise<{ archive: RandomAccess; close(): Promise<void> }> {
  const first = await ask(`bytes=-${tailBytes}`);
  const part = partIn(first);
  if (part !== undefined && part.end === part.total && part.end - part.start <= tailBytes) {
    const tail = { start: part.start, bytes: await bytesOf(first, part) };
    return { archive: inPieces(ask, first, part.total, tail), close: async () => {} };
  }
  if (first.status !== 206) return streamed(context, first);
  await first.discard();
  return streamed(context, await ask());
}

interface Part {
  start: number;
  /** After its last byte. */
  end: number;
  /** Size of the whole. */
  total: number;
}

/** The part of the whole that an answer says it is (RFC 9110: Content-Range). */
function partIn({ status, headers }: Download): Part | undefined {
  const said = /^bytes (\d+)-(\d+)\/(\d+)$/i.exec(headers["content-range"] ?? "");
  if (status !== 206 || said === null) return undefined;
  const [start, last, total] = said.slice(1).map(Number) as [number, number, number];
  return { start, end: last + 1, total };
}

interface Piece {
  start: number;
  bytes: Uint8Array;
}

/** Requests whatever precedes the tail, up to the tail: a directory is at the end of an archive. */
function inPieces(ask: Ask, first: Download, size: number, tail: Piece): RandomAccess {
  let held = [tail];
  return {
    size,
    async read(position, length) {
      const end = Math.min(position + length, size);
      const known = held.find(({ start, bytes }) => position >= start && end <= start + bytes.length);
      if (known !== undefined) return known.bytes.subarray(position - known.start, end - known.start);
      const upTo = Math.max(end, Math.min(tail.start, position + maxPieceBytes));
      const answer = await ask(`bytes=${position}-${upTo - 1}`);
      const wanted = { start: position, end: upTo, total: size };
      await refuseOther(answer, first, wanted);
      const fetched = await bytesOf(answer, wanted);
      // Joined with the tail, so that a read may span both.
      const bytes = upTo === tail.start ? Buffer.concat([fetched, tail.bytes]) : fetched;
      held = [{ start: position, bytes }, tail];
      return bytes.subarray(0, end - position);
    },
  };
}

/** Refuses a part of another content, as that of a newer job, whose rows would be mixed with those of the first. */
async function refuseOther(answer: Download, first: Download, wanted: Part): Promise<void> {
  const part = partIn(answer);
  const isWanted = part?.start === wanted.start && part.end === wanted.end && part.total === wanted.total;
  if (isWanted && isSame(answer, first)) return;
  await answer.discard();
  if (!isSame(answer, first) || (part !== undefined && part.total !== wanted.total)) {
    throw new Failure("conflict", "the archive changed on the server while it was read", {
      code: "changed_meanwhile",
      hint: "run the command again",
      retryable: true,
    });
  }
  throw otherPart(answer);
}

/** By the first validator that both answers have: of several servers, not each sends all of them. */
function isSame({ headers }: Download, { headers: before }: Download): boolean {
  const name = ["etag", "last-modified"].find((each) => headers[each] !== undefined && before[each] !== undefined);
  const [one, other] = [headers, before].map((all) => all[name ?? ""]?.replace(/^W\//, ""));
  return one === other;
}

function otherPart({ status, headers }: Download): Failure {
  return new Failure("integrity", "the server did not send the part of the archive that was requested", {
    code: "unexpected_answer",
    reason: `Content-Range: ${headers["content-range"] ?? "(none)"}`,
    status,
  });
}

/** The bytes of a part, of the length that it has. */
async function bytesOf(answer: Download, { start, end }: Part): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let left = end - start;
  for await (const chunk of answer.body) {
    left -= chunk.length;
    if (left < 0) throw otherPart(answer);
    chunks.push(Uint8Array.from(chunk));
  }
  if (left > 0) throw otherPart(answer);
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
