import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { requestsIn, sandboxSession } from "../../support/session.ts";

test("group-export-once-a-minute: a 429 is not yet, and the archive comes", { timeout: 180_000 }, async () => {
  const log: string[] = [];
  const { run, home } = await sandboxSession({ asDeployed: true, as: "owner", log: (line) => log.push(line) });
  const { code, stdout } = await run(
    "groups",
    "export",
    "-g",
    "acme",
    "-O",
    "acme.tar.gz",
    "--retries",
    "0",
    "--jq",
    ".status",
  );
  expect([code, stdout, existsSync(join(home, "acme.tar.gz"))]).toEqual([0, "saved\n", true]);
  const look = "GET /api/v4/groups/acme/export/download";
  expect(requestsIn(log)).toEqual([`${look} 200`, "POST /api/v4/groups/acme/export 202", `${look} 429`, `${look} 200`]);
});
