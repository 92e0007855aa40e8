import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";

test("a dry run writes no file, and does not claim to", async () => {
  const { run, home } = await sandboxSession();
  const exported = await run("settings", "export", "-O", "settings.yaml", "-n");
  expect([exported.code, exported.stdout]).toEqual([0, "file\tstatus\nsettings.yaml\twould be written\n"]);
  const audit = await run("settings", "audit", "--fix-file", "fixes.yaml", "-n");
  expect(audit.stderr).toContain("the fixes would be written to fixes.yaml\n");
  expect(audit.stderr).not.toContain("review the fixes");
  const state = await run("state", "export", "-p", "7", "-O", "state.yaml", "-n");
  expect([state.code, state.stdout]).toEqual([0, "file\tstatus\nstate.yaml\twould be written\n"]);
  expect(readdirSync(home).filter((name) => !name.startsWith("."))).toEqual([]);
});
