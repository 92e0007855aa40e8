import ora from "ora";
import type { Output, TerminalText } from "../../host.ts";
import { safe, visible } from "../sanitize.ts";
import type { Signs } from "../signs.ts";

/** An animated line on stderr. ora clears it for other output, and redraws it after. */
export interface Spinner {
  show(text: string): void;
  /** Clears the line. */
  hide(): void;
}

/** What ora wraps a frame in, so that the terminal shows it at once. */
const frameBegin = "\u001b[?2026h";
const frameEnd = "\u001b[?2026l";

export function spinnerOn(stderr: Output, { drawn }: Signs): Spinner {
  const put = (text: TerminalText): true => {
    // A closed terminal is reported by the writes that matter.
    stderr.write(text).catch(() => undefined);
    return true;
  };
  // The parts of a stream that ora uses; everything passes through sanitize.ts.
  const stream = {
    isTTY: true,
    get columns() {
      return stderr.columns;
    },
    cursorTo: () => put(safe`\r`),
    clearLine: () => put(safe`\u001b[K`),
    moveCursor: () => put(safe`\u001b[A`),
    write: (text: string) =>
      put(text === frameBegin ? safe`\u001b[?2026h` : text === frameEnd ? safe`\u001b[?2026l` : visible(text)),
  };
  const spinner = ora({
    stream: stream as unknown as NodeJS.WritableStream,
    isEnabled: true,
    // The program handles keys and Ctrl-C itself; a hidden cursor would stay hidden after a kill -9.
    discardStdin: false,
    hideCursor: false,
    color: false,
    interval: 100,
    ...(!drawn && { spinner: "line" }),
  });
  return {
    show(text) {
      spinner.text = text;
      spinner.start();
    },
    hide: () => void spinner.stop(),
  };
}
