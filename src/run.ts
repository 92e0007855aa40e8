import { DryRunStop } from "./api/types.ts";
import { globalOptions } from "./cli/global-options.ts";
import type { Invocation } from "./cli/program.ts";
import { firstWord, typedOutput } from "./cli/words.ts";
import { resolveScope } from "./command/scope.ts";
import type { GlobalOptions } from "./config/types.ts";
import type { Context } from "./context.ts";
import { exitCodes, UsageError } from "./errors.ts";
import { ClosedPipe } from "./host.ts";
import type { View } from "./terminal/view.ts";
import { openHost, type Wiring } from "./wire.ts";

/** Runs what was typed. Every error ends here, as text on stderr and an exit code. */
export async function run(host: NodeJS.Process, argv: readonly string[], version: string): Promise<number> {
  const wiring = openHost(host, version);
  const heading = { format: typedOutput(argv) ?? host.env.FORGECTL_OUTPUT, debug: argv.includes("--debug") };
  try {
    return await dispatch(wiring, argv);
  } catch (error) {
    if (error instanceof ClosedPipe) return exitCodes.done;
    const { report } = await import("./report.ts");
    return await report(wiring, error, heading);
  } finally {
    await wiring.close();
  }
}

async function dispatch(wiring: Wiring, argv: readonly string[]): Promise<number> {
  const print = async (text: string) => {
    await wiring.stdout.write(text);
    return exitCodes.done;
  };
  const word = firstWord(argv);
  if (word === undefined && argv.some((each) => each === "-V" || each === "--version"))
    return print(`${wiring.version}\n`);
  if (word === undefined || word === "help") {
    const { helpOn, helpWithoutCommand } = await import("./cli/ask-help.ts");
    return print(word === undefined ? helpWithoutCommand(argv) : await helpOn(argv.slice(argv.indexOf("help") + 1)));
  }
  const { loadGroup } = await import("./cli/load.ts");
  const { parse } = await import("./cli/program.ts");
  const invocation = parse(await loadGroup(word), argv);
  if (invocation.kind === "run") return execute(wiring, invocation);
  const { nodeHelp } = await import("./cli/help.ts");
  return print(nodeHelp(invocation.node, invocation.path));
}

async function execute(wiring: Wiring, invocation: Extract<Invocation, { kind: "run" }>): Promise<number> {
  const options = globalOptions(invocation.globals);
  try {
    const context = await wiring.open(options);
    return await runCommand(wiring, context, options, invocation);
  } catch (error) {
    if (error instanceof UsageError) error.command ??= invocation.path.join(" ");
    throw error;
  }
}

async function runCommand(
  wiring: Wiring,
  context: Context,
  options: GlobalOptions,
  { command, input }: Extract<Invocation, { kind: "run" }>,
): Promise<number> {
  const { checkOutput, show } = await import("./show.ts");
  await checkOutput(options);
  const print = (view: View) => show(wiring, context, options, view);
  try {
    const view = await command.run(context, resolveScope(command.params, input, context.config) as never);
    if (view === undefined) return exitCodes.done;
    if ("exit" in view) return view.exit;
    await print(view);
    if ("until" in view) await view.until?.();
  } catch (error) {
    if (!(error instanceof DryRunStop)) throw error;
    await print({ rows: context.api.planned, columns: ["method", "url", "body"] });
  }
  return exitCodes.done;
}
