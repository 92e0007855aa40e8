import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { type Session, sandboxSession } from "../support/session.ts";

// Webhooks as releases have them: kinds of events that the API's documents lack, and no names before 17.1.

const apply = ({ home, run }: Session, hooks: string, ...words: string[]) => {
  writeFileSync(join(home, "state.yaml"), `forgectl: 1\n${hooks}`);
  return run("state", "apply", "-f", "state.yaml", "--yes", "--no-header", ...words);
};

test.each([
  ["projects", "acme/docs", "milestone"],
  ["projects", "acme/docs", "vulnerability"],
  ["groups", "acme/platform", "vulnerability"],
])("the first webhook of one of the %s, %s, may receive %s", async (section, path, event) => {
  const place = await sandboxSession({ asDeployed: true });
  const hooks = `${section}: { ${path}: { hooks: [{ url: "https://sec.acme.example/hook", events: [${event}] }] } }\n`;
  const { code, stdout } = await apply(place, hooks);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/\tcreate\tdone\t\n$/)]);
  expect((await apply(place, hooks)).stderr).toContain("no change");
});

test("where no webhook has a name, those of one URL are not created again by each apply", async () => {
  const nameless = (body: unknown): unknown => {
    if (Array.isArray(body)) return body.map(nameless);
    const { name: _, description: __, ...rest } = body as Record<string, unknown>;
    return rest;
  };
  const place = await alteringSession(({ path, body }) =>
    path.includes("/hooks") ? { body: nameless(body) } : undefined,
  );
  const count = async () => (await place.run("hooks", "list", "-g", "acme/platform", "--fields", "id")).stdout;
  const hook = (name: string, event: string, id = "") =>
    `{ ${id}name: ${name}, url: "https://ci.example/", events: [${event}] }`;
  const file = (...hooks: string[]) => `groups: { acme/platform: { hooks: [${hooks.join(", ")}] } }\n`;

  const both = file(hook("Main", "push"), hook("Tags", "tag_push"));
  expect((await apply(place, both)).code).toBe(9);
  const made = await count();
  const [main, tags] = made.split("\n").slice(-3);
  const again = await apply(place, both);
  const given = `2 of them exist, with the IDs ${main}, ${tags}: add id to the entry`;
  expect([again.code, again.stdout.split(given).length]).toEqual([9, 3]);
  const one = await apply(place, file(hook("Main", "push")));
  expect([one.code, one.stdout]).toEqual([9, expect.stringContaining(given)]);
  // With an ID, the other one is found by its URL.
  await apply(place, file(hook("Main", "push", `id: ${main}, `), hook("Tags", "tag_push")));
  expect(await count()).toBe(made);
});
