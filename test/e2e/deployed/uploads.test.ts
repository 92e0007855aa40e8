import { expect, test } from "vitest";
import { sandboxSession } from "../../support/session.ts";

test("upload-missing: one that is gone is not found, whatever the status of the answer", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  const missing = `${"0".repeat(32)}/gone.png`;
  const sent = await run("api", "-X", "DELETE", `projects/7/uploads/${missing}`);
  expect([sent.code, sent.stderr]).toEqual([1, expect.stringContaining("does not exist or you don't have permission")]);
  const { code, stderr } = await run("uploads", "delete", missing, "-p", "7", "--yes", "-o", "json");
  expect([code, JSON.parse(stderr).error]).toEqual([3, expect.objectContaining({ code: "not_found", status: 400 })]);
});
