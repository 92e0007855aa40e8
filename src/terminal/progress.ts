import { byteSize, groupDigits } from "../base/wording.ts";
import type { Output, TerminalText } from "../host.ts";
import { safe, visible } from "./sanitize.ts";
import { duration } from "./time.ts";
import type { Progress, ProgressStart, ProgressTask } from "./types.ts";
import { loadMeasure, type Measure } from "./width.ts";

interface ProgressOptions {
  stderr: Output;
  /** Off with `--quiet`; off a terminal nothing is drawn whatever this says. */
  enabled: boolean;
  now(): Date;
  /** Calls `tick` every so many milliseconds until the function it returns is called. */
  every(ms: number, tick: () => void): () => void;
}

interface DrawnProgress extends Progress {
  /**
   * An output that shares the terminal with the progress line: the line is taken away before anything is written, and
   * comes back at the next tick, if what was written ended its line.
   */
  beside(output: Output): Output;
  /** Whatever comes next begins its own line, although the terminal has just echoed a `^C`. */
  breakLine(): void;
}

interface Task {
  label: string;
  unit: "bytes" | "items";
  background: boolean;
  done: number;
  /** How much was there at the start. */
  before: number;
  total: number | undefined;
  startedMs: number;
}

const intervalMs = 100;
/** Below this a wait is not noticed, and a line for it would only flicker. */
const noticeableMs = 500;
/** Waits no further apart than this are one. */
const breathMs = 200;
const frames = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const clearLine = safe`\r\u001b[2K`;

/** Nothing is drawn off a terminal. */
export function createProgress(options: ProgressOptions): DrawnProgress {
  const { stderr, enabled, now } = options;
  const breakLine = () => void stderr.write(safe`\n`).catch(() => undefined);
  if (!stderr.isTerminal) return { ...undrawn, breakLine: () => {} };
  if (!enabled) return { ...undrawn, breakLine };
  const line = new Line(options);
  return {
    start(label, { total, unit = "items", done = 0, background = false }: ProgressStart = {}) {
      return line.begin({ label, unit, background, total, done, before: done, startedMs: now().getTime() });
    },
    breakLine: () => {
      if (!line.clear()) breakLine();
    },
    beside(output) {
      if (!output.isTerminal) return output;
      return {
        isTerminal: true,
        get columns() {
          return output.columns;
        },
        write(text) {
          line.giveWay(text);
          return output.write(text);
        },
        writeData(text) {
          line.giveWay(text);
          return output.writeData(text);
        },
        writeBytes: (bytes) => output.writeBytes(bytes),
      };
    },
  };
}

const undrawn = {
  start: () => ({ update: () => {}, stop: () => {} }),
  beside: (output: Output) => output,
};

/** One line on stderr for the task begun last, drawn by the clock and never by an update. */
class Line {
  readonly #options: ProgressOptions;
  readonly #tasks: Task[] = [];
  #measure: Measure | undefined;
  #stopTicking: (() => void) | undefined;
  #frame = 0;
  #drawn = false;
  /** Somebody else's line is not ended yet: ours would tear it. */
  #held = false;
  /** When the present run of background tasks began, and when the last one of them ended. */
  #waitingSinceMs = 0;
  #waitedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: ProgressOptions) {
    this.#options = options;
  }

  begin(task: Task): ProgressTask {
    if (task.background && task.startedMs - this.#waitedUntilMs > breathMs) this.#waitingSinceMs = task.startedMs;
    this.#tasks.push(task);
    this.#stopTicking ??= this.#options.every(intervalMs, () => void this.#draw());
    return {
      update: (done, { total, label } = {}) => {
        task.done = done;
        task.total = total ?? task.total;
        task.label = label ?? task.label;
      },
      stop: () => this.#end(task),
    };
  }

  giveWay(text: string): void {
    this.clear();
    if (text !== "") this.#held = !text.endsWith("\n");
  }

  #end(task: Task): void {
    const index = this.#tasks.indexOf(task);
    if (index < 0) return;
    this.#tasks.splice(index, 1);
    if (task.background) this.#waitedUntilMs = this.#options.now().getTime();
    this.clear();
    if (this.#tasks.length > 0) return;
    this.#stopTicking?.();
    this.#stopTicking = undefined;
  }

  async #draw(): Promise<void> {
    this.#measure ??= await loadMeasure();
    const nowMs = this.#options.now().getTime();
    const task = this.#shown(nowMs);
    if (task === undefined || this.#held) return;
    this.#frame = (this.#frame + 1) % frames.length;
    const text = visible(`${frames[this.#frame]} ${progressText(task, nowMs)}`);
    this.#put(safe`${clearLine}${this.#measure.cut(text, (this.#options.stderr.columns ?? 80) - 1)}`);
    this.#drawn = true;
  }

  #shown(nowMs: number): Task | undefined {
    const task = this.#tasks.findLast(({ background }) => !background);
    return task ?? (nowMs - this.#waitingSinceMs < noticeableMs ? undefined : this.#tasks.at(-1));
  }

  /** Whether there was something to clear. */
  clear(): boolean {
    const drawn = this.#drawn;
    if (drawn) this.#put(clearLine);
    this.#drawn = false;
    return drawn;
  }

  #put(text: TerminalText): void {
    // A terminal that has gone is noticed by whoever writes what matters.
    this.#options.stderr.write(text).catch(() => undefined);
  }
}

const barWidth = 20;

/** "Uploading ████░░░░ 40% 4.0 MiB of 10.0 MiB, 2.0 MiB/s, 3s left" */
function progressText(task: Task, nowMs: number): string {
  const { done, total, unit } = task;
  const amount = unit === "bytes" ? byteSize : groupDigits;
  const parts = [task.label];
  if (total !== undefined && total > 0) {
    const share = Math.min(1, done / total);
    const full = Math.floor(share * barWidth);
    parts.push("█".repeat(full) + "░".repeat(barWidth - full), `${Math.floor(share * 100)}%`);
  }
  const counted = total === undefined ? amount(done) : `${amount(done)} of ${amount(total)}`;
  if (done > 0 || total !== undefined) parts.push(counted + speed(task, nowMs));
  return parts.join(" ");
}

function speed({ done, before, total, unit, startedMs }: Task, nowMs: number): string {
  const seconds = (nowMs - startedMs) / 1000;
  if (unit !== "bytes" || seconds < 1 || done <= before) return "";
  const rate = (done - before) / seconds;
  const left = total === undefined || total <= done ? "" : `, ${duration(Math.ceil((total - done) / rate))} left`;
  return `, ${byteSize(rate)}/s${left}`;
}
