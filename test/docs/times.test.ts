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

test("a time without a zone is the user's, and is sent in UTC", async () => {
  const { run } = await sandboxSession();
  const dry = "notes create --issue 28 -p 7 --body x --created-at 2026-01-31T03:00 -n --jq .[0].body.created_at";
  const { stdout } = await run(...dry.split(" "), { env: { TZ: "America/New_York" } });
  expect(stdout).toBe("2026-01-31T08:00:00Z\n");
  const list = "users list -L 1 --created-after 2026-01-31 --debug".split(" ");
  const { stderr } = await run(...list, { env: { TZ: "Asia/Kolkata" } });
  expect(decodeURIComponent(stderr)).toContain("created_after=2026-01-30T18:30:00Z");
});
