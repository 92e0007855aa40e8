import { expect, test } from "vitest";
import { alteringSession } from "../../support/altering-proxy.ts";

/** Instances accept only a project's numeric ID when an allowlist is changed. */
function numbersOnly() {
  return alteringSession(
    ({ method, path }) =>
      method !== "GET" && /\/projects\/[^/]*\D[^/]*\/job_token_scope\/\w*allowlist/.test(path)
        ? { status: 400, body: { error: "id is invalid" } }
        : undefined,
    { asDeployed: true },
  );
}

test("numeric-project-id: paths are resolved, of the project and of those that get access", async () => {
  const { run, seen } = await numbersOnly();
  const add = await run(..."job-token projects add open-tools/cli -p acme/mobile/android-app -o ndjson".split(" "));
  expect(add).toEqual({
    code: 0,
    stdout: '{"source_project_id":8,"target_project_id":12}\n',
    stderr: "project open-tools/cli is project 12\nundo: forgectl job-token projects remove 12 -p 8\n",
  });
  expect(seen).toEqual([
    "GET /api/v4/projects/open-tools%2Fcli 200",
    "GET /api/v4/projects/acme%2Fmobile%2Fandroid-app 200",
    "POST /api/v4/projects/8/job_token_scope/allowlist 201",
  ]);
  const words = "job-token projects remove open-tools/cli -p acme/mobile/android-app".split(" ");
  const asked = await run(...words);
  expect(asked.stderr).toContain("this would revoke the access of project 12 (project 8)");
  expect(await run(...words, "--yes", "-q")).toEqual({
    code: 0,
    stdout: "target_project_id\tstatus\n12\tdeleted\n",
    stderr: "",
  });
  const group = await run(..."job-token groups add acme/mobile -p acme/docs -q --jq .target_group_id".split(" "));
  expect(group).toEqual({ code: 0, stdout: "4\n", stderr: "" });
});

test("if the instance cannot resolve it, the path is sent, and the error asks for an ID", async () => {
  const { run } = await alteringSession(({ method, path }) =>
    method === "GET" && /\/(?:projects|groups)\/[^/]+$/.test(path)
      ? { status: 404, body: { message: "404 Not Found" } }
      : undefined,
  );
  expect((await run(..."job-token projects add 12 -p acme/mobile/android-app".split(" "))).code).toBe(0);
  const { code, stderr } = await run(..."job-token groups add acme/nowhere -p 8".split(" "));
  expect([code, stderr]).toEqual([
    3,
    'error: the group "acme/nowhere" was not found\ncause: not found, or not visible to this token; nothing was changed\n' +
      "try:   check the path; if the instance does not look up groups by path, give the ID\n",
  ]);
});
