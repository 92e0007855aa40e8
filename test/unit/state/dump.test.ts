import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { dumpState, fileOf } from "../../../src/state/export/dump.ts";
import type { Exported } from "../../../src/state/export/export.ts";
import type { At } from "../../../src/state/kind.ts";

const address = "https://forge.example.com";
const head = { forgectl: 1, instance: address };
const of = (at: At, name: string, sections: object): Exported => {
  return { scope: { at, name }, sections: sections as Exported["sections"], unreadable: [] };
};
const parsed = async (...exported: Exported[]) => load(await dumpState(address, exported));

describe("a state file of exported scopes", () => {
  test("has its head, the instance's sections, the groups, and the projects, in this order", async () => {
    const text = await dumpState(address, [
      of("project", "acme/api", { error_tracking: { active: true } }),
      of("group", "acme", { hooks: [] }),
      of("project", "acme/web", { hooks: [] }),
      of("instance", "", { settings: { signup_enabled: true } }),
    ]);
    expect(text).toBe(
      `forgectl: 1
instance: "${address}"
settings:
  signup_enabled: true
groups:
  acme:
    hooks: []
projects:
  acme/api:
    error_tracking:
      active: true
  acme/web:
    hooks: []
`.replace(`"${address}"`, address),
    );
  });

  test("has no key for what there is nothing of", async () => {
    expect(await parsed()).toEqual(head);
    expect(await parsed(of("instance", "", {}), of("group", "acme", {}), of("project", "acme/api", {}))).toEqual(head);
    expect(await parsed(of("group", "acme", { hooks: [] }))).toEqual({ ...head, groups: { acme: { hooks: [] } } });
    expect(await parsed(of("project", "acme/a", { hooks: [] }), of("project", "acme/b", {}))).toEqual({
      ...head,
      projects: { "acme/a": { hooks: [] } },
    });
  });

  test("begins with the remarks, each a comment of its own", async () => {
    const text = await dumpState(address, [], ["one", "another"]);
    expect(text.split("\n").slice(0, 3)).toEqual(["# one", "# another", "forgectl: 1"]);
  });
});

describe("the file of a scope", () => {
  test.each<[at: At, name: string, file: string]>([
    ["instance", "", "instance.yaml"],
    ["group", "acme", "groups/acme.yaml"],
    ["group", "acme/mobile", "groups/acme/mobile.yaml"],
    ["project", "acme/mobile", "projects/acme/mobile.yaml"],
    ["project", "7", "projects/7.yaml"],
    // A dot file would be passed over when the folder is read.
    ["project", "acme/.github", "projects/acme/%2Egithub.yaml"],
    ["project", ".acme/a.b", "projects/%2Eacme/a.b.yaml"],
    // A group "a.yaml" would be a folder where the file of the group "a" is.
    ["group", "acme/a.yaml", "groups/acme/a%2Eyaml.yaml"],
    ["group", "acme.YML/a.json", "groups/acme%2EYML/a%2Ejson.yaml"],
    ["project", "acme/a.yaml.b", "projects/acme/a.yaml.b.yaml"],
  ])("%s %s: %s", (at, name, file) => {
    expect(fileOf({ at, name })).toBe(file);
  });
});
