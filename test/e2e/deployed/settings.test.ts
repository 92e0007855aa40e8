import { expect, test } from "vitest";
import { sandboxSession } from "../../support/session.ts";

test("settings-unknown-names: what the tier lacks is named, alone and beside what was applied", async () => {
  const { run } = await sandboxSession({ asDeployed: true, tier: "free" });
  const alone = await run(..."settings set file_template_project_id=7 -o json".split(" "));
  expect(alone.code).toBe(1);
  expect(alone.stderr.length).toBeLessThan(1000);
  const { error } = JSON.parse(alone.stderr);
  expect([error.status, error.cause]).toEqual([400, "the instance has none of file_template_project_id"]);
  const beside = await run(..."settings set file_template_project_id=7 snippet_size_limit=1000 -o json".split(" "));
  expect(JSON.parse(beside.stderr).error).toMatchObject({
    message: "the instance did not apply file_template_project_id as sent",
    outcome: "made",
  });
  expect((await run("settings", "get", "snippet_size_limit")).stdout).toBe("1000\n");
});
