import { ClosedPipe, type Output } from "../host.ts";

/** An output that a reader may close without an effect on what writes to it. */
export interface FinishingOutput extends Output {
  /** Whether something could not be written because the reader had closed it. */
  readonly isClosed: boolean;
  /** Throws what made a write fail otherwise: a full disk. */
  check(): void;
}

/** For changes, which do not depend on who reads about them: after a failed write, further output is dropped. */
export function finishing(output: Output): FinishingOutput {
  let failure: { error: unknown } | undefined;
  const attempt = async (write: () => Promise<void>) => {
    if (failure !== undefined) return;
    await write().catch((error: unknown) => {
      failure ??= { error };
    });
  };
  return {
    get isTerminal() {
      return output.isTerminal;
    },
    get columns() {
      return output.columns;
    },
    write: (text) => attempt(() => output.write(text)),
    writeData: (text) => attempt(() => output.writeData(text)),
    writeBytes: (bytes) => attempt(() => output.writeBytes(bytes)),
    get isClosed() {
      return failure?.error instanceof ClosedPipe;
    },
    check() {
      if (failure !== undefined && !(failure.error instanceof ClosedPipe)) throw failure.error;
    },
  };
}
