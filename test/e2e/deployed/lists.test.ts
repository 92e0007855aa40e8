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
  const page = (first: number) => JSON.stringify(Array.from({ length: 100 }, (_, row) => ({ id: first - row })));
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
    expect.stringContaining("\ntry:   narrow the list with filters, or use --keyset"),
  ]);
});

test("offset-limit: past the last numbered page users are listed by cursor; other lists say what to do", async () => {
  const log: string[] = [];
  const { run } = await sandboxSession({ asDeployed: true, offsetLimit: 40, log: (line) => log.push(line) });
  const filter = "[length, (map(.id) | unique | length)] | tostring";
  const all = await run(..."users list -L all --per-page 10 --jq".split(" "), filter);
  const whole = await (await sandboxSession()).run(..."users list -L all --jq".split(" "), filter);
  expect(all).toEqual(whole);
  expect(log.some((line) => line.includes(" 405"))).toBe(true);
  const { code, stderr } = await run(..."events list -p 7 -L all --per-page 10".split(" "));
  expect([code, stderr]).toEqual([1, expect.stringContaining("\ntry:   narrow the list with filters")]);
});
