import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { dumpPreimage } from "../../../src/state/export/preimage.ts";
import type { Change, Kind, Values } from "../../../src/state/kind.ts";
import { environmentsKind } from "../../../src/state/kinds/environments.ts";
import { hooksKind } from "../../../src/state/kinds/hooks.ts";
import { allowlistKind, groupsAllowlistKind, jobTokenScopeKind } from "../../../src/state/kinds/job-token.ts";
import { samlLinksKind } from "../../../src/state/kinds/links.ts";
import { errorTrackingKind, registryVisibilityKind } from "../../../src/state/kinds/project.ts";
import { projectHooksKind } from "../../../src/state/kinds/project-hooks.ts";
import { settingsKind } from "../../../src/state/kinds/settings.ts";
import { changeOf } from "../../support/compared.ts";

const url = "https://a.example/in";
const link = { name: "Leads", access_level: 30, provider: "okta" };
const removal = (kind: Kind, live: Values): Change => changeOf(kind, undefined, live);

/** What the state file before the changes declares, below its head. */
async function declaredBefore(...changes: readonly Change[]) {
  const text = await dumpPreimage("https://forge.example.com", changes);
  const { forgectl, instance, ...rest } = load(text) as Values;
  expect([forgectl, instance]).toEqual([1, "https://forge.example.com"]);
  return rest;
}

describe("what changes affect, as a file declares it", () => {
  test("nothing is only the head, and so is what is created", async () => {
    expect(await declaredBefore()).toEqual({});
    expect(await declaredBefore(changeOf(samlLinksKind, link, undefined))).toEqual({});
  });

  test("several entries of one list are all in it, in their order", async () => {
    const entry = (name: string) => ({ name, access_level: "developer", provider: "okta" });
    const removals = ["Leads", "Chat", "All"].map((name) => removal(samlLinksKind, { ...link, name }));
    expect(await declaredBefore(...removals)).toEqual({
      groups: { acme: { saml_group_links: [entry("Leads"), entry("Chat"), entry("All")] } },
    });
  });

  test("several kinds of a scope are in one place, and scopes of one name are not confused", async () => {
    const hook = { id: 2, name: "Deploys", url, push_events: true, description: "was" };
    const toSet = changeOf(hooksKind, { name: "Deploys", description: "set" }, hook);
    const ofProject = { ...toSet, kind: projectHooksKind, scope: { at: "project", name: "acme" } } as Change;
    const entry = expect.objectContaining({ name: "Deploys", description: "was" });
    expect(await declaredBefore(toSet, removal(samlLinksKind, link), ofProject)).toEqual({
      groups: { acme: { hooks: [entry], saml_group_links: [expect.objectContaining({ name: "Leads" })] } },
      projects: { acme: { hooks: [entry] } },
    });
  });

  test("of a webhook of which a part is changed, the events that are changed are in it, and no list of all", async () => {
    const hook = { id: 2, name: "Deploys", url, push_events: true, note_events: true, description: "was" };
    const changed = async (desired: Values) =>
      declaredBefore(changeOf(hooksKind, { name: "Deploys", ...desired }, hook));
    const hooks = (values: Values) => ({ groups: { acme: { hooks: [{ url, name: "Deploys", ...values }] } } });
    expect(await changed({ description: "set" })).toEqual(hooks({ description: "was" }));
    expect(await changed({ push_events: false })).toEqual(hooks({ push_events: true }));
    expect(await declaredBefore(removal(hooksKind, hook))).toEqual(
      hooks({ id: 2, description: "was", events: ["note", "push"] }),
    );
  });

  test("a change of the settings has only the settings that are written", async () => {
    const live = { max_login_attempts: 7, signup_enabled: true, a_setting_of_tomorrow: { a: 1 } };
    const change = changeOf(settingsKind, { max_login_attempts: 5, a_setting_of_tomorrow: { a: 2 } }, live);
    expect(await declaredBefore(change)).toEqual({
      settings: { max_login_attempts: 7, a_setting_of_tomorrow: { a: 1 } },
    });
  });

  test("rules are written as a file has them, without their IDs", async () => {
    const live = { name: "p", deploy_access_levels: [{ id: 1, access_level: 40, access_level_description: "M" }] };
    expect(await declaredBefore(removal(environmentsKind, live))).toEqual({
      projects: {
        "acme/storefront": {
          protected_environments: [{ name: "p", deploy_access_levels: [{ access_level: "maintainer" }] }],
        },
      },
    });
  });

  test("a record of one field is its value, and another one a mapping", async () => {
    const field = "container_registry_access_level";
    const visibility = changeOf(registryVisibilityKind, { [field]: "private" }, { [field]: "enabled" });
    const tracking = changeOf(errorTrackingKind, { active: true }, { active: false, integrated: true });
    expect(await declaredBefore(visibility, tracking)).toEqual({
      projects: { "acme/storefront": { [field]: "enabled", error_tracking: { active: false } } },
    });
  });

  test("allowlists are IDs within the section of the job tokens, before or after its fields", async () => {
    const scope = changeOf(jobTokenScopeKind, { inbound_enabled: true }, { inbound_enabled: false });
    const lists = [
      removal(allowlistKind, { id: 9, path_with_namespace: "acme/api" }),
      removal(allowlistKind, { id: 8 }),
      removal(groupsAllowlistKind, { id: 3 }),
    ];
    const section = { inbound_enabled: false, allowlist: [9, 8], groups_allowlist: [3] };
    const all = { projects: { "acme/storefront": { job_token_scope: section } } };
    expect(await declaredBefore(...lists, scope)).toEqual(all);
    expect(await declaredBefore(scope, ...lists)).toEqual(all);
  });
});
