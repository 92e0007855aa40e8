import ora from "ora";
import type { Output, TerminalText } from "../host.ts";
import { safe, visible } from "./sanitize.ts";

/** A line on stderr that turns. While it does, ora takes it away for whatever else is written, and puts it back. */
export interface Spinner {
  show(text: string): void;
  /** Takes the line away. */
  hide(): void;
}

/** What ora wraps a frame in, so that the terminal shows it at once. */
const frameBegin = "\u001b[?2026h";
const frameEnd = "\u001b[?2026l";

export function spinnerOn(stderr: Output): Spinner {
  const put = (text: TerminalText): true => {
    // A terminal that has gone is noticed by whoever writes what matters.
    stderr.write(text).catch(() => undefined);
    return true;
  };
  // As much of a stream as ora uses, with the one door to the terminal behind it.
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
    // Keys and Ctrl-C are the program's own; a cursor that was hidden would stay so after a kill -9.
    discardStdin: false,
    hideCursor: false,
    color: false,
    interval: 100,
  });
  return {
    show(text) {
      spinner.text = text;
      spinner.start();
    },
    hide: () => void spinner.stop(),
  };
}
