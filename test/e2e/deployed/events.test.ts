import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { alteringSession, type Exchange } from "../../support/altering-proxy.ts";
import { startSandbox } from "../../support/sandbox.ts";
import { type Session, sandboxSession, session } from "../../support/session.ts";

const count = 10_350;
const first = 500_000;

type Row = Readonly<Record<string, unknown>>;

/** An instance with one table changed. */
async function instanceWith(table: string, change: (rows: readonly Row[]) => readonly Row[], asDeployed = true) {
  const dataFile = join(session({}).home, "data.json");
  await (await startSandbox({ dataFile, asDeployed })).close();
  const lines = (await readFile(dataFile, "utf8")).split("\n").map((line) => {
    if (!line.includes(`"table":"${table}"`)) return line;
    const { rows, ...others } = JSON.parse(line);
    return JSON.stringify({ ...others, next_id: 900_000, rows: change(rows) });
  });
  await writeFile(dataFile, lines.join("\n"));
  return sandboxSession({ dataFile, asDeployed });
}

/** An instance in which a project had this many events, one a minute until a minute ago. */
async function busyInstance() {
  const now = Math.floor(Date.now() / 60_000);
  const eventAt = (at: number) => ({
    ...{ id: first + at, project_id: 7, author_id: 1, action_name: "pushed", created_at: timeOf(now - count + at) },
    ...{ target_id: null, target_iid: null, target_type: null, target_title: null },
  });
  return instanceWith("events", () => Array.from({ length: count }, (_, at) => eventAt(at)));
}

const timeOf = (minute: number) => new Date(minute * 60_000).toISOString();

let busy: Session;
beforeAll(async () => {
  busy = await busyInstance();
});
const type = (line: string) => busy.run(...line.split(" "));

test("events-counted-to: a list of more events than an instance counts has all of them", async () => {
  const { code, stdout } = await type("events list -p 7 -L all --fields id -o csv --no-header");
  const ids = stdout.trimEnd().split("\n").map(Number);
  expect([code, ids.length, new Set(ids).size, ids.at(-1)]).toEqual([0, count, count, first]);
});

test("events-counted-to: a calendar counts the events of the last days too", async () => {
  const { code, stdout } = await type("events calendar -p 7 --weeks 3 -o json");
  const days: { date: string; count: number }[] = JSON.parse(stdout);
  const counted = days.reduce((sum, day) => sum + day.count, 0);
  expect([code, counted, days.at(-1)?.count === 0]).toEqual([0, count, false]);
});

test("events-counted-to: a limit between them, and a page behind them, say that there are more", async () => {
  const cut = await type("events list -p 7 -L 10100 --fields id -o csv --no-header");
  expect([cut.code, cut.stdout.trimEnd().split("\n").length, cut.stderr]).toEqual([
    0,
    10_100,
    expect.stringContaining("10,100"),
  ]);
  const page = await type("events list -p 7 --page 103 -L 100 --fields id -o csv --no-header");
  expect([page.code, page.stdout.split("\n")[0]]).toEqual([0, String(first + count - 10_201)]);
});

describe("events-hidden", () => {
  test("an empty list of a user who cannot be read has a warning", async () => {
    const place = await sandboxSession({ asDeployed: true, faults: "GET /users/8=403*9" });
    for (const line of ["events list --user 8 -o json -q", "events calendar --user 8 --weeks 1 -o csv -q"]) {
      const { code, stderr } = await place.run(...line.split(" "));
      expect([line, code, stderr]).toEqual([line, 0, expect.stringMatching(/^warning: user 8 was not read: /)]);
    }
  });

  const dana = (change: Row) => (rows: readonly Row[]) =>
    rows.map((row) => (row.username === "dana.dixon" ? { ...row, ...change } : row));
  const lines = ["events list --user 4 -o json", "events calendar --user 4 --weeks 2 -o csv"];

  test.each([
    { change: { private_profile: true }, why: "the profile is private, or the address is not confirmed" },
    { change: { state: "blocked" }, why: "the account is blocked" },
  ])("of a user whose profile is not shown: $why", async ({ change, why }) => {
    const place = await instanceWith("users", dana(change));
    for (const line of lines) {
      const { code, stdout, stderr } = await place.as("maintainer").run(...line.split(" "));
      expect([line, code, stdout.replace(/^\[\s*\]\s*$/, ""), stderr]).toEqual([
        line,
        5,
        "",
        expect.stringContaining(why),
      ]);
      expect((await place.run(...line.split(" "))).code).toBe(0);
    }
  });

  test("of a blocked user by name, whom lists show to administrators only", async () => {
    const alter = ({ path }: Exchange) =>
      /\/users(?:\?|\/dana\/events)/.test(path) ? { status: 200, body: [] } : undefined;
    const { run } = await alteringSession(alter, { asDeployed: true });
    const { code, stderr } = await run(..."events list --user dana".split(" "));
    expect([code, stderr]).toEqual([5, expect.stringContaining("the account is blocked")]);
  });

  test("none of a user whose profile is shown are none", async () => {
    const line = "events list --user dana.dixon --action expired -o json".split(" ");
    const { code, stdout } = await (await sandboxSession({ asDeployed: true })).as("maintainer").run(...line);
    expect([code, JSON.parse(stdout)]).toEqual([0, []]);
  });

  test("in the documents they are for everybody", async () => {
    const place = await instanceWith("users", dana({ private_profile: true }), false);
    const { code, stdout } = await place.as("maintainer").run(...(lines[0] ?? "").split(" "));
    expect([code, JSON.parse(stdout).length > 0]).toEqual([0, true]);
  });
});

describe("events-of-all-projects", () => {
  const warning = expect.stringContaining("only at the newest 20 events of all your projects");

  test("a warning says that most may be missing", async () => {
    const { run } = await sandboxSession({ asDeployed: true });
    for (const line of ["list --scope all -L all", "list --scope all --action closed", "calendar --scope all -o csv"]) {
      expect([line, await run("events", ...line.split(" "))]).toEqual([
        line,
        expect.objectContaining({ code: 0, stderr: warning }),
      ]);
    }
  });

  test("unless there are more of one project than that, or the newest were asked for", async () => {
    const { run } = await sandboxSession();
    expect((await run(..."events list --scope all -L all".split(" "))).stderr).not.toEqual(warning);
    expect((await run(..."events list --scope all -L 5".split(" "))).stderr).not.toEqual(warning);
  });
});

describe("events-of-other-types", () => {
  const reviewed = (rows: readonly Row[]) =>
    rows.map((row) =>
      row.target_type === "Note" && Number(row.id) % 2 === 0 ? { ...row, target_type: "DiffNote" } : row,
    );

  test("comments on changes are found as comments, and not as notes", async () => {
    const place = await instanceWith("events", reviewed);
    const types = async (line: string) => {
      const { code, stdout, stderr } = await place.run(
        ..."events list -p 7 -L all -o json".split(" "),
        ...line.split(" "),
      );
      const rows: { target_type: string }[] = code === 0 ? JSON.parse(stdout) : [];
      return [code, [...new Set(rows.map(({ target_type }) => target_type))].sort().join(), stderr];
    };
    expect(await types("--target-type note")).toEqual([0, "Note", expect.stringContaining("--action commented finds")]);
    expect(await types("--action commented")).toEqual([0, "DiffNote,Note", ""]);
    for (const typed of ["DiffNote", "discussion_note", "WorkItem"]) {
      expect(await types(`--target-type ${typed}`)).toEqual([2, "", expect.stringContaining("does not select these")]);
    }
  });
});
