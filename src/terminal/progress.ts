import type { Output } from "../host.ts";
import { visible } from "./sanitize.ts";
import { byteSize, duration, groupDigits } from "./time.ts";
import type { Progress, ProgressTask } from "./types.ts";
import { loadMeasure, type Measure } from "./width.ts";

export interface ProgressOptions {
  stderr: Output;
  /** Off with `--quiet`; off a terminal nothing is drawn whatever this says. */
  enabled: boolean;
  now(): Date;
  /** Calls `tick` every so many milliseconds until the function it returns is called. */
  every(ms: number, tick: () => void): () => void;
}

export interface DrawnProgress extends Progress {
  /**
   * An output that shares the terminal with the progress line: the line is taken away before anything is written, and
   * comes back at the next tick, if what was written ended its line.
   */
  beside(output: Output): Output;
}

interface Task {
  label: string;
  unit: "bytes" | "items";
  done: number;
  /** How much was there at the start. */
  before: number;
  total: number | undefined;
  startedMs: number;
}

const intervalMs = 100;
const frames = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const clearLine = "\r\u001b[2K";

/** Nothing is drawn off a terminal. */
export function createProgress(options: ProgressOptions): DrawnProgress {
  const { stderr, enabled, now } = options;
  if (!enabled || !stderr.isTerminal) {
    return { start: () => ({ update: () => {}, stop: () => {} }), beside: (output) => output };
  }
  const line = new Line(options);
  return {
    start(label, { total, unit = "items", done = 0 } = {}) {
      return line.begin({ label, unit, total, done, before: done, startedMs: now().getTime() });
    },
    beside(output) {
      if (!output.isTerminal) return output;
      return {
        isTerminal: true,
        get columns() {
          return output.columns;
        },
        write(chunk) {
          line.giveWay(chunk);
          return output.write(chunk);
        },
      };
    },
  };
}

/** One line on stderr for the task begun last, drawn by the clock and never by an update. */
class Line {
  private readonly options: ProgressOptions;
  private readonly tasks: Task[] = [];
  private measure: Measure | undefined;
  private stopTicking: (() => void) | undefined;
  private frame = 0;
  private drawn = false;
  /** Somebody else's line is not ended yet: ours would tear it. */
  private held = false;

  constructor(options: ProgressOptions) {
    this.options = options;
  }

  begin(task: Task): ProgressTask {
    this.tasks.push(task);
    this.stopTicking ??= this.options.every(intervalMs, () => void this.draw());
    return {
      update: (done, { total, label } = {}) => {
        task.done = done;
        task.total = total ?? task.total;
        task.label = label ?? task.label;
      },
      stop: () => this.end(task),
    };
  }

  giveWay(chunk: string | Uint8Array): void {
    this.clear();
    const last = chunk.at(-1);
    if (last !== undefined) this.held = last !== "\n" && last !== 10;
  }

  private end(task: Task): void {
    const index = this.tasks.indexOf(task);
    if (index < 0) return;
    this.tasks.splice(index, 1);
    this.clear();
    if (this.tasks.length > 0) return;
    this.stopTicking?.();
    this.stopTicking = undefined;
  }

  private async draw(): Promise<void> {
    this.measure ??= await loadMeasure();
    const task = this.tasks.at(-1);
    if (task === undefined || this.held) return;
    this.frame = (this.frame + 1) % frames.length;
    const text = `${frames[this.frame]} ${progressText(task, this.options.now().getTime())}`;
    this.put(clearLine + this.measure.cut(text, (this.options.stderr.columns ?? 80) - 1));
    this.drawn = true;
  }

  private clear(): void {
    if (this.drawn) this.put(clearLine);
    this.drawn = false;
  }

  private put(text: string): void {
    // A terminal that has gone is noticed by whoever writes what matters.
    this.options.stderr.write(text).catch(() => undefined);
  }
}

const barWidth = 20;

/** "Uploading ████░░░░ 40% 4.0 MiB of 10.0 MiB, 2.0 MiB/s, 3s left" */
function progressText(task: Task, nowMs: number): string {
  const { done, total, unit } = task;
  const amount = unit === "bytes" ? byteSize : groupDigits;
  const parts = [visible(task.label)];
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
