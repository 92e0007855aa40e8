import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startReceiver } from "../support/receiver.ts";
import { openSession, type Session } from "./session.ts";

// What tools need that work on many projects; real instances have it, the documents do not mention it.

let session: Session;
const ask: Session["ask"] = (...asking) => session.ask(...asking);
beforeAll(async () => {
  session = await openSession();
});
afterAll(() => session.sandbox.close());

interface Place {
  readonly id: number;
  readonly path_with_namespace: string;
  readonly full_path: string;
}
const paths = async (request: string, as: "administrator" | "owner" | "maintainer" | "outsider" = "administrator") =>
  (await ask(`GET ${request}`, { as })).json.map((row: Place) => row.path_with_namespace ?? row.full_path);

describe("the projects of an instance", () => {
  test("include archived, personal, and shared ones, and those that will be deleted", async () => {
    const fields = async (path: string) => {
      const { json } = await ask(`GET /projects/${encodeURIComponent(path)}`);
      const { archived, marked_for_deletion_on: mark, namespace } = json;
      return [archived, mark, namespace.kind, namespace.full_path];
    };
    expect(await fields("acme/storefront")).toEqual([false, null, "group", "acme"]);
    expect(await fields("open-tools/legacy-cli")).toEqual([true, null, "group", "open-tools"]);
    expect(await fields("initech/old-reports-deletion_scheduled-16")).toEqual([
      false,
      expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      "group",
      "initech",
    ]);
    expect(await fields("olivia.ortega/dotfiles")).toEqual([false, null, "user", "olivia.ortega"]);
    expect(await paths("/projects?archived=true")).toEqual(["open-tools/legacy-cli"]);
    expect(await paths("/projects?archived=false&per_page=100")).not.toContain("open-tools/legacy-cli");
    expect(await paths("/projects?search=dotfiles", "maintainer")).toEqual([]);
    expect(await paths("/projects?search=dotfiles", "owner")).toEqual(["olivia.ortega/dotfiles"]);
  });

  test("are ordered, and listed by cursor", async () => {
    const names = await paths("/projects?order_by=path&sort=asc&visibility=public&per_page=3");
    expect(names).toEqual(["open-tools/charts", "open-tools/cli", "acme/docs"]);
    const ids = async (query: string) => (await ask(`GET /projects?${query}`)).json.map(({ id }: Place) => id);
    expect(await ids("order_by=created_at&sort=asc&per_page=2")).toEqual([1, 2]);
    const first = await ask("GET /projects?pagination=keyset&order_by=id&sort=asc&per_page=10");
    expect([first.json.length, first.headers.get("x-total")]).toEqual([10, null]);
    const [, next = ""] = /<.*(\/projects[^>]*)>; rel="next"/.exec(first.headers.get("link") ?? "") ?? [];
    expect((await ask(`GET ${next}`)).json.map(({ id }: Place) => id)).toEqual([11, 12, 13, 14, 15, 16, 17, 18]);
    expect((await ask("GET /projects?order_by=color")).status).toBe(400);
  });
});

describe("the projects of a group", () => {
  test("are its own and those shared with it, and with subgroups those below", async () => {
    const own = ["acme/mobile/ios-app", "acme/mobile/android-app"];
    const shared = ["acme/storefront", "globex/brand-assets"];
    expect((await paths("/groups/acme%2Fmobile/projects")).sort()).toEqual([...own, ...shared].sort());
    expect((await paths("/groups/acme%2Fmobile/projects?with_shared=false")).sort()).toEqual([...own].sort());
    // A project that is shared with a subgroup is not among those of the group above.
    expect(await paths("/groups/acme/projects?include_subgroups=true&per_page=100")).not.toContain(
      "globex/brand-assets",
    );
    expect(await paths("/groups/open-tools/projects?archived=true")).toEqual(["open-tools/legacy-cli"]);
  });

  test("a member of a group sees what is shared with it, and has at most that access", async () => {
    const at = "/projects/globex%2Fbrand-assets";
    expect((await ask(`GET ${at}`, { as: "maintainer" })).status).toBe(200);
    expect((await ask(`GET ${at}`, { as: "outsider" })).status).toBe(404);
    expect((await ask(`GET ${at}/job_token_scope`, { as: "maintainer" })).status).toBe(403);
  });
});

test("groups have subgroups, and all groups below", async () => {
  expect(await paths("/groups/acme/subgroups")).toEqual(["acme/mobile", "acme/platform"]);
  expect(await paths("/groups/acme/descendant_groups")).toEqual([
    "acme/platform/infrastructure",
    "acme/mobile",
    "acme/platform",
  ]);
  expect(await paths("/groups/acme/descendant_groups", "outsider")).toEqual(["acme/mobile", "acme/platform"]);
  expect(await paths("/groups?top_level_only=true")).toEqual(["acme", "globex", "initech", "open-tools"]);
  expect((await ask("GET /groups/globex/subgroups", { as: "outsider" })).status).toBe(404);
});

describe("hooks of a project", () => {
  const hooks = "/projects/acme%2Fwebsite/hooks";
  test("are made, changed, and deleted, and receive what happens in it", async () => {
    const receiver = await startReceiver();
    const json = { url: receiver.url, push_events: false, note_events: true };
    const made = await ask(`POST ${hooks}`, { as: "maintainer", json });
    expect([made.status, made.json]).toMatchObject([201, { project_id: 1, note_events: true, push_events: false }]);
    expect(made.json).not.toHaveProperty("group_id");
    const at = `${hooks}/${made.json.id}`;
    expect((await ask(`GET ${at}`, { as: "maintainer" })).json).toEqual(made.json);
    // As on real instances, the list has no headers and variables.
    const { custom_headers: _, url_variables: __, ...listed } = made.json;
    expect((await ask(`GET ${hooks}`, { as: "maintainer" })).json).toEqual([listed]);
    const [issue] = (await ask("GET /projects/1/events?target_type=issue")).json;
    await ask(`POST /projects/1/issues/${issue.target_iid}/notes`, { json: { body: "Does it arrive?" } });
    await expect.poll(() => receiver.received.length).toBe(1);
    const changed = await ask(`PUT ${at}`, { json: { url: receiver.url, note_events: false } });
    expect(changed.json).toEqual({ ...made.json, note_events: false });
    expect((await ask(`GET /groups/acme/hooks/${made.json.id}`)).status).toBe(404);
    expect((await ask(`GET ${hooks}`, { as: "developer" })).status).toBe(403);
    expect((await ask(`DELETE ${at}`, { as: "maintainer" })).status).toBe(204);
    expect((await ask(`GET ${at}`)).status).toBe(404);
  });
});

describe("protected branches", () => {
  const branches = "/projects/acme%2Fstorefront/protected_branches";
  const level = (access_level: number, access_level_description: string) => ({
    id: expect.any(Number),
    access_level,
    access_level_description,
    ...{ deploy_key_id: null, user_id: null, group_id: null },
  });

  test("are listed, with who may push, merge, and unprotect", async () => {
    const { json } = await ask(`GET ${branches}`, { as: "reporter" });
    expect(json[0]).toEqual({
      ...{ id: 7, name: "main", allow_force_push: false, code_owner_approval_required: false, inherited: false },
      push_access_levels: [level(40, "Maintainers")],
      merge_access_levels: [level(40, "Maintainers")],
      unprotect_access_levels: [level(40, "Maintainers")],
    });
    expect(json[1]).toMatchObject({
      name: "release/*",
      push_access_levels: [{ access_level: 0, access_level_description: "No one" }],
      merge_access_levels: [
        { access_level: null, user_id: 4, access_level_description: "Dana Dixon" },
        { access_level: null, group_id: 4, access_level_description: "Mobile" },
      ],
    });
    expect((await ask(`GET ${branches}/${encodeURIComponent("release/*")}`)).json).toEqual(json[1]);
    expect((await ask("GET /projects/4/protected_branches", { as: "outsider" })).status).toBe(404);
  });

  test("are protected once, changed element by element, and unprotected", async () => {
    const json = { name: "stable", push_access_level: 0, allowed_to_merge: [{ user_id: 2 }, { access_level: 30 }] };
    expect((await ask(`POST ${branches}`, { as: "developer", json })).status).toBe(403);
    const made = await ask(`POST ${branches}`, { as: "maintainer", json });
    expect([made.status, made.json]).toMatchObject([
      201,
      {
        push_access_levels: [{ access_level: 0 }],
        merge_access_levels: [{ user_id: 2 }, { access_level: 30 }],
        unprotect_access_levels: [{ access_level: 40 }],
      },
    ]);
    const again = await ask(`POST ${branches}`, { json });
    expect([again.status, again.json]).toEqual([409, { message: "Protected branch 'stable' already exists" }]);
    expect((await ask(`POST ${branches}`, { json: { name: "x", push_access_level: 35 } })).status).toBe(400);
    const [olivia, developers] = made.json.merge_access_levels;
    const allowed_to_merge = [
      { id: olivia.id, _destroy: true },
      { id: developers.id, access_level: 40 },
      { user_id: 3 },
    ];
    const changed = await ask(`PATCH ${branches}/stable`, { json: { allow_force_push: true, allowed_to_merge } });
    expect(changed.json).toMatchObject({
      allow_force_push: true,
      push_access_levels: made.json.push_access_levels,
      merge_access_levels: [{ id: developers.id, access_level: 40 }, { user_id: 3 }],
    });
    // One wrong element refuses the whole change.
    const wrong = [{ user_id: 4 }, { id: 9999, access_level: 40 }];
    expect((await ask(`PATCH ${branches}/stable`, { json: { allowed_to_merge: wrong } })).status).toBe(404);
    expect((await ask(`GET ${branches}/stable`)).json).toEqual(changed.json);
    expect((await ask(`DELETE ${branches}/stable`)).status).toBe(204);
    expect((await ask(`DELETE ${branches}/stable`)).status).toBe(404);
  });
});
