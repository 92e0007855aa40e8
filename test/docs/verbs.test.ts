import { expect, test } from "vitest";
import { groups } from "../../src/commands/index.ts";
import { commandsIn } from "../../src/declare/describe.ts";

/** The percentage of all commands, including those without a request, that a verb makes. It may only increase. */
const floor = 49;

test("usual commands use a verb: the share of commands written by hand does not grow", async () => {
  const nodes = await Promise.all(groups.map((entry) => entry.load()));
  const commands = nodes.flatMap((node) => [...commandsIn(node)].map(({ command }) => command));
  const made = commands.filter(({ verb }) => verb !== undefined);
  expect((100 * made.length) / commands.length).toBeGreaterThanOrEqual(floor);
});
