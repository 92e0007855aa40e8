import { describe, expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { sampled } from "../support/examples.ts";
import { sandboxSession } from "../support/session.ts";

// A proxy may remove any of the headers that say where a list continues: a list is read to its end, or it is an error.
// By default every fourth set of headers for each list; with FORGECTL_TEST_EXAMPLES=all, each.

/** Those that are counted together are removed together. */
const headers = [["link"], ["x-next-page"], ["x-total"], ["x-page", "x-total-pages"]];
const subsets = [...Array(2 ** headers.length).keys()].map((bits) =>
  headers.filter((_, at) => (bits >> at) & 1).flat(),
);

const lines = [
  "users list --per-page 50 --limit all --fields id -o ndjson",
  "users list --per-page 50 --limit all --fields id -o ndjson --keyset",
  "users report -o ndjson",
  "registry tags list 4 -p acme/platform/gateway --per-page 20 --limit all --fields name -o ndjson",
  "registry tags list 4 -p acme/platform/gateway --per-page 20 --limit all --fields name -o ndjson --keyset",
  "events list -p acme/storefront --per-page 50 --limit all --fields id -o ndjson",
  "api users?per_page=50 --paginate --jq .[].id",
  "api users?per_page=50&pagination=keyset&order_by=id&sort=asc --paginate --jq .[].id",
];

describe("a list is read to its end, or it is an error, whatever headers a proxy removes", () => {
  test.each(lines.map((line, index) => [line, index] as const))("%s", async (line, index) => {
    let without: readonly string[] = [];
    const { run, direct } = await alteringSession(() => ({ without }), { asDeployed: true });
    const whole = await direct.run(...line.split(" "));
    expect([whole.code, whole.stdout.split("\n").length > 41], whole.stderr).toEqual([0, true]);
    for (without of sampled(subsets, 4, index)) {
      const { code, stdout, stderr } = await run(...line.split(" "));
      if (code === 0) expect([without, stdout]).toEqual([without, whole.stdout]);
      else expect([without, stderr]).toEqual([without, expect.stringContaining("could not be read to its end")]);
    }
  });

  test.each([
    [
      "users list --keyset --limit all --username thandiwe.sato --per-page 1 --fields username --no-header",
      "thandiwe.sato\n",
    ],
    ["users list --keyset --limit all --search sato --per-page 1 --fields username --no-header", "thandiwe.sato\n"],
    [
      "api users?pagination=keyset&order_by=id&sort=asc&username=thandiwe.sato&per_page=1 --paginate --jq .[].username",
      "thandiwe.sato\n",
    ],
  ])("%s: a last page that is full has no link, and is the end", async (line, expected) => {
    const { run } = await sandboxSession({ asDeployed: true });
    expect(await run(...line.split(" "))).toEqual({ code: 0, stdout: expected, stderr: "" });
  });

  test("the list by cursor that continues where page numbers end", async () => {
    const options = { asDeployed: true, offsetLimit: 60 };
    const { run, direct } = await alteringSession(() => ({ without: ["link"] }), options);
    const line = "users list --per-page 50 --limit all --fields id -o ndjson".split(" ");
    const whole = await direct.run(...line);
    expect(whole.code).toBe(0);
    const { code, stderr } = await run(...line);
    expect([code, stderr]).toEqual([1, expect.stringContaining("could not be read to its end")]);
  });
});
