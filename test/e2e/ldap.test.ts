import { beforeAll, describe, expect, test } from "vitest";
import { requestsIn, sandboxSession } from "../support/session.ts";

let log: string[];
let owner: Awaited<ReturnType<typeof sandboxSession>>;
beforeAll(async () => {
  log = [];
  owner = await sandboxSession({ as: "owner", log: (line) => log.push(line) });
});

const run = (...words: string[]) => owner.run("ldap", "links", ...words, "-g", "acme");

const requests = () => requestsIn(log);

const main = ["--provider", "ldapmain"];

describe("ldap links", () => {
  test("are listed, with level names for people and numbers for programs", async () => {
    const table = await run("list", "-o", "table");
    expect(table.stdout).toBe(
      [
        "provider       cn           filter                                  group_access  member_role_id",
        "ldapmain       engineering  -                                       developer                  -",
        "ldapmain       leads        -                                       owner                      -",
        "ldapmain       -            (&(objectClass=person)(department=QA))  reporter                   -",
        "ldapsecondary  engineering  -                                       guest                      -",
        "",
      ].join("\n"),
    );
    expect((await run("list", "--fields", "cn,group_access", "--no-header")).stdout).toBe(
      "engineering\t30\nleads\t50\n\t20\nengineering\t10\n",
    );
  });

  test("are added by CN or by filter, and removed the same way", async () => {
    const byCn = await run("add", "--cn", "a/b, c", ...main, "--access-level", "planner", "-o", "ndjson");
    expect(JSON.parse(byCn.stdout)).toEqual({
      cn: "a/b, c",
      group_access: 15,
      provider: "ldapmain",
      filter: null,
      member_role_id: null,
    });
    const again = await run("add", "--cn", "a/b, c", ...main, "--access-level", "5");
    expect(again.code).toBe(6);
    const filter = "(cn=*&=+ ü)";
    const level = ["--access-level", "30", "--member-role-id", "2"];
    const byFilter = await run("add", "--filter", filter, ...main, ...level, "--jq", "[.filter, .member_role_id]");
    expect(JSON.parse(byFilter.stdout)).toEqual([filter, 2]);
    requests();
    expect(await run("remove", "--filter", filter, ...main, "--yes", "-o", "ndjson")).toEqual({
      code: 0,
      stdout: `${JSON.stringify({ provider: "ldapmain", cn: null, filter, status: "deleted" })}\n`,
      stderr: "",
    });
    expect((await run("remove", "--cn", "a/b, c", ...main, "--yes")).stdout).toBe(
      "provider\tcn\tfilter\tstatus\nldapmain\ta/b, c\t\tdeleted\n",
    );
    expect(requests()).toEqual([
      "GET /api/v4/groups/acme/ldap_group_links 200",
      "DELETE /api/v4/groups/acme/ldap_group_links 204",
      "GET /api/v4/groups/acme/ldap_group_links 200",
      "DELETE /api/v4/groups/acme/ldap_group_links 204",
    ]);
    expect((await run("remove", "--cn", "a/b, c", ...main, "--yes")).code).toBe(3);
  });

  test("--legacy without --provider is for the one server that has that CN", async () => {
    const two = ["--cn", "twice"];
    for (const provider of ["ldapmain", "ldapsecondary"]) {
      expect((await run("add", ...two, "--provider", provider, "--access-level", "guest")).code).toBe(0);
    }
    requests();
    const refused = await run("remove", ...two, "--legacy", "--yes");
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("error: ldapmain and ldapsecondary have a link with CN twice\n"),
    ]);
    expect(requests().filter((each) => each.startsWith("DELETE"))).toEqual([]);
    for (const provider of ["ldapmain", "ldapsecondary"]) {
      expect((await run("remove", ...two, "--provider", provider, "--legacy", "--yes")).code).toBe(0);
    }
  });

  test("--legacy names the link in the path, and warns", async () => {
    for (const cn of ["x/y z", "x/y z", "single"]) {
      const provider = cn === "single" ? "other" : "ldapmain";
      await run("add", "--cn", cn, "--provider", provider, "--access-level", "10");
    }
    requests();
    const warning =
      "warning: the request by path is deprecated; leave out --legacy if the instance supports the newer one\n";
    expect(await run("remove", "--cn", "x/y z", ...main, "--legacy", "--yes", "--no-header")).toEqual({
      code: 0,
      stdout: "ldapmain\tx/y z\t\tdeleted\n",
      stderr: warning,
    });
    expect(await run("remove", "--cn", "single", "--legacy", "--yes", "--no-header")).toEqual({
      code: 0,
      stdout: "\tsingle\t\tdeleted\n",
      stderr: warning,
    });
    expect(requests()).toEqual([
      "GET /api/v4/groups/acme/ldap_group_links 200",
      "DELETE /api/v4/groups/acme/ldap_group_links/ldapmain/x%2Fy%20z 204",
      "GET /api/v4/groups/acme/ldap_group_links 200",
      "GET /api/v4/groups/acme/ldap_group_links 200",
      "DELETE /api/v4/groups/acme/ldap_group_links/single 204",
    ]);
    const plan = await run("remove", "--cn", "a b", ...main, "--legacy", "--dry-run", "--jq", ".[].url");
    expect(plan.stdout).toBe(`${owner.sandbox.url}/api/v4/groups/acme/ldap_group_links/ldapmain/a%20b\n`);
  });

  test.each([
    [["add", ...main, "--access-level", "10"], "missing --cn <cn> or --filter <filter>"],
    [["add", ...main, "--access-level", "10", "--cn", "a", "--filter", "(b=c)"], "give only one of --cn and --filter"],
    [["add", ...main, "--cn", "a"], "missing --access-level <"],
    [["add", "--access-level", "10", "--cn", "a"], "missing --provider <provider>"],
    [
      ["add", ...main, "--access-level", "chief", "--cn", "a"],
      "--access-level: must be one of minimal (5), guest (10)",
    ],
    [["add", ...main, "--access-level", "10", "--cn", ""], "--cn: is empty"],
    [["remove", ...main, "--yes"], "missing --cn <cn> or --filter <filter>"],
    [["remove", ...main, "--cn", "a", "--filter", "(b=c)", "--yes"], "give only one of --cn and --filter"],
    [["remove", "--cn", "a", "--yes"], "missing --provider <provider>"],
    [["remove", "--filter", "(a=b)", "--legacy", "--yes"], "give only one of --filter and --legacy"],
    [["remove", "--cn", "..", "--legacy", "--yes"], '<cn>: ".." cannot be part of a request\'s path'],
    [["remove", "--cn", "a", ...main], "this would remove the LDAP group link with CN a of ldapmain (group acme)"],
  ])("%j is refused before anything is sent", async (words, message) => {
    requests();
    const { code, stdout, stderr } = await run(...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`error: ${message}`);
    expect(requests()).toEqual([]);
  });

  test("require self-managed, a paid tier, and an Owner", async () => {
    const hosted = await sandboxSession({ hosting: "hosted" });
    const { code, stderr } = await hosted.run("ldap", "links", "list", "-g", "acme");
    expect(code).toBe(3);
    expect(stderr).toContain("this exists only in the Premium and Ultimate tiers, on self-managed instances");
    expect((await owner.as("maintainer").run("ldap", "links", "list", "-g", "acme")).code).toBe(5);
  });
});
