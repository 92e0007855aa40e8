import { byteSize, groupDigits } from "../base/wording.ts";
import type { Environment, Output } from "../host.ts";
import { bar, drawsPictures, widestBar } from "./pictures.ts";
import { safe, visible } from "./sanitize.ts";
import type { Spinner } from "./spinner.ts";
import { duration } from "./time.ts";
import type { Progress, ProgressStart, ProgressTask } from "./types.ts";
import { loadMeasure, type Measure } from "./width.ts";

interface ProgressOptions {
  stderr: Output;
  env: Environment;
  /** Off with `--quiet`; off a terminal nothing is drawn whatever this says. */
  enabled: boolean;
  now(): Date;
  /** Calls `tick` every so many milliseconds until the function it returns is called. */
  every(ms: number, tick: () => void): () => void;
}

interface DrawnProgress extends Progress {
  /** An output that shares the terminal with the progress line: the line waits until what is written ends its own. */
  beside(output: Output): Output;
  /** Whatever comes next begins its own line, although the terminal has just echoed a `^C`. */
  breakLine(): void;
  /** Draws nothing any more. */
  close(): void;
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
/** How often progress is told where nothing is repainted. */
const toldEveryMs = 30_000;

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
  close: () => {},
};

/** One line on stderr for the task begun last, drawn by the clock and never by an update. */
class Line {
  readonly #options: ProgressOptions;
  readonly #repaints: boolean;
  readonly #tasks: Task[] = [];
  #measure: Measure | undefined;
  #spinner: Spinner | undefined;
  #stopTicking: (() => void) | undefined;
  #drawn = false;
  #closed = false;
  /** Somebody else's line is not ended yet: ours would tear it. */
  #held = false;
  /** When the present run of background tasks began, and when the last one of them ended. */
  #waitingSinceMs = 0;
  #waitedUntilMs = Number.NEGATIVE_INFINITY;
  /** Where nothing is repainted: when there was something to tell last, or nothing yet. */
  #toldMs: number | undefined;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#repaints = drawsPictures(options.env);
  }

  begin(task: Task): ProgressTask {
    if (task.background && task.startedMs - this.#waitedUntilMs > breathMs) this.#waitingSinceMs = task.startedMs;
    this.#tasks.push(task);
    const tick = this.#repaints ? () => void this.#draw() : () => this.#tell();
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

  /** ora makes room for whole lines by itself; a line that is not ended yet would be overwritten. */
  giveWay(text: string): void {
    if (text === "") return;
    this.#held = !text.endsWith("\n");
    if (this.#held) this.hide();
  }

  /** Whether there was something to take away. */
  hide(): boolean {
    const drawn = this.#drawn;
    if (drawn) this.#spinner?.hide();
    this.#drawn = false;
    return drawn;
  }

  close(): void {
    this.#closed = true;
    this.#rest();
  }

  #end(task: Task): void {
    const index = this.#tasks.indexOf(task);
    if (index < 0) return;
    this.#tasks.splice(index, 1);
    if (task.background) this.#waitedUntilMs = this.#options.now().getTime();
    if (this.#tasks.length > 0) this.hide();
    else this.#rest();
  }

  #rest(): void {
    this.hide();
    this.#stopTicking?.();
    this.#stopTicking = undefined;
  }

  async #draw(): Promise<void> {
    this.#measure ??= await loadMeasure();
    if (this.#next() === undefined) return;
    if (this.#spinner === undefined) {
      const { spinnerOn } = await import("./spinner.ts");
      this.#spinner ??= spinnerOn(this.#options.stderr);
    }
    // One column for the frame, one behind it, and the last one free, or the line would wrap.
    const room = (this.#options.stderr.columns ?? 80) - 3;
    let text = this.#next();
    if (text === undefined) return;
    // What the bar shows is in the numbers as well.
    if (this.#measure.width(visible(text)) > room) text = this.#next(false) ?? text;
    this.#spinner.show(this.#measure.cut(visible(text), room));
    this.#drawn = true;
  }

  /** What there is to show; nothing once the last task has ended. */
  #next(bar = this.#repaints): string | undefined {
    const nowMs = this.#options.now().getTime();
    const task = this.#shown(nowMs);
    return task === undefined || this.#held || this.#closed ? undefined : progressText(task, nowMs, bar);
  }

  #tell(): void {
    const nowMs = this.#options.now().getTime();
    this.#toldMs ??= nowMs;
    if (nowMs - this.#toldMs < toldEveryMs) return;
    const text = this.#next();
    if (text === undefined) return;
    this.#toldMs = nowMs;
    this.#options.stderr.write(safe`${visible(text)}\n`).catch(() => undefined);
  }

  #shown(nowMs: number): Task | undefined {
    const task = this.#tasks.findLast(({ background }) => !background);
    return task ?? (nowMs - this.#waitingSinceMs < noticeableMs ? undefined : this.#tasks.at(-1));
  }
}

/** "Uploading ████░░░░ 40% 4.0 MiB of 10.0 MiB, 2.0 MiB/s, 3s left"; a line that is read aloud has no bar. */
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
