import { beforeAll, describe, expect, test } from "vitest";
import { json, signedIn } from "../support/answering.ts";
import { requestsIn, sandboxSession } from "../support/session.ts";

const log: string[] = [];
let admin: Awaited<ReturnType<typeof sandboxSession>>;
beforeAll(async () => {
  admin = await sandboxSession({ log: (line) => log.push(line) });
});

const run = (line: string) => admin.run(...line.split(" "));
const requests = () => requestsIn(log);

describe("envs list and get", () => {
  test("show the rules in the form that flags accept, in lines", async () => {
    expect((await run("envs list -p 7 -o table")).stdout).toBe(
      [
        "name        deploy_access_levels                               required_approval_count  approval_rules",
        "production  1=level:maintainer, 2=user:4, 3=group:4+inherited                        0  1=level:maintainer=2, 2=user:2=1",
        "staging/eu  4=level:developer                                                        0  -",
        "",
      ].join("\n"),
    );
    expect((await run("envs get staging/eu -p 7")).stdout).toBe(
      "name\tdeploy_access_levels\trequired_approval_count\tapproval_rules\nstaging/eu\t4=level:developer\t0\t\n",
    );
    expect((await run("envs get production -p 7 -o csv --fields approval_rules --no-header")).stdout).toBe(
      '"1=level:maintainer=2, 2=user:2=1"\n',
    );
  });

  test("give programs the API's values", async () => {
    const { stdout } = await run("envs get production -p acme/storefront -o json");
    expect(JSON.parse(stdout).deploy_access_levels[2]).toEqual({
      id: 3,
      access_level: null,
      access_level_description: "Mobile",
      user_id: null,
      group_id: 4,
      group_inheritance_type: 1,
    });
    expect((await run("envs list -p 7 --fields name,approval_rules.user_id -o ndjson")).stdout).toBe(
      '{"name":"production","approval_rules":[{"user_id":null},{"user_id":2}]}\n{"name":"staging/eu","approval_rules":[]}\n',
    );
  });

  test("a 404 names the tiers that have it", async () => {
    const free = await sandboxSession({ tier: "free" });
    const { code, stderr } = await free.run("envs", "list", "-p", "7");
    expect(code).toBe(3);
    expect(stderr).toContain("try:   check the ID or path; also, this exists only in the Premium and Ultimate tiers\n");
  });
});

describe("envs protect, update, and unprotect", () => {
  test("send one kind per element and print the result", async () => {
    const dry = await run(
      "envs protect a/b -p 7 --allow user:3 --allow group:4+inherited --approval level:admin=2 --dry-run -o json",
    );
    expect(JSON.parse(dry.stdout)).toEqual([
      {
        method: "POST",
        url: `${admin.sandbox.url}/api/v4/projects/7/protected_environments`,
        body: {
          name: "a/b",
          deploy_access_levels: [{ user_id: 3 }, { group_id: 4, group_inheritance_type: 1 }],
          approval_rules: [{ access_level: 60, required_approvals: 2 }],
        },
      },
    ]);
    const { code, stdout } = await run("envs protect a/b -p 7 --allow user:3 --allow level:40");
    expect(code).toBe(0);
    expect(stdout).toMatch(/\na\/b\t\d+=user:3, \d+=level:maintainer\t0\t\n$/);
  });

  test("update adds, sets, and removes; a name with a slash is one segment", async () => {
    const { stdout: made } = await run("envs protect c/d -p 7 --allow user:3 --allow user:4 --approval user:2 --jq .");
    const { deploy_access_levels: levels, approval_rules: rules } = JSON.parse(made);
    requests();
    const words = [
      ...["--allow", "level:developer", "--remove-allow", String(levels[0].id)],
      ...["--set-allow", `${levels[1].id}=group:8`, "--set-approval", `${rules[0].id}=level:maintainer=3`],
      ...["--approval", "user:5"],
    ];
    const { code, stdout } = await admin.run("envs", "update", "c/d", "-p", "7", ...words, "-o", "tsv", "--no-header");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      new RegExp(
        `^c/d\\t${levels[1].id}=group:8, \\d+=level:developer\\t0\\t${rules[0].id}=level:maintainer=3, \\d+=user:5=1\n$`,
      ),
    );
    expect(requests()).toEqual([
      "GET /api/v4/projects/7/protected_environments/c%2Fd 200",
      "PUT /api/v4/projects/7/protected_environments/c%2Fd 200",
      "GET /api/v4/projects/7/protected_environments/c%2Fd 200",
    ]);
    const again = await admin.run("envs", "update", "c/d", "-p", "7", ...words);
    expect(again.code).toBe(3);
    expect(again.stderr).toContain(`environment c/d has no deploy rule ${levels[0].id}`);
    expect(requests()).toEqual(["GET /api/v4/projects/7/protected_environments/c%2Fd 200"]);
    const left = words.with(
      3,
      String(JSON.parse((await run("envs get c/d -p 7 -o json")).stdout).deploy_access_levels[1].id),
    );
    const dry = await admin.run("envs", "update", "c/d", "-p", "7", ...left, "--dry-run", "-o", "json");
    expect(JSON.parse(dry.stdout)[0].body).toEqual({
      deploy_access_levels: [
        { access_level: 30 },
        { id: levels[1].id, user_id: null, group_id: 8, access_level: null, group_inheritance_type: 0 },
        { id: Number(left[3]), access_level: 30, _destroy: true },
      ],
      approval_rules: [
        { user_id: 5 },
        {
          id: rules[0].id,
          user_id: null,
          group_id: null,
          access_level: 40,
          group_inheritance_type: 0,
          required_approvals: 3,
        },
      ],
    });
  });

  test("unprotect asks first, and prints what was deleted", async () => {
    await run("envs protect gone -p 7 --allow level:admin");
    const asked = await run("envs unprotect gone -p 7");
    expect([asked.code, asked.stdout]).toEqual([2, ""]);
    expect(asked.stderr).toContain("this would delete the protection of environment gone (project 7)");
    expect((await run("envs unprotect gone -p 7 --yes")).stdout).toBe("name\tstatus\ngone\tdeleted\n");
    expect((await run("envs get gone -p 7")).code).toBe(3);
  });

  test("a rule refused by the instance is reported with its field", async () => {
    const { code, stderr } = await run("envs update production -p 7 --allow user:8");
    expect(code).toBe(1);
    expect(stderr).toContain("field: deploy_access_levels.user_id: must have access to the project\n");
  });

  test.each([
    ["protect x -p 7", "missing --allow <who>"],
    ["protect x -p 7 --allow user:0", "--allow: the user must be an ID (a whole number of at least 1)"],
    ["protect x -p 7 --allow user:unknown --approval level:chief", "--approval: the level must be one of developer"],
    ["protect x -p 7 --allow group:4=2", "--allow: the group must be an ID (a whole number of at least 1)"],
    ["protect x -p 7 --allow level:chief", "--allow: the level must be one of developer, maintainer, admin"],
    ["update x -p 7 --approval user:1=0", '--approval: the number of approvals must be at least 1, not "0"'],
    ["update x -p 7", "missing a flag that adds, sets, or removes a rule"],
    ["update x -p 7 --set-allow user:1", "--set-allow: must be <rule id>=<who>"],
    ["update x -p 7 --set-allow 1=user:1 --remove-allow 1", "rule 1 is named twice in --set-allow and --remove-allow"],
    ["update x -p 7 --remove-approval one", "--remove-approval: must be an ID (a whole number)"],
  ])("%s is refused before anything is sent", async (words, message) => {
    requests();
    const { code, stdout, stderr } = await run(`envs ${words}`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(requests()).toEqual([]);
  });
});

test("an answer whose rules are null does not show that one is gone", async () => {
  const before = { name: "production", deploy_access_levels: [{ id: 2, user_id: 4 }], approval_rules: [] };
  const { run: asked } = await signedIn((request, response, origin) => {
    const body = request.method === "PUT" ? { ...before, deploy_access_levels: null, approval_rules: null } : before;
    json(200, JSON.stringify(body))(request, response, origin);
  });
  const { code, stderr } = await asked(..."envs update production -p 7 --remove-allow 2 --yes".split(" "));
  expect([code, stderr]).toEqual([9, expect.stringContaining("the removal of rule 2")]);
});
