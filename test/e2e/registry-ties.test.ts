import { expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { requestsIn, sandboxSession } from "../support/session.ts";

/** In the demo data v1 and v1.18.0 are tags of one manifest, so that both have the same time. */
const tied = ["registry", "tags", "prune", "12", "-p", "7", "--delete-regex", "v1(\\.1[78].*)?", "--keep-n", "1"];

test("a tie that matters is EITHER in the preview, counted as deleted, and refused in bulk", async () => {
  const log: string[] = [];
  const { run } = await sandboxSession({ log: (line) => log.push(line) });
  const preview = await run(...tied, "--dry-run", "--jq", '.[] | select(.verdict != "KEEP") | [.name, .verdict]');
  expect(preview.stdout).toBe('["v1","EITHER"]\n["v1.18.0","EITHER"]\n["v1.17.0","DELETE"]\n');
  expect(preview.stderr).toBe(
    "3 of 63 tags would be deleted: of 2 of them (EITHER) only the instance decides which it keeps: they are as old as " +
      "the last tag that --keep-n keeps; --via bulk is refused, --via tags is exact\n",
  );
  requestsIn(log);
  for (const flags of [["--yes"], ["--yes", "--repeat"]]) {
    const { code, stdout, stderr } = await run(...tied, ...flags, "-o", "json");
    expect([code, stdout]).toEqual([2, ""]);
    expect(JSON.parse(stderr).error).toMatchObject({
      code: "tie",
      message: "a tie between 2 tags is undecided",
      hint: "forgectl registry tags prune 12 -p 7 --delete-regex 'v1('\\\\'.1[78].*)?' --keep-n 1 --via tags --yes",
      retryable: false,
    });
  }
  expect(requestsIn(log).filter((line) => !line.startsWith("GET"))).toEqual([]);

  // Tag by tag, exactly the preview is deleted.
  const exact = await run(...tied, "--via", "tags", "--dry-run", "--jq", '.[] | select(.verdict == "DELETE") | .name');
  const deleted = await run(...tied, "--via", "tags", "--yes", "--jq", ".[].tag_name");
  expect(deleted).toEqual({ code: 0, stdout: exact.stdout, stderr: "2 of 2 done\n" });
  expect(exact.stdout).toBe("v1.18.0\nv1.17.0\n");
});

test("registry prune names repositories with a tie, deletes in the others, and says so if there are none", async () => {
  const log: string[] = [];
  const { run } = await sandboxSession({ log: (line) => log.push(line) });
  const rules = ["--delete-regex", "v1|v1\\.18\\.0|v1\\.[1-5]\\.0", "--keep-n", "1"];
  const all = await run(
    "registry",
    "prune",
    "-p",
    "7",
    ...rules,
    "--yes",
    "--fields",
    "path,status,deleted",
    "--no-header",
  );
  expect(all).toEqual({
    code: 0,
    stdout: "acme/storefront\tskipped\t7\nacme/storefront/worker\tscheduled\t5\n",
    stderr:
      "acme/storefront: 7 of 63 tags to delete, skipped because of a tie\n" +
      "acme/storefront/worker: 5 of 27 tags to delete\nacme/storefront/cache: 0 of 0 tags to delete\n1 of 2 done, 1 skipped\n",
  });
  const only = await run("registry", "prune", "-p", "7", ...rules, "--match", "acme/storefront", "--yes", "-o", "json");
  expect([only.code, JSON.parse(only.stdout)]).toEqual([
    ...[0, [expect.objectContaining({ status: "skipped", error: "a tie decides: --via tags is exact" })]],
  ]);
  expect(only.stderr).toBe("acme/storefront: 7 of 63 tags to delete, skipped because of a tie\n");
  const preview = await run("registry", "prune", "-p", "7", ...rules, "--match", "acme/storefront", "-n");
  expect(preview.stderr).toBe(`${only.stderr}nothing to delete in repositories that are not skipped\n`);
  expect(requestsIn(log).filter((line) => !line.startsWith("GET"))).toEqual([
    expect.stringMatching(/^DELETE \S+\/repositories\/13\/tags 202$/),
  ]);
});

test("a plan has what a tie does not touch, and its repository is not called skipped", async () => {
  const { run } = await sandboxSession();
  const line = "registry prune -p 7 --delete-regex v1|v1\\.18\\.0|v1\\.[1-5]\\.0 --keep-n 1 --match acme/storefront";
  const { code, stdout, stderr } = await run(
    ...line.split(" "),
    ..."--save plan.json --only delete --jq length".split(" "),
  );
  expect([code, stdout, stderr]).toEqual([
    ...[0, "5\n"],
    "acme/storefront: 5 of 63 tags to delete, without 2 on which only the instance decides (EITHER)\n" +
      "5 tags saved to plan.json; nothing was deleted\n",
  ]);
});

test("a tie that does not matter is ignored: the bulk delete is sent", async () => {
  const { run } = await sandboxSession();
  const pair = ["registry", "tags", "prune", "12", "-p", "7", "--delete-regex", "v1(\\.1[78].*)?", "--keep-n", "2"];
  const { code, stdout } = await run(...pair, "--yes", "--repeat", "-o", "json");
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ status: "done", deleted: 1 })]);
});

test("a list of tags without names is an error, and nothing is deleted", async () => {
  const { run, seen } = await alteringSession(({ path, body }) =>
    /\/tags\?/.test(path) && Array.isArray(body) ? { body: body.map(({ path }) => ({ path })) } : undefined,
  );
  for (const via of ["bulk", "tags"]) {
    const prune = ["registry", "tags", "prune", "12", "-p", "7", "--delete-regex", ".*", "--keep-n", "3", "--yes"];
    const { code, stderr } = await run(...prune, "--via", via);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("cause: in a RegistryTag of the answer, name is missing\n"),
    ]);
  }
  expect(seen.filter((line) => line.startsWith("DELETE"))).toEqual([]);
});
