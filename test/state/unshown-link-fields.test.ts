import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";

// A link is changed by its removal and a new one: a field that an instance lacks is no reason for that.

test.each([
  ["provider", "saml1"],
  ["member_role_id", "3"],
])("a link is not replaced by each apply where the instance has no %s", async (name, value) => {
  const without = (body: unknown): unknown => {
    if (Array.isArray(body)) return body.map(without);
    const { [name]: _, ...rest } = body as Record<string, unknown>;
    return rest;
  };
  const changes: string[] = [];
  const { home, run } = await alteringSession(({ method, path, body }) => {
    if (!path.includes("saml_group_links")) return undefined;
    if (method !== "GET") changes.push(method);
    return typeof body === "object" && body !== null ? { body: without(body) } : undefined;
  });
  const link = `{ name: Team Leads, access_level: developer, ${name}: ${value} }`;
  writeFileSync(join(home, "state.yaml"), `forgectl: 1\ngroups: { acme/platform: { saml_group_links: [${link}] } }\n`);
  const apply = () => run("state", "apply", "-f", "state.yaml", "--yes", "--no-header");
  await apply();
  expect(changes).toEqual(["POST"]);
  const again = await apply();
  expect([again.code, again.stdout, changes]).toEqual([
    9,
    expect.stringContaining(`unreadable\tthe instance does not show ${name}`),
    ["POST"],
  ]);
});
