import { DryRunStop } from "./api/types.ts";
import { globalOptions } from "./cli/global-options.ts";
import type { Invocation } from "./cli/program.ts";
import { firstWord, typedOutput } from "./cli/words.ts";
import type { Command, Group } from "./command/command.ts";
import { resolveScope } from "./command/scope.ts";
import { groups } from "./commands/index.ts";
import type { Context } from "./context.ts";
import { type ExitCode, exitCodes, UsageError } from "./errors.ts";
import { ClosedPipe } from "./host.ts";
import { nearest } from "./nearest.ts";
import type { View } from "./terminal/view.ts";
import { openHost, type Wiring } from "./wire.ts";

/** Runs what was typed. Every error ends here, as text on stderr and an exit code. */
export async function run(host: NodeJS.Process, argv: readonly string[], version: string): Promise<ExitCode> {
  const wiring = openHost(host, version);
  const heading = { format: typedOutput(argv) ?? host.env.FORGECTL_OUTPUT, debug: argv.includes("--debug") };
  try {
    await dispatch(wiring, argv);
    return exitCodes.done;
  } catch (error) {
    if (error instanceof ClosedPipe) return exitCodes.done;
    const { report } = await import("./report.ts");
    return await report(wiring, error, heading);
  } finally {
    await wiring.close();
  }
}

async function dispatch(wiring: Wiring, argv: readonly string[]): Promise<void> {
  const word = firstWord(argv);
  if (word === undefined && !argv.some((each) => each === "-V" || each === "--version")) return rootHelp(wiring, argv);
  if (word === undefined) {
    await wiring.stdout.write(`${wiring.version}\n`);
    return;
  }
  if (word === "help") return helpTopic(wiring, argv.slice(argv.indexOf("help") + 1));
  const { parse } = await import("./cli/program.ts");
  const invocation = parse(await loadGroup(word), argv);
  if (invocation.kind === "help") return writeHelp(wiring, invocation.node, invocation.path);
  await execute(wiring, invocation);
}

async function loadGroup(word: string): Promise<Command | Group> {
  const entry = groups.find(({ name }) => name === word);
  if (entry !== undefined) return entry.load();
  const names = [...groups.map(({ name }) => name), "help"];
  const guess = nearest(word, names);
  const error = new UsageError(`unknown command '${word}'`, {
    code: "unknown_command",
    ...(guess !== undefined && { hint: `did you mean ${guess}?` }),
  });
  error.command = "";
  throw error;
}

async function execute(wiring: Wiring, invocation: Extract<Invocation, { kind: "run" }>): Promise<void> {
  const { command, path } = invocation;
  const options = globalOptions(invocation.globals);
  const context = await wiring.open(options);
  const { checkOutput, show } = await import("./show.ts");
  try {
    await checkOutput(options);
    const input = resolveScope(command.params, invocation.input, context.config);
    const view = await runCommand(context, command, input);
    if (view !== undefined) await show(wiring, context, options, view);
  } catch (error) {
    if (error instanceof UsageError) error.command ??= path.join(" ");
    if (!(error instanceof DryRunStop)) throw error;
    await show(wiring, context, options, { rows: context.api.planned, columns: ["method", "url", "body"] });
  }
}

async function runCommand(
  context: Context,
  command: Command,
  input: Record<string, unknown>,
): Promise<View | undefined> {
  const view = await command.run(context, input as never);
  // A dry run of several requests notes each down and goes on; the plan is the result then.
  if (context.api.planned.length > 0) throw new DryRunStop();
  return view;
}

async function rootHelp(wiring: Wiring, argv: readonly string[]): Promise<void> {
  const unknown = argv.find((word) => word.startsWith("-") && word !== "-h" && word !== "--help");
  const help = await import("./cli/help.ts");
  if (unknown !== undefined) {
    const error = new UsageError(`a command is missing after ${unknown}`, { code: "missing_command" });
    error.command = "";
    throw error;
  }
  await wiring.stdout.write(help.rootHelp(groups));
}

/** `help <topic>`, `help <command>`: the latter is the same as `<command> --help`. */
async function helpTopic(wiring: Wiring, words: readonly string[]): Promise<void> {
  const names = words.filter((word) => !word.startsWith("-"));
  const [first] = names;
  if (first === undefined) return rootHelp(wiring, []);
  const { topics } = await import("./cli/topics.ts");
  const topic = topics[first];
  if (topic !== undefined) {
    await wiring.stdout.write(topic());
    return;
  }
  let node = await loadGroup(first);
  for (const name of names.slice(1)) {
    const next: Command | Group | undefined =
      node.kind === "group" ? node.children.find((child) => child.name === name) : undefined;
    if (next === undefined)
      throw new UsageError(`there is no command '${names.join(" ")}'`, { code: "unknown_command" });
    node = next;
  }
  await writeHelp(wiring, node, names);
}

async function writeHelp(wiring: Wiring, node: Command | Group, path: readonly string[]): Promise<void> {
  const { nodeHelp } = await import("./cli/help.ts");
  await wiring.stdout.write(nodeHelp(node, path));
}
