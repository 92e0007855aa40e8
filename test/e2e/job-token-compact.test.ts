import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
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

test("-n writes nothing; an excluded group that is missing is exit 3", async () => {
  const file = join(owner.home, "none.yaml");
  expect((await run(`job-token compact -p 7 --save ${file} -n`)).stderr).toContain("would be written");
  expect(() => readFileSync(file)).toThrow("ENOENT");
  expect((await run("job-token compact -p 7 --exclude no-such-group")).code).toBe(3);
});
