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

test("a rollback that removes what a variable gave an address says that a change of it would not be seen", async () => {
  const file = (url: string) =>
    `forgectl: 1\ngroups: { acme/mobile: { hooks: [{ name: New, url: ${url}, token: { env: NEW_TOKEN } }] } }\n`;
  const env = { NEW_URL: "https://new.example/hook", NEW_TOKEN: "new-token-value" };
  const undone = async (url: string) => {
    const { home, run } = await sandboxSession();
    writeFileSync(join(home, "state.yaml"), file(url));
    expect((await run("state", "apply", "-f", "state.yaml", "--yes", { env })).code).toBe(0);
    const { code, stderr } = await run("state", "rollback", "--yes", "--quiet");
    return [code, stderr];
  };
  expect(await undone("{ env: NEW_URL }")).toEqual([
    0,
    "warning: acme/mobile#hooks/New: whether another user has changed url since is not known: a variable or a file gave it, " +
      "which no record has\n",
  ]);
  expect(await undone('"https://other.example/hook"')).toEqual([0, ""]);
});
