import { byteSize, groupDigits } from "../../base/wording.ts";
import type { Environment, Output } from "../../host.ts";
import { bar, widestBar } from "../pictures.ts";
import { safe, visible } from "../sanitize.ts";
import { type Signs, signsOf } from "../signs.ts";
import { duration } from "../time.ts";
import { loadMeasure, type Measure } from "../width.ts";
import type { Progress, ProgressStart, ProgressTask } from "./index.ts";
import { repaints } from "./repaint.ts";
import type { Spinner } from "./spinner.ts";

interface ProgressOptions {
  stderr: Output;
  env: Environment;
  /** False with `--quiet`. If stderr is not a terminal, nothing is drawn in any case. */
  enabled: boolean;
  elapsedMs(): number;
  /** Calls `tick` every `ms` milliseconds until the returned function is called. */
  every(ms: number, tick: () => void): () => void;
}

interface DrawnProgress extends Progress {
  /** An output on the same terminal: the progress line is not drawn until the written text ends with a line feed. */
  beside(output: Output): Output;
  /** Starts a new line for the next output, after the terminal has echoed a `^C`. */
  breakLine(): void;
  /** Stops drawing. */
  close(): void;
}

interface Task {
  label: string;
  unit: "bytes" | "items";
  background: boolean;
  done: number;
  /** Amount done before this run. */
  before: number;
  total: number | undefined;
  startedMs: number;
}

const intervalMs = 100;
/** A shorter wait is not noticed, and a line for it would only flicker. */
const noticeableMs = 500;
/** Waits with a shorter gap count as one. */
const gapMs = 200;
/** How often a progress line is printed if nothing is repainted. */
const printEveryMs = 30_000;

/** Creates the progress display on stderr; it draws nothing if stderr is not a terminal. */
export function createProgress(options: ProgressOptions): DrawnProgress {
  const { stderr, enabled, elapsedMs } = options;
  const breakLine = () => void stderr.write(safe`\n`).catch(() => undefined);
  if (!stderr.isTerminal) return { ...undrawn, breakLine: () => {} };
  if (!enabled) return { ...undrawn, breakLine };
  const line = new Line(options);
  return {
    start(label, { total, unit = "items", done = 0, background = false }: ProgressStart = {}) {
      return line.begin({ label, unit, background, total, done, before: done, startedMs: elapsedMs() });
    },
    breakLine: () => {
      if (!line.hide()) breakLine();
    },
    close: () => line.close(),
    beside(output) {
      if (!output.isTerminal) return output;
      return {
        isTerminal: true,
        get columns() {
          return output.columns;
        },
        write(text) {
          line.beforeWrite(text);
          return output.write(text);
        },
        writeData(text) {
          line.beforeWrite(text);
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
  close: () => {},
};

/** One line on stderr for the most recent task, drawn by a timer and never by an update. */
class Line {
  readonly #options: ProgressOptions;
  readonly #repaints: boolean;
  readonly #signs: Signs;
  readonly #tasks: Task[] = [];
  #measure: Measure | undefined;
  #spinner: Spinner | undefined;
  #stopTicking: (() => void) | undefined;
  #drawn = false;
  #closed = false;
  /** Another output's line has not ended yet: drawing would break it. */
  #lineOpen = false;
  /** When the current run of background tasks began, and when the last one ended. */
  #waitingSinceMs = 0;
  #waitedUntilMs = Number.NEGATIVE_INFINITY;
  /** If nothing is repainted: when the last line was printed, or the first task began. */
  #printedMs: number | undefined;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#repaints = repaints(options.env);
    this.#signs = signsOf(options.env);
  }

  begin(task: Task): ProgressTask {
    if (task.background && task.startedMs - this.#waitedUntilMs > gapMs) this.#waitingSinceMs = task.startedMs;
    this.#tasks.push(task);
    const tick = this.#repaints ? () => void this.#draw() : () => this.#print();
    this.#stopTicking ??= this.#options.every(intervalMs, tick);
    return {
      update: (done, { total, label } = {}) => {
        task.done = done;
        task.total = total ?? task.total;
        task.label = label ?? task.label;
      },
      stop: () => this.#end(task),
    };
  }

  /** ora makes room for complete lines; without this, an unfinished line would be overwritten. */
  beforeWrite(text: string): void {
    if (text === "") return;
    this.#lineOpen = !text.endsWith("\n");
    if (this.#lineOpen) this.hide();
  }

  /** Returns whether a line was drawn. */
  hide(): boolean {
    const drawn = this.#drawn;
    if (drawn) this.#spinner?.hide();
    this.#drawn = false;
    return drawn;
  }

  close(): void {
    this.#closed = true;
    this.#stop();
  }

  #end(task: Task): void {
    const index = this.#tasks.indexOf(task);
    if (index < 0) return;
    this.#tasks.splice(index, 1);
    if (task.background) this.#waitedUntilMs = this.#options.elapsedMs();
    if (this.#tasks.length > 0) this.hide();
    else this.#stop();
  }

  #stop(): void {
    this.hide();
    this.#stopTicking?.();
    this.#stopTicking = undefined;
  }

  async #draw(): Promise<void> {
    this.#measure ??= await loadMeasure(this.#signs);
    if (this.#next() === undefined) return;
    if (this.#spinner === undefined) {
      const { spinnerOn } = await import("./spinner.ts");
      this.#spinner ??= spinnerOn(this.#options.stderr, this.#signs);
    }
    // One column for the frame, one after it, and the last one empty, or the line would wrap.
    const room = (this.#options.stderr.columns ?? 80) - 3;
    let text = this.#next();
    if (text === undefined) return;
    // The numbers show the same as the bar.
    if (this.#measure.width(visible(text)) > room) text = this.#next(false) ?? text;
    this.#spinner.show(this.#measure.cut(visible(text), room));
    this.#drawn = true;
  }

  /** The text to show; undefined after the last task has ended. */
  #next(bar = this.#signs.drawn && this.#repaints): string | undefined {
    const nowMs = this.#options.elapsedMs();
    const task = this.#shown(nowMs);
    return task === undefined || this.#lineOpen || this.#closed ? undefined : progressText(task, nowMs, bar);
  }

  #print(): void {
    const nowMs = this.#options.elapsedMs();
    this.#printedMs ??= nowMs;
    if (nowMs - this.#printedMs < printEveryMs) return;
    const text = this.#next();
    if (text === undefined) return;
    this.#printedMs = nowMs;
    this.#options.stderr.write(safe`${visible(text)}\n`).catch(() => undefined);
  }

  #shown(nowMs: number): Task | undefined {
    const task = this.#tasks.findLast(({ background }) => !background);
    return task ?? (nowMs - this.#waitingSinceMs < noticeableMs ? undefined : this.#tasks.at(-1));
  }
}

/** "Uploading ████░░░░ 40% 4.0 MiB of 10.0 MiB, 2.0 MiB/s, 3s left"; without the bar if nothing is repainted. */
function progressText(task: Task, nowMs: number, drawn: boolean): string {
  const { done, total, unit } = task;
  const amount = unit === "bytes" ? byteSize : groupDigits;
  const parts = [task.label];
  if (total !== undefined && total > 0) {
    const share = Math.min(1, done / total);
    if (drawn) parts.push(bar(share, widestBar, "░"));
    parts.push(`${Math.floor(share * 100)}%`);
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
