import { Readable } from "node:stream";
import { fromRandomAccessReaderPromise, RandomAccessReader } from "yauzl";
import { Failure } from "../../base/errors.ts";
import type { ArchivedFile, RandomAccess } from "../../host.ts";
import { refuseUncounted, unsafe } from "./directory.ts";

/** Reads an archive through its pieces. */
class PieceReader extends RandomAccessReader {
  readonly #archive: RandomAccess;

  constructor(archive: RandomAccess) {
    super();
    this.#archive = archive;
  }

  override read(...[buffer, offset, length, position, callback]: Parameters<RandomAccessReader["read"]>): void {
    // The package's types omit the count that the callback receives.
    const done = callback as (error: Error | null, bytesRead?: number) => void;
    this.#archive.read(position, length).then((bytes) => {
      buffer.set(bytes, offset);
      done(null, bytes.length);
    }, done);
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from([this.#archive.read(start, end - start)], { objectMode: false });
  }

  override close(callback: Parameters<RandomAccessReader["close"]>[0]): void {
    callback(null);
  }
}

/** The files of an archive, folders left out, in the order of its directory. */
export async function* listZip(archive: RandomAccess): AsyncGenerator<ArchivedFile> {
  const broken = (error: unknown) =>
    error instanceof Failure ? error : unsafe(`it is not a complete zip archive (${(error as Error).message})`, error);
  try {
    const zip = await fromRandomAccessReaderPromise(new PieceReader(archive), archive.size, { autoClose: false });
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith("/")) continue;
      const { fileName: path, uncompressedSize: size, compressedSize: packedSize } = entry;
      yield { path, size, packedSize, modified: entry.getLastModDate({ timezone: "UTC" }) };
    }
    await refuseUncounted(zip, (position, length) => archive.read(position, length));
  } catch (error) {
    throw broken(error);
  }
}
