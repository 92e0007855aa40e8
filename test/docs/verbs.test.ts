import { expect, test } from "vitest";
import { groups } from "../../src/commands/index.ts";
import { commandsIn } from "../../src/declare/describe.ts";

/** Percent of the commands with requests of the API that a verb makes. It goes up. */
const floor = 36;

test("what is usual comes from a verb: the share of commands written by hand does not grow", async () => {
  const nodes = await Promise.all(groups.map((entry) => entry.load()));
  const commands = nodes.flatMap((node) => [...commandsIn(node)].map(({ command }) => command));
  const asking = commands.filter(({ requests, verb }) => requests.length > 0 || verb !== undefined);
  const made = asking.filter(({ verb }) => verb !== undefined);
  expect(Math.floor((100 * made.length) / asking.length)).toBeGreaterThanOrEqual(floor);
});
