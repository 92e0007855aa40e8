import { expect, test } from "vitest";
import { json, signedIn } from "../../support/answering.ts";
import { sandboxSession } from "../../support/session.ts";

test("lists-without-pages: an endpoint that ignores pages returns the whole list, without endless requests", async () => {
  const rows = JSON.stringify(Array.from({ length: 150 }, (_, row) => ({ id: row + 1, extern_uid: `u${row}` })));
  for (const headers of [{}, { "x-next-page": "2" }, { link: '<users?page=2>; rel="next"' }]) {
    const there = await signedIn(json(200, rows, headers as Record<string, string>));
    for (const line of [
      ["saml", "identities", "list", "-g", "4", "-L", "all"],
      ["saml", "identities", "list", "-g", "4", "-L", "200"],
      ["api", "users", "--paginate"],
    ]) {
      const { code, stdout } = await there.run(...line, "--jq", ".[].extern_uid");
      expect([code, stdout.trim().split("\n").length]).toEqual([0, 150]);
    }
    expect(there.seen.length).toBeLessThan(9);
  }
});

test("offset-limit: a list of users continues by cursor where numbered pages end", async () => {
  const page = (first: number) =>
    JSON.stringify(Array.from({ length: 100 }, (_, row) => ({ id: first - row, username: "u" })));
  const there = await signedIn((request, response, origin) => {
    const { searchParams } = new URL(request.url ?? "", origin);
    const number = Number(searchParams.get("page") ?? 1);
    if (searchParams.get("pagination") === "keyset") {
      const before = searchParams.get("id_before");
      const link = `<${origin}/forge/api/v4/users?pagination=keyset&id_before=601>; rel="next"`;
      if (before === "601") return json(200, page(600))(request, response, origin);
      return json(200, page(Number(before) - 1), { link })(request, response, origin);
    }
    if (number <= 3)
      return json(200, page(1100 - number * 100), { "x-next-page": `${number + 1}` })(request, response, origin);
    return json(405, '{"error":"Offset pagination has a maximum allowed offset of 50000"}')(request, response, origin);
  });
  const ids = Array.from({ length: 500 }, (_, row) => `${1000 - row}\n`).join("");
  const { code, stdout } = await there.run("users", "list", "-L", "all", "--fields", "id", "--no-header");
  expect([code, stdout]).toEqual([0, ids]);
  const named = await there.run("users", "list", "-L", "all", "--order-by", "name");
  expect([named.code, named.stderr]).toEqual([
    1,
    expect.stringContaining("\ntry:   leave out --order-by: by id, the list continues by cursor behind that row"),
  ]);
});

const counted = "[length, (map(.id) | unique | length)] | tostring";

test.each([
  ["users list", 100, "pagination=keyset&order_by=id&sort=desc&id_before="],
  ["projects list", 4, "pagination=keyset&order_by=id&sort=desc&id_before="],
  ["groups list", 4, "pagination=keyset&order_by=name&sort=asc"],
])("offset-limit: past the last numbered page %s continues by cursor", async (line, offsetLimit, cursor) => {
  const { run } = await sandboxSession({ asDeployed: true, offsetLimit });
  const pages = ["--per-page", String(offsetLimit / 2)];
  const all = await run(...line.split(" "), "-L", "all", ...pages, "--debug", "--jq", counted);
  const whole = await (await sandboxSession()).run(...line.split(" "), "-L", "all", "--jq", counted);
  expect([all.code, all.stdout]).toEqual([0, whole.stdout]);
  expect(all.stderr).toMatch(/<-- 405/);
  expect(all.stderr).toContain(cursor);
  const { code, stderr } = await run(...line.split(" "), "--page", "4", ...pages);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(
      "\ntry:   leave out --page: with --limit all, the list continues by cursor behind that row",
    ),
  ]);
});

test("offset-limit: a list in another order than the cursor's is read from the start, without what was shown", async () => {
  // By time of creation: an imported project is older than its ID.
  const order = [9, 3, 8, 7, 2, 1];
  const row = (id: number) => ({ id, path_with_namespace: `acme/p${id}` });
  const there = await signedIn((request, response, origin) => {
    const { searchParams } = new URL(request.url ?? "", origin);
    const page = Number(searchParams.get("page") ?? 1);
    if (searchParams.get("pagination") === "keyset") {
      expect([searchParams.get("order_by"), searchParams.get("id_before")]).toEqual(["id", null]);
      return json(200, JSON.stringify(order.toSorted((a, b) => b - a).map(row)))(request, response, origin);
    }
    if (page > 2)
      return json(405, '{"error":"Offset pagination has a maximum allowed offset of 4"}')(request, response, origin);
    const rows = JSON.stringify(order.slice(page * 2 - 2, page * 2).map(row));
    return json(200, rows, { "x-next-page": `${page + 1}` })(request, response, origin);
  });
  const { code, stdout } = await there.run(..."projects list -L all --per-page 2 --fields id --no-header".split(" "));
  expect([code, stdout]).toEqual([0, "9\n3\n8\n7\n2\n1\n"]);
});

test("offset-limit: a list that cannot be read by cursor says so", async () => {
  const { run } = await sandboxSession({ asDeployed: true, offsetLimit: 40 });
  const { code, stderr } = await run(..."events list -p 7 -L all --per-page 10".split(" "));
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining("\ntry:   the rest of the list cannot be read: narrow it\n"),
  ]);
  const raw = await run("api", "events?page=9");
  expect([raw.code, raw.stderr]).toEqual([1, expect.stringContaining("\ntry:   add pagination=keyset and its order")]);
});
