import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";

// What real instances require in the request that switches a setting on, even if it is empty or already set: the URL of
// a service, and a secret, which they show.

const url = "https://reader:uml-password@uml.acme.example";
const key = "live-spam-key";
const secrets = /uml-password|live-spam-key/;
const on = { umlrenderer_enabled: true, spamsvc_enabled: true, spam_check_endpoint_enabled: true };
const values = { umlrenderer_url: url, spamsvc_api_key: key, spam_check_endpoint_url: "grpc://spam.acme.example" };
const off = { umlrenderer_enabled: false, spamsvc_enabled: false, spam_check_endpoint_enabled: false };

async function instance(settings: object) {
  const { home, run, sandbox } = await sandboxSession({ asDeployed: true });
  const address = `${sandbox.url}/api/v4/application/settings`;
  const headers = { "private-token": sandbox.tokens.administrator, "content-type": "application/json" };
  const given = await fetch(address, { method: "PUT", headers, body: JSON.stringify(settings) });
  expect(given.status).toBe(200);
  const stored = async () => (await (await fetch(address, { headers })).json()) as Record<string, unknown>;
  const declare = (declared: object) => {
    writeFileSync(join(home, "settings.yaml"), JSON.stringify(declared));
    writeFileSync(join(home, "state.yaml"), JSON.stringify({ forgectl: 1, settings: declared }));
  };
  /** The texts of all files that a run, or a plan, has written. */
  const written = () =>
    readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"))
      .join("\n");
  return { run, stored, declare, written };
}

describe.each([
  ["settings", "settings.yaml"],
  ["state", "state.yaml"],
])("%s", (group, file) => {
  test("what an apply has switched off, a rollback switches on again", async () => {
    const { run, stored, declare, written } = await instance({ ...on, ...values });
    declare(off);
    expect((await run(group, "apply", "-f", file, "--yes")).code).toBe(0);
    expect(await stored()).toMatchObject({ ...off, ...values });
    const restored = await run(group, "rollback", "--yes");
    expect([restored.code, restored.stderr]).toEqual([0, expect.stringContaining("1 change made and verified")]);
    expect(await stored()).toMatchObject({ ...on, ...values });
    expect(restored.stdout + restored.stderr + written()).not.toMatch(secrets);
  });

  test("what an apply switches on is sent with the present values, and none of them is shown, or lost by a rollback", async () => {
    const { run, stored, declare, written } = await instance({ ...off, ...values, diagramproxy_url: null });
    declare({ ...on, diagramproxy_enabled: true });
    const shown = await run(group, "apply", "-f", file, "--dry-run", "-o", "json");
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('"spamsvc_api_key"')]);
    const applied = await run(group, "apply", "-f", file, "--yes");
    expect([applied.code, applied.stderr]).toEqual([0, expect.stringContaining("1 change made and verified")]);
    expect(await stored()).toMatchObject({ ...on, ...values, diagramproxy_enabled: true, diagramproxy_url: null });
    const restored = await run(group, "rollback", "--yes");
    expect([restored.code, restored.stderr]).toEqual([0, expect.not.stringContaining("set them again")]);
    expect(await stored()).toMatchObject({ ...off, ...values });
    const output = [shown, applied, restored].map(({ stdout, stderr }) => stdout + stderr).join("\n");
    expect(output + written()).not.toMatch(secrets);
  });
});

test("a saved plan sends along what it does not have, as it is when it is applied", async () => {
  const { run, stored, declare, written } = await instance({ ...off, ...values });
  declare(on);
  const planned = await run("state", "plan", "-f", "state.yaml", "--save", "plan.json");
  expect([planned.code, planned.stdout]).toEqual([0, expect.stringContaining("spamsvc_api_key")]);
  const shown = await run("state", "apply", "--plan", "plan.json", "--dry-run", "-o", "json");
  expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('"umlrenderer_url"')]);
  const applied = await run("state", "apply", "--plan", "plan.json", "--yes");
  expect([applied.code, applied.stderr]).toEqual([0, expect.stringContaining("1 change made and verified")]);
  expect(await stored()).toMatchObject({ ...on, ...values });
  const output = [planned, shown, applied].map(({ stdout, stderr }) => stdout + stderr).join("\n");
  expect(output + written()).not.toMatch(secrets);
});
