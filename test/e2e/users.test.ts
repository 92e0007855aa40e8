import { describe, expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";

const session = await sandboxSession();
const { run, sandbox } = session;

/** The instance's own answer, requested without the program. */
async function ask(path: string): Promise<{ total: number; rows: { id: number; username: string; state: string }[] }> {
  const response = await fetch(`${sandbox.url}/api/v4${path}`, {
    headers: { "private-token": sandbox.tokens.administrator },
  });
  return { total: Number(response.headers.get("x-total")), rows: (await response.json()) as never };
}

/** Users without their local times: a minute may end between two requests. */
const withoutClock = (user: object) => ({ ...user, local_time: undefined });

test.each([
  ["users", "list", "--username", ""],
  ["users", "list", "--extern-uid", "", "--provider", "saml"],
  ["users", "list", "--extern-uid", "x", "--provider", ""],
  ["events", "list", "--action", ""],
  ["events", "list", "--target-type", ""],
  ["events", "calendar", "--scope", ""],
])("a filter that is empty is refused, since instances list everything: %s %s %s", async (...words) => {
  const { code, stdout, stderr } = await run(...words);
  expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(": is empty\n")]);
});

describe("users list", () => {
  test("in a pipe: tab-separated, a header, and a notice on stderr if cut short", async () => {
    const { total, rows } = await ask("/users?per_page=3");
    const { code, stdout, stderr } = await run("users", "list", "--limit", "3", "--fields", "id,username,state");
    const expected = rows.map(({ id, username, state }) => `${id}\t${username}\t${state}`);
    expect(stdout).toBe(`id\tusername\tstate\n${expected.join("\n")}\n`);
    expect(stderr).toBe(`shown 3 of ${total}; --limit all for the rest\n`);
    expect(code).toBe(0);
  });

  test("all of them, in order, for any number of pages and any pagination", async () => {
    const { total } = await ask("/users?per_page=1");
    const offset = await run("users", "list", "-L", "all", "--per-page", "7", "-o", "ndjson", "--fields", "id");
    const cursor = await run(
      "users",
      "list",
      "-L",
      "all",
      "--keyset",
      "--per-page",
      "50",
      "-o",
      "ndjson",
      "--fields",
      "id",
    );
    const ids = idsOf(offset.stdout);
    expect(ids).toHaveLength(total);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect(idsOf(cursor.stdout)).toEqual(ids.toReversed());
    expect(offset.stderr).toBe("");
  });

  test("--page alone is that page; with --limit it continues from there", async () => {
    const { rows } = await ask("/users?per_page=5&page=2");
    const page = await run("users", "list", "--page", "2", "--per-page", "5", "--jq", ".[].id", "-q");
    expect(page.stdout).toBe(rows.map(({ id }) => `${id}\n`).join(""));
    const on = await run("users", "list", "--page", "2", "--per-page", "5", "-L", "12", "--jq", "length", "-q");
    expect(on.stdout).toBe("12\n");
  });

  test.each([
    [["--blocked"], "blocked=true"],
    [["--active", "--humans"], "active=true&humans=true"],
    [["--search", "an"], "search=an"],
    [["--two-factor", "disabled"], "two_factor=disabled"],
    [["--created-after", "2024-01-01"], "created_after=2024-01-01"],
    [["--exclude-external", "--without-project-bots"], "exclude_external=true&without_project_bots=true"],
    [["--order-by", "username", "--sort", "asc"], "order_by=username&sort=asc"],
    [["--admins"], "admins=true"],
  ])("%j requests %s", async (flags, query) => {
    const { total, rows } = await ask(`/users?per_page=100&${query}`);
    const { stdout } = await run("users", "list", ...flags, "-o", "json", "-q");
    expect(JSON.parse(stdout).map(withoutClock)).toEqual(rows.map(withoutClock));
    expect(total).toBeGreaterThan(0);
  });

  test("a custom attribute filters", async () => {
    const all = JSON.parse((await run("users", "list", "-L", "all", "--with-custom-attributes", "-o", "json")).stdout);
    const user = all.find(({ custom_attributes: found }: { custom_attributes?: object[] }) => (found?.length ?? 0) > 0);
    const { key, value } = user.custom_attributes[0];
    const { stdout } = await run(
      "users",
      "list",
      "--custom-attribute",
      `${key}=${value}`,
      "-L",
      "all",
      "--jq",
      ".[].id",
    );
    expect(stdout.split("\n")).toContain(String(user.id));
    expect(stdout.split("\n").length).toBeLessThan(all.length);
  });

  test("values that could not be sent as typed are refused", async () => {
    for (const [line, message] of [
      ["--custom-attribute a=1 --custom-attribute a=2", "--custom-attribute: a is given twice"],
      ["--provider ldapmain", "missing --extern-uid <extern-uid>"],
    ] as const) {
      const env = { FORGECTL_BASE_URL: "http://127.0.0.1:1" };
      const { code, stderr } = await run("users", "list", ...line.split(" "), { env });
      expect([code, stderr]).toEqual([2, expect.stringContaining(`error: ${message}\n`)]);
    }
    const { code, stderr } = await run("api", "markdown", "-f", "text=a", "-F", "text=b");
    expect([code, stderr]).toEqual([2, expect.stringContaining('"text" is given twice; a list is written text[]')]);
  });

  test("no users found is a success", async () => {
    const none = ["users", "list", "--username", "no.such.person"];
    expect(await run(...none, "-o", "json")).toEqual({ code: 0, stdout: "[]\n", stderr: "" });
    expect(await run(...none, "-o", "ndjson")).toEqual({ code: 0, stdout: "", stderr: "" });
    expect((await run(...none, "--fields", "id,name")).stdout).toBe("id\tname\n");
  });
});

describe("users get", () => {
  test("by ID and by name, the name in any case", async () => {
    const byId = await run("users", "get", "1", "-o", "json");
    const byName = await run("users", "get", "ROOT", "-o", "json");
    expect(JSON.parse(byId.stdout)).toMatchObject({ id: 1, username: "root", is_admin: true });
    expect(byName.stdout).toBe(byId.stdout);
  });

  test("a missing user: exit 3, a reason, nothing on stdout", async () => {
    const { code, stdout, stderr } = await run("users", "get", "4711");
    expect(code).toBe(3);
    expect(stdout).toBe("");
    expect(stderr).toMatch(
      /^error: could not get a user \(GET \/api\/v4\/users\/4711 → 404\)\ncause: not found, or not visible to this token/,
    );
    expect(stderr).toMatch(/\nrequest-id: [0-9A-Z]{26}\n$/);
    const named = await run("users", "get", "nobody");
    expect(named).toMatchObject({ code: 3, stdout: "" });
    expect(named.stderr).toContain('the user "nobody" was not found');
  });
});

describe("users me", () => {
  test("is the token's user, or the one whom an administrator impersonates", async () => {
    expect((await run("users", "me", "--jq", ".username")).stdout).toBe("root\n");
    expect((await run("users", "me", "--sudo", "3", "--jq", ".id")).stdout).toBe("3\n");
    const guest = await session.as("guest").run("users", "me", "--sudo", "1");
    expect(guest.code).toBe(5);
  });
});

function idsOf(ndjson: string): number[] {
  return ndjson
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { id: number }).id);
}
