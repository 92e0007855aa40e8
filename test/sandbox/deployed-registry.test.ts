import { afterAll, beforeAll, expect, test } from "vitest";
import { type Tag, tags } from "../../src/sandbox/areas/registry/model.ts";
import { openSession, type Session } from "./session.ts";

// The registry of real instances, which has the service's own API.

let session: Session;
let documented: Session;
let now = Date.now();
beforeAll(async () => {
  session = await openSession({ asDeployed: true, now: () => new Date(now) });
  documented = await openSession();
});
afterAll(() => Promise.all([session.sandbox.close(), documented.sandbox.close()]));

const at = (project: number, repository: number) => `/projects/${project}/registry/repositories/${repository}/tags`;
const daysOld = (time: string) => (now - Date.parse(time)) / 86_400_000;
const names = (from: Session, repository: number) =>
  from.sandbox.store
    .table(tags)
    .where((tag) => tag.repository_id === repository)
    .map(({ name }) => name)
    .sort();

test("tags are listed by cursor, without page headers", async () => {
  const one = await session.ask(`GET ${at(7, 12)}?pagination=keyset&per_page=1`);
  expect([one.status, one.json.length, one.headers.get("x-page")]).toEqual([200, 1, null]);
  expect(one.headers.get("link")).toMatch(/rel="next"/);
  expect((await documented.ask(`GET ${at(7, 12)}?pagination=keyset&per_page=1`)).status).toBe(405);
});

test("a tag shows when it was first pushed, and a bulk delete decides by its last push", async () => {
  const shown = async (from: Session) => daysOld((await from.ask(`GET ${at(7, 12)}/main`)).json.created_at);
  expect(await shown(session)).toBeGreaterThan(300);
  expect(await shown(documented)).toBeLessThan(3);
  const json = { name_regex_delete: "main|latest|v1", older_than: "7d" };
  expect((await session.ask(`DELETE ${at(7, 12)}`, { json })).status).toBe(202);
  now += 5000;
  await session.ask(`GET ${at(7, 12)}`);
  expect(names(session, 12)).toEqual(expect.arrayContaining(["main", "v1", "latest"]));
});

test("a tag is not found behind a hundred others whose names contain its own", async () => {
  const table = session.sandbox.store.table(tags);
  const [like] = table.where((tag) => tag.repository_id === 13 && tag.name === "v1");
  const { id: _, ...rest } = like as Tag;
  for (let n = 100; n < 200; n += 1) table.insert({ ...rest, name: `feature-${n}-v1` });
  const listed = await session.ask(`GET ${at(7, 13)}?pagination=keyset&last=feature-199-v1&per_page=100`);
  expect(listed.json.map(({ name }: Tag) => name)).toContain("v1");
  const { status, json } = await session.ask(`GET ${at(7, 13)}/v1`);
  expect([status, json]).toEqual([404, { message: "404 Tag Not Found" }]);
  expect((await session.ask(`DELETE ${at(7, 13)}/v1`)).status).toBe(403);
  expect((await session.ask(`DELETE ${at(7, 13)}/feature-100-v1`)).status).toBe(204);
  expect((await session.ask(`GET ${at(7, 13)}/v1`)).status).toBe(200);
});

test("rules protect tags: deleting one is a bare 403, and a bulk delete leaves them", async () => {
  const rules = "/projects/acme%2Fwebsite/registry/protection/tag/rules";
  const { json, headers } = await session.ask(`GET ${rules}`, { as: "maintainer" });
  expect(json).toEqual([
    {
      id: 1,
      project_id: 1,
      tag_name_pattern: "^v1\\.2\\.",
      minimum_access_level_for_push: "maintainer",
      minimum_access_level_for_delete: "owner",
    },
  ]);
  expect(headers.get("x-total")).toBe("1");
  expect((await session.ask(`GET ${rules}`, { as: "developer" })).status).toBe(403);
  expect((await documented.ask(`GET ${rules}`)).status).toBe(404);

  const remove = async (tag: string, as: "maintainer" | "owner" | "administrator") => {
    const { status, json: body } = await session.ask(`DELETE ${at(1, 1)}/${tag}`, { as });
    return [status, body?.message];
  };
  expect(await remove("v1.2.0", "maintainer")).toEqual([403, "403 Forbidden"]);
  // Immutable, and not among the rules that are shown.
  expect(await remove("v1.1.0", "administrator")).toEqual([403, "403 Forbidden"]);
  const bulk = { as: "maintainer", json: { name_regex_delete: "v1\\.[0-9]\\..*" } } as const;
  expect((await session.ask(`DELETE ${at(1, 1)}`, bulk)).status).toBe(202);
  now += 5000;
  await session.ask(`GET ${at(1, 1)}`);
  expect(names(session, 1).filter((name) => /^v1\.\d\./.test(name))).toEqual(["v1.1.0", "v1.2.0"]);
  expect(await remove("v1.2.0", "owner")).toEqual([204, undefined]);
  expect((await documented.ask(`DELETE ${at(1, 1)}/v1.1.0`, { as: "maintainer" })).status).toBe(204);
});
