import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Tag, tags } from "../../src/sandbox/areas/registry/model.ts";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { alteringSession } from "../support/altering-proxy.ts";
import { requestsIn, sandboxSession } from "../support/session.ts";

// Which tags a prune deletes is decided by the time that the platform itself decides by, or not here.

async function logged(options: SandboxOptions = {}) {
  const log: string[] = [];
  const own = await sandboxSession({ ...options, log: (line) => log.push(line) });
  const run = (line: string) => own.run(...line.split(" "));
  return { ...own, run, sent: () => requestsIn(log) };
}

const changes = (sent: readonly string[]) => sent.filter((line) => !line.startsWith("GET "));
const probes = (sent: readonly string[]) => sent.filter((line) => line.includes("pagination=keyset"));
const verdicts = ["--fields", "name,verdict,rule", "--no-header"].join(" ");
const linesOf = (text: string) => text.trimEnd().split("\n");

test("where the platform decides by the last push, what needs a time is EITHER, and only the instance decides", async () => {
  const { run, sent, sandbox } = await logged({ asDeployed: true });
  const rules = "--delete-regex main|v1.*|latest --keep-regex v1[.]2[.]0 --keep-n 2 --older-than 7d";
  const preview = await run(`registry tags prune 12 -p 7 ${rules} -n ${verdicts}`);
  expect(preview.code).toBe(0);
  const rows = linesOf(preview.stdout);
  const either = rows.filter((row) => row.endsWith("\tEITHER\tlast_push"));
  expect(either).toContain("main\tEITHER\tlast_push");
  expect(rows).toEqual(expect.arrayContaining(["latest\tKEEP\tlatest", "v1.2.0\tKEEP\tkeep_regex"]));
  expect(rows.filter((row) => row.includes("\tDELETE\t"))).toEqual([]);
  expect(preview.stderr).toContain(`at most ${either.length - 2} of ${rows.length} tags would be deleted by DELETE `);
  expect(preview.stderr).toContain("this instance decides by the last push of a tag, which it does not show");

  for (const line of [`registry tags prune 12 -p 7 ${rules}`, `registry prune -p 7 ${rules}`]) {
    sent();
    for (const flag of ["--yes", "-n"]) {
      const refused = await run(`${line} --via tags ${flag}`);
      expect([refused.code, refused.stdout, changes(sent())]).toEqual([2, "", []]);
      expect(refused.stderr).toContain("error: --via tags: --keep-n and --older-than cannot be decided here\n");
    }
  }
  const names = () => sandbox.store.table(tags).where((tag) => tag.repository_id === 12).length;
  const before = names();
  const done = await run(`registry prune -p 7 --match acme/storefront ${rules} --wait --yes -o json`);
  const [row] = JSON.parse(done.stdout);
  expect([done.code, row.status, row.deleted]).toEqual([0, "deleted", before - names()]);
  expect(done.stderr).toContain(`acme/storefront: at most ${either.length - 2} of ${before} tags to delete\n`);
  expect((await run("registry tags get 12 main -p 7")).code).toBe(0);
});

test("a name alone decides without a clock, and one request tells it for all repositories", async () => {
  const { run, sent } = await logged({ asDeployed: true });
  const byName = await run("registry prune -p 7 --delete-regex nightly-.* --via tags --yes --no-header");
  expect([byName.code, linesOf(byName.stdout).length > 1, probes(sent())]).toEqual([0, true, []]);
  await run("registry prune -p 7 --delete-regex v1.* --keep-n 3 -n");
  expect(sent().filter((line) => /\/repositories\/12\/tags\?/.test(line)).length).toBeLessThanOrEqual(1);
  // All that match are among the newest that are kept.
  const kept = await run("registry tags prune 12 -p 7 --delete-regex v1.* --keep-n 1000 -n --jq .[].verdict");
  expect(new Set(linesOf(kept.stdout))).toEqual(new Set(["KEEP"]));
});

test("where the one request for the clock is refused, it is unknown, and nothing is decided here", async () => {
  const own = await alteringSession(({ path }) =>
    path.includes("pagination=keyset") ? { status: 403, body: { message: "403 Forbidden" } } : undefined,
  );
  const line = "registry tags prune 12 -p 7 --delete-regex v1.* --keep-n 2 -n";
  const refused = await own.run(...line.split(" "), "--via", "tags");
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("could not be found out")]);
  const preview = await own.run(...line.split(" "), "--jq", ".[].verdict");
  expect(new Set(linesOf(preview.stdout))).toEqual(new Set(["EITHER", "KEEP"]));
});

test("a tag that is listed and has no details is a row, and nothing is decided in its repository", async () => {
  const own = await alteringSession(({ path }) =>
    /\/tags\/v1\.3\.0$/.test(path) ? { status: 404, body: { message: "404 Tag Not Found" } } : undefined,
  );
  const rules = ["--delete-regex", "v1.*", "--keep-n", "2"];
  const preview = await own.run("registry", "tags", "prune", "12", "-p", "7", ...rules, "-n", "-o", "json");
  const rows: { name: string; verdict: string; rule: string }[] = JSON.parse(preview.stdout);
  expect(rows).toHaveLength(63);
  expect(rows.find(({ name }) => name === "v1.3.0")).toMatchObject({ verdict: "EITHER", rule: "unreadable" });
  expect(rows.filter(({ verdict }) => verdict === "DELETE")).toEqual([]);
  for (const via of ["bulk", "tags"]) {
    const one = await own.run("registry", "tags", "prune", "12", "-p", "7", ...rules, "--via", via, "--yes");
    expect([one.code, one.stderr]).toEqual([1, expect.stringContaining("the instance lists v1.3.0, but answers 404")]);
  }
  expect(own.seen.filter((line) => line.startsWith("DELETE"))).toEqual([]);
  const all = await own.run("registry", "prune", "-p", "7", ...rules, "--via", "tags", "--yes", "-o", "json");
  expect(all.code).toBe(9);
  const failed = JSON.parse(all.stdout).filter(({ status }: { status: string }) => status !== "deleted");
  expect(failed.map(({ path, name }: { path: string; name: string }) => `${path}:${name}`)).toEqual([
    "acme/storefront:",
    "acme/storefront/worker:",
  ]);
});

test("rules that protect tags keep them, where they bind the caller", async () => {
  const deployed = await sandboxSession({ asDeployed: true });
  const rows = async (role: "maintainer" | "owner") => {
    const line = `registry tags prune 1 -p acme/website --delete-regex v1[.]2.* -n ${verdicts}`;
    return linesOf((await deployed.as(role).run(...line.split(" "))).stdout).filter((row) => !row.includes("no_match"));
  };
  expect(await rows("maintainer")).toContain("v1.2.0\tKEEP\tprotected");
  expect(await rows("owner")).toContain("v1.2.0\tDELETE\tdelete_regex");
  // Immutable tags are in no list: the refusal names that, and a wait that cannot end is not called promising.
  const maintainer = deployed.as("maintainer");
  const line = "registry tags prune 1 -p acme/website --delete-regex v1[.]1[.].* --yes -o json";
  const refused = await maintainer.run(...`${line} --via tags`.split(" "));
  expect(refused.stderr).toContain("or the tag is protected or immutable");
  const waited = await maintainer.run(...`${line} --via bulk --wait --wait-timeout 2`.split(" "));
  expect([waited.code, JSON.parse(waited.stderr).error]).toEqual([
    8,
    expect.objectContaining({ retryable: false, message: "1 of 1 tags still exist" }),
  ]);
  expect(waited.stderr).toContain("protected or immutable");
});

test("a role that may not delete is refused once, with its own exit code", async () => {
  for (const via of ["bulk", "tags"]) {
    for (const asDeployed of [false, true]) {
      const log: string[] = [];
      // Real instances let Developers delete single tags.
      const as = asDeployed && via === "tags" ? "guest" : "developer";
      const own = await sandboxSession({ asDeployed, as, log: (line) => log.push(line) });
      const line = `registry prune -g acme --delete-regex nightly-.* --via ${via} --yes -o json`;
      const { code, stdout } = await own.run(...line.split(" "));
      expect([via, asDeployed, code, changes(requestsIn(log)).length]).toEqual([via, asDeployed, 5, 1]);
      const statuses = JSON.parse(stdout).map(({ status }: { status: string }) => status);
      expect(statuses.filter((status: string) => status !== "not_tried")).toEqual(["refused"]);
      expect(statuses.length).toBeGreaterThan(1);
    }
  }
});

test("a project without images has nothing to delete", async () => {
  const { run } = await logged();
  const none = await run("registry prune -p initech/tps-reports --delete-regex x --keep-n 1 --yes --no-header");
  expect(none).toMatchObject({ code: 0, stdout: "" });
  expect(none.stderr).toContain("nothing to delete: there is no repository");
  expect((await run("registry prune -p 7 --match nowhere --delete-regex x --yes")).code).toBe(2);
});

test.each([
  ["bulk", "of yesterday", -1],
  ["tags", "of yesterday", -1],
  ["bulk", "by a clock that was ahead", 2],
])("a journal does not hide today's tags: --via %s, %s", async (via, _, days) => {
  let offset = 0;
  const log: string[] = [];
  const own = await sandboxSession({ now: () => new Date(Date.now() + offset), log: (line) => log.push(line) });
  const table = own.sandbox.store.table(tags);
  const nightly = () => table.where(({ name, repository_id: of }) => of === 12 && name.startsWith("nightly-"));
  const pushed = nightly();
  const line = `registry prune -p 7 --match acme/storefront --delete-regex nightly-.* --via ${via} --yes --journal j`;
  const prune = () => own.run(...line.split(" "), ...(via === "bulk" ? ["--wait"] : []));
  expect((await prune()).code).toBe(0);
  expect(nightly()).toEqual([]);
  offset = 86_400_000;
  for (const { id: _, ...tag } of pushed) table.insert(tag as Tag);
  // The program's own note of the last call, and the journal's, are as old as that day.
  for (const path of [join(own.home, "j"), join(own.home, ".config/forgectl/bulk-deletes.json")]) {
    if (existsSync(path)) writeFileSync(path, shifted(readFileSync(path, "utf8"), days));
  }
  requestsIn(log);
  const second = await prune();
  expect([second.code, nightly(), second.stderr]).toEqual([0, [], expect.not.stringContaining("nothing to delete")]);
  expect(changes(requestsIn(log))).toHaveLength(via === "bulk" ? 1 : pushed.length);
});

/** The same text with its times that many days later. */
function shifted(text: string, days: number): string {
  const later = (time: string) => new Date(Date.parse(time) + days * 86_400_000).toISOString();
  return text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, later);
}

test("what only the instance decides is named where DELETE alone is asked for, and what waits is not called done", async () => {
  const { run } = await logged({ asDeployed: true });
  const line = "registry prune -g acme --delete-regex nightly-.* --keep-n 1";
  const preview = await run(`${line} -n --only delete --no-header`);
  expect([preview.code, preview.stdout]).toEqual([0, ""]);
  expect(preview.stderr).toMatch(/would be deleted\nthe instance decides on each of them: --only either shows them\n$/);
  expect((await run(`${line} -n --only either --no-header`)).stdout).toContain("\tEITHER\t");
  const done = await run(`${line} --yes`);
  expect([done.code, done.stderr]).toEqual([0, expect.stringMatching(/\n6 of 6 done\n$/)]);
  const again = await run(`${line} --yes --fields status --no-header`);
  const count = linesOf(again.stdout).length;
  // The platform may have deleted the last tag of some by now.
  expect([again.code, again.stdout, count > 1]).toEqual([0, "waiting\n".repeat(count), true]);
  expect(again.stderr).toMatch(new RegExp(`\\n0 of ${count} done, ${count} waiting\\n$`));
});
