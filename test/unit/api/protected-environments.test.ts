import { expect, test } from "vitest";
import { ProtectedEnvironment } from "../../../src/api/endpoints/protected-environments.ts";
import { shown } from "../terminal/recorder.ts";

const rules = [4, 5, 6, 7].map((user) => ({ id: user, user_id: user, access_level: null, group_id: null }));
const text = "4=user:4, 5=user:5, 6=user:6, 7=user:7";

test.each(["deploy_access_levels", "approval_rules"])("who is named by %s is never cut on a terminal", async (name) => {
  const rows = [{ name: "production", [name]: rules }];
  const view = { rows, entity: ProtectedEnvironment, columns: ["name", name] };
  const { stdout } = await shown(view, { format: "table", columns: 30 });
  expect(stdout.replace(/\s+/g, " ")).toContain(text);
  expect(stdout).not.toContain("…");
});
