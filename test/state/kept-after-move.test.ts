import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";

// `keep:` is a promise: an entry that was renamed since the file was written is still the one that the file means.

test.each([
  ["allowlist", "acme/shop", "projects/acme%2Fshop", "projects/1", /allowlist\/1\n/],
  ["groups_allowlist", "phones", "groups/phones", "groups/acme%2Fmobile", /groups_allowlist\//],
  ["allowlist", "shops/**", "groups/shops", "groups/acme", /allowlist\/1\n/],
  ["allowlist", "ACME/Old/w*", "groups/ACME%2FOld", "groups/acme", /allowlist\/1\n/],
])("%s: an entry is kept by the path that it had", async (kind, earlier, asked, answered, entry) => {
  const { run, home } = await alteringSession(
    () => undefined,
    {},
    (path) => path.replace(new RegExp(`/${asked}$`), `/${answered}`),
  );
  const planned = async (keep: string) => {
    const text = `forgectl: 1\nprojects: { acme/storefront: { job_token_scope: { ${kind}: [] } } }\n${keep}`;
    writeFileSync(join(home, "state.yaml"), text);
    return (await run("state", "plan", "-f", "state.yaml", "--prune", "--fields", "address", "--no-header")).stdout;
  };
  expect(await planned("")).toMatch(entry);
  expect(await planned(`keep: { ${kind}: [acme/none, "none/**", "${earlier}"] }\n`)).not.toMatch(entry);
});

const apply = "state apply -f state.yaml --prune --max-delete all --yes -o json".split(" ");

/** An apply that removes entries of a list of acme/storefront, with what is kept. */
async function applying(rename: (path: string) => string, isHidden: (path: string) => boolean = () => false) {
  const session = await alteringSession(
    ({ method, path }) =>
      method === "GET" && isHidden(path) ? { status: 404, body: { message: "404 Project Not Found" } } : undefined,
    {},
    rename,
  );
  const write = (list: string, keep: string) => {
    const text = `forgectl: 1\nprojects: { acme/storefront: { job_token_scope: { ${list} } } }\nkeep: { ${keep} }\n`;
    writeFileSync(join(session.home, "state.yaml"), text);
  };
  const rows = async (...words: readonly string[]) => {
    const { code, stdout, stderr } = await session.run(...words);
    const ended = (JSON.parse(stdout) as { address: string; status: string }[]).map(
      ({ address, status }) => `${address.replace(/^.*#/, "")} ${status}`,
    );
    return { code, ended: ended.sort(), stdout, stderr };
  };
  return { ...session, write, rows };
}

test.each([
  ["allowlist", "old/**", [/projects\/old%2Fwebsite$/, "projects/acme%2Fwebsite"], "allowlist/1"],
  ["allowlist", "ACME/Past/w*", [/projects\/ACME%2FPast%2Fwebsite$/, "projects/acme%2Fwebsite"], "allowlist/1"],
  ["groups_allowlist", "phones", [/projects\/phones%2F/, "projects/acme%2Fmobile%2F"], "groups_allowlist/4"],
] as const)(
  "%s: a group's earlier path, %s, is known by a project below it",
  async (kind, keep, [asked, answered], id) => {
    const { write, rows } = await applying((path) => path.replace(asked, answered));
    write(`${kind}: []`, `${kind}: ["none/**", acme/none, "${keep}"]`);
    const { code, ended, stdout } = await rows(...apply);
    expect([code, ended.filter((each) => each.startsWith(`${id} `))], stdout).toEqual([0, []]);
    write(`${kind}: []`, `${kind}: ["none/**"]`);
    const removed = await rows(...apply);
    expect([removed.code, removed.ended]).toEqual([0, expect.arrayContaining([`${id} done`])]);
  },
);

describe("an entry that the token may not read may be any that is kept and not found", () => {
  const hides = (path: string) => /projects\/(?:1|acme%2Fwebsite)$/.test(path);
  const doubt =
    "it may be what keep names acme/none and none/*, which was not found: give its ID, or remove that from keep";

  test("it alone is not removed, and the rest of the project is changed", async () => {
    const { write, rows } = await applying((path) => path, hides);
    write("inbound_enabled: true, allowlist: []", 'allowlist: [acme/none, "none/*"]');
    const { code, ended, stdout } = await rows(...apply);
    expect([code, ended], stdout).toEqual([9, ["allowlist/1 unreadable", "allowlist/12 done", "allowlist/3 done"]]);
    expect(stdout).toContain(doubt);
  });

  test("a saved plan has it, and is carried out", async () => {
    const { write, rows, run } = await applying((path) => path, hides);
    write("allowlist: []", 'allowlist: [acme/none, "none/*"]');
    expect((await run("state", "plan", "-f", "state.yaml", "--prune", "--save", "plan.json")).code).toBe(9);
    const { code, ended, stderr } = await rows(
      ..."state apply --plan plan.json --max-delete all --yes -o json".split(" "),
    );
    expect([code, ended.filter((each) => each.endsWith("done"))], stderr).toEqual([
      9,
      ["allowlist/12 done", "allowlist/3 done"],
    ]);
  });

  test("what an entry of the list has by now is found, even if the token may not read it", async () => {
    const { write, rows } = await applying(
      (path) => path,
      (path) => hides(path) || /projects\/(?:12|open-tools%2F\w+)$|groups\/open-tools$/.test(path),
    );
    write("allowlist: []", 'allowlist: ["open-tools/*", OPEN-tools/cli]');
    const { code, ended, stdout } = await rows(...apply);
    expect([code, ended], stdout).toEqual([0, ["allowlist/1 done", "allowlist/3 done"]]);
  });
});
