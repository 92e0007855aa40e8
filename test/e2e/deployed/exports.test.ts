import { expect, test } from "vitest";
import { sandboxSession } from "../../support/session.ts";

const words = (line: string) => line.split(" ");

async function transferring() {
  const deployed = await sandboxSession({ asDeployed: true });
  expect((await deployed.run(...words("settings set bulk_import_enabled=true --yes"))).code).toBe(0);
  return deployed;
}

test("export-reused: shortly after its end, an export is not made again", async () => {
  const { run } = await transferring();
  expect((await run(...words("relations export -p 7 --wait"))).code).toBe(0);
  const status = words("relations status -p 7 --fields relation,updated_at --no-header");
  const before = (await run(...status)).stdout;
  expect((await run(...words("relations export -p 7"))).code).toBe(0);
  expect((await run(...status)).stdout).toBe(before);
});

test("export-rows: a relation of an older release keeps its row, and objects are counted", async () => {
  const { run } = await transferring();
  const relations = async () => (await run(...words("relations status -p 1 --fields relation --no-header"))).stdout;
  expect(await relations()).toBe("metrics_setting\n");
  expect((await run(...words("relations export -p 1"))).code).toBe(0);
  await expect.poll(relations, { timeout: 5000 }).toContain("issues");
  expect((await relations()).split("\n")).toEqual(expect.arrayContaining(["metrics_setting", "user_contributions"]));
  const counted = await run(...words('api projects/3/export_relations/status --jq .[0]|has("total_objects_count")'));
  expect(counted.stdout).toBe("true\n");
});
