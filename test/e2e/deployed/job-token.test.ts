import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startSandbox } from "../../../src/sandbox/index.ts";
import { alteringSession } from "../../support/altering-proxy.ts";
import { requestsIn, sandboxSession, session } from "../../support/session.ts";

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
  expect({ ...add, stderr: add.stderr.replace(/ --base-url \S+/, "") }).toEqual({
    code: 0,
    stdout: '{"source_project_id":8,"target_project_id":12}\n',
    stderr: "project open-tools/cli is project 12\nundo: forgectl job-token projects remove 12 -p 8\n",
  });
  expect(seen).toEqual([
    "GET /api/v4/projects/open-tools%2Fcli 200",
    "GET /api/v4/projects/acme%2Fmobile%2Fandroid-app 200",
    "GET /api/v4/projects/8/job_token_scope/allowlist 200",
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
    'error: the group "acme/nowhere" was not found\ncause: not found, or not visible to this token\noutcome: nothing was changed\n' +
      "try:   check the path; if the instance does not look up groups by path, give the ID\n",
  ]);
});

test("job-token-permissions: a removal, its undo line, and a rollback say that an entry comes back with all", async () => {
  const { run, home } = await alteringSession(() => undefined, { asDeployed: true });
  await run(..."job-token projects add 9 -p 7".split(" "));
  const asked = await run(..."job-token projects remove 9 -p 7".split(" "));
  expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining("added again, it has all")]);
  const removed = await run(..."job-token projects remove 9 -p 7 --yes".split(" "));
  expect(removed.stderr).toMatch(
    /^undo: forgectl job-token projects add 9 -p 7 --base-url \S+ {3}# .*added again, it has all$/m,
  );
  await run(..."job-token projects add 9 -p 7".split(" "));
  await writeFile(
    join(home, "scope.yaml"),
    "forgectl: 1\nprojects:\n  acme/storefront:\n    job_token_scope:\n      allowlist: []\n",
  );
  const applied = await run(..."state apply -f scope.yaml --prune --max-delete all --yes".split(" "));
  expect([applied.code, applied.stderr]).toEqual([0, expect.any(String)]);
  const back = await run(..."state rollback --yes".split(" "));
  expect([back.code, back.stderr]).toEqual([
    0,
    expect.stringContaining("not restored: the permissions of an added entry, which the API does not show; it has all"),
  ]);
});

/** A sandbox in which project 8 has this number of projects and groups on its allowlists. */
async function withEntries(count: number, asDeployed: boolean) {
  const dataFile = join(session({}).home, "data.json");
  await (await startSandbox({ dataFile, asDeployed })).close();
  const entry = (at: number) => ({ id: 1000 + at, project_id: 8, target_id: 5000 + at, created_at: "2026-01-01" });
  const lines = (await readFile(dataFile, "utf8")).split("\n").map((line) => {
    if (!/"table":"job_token_allowed_/.test(line)) return line;
    const table = JSON.parse(line);
    const rows = [...table.rows, ...Array.from({ length: count }, (_, at) => entry(at))];
    return JSON.stringify({ ...table, next_id: 9000, rows });
  });
  await writeFile(dataFile, lines.join("\n"));
  return sandboxSession({ dataFile, asDeployed });
}

test("job-token-list-limit: the 201st entry is refused, and the hint is the command that makes room", async () => {
  const full = await withEntries(200, true);
  for (const line of ["projects add 12", "groups add 4"]) {
    const { code, stderr } = await full.run(...`job-token ${line} -p acme/mobile/android-app`.split(" "));
    expect([line, code]).toEqual([line, 1]);
    expect(stderr).toContain("exceeds the allowable number of");
    expect(stderr).toContain("try:   forgectl job-token compact -p ");
  }
  const room = await withEntries(199, true);
  expect((await room.run(..."job-token projects add 12 -p 8".split(" "))).code).toBe(0);
  const documented = await withEntries(200, false);
  expect((await documented.run(..."job-token projects add 12 -p 8".split(" "))).code).toBe(0);
});

test.each(["projects", "groups"])(
  "job-token-entry-refusals: of %s, an entry that exists, and one that does not",
  async (what) => {
    const { run } = await sandboxSession({ asDeployed: true });
    const entry = async (...line: string[]) => run("job-token", what, ...line, "-p", "acme/storefront", "--yes");
    expect((await entry("add", "9")).code).toBe(0);
    const again = await entry("add", "9");
    expect([again.code, again.stderr]).toEqual([6, expect.stringContaining("already in the job token allowlist")]);
    expect((await entry("remove", "9")).code).toBe(0);
    const gone = await entry("remove", "9");
    expect([gone.code, gone.stderr]).toEqual([3, expect.stringContaining("not in the job token scope")]);
  },
);

const hidden = "this token does not see the group, so it cannot add it again";

/** A Maintainer of project 7, whose lists have group 5 and project 10, which only an administrator sees. */
async function withHiddenEntries() {
  const log: string[] = [];
  const administrator = await sandboxSession({ asDeployed: true, log: (line) => log.push(line) });
  for (const line of ["projects add 10", "groups add 5", "groups add 3"]) {
    expect((await administrator.run("job-token", ...line.split(" "), "-p", "7")).code).toBe(0);
  }
  log.length = 0;
  const maintainer = administrator.as("maintainer");
  const declare = (lists: string) =>
    writeFile(
      join(maintainer.home, "state.yaml"),
      `forgectl: 1\nprojects: { acme/storefront: { job_token_scope: { ${lists} } } }\n`,
    );
  const requests = () => requestsIn(log);
  const run = (line: string) => maintainer.run(...line.split(" "));
  return { run, declare, requests };
}

test("job-token-unseen-entries: a group that the token does not see is removed without an undo line", async () => {
  const { run, requests } = await withHiddenEntries();
  const seen = await run("job-token groups remove 3 -p 7 --yes");
  expect([seen.code, seen.stderr]).toEqual([0, expect.stringMatching(/^undo: forgectl job-token groups add 3 -p 7 /)]);
  requests();
  const asked = await run("job-token groups remove 5 -p 7");
  expect([asked.code, requests()]).toEqual([2, []]);
  expect(await run("job-token groups remove 5 -p 7 --yes")).toEqual({
    code: 0,
    stdout: "target_group_id\tstatus\n5\tdeleted\n",
    stderr: `warning: ${hidden}\n`,
  });
  const back = await run("job-token groups add 5 -p 7");
  expect([back.code, back.stderr]).toEqual([1, expect.stringContaining("The target_group that you are attempting")]);
});

test("job-token-unseen-entries: plans say which groups cannot be added again, a saved one too", async () => {
  const { run, declare } = await withHiddenEntries();
  await declare("groups_allowlist: [4]");
  const planned = await run("state plan -f state.yaml --prune --save plan.json -o json");
  const reasons = (JSON.parse(planned.stdout) as { id: number; reason: string }[]).map(({ id, reason }) => [
    id,
    reason,
  ]);
  expect([planned.code, reasons]).toEqual([
    0,
    [
      [5, hidden],
      [3, expect.stringContaining("added again, it has all")],
    ],
  ]);
  const applied = await run("state apply --plan plan.json --max-delete all --yes");
  expect([applied.code, applied.stderr]).toEqual([
    0,
    expect.stringContaining(`acme/storefront#groups_allowlist/5: ${hidden}\n`),
  ]);
  expect(applied.stderr).toMatch(/groups_allowlist\/3: its permissions/);
  const back = await run("state rollback --yes -o json");
  const outcomes = (JSON.parse(back.stdout) as { address: string; status: string }[]).map(({ status }) => status);
  expect([back.code, outcomes.sort()]).toEqual([9, ["done", "refused"]]);
});

test("job-token-unseen-entries: a project that the token does not see is not removed, which is exit 5", async () => {
  const { run, declare, requests } = await withHiddenEntries();
  const why = "instances remove only entries of projects that this token can see";
  const removed = await run("job-token projects remove 10 -p 7 --yes");
  expect([removed.code, removed.stderr]).toEqual([5, expect.stringContaining(`cause: ${why}\n`)]);
  await declare("allowlist: [1, 3, 12]");
  const applied = await run("state apply -f state.yaml --prune --max-delete all --yes -o json");
  expect([applied.code, JSON.parse(applied.stdout)]).toEqual([
    5,
    [{ address: "acme/storefront#allowlist/10", action: "delete", status: "refused", error: why }],
  ]);
  const refused = "DELETE /api/v4/projects/7/job_token_scope/allowlist/10 404";
  expect(requests().filter((each) => !each.startsWith("GET"))).toEqual([refused, refused]);
  // It was never listed.
  const missing = await run("job-token projects remove 9999 -p 7 --yes");
  expect(missing.code).toBe(3);
  const list = await run("job-token projects list -p 7 --fields id --no-header");
  expect(list.stdout.split("\n")).toContain("10");
});
