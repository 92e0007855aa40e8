import { afterAll, beforeAll, expect, test } from "vitest";
import { jobTokenArea } from "../../src/sandbox/areas/job-token/routes.ts";
import { directoryArea } from "../../src/sandbox/areas/places/directory.ts";
import { Store } from "../../src/sandbox/store/store.ts";
import { World } from "../../src/sandbox/store/world.ts";
import { openSession, type Session } from "./session.ts";

let session: Session;
beforeAll(async () => {
  session = await openSession();
});
afterAll(() => session.sandbox.close());

test("the setting is read and changed by maintainers only", async () => {
  const scope = "/projects/8/job_token_scope";
  const before = await session.ask(`GET ${scope}`, { as: "maintainer" });
  expect([before.status, before.json]).toEqual([200, { inbound_enabled: true, outbound_enabled: true }]);
  const changed = await session.ask(`PATCH ${scope}`, { json: { enabled: false } });
  expect([changed.status, changed.text]).toEqual([204, ""]);
  expect((await session.ask(`GET ${scope}`)).json.inbound_enabled).toBe(false);
  expect((await session.ask(`GET ${scope}`, { as: "developer" })).status).toBe(403);
  expect((await session.ask(`PATCH ${scope}`, { json: {} })).json).toEqual({
    message: '400 (Bad request) "enabled" not given',
  });
});

test("the allowlist of projects starts with the project itself, which cannot be removed", async () => {
  const list = "/projects/6/job_token_scope/allowlist";
  const add = (target_project_id: number, as: "administrator" | "maintainer" = "administrator") =>
    session.ask(`POST ${list}`, { as, json: { target_project_id } });
  const ids = async () => (await session.ask(`GET ${list}`)).json.map(({ id }: { id: number }) => id);
  expect(await ids()).toEqual([6]);
  const added = await add(9);
  expect([added.status, added.json]).toEqual([201, { source_project_id: 6, target_project_id: 9 }]);
  expect(await ids()).toEqual([6, 9]);
  expect((await add(9)).status).toBe(409);
  expect((await add(6)).status).toBe(409);
  expect((await add(999)).json.message).toBe("404 Target project Not Found");
  // The maintainer of group 1 does not see this private project of another group.
  expect((await add(10, "maintainer")).status).toBe(404);
  expect((await session.ask(`DELETE ${list}/6`)).status).toBe(400);
  expect((await session.ask(`DELETE ${list}/9`)).status).toBe(204);
  expect((await session.ask(`DELETE ${list}/9`)).status).toBe(404);
  expect((await session.ask(`GET ${list}`, { as: "developer" })).status).toBe(403);
});

test("a listed project has the documented fields", async () => {
  const { json, headers } = await session.ask("GET /projects/7/job_token_scope/allowlist?per_page=2");
  expect(headers.get("x-total")).toBe("4");
  expect(Object.keys(json[1])).toEqual([
    ..."id description name name_with_namespace path path_with_namespace created_at default_branch tag_list".split(" "),
    ..."topics ssh_url_to_repo http_url_to_repo web_url avatar_url star_count last_activity_at namespace".split(" "),
  ]);
  expect(Object.keys(json[1].namespace)).toEqual("id name path kind full_path parent_id avatar_url web_url".split(" "));
});

test("groups are allowed and removed again", async () => {
  const list = "/projects/6/job_token_scope/groups_allowlist";
  const add = () => session.ask(`POST ${list}`, { json: { target_group_id: 8 } });
  expect((await session.ask(`GET ${list}`)).json).toEqual([]);
  const added = await add();
  expect([added.status, added.json]).toEqual([201, { source_project_id: 6, target_group_id: 8 }]);
  expect((await session.ask(`GET ${list}`)).json).toEqual([
    { id: 8, web_url: `${session.sandbox.url}/groups/open-tools`, name: "Open Tools" },
  ]);
  expect((await add()).status).toBe(409);
  const before = { "if-unmodified-since": new Date(0).toUTCString() };
  expect((await session.ask(`DELETE ${list}/8`, { headers: before })).status).toBe(412);
  expect((await session.ask(`DELETE ${list}/8`)).status).toBe(204);
  expect((await session.ask(`DELETE ${list}/8`)).status).toBe(404);
});

test("a job token accesses open projects, and limited ones by project or group", () => {
  const options = {
    tier: "ultimate",
    hosting: "self-managed",
    asDeployed: false,
    now: () => new Date(),
    log: () => {},
  } as const;
  const world = new World(new Store(), options);
  directoryArea.seed?.(world);
  jobTokenArea.seed?.(world);
  const reaches = (from: number, to: number) => jobTokenArea.jobTokenReaches?.(world, from, to);
  expect(reaches(10, 2)).toBe(true);
  expect(reaches(7, 3)).toBe(true);
  expect(reaches(8, 7)).toBe(true);
  expect(reaches(7, 5)).toBe(true);
  expect(reaches(7, 6)).toBe(false);
  expect(reaches(9, 5)).toBe(false);
});

test("as deployed, what the caller does not see is not added; a hidden project is not removed, a hidden group is", async () => {
  const { ask, sandbox } = await openSession({ asDeployed: true });
  const scope = "/projects/7/job_token_scope";
  await ask(`POST ${scope}/allowlist`, { json: { target_project_id: 10 } });
  await ask(`POST ${scope}/groups_allowlist`, { json: { target_group_id: 5 } });
  const as = "maintainer";
  const add = (list: string, json: object) => ask(`POST ${scope}/${list}`, { as, json });
  const refused = "exist or you don't have permission to perform this action";
  const project = await add("allowlist", { target_project_id: 10 });
  expect([project.status, project.json.message]).toEqual([400, expect.stringContaining(refused)]);
  const removal = await ask(`DELETE ${scope}/allowlist/10`, { as });
  expect([removal.status, removal.json.message]).toEqual([404, "404 Project Not Found"]);
  expect((await ask(`DELETE ${scope}/groups_allowlist/5`, { as })).status).toBe(204);
  const group = await add("groups_allowlist", { target_group_id: 5 });
  expect([group.status, group.json.message]).toEqual([400, expect.stringContaining(refused)]);
  await sandbox.close();
});
