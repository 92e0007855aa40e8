import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { startSandbox } from "../../support/sandbox.ts";
import { type Session, sandboxSession, session } from "../../support/session.ts";

const count = 10_350;
const first = 500_000;

/** An instance in which a project had this many events, one a minute until a minute ago. */
async function busyInstance() {
  const dataFile = join(session({}).home, "data.json");
  await (await startSandbox({ dataFile, asDeployed: true })).close();
  const now = Math.floor(Date.now() / 60_000);
  const eventAt = (at: number) => ({
    ...{ id: first + at, project_id: 7, author_id: 1, action_name: "pushed", created_at: timeOf(now - count + at) },
    ...{ target_id: null, target_iid: null, target_type: null, target_title: null },
  });
  const lines = (await readFile(dataFile, "utf8")).split("\n").map((line) => {
    if (!line.includes('"table":"events"')) return line;
    const rows = Array.from({ length: count }, (_, at) => eventAt(at));
    return JSON.stringify({ ...JSON.parse(line), next_id: first + count, rows });
  });
  await writeFile(dataFile, lines.join("\n"));
  return sandboxSession({ dataFile, asDeployed: true });
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
