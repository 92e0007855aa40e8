import { describe, expect, test } from "vitest";
import { type Altered, alteringSession } from "../support/altering-proxy.ts";
import { json as answerOf, signedIn } from "../support/answering.ts";
import { sandboxSession } from "../support/session.ts";

const dayMs = 86_400_000;
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
const words = (line: string) => line.split(" ");
const { run, sandbox } = await sandboxSession();

interface Day {
  date: string;
  count: number;
}

async function calendar(line: string): Promise<Day[]> {
  const { stdout, stderr, code } = await run(...words(`events calendar ${line} -q -o json`));
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

/** The expected calendar: each event of the list by its day. */
async function listed(flags: string, days: readonly Day[]): Promise<Day[]> {
  const { stdout } = await run(...words(`events list ${flags} -L all --jq map(.created_at[:10]) -q`));
  const found: string[] = JSON.parse(stdout);
  return days.map(({ date }) => ({ date, count: found.filter((each) => each === date).length }));
}

describe("events calendar", () => {
  test.each(["-p acme/storefront", "--user dana.dixon", "-p 7 --action pushed", "--scope all"])(
    "%s: one row per day without gaps, with the list's events",
    async (flags) => {
      const days = await calendar(flags);
      expect(days).toEqual(await listed(flags, days));
      const first = Date.parse(days[0]?.date ?? "");
      expect(days.map(({ date }) => date)).toEqual(days.map((_, index) => dayOf(first + index * dayMs)));
      expect([new Date(first).getUTCDay(), days.at(-1)?.date]).toEqual([0, dayOf(Date.now())]);
      expect(Math.ceil(days.length / 7)).toBe(53);
    },
  );

  test("date and count in the other formats, the totals on stderr", async () => {
    const { stdout, stderr } = await run(...words("events calendar -p 7 --weeks 1 -o csv"));
    const rows = stdout.trimEnd().split("\n");
    expect(rows[0]).toBe("date,count");
    expect(rows).toHaveLength(2 + new Date().getUTCDay());
    expect(stderr).toMatch(/^\d+ events? on \d of \d days? since \d{4}-\d\d-\d\d; longest streak |^no events since /);
  });

  test("ignores the default project: these are the user's own events", async () => {
    const own = await run("events", "calendar", { env: { FORGECTL_PROJECT: "7" } });
    expect(own.stdout).toBe((await run("events", "calendar")).stdout);
  });

  test.each([
    ["--weeks 0", '--weeks: must be a whole number from 1 to 157, not "0"'],
    ["--weeks 158", '--weeks: must be a whole number from 1 to 157, not "158"'],
    ["--weeks year", '--weeks: must be a whole number from 1 to 157, not "year"'],
    ["--user root -p 7", "give only one of --user and -p/--project"],
    ["-p 7 --scope all", "--scope: not with -p/--project"],
    ["--fields day", "day"],
  ])("%s is refused before anything is sent", async (flags, message) => {
    const refused = await run(...words(`events calendar ${flags}`), {
      env: { FORGECTL_BASE_URL: "http://127.0.0.1:1" },
    });
    expect([refused.code, refused.stdout]).toEqual([2, ""]);
    expect(refused.stderr).toContain(message);
  });

  test("a user who does not exist is exit 3", async () => {
    expect((await run(...words("events calendar --user no.such.user"))).code).toBe(3);
  });
});

describe("events calendar with failing requests", () => {
  const faults: Readonly<Record<string, Altered>> = {
    "503": { status: 503, body: { message: "Service Unavailable" } },
    "a broken connection": "lost",
  };

  test.each(Object.entries(faults))("%s in the middle changes no number", async (_, fault) => {
    let faulty = 0;
    const { run: ask } = await alteringSession(({ path }) => {
      if (!/[?&]page=2(?:&|$)/.test(path) || faulty === 2) return undefined;
      faulty += 1;
      return fault;
    });
    const { stdout, code } = await ask(...words("events calendar -p 7 -q -o json"));
    expect([code, faulty]).toEqual([0, 2]);
    expect(JSON.parse(stdout)).toEqual(await calendar("-p 7"));
  });

  test("a wait requested by the instance changes no number", async () => {
    const faulty = await sandboxSession({ faults: "GET /projects/7/events=429:retry-after=1*2" });
    const { stdout, code } = await faulty.run(...words("events calendar -p 7 -q -o json"));
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(await calendar("-p 7"));
  });

  test("a lasting failure prints nothing that looks complete", async () => {
    const faulty = await sandboxSession({ faults: "GET /projects/7/events=503*always" });
    const { stdout, stderr, code } = await faulty.run(...words("events calendar -p 7 --retries 0"));
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("503");
  });

  test("an instance with a row limit for pages is queried by day, and no event counts twice", async () => {
    const deployed = await sandboxSession({ asDeployed: true, offsetLimit: 100 });
    const { stdout, code } = await deployed.run(...words("events calendar -p 7 -q -o json"));
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(await calendar("-p 7"));
  });
});

describe("the days of a calendar", () => {
  const answering = async (times: readonly string[]) => {
    const events = times.map((created_at, id) => ({ id, created_at }));
    return signedIn(answerOf(200, JSON.stringify(events), { "x-next-page": "" }));
  };

  test("are shown alone, oldest first, a hundred per page", async () => {
    const there = await answering([]);
    await there.run(...words("events calendar -p acme/docs --weeks 2"));
    const today = Date.now();
    const sunday = today - (new Date(today).getUTCDay() + 7) * dayMs;
    const { pathname, searchParams } = new URL(there.seen[0]?.split(" ")[1] ?? "", sandbox.url);
    expect([there.seen.length, pathname, Object.fromEntries(searchParams)]).toEqual([
      1,
      "/forge/api/v4/projects/acme%2Fdocs/events",
      // Both bounds are exclusive; one more day at each end, for instances with another time zone.
      { after: dayOf(sunday - 2 * dayMs), before: dayOf(today + 2 * dayMs), sort: "asc", per_page: "100" },
    ]);
  });

  test("are in UTC, whatever the event's time zone; events outside them are left out", async () => {
    const today = dayOf(Date.now());
    const yesterday = dayOf(Date.now() - dayMs);
    const there = await answering([
      `${yesterday}T23:59:59.999Z`,
      `${today}T00:00:00.000Z`,
      // A minute past midnight in Berlin is yesterday.
      `${today}T00:01:00.000+01:00`,
      `${dayOf(Date.now() + dayMs)}T00:00:00.000Z`,
      "2020-01-01T00:00:00Z",
      "not a time",
    ]);
    const { stdout } = await there.run(...words("events calendar --weeks 2 --no-header"));
    expect(stdout.trimEnd().split("\n").slice(-2)).toEqual([`${yesterday}\t2`, `${today}\t1`]);
  });

  test("of several longest or busiest ones, the latest is shown", async () => {
    const ago = (days: number) => dayOf(Date.now() - days * dayMs);
    const there = await answering([9, 8, 6, 6, 4, 3, 3].map((days) => `${ago(days)}T12:00:00Z`));
    const { stderr } = await there.run(...words("events calendar --weeks 3"));
    expect(stderr).toContain(`7 events on 5 of `);
    expect(stderr).toContain(`; longest streak 2 days (${ago(4)} to ${ago(3)}); busiest day ${ago(3)} (2)\n`);
  });

  test("without events are still a calendar", async () => {
    const there = await answering([]);
    const { stdout, stderr, code } = await there.run(...words("events calendar --weeks 1 --no-header"));
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^no events since \d{4}-\d\d-\d\d\n$/)]);
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .every((line) => line.endsWith("\t0")),
    ).toBe(true);
  });
});
