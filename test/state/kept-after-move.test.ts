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
