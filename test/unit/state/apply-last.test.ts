import { describe, expect, test } from "vitest";
import { applied, group, linksOf, project } from "../../support/planned-state.ts";

const link = (name: string) => `{ name: ${name}, access_level: 30 }`;
const declares = (path: string, ...names: string[]) => `${path}: { saml_group_links: [${names.map(link).join(", ")}] }`;
const post = "POST /groups/acme/saml_group_links";
const acme = (...names: string[]) => ({ "/groups/acme": group(4, "acme"), ...linksOf("acme", ...names) });
const added = "acme#saml_group_links/New";

describe("access by job tokens is restricted last", () => {
  const scope = "/projects/acme/shop/job_token_scope";
  const add = "POST /projects/7/job_token_scope/allowlist";
  const shop = {
    "/projects/acme/shop": project(7, "acme/shop"),
    [scope]: { inbound_enabled: false },
    [`${scope}/allowlist`]: [],
    [`${scope}/groups_allowlist`]: [],
    [`PATCH ${scope}`]: 204,
  };
  const text = "projects: { acme/shop: { job_token_scope: { inbound_enabled: true, allowlist: [3] } } }";
  const restricting = "acme/shop#job_token_scope";

  test("and not at all if an addition to its lists failed", async () => {
    const { outcomes, sent } = await applied(shop, text, { later: { [add]: 422 } });
    expect(outcomes).toEqual([
      "acme/shop#allowlist/3 refused: of a test",
      `${restricting} skipped: an addition to one of its lists failed`,
    ]);
    expect(sent).toEqual([add]);
  });

  test("but opening it, and other lists, have nothing to do with that", async () => {
    const open = { ...shop, [scope]: { inbound_enabled: true } };
    const later = { [add]: 422, [`PATCH ${scope}`]: 403 };
    const { sent } = await applied(open, text.replace("true", "false"), { later });
    expect(sent).toEqual([add, `PATCH ${scope}`]);
    const other = { "/projects/acme/shop/hooks": [], ...shop };
    const hook = text.replace("allowlist: [3] }", "}, hooks: [{ name: D, url: https://a.example }]");
    const failed = await applied(other, hook, { later: { "POST /projects/acme/shop/hooks": 422 } });
    expect(failed.sent).toContain(`PATCH ${scope}`);
  });
});

describe("settings that can lock users out", () => {
  const settings = { id: 1, password_authentication_enabled_for_web: true, updated_at: "2026-11-21T16:00:00Z" };
  const text = (more: string) => `settings: { password_authentication_enabled_for_web: false }\ngroups: { ${more} }`;
  const answers = (...links: string[]) => ({ ...acme(...links), "/application/settings": settings });
  const put = "PUT /application/settings";
  const now = { ...settings, password_authentication_enabled_for_web: false };

  test("are changed after all others", async () => {
    const { outcomes } = await applied(answers(), text(declares("acme", "New")), { later: { [put]: now } });
    expect(outcomes).toEqual([`${added} done`, "#settings done"]);
  });

  test("are left if one of the others failed, or was a removal that failed", async () => {
    const { outcomes, sent } = await applied(answers(), text(declares("acme", "New")), {
      later: { [post]: 422, [put]: now },
    });
    expect(outcomes).toEqual([`${added} refused: of a test`, "#settings skipped: changes before this one failed"]);
    expect(sent).toEqual([post]);
    const old = await applied(answers("Old"), text(declares("acme")), {
      later: { "DELETE /groups/acme/saml_group_links/Old": 422, [put]: now },
    });
    expect(old.outcomes[1]).toBe("#settings skipped: changes before this one failed");
  });

  test("are not tried if something could not be read", async () => {
    const { outcomes } = await applied(answers(), text("gone: { hooks: [] }"), { later: { [put]: now } });
    expect(outcomes).toEqual(["#settings not_tried: something could not be read"]);
  });
});
