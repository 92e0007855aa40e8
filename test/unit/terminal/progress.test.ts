import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Environment } from "../../../src/host.ts";
import { every } from "../../../src/node/timers.ts";
import { createProgress } from "../../../src/terminal/interaction/progress.ts";
import { watcherOf } from "../../../src/terminal/interaction/request-progress.ts";
import { visible } from "../../../src/terminal/sanitize.ts";
import { loadMeasure } from "../../../src/terminal/width.ts";
import { type Recorder, recorder } from "./recorder.ts";

/** A simulated clock, for our code and for ora. */
function clock() {
  vi.useFakeTimers({ now: Date.parse("2026-03-10T12:00:00Z") });
  onTestFinished(() => void vi.useRealTimers());
  return {
    running: () => vi.getTimerCount() > 0,
    elapsedMs: () => Date.now(),
    every,
    pass: async (ms: number) => void (await vi.advanceTimersByTimeAsync(ms)),
  };
}

/** The drawn lines in order, "" for a cleared one; the spinner's frame is always `*`. */
function drawn(stderr: Recorder): string[] {
  const frames = stderr.text.replaceAll("\u001b[?2026h", "").replaceAll("\u001b[?2026l", "");
  const lines = frames
    .replaceAll("\r\u001b[K", "\r")
    .split("\r")
    .slice(1)
    .map((line) => line.replace(/^[⠁-⠿] /, "* "));
  return lines.filter((line, index) => line !== lines[index - 1]);
}

async function started(columns: number | undefined = 80, env: Environment = {}) {
  // Nothing is drawn before these are loaded.
  await Promise.all([loadMeasure(), import("../../../src/terminal/interaction/spinner.ts")]);
  const time = clock();
  const stderr = recorder(columns);
  const progress = createProgress({ stderr, env, enabled: true, elapsedMs: time.elapsedMs, every: time.every });
  return { time, stderr, progress };
}

describe("progress", () => {
  test("shows a bar, amounts, rate, and time left for bytes", async () => {
    const { time, stderr, progress } = await started(120);
    const task = progress.start("Sending", { total: 10 * 1024 ** 2, unit: "bytes" });
    task.update(4 * 1024 ** 2);
    expect(stderr.text).toBe("");
    await time.pass(2000);
    expect(drawn(stderr).at(0)).toBe("* Sending ████████░░░░░░░░░░░░ 40% 4.0 MiB of 10.0 MiB");
    expect(drawn(stderr).at(-1)).toBe("* Sending ████████░░░░░░░░░░░░ 40% 4.0 MiB of 10.0 MiB, 2.0 MiB/s, 3s left");
    task.stop();
    expect(drawn(stderr).at(-1)).toBe("");
    expect(time.running()).toBe(false);
  });

  test("the amount before the start counts in the share, and not in the rate", async () => {
    const { time, stderr, progress } = await started(120);
    const task = progress.start("Going on", { total: 10 * 1024 ** 2, unit: "bytes", done: 6 * 1024 ** 2 });
    await time.pass(1000);
    task.update(8 * 1024 ** 2);
    await time.pass(1000);
    expect(drawn(stderr).at(0)).toBe("* Going on ████████████░░░░░░░░ 60% 6.0 MiB of 10.0 MiB");
    expect(drawn(stderr).at(-1)).toBe("* Going on ████████████████░░░░ 80% 8.0 MiB of 10.0 MiB, 1.0 MiB/s, 2s left");
    task.stop();
  });

  test("counts items; the total and the label may become known later", async () => {
    const { time, stderr, progress } = await started();
    const task = progress.start("Reading");
    await time.pass(100);
    task.update(1200);
    await time.pass(100);
    task.update(1500, { total: 2000, label: "Reading page 15" });
    await time.pass(100);
    expect(drawn(stderr)).toEqual([
      "* Reading",
      "* Reading 1,200",
      "* Reading page 15 ███████████████░░░░░ 75% 1,500 of 2,000",
    ]);
    task.stop();
  });

  test("fits on the line, and shows the control characters of its label", async () => {
    const { time, stderr, progress } = await started(20);
    const task = progress.start("\u001b[2Ja long label that does not fit");
    await time.pass(100);
    expect(drawn(stderr)).toEqual(["* ␛[2Ja long label…"]);
    task.stop();
  });

  test("is cleared for other output, and waits for the end of that line", async () => {
    const { time, stderr, progress } = await started();
    const beside = progress.beside(stderr);
    const task = progress.start("Work");
    await time.pass(100);
    await beside.write(visible("half a line"));
    await time.pass(100);
    expect(drawn(stderr)).toEqual(["* Work", "half a line"]);
    await beside.writeData(" ended\n");
    await time.pass(100);
    expect(drawn(stderr)).toEqual(["* Work", "half a line ended\n", "* Work"]);
    task.stop();
  });

  test("of two tasks the later one shows, then the earlier again; stopping twice is harmless", async () => {
    const { time, stderr, progress } = await started();
    const outer = progress.start("outer");
    const inner = progress.start("inner");
    await time.pass(100);
    inner.stop();
    inner.stop();
    await time.pass(100);
    expect(drawn(stderr)).toEqual(["* inner", "", "* outer"]);
    expect(time.running()).toBe(true);
    outer.stop();
    expect(time.running()).toBe(false);
  });

  test.each([
    ["without a terminal", undefined, true],
    ["when it is not enabled", 80, false],
  ])("is silent %s", async (_, columns, enabled) => {
    const time = clock();
    const stderr = recorder(columns);
    const progress = createProgress({ stderr, env: {}, enabled, elapsedMs: time.elapsedMs, every: time.every });
    const task = progress.start("Work", { total: 5 });
    task.update(3);
    expect(time.running()).toBe(false);
    await progress.beside(stderr).writeData("notice\n");
    task.stop();
    expect(stderr.text).toBe("notice\n");
  });
});

describe("without repainting", () => {
  test.each<Environment>([{ ACCESSIBLE: "1" }, { TERM: "dumb" }])("%j: a plain line every 30 s", async (env) => {
    const { time, stderr, progress } = await started(120, env);
    const task = progress.start("Sending", { total: 100, unit: "bytes" });
    task.update(40);
    await time.pass(29_000);
    expect(stderr.text).toBe("");
    await time.pass(2000);
    expect(stderr.text).toBe("Sending 40% 40 B of 100 B, 1 B/s, 46s left\n");
    task.stop();
    const other = progress.start("\u001b[2JReading");
    await time.pass(25_000);
    await progress.beside(stderr).write(visible("half a line"));
    await time.pass(10_000);
    await progress.beside(stderr).writeData(" ended\n");
    await time.pass(100);
    other.stop();
    expect(stderr.text.split("\n").slice(1)).toEqual(["half a line ended", "␛[2JReading", ""]);
  });

  test.each<Environment>([{ ACCESSIBLE: "" }, { ACCESSIBLE: "0" }])("%j asks for nothing", async (env) => {
    const { time, stderr, progress } = await started(80, env);
    const task = progress.start("Work");
    await time.pass(100);
    task.stop();
    expect(drawn(stderr)).toEqual(["* Work", ""]);
  });
});

test("nothing is drawn after the command ends, even if tasks are still running", async () => {
  const { time, stderr, progress } = await started();
  progress.start("Work");
  await time.pass(100);
  progress.close();
  await time.pass(100);
  expect(drawn(stderr)).toEqual(["* Work", ""]);
  expect(time.running()).toBe(false);
});

describe("requests in progress", () => {
  test("show once a wait is noticeable; short ones close together count as one", async () => {
    const { time, stderr, progress } = await started();
    const watcher = watcherOf(progress);
    const first = watcher.asked();
    await time.pass(300);
    first();
    expect(stderr.text).toBe("");
    expect(time.running()).toBe(false);
    await time.pass(100);
    const second = watcher.asked();
    await time.pass(100);
    expect(drawn(stderr)).toEqual(["* waiting for the instance"]);
    second();
    expect(drawn(stderr).at(-1)).toBe("");
    await time.pass(1000);
    const third = watcher.asked();
    await time.pass(400);
    third();
    expect(drawn(stderr)).toHaveLength(2);
  });

  test("count the rows of a list, while any page is in flight", async () => {
    const { time, stderr, progress } = await started();
    const watcher = watcherOf(progress);
    const answered = [watcher.asked(), watcher.asked()];
    await time.pass(600);
    watcher.counted(100, 400);
    answered[0]?.();
    await time.pass(100);
    expect(drawn(stderr)).toEqual([
      "* waiting for the instance",
      "* waiting for the instance █████░░░░░░░░░░░░░░░ 25% 100 of 400",
    ]);
    answered[1]?.();
    expect(time.running()).toBe(false);
    watcher.counted(0, undefined);
  });

  test("are hidden by any other task", async () => {
    const { time, stderr, progress } = await started();
    const other = progress.start("working");
    const answered = watcherOf(progress).asked();
    await time.pass(600);
    other.stop();
    await time.pass(100);
    answered();
    expect(drawn(stderr)).toEqual(["* working", "", "* waiting for the instance", ""]);
  });
});

describe("a line break after ^C", () => {
  test("is only written if no drawn line clears the ^C", async () => {
    const { time, stderr, progress } = await started();
    const task = progress.start("Work");
    await time.pass(100);
    progress.breakLine();
    expect(drawn(stderr)).toEqual(["* Work", ""]);
    task.stop();
    progress.breakLine();
    expect(stderr.text).toMatch(/K\n$/);
    const piped = recorder(undefined);
    createProgress({ stderr: piped, env: {}, enabled: true, elapsedMs: time.elapsedMs, every: time.every }).breakLine();
    expect(piped.text).toBe("");
  });
});
