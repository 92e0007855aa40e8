import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Answer, json, signedIn } from "../support/answering.ts";

// A list ends after 100 rows, and stderr says so: also that of a command inside another one, whose rows are a part of a
// longer table.

const environment = (id: number) => ({ name: `review/${id}`, deploy_access_levels: [], approval_rules: [] });

/** Projects with this many protected environments, by path. */
const environments =
  (counts: Readonly<Record<string, number>>): Answer =>
  (request, response, origin) => {
    const { pathname, searchParams } = new URL(request.url ?? "", origin);
    const [, name = ""] = /projects\/([^/]+)/.exec(pathname) ?? [];
    const count = counts[decodeURIComponent(name)] ?? 0;
    const [page, size] = [Number(searchParams.get("page") ?? 1), Number(searchParams.get("per_page"))];
    const rows = Array.from({ length: count }, (_, index) => environment(index)).slice((page - 1) * size, page * size);
    const headers = { "x-total": `${count}`, "x-next-page": page * size < count ? `${page + 1}` : "" };
    return json(200, JSON.stringify(rows), headers)(request, response, origin);
  };

test("each and batch say which part of their lists was cut short", async () => {
  const { home, run } = await signedIn(environments({ "acme/docs": 7, "acme/large": 130, "acme/larger": 300 }));
  writeFileSync(join(home, "p.txt"), "acme/docs\nacme/large\nacme/larger\n");
  const lines = ["acme/docs", "acme/large"].map((path) => JSON.stringify({ args: ["envs", "list", "-p", path] }));
  writeFileSync(join(home, "lines.ndjson"), `${lines.join("\n")}\n`);
  const each = (...more: string[]) =>
    run("each", "--projects-file", "p.txt", "-o", "ndjson", "--", "envs", "list", ...more);

  const cut = await each();
  expect([cut.code, cut.stdout.trim().split("\n").length]).toEqual([0, 207]);
  expect(cut.stderr).toContain("the lists of 2 of 3 are cut short: --limit all in the command for the rest\n");

  const whole = await each("--limit", "all");
  expect([whole.code, whole.stdout.trim().split("\n").length]).toEqual([0, 437]);
  expect(whole.stderr).not.toContain("cut short");

  const batch = await run("batch", "lines.ndjson", "-o", "json", "--jq", "[.[].result | length] | sort");
  expect([batch.code, JSON.parse(batch.stdout)]).toEqual([0, [7, 100]]);
  expect(batch.stderr).toContain("the lists of 1 of 2 are cut short: --limit all in the command for the rest\n");

  const quiet = await run("batch", "lines.ndjson", "-q", "-o", "json");
  expect(quiet.stderr).toBe("");
});
