import { expect, test } from "vitest";
import { sandboxSession } from "../../support/session.ts";

const { run } = await sandboxSession({ asDeployed: true });
const type = (line: string) => run(...line.split(" "));

const secrets = [
  "sandbox-mail-signing-key",
  "sandbox-client-key",
  "sandbox-private-key",
  "sandbox-credentials",
  "sandbox-analytics",
  "sandbox-sentry-key",
  "sandbox-search-password",
];

test.each([
  "settings list -o json",
  "settings get -o json",
  "api application/settings",
  "settings export",
  "state export --settings -O -",
])("settings-secrets-shown: %s hides the secrets that an instance decrypts", async (line) => {
  const { code, stdout, stderr } = await type(`${line} --debug`);
  expect(code).toBe(0);
  for (const secret of secrets) expect(stdout + stderr).not.toContain(secret);
  // Keys with public names are not secrets.
  if (!line.includes("export")) expect(stdout).toContain("sandbox-site-key");
});

test("settings-secrets-shown: an address with a password is left out of a file, with a note on how to set it", async () => {
  const { stdout } = await type("settings export");
  expect(stdout).toMatch(/^# codesearch_url: \{ env: CODESEARCH_URL \}$/m);
  expect(await run("settings", "plan", "-f", "-", "--exit-code", { input: stdout })).toMatchObject({ code: 0 });
});

test("settings-passed-over: settings that an instance lacks are refused or named, and never listed", async () => {
  const { code, stderr } = await type("settings set signup_enabledd=true");
  expect([code, stderr]).toEqual([2, expect.stringContaining("did you mean signup_enabled?")]);
  // Of another tier: the documents have it, this instance does not.
  const free = await sandboxSession({ asDeployed: true, tier: "free" });
  const alone = await free.run(..."settings set allow_account_deletion=false --yes".split(" "));
  expect([alone.code, alone.stderr]).toEqual([
    1,
    expect.stringContaining("cause: the instance has none of allow_account_deletion\n"),
  ]);
  expect(alone.stderr.length).toBeLessThan(600);
  const beside = await free.run(
    ..."settings set allow_account_deletion=false signup_enabled=true --yes -o json".split(" "),
  );
  expect([beside.code, JSON.parse(beside.stderr).error.fields]).toEqual([
    9,
    { allow_account_deletion: ["sent false, not in the answer"] },
  ]);
});

test("settings-companions-sent: required settings are sent too, even if empty or already set", async () => {
  for (const name of ["umlrenderer_enabled", "codesearch_enabled", "shared_runners_enabled"]) {
    const { code, stderr } = await type(`settings set ${name}=true --yes -q`);
    expect([name, code, stderr]).toEqual([name, 0, ""]);
  }
  // Settings that are sent along have their real values, not the displayed ones.
  expect((await type("settings get codesearch_url --reveal")).stdout).toContain("sandbox-search-password");
  const { code, stderr } = await type("settings set spamsvc_enabled=true --yes");
  expect([code, stderr]).toEqual([2, expect.stringContaining("spamsvc_api_key: is required when spamsvc_enabled")]);
});
