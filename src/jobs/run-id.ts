// Runs of jobs and of apply have names of one form: the second, by which they are ordered, and four digits against a
// second run in it.

/** A new name: `20261121T164502Z-7f3a`. */
export function runId(now: Date): string {
  return `${secondOf(now)}-${crypto.randomUUID().slice(0, 4)}`;
}

export function isRunId(text: string): boolean {
  return /^\d{8}T\d{6}Z-\w{4}$/.test(text);
}

/** The beginning of the names of that second: earlier names sort before it. */
export function secondOf(time: Date): string {
  return time.toISOString().replace(/[-:]|\.\d+/g, "");
}
