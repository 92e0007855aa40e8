import { expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";

// An instance fills in the variables of a webhook's address before it reads it, and no request shows their values:
// with `x@127.0.0.1/` for `{password}` in `http://ci:{password}@hooks.acme.example/ci`, 127.0.0.1 gets the deliveries.

const urls = {
  1: "http://ci:{password}@hooks.acme.example/ci",
  2: "{u}",
  3: "https://hooks.acme.example\\@evil.example/",
} as Readonly<Record<number, string>>;

/** The sandbox, whose webhooks of acme have these addresses. */
async function audited(line: string) {
  const own = await alteringSession(({ path, body }) => {
    if (!/\/groups\/acme\/hooks\?/.test(path)) return undefined;
    const hooks = body as { id: number; url: string }[];
    return { body: hooks.map((hook) => ({ ...hook, url: urls[hook.id] ?? "https://hooks.acme.example/" })) };
  });
  const { code, stdout, stderr } = await own.run(...line.split(" "), "--allowed-hosts", "*.acme.example", "-o", "json");
  return { code, stderr, rows: JSON.parse(stdout) as Record<string, unknown>[] };
}

test("hooks audit: such a host is not an allowed one, and a scheme that is a variable is a row", async () => {
  const { code, rows, stderr } = await audited("hooks audit -g acme --exit-code");
  const found = rows
    .filter(({ group, finding }) => group === "acme" && /host|http|unreadable/.test(String(finding)))
    .map(({ id, finding, detail }) => `${id} ${finding}: ${detail}`);
  const isVariable = "an address whose host is a variable";
  expect(found).toEqual([
    `1 plain_http: ${isVariable}`,
    `1 foreign_host: ${isVariable}`,
    `2 unreadable: whether it is http or https cannot be told: ${isVariable}`,
    `2 foreign_host: ${isVariable}`,
    "3 foreign_host: an address whose host cannot be told",
  ]);
  expect([code, stderr]).toEqual([9, expect.stringContaining("groups could not be read")]);
});

test("audit: the same rules fail, and the scheme is unknown", async () => {
  const { rows } = await audited("audit -g acme --all");
  const judged = (rule: string) =>
    rows
      .filter((row) => row.rule === rule && /^acme hook [123]$/.test(String(row.where)))
      .map(({ where, verdict }) => `${where} ${verdict}`)
      .sort();
  expect(judged("hooks.foreign_host")).toEqual(["acme hook 1 fail", "acme hook 2 fail", "acme hook 3 fail"]);
  expect(judged("hooks.plain_http")).toEqual(["acme hook 1 fail", "acme hook 2 unknown", "acme hook 3 pass"]);
});
