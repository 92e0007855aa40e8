import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { signedIn } from "../support/answering.ts";
import { requestsIn, sandboxSession } from "../support/session.ts";

const log: string[] = [];
let owner: Awaited<ReturnType<typeof sandboxSession>>;
beforeAll(async () => {
  owner = await sandboxSession({ log: (line) => log.push(line) });
});
const run = (line: string) => owner.run(...line.split(" "));

test("a group in place of its projects, with what it lets in; the saved file makes exactly that", async () => {
  const file = join(owner.home, "allowlists.yaml");
  requestsIn(log);
  const planned = await run(`job-token compact -p acme/storefront --at-least 2 --save ${file} -o json`);
  expect([planned.code, planned.stderr]).toEqual([
    0,
    "4 entries become 2; an instance accepts 200 projects and 200 groups\n",
  ]);
  expect(requestsIn(log).filter((line) => !line.startsWith("GET"))).toEqual([]);
  const rows = JSON.parse(planned.stdout) as { action: string; path: string; admits: string[] | null }[];
  expect(rows.map(({ action, path }) => `${action} ${path}`)).toEqual([
    "create acme",
    ...["delete acme/website", "delete acme/platform/gateway", "delete acme/mobile"],
  ]);
  const admits = rows[0]?.admits ?? [];
  const below = JSON.parse((await run("projects list -g acme --with-shared false --limit all -o json")).stdout) as {
    path_with_namespace: string;
  }[];
  const had = ["acme/website", "acme/platform/gateway", "acme/storefront"];
  const all = below.map(({ path_with_namespace: path }) => path).filter((path) => !path.startsWith("acme/mobile/"));
  expect(admits).toEqual(all.filter((path) => !had.includes(path)).sort());
  expect(readFileSync(file, "utf8")).toContain("acme/storefront:");
  expect((await run(`state apply -f ${file} --prune --yes`)).code).toBe(0);
  expect((await run(`state plan -f ${file} --prune --exit-code`)).code).toBe(0);
  expect((await run("job-token groups list -p 7 --jq .[].name")).stdout).toBe("Acme\n");
  expect((await run("job-token compact -p acme/storefront -o json")).stdout).toBe("[]\n");
});

test("the saved file is for its instance alone: the ID of a group is another group's on another one", async () => {
  const file = join(owner.home, "of-this-one.yaml");
  expect((await run(`job-token compact -p 7 --at-least 1 --save ${file}`)).code).toBe(0);
  const other = await sandboxSession({});
  const { code, stderr } = await other.run(..."state apply --prune --yes -f".split(" "), file);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`the file is for ${owner.sandbox.url}, not for`)]);
  expect((await run(`state plan -f ${file} --prune`)).code).toBe(0);
});

test("-n writes nothing; an excluded group that is missing is exit 3", async () => {
  const file = join(owner.home, "none.yaml");
  expect((await run(`job-token compact -p 7 --save ${file} -n`)).stderr).toContain("would be written");
  expect(() => readFileSync(file)).toThrow("ENOENT");
  expect((await run("job-token compact -p 7 --exclude no-such-group")).code).toBe(3);
});

/** Three projects each of a group that the token sees, and of one that answers with a status. */
async function withHidden(status: number) {
  const listed = ["acme/a", "acme/b", "acme/c", "hidden/x", "hidden/y", "hidden/z"];
  const group = { id: 4, full_path: "acme", name: "Acme" };
  const answers: Record<string, unknown> = {
    "projects/7": { id: 7, path_with_namespace: "acme/a" },
    "projects/7/job_token_scope/allowlist": listed.map((path, index) => ({ id: index + 8, path_with_namespace: path })),
    "projects/7/job_token_scope/groups_allowlist": [],
    "groups/acme": group,
    "groups/4": group,
    "groups/acme/projects": [{ id: 20, path_with_namespace: "acme/new" }],
  };
  return signedIn(({ url = "" }, response) => {
    const answer = answers[(url.split("/api/v4/")[1] ?? "").replace(/\?.*/, "")];
    response.writeHead(answer === undefined ? status : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? { message: `${status} Not found` }));
  });
}

test("a group that the token does not see is left out, or excluded by its path", async () => {
  const user = await withHidden(404);
  const plan = ["job-token", "compact", "-p", "7", "--at-least", "2", "--fields", "action,path", "--no-header"];
  const whole = await user.run(...plan);
  expect([whole.code, whole.stdout]).toEqual([0, "create\tacme\ndelete\tacme/b\ndelete\tacme/c\n"]);
  expect(whole.stderr).toContain("warning: hidden is not proposed: this token does not see a group of this path\n");
  const without = await user.run(...plan, "--exclude", "hidden");
  expect([without.code, without.stdout]).toEqual([0, whole.stdout]);
  expect(without.stderr).not.toContain("warning");
});

test("a server's error does not say that a group is not there", async () => {
  const user = await withHidden(500);
  expect((await user.run("job-token", "compact", "-p", "7")).code).toBe(1);
});
