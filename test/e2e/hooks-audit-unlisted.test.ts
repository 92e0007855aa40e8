import { expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { session } from "../support/session.ts";
import { smallInstance } from "../support/small-instance.ts";

test.each([403, 404, 500])(
  "groups below that could not be listed (%i) are no groups without findings",
  async (status) => {
    const { url } = await smallInstance({
      "GET /groups/acme/descendant_groups": { status, body: { message: "refused" } },
      "GET /groups/acme/hooks/2/events": [],
      "GET /groups/acme/hooks": [{ id: 2, url: "http://erp.example/in" }],
    });
    const { run } = session({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: "t0ken-of-nobody" });
    const audited = await run("hooks", "audit", "-g", "acme", "--exit-code", "--retries", "0", "-o", "json");
    expect(audited.code).toBe(9);
    const rows: { finding: string; detail: string }[] = JSON.parse(audited.stdout);
    expect(rows.map(({ finding }) => finding)).toEqual(expect.arrayContaining(["plain_http", "unreadable"]));
    expect(rows.at(-1)?.detail).toContain("the groups below it: ");
  },
);

test("a group that cannot be read at all is one row", async () => {
  const { url } = await smallInstance({});
  const { run } = session({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: "t0ken-of-nobody" });
  const audited = await run("hooks", "audit", "-g", "acme", "-o", "json");
  expect([audited.code, JSON.parse(audited.stdout).length]).toEqual([9, 1]);
});

test("a group of which two things could not be read counts once", async () => {
  const { url } = await smallInstance({
    "GET /groups/acme/descendant_groups": { status: 403, body: { message: "refused" } },
    "GET /groups/acme/hooks/2/events": [],
    "GET /groups/acme/hooks": [{ id: 2, url: "https://erp.example/in" }],
  });
  const { run } = session({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: "t0ken-of-nobody" });
  const audited = await run("hooks", "audit", "-g", "acme");
  expect(audited.code).toBe(9);
  expect(audited.stderr).toContain("1 of 1 groups could not be read");
});

test.each([
  ["a release that has no list of deliveries", { status: 404, body: { error: "404 Not Found" } }],
  ["a hook that was deleted meanwhile", { status: 404, body: { message: "404 Not found" } }],
])("a hook is judged without its deliveries: %s", async (_, events) => {
  const hook = { url: "http://erp.example/in", enable_ssl_verification: false, token_present: false };
  const { url } = await smallInstance({
    "GET /groups/acme/descendant_groups": [],
    "GET /groups/acme/hooks/2/events": events,
    "GET /groups/acme/hooks/3/events": [],
    "GET /groups/acme/hooks": [
      { id: 2, ...hook },
      { id: 3, ...hook, alert_status: "disabled" },
    ],
  });
  const { run } = session({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: "t0ken-of-nobody" });
  const audited = await run(..."hooks audit -g acme -o csv --fields id,finding --no-header".split(" "));
  expect([audited.code, audited.stdout.split("\n")]).toEqual([
    9,
    ["2,plain_http", "2,no_secret", "2,unreadable", "3,plain_http", "3,no_secret", "3,disabled", ""],
  ]);
  const place = await alteringSession(
    ({ path }) => (/\/hooks\/\d+\/events/.test(path) ? { status: events.status, body: events.body } : undefined),
    { asDeployed: true },
  );
  const all = await place.run(..."audit -g acme -o csv --fields rule,where,verdict --no-header".split(" "));
  expect([all.code, all.stdout.split("\n")]).toEqual([
    9,
    expect.arrayContaining(["hooks.disabled,acme hook 2,fail", "hooks.failing,acme hook 2,unknown"]),
  ]);
});
