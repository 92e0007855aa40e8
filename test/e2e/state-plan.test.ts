import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";

test("state plan marks the fields that are sent along, with a secret and without, and names no secret's value", async () => {
  const admin = await sandboxSession();
  writeFileSync(
    join(admin.home, "forge.yaml"),
    `forgectl: 1
settings: { throttle_authenticated_web_enabled: true }
groups:
  acme:
    hooks: [{ name: Deploys, url: "https://deploys.new.example/webhook", token: { env: DEPLOYS_TOKEN } }]
`,
  );
  const env = { DEPLOYS_TOKEN: "glaring-secret" };
  const words = ["state", "plan", "-f", "forge.yaml"];

  const { stdout } = await admin.run(...words, "-o", "table", { env });
  expect(stdout).toMatch(/^ {2}throttle_authenticated_web_enabled +false → true$/m);
  expect(stdout).toMatch(/^ {2}throttle_authenticated_web_period_in_seconds +\d+ \(sent along\)$/m);
  expect(stdout).toMatch(/^ {2}token +\(secret, \$DEPLOYS_TOKEN\) sent along$/m);
  expect(stdout).not.toContain(env.DEPLOYS_TOKEN);

  const rows = JSON.parse((await admin.run(...words, "-o", "json", { env })).stdout) as PlanRow[];
  const sources = rows.flatMap(({ fields }) => fields.map(({ path, source }) => [path, source]));
  expect(sources).toContainEqual(["throttle_authenticated_web_period_in_seconds", "sent along"]);
  expect(sources).toContainEqual(["token", "$DEPLOYS_TOKEN, sent along"]);
});

interface PlanRow {
  fields: { path: string; source: string | null }[];
}
