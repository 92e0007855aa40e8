import { expect, test } from "vitest";
import { type Tag, tags } from "../../../src/sandbox/areas/registry/model.ts";
import { alteringSession } from "../../support/altering-proxy.ts";
import { sandboxSession, session } from "../../support/session.ts";
import { smallInstance } from "../../support/small-instance.ts";

const words = (line: string) => line.split(" ");

test("registry-last-push: a bulk delete keeps what was pushed lately, however old its time", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  const tag = async (name: string) => run(...words(`registry tags get 12 ${name} -p 7 --jq .created_at`));
  const shown = Date.parse((await tag("main")).stdout.trim());
  expect(Date.now() - shown).toBeGreaterThan(300 * 86_400_000);
  await run(...words("registry tags prune 12 -p 7 --delete-regex main|v1.1.0 --older-than 7d --via bulk --yes"));
  // The older one goes last.
  await expect.poll(async () => (await tag("v1.1.0")).code, { timeout: 20_000 }).toBe(3);
  expect((await tag("main")).code).toBe(0);
});

test("registry-tag-search: a tag that is listed may not be found", async () => {
  const { run, sandbox } = await sandboxSession({ asDeployed: true });
  const table = sandbox.store.table(tags);
  const { id: _, ...like } = table.find(({ repository_id, name }) => repository_id === 13 && name === "v1") as Tag;
  for (let n = 100; n < 200; n += 1) table.insert({ ...like, name: `feature-${n}-v1` });
  const listed = await run(...words("registry tags list 13 -p 7 -L all --fields name --no-header"));
  expect(listed.stdout.split("\n")).toContain("v1");
  expect((await run(...words("registry tags get 13 v1 -p 7"))).code).toBe(3);
});

test("registry-protected-tags: a tag that a rule protects is refused, and the others are deleted", async () => {
  const deployed = await sandboxSession({ asDeployed: true });
  const maintainer = deployed.as("maintainer");
  const { code } = await maintainer.run(...words("registry tags delete 1 v1.2.0 v1.3.0 -p acme/website --yes"));
  expect(code).not.toBe(0);
  const listed = await maintainer.run(...words("registry tags list 1 -p 1 -L all --fields name --no-header"));
  expect(listed.stdout.split("\n")).toContain("v1.2.0");
  expect(listed.stdout.split("\n")).not.toContain("v1.3.0");
  const rules = await maintainer.run(
    ...words("api projects/1/registry/protection/tag/rules --jq .[].tag_name_pattern"),
  );
  expect(rules.stdout).toBe("^v1\\.2\\.\n");
});

test("registry-protected-tags: a tag that is refused to a Developer does not end a prune as if the role were missing", async () => {
  const deployed = await sandboxSession({ asDeployed: true });
  const developer = deployed.as("developer");
  const line = "registry tags prune 1 -p acme/website --delete-regex v1[.].* --via tags --yes -o json";
  const { code, stdout, stderr } = await developer.run(...words(line));
  const rows: { tag_name: string; status: string }[] = JSON.parse(stdout);
  const named = (status: string) => rows.filter((row) => row.status === status).map(({ tag_name: name }) => name);
  expect([code, named("deleted").length > 0]).toEqual([9, true]);
  expect(named("refused").every((name) => /^v1[.][12][.]/.test(name))).toBe(true);
  expect([...named("deleted"), ...named("refused")]).toHaveLength(rows.length);
  expect(stderr).not.toContain("Maintainer");
});

test("registry-push-token: a token to push makes the repository, so that a dry run and read-only do not request it", async () => {
  const deployed = await sandboxSession({ asDeployed: true });
  const { url, registryUser, tokens } = deployed.sandbox;
  const registry = { FORGECTL_REGISTRY_USER: registryUser, FORGECTL_REGISTRY_PASSWORD: tokens.administrator };
  const env = { FORGECTL_BASE_URL: url, FORGECTL_TOKEN: tokens.administrator, ...registry };
  const run = (line: string, more: Record<string, string> = {}) => session({ ...env, ...more }).run(...words(line));
  const paths = async () => (await run("registry list -p 7 -L all --fields path --no-header")).stdout.split("\n");
  const image = "acme/storefront/mistyped";
  const line = `registry token --scope repository:${image}:pull,push`;

  const planned = await run(`${line} -n`);
  expect([planned.code, planned.stdout.includes("/jwt/auth?")]).toEqual([0, true]);
  const refused = await run(line, { FORGECTL_READ_ONLY: "1" });
  expect([refused.code, refused.stdout]).toEqual([5, ""]);
  expect((await run(`registry token --scope repository:${image}:pull`, { FORGECTL_READ_ONLY: "1" })).code).toBe(0);
  expect(await paths()).not.toContain(image);

  const { code, stderr } = await run(line);
  expect(code).toBe(0);
  expect(stderr).toContain(`instances make the repository ${image} if there is none`);
  expect(await paths()).toContain(image);
});

test("registry-missing-tag: a tag that does not exist is not found, whatever the instance answers to its deletion", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  expect((await run(...words("api -X DELETE projects/7/registry/repositories/12/tags/v1.O"))).code).toBe(5);
  expect((await run(...words("registry tags delete 12 v1.O -p 7 --yes"))).code).toBe(3);
  // Where the registry has not the service's own API, newer instances answer 200.
  const other = await alteringSession(({ method, status }) =>
    method === "DELETE" && status === 404 ? { status: 200, body: null } : undefined,
  );
  const { code, stdout, stderr } = await other.run(...words("registry tags delete 12 v1.O v1 -p 7 --yes -o json"));
  expect([code, JSON.parse(stdout).map(({ status }: { status: string }) => status)]).toEqual([
    9,
    ["refused", "deleted"],
  ]);
  expect(stderr).not.toContain("warning");
  expect(other.seen.filter((line) => line.startsWith("DELETE"))).toHaveLength(1);
});

test("registry-most-tags: a count of 10,000 is not taken for the number of tags", async () => {
  const { run, sandbox } = await sandboxSession({ asDeployed: true });
  const table = sandbox.store.table(tags);
  const { id: _, ...like } = table.find(({ repository_id, name }) => repository_id === 13 && name === "v1") as Tag;
  for (let n = 0; n < 10_010; n += 1) table.insert({ ...like, name: `build-${n}` });
  const { code, stderr } = await run(...words("registry usage -p 7"));
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining("acme/storefront/worker: instances count 10,000 tags at most; there may be more"),
  ]);
  expect(stderr.match(/at most/g)).toHaveLength(1);
});

test("a prune warns if exactly as many tags are listed as an instance lists of a larger repository", async () => {
  const names = Array.from({ length: 10_000 }, (_, n) => ({ name: `build-${n}` }));
  const repository = { id: 5, name: "", path: "acme/r5", project_id: 7, tags_count: 10_000, size: null };
  const { url } = await smallInstance({
    "GET /projects/7/registry/repositories/5/tags": names,
    "GET /registry/repositories/5": repository,
  });
  const { run } = session({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: "t0ken-of-nobody" });
  const { code, stderr } = await run(...words("registry tags prune 5 -p 7 --delete-regex nothing -n -q"));
  expect([code, stderr]).toEqual([
    0,
    "warning: repository 5: 10,000 tags are listed, the most where the registry lacks the service's own API; there may be others\n",
  ]);
});
