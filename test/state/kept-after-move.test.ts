import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
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

test.each([
  ["allowlist", "acme/none", "the project acme/none"],
  ["allowlist", "none/**", "the group none"],
  ["groups_allowlist", "none", "the group none"],
])(
  "%s: nothing is removed while what is kept, %s, is not found: any entry may have had that path",
  async (...given) => {
    const [kind, keep, named] = given;
    const { run, home, seen } = await alteringSession(() => undefined);
    const list = `job_token_scope: { ${kind}: [] }`;
    const planned = async (kept: string) => {
      const text = `forgectl: 1\nprojects: { acme/storefront: { ${list} } }\nkeep: { ${kind}: [${kept}] }\n`;
      writeFileSync(join(home, "state.yaml"), text);
      return run(..."state apply -f state.yaml --prune --max-delete all --yes -o json".split(" "));
    };
    const { code, stdout, stderr } = await planned(`"${keep}"`);
    expect([code, seen.filter((each) => !each.startsWith("GET"))], stderr).toEqual([9, []]);
    expect(stdout).toContain(`keep names ${named}, not found`);
    const removed = await planned("");
    expect([removed.code, removed.stdout]).toEqual([0, expect.stringContaining('"delete"')]);
  },
);
