import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { requestsIn, sandboxSession } from "../support/session.ts";

// One call for what would take many: usage and prune over all repositories, uploads by age, projects by name.

let log: string[];
let admin: Awaited<ReturnType<typeof sandboxSession>>;
beforeAll(async () => {
  log = [];
  admin = await sandboxSession({ log: (line) => log.push(line) });
});

const run = (line: string) => admin.run(...line.split(" "));
const changesSent = () => requestsIn(log).filter((line) => !line.startsWith("GET "));

test("registry usage: the largest first, with their share; sizes from the tags, each image counted once", async () => {
  const tags = JSON.parse((await run("registry usage -p acme/storefront -o json")).stdout);
  expect(tags).toMatchObject([
    { id: 12, path: "acme/storefront", tags: 63, size: null, share: 0.7 },
    { id: 13, tags: 27, share: 0.3 },
    { id: 14, tags: 0, share: 0 },
  ]);
  const sized = await run("registry usage -p acme/storefront --sizes -o json");
  const [first] = JSON.parse(sized.stdout);
  const details = JSON.parse((await run("registry tags list 12 -p 7 -L all -o json")).stdout);
  const input = details
    .map(({ name }: { name: string }) => JSON.stringify({ args: ["registry", "tags", "get", "12", name, "-p", "7"] }))
    .join("\n");
  const read = JSON.parse((await admin.run("batch", "-o", "json", { input })).stdout);
  const images = new Map<string, number>(
    read.map(({ result }: { result: { digest: string; total_size: number } }) => [result.digest, result.total_size]),
  );
  expect(first.size).toBe([...images.values()].reduce((sum, size) => sum + size, 0));
  expect(sized.stderr).toMatch(/^3 repositories, [\d.]+ GiB\n$/);
  expect(await run("registry usage -p acme/storefront --by size")).toMatchObject({ code: 2 });
});

test("registry prune: the preview equals those of single prunes, and deleting by tag deletes exactly that", async () => {
  const rules = ["--delete-regex", "v1.*", "--keep-n", "2"];
  requestsIn(log);
  const preview = await admin.run(
    "registry",
    "prune",
    "-p",
    "7",
    ...rules,
    "--via",
    "tags",
    "-n",
    "--fields",
    "path,name,verdict",
    "-o",
    "json",
  );
  expect(changesSent()).toEqual([]);
  const rows: { path: string; name: string; verdict: string }[] = JSON.parse(preview.stdout);
  const single = await admin.run(
    "registry",
    "tags",
    "prune",
    "12",
    "-p",
    "7",
    ...rules,
    "--via",
    "tags",
    "-n",
    "--fields",
    "name,verdict",
    "-o",
    "json",
  );
  expect(rows.filter(({ path }) => path === "acme/storefront").map(({ name, verdict }) => ({ name, verdict }))).toEqual(
    JSON.parse(single.stdout),
  );
  const asked = await admin.run("registry", "prune", "-p", "7", ...rules);
  expect(asked).toMatchObject({ code: 2, stdout: "" });
  expect(changesSent()).toEqual([]);

  const pruned = await admin.run(
    "registry",
    "prune",
    "-p",
    "7",
    ...rules,
    "--via",
    "tags",
    "--yes",
    "--journal",
    "prune.journal",
    "--fields",
    "path,name,status",
    "--no-header",
  );
  const selected = rows.filter(({ verdict }) => verdict === "DELETE");
  expect(pruned.stdout.trimEnd().split("\n").sort()).toEqual(
    selected.map(({ path, name }) => `${path}\t${name}\tdeleted`).sort(),
  );
  expect(changesSent()).toHaveLength(selected.length);
  expect(readFileSync(join(admin.home, "prune.journal"), "utf8").match(/"status":"deleted"/g)).toHaveLength(
    selected.length,
  );
  const again = await admin.run("registry", "prune", "-p", "7", ...rules, "--via", "tags", "--yes", "--no-header");
  expect(again).toMatchObject({ code: 0, stdout: "" });
  expect(again.stderr).toContain("nothing to delete");
});

test("registry prune reads no tag that its name decides on, except for a preview and sizes", async () => {
  const own = await sandboxSession({ log: (line) => log.push(line) });
  const prune = "registry prune -p 7 --delete-regex v1.* --keep-regex .*[.]0 --via tags".split(" ");
  const counted = async (...words: string[]) => {
    requestsIn(log);
    const result = await own.run(...prune, ...words);
    const sent = requestsIn(log);
    const of = (pattern: RegExp) => sent.filter((line) => pattern.test(line)).length;
    return { ...result, read: of(/^GET .*\/tags\/[^/ ]+ /), deleted: of(/^DELETE /) };
  };
  const names = (text: string) => text.split("\n").sort();
  const preview = await counted("-n", "--fields", "path,name,verdict", "--no-header");
  const going = preview.stdout.split("\n").filter((line) => line.endsWith("\tDELETE"));
  expect(preview.read).toBeGreaterThan(going.length);
  // Of those that names do not decide, the newest is kept in each repository.
  const timed = await counted("-n", "--keep-n", "1000", "--fields", "rule", "--no-header");
  const open = timed.stdout.split("\n").filter((rule) => rule === "keep_n").length;
  const kept = await counted("--keep-n", "1000", "--yes");
  expect([kept.read, kept.deleted, kept.stderr.includes("nothing to delete")]).toEqual([open, 0, true]);
  const run = await counted("--yes", "--fields", "path,name", "--no-header");
  expect([run.read, run.deleted]).toEqual([0, going.length]);
  expect(names(run.stdout)).toEqual(names(`${going.map((line) => line.replace(/\tDELETE$/, "")).join("\n")}\n`));
});

test("registry prune in bulk: one request per repository, a tie is skipped, and repositories that must wait are named", async () => {
  requestsIn(log);
  const words = ["registry", "prune", "-g", "acme", "--delete-regex", "nightly-.*", "--match", "acme/web*/**", "--yes"];
  const none = await admin.run(...words.slice(0, -3), "--match", "nowhere/*", "--yes");
  expect(none).toMatchObject({ code: 2 });
  const first = await admin.run(
    "registry",
    "prune",
    "-g",
    "acme",
    "--delete-regex",
    "nightly-.*",
    "--match",
    "acme/website",
    "--yes",
    "--no-header",
  );
  expect(first.stdout).toMatch(/^acme\/website\tscheduled\t\d+\t.*Z\t\n$/);
  expect(changesSent()).toHaveLength(1);
  const second = await admin.run(
    "registry",
    "prune",
    "-g",
    "acme",
    "--delete-regex",
    "feature-.*",
    "--match",
    "acme/website",
    "--yes",
    "--no-header",
  );
  expect(second.stdout).toMatch(/^acme\/website\twaiting\t/);
  expect(changesSent()).toEqual([]);
});

test("registry prune --wait ends once the platform has deleted the tags", async () => {
  const slowly = await sandboxSession();
  const words = "registry prune -g acme --delete-regex nightly-.* --match acme/website --wait --yes --no-header".split(
    " ",
  );
  const waited = await slowly.run(...words);
  expect([waited.code, waited.stdout]).toEqual([0, expect.stringMatching(/^acme\/website\tdeleted\t\d+\t.*Z\t\n$/)]);
  const preview = await slowly.run(
    "registry",
    "prune",
    "-g",
    "acme",
    "--delete-regex",
    "nightly-.*",
    "--match",
    "acme/website",
    "--dry-run",
    "--jq",
    'map(select(.verdict=="DELETE"))|length',
  );
  expect(preview.stdout).toBe("0\n");
  const byTag = await slowly.run(...words, "--via", "tags");
  expect([byTag.code, byTag.stderr]).toEqual([2, expect.stringMatching(/^error: --wait needs --via bulk: /)]);
});

test("uploads prune: by age and name, the newest kept", async () => {
  const preview = await run(
    "uploads prune -p acme/storefront --older-than 30d --match *.png --keep-n 1 -n --fields id,verdict,rule --no-header",
  );
  expect(preview.stdout).toBe(
    "5\tKEEP\tmatch\n4\tKEEP\tkeep_n\n3\tKEEP\tmatch\n2\tKEEP\tmatch\n1\tDELETE\tolder_than\n",
  );
  requestsIn(log);
  expect((await run("uploads prune -p acme/storefront --older-than 30d --match *.png --keep-n 1")).code).toBe(2);
  expect(requestsIn(log)).toEqual([]);
  const pruned = await run(
    "uploads prune -p acme/storefront --older-than 30d --match *.png --keep-n 1 --yes --no-header",
  );
  expect(pruned.stdout).toBe("1\tlogo.png\tdeleted\t\n");
  expect(await run("uploads prune -p acme/storefront --older-than soon --yes")).toMatchObject({ code: 2 });
});

test("projects and groups are printed as other commands accept them", async () => {
  const projects = await admin.run("projects", "list", "-g", "acme/platform", "--jq", ".[].path_with_namespace");
  expect(projects.stdout.trimEnd().split("\n").sort()).toEqual([
    "acme/platform/billing",
    "acme/platform/gateway",
    "acme/platform/infrastructure/terraform",
  ]);
  const scopes = await admin.run("each", "--projects-file", "-", "--no-header", "--", "job-token", "get", {
    input: projects.stdout,
  });
  expect(scopes.stdout.trimEnd().split("\n")).toHaveLength(3);
  expect((await run("groups get acme/mobile --fields id,full_path --no-header")).stdout).toBe("4\tacme/mobile\n");
  expect((await run("projects list --search storefront --fields id --no-header")).stdout).toBe("7\n");
});
