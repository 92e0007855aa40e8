import { type ExitCode, exitCodes, Failure } from "../base/errors.ts";
import { renderFailure } from "../terminal/failure-text.ts";
import { loadStyle } from "../terminal/style.ts";
import type { Reporting, Shell } from "./shell.ts";

/** Prints an error on stderr and returns the exit code. An error that is not a Failure is a bug of this program. */
export async function report(shell: Shell, error: unknown, how: Reporting): Promise<ExitCode> {
  const failure = error instanceof Failure ? error : await bugOf(shell, error, how);
  const text = renderFailure(failure, {
    json: how.format === "json" || how.format === "ndjson",
    style: await loadStyle(how.color, shell.host.env, shell.stderr),
    redact: how.redact,
    trace: how.debug ? traceOf(error) : undefined,
  });
  await shell.stderr.write(text).catch(() => undefined);
  return exitCodes[failure.exit];
}

/** Writes the stack trace to a file, so that the terminal stays readable and the report complete. */
async function bugOf(shell: Shell, error: unknown, how: Reporting): Promise<Failure> {
  const message = error instanceof Error ? error.message : String(error);
  const where = await keepTrace(shell, how.redact(`forgectl ${shell.version}\n${traceOf(error)}`)).catch(
    () => undefined,
  );
  return new Failure("bug", `this is a bug in forgectl: ${message}`, {
    code: "bug",
    hint:
      where === undefined
        ? "please report it, with the output of the same command with --debug"
        : `please report it, with the trace in ${where}`,
    cause: error,
  });
}

async function keepTrace(shell: Shell, trace: string): Promise<string> {
  const { nodeFiles } = await import("../node/files.ts");
  const files = nodeFiles(shell.host.cwd());
  const path = `${await files.temporaryFolder()}/trace.txt`;
  await files.write(path, trace, { mode: 0o600 });
  return path;
}

function traceOf(error: unknown): string {
  if (!(error instanceof Error)) return `${String(error)}\n`;
  const cause = error.cause === undefined ? "" : `caused by: ${traceOf(error.cause)}`;
  return `${error.stack ?? error.message}\n${cause}`;
}
