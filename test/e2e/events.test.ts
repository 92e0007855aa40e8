import { describe, expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";

const { run, sandbox } = await sandboxSession();

async function ask(path: string): Promise<{ id: number; created_at: string; action_name: string }[]> {
  const response = await fetch(`${sandbox.url}/api/v4${path}`, {
    headers: { "private-token": sandbox.tokens.administrator },
  });
  return (await response.json()) as never;
}

describe("events list", () => {
  test("three sources: the caller's own, a user's, a project's", async () => {
    const ids = async (...flags: string[]) =>
      JSON.parse((await run("events", "list", ...flags, "-L", "20", "-q", "-o", "json")).stdout).map(
        (event: { id: number }) => event.id,
      );
    const asked = async (path: string) => (await ask(path)).map((event) => event.id);
    expect(await ids()).toEqual(await asked("/events"));
    expect(await ids("--user", "root")).toEqual(await asked("/users/root/events"));
    expect(await ids("-p", "acme/storefront")).toEqual(await asked("/projects/7/events"));
    expect(await ids("-p", "7", "--sort", "asc")).toEqual(await asked("/projects/7/events?sort=asc"));
  });

  test("a bound of today alone is warned of, and one of yesterday is not", async () => {
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    expect((await run("events", "list", "--after", day(0))).stderr).toContain(
      `warning: --after ${day(0)}: the day itself`,
    );
    expect((await run("events", "list", "--after", day(1))).stderr).not.toContain("warning:");
  });

  test("filters are applied by the instance", async () => {
    const { stdout } = await run(
      "events",
      "list",
      "-p",
      "7",
      "--action",
      "pushed",
      "-L",
      "all",
      "--jq",
      "map(.action_name) | unique",
    );
    expect(stdout).toBe('["pushed"]\n');
  });

  test("accepts days relative to today, and the words that it shows", async () => {
    const day = new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10);
    const ids = async (...flags: string[]) => run("events", "list", "-p", "7", "--jq", "map(.id)", "-q", ...flags);
    expect(await ids("--after", "7d")).toEqual(await ids("--after", day));
    expect(JSON.parse((await ids("--after", "7d")).stdout)).not.toEqual([]);
    const shown = await ids("--action", "Commented on", "--target-type", "Note");
    expect(shown).toEqual(await ids("--action", "commented", "--target-type", "note"));
    expect(JSON.parse(shown.stdout)).not.toEqual([]);
  });

  test("a bound from before the years that instances keep is a warning", async () => {
    const said = async (...bounds: string[]) => (await run("events", "list", "-L", "1", ...bounds)).stderr;
    const warning = /^warning: instances keep events for 3 years: there are none from before \d{4}-\d\d-\d\d$/m;
    expect(await said("--after", "2019-01-01")).toMatch(warning);
    expect(await said("--before", "4y")).toMatch(warning);
    expect(await said("--after", "30d")).not.toMatch(warning);
    const { code, stdout } = await run("events", "list", "--before", "2019-01-01", "-o", "json");
    expect([code, stdout.trim()]).toEqual([0, "[]"]);
  });

  test("a push shows its branch and the title of its last commit", async () => {
    const rows = await run(
      ..."events list -p 7 --action pushed -L 5 -o csv --no-header --fields action_name,subject".split(" "),
    );
    expect(rows.stdout).toMatch(/^pushed,main: \S.*$/m);
    const { stdout } = await run(..."events list -p 7 --target-type Issue -L 1 -o json".split(" "));
    const [{ subject, target_title: title }] = JSON.parse(stdout);
    expect([typeof title, subject]).toEqual(["string", title]);
  });

  test("ignores the default project: these are the user's own events", async () => {
    const mine = await run("events", "list", "-L", "3", "-o", "json");
    const still = await run("events", "list", "-L", "3", "-o", "json", { env: { FORGECTL_PROJECT: "7" } });
    expect(still.stdout).toBe(mine.stdout);
  });

  test.each([
    [["--user", "root", "-p", "7"], "give only one of --user and -p/--project"],
    [["-p", "7", "--scope", "all"], "--scope: not with -p/--project"],
    [["--after", "tomorrow"], '--after: must be a day such as 2026-01-31, or 7d, 2w, yesterday, today, not "tomorrow"'],
    [
      ["--before", "2026-02-30"],
      '--before: must be a day such as 2026-01-31, or 7d, 2w, yesterday, today, not "2026-02-30"',
    ],
    [["--sort", "des"], '--sort: must be one of asc, desc, not "des"'],
  ])("%j is refused before anything is sent", async (flags, message) => {
    const { code, stdout, stderr } = await run("events", "list", ...flags, {
      env: { FORGECTL_BASE_URL: "http://127.0.0.1:1" },
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`error: ${message}\n`);
    expect(stderr).toContain("see:   forgectl events list --help\n");
  });
});
