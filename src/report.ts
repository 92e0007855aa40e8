import { type ExitCode, exitCodes, Failure } from "./errors.ts";
import { renderFailure } from "./terminal/failure.ts";
import { createStyle } from "./terminal/style.ts";
import type { Wiring } from "./wire.ts";

/** Says on stderr what went wrong and gives the exit code. What is no Failure is a bug of this program. */
export async function report(
  wiring: Wiring,
  error: unknown,
  heading: { format: string | undefined; debug: boolean },
): Promise<ExitCode> {
  const failure = error instanceof Failure ? error : await bugOf(wiring, error);
  const text = renderFailure(failure, {
    json: heading.format === "json" || heading.format === "ndjson",
    style: createStyle(undefined, wiring.env, wiring.stderr),
  });
  await wiring.stderr.write(wiring.redact(heading.debug ? `${text}${traceOf(error)}` : text)).catch(() => undefined);
  return exitCodes[failure.exit];
}

/** Writes the trace to a file of its own, so that the terminal stays readable and the report complete. */
async function bugOf(wiring: Wiring, error: unknown): Promise<Failure> {
  const message = error instanceof Error ? error.message : String(error);
  const where = await keepTrace(wiring, traceOf(error)).catch(() => undefined);
  return new Failure("bug", `this is a bug in forgectl: ${message}`, {
    code: "bug",
    hint:
      where === undefined
        ? "please report it, with the output of the same command with --debug"
        : `please report it, with the trace in ${where}`,
    cause: error,
  });
}

async function keepTrace(wiring: Wiring, trace: string): Promise<string> {
  const folder = await wiring.files.temporaryFolder();
  const path = `${folder}/trace.txt`;
  await wiring.files.write(path, wiring.redact(`forgectl ${wiring.version}\n${trace}`), { mode: 0o600 });
  return path;
}

function traceOf(error: unknown): string {
  if (!(error instanceof Error)) return `${String(error)}\n`;
  const cause = error.cause === undefined ? "" : `caused by: ${traceOf(error.cause)}`;
  return `${error.stack ?? error.message}\n${cause}`;
}
