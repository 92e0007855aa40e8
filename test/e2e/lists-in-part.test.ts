import { expect, test } from "vitest";
import { type Answer, json, signedIn } from "../support/answering.ts";

// Lists that the instance does not count (X-Total), as those of more than 10,000 rows: no part of one is believed to be
// all of it. What a page does not show to this user is missing from it, at worst all of its rows.

const hook = (id: number, url: string) => ({ id, url, enable_ssl_verification: url.startsWith("https:") });
const safe = (id: number) => hook(id, `https://ci.acme.example/${id}`);
const unsafe = hook(9, "http://203.0.113.9/hook");

/** A group of these pages of webhooks, each announcing the next. */
const hooks =
  (pages: object[][]): Answer =>
  (request, response, origin) => {
    const { pathname, searchParams } = new URL(request.url ?? "", origin);
    const isGroup = pathname.endsWith("/groups/4");
    if (isGroup) return json(200, '{"id":4,"full_path":"acme"}')(request, response, origin);
    if (!pathname.endsWith("/hooks")) return json(200, "[]")(request, response, origin);
    const page = Number(searchParams.get("page") ?? 1);
    const headers = { "x-next-page": page < pages.length ? `${page + 1}` : "" };
    return json(200, JSON.stringify(pages[page - 1] ?? []), headers)(request, response, origin);
  };

const lists = ["hooks list -g 4 -L all", "api groups/4/hooks --paginate"];

test("an empty page that announces another is not the end, for lists and for audits", async () => {
  const there = await signedIn(hooks([[safe(1)], [safe(2)], [], [], [unsafe]]));
  for (const line of lists) {
    const { code, stdout } = await there.run(...line.split(" "), "--jq", ".[].id");
    expect([line, code, stdout]).toEqual([line, 0, "1\n2\n9\n"]);
  }
  const audit = await there.run(..."hooks audit -g 4 --exit-code".split(" "));
  expect([audit.code, audit.stdout]).toEqual([10, expect.stringContaining("plain_http")]);
});

test("a page that is the one before it again, after two different ones, is an error, not the end", async () => {
  const there = await signedIn(hooks([[safe(1)], [safe(2)], [safe(2)], [unsafe]]));
  const cause = "after 2 rows, a page is the one before it again";
  for (const line of lists) {
    const { code, stderr } = await there.run(...line.split(" "));
    expect([line, code, stderr]).toEqual([line, 1, expect.stringContaining(cause)]);
  }
  const audit = await there.run(..."hooks audit -g 4".split(" "));
  expect([audit.code, audit.stdout]).toEqual([9, expect.stringContaining(cause)]);
});

test.each([
  ["is read to its end", true, 250],
  ["that is not paged, and has exactly as many rows as a page, is that page", false, 100],
])("a list whose paging headers a proxy removes %s", async (_, isPaged, count) => {
  const all = Array.from({ length: 250 }, (_, index) => safe(index + 1));
  const there = await signedIn((request, response, origin) => {
    const { pathname, searchParams } = new URL(request.url ?? "", origin);
    // Instances send at most 100 rows, whatever is asked for.
    const size = Math.min(100, Number(searchParams.get("per_page") ?? 20));
    const page = Number(searchParams.get("page") ?? 1);
    const from = isPaged ? (page - 1) * size : 0;
    const rows = pathname.endsWith("/hooks") ? all.slice(from, from + size) : [];
    return json(200, JSON.stringify(rows))(request, response, origin);
  });
  const listed = await there.run(..."hooks list -g 4 -L all".split(" "), "--jq", ".[].id");
  expect([listed.code, listed.stdout.split("\n").length - 1]).toEqual([0, count]);
  const byApi = await there.run(..."api groups/4/hooks?per_page=100 --paginate".split(" "), "--jq", ".[].id");
  expect([byApi.code, byApi.stdout]).toEqual([0, listed.stdout]);
  const more = await there.run(..."api groups/4/hooks?per_page=500 --paginate".split(" "), "--jq", ".[].id");
  expect([more.code, more.stdout]).toEqual([0, listed.stdout]);
  // 20 rows, if the request does not say.
  const usual = await there.run(..."api groups/4/hooks --paginate".split(" "), "--jq", ".[].id");
  expect([usual.code, usual.stdout.split("\n").length - 1]).toEqual([0, isPaged ? 250 : 20]);
});

/** Two webhooks a page, of those that are left: the first of `all` is deleted while its page is sent. */
const deletedMeanwhile = (all: object[]): Answer => {
  let left = all;
  return (request, response, origin) => {
    const { pathname, searchParams } = new URL(request.url ?? "", origin);
    if (!pathname.endsWith("/hooks")) return json(200, '{"id":4,"full_path":"acme"}')(request, response, origin);
    const page = Number(searchParams.get("page") ?? 1);
    const headers = { "x-total": `${left.length}`, "x-next-page": page * 2 < left.length ? `${page + 1}` : "" };
    const rows = JSON.stringify(left.slice(page * 2 - 2, page * 2));
    if (page === 1) left = all.slice(1);
    return json(200, rows, headers)(request, response, origin);
  };
};

test.each(lists)("%s warns if entries leave the list while it is read", async (line) => {
  const there = await signedIn(deletedMeanwhile([safe(1), safe(2), safe(3), safe(4), safe(5)]));
  const { stdout, stderr } = await there.run(...line.split(" "), "-o", "json", "-q");
  // Webhook 3 has moved to the page that was read already.
  expect(stdout).not.toContain("acme.example/3");
  expect(stderr).toBe(
    "warning: entries left a list while it was read, so that one of the others may be missing: run the command again\n",
  );
});
