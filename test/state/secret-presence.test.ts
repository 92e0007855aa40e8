import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";

// A token cannot be read back, but newer releases answer whether a webhook has one: that is compared.

const file = (token: string) => `forgectl: 1
groups:
  acme:
    hooks: [{ name: Deploys, url: "https://deploys.acme.example/webhook"${token} }]
`;
const of = "{ env: DEPLOYS_TOKEN }";
const env = { DEPLOYS_TOKEN: "deploys-token-value" };

async function instance(asDeployed: boolean) {
  const { home, run } = await sandboxSession({ asDeployed });
  const hook = async () => JSON.parse((await run("hooks", "get", "2", "-g", "acme", "-o", "json")).stdout);
  /** The exit code and the changed fields of a plan. */
  const plan = async (token: string, ...words: string[]) => {
    writeFileSync(join(home, "state.yaml"), file(token));
    const { code, stdout } = await run("state", "plan", "-f", "state.yaml", "--exit-code", "-o", "json", ...words);
    const rows: { action: string; fields: { path: string; source: string | null }[] }[] = JSON.parse(stdout);
    const sent = rows.filter(({ action }) => action === "update").flatMap(({ fields }) => fields);
    return [code, sent.map(({ path, source }) => [path, source])];
  };
  const apply = (words: readonly string[] = ["-f", "state.yaml"]) => run("state", "apply", ...words, "--yes", { env });
  return { hook, plan, apply, run };
}

test("a token that someone else removed is sent again, and one that the file no longer has is removed", async () => {
  const { hook, plan, apply, run } = await instance(true);
  expect(await plan(`, token: ${of}`)).toEqual([0, []]);

  expect(await plan(', token: ""', "--save", "empty.json")).toEqual([10, [["token", "empty"]]]);
  expect((await apply(["--plan", "empty.json"])).code).toBe(0);
  expect((await hook()).token_present).toBe(false);
  expect(await plan(', token: ""')).toEqual([0, []]);

  // Not declared, it is not managed, nor is it where secrets are never sent.
  expect(await plan("")).toEqual([0, []]);
  expect(await plan(`, token: ${of}`, "--secrets", "never")).toEqual([0, []]);
  // A plan works without the variable; a saved one sends the token, with it.
  expect(await plan(`, token: ${of}`, "--save", "plan.json")).toEqual([10, [["token", "$DEPLOYS_TOKEN"]]]);
  expect((await run("state", "apply", "-f", "state.yaml", "--yes")).code).toBe(2);
  expect((await apply(["--plan", "plan.json"])).code).toBe(0);
  expect((await hook()).token_present).toBe(true);
  expect(await plan(`, token: ${of}`)).toEqual([0, []]);
});

test("a change of another field sends no token, whatever the instance shows of it meanwhile", async () => {
  const { hook, plan, apply } = await instance(true);
  const declared = ', description: "Changed", token: ""';
  expect(await plan(declared, "--secrets", "never")).toEqual([
    10,
    [
      ["description", null],
      ["token", "not comparable"],
    ],
  ]);
  expect((await apply(["-f", "state.yaml", "--secrets", "never"])).code).toBe(0);
  expect(await hook()).toMatchObject({ description: "Changed", token_present: true });
});

test("an instance that does not say so is as before", async () => {
  const { plan } = await instance(false);
  expect(await plan(', token: ""')).toEqual([0, []]);
  expect(await plan(', token: ""', "--secrets", "always")).toEqual([10, [["token", "empty"]]]);
});

test("no secret is sent to an address that is not compared, since its variable is not set", async () => {
  const { home, run } = await sandboxSession({ asDeployed: true });
  const own = { ...env, DEPLOYS_URL: "https://deploys.acme.example/webhook" };
  const text = file(`, token: ${of}`).replace(/"https[^"]*"/, "{ env: DEPLOYS_URL }");
  writeFileSync(join(home, "state.yaml"), text);
  const presence = async () => (await run("hooks", "get", "2", "-g", "acme", "--jq", ".token_present")).stdout.trim();
  const apply = async (of: Readonly<Record<string, string>>, ...words: string[]) => {
    const { code, stdout, stderr } = await run("state", "apply", ...words, "--yes", "--no-header", { env: of });
    return [code, stdout, stderr] as const;
  };
  expect((await run("state", "plan", "-f", "state.yaml", "--exit-code", { env: {} })).code).toBe(0);

  // The instance drops the token along with the old address.
  await run("api", "groups/acme/hooks/2", "-X", "PUT", "-f", "url=https://other.example/take");
  expect(await presence()).toBe("false");
  const reason = "the variable DEPLOYS_URL is not set, so that url cannot be compared, and no secret is sent to it";
  const row = `acme#hooks/Deploys\tunreadable\tunreadable\t${reason}\n`;
  expect((await apply(env, "-f", "state.yaml")).slice(0, 2)).toEqual([9, row]);
  // With it, the plan has the address as well, and needs it again when it is applied.
  expect((await run("state", "plan", "-f", "state.yaml", "--save", "plan.json", { env: own })).code).toBe(0);
  expect((await apply(env, "--plan", "plan.json"))[0]).toBe(2);
  expect(await presence()).toBe("false");
  expect((await apply(own, "--plan", "plan.json"))[0]).toBe(0);
  expect(await presence()).toBe("true");

  // Only the token is missing: what was reviewed with the address is not sent without it.
  await run("api", "groups/acme/hooks/2", "-X", "PUT", "-f", `url=${own.DEPLOYS_URL}`, "-f", "token=");
  expect(await presence()).toBe("false");
  expect((await run("state", "plan", "-f", "state.yaml", "--save", "token.json", { env: own })).code).toBe(0);
  const [code, , stderr] = await apply(env, "--plan", "token.json");
  expect([code, stderr]).toEqual([2, expect.stringContaining(`acme#hooks/Deploys: ${reason}`)]);
  expect(await presence()).toBe("false");
  expect((await apply(own, "--plan", "token.json"))[0]).toBe(0);
  expect(await presence()).toBe("true");
  // What removes it sends none.
  writeFileSync(join(home, "state.yaml"), text.replace(of, '""'));
  expect((await apply({}, "-f", "state.yaml"))[0]).toBe(0);
  expect(await presence()).toBe("false");
});

test("a secret setting that the instance shows as empty is sent, one that it should not have is removed, others are counted", async () => {
  const { home, run } = await sandboxSession({ asDeployed: true });
  const own = { SPAM_KEY: "spam-key-value" };
  const plan = async (value: string, ...words: string[]) => {
    writeFileSync(join(home, "settings.yaml"), `spamsvc_api_key: ${value}\n`);
    const { code, stdout, stderr } = await run("settings", "plan", "-f", "settings.yaml", "--exit-code", ...words);
    return [code, stdout.split("\n")[1], stderr.trim()];
  };
  const apply = () => run("settings", "apply", "-f", "settings.yaml", "--yes", { env: own });
  const none = "no change; 1 object matches";

  expect(await plan("{ env: SPAM_KEY }")).toEqual([
    10,
    "#settings\tupdate\tspamsvc_api_key ($SPAM_KEY)\t\t",
    "1 to change; 0 objects match",
  ]);
  expect((await plan("{ env: SPAM_KEY }", "--secrets", "never")).slice(0, 2)).toEqual([0, ""]);
  expect((await run("settings", "apply", "-f", "settings.yaml", "--yes")).code).toBe(2);
  expect((await apply()).code).toBe(0);
  expect((await run("settings", "get", "spamsvc_api_key", "--reveal")).stdout).toBe("spam-key-value\n");
  // Another key would not be seen, which is said.
  expect(await plan("{ env: SPAM_KEY }")).toEqual([0, "", `${none}; 1 secret not compared`]);

  expect((await plan('""'))[0]).toBe(10);
  expect((await apply()).code).toBe(0);
  expect(await plan('""')).toEqual([0, "", none]);
});

test("an apply says at its end how many secrets it did not compare", async () => {
  const { home, run } = await sandboxSession({ asDeployed: true });
  writeFileSync(join(home, "state.yaml"), file(`, description: Changed, token: ${of}`));
  const apply = () => run("state", "apply", "-f", "state.yaml", "--yes", { env });
  expect((await apply()).stderr).toContain("1 change made and verified; 1 secret not compared\n");
  expect((await apply()).stderr).toContain("no change, 2 extra; 1 object matches; 1 secret not compared\n");
  const always = await run("state", "apply", "-f", "state.yaml", "--yes", "--secrets", "always", { env });
  expect(always.stderr).not.toContain("not compared");
});
