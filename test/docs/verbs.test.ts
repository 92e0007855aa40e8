import { expect, test } from "vitest";
import { groups } from "../../src/commands/index.ts";
import { commandsIn } from "../../src/declare/describe.ts";

/**
 * The percentage of all commands, including those without a request, that a verb makes. Only new jobs across many
 * objects, which are written by hand, may lower it: audits, explain, and verify did. So did man, guide, and uninstall,
 * which need the machine.
 */
const floor = 47;

async function verbCommands() {
  const nodes = await Promise.all(groups.map((entry) => entry.load()));
  const commands = nodes.flatMap((node) => [...commandsIn(node)].map(({ command }) => command));
  return { commands, made: commands.filter(({ verb }) => verb !== undefined) };
}

test("a command that a verb makes has the name of that verb, whatever its options are", async () => {
  const { made } = await verbCommands();
  expect([...new Set(made.map(({ verb }) => verb))].sort()).toEqual([
    ...["apply", "create", "get", "list", "plan", "post", "print", "remap", "remove", "rollback", "update"],
    ...["validate", "write"],
  ]);
});

test("usual commands use a verb: the share of commands written by hand does not grow", async () => {
  const { commands, made } = await verbCommands();
  expect((100 * made.length) / commands.length).toBeGreaterThanOrEqual(floor);
});
