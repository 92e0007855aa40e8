import type { Output } from "../../../src/host.ts";
import { type RenderOptions, render } from "../../../src/terminal/render/index.ts";
import { visibleLines } from "../../../src/terminal/sanitize.ts";
import { plainStyle as plain } from "../../../src/terminal/style.ts";
import type { View } from "../../../src/terminal/view.ts";

export interface Recorder extends Output {
  readonly text: string;
  readonly chunks: readonly (string | Uint8Array)[];
}

/** A stream that records what is written to it; with `columns` it is a terminal of that width. */
export function recorder(columns?: number): Recorder {
  const chunks: (string | Uint8Array)[] = [];
  const write = async (chunk: string | Uint8Array) => {
    chunks.push(chunk);
  };
  return {
    isTerminal: columns !== undefined,
    columns,
    chunks,
    get text() {
      return Buffer.concat(chunks.map((chunk) => Buffer.from(chunk as Uint8Array))).toString();
    },
    write,
    writeData: (text) => write(columns === undefined ? text : visibleLines(text)),
    writeBytes: write,
  };
}

export { plain };
export const now = new Date("2026-03-10T12:00:00.000Z");

export type Wanted = Partial<Omit<RenderOptions, "stdout" | "stderr">> & { columns?: number; stderrColumns?: number };

export function optionsFor({ columns, stderrColumns, ...wanted }: Wanted) {
  const stdout = recorder(columns);
  const stderr = recorder(stderrColumns);
  const options: RenderOptions = {
    format: "tsv",
    header: true,
    style: plain,
    now,
    times: false,
    pictures: true,
    quiet: false,
    explicitFormat: true,
    typedFormat: wanted.explicitFormat ?? true,
    isLogged: false,
    signal: new AbortController().signal,
    unwatched: (compute) => compute(),
    ...wanted,
    stdout,
    stderr,
  };
  return { stdout, stderr, options };
}

/** The output of a view: both streams, and the error, if any. */
export async function shown(view: View, wanted: Wanted = {}) {
  const { stdout, stderr, options } = optionsFor(wanted);
  const error: unknown = await render(view, options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { stdout: stdout.text, stderr: stderr.text, error };
}
