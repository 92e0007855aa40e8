import { describe, expect, test } from "vitest";
import { alteringSession } from "../../support/altering-proxy.ts";
import { sandboxSession } from "../../support/session.ts";

test("user-filters-dropped: a filter that selects is refused before the first row", async () => {
  const log: string[] = [];
  const administrator = await sandboxSession({ asDeployed: true, log: (line) => log.push(line) });
  const line = "users list --created-after 7d --two-factor disabled -L 2 --fields id -q".split(" ");
  const developer = await administrator.as("developer").run(...line);
  expect(developer).toEqual({
    code: 5,
    stdout: "",
    stderr:
      "error: dana.dixon is not an administrator\n" +
      "cause: the instance would ignore --created-after, --two-factor, and list other users too\n" +
      "try:   use the token of an administrator, with the scope read_api at least\n",
  });
  expect(log.map((entry) => entry.split(" ").slice(0, 2).join(" "))).toEqual(["GET /api/v4/user"]);
  const ordered = await administrator.as("developer").run("users", "list", "--sort", "asc", "-L", "1", "-q");
  expect(ordered.code).toBe(0);
  expect(ordered.stderr).toBe(
    "warning: dana.dixon is not an administrator, so the instance ignores --sort: the order may be different\n",
  );
  expect((await administrator.run(...line)).stderr).toBe("");
  // The caller is looked up only if it matters.
  log.splice(0);
  expect((await administrator.as("developer").run("users", "list", "--search", "dana", "-q")).stderr).toBe("");
  expect(log).toHaveLength(1);
});

test("user-filters-dropped: with Admin Mode, an administrator's token without its scope is refused too", async () => {
  // It is any other user's, except that GET /user shows an administrator.
  const { run } = await alteringSession(
    ({ path, body }) => {
      if (!/\/users(?:\?|$)/.test(path) || !Array.isArray(body)) return undefined;
      return { body: body.map(({ is_admin: _, ...user }: Record<string, unknown>) => user) };
    },
    { asDeployed: true },
  );
  const { code, stdout, stderr } = await run(..."users list --admins -L all -o csv".split(" "));
  expect([code, stdout, stderr]).toEqual([5, "", expect.stringContaining("a token needs the scope admin_mode too")]);
  expect((await run("users", "list", "--search", "dana", "-q")).code).toBe(0);
});

describe("blocked-users-hidden", () => {
  const refusal = (flag: string) =>
    "error: the instance lists no blocked users to dana.dixon\n" +
    `cause: it shows them to administrators only, so that ${flag} cannot be answered\n` +
    "try:   use the token of an administrator, with the scope read_api at least\n";
  const warning =
    "warning: the instance may not list blocked users to dana.dixon: it shows them to administrators only\n";

  test.each([["--blocked"], ["--exclude-active"]])("%s is refused where it would leave them out", async (flag) => {
    const administrator = await sandboxSession({ asDeployed: true });
    const line = ["users", "list", flag, "--jq", ".[].username", "-q"];
    expect(await administrator.as("developer").run(...line)).toEqual({ code: 5, stdout: "", stderr: refusal(flag) });
    const { code, stdout, stderr } = await administrator.run(...line);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.split("\n")).toContain("boris.black");
  });

  test("an instance that lists them to everyone is believed", async () => {
    const { as } = await sandboxSession();
    const { code, stdout } = await as("developer").run("users", "list", "--blocked", "--jq", ".[].username", "-q");
    expect([code, stdout]).toEqual([0, expect.stringContaining("boris.black")]);
  });

  test("an administrator has none, if there is none", async () => {
    const { run } = await alteringSession(({ path }) => (path.includes("blocked=true") ? { body: [] } : undefined), {
      asDeployed: true,
    });
    expect(await run("users", "list", "--blocked", "-o", "json", "-q")).toEqual({
      code: 0,
      stdout: "[]\n",
      stderr: "",
    });
  });

  test("an empty list for a name has a warning if it is not known who asks", async () => {
    const unnamed = await sandboxSession({ as: "developer", asDeployed: true, faults: "GET /user=403*9" });
    const { code, stderr } = await unnamed.run("users", "list", "--username", "boris.black", "-q");
    expect([code, stderr]).toEqual([0, warning.replace("dana.dixon", "this user")]);
  });

  test("an empty list for a name has a warning, but not an administrator's", async () => {
    const administrator = await sandboxSession({ asDeployed: true });
    const developer = administrator.as("developer");
    for (const filter of [
      ["--username", "boris.black"],
      ["--search", "boris.bl"],
    ]) {
      const line = ["users", "list", ...filter, "--jq", ".[].username", "-q"];
      expect(await developer.run(...line)).toEqual({ code: 0, stdout: "", stderr: warning });
      expect(await administrator.run(...line)).toEqual({ code: 0, stdout: "boris.black\n", stderr: "" });
    }
    expect((await administrator.run("users", "list", "--username", "nobody-at-all", "-q")).stderr).toBe("");
    expect((await developer.run("users", "list", "--username", "dana.dixon", "-q")).stderr).toBe("");
    // What is not named has no warning, as the list of all users has none.
    expect((await developer.run("users", "list", "--active", "--page", "99", "-q")).stderr).toBe("");
  });
});

describe("user-filters-dropped: a filter that the instance does not have", () => {
  test.each([
    [["--auditors"], "--auditors"],
    [["--skip-ldap"], "--skip-ldap"],
    [["--saml-provider-id", "1"], "--saml-provider-id"],
  ])("%j ends the list of an edition that ignores it", async (flags, name) => {
    const { run } = await sandboxSession({ asDeployed: true, tier: "free" });
    const { code, stdout, stderr } = await run("users", "list", ...flags, "-L", "all", "-o", "csv", "-q");
    expect([code, stdout, stderr]).toEqual([9, "", expect.stringContaining(`the instance ignores ${name}, and lists`)]);
    const paid = await sandboxSession({ asDeployed: true });
    expect((await paid.run("users", "list", ...flags, "-L", "all", "-o", "csv", "-q")).code).toBe(0);
  });

  test("--skip-ldap lists a user with an account of LDAP and another one", async () => {
    const ldap = { provider: "ldapmain", extern_uid: "uid=x" };
    const { run } = await alteringSession(({ path, body }) =>
      /\/users\?/.test(path) && Array.isArray(body)
        ? { body: body.map((user) => ({ ...user, identities: [ldap, { provider: "saml", extern_uid: "x" }] })) }
        : undefined,
    );
    expect((await run("users", "list", "--skip-ldap", "-q")).code).toBe(0);
  });

  test.each(["--active", "--blocked", "--exclude-active", "--external", "--exclude-external", "--humans", "--admins"])(
    "%s ends that of a release that ignores it",
    async (flag) => {
      let everyone: unknown;
      const { run, direct } = await alteringSession(
        ({ path }) => (/\/users\?/.test(path) && everyone !== undefined ? { body: everyone } : undefined),
        { asDeployed: true },
      );
      const line = ["users", "list", "-L", "all", "-o", "json", "-q"];
      expect((await direct.run(...line, flag)).code).toBe(0);
      everyone = JSON.parse((await direct.run(...line)).stdout);
      const { code, stderr } = await run(...line, flag);
      expect([code, stderr]).toEqual([9, expect.stringContaining(`the instance ignores ${flag}, and lists`)]);
    },
  );
});

test("short-words: words that instances do not search for have a warning", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  const list = async (what: string, search: string) => {
    const { code, stdout, stderr } = await run(what, "list", "--search", search, "-o", "json", "--jq", "length", "-q");
    expect(code).toBe(0);
    return [Number(stdout), stderr];
  };
  for (const what of ["users", "projects", "groups"]) {
    const alone = await list(what, "da");
    expect(alone).toEqual([
      0,
      'warning: --search: "da" has fewer than 3 characters: instances find it only where it is all of a name, or not at all\n',
    ]);
  }
  const beside = await list("users", "da dixon");
  expect(beside).toEqual([
    1,
    'warning: --search: "da" has fewer than 3 characters: instances ignore it beside the others\n',
  ]);
  expect(await list("users", "dana")).toEqual([1, ""]);
});

test("projects-of-many: projects are found by their description too, and groups by the names above them", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  const found = await run("projects", "list", "--search", "the linter project", "--fields", "id", "--no-header");
  expect(found.stdout.trim().split("\n")).toHaveLength(1);
  const below = await run("groups", "list", "--search", "acme", "--fields", "full_path", "--no-header");
  expect(below.stdout).toContain("acme/platform\n");
});

test("projects-of-many: groups that a user only sees are listed on request", async () => {
  const { as } = await sandboxSession({ asDeployed: true });
  const { run } = as("outsider");
  const paths = async (...line: string[]) => (await run(...line, "--jq", ".[].full_path")).stdout.trim().split("\n");
  const own = await paths("groups", "list", "-L", "all");
  const all = await paths("api", "groups", "-X", "GET", "-F", "all_available=true", "--paginate");
  expect(own).not.toContain("open-tools");
  expect(all).toContain("open-tools");
  expect((await run("groups", "list", "--help")).stdout).toContain("all_available=true");
});
