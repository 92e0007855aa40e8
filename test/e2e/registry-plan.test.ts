import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tags } from "../../src/sandbox/areas/registry/model.ts";
import { requestsIn, sandboxSession } from "../support/session.ts";

// `registry prune --save` and `--plan`: exactly the tags that were reviewed, as long as they are the same images.

test("a saved plan deletes these tags with these digests; another image is stale, and stays", async () => {
  const log: string[] = [];
  const own = await sandboxSession({ log: (line) => log.push(line) });
  const run = (line: string) => own.run(...line.split(" "));
  const changes = () => requestsIn(log).filter((line) => !line.startsWith("GET "));
  const rules = "--delete-regex nightly-.* --keep-n 1";
  const saved = await run(`registry prune -p 7 ${rules} --save plan.json --only delete --fields path,name --no-header`);
  const lines = saved.stdout.trimEnd().split("\n");
  expect([saved.code, changes(), saved.stderr]).toEqual([
    ...[0, []],
    expect.stringContaining(`${lines.length} tags saved to plan.json; nothing was deleted\n`),
  ]);
  const none = await run(`registry prune -p 7 ${rules} --save other.json --dry-run`);
  expect([none.code, none.stderr, existsSync(join(own.home, "other.json"))]).toEqual([
    ...[0, expect.stringContaining(`${lines.length} tags would be saved to other.json; nothing was deleted\n`), false],
  ]);
  const path = join(own.home, "plan.json");
  const plan = JSON.parse(readFileSync(path, "utf8"));
  expect(plan.tags.map((tag: { path: string; name: string }) => `${tag.path}\t${tag.name}`)).toEqual(lines);
  expect(statSync(path).mode & 0o777).toBe(0o600);

  const table = own.sandbox.store.table(tags);
  const [moved, gone, ...others] = plan.tags as { name: string; repository_id: number }[];
  const find = (tag: typeof moved) =>
    table.find(({ repository_id, name }) => repository_id === tag?.repository_id && name === tag?.name);
  table.update(find(moved)?.id ?? 0, { digest: `sha256:${"0".repeat(64)}` });
  table.delete(find(gone)?.id ?? 0);

  const asked = await run("registry prune --plan plan.json");
  expect([asked.code, changes()]).toEqual([2, []]);
  expect(asked.stderr).toContain(`error: this would delete ${plan.tags.length} tags in `);
  const dry = await run("registry prune --plan plan.json -n -o json");
  const previewed: { name: string; verdict: string; rule: string }[] = JSON.parse(dry.stdout);
  // Each tag has its row: one that is stale does not end the preview.
  expect([dry.code, changes(), previewed.map(({ verdict, rule }) => `${verdict} ${rule}`)]).toEqual([
    ...[0, [], ["KEEP stale", "KEEP gone", ...others.map(() => "DELETE planned")]],
  ]);
  expect(dry.stderr).toBe(`${others.length} of ${plan.tags.length} tags of the plan would be deleted\n`);

  const done = await run("registry prune --plan plan.json --yes -o json");
  const rows: { name: string; status: string; error: string | null }[] = JSON.parse(done.stdout);
  expect([done.code, rows.map(({ status }) => status)]).toEqual([
    ...[9, ["stale", "skipped", ...others.map(() => "deleted")]],
  ]);
  expect(rows[0]?.error).toContain("points at another image by now");
  expect(changes()).toHaveLength(others.length);
  expect(find(moved)).toBeDefined();

  for (const wrong of [`${rules}`, "-p 7", "--via bulk", "--match x"]) {
    const refused = await run(`registry prune --plan plan.json ${wrong} --yes`);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("cannot be combined with it")]);
  }
  const elsewhere = await sandboxSession();
  const foreign = await elsewhere.run("registry", "prune", "--plan", path, "--yes");
  expect([foreign.code, foreign.stderr]).toEqual([2, expect.stringContaining("the plan is for http://127.0.0.1:")]);
});

test("a plan that names a repository by another path deletes nothing there", async () => {
  const log: string[] = [];
  const own = await sandboxSession({ log: (line) => log.push(line) });
  const run = (line: string) => own.run(...line.split(" "));
  await run("registry prune -p 7 --delete-regex nightly-.* --keep-n 1 --save plan.json");
  const path = join(own.home, "plan.json");
  const plan: { tags: object[] } = JSON.parse(readFileSync(path, "utf8"));
  writeFileSync(path, JSON.stringify({ ...plan, tags: plan.tags.map((tag) => ({ ...tag, path: "acme/scratch" })) }));
  const dry = await run("registry prune --plan plan.json -n --fields rule --no-header");
  expect(new Set(dry.stdout.trimEnd().split("\n"))).toEqual(new Set(["stale"]));
  requestsIn(log);
  const { code, stdout } = await run("registry prune --plan plan.json --yes --fields status,error --no-header");
  expect([
    code,
    new Set(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => line.replace(/:[^)]*/, "")),
    ),
  ]).toEqual([
    9,
    new Set(["stale\tthe repository that the plan names has another path (acme/storefront); it was not deleted"]),
  ]);
  expect(requestsIn(log).filter((line) => !line.startsWith("GET "))).toEqual([]);
});

test("what only the instance can decide is not saved; a dry run writes no plan", async () => {
  const own = await sandboxSession({ asDeployed: true });
  const run = (line: string) => own.run(...line.split(" "));
  const line = "registry prune -p 7 --delete-regex v1.* --keep-n 1 --save plan.json";
  expect((await run(`${line} -n`)).code).toBe(0);
  expect(existsSync(join(own.home, "plan.json"))).toBe(false);
  expect((await run(line)).stderr).toContain("0 tags saved to plan.json");
  const none = await run("registry prune --plan plan.json --yes");
  expect([none.code, none.stderr]).toEqual([0, "nothing to delete: the plan names no tag\n"]);
});

test("the preview counts the repositories with something to delete, and the bytes of all of them", async () => {
  const { run } = await sandboxSession();
  const line = "registry prune -p 7 --delete-regex nightly-.* --keep-n 1 -n --only delete";
  const { stdout, stderr } = await run(...line.split(" "), "--jq", ".[].verdict");
  const count = stdout.trimEnd().split("\n").length;
  expect(new Set(stdout.trimEnd().split("\n"))).toEqual(new Set(["DELETE"]));
  expect(stderr).toMatch(
    new RegExp(
      `^${count} of 90 tags, [\\d.]+ [MG]iB used by no other tag, in \\d repositor(?:y|ies) would be deleted$`,
      "m",
    ),
  );
});
