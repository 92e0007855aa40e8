import { Failure, UsageError } from "../base/errors.ts";
import { ClosedPipe, type Input, type Output } from "../host.ts";
import { inert } from "./job-log.ts";
import { safe, visibleLines } from "./sanitize.ts";

const closedCodes = new Set(["EPIPE", "EOF", "ERR_STREAM_DESTROYED", "ERR_STREAM_WRITE_AFTER_END"]);

/**
 * A write resolves when the system has accepted the bytes, so a slow reader slows the writer, memory stays bounded, and
 * awaited output is not lost when the process ends.
 *
 * @param isJobLog its lines go to the log of a CI job, whose runner obeys some
 */
export function outputFrom(stream: NodeJS.WriteStream, { isJobLog = false } = {}): Output {
  let broken: Error | undefined;
  // Without a listener, a broken pipe would end the process. The first error has the cause; later ones only say that
  // the stream is closed.
  stream.on("error", (error) => {
    broken ??= error;
  });
  const isTerminal = stream.isTTY === true;
  const write = (chunk: string | Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      stream.write(chunk, (error) => (error ? reject(outputError(broken ?? error)) : resolve()));
    });
  return {
    isTerminal,
    get columns() {
      // A pseudo-terminal without a size reports 0.
      return isTerminal && stream.columns > 0 ? stream.columns : undefined;
    },
    write: (text) => write(isJobLog && !isTerminal ? inert(text) : text),
    writeData: (text) => write(isTerminal ? visibleLines(text) : text),
    writeBytes: async (bytes) => {
      if (isTerminal) throw new Error("raw bytes must not be written to a terminal");
      await write(bytes);
    },
  };
}

interface LateOutput extends Output {
  /** Resolves when the system has accepted all writes, or the reader has closed the stream. */
  drained(): Promise<void>;
}

/** An output opened on first use: opening a standard stream takes a large part of a short command's time. */
export function lateOutput(isTerminal: () => boolean, open: () => Output): LateOutput {
  let output: Output | undefined;
  const opened = (): Output => {
    output ??= open();
    return output;
  };
  return {
    get isTerminal() {
      return isTerminal();
    },
    get columns() {
      return isTerminal() ? opened().columns : undefined;
    },
    write: (text) => opened().write(text),
    writeData: (text) => opened().writeData(text),
    writeBytes: (bytes) => opened().writeBytes(bytes),
    // Writes are processed in order: an empty one finishes after those before it.
    drained: async () => output?.write(safe``).catch(() => undefined),
  };
}

function outputError(error: NodeJS.ErrnoException): Error {
  if (closedCodes.has(error.code ?? "")) return new ClosedPipe("the reader closed the pipe", { cause: error });
  return new Failure("integrity", "the output was not written in full", {
    code: "output_failed",
    reason: error.message,
    cause: error,
  });
}

/** An input opened on the first read. A second one would find it empty: that is a UsageError. */
export function inputFrom(isTerminal: boolean, open: () => NodeJS.ReadStream): Input {
  let isRead = false;
  const stream = () => {
    if (isRead) throw readBefore();
    isRead = true;
    return chunks(open());
  };
  return { isTerminal, stream };
}

function readBefore(): UsageError {
  return new UsageError("stdin has been read already, and has its content only once", {
    code: "bad_input",
    hint: "name a file in place of one -",
  });
}

async function* chunks(stream: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError("stdin could not be read", { code: "bad_input", reason, cause: error });
  }
}
