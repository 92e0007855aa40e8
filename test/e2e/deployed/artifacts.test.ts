import { expect, test } from "vitest";
import { sandboxSession } from "../../support/session.ts";

test("artifacts-of-recent-pipelines: --search-recent finds what the latest pipeline does not have", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  const cat = (...more: string[]) => run(..."artifacts cat VERSION -p 7 --ref main --job build".split(" "), ...more);
  // The latest pipeline's own, and its child's.
  expect((await run(..."artifacts delete 1000 1003 -p 7 --yes".split(" "))).code).toBe(0);
  expect((await cat()).code).toBe(3);
  expect(await cat("--search-recent")).toMatchObject({ code: 0, stdout: "1.1.0-again\n" });
  const { code, stderr } = await run(..."artifacts download -p 7 --job-id 1000 --search-recent".split(" "));
  expect([code, stderr.split("\n")[0]]).toEqual([2, "error: --search-recent goes with --ref and --job"]);
});
