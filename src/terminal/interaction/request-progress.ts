import type { Progress, ProgressTask } from "./index.ts";

/** The progress line of pending requests, as reported by the API client. */
export function watcherOf(progress: Progress) {
  let task: ProgressTask | undefined;
  let inFlight = 0;
  let done = 0;
  let total: number | undefined;
  return {
    asked(): () => void {
      inFlight += 1;
      task ??= progress.start("waiting for the instance", {
        background: true,
        done,
        ...(total !== undefined && { total }),
      });
      return () => {
        inFlight -= 1;
        if (inFlight > 0) return;
        task?.stop();
        task = undefined;
      };
    },
    counted(rows: number, wanted: number | undefined): void {
      done = rows;
      total = wanted;
      task?.update(rows, wanted === undefined ? {} : { total: wanted });
    },
  };
}
