import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("the bundle includes the licenses of bundled packages", () => {
  const notices = readFileSync(new URL("../../dist/THIRD_PARTY.txt", import.meta.url), "utf8");
  const names = [...notices.matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) \d+\.\d+\.\d+ \(([^)]+)\)$/gm)].map(([, name]) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      "commander",
      "undici",
      "chalk",
      "ora",
      "cli-table3",
      "conf",
      "inquirer",
      "yauzl",
      "tar",
      "hono",
    ]),
  );
  expect(notices).not.toContain("(undefined)");
  expect(notices.match(/permission to use, copy, modify|Permission is hereby granted/gi)?.length).toBeGreaterThan(20);
});
