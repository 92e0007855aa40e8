import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";

// What `settings get` shows in place of a secret is never sent in its place.

const address = "https://usr:passw0rd99@val.example/check";
const stored = {
  external_pipeline_validation_service_url: address,
  chatapp_enabled: true,
  chatapp_id: "id1",
  chatapp_secret: "chat-secret-11",
  chatapp_signing_secret: "chat-signing-22",
  chatapp_verification_token: "chat-token-33",
};
const names = Object.keys(stored);

async function instance() {
  const { home, run } = await sandboxSession({ asDeployed: true });
  const values = async () => {
    const { stdout } = await run("api", "application/settings", "--reveal");
    return Object.fromEntries(Object.entries(JSON.parse(stdout)).filter(([name]) => names.includes(name)));
  };
  writeFileSync(join(home, "stored.json"), JSON.stringify(stored));
  await run("api", "application/settings", "-X", "PUT", "--input", "stored.json");
  expect(await values()).toEqual(stored);
  return { home, run, values };
}

test("a file of what settings get shows changes no secret: where one is required, the present one is sent", async () => {
  const { home, run, values } = await instance();
  const shown = async (...of: string[]) => (await run("settings", "get", ...of, "-o", "yaml")).stdout;
  const text = await shown(...names.filter((name) => name.startsWith("chatapp")));
  expect(text.match(/\[redacted\]/g)).toHaveLength(3);
  writeFileSync(join(home, "chat.yaml"), text);
  await run("settings", "set", "chatapp_enabled=false");
  const { code, stderr } = await run("settings", "apply", "-f", "chat.yaml", "--yes");
  expect(code).toBe(0);
  expect(stderr).toContain("chatapp_secret has what is shown in place of a secret, and counts as left out");
  expect(await values()).toEqual(stored);

  writeFileSync(join(home, "address.yaml"), await shown("external_pipeline_validation_service_url", "chatapp_id"));
  const refused = await run("settings", "apply", "-f", "address.yaml", "--yes");
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining("has what is shown in place of a secret"),
  ]);
  expect(await values()).toEqual(stored);
});

test.each([
  ["a variable", "{ env: SHOWN }", "$SHOWN"],
  ["a file", "{ file: shown.txt }", "shown.txt"],
])("nor does what %s gives", async (_, reference, name) => {
  const { home, run, values } = await instance();
  const setting = "external_pipeline_validation_service_url";
  const SHOWN = (await run("settings", "get", setting)).stdout.trim();
  expect(SHOWN).toContain("[redacted]");
  writeFileSync(join(home, "shown.txt"), `${SHOWN}\n`);
  writeFileSync(join(home, "state.yaml"), `forgectl: 1\nsettings: { ${setting}: ${reference} }\n`);
  for (const verb of [["plan"], ["apply", "--yes"]]) {
    const { code, stderr } = await run("state", ...verb, "-f", "state.yaml", { env: { SHOWN } });
    expect([code, stderr]).toEqual([2, expect.stringContaining("has what is shown in place of a secret")]);
    expect(stderr).toContain(name);
  }
  expect(await values()).toEqual(stored);
});

test.each([
  ["external_pipeline_validation_service_url", "https://[redacted]@val.example/check"],
  ["codesearch_url", "https://a.example https://[redacted]@b.example"],
  ["after_sign_up_text", "See https://[redacted]@wiki.example, please"],
  ["editor_extension_marketplace", '{"service_url":"https://ext.example","api_token":"[redacted]"}'],
  ["chatapp_secret", "[redacted]"],
  ["chatapp_secret", "********"],
])("settings set %s=%s is refused", async (name, value) => {
  const { run, values } = await instance();
  const typed = await run("settings", "set", `${name}=${value}`);
  const read = await run("settings", "set", `${name}=-`, { input: `${value}\n` });
  for (const { code, stderr } of [typed, read]) {
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${name}: has what is shown in place of a secret`)]);
  }
  expect(await values()).toEqual(stored);
});
