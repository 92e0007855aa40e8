import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSession, type Session } from "./session.ts";

// Job tokens and fine-grained tokens on real instances.

let session: Session;
let documented: Session;
beforeAll(async () => {
  session = await openSession({ asDeployed: true });
  documented = await openSession();
});
afterAll(() => Promise.all([session.sandbox.close(), documented.sandbox.close()]));

const job = { as: null, headers: { "job-token": "sandbox-job-token" } } as const;

describe("a job token", () => {
  const answer = async (request: string, from = session) => {
    const { status, json } = await from.ask(request, job);
    return [status, json?.message];
  };

  test("is ignored by routes that do not accept it: the caller is anybody", async () => {
    expect(await answer("GET /projects/4")).toEqual([404, "404 Project Not Found"]);
    expect(await answer("GET /projects/4/repository/files/README.md?ref=main")).toEqual([404, "404 Project Not Found"]);
    expect(await answer("POST /projects/4/export_relations")).toEqual([404, "404 Not Found"]);
    expect(await answer("GET /projects/4/protected_environments")).toEqual([404, "404 Project Not Found"]);
    expect(await answer("GET /groups/globex/registry/repositories")).toEqual([404, "404 Group Not Found"]);
    expect((await answer("GET /projects/7"))[0]).toBe(200);
    expect(await answer("GET /projects/7/protected_environments")).toEqual([403, "403 Forbidden"]);
    const listed = (await session.ask("GET /projects?per_page=100", job)).json;
    expect(new Set(listed.map(({ visibility }: { visibility: string }) => visibility))).toEqual(new Set(["public"]));
    // The documents have a 401 there.
    expect((await answer("GET /projects/4/protected_environments", documented))[0]).toBe(401);
  });

  test("is a 401 where a user is required before anything else", async () => {
    for (const path of ["/projects/7/issues/28/notes", "/groups/acme/hooks", "/projects/7/job_token_scope", "/user"]) {
      expect([path, ...(await answer(`GET ${path}`))]).toEqual([path, 401, "401 Unauthorized"]);
    }
  });

  test("reads no registry but that of its own project", async () => {
    const registry = (project: number) => `GET /projects/${project}/registry/repositories`;
    expect((await answer(registry(7)))[0]).toBe(200);
    expect(await answer(registry(3))).toEqual([
      403,
      "403 Forbidden - This project's CI/CD job token cannot be used to authenticate with the container registry " +
        "of a different project.",
    ]);
  });

  const artifacts = (project: number) => `GET /projects/${project}/jobs/artifacts/main/raw/none?job=none`;
  const entry = "/projects/4/job_token_scope/allowlist";

  test("needs a permission of its entry in the allowlist, which is not shown; an entry that is added has all", async () => {
    expect(await answer(artifacts(6))).toEqual([
      403,
      "403 Forbidden - Authentication by CI/CD job token not allowed from acme/storefront to acme/mobile/ios-app.",
    ]);
    expect(await answer(artifacts(4))).toEqual([
      403,
      "403 Forbidden - Insufficient permissions to access this resource in project billing. " +
        "The following token permission is required: read_jobs.",
    ]);
    const { json } = await session.ask(`GET ${entry}`);
    const [own, storefront] = json;
    expect([own.id, storefront.id]).toEqual([4, 7]);
    expect(Object.keys(storefront)).toEqual(Object.keys(own));
    expect((await session.ask(`DELETE ${entry}/7`)).status).toBe(204);
    expect((await session.ask(`POST ${entry}`, { json: { target_project_id: 7 } })).status).toBe(201);
    expect((await answer(artifacts(4)))[0]).toBe(404);
  });

  test("is limited wherever the instance enforces it, whatever the project says", async () => {
    const scope = "/projects/2/job_token_scope";
    const enforce = (on: boolean) =>
      session.ask("PUT /application/settings", { json: { enforce_ci_inbound_job_token_scope_enabled: on } });
    const inbound = async () => (await session.ask(`GET ${scope}`)).json.inbound_enabled;
    expect(await inbound()).toBe(false);
    await enforce(true);
    expect((await session.ask(`PATCH ${scope}`, { json: { enabled: false } })).status).toBe(204);
    expect(await inbound()).toBe(true);
    expect((await answer(artifacts(2)))[0]).toBe(403);
    await enforce(false);
    expect(await inbound()).toBe(false);
  });
});

describe("a fine-grained token", () => {
  const as = "granular";
  const refusal = async (request: string, from = session) => {
    const { status, json } = await from.ask(request, { as });
    return [status, json?.error, json?.error_description];
  };
  const lacks = (boundary: string, permission: string) => [
    403,
    "insufficient_granular_scope",
    "Access denied: This operation requires a fine-grained personal access token with the following " +
      `${boundary} permissions: [${permission}].`,
  ];

  test("does what it has permissions for, with and without --as-deployed", async () => {
    for (const from of [session, documented]) {
      expect((await from.ask("GET /projects/7/registry/repositories", { as })).status).toBe(200);
      expect((await from.ask("GET /projects/7", { as })).status).toBe(200);
      expect(await refusal("GET /user", from)).toEqual(lacks("user", "User: Read"));
    }
  });

  test("and nothing else: not even ask about itself", async () => {
    expect(await refusal("GET /personal_access_tokens/self")).toEqual(lacks("user", "Personal Access Token: Read"));
    expect(await refusal("GET /metadata")).toEqual(lacks("instance", "Metadata: Read"));
    expect(await refusal("GET /groups/acme/hooks")).toEqual(lacks("group", "Webhook: Read"));
    expect(await refusal("POST /projects/7/issues/28/notes")).toEqual(lacks("project", "Note: Create"));
    expect(await refusal("DELETE /projects/7/registry/repositories/12/tags/v1")).toEqual(
      lacks("project", "Container Repository: Delete"),
    );
    expect(await refusal("GET /projects/7/error_tracking/settings")).toEqual([
      403,
      "insufficient_granular_scope",
      "Access denied: This operation doesn't support fine-grained personal access tokens.",
    ]);
    // What the user cannot see does not exist.
    expect((await session.ask("GET /projects/9/events", { as })).status).toBe(404);
  });
});
