import type { Input } from "../host.ts";

/** As much of stdin as `Files.read` reads of a file, in bytes, 256 MiB: `yes` never ends. */
export const maxStdin = 256 * 1024 * 1024;

const sharedOf = new WeakMap<Input, Input>();

/** Stdin for the commands inside another, each of which gets all of it: it has its content only once. */
export function sharedStdin(stdin: Input): Input {
  const own = sharedOf.get(stdin) ?? shared(stdin);
  sharedOf.set(stdin, own);
  return own;
}

function shared(stdin: Input): Input {
  let chunks: Promise<Uint8Array[]> | undefined;
  async function* stream() {
    chunks ??= chunksOf(stdin);
    yield* await chunks;
  }
  return { isTerminal: stdin.isTerminal, stream };
}

/** A little more than may be read is enough to see that it is too much. */
async function chunksOf(stdin: Input): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stdin.stream()) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxStdin) break;
  }
  return chunks;
}
