import { expect, test } from "vitest";
import { groups } from "../../src/commands/index.ts";
import { commandsIn, describeFlags } from "../../src/declare/describe.ts";
import { sandboxSession } from "../support/session.ts";

const nodes = await Promise.all(groups.map((entry) => entry.load()));
const flags = nodes
  .flatMap((node) => [...commandsIn(node)])
  .flatMap(({ path, command }) => describeFlags(command.params).map((flag) => ({ ...flag, path: path.join(" ") })));

test("every flag that is named like a point in time takes one, and says which forms it reads", () => {
  const named = flags.filter(({ long }) => /(?:-since|-at|-(?:before|after))$/.test(`-${long}`));
  expect(named.length).toBeGreaterThan(8);
  const others = named.filter(({ field }) => field.kind !== "timestamp" && field.kind !== "date");
  expect(others.map(({ path, long }) => `${path} ${long}`)).toEqual([]);
  const timed = flags.filter(({ field }) => field.kind === "timestamp");
  expect(timed.length).toBeGreaterThan(5);
  for (const { field } of timed) expect(field.description).toMatch(/yesterday; local time without a zone\)$/);
});

test("events after yesterday have those of today, where the local day is ahead of UTC too", async () => {
  const { run } = await sandboxSession();
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  for (const zone of ["UTC", "Pacific/Kiritimati", "Etc/GMT+12"]) {
    const { stderr } = await run(..."events list -L 1 --after yesterday --debug".split(" "), { env: { TZ: zone } });
    const [, after = ""] = /[?&]after=([\d-]+)/.exec(stderr) ?? [];
    expect([zone, after !== "" && after <= yesterday]).toEqual([zone, true]);
  }
});

test("bounds that leave nothing are a warning, since the empty list says nothing of the instance", async () => {
  const { run } = await sandboxSession();
  const stderrOf = async (line: string) => (await run(...line.split(" "))).stderr;
  for (const [line, bounds] of [
    ["events list --after 2026-11-20 --before 2026-11-21", /--after 2026-11-20 and --before 2026-11-21: neither day/],
    ["users list --created-after 1d --created-before 2d", /--created-after 2\S+Z and --created-before 2\S+Z$/m],
    ["hooks events 2 -g acme --since 1d --until 2d", /--since 2\S+Z and --until 2\S+Z$/m],
    ["hooks redeliver 2 -g acme -n --since 1d --until 2d", /--since 2\S+Z and --until 2\S+Z$/m],
  ] as const) {
    expect(await stderrOf(line)).toMatch(new RegExp(`^warning: nothing is within ${bounds.source}`, "m"));
  }
  expect(await stderrOf("events list --after 2026-11-19 --before 2026-11-21")).not.toContain("nothing");
  expect(await stderrOf("hooks events 2 -g acme --since 2d --until 1d")).not.toContain("nothing");
});

test("a time without a zone is the user's, and is sent in UTC", async () => {
  const { run } = await sandboxSession();
  const dry = "notes create --issue 28 -p 7 --body x --created-at 2026-01-31T03:00 -n --jq .[0].body.created_at";
  const { stdout } = await run(...dry.split(" "), { env: { TZ: "America/New_York" } });
  expect(stdout).toBe("2026-01-31T08:00:00Z\n");
  const list = "users list -L 1 --created-after 2026-01-31 --debug".split(" ");
  const { stderr } = await run(...list, { env: { TZ: "Asia/Kolkata" } });
  expect(decodeURIComponent(stderr)).toContain("created_after=2026-01-30T18:30:00Z");
});
