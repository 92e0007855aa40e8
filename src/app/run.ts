import { isInCi } from "../base/ci.ts";
import { exitCodes, UsageError } from "../base/errors.ts";
import { type HelpPage, helpWidth } from "../base/help-page.ts";
import { refuseNodeWords } from "../base/node-words.ts";
import { refuseReplaced } from "../base/unicode.ts";
import { helpOn, helpWithoutCommand } from "../cli/ask-help.ts";
import { nodePage } from "../cli/help.ts";
import { loadGroup } from "../cli/load.ts";
import type { CommandInvocation } from "../cli/program.ts";
import { firstWord, typedValue } from "../cli/words.ts";
import { ClosedPipe } from "../host.ts";
import { helpText } from "../terminal/help-text.ts";
import { lateOutput, outputFrom } from "../terminal/streams.ts";
import { startStyle } from "../terminal/style.ts";
import type { Shell } from "./shell.ts";
import { wholeWrites } from "./whole-writes.ts";
import type { Wiring } from "./wire.ts";

/**
 * Runs what was typed. Every error ends here, as text on stderr and an exit code; when it resolves, all output has left
 * the process.
 */
export async function run(
  host: NodeJS.Process,
  argv: readonly string[],
  { version, part }: Pick<Shell, "version" | "part">,
): Promise<number> {
  const isTerminal = (descriptor: number) => host.getBuiltinModule("node:tty").isatty(descriptor);
  const stdout = lateOutput(
    () => isTerminal(1),
    () => outputFrom(wholeWrites(host.stdout)),
  );
  const stderr = lateOutput(
    () => isTerminal(2),
    () => outputFrom(wholeWrites(host.stderr), { isJobLog: isInCi(host.env) }),
  );
  try {
    return await runIn({ host, version, part, stdout, stderr }, argv);
  } finally {
    await Promise.all([stdout.drained(), stderr.drained()]);
  }
}

async function runIn(shell: Shell, argv: readonly string[]): Promise<number> {
  const { host } = shell;
  let wiring: Wiring | undefined;
  try {
    const asked = await understand(argv, shell);
    if (typeof asked === "string") await shell.stdout.writeData(asked);
    else if ("page" in asked) await writeHelp(shell, asked.page, typedValue(argv, "color"));
    if (typeof asked === "string" || "page" in asked) return exitCodes.done;
    const { wire } = await import("./wire.ts");
    wiring = wire(shell);
    return await execute(wiring, asked);
  } catch (error) {
    if (error instanceof ClosedPipe) return exitCodes.done;
    const { report } = await import("./report.ts");
    return await report(shell, error, {
      format: typedValue(argv, "output", "o") ?? host.env.FORGECTL_OUTPUT,
      color: typedValue(argv, "color"),
      debug: argv.includes("--debug"),
      redact: (text) => text,
      ...wiring?.reporting(),
    });
  }
}

/** A command to run, or the help or version that was asked for instead, which need nothing else of the machine. */
async function understand(
  argv: readonly string[],
  shell: Shell,
): Promise<CommandInvocation | { page: HelpPage } | string> {
  const { host, version, stdout, stderr } = shell;
  if (argv[0] === "__complete") return (await import("./complete.ts")).completions(shell, argv.slice(1));
  const word = firstWord(argv);
  const ahead = word === undefined ? argv : argv.slice(0, argv.indexOf(word));
  if (ahead.some((each) => each === "-V" || each === "--version")) return `${version}\n`;
  if (word === undefined) return { page: helpWithoutCommand(argv) };
  if (word === "help") return { page: await helpOn(argv.slice(argv.indexOf("help") + 1)) };
  refuseReplaced(argv);
  refuseNodeWords(argv);
  const { parse } = await import("../cli/program.ts");
  // Prompting needs all three to be terminals; anywhere else, a missing value is refused as usual.
  const asks = stdout.isTerminal && stderr.isTerminal && host.getBuiltinModule("node:tty").isatty(0);
  const invocation = parse(await loadGroup(word, argv), argv, asks);
  if (invocation.kind === "version") return `${version}\n`;
  return invocation.kind === "run" ? invocation : { page: nodePage(invocation.node, invocation.path) };
}

async function writeHelp({ host, stdout }: Shell, page: HelpPage, color: string | undefined): Promise<void> {
  const style = startStyle(color, host.env, stdout);
  await stdout.write(helpText(page, helpWidth(stdout.columns), style));
}

async function execute(wiring: Wiring, asked: CommandInvocation): Promise<number> {
  const { perform } = await import("./perform.ts");
  try {
    return await perform(wiring, asked);
  } catch (error) {
    if (error instanceof UsageError) error.command ??= asked.path.join(" ");
    throw error;
  } finally {
    await wiring.close();
  }
}
