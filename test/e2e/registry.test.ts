import { beforeAll, describe, expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { requestsIn, sandboxSession } from "../support/session.ts";

let log: string[];
let admin: Awaited<ReturnType<typeof sandboxSession>>;
beforeAll(async () => {
  log = [];
  admin = await sandboxSession({ log: (line) => log.push(line) });
});

const requests = () => requestsIn(log);

const forgectl = (line: string) => admin.run(...line.split(" "));

describe("registry list", () => {
  test("a project's repositories; the number of tags on request", async () => {
    expect(await forgectl("registry list -p acme/storefront --tags-count --fields id,path,tags_count,status")).toEqual({
      code: 0,
      stdout: [
        "id\tpath\ttags_count\tstatus",
        "12\tacme/storefront\t63\t",
        "13\tacme/storefront/worker\t27\t",
        "14\tacme/storefront/cache\t0\t",
        "",
      ].join("\n"),
      stderr: "",
    });
    const { stdout } = await forgectl("registry list -p 7");
    expect(stdout.split("\n")[0]).toBe("id\tpath\tstatus\tcreated_at");
    const { stdout: tagged } = await forgectl("registry list -p 7 --tags");
    expect(tagged).toMatch(/^id\tpath\tstatus\tcreated_at\ttags\.name\n12\t.*\t\[.*"v1\.18\.0".*\]\n/);
  });

  test("a group's, with a notice on stderr if cut short", async () => {
    const { code, stdout, stderr } = await forgectl("registry list -g acme -L 2 --fields path --no-header");
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: "acme/website\nacme/website/preview\n",
      stderr: "shown 2 of 12; --limit all for the rest\n",
    });
  });

  test("tags of a group are refused before anything is sent, also for a default group", async () => {
    requests();
    const typed = await forgectl("registry list -g acme --tags");
    expect(typed.code).toBe(2);
    expect(typed.stderr).toBe(
      "error: --tags: not for groups, only for projects\n" + "see:   forgectl registry list --help\n",
    );
    const standing = await admin.run("registry", "list", "--tags-count", { env: { FORGECTL_GROUP: "acme" } });
    expect([standing.code, standing.stderr]).toEqual([
      2,
      expect.stringContaining("--tags-count: not for groups, only for projects"),
    ]);
    expect((await forgectl("registry list")).stderr).toContain("error: missing -p, --project or -g, --group");
    expect(requests()).toEqual([]);
  });
});

test("registry list of a project whose registry is disabled says so", async () => {
  const line = "registry list -p acme/docs".split(" ");
  const words = "registry visibility disabled -p acme/docs -q".split(" ");
  const deployed = await sandboxSession({ asDeployed: true });
  await deployed.run(...words);
  const told = await deployed.run(...line);
  expect([told.code, told.stderr]).toEqual([
    3,
    expect.stringMatching(
      /^error: the container registry of project acme\/docs is disabled .*\ncause: .*\ntry: {3}forgectl registry visibility private -p acme\/docs\n/,
    ),
  ]);
  // If projects cannot be looked up, this is only a possibility.
  const other = await alteringSession(({ method, path }) =>
    method === "GET" && /\/projects\/[^/]+$/.test(path)
      ? { status: 404, body: { message: "404 Not Found" } }
      : undefined,
  );
  await other.run(...words);
  const maybe = await other.run(...line);
  expect([maybe.code, maybe.stderr]).toEqual([3, expect.stringContaining("its registry may be disabled")]);
  expect(maybe.stderr).toContain("error: could not list a project's registry repositories");
});

test("--fields with an optional field needs its flag; with it, tsv has a column", async () => {
  requests();
  for (const [line, flag] of [
    ["registry get 12 --fields id,tags_count", "--tags-count"],
    ["registry list -p 7 --fields tags.name", "--tags"],
    ["registry get 12 --fields size", "--size"],
    ["users list --fields id,custom_attributes", "--with-custom-attributes"],
  ] as const) {
    const { code, stdout, stderr } = await forgectl(line);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(`needs ${flag}: the instance returns it`)]);
  }
  expect(requests()).toEqual([]);
  const { stdout } = await forgectl("registry get 14 --tags");
  expect(stdout).toMatch(/^id\t.*\ttags\.name\n14\t.*\t\[\]\n$/);
  expect((await forgectl("registry get 12 --tags")).stdout).toContain('"v1.18.0"');
});

describe("registry get", () => {
  test("a repository by its ID; says so if the size is unknown", async () => {
    const { code, stdout, stderr } = await forgectl("registry get 13 --tags-count --size -o json");
    expect([code, stderr]).toEqual([
      0,
      "no size: only the hosted offering returns it, for repositories created after 2021-11-04\n",
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ id: 13, path: "acme/storefront/worker", tags_count: 27, status: null });
    const tags = await admin.run("registry", "get", "14", "--tags", "--jq", ".tags");
    expect(tags).toEqual({ code: 0, stdout: "[]\n", stderr: "" });
  });

  test.each(["0", "1.5", "-1", "12345678901234567890"])("an invalid ID: %s", async (id) => {
    requests();
    const { code, stdout, stderr } = await admin.run("registry", "get", "--", id);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`error: <repository-id>: must be an ID (a whole number) of at least 1, not "${id}"`);
    expect(requests()).toEqual([]);
  });

  test("a missing one: exit 3", async () => {
    const { code, stderr } = await forgectl("registry get 999 -o json");
    expect(code).toBe(3);
    expect(JSON.parse(stderr).error).toMatchObject({ code: "not_found", exit: 3, status: 404, method: "GET" });
  });
});

describe("registry visibility", () => {
  test("sets it and prints the project", async () => {
    requests();
    const { code, stdout } = await forgectl("registry visibility private -p acme/docs -o json");
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { id: 2, name: "Docs", container_registry_access_level: "private" },
    ]);
    expect(requests()).toEqual(["PUT /api/v4/projects/acme%2Fdocs/ 200"]);
  });

  test("refuses other words with the nearest, and shows the request of a dry run", async () => {
    const wrong = await forgectl("registry visibility privat -p acme/docs");
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("did you mean private?")]);
    const dry = await forgectl("registry visibility disabled -p 2 --dry-run");
    expect(dry.stdout).toBe(
      `method\turl\tbody\nPUT\t${admin.sandbox.url}/api/v4/projects/2/\t{"container_registry_access_level":"disabled"}\n`,
    );
  });

  test("requires a Maintainer", async () => {
    const { code, stderr } = await admin.as("developer").run(..."registry visibility enabled -p 7".split(" "));
    expect(code).toBe(5);
    expect(stderr).toContain("cause: usually this needs the Maintainer role\n");
  });
});

describe("registry tags", () => {
  test("list, with the given page size", async () => {
    requests();
    const { stdout, stderr } = await forgectl(
      "registry tags list 12 -p acme/storefront -L all --per-page 30 --fields name",
    );
    expect(stdout.trimEnd().split("\n")).toHaveLength(64);
    expect(stderr).toBe("");
    expect(requests().sort()).toEqual(
      Array.from({ length: 3 }, () => "GET /api/v4/projects/acme%2Fstorefront/registry/repositories/12/tags 200"),
    );
  });

  test("get: the fields of one tag", async () => {
    const { stdout } = await forgectl("registry tags get 12 latest -p 7 -o json");
    const { digest, revision, total_size } = JSON.parse(stdout);
    const same = JSON.parse((await forgectl("registry tags get 12 v1.18.0 -p 7 -o json")).stdout);
    expect(same).toMatchObject({ name: "v1.18.0", digest, revision, short_revision: revision.slice(0, 9), total_size });
  });

  test.each(["a/b", "sha256:abc", ".hidden", "-rf", "a b", "x".repeat(129)])("no tag: %s", async (tag) => {
    requests();
    const { code, stderr } = await admin.run("registry", "tags", "get", "-p", "7", "--", "12", tag);
    expect(code).toBe(2);
    expect(stderr).toContain('error: <tag>: must be a tag: letters, digits, "_", ".", "-", at most 128 of them');
    expect((await admin.run("registry", "tags", "delete", "-yp", "7", "--", "12", "v1", tag)).code).toBe(2);
    expect(requests()).toEqual([]);
  });

  test("delete asks; without a terminal it needs --yes", async () => {
    requests();
    const asked = await forgectl("registry tags delete 13 v1 v1.1.0 -p 7");
    expect(asked).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "error: this would delete tags v1, v1.1.0 (project 7, repository 13), and needs confirmation\n" +
        "try:   add --yes to confirm, or --dry-run to see the requests\nsee:   forgectl registry tags delete --help\n",
    });
    expect(requests()).toEqual([]);
  });

  test("delete prints what was deleted; one that fails does not stop the others", async () => {
    requests();
    expect(await forgectl("registry tags delete 13 v1 nope v1.1.0 -p 7 --yes")).toEqual({
      code: 9,
      stdout:
        "tag_name\tstatus\terror\nv1\tdeleted\t\n" +
        "nope\trefused\tnot found, or not visible to this token (404 Tag Not Found)\nv1.1.0\tdeleted\t\n",
      stderr: "error: 1 of 3 failed\ntry:   forgectl registry tags delete 13 nope -p 7 --yes\n",
    });
    const base = "DELETE /api/v4/projects/7/registry/repositories/13/tags";
    const deletions = requests().filter((line) => line.startsWith("DELETE"));
    expect(deletions.sort()).toEqual([`${base}/v1 204`, `${base}/v1.1.0 204`]);
  });

  test("by keyset on the hosted offering", async () => {
    const hosted = await sandboxSession({ hosting: "hosted", log: (line) => log.push(line) });
    requests();
    const words = "registry tags list 12 -p 7 --keyset -L all --per-page 40 --fields name --no-header".split(" ");
    const { stdout } = await hosted.run(...words);
    expect(stdout.trimEnd().split("\n")).toHaveLength(63);
    expect(requests()).toHaveLength(2);
    expect((await hosted.run(..."registry tags list 12 -p 7 --keyset --page 2".split(" "))).code).toBe(2);
    expect((await forgectl("registry tags list 12 -p 7 --keyset")).stderr).toContain("on the hosted offering only");
    const sized = await hosted.run(..."registry get 12 --size --jq .size".split(" "));
    expect(Number(sized.stdout)).toBeGreaterThan(1e9);
  });
});

describe("registry delete", () => {
  test("says that the deletion is scheduled", async () => {
    requests();
    expect(await forgectl("registry delete 14 -p 7 --yes")).toEqual({
      code: 0,
      stdout: "repository_id\tstatus\terror\n14\tscheduled\t\n",
      stderr: "scheduled: the platform deletes in the background; --wait waits for it\n",
    });
    expect(requests()).toEqual([
      "GET /api/v4/registry/repositories/14 200",
      "DELETE /api/v4/projects/7/registry/repositories/14 202",
    ]);
  });

  test("--wait ends when they are deleted", async () => {
    const { code, stdout, stderr } = await forgectl("registry delete 1 2 -p acme/website --wait --yes -o json");
    expect([code, stderr]).toEqual([0, "2 of 2 done\n"]);
    expect(JSON.parse(stdout)).toEqual([
      { repository_id: 1, status: "deleted" },
      { repository_id: 2, status: "deleted" },
    ]);
    expect((await forgectl("registry list -p acme/website -o json")).stdout).toBe("[]\n");
  });

  test("a timeout: exit 8 with the command to resume", async () => {
    const stuck = await sandboxSession({ now: () => new Date("2026-06-01T12:00:00Z") });
    const words = "registry delete 12 -p acme/storefront --wait --wait-timeout 1 --yes".split(" ");
    expect(await stuck.run(...words)).toEqual({
      code: 8,
      stdout: "",
      stderr:
        "error: not ready after 1 second (deleting repository 12)\n" +
        "try:   forgectl registry delete 12 -p acme/storefront --wait --yes\n",
    });
  });

  test("without --yes and without prompts: nothing is sent", async () => {
    requests();
    const { code, stderr } = await forgectl("registry delete 12 13 -p 7");
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("this would delete repositories 12, 13 of project 7 with all tags"),
    ]);
    const dry = await forgectl("registry delete 12 13 -p 7 --wait -n --fields method,url --no-header");
    const base = `${admin.sandbox.url}/api/v4/projects/7/registry/repositories`;
    expect(dry.stdout).toBe(`DELETE\t${base}/12\nDELETE\t${base}/13\n`);
    expect((await forgectl("registry delete 12 1x5 0 -p 7 --yes")).code).toBe(2);
    const idle = await forgectl("registry delete 12 -p 7 --yes --wait-timeout 9");
    expect([idle.code, idle.stderr]).toEqual([2, expect.stringMatching(/^error: --wait-timeout needs --wait\n/)]);
    expect((await forgectl("registry delete 12 --yes")).stderr).toContain("missing -p, --project");
    expect(requests()).toEqual([]);
  });
});
