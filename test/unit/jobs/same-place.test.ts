import { expect, onTestFinished, test } from "vitest";
import type { InnerCommand } from "../../../src/context.ts";
import { unlessOther } from "../../../src/jobs/same-place.ts";
import { contextFor } from "../../support/context.ts";
import { startSandbox } from "../../support/sandbox.ts";
import { smallInstance } from "../../support/small-instance.ts";

// Between the list of projects and the turn of one of them are a question, and all that comes before it.

test.each([
  ["the same project still", "project 7", 60_000, true],
  ["another project", "project 70", 60_000, false],
  ["another one of a profile", "project 70 of staging", 60_000, false],
  ["another one of a line of a batch", "ab12:project 70", 60_000, false],
  ["another one of the second of equal lines", "ab12:project 70#2", 60_000, false],
  ["another one, but listed a moment ago", "project 70", 5000, true],
  ["a project that was not looked up", "project acme/storefront", 60_000, true],
])("of the path of %s", async (_, id, ageMs, isRun) => {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const context = { ...contextFor(sandbox.url, { token: sandbox.tokens.owner }), elapsedMs: () => ageMs };
  let runs = 0;
  const inner = {
    run: async () => {
      runs += 1;
    },
  } as unknown as InnerCommand;
  const digest = /^[0-9a-f]+:/.exec(id)?.[0] ?? "";
  const listed = { named: `${digest}project acme/storefront`, id, listedAtMs: 0 };
  const run = unlessOther(context, inner, listed).run({ yes: true }, async () => undefined);
  if (isRun) await run;
  else await expect(run).rejects.toMatchObject({ code: "stale", details: { nothing: "sent" } });
  expect(runs).toBe(isRun ? 1 : 0);
});

test.each([
  [500, 0],
  [403, 1],
  [404, 1],
])("a look that is answered %i", async (status, runs) => {
  const { url } = await smallInstance({
    "GET /projects/acme%2Fstorefront": { status, body: { message: `${status} Project Not Found` } },
  });
  const context = { ...contextFor(url, { token: "t0ken-of-nobody" }), elapsedMs: () => 60_000 };
  let ran = 0;
  const inner = {
    run: async () => {
      ran += 1;
    },
  } as unknown as InnerCommand;
  const listed = { named: "project acme/storefront", id: "project 7", listedAtMs: 0 };
  const run = unlessOther(context, inner, listed).run({ yes: true }, async () => undefined);
  await (runs === 1 ? run : expect(run).rejects.toMatchObject({ exit: "refused" }));
  expect(ran).toBe(runs);
});
