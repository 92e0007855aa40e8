import { describe, expect, test } from "vitest";
import { attack } from "../support/attack.ts";
import { distortingProxy, distortions } from "../support/distorting-proxy.ts";
import { exampleLines, typist, unattended } from "../support/examples.ts";
import { sandboxSession } from "../support/session.ts";

// An example of every command is run against an instance whose answers have undocumented forms. That must never be a
// bug of the program (exit 70), or an endless loop. Most commands run in this process, where a loop that waits for
// nothing stops the test run itself, without a result; with FORGECTL_TEST_ROUNDS all are processes, and the failure
// names the command.

/** With more rounds, all examples are run, with other distortions and seeds: for manual searches. */
const rounds = Number(process.env.FORGECTL_TEST_ROUNDS ?? 1);
const lines = await exampleLines(rounds > 1 ? undefined : 1);
const signedIn = await sandboxSession();
const type = await typist(signedIn);
const attacked = attack(lines.length);

describe.concurrent("answers in undocumented forms", () => {
  test.each(lines.map((line, index) => [line, index] as const))("%s", { timeout: 600_000 }, async (line, index) => {
    for (const round of attacked.cells(Array.from({ length: rounds }, (_, each) => each))) {
      const how = distortions[(index + round) % distortions.length] ?? "field";
      const proxy = await distortingProxy(signedIn.sandbox.url, how, index + 1000 * round);
      const { stderr } = await type(unattended(line), { FORGECTL_BASE_URL: proxy.url }, { asProcess: rounds > 1 });
      expect(stderr, `${how}, seed ${index + 1000 * round}`).not.toMatch(/this is a bug in forgectl|^not ended/);
      expect(proxy.count).toBeLessThan(100);
    }
  });
});

test("all commands are included", () => expect(lines.length).toBeGreaterThan(80));
