import { expect, test } from "vitest";
import { groups } from "../../src/commands/index.ts";
import { commandsIn } from "../../src/declare/describe.ts";

/** Percent of all commands, those without a request too, that a verb makes. It goes up. */
const floor = 49;

test("usual commands use a verb: the share of commands written by hand does not grow", async () => {
  const nodes = await Promise.all(groups.map((entry) => entry.load()));
  const commands = nodes.flatMap((node) => [...commandsIn(node)].map(({ command }) => command));
  const made = commands.filter(({ verb }) => verb !== undefined);
  expect((100 * made.length) / commands.length).toBeGreaterThanOrEqual(floor);
});
