import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { requestsIn, sandboxSession } from "../../support/session.ts";

test("group-export-once-a-minute: a 429 means not yet, and the archive arrives", async () => {
  const log: string[] = [];
  let now = new Date("2026-03-04T10:00:00.000Z");
  const { run, home } = await sandboxSession({
    asDeployed: true,
    as: "owner",
    log: (line) => log.push(line),
    now: () => now,
  });
  const look = "GET /api/v4/groups/acme/export/download";
  const waited = await run(..."groups export -g acme -O acme.tar.gz --retries 0 --wait-timeout 1".split(" "));
  expect(waited.code).toBe(8);
  expect(requestsIn(log)).toEqual([`${look} 200`, "POST /api/v4/groups/acme/export 202", `${look} 429`]);

  now = new Date("2026-03-04T10:01:01.000Z");
  const [, resume = ""] = /forgectl (groups download .* -O acme\.tar\.gz)/.exec(waited.stderr) ?? [];
  const { code } = await run(...resume.split(" "), "--retries", "0");
  expect([code, existsSync(join(home, "acme.tar.gz"))]).toEqual([0, true]);
  expect(requestsIn(log)).toEqual([`${look} 200`]);
});

test("group-export-per-user: an archive of another user is not found, and the error says whose is needed", async () => {
  const { run, as } = await sandboxSession({ asDeployed: true, now: () => new Date("2026-03-04T10:00:00.000Z") });
  const seen = await as("owner").run(..."groups download -g acme".split(" "));
  expect(seen.code).toBe(0);
  const { code, stderr } = await run(..."groups download -g acme".split(" "));
  expect([code, stderr]).toEqual([3, expect.stringContaining("on newer releases only for the user who exported")]);
  for (let turn = 1; turn <= 6; turn++) await run(..."groups export -g acme".split(" "));
  const limited = await run(..."groups export -g acme --retries 0".split(" "));
  expect([limited.code, limited.stderr]).toEqual([7, expect.stringContaining("try again in about a minute")]);
});
