import { writeSync } from "node:fs";

/**
 * Makes a standard stream that goes to a file write whole chunks. Node makes one system call for each and ignores how
 * much of it the system accepted: a disk with little space left, or a limit (`ulimit -f`), takes the beginning, and the
 * output would end there without an error. The next call says why the rest is refused. Other streams are left as they
 * are.
 */
export function wholeWrites(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  const { _type, fd } = stream as NodeJS.WriteStream & { _type?: string; fd: number };
  if (_type !== "fs") return stream;
  stream._write = (chunk: Buffer, _encoding, done) => {
    try {
      for (let at = 0; at < chunk.length; ) at += writeSync(fd, chunk, at);
    } catch (error) {
      return done(error as Error);
    }
    done();
  };
  return stream;
}
