import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { requestsIn, sandboxSession } from "../support/session.ts";

// The two allowlists of a project give access together: an entry of one may take the place of entries of the other, as
// in the file of `job-token compact`. If it is not added, nothing loses its access.

interface Row {
  address: string;
  action: string;
  status: string;
  error: string | null;
}

/** The allowlists of project 7 as an administrator made them, then applied with a Maintainer's token. */
async function applied(lists: string) {
  const log: string[] = [];
  const administrator = await sandboxSession({ log: (line) => log.push(line) });
  for (const line of ["projects add 9", "projects add 10", "groups add 3"]) {
    expect((await administrator.run("job-token", ...line.split(" "), "-p", "7")).code).toBe(0);
  }
  const maintainer = administrator.as("maintainer");
  const state = `forgectl: 1\nprojects: { acme/storefront: { job_token_scope: { ${lists} } } }\n`;
  writeFileSync(join(maintainer.home, "state.yaml"), state);
  log.length = 0;
  const line = "state apply -f state.yaml --prune --max-delete all --yes -o json";
  const { code, stdout } = await maintainer.run(...line.split(" "));
  const removals = requestsIn(log).filter((each) => each.startsWith("DELETE"));
  return { code, rows: JSON.parse(stdout) as Row[], removals };
}

test.each([
  ["a group that is refused keeps the projects that it was to replace", "allowlist: [], groups_allowlist: [5]"],
  ["a group that cannot be looked up keeps them too", "allowlist: [], groups_allowlist: [globex]"],
  ["a project that is refused keeps the groups", "allowlist: [9999], groups_allowlist: []"],
])("%s", async (_, lists) => {
  const { code, rows, removals } = await applied(lists);
  expect([code, removals]).toEqual([9, []]);
  const kept = rows.filter(({ action }) => action === "delete");
  expect(kept.length).toBeGreaterThan(0);
  for (const { status, error } of kept) {
    expect([status, error]).toEqual([
      "skipped",
      expect.stringMatching(/^an (?:addition to|entry of) (?:one of its|this) list/),
    ]);
  }
});

test("what is added in one list frees the other", async () => {
  const { code, removals } = await applied("allowlist: [], groups_allowlist: [3, 4]");
  expect([code, removals.length > 1]).toEqual([0, true]);
});
