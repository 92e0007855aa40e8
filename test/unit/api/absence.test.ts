import { expect, test } from "vitest";
import { provesGone } from "../../../src/api/absence.ts";
import { Failure, type FailureDetails } from "../../../src/base/errors.ts";
import { clientOf, lines } from "./support/client.ts";

const missing = (path: string | undefined, more: FailureDetails = {}) =>
  new Failure("notFound", "no", { status: 404, ...(path !== undefined && { path }), ...more });

test.each<[string, unknown, boolean, string[]]>([
  ["something of a project", missing("/api/v4/projects/acme%2Fweb/hooks/1"), true, ["GET /projects/acme%2Fweb"]],
  ["something of a group", missing("/api/v4/groups/acme?x=1"), true, ["GET /groups/acme"]],
  ["something of neither", missing("/api/v4/users/1"), true, []],
  ["something of an unknown place", missing(undefined), true, []],
  ["the project itself", missing("/api/v4/projects/7/hooks", { reason: "404 Project Not Found" }), false, []],
  ["the group itself", missing("/api/v4/groups/7/hooks", { reason: "(404 Group Not Found)" }), false, []],
  ["something that was refused", new Failure("forbidden", "no", { status: 403 }), false, []],
  ["something that a gateway answered", new Failure("refused", "no", { status: 404 }), false, []],
  ["a request that the instance lacks", missing("/api/v4/groups/acme/saml/x", { lacksRoute: true }), false, []],
  ["a note, which may be invisible", missing("/api/v4/projects/7/issues/28/notes/3"), false, []],
  ["another error", new Error("404"), false, []],
])("a 404 of %s proves that it is gone, if the project or the group can be read", async (_, error, gone, asked) => {
  const { api, sent } = clientOf(() => ({ text: '{"id":7,"path_with_namespace":"acme/web","full_path":"acme"}' }));
  expect([await provesGone(api, error), lines(sent).map((line) => line.replace(/\?.*/, ""))]).toEqual([gone, asked]);
});

test.each(["projects", "groups"])("if %s cannot be read, that is the error", async (kind) => {
  const { api } = clientOf(() => ({ status: 404 }));
  await expect(provesGone(api, missing(`/api/v4/${kind}/7/hooks`))).rejects.toMatchObject({ exit: "notFound" });
});

test.each<[string, string[], boolean]>([
  ["lists other tags", ['[{"name":"v10"},{"name":"v2"}]', '[{"name":"v10"},{"name":"v2"}]'], true],
  ["lists it", ['[{"name":"v10"},{"name":"v1"}]'], false],
  ["lists it at a second look, since its pages shift", ['[{"name":"v10"}]', '[{"name":"v1"}]'], false],
  ["lists no tag, as while it restarts", ["[]"], false],
])("a 404 of a tag, if its registry %s: %j is %j", async (_, looks, gone) => {
  const left = [...looks];
  const { api, sent } = clientOf(({ url }) => ({
    text: /\/tags(?:\?|$)/.test(url) ? (left.shift() ?? "") : '{"id":7,"path_with_namespace":"acme/web"}',
  }));
  expect(await provesGone(api, missing("/api/v4/projects/7/registry/repositories/12/tags/v1"))).toBe(gone);
  expect(lines(sent).map((line) => line.replace(/\?.*/, ""))).toEqual([
    "GET /projects/7",
    ...looks.map(() => "GET /projects/7/registry/repositories/12/tags"),
  ]);
});
