import { expect, test } from "vitest";
import type { Fields } from "../../src/api/field.ts";
import { groups } from "../../src/commands/index.ts";
import { commandsIn } from "../../src/declare/describe.ts";

/** Values that users copy from a table into another command, and errors: neither is useful if it is cut. */
const never = new Set([
  ...["username", "path_with_namespace", "full_path", "extern_uid", "filename", "cn", "filter"],
  ...["setting", "environment", "tag_name", "old", "new", "file", "address", "upload", "url", "web_url"],
  ...["error", "problem", "reason", "rule"],
]);

/** Entities whose name or path other commands take. */
const named: Readonly<Record<string, string>> = {
  ...{
    RegistryRepository: "path",
    RegistryUsage: "path",
    PrunedTag: "path",
    RegistryTag: "name",
  },
  ...{ ProtectedEnvironment: "name", SamlLink: "name", LdapLink: "provider", CatalogEntry: "name" },
  ...{ SettingInForce: "name", SettingDifference: "name", Profile: "name", ArchivedFile: "path", Hook: "url" },
  ...{ KeptRun: "what", EnvironmentFinding: "project", JobTokenReach: "project" },
};

test("no table cuts what identifies a thing, or says what went wrong", async () => {
  const nodes = await Promise.all(groups.map((entry) => entry.load()));
  const entities = nodes
    .flatMap((node) => [...commandsIn(node)].map(({ command }) => command.returns))
    .filter((returns) => returns !== undefined);
  const cut = entities.flatMap(({ name, shape }) =>
    Object.entries(shape as Fields)
      .filter(([key, { kind }]) => kind === "string" && (never.has(key) || named[name] === key))
      .filter(([, { whole }]) => whole !== true)
      .map(([key]) => `${name}.${key}`),
  );
  expect([...new Set(cut)]).toEqual([]);
  const known = new Set(entities.map(({ name }) => name));
  expect(Object.keys(named).filter((name) => !known.has(name))).toEqual([]);
});
