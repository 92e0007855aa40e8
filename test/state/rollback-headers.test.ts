import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";

// Of a webhook's headers only the names can be read: what a run added, replaced, or removed is not restored, and a
// rollback says so.

test.each([
  ["added", "[{ key: X-New, value: abc }]"],
  ["removed", "[]"],
])("a header that a run has %s", async (_, headers) => {
  const { run, home } = await sandboxSession();
  const place = ["hooks", "update", "3", "-g", "acme"];
  writeFileSync(join(home, "old.txt"), "X-Old: old\n");
  if (headers === "[]") expect((await run(...place, "--header-file", "old.txt", "--yes")).code).toBe(0);
  const hook = `{ id: 3, url: "https://pager.acme.example/v2/enqueue", description: other, custom_headers: ${headers} }`;
  writeFileSync(join(home, "state.yaml"), `forgectl: 1\ngroups: { acme: { hooks: [${hook}] } }\n`);
  expect((await run("state", "apply", "-f", "state.yaml", "--yes")).code).toBe(0);
  const back = await run("state", "rollback", "--yes");
  expect([back.code, back.stderr]).toEqual([9, expect.stringContaining("acme#hooks/3: restored without the secrets")]);
});
