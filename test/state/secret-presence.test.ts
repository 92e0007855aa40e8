import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { engineFor } from "../support/engine.ts";
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

describe("a saved plan that sends a secret since it is not set as declared", () => {
  /** The end of a saved plan, after another user has sent something. */
  async function ended(declared: string, before: string, meanwhile: string) {
    const { home, run } = await sandboxSession({ asDeployed: true });
    const put = (body: string) => run("api", "application/settings", "-X", "PUT", "--input", "-", { input: body });
    await put(before);
    writeFileSync(join(home, "state.yaml"), `forgectl: 1\nsettings:\n${declared}`);
    expect((await run("state", "plan", "-f", "state.yaml", "--save", "plan.json")).code).toBe(0);
    await put(meanwhile);
    const { code, stdout } = await run("state", "apply", "--plan", "plan.json", "--yes", "--no-header", {
      env: { SPAM_KEY: "spam-key-value" },
    });
    const key = (await run("settings", "get", "spamsvc_api_key", "--reveal")).stdout.trim();
    return [code, stdout.split("\t")[2] ?? "", key];
  }
  const key = "  spamsvc_api_key: { env: SPAM_KEY }\n";
  const none = '{"spamsvc_api_key":""}';
  const other = '{"spamsvc_api_key":"of-another-user"}';

  test.each([
    ["is still empty", key, none, '{"signup_enabled":true}', [0, "done", "spam-key-value"]],
    ["was set by another user", key, none, other, [0, "skipped", "of-another-user"]],
    [
      "was set, and another setting is to change",
      `${key}  max_attachment_size: 77\n`,
      none,
      other,
      [6, "", "of-another-user"],
    ],
    [
      "is set and sent along with what needs it",
      `  spamsvc_enabled: true\n${key}`,
      other,
      other,
      [0, "done", "spam-key-value"],
    ],
    [
      "is still empty, and another setting has become as planned",
      `${key}  max_attachment_size: 77\n`,
      none,
      '{"max_attachment_size":77}',
      [6, "", ""],
    ],
    ["was removed by another user", '  spamsvc_api_key: ""\n', other, none, [0, "skipped", ""]],
    ["is still set", '  spamsvc_api_key: ""\n', other, other, [0, "done", ""]],
  ])("it %s", async (_, declared, before, meanwhile, expected) => {
    expect(await ended(declared, before, meanwhile)).toEqual(expected);
  });
});

test("a secret that another user sets between the look and the change, as while a question waits, is left alone", async () => {
  const { run, sandbox } = await sandboxSession({ asDeployed: true });
  const engine = engineFor(sandbox.url, sandbox.tokens.administrator);
  const text = "forgectl: 1\nsettings: { spamsvc_api_key: of-the-file }\n";
  await run("api", "application/settings", "-X", "PUT", "--input", "-", { input: '{"spamsvc_api_key":""}' });
  const plan = await engine.plan(text);
  expect(plan.changes.map(({ write }) => write)).toEqual([["spamsvc_api_key"]]);
  await run("api", "application/settings", "-X", "PUT", "--input", "-", { input: '{"spamsvc_api_key":"of-another"}' });
  expect((await engine.carryOut(plan)).map(({ status }) => status)).toEqual(["unchanged"]);
  expect((await run("settings", "get", "spamsvc_api_key", "--reveal")).stdout).toBe("of-another\n");
});

test("what was sent a moment ago, and a cache does not show, is neither sent again nor taken for empty", async () => {
  const { home, run, sandbox } = await sandboxSession({ asDeployed: true, settingsCacheSeconds: 600 });
  const stored = async () => {
    const headers = { "private-token": sandbox.tokens.administrator };
    const answer = await fetch(`${sandbox.url}/api/v4/application/settings`, {
      ...{ method: "PUT", headers: { ...headers, "content-type": "application/json" }, body: "{}" },
    });
    return ((await answer.json()) as Record<string, unknown>).spamsvc_api_key ?? "";
  };
  const apply = async (value: string) => {
    writeFileSync(join(home, "settings.yaml"), `spamsvc_api_key: ${value}\n`);
    const { code, stderr } = await run("settings", "apply", "-f", "settings.yaml", "--yes", {
      env: { SPAM_KEY: "wrong" },
    });
    return [code, stderr.split("\n")[0]];
  };
  expect((await apply("{ env: SPAM_KEY }"))[0]).toBe(0);
  expect(await apply("{ env: SPAM_KEY }")).toEqual([0, "no change; 1 object matches; 1 secret not compared"]);
  expect(await apply('""')).toEqual([0, "1 change made; not verified: secrets, which cannot be read back"]);
  expect(await stored()).toBe("");
});

test("a saved plan that is applied again, as by a job that is retried, has nothing left to do", async () => {
  const { home, run } = await sandboxSession({ asDeployed: true });
  writeFileSync(join(home, "state.yaml"), "forgectl: 1\nsettings: { spamsvc_api_key: { env: SPAM_KEY } }\n");
  expect((await run("state", "plan", "-f", "state.yaml", "--save", "plan.json")).code).toBe(0);
  const words = ["state", "apply", "--plan", "plan.json", "--yes", "--no-header"];
  const status = async (key: string) => (await run(...words, { env: { SPAM_KEY: key } })).stdout.split("\t")[2];
  expect([await status("planned"), await status("planned")]).toEqual(["done", "skipped"]);
});

test("a saved plan does not overwrite a secret that this machine has set since, and a cache does not show", async () => {
  const { home, run } = await sandboxSession({ asDeployed: true, settingsCacheSeconds: 600 });
  writeFileSync(join(home, "state.yaml"), "forgectl: 1\nsettings: { spamsvc_api_key: { env: SPAM_KEY } }\n");
  writeFileSync(join(home, "key"), "newer");
  expect((await run("state", "plan", "-f", "state.yaml", "--save", "plan.json")).code).toBe(0);
  expect((await run("settings", "set", "spamsvc_api_key=@key", "--yes")).code).toBe(0);
  const { code, stderr } = await run("state", "apply", "--plan", "plan.json", "--yes", {
    env: { SPAM_KEY: "planned" },
  });
  expect([code, stderr]).toEqual([6, expect.stringContaining("#settings: changed since the plan was made")]);
});

test("a text that an instance shows as a number is planned as it was exported", async () => {
  const { home, run } = await sandboxSession();
  writeFileSync(join(home, "settings.yaml"), "external_pipeline_validation_service_timeout: 5\nsignin_enabled: true\n");
  expect((await run("settings", "validate", "-f", "settings.yaml")).code).toBe(0);
});

test("a switch about tokens is exported, compared, and changed", async () => {
  const { home, run } = await sandboxSession({ asDeployed: true });
  const exported = await run("state", "export", "--settings", "-O", "-");
  expect(exported.stdout).toMatch(/^ {2}allow_runner_registration_token: true$/m);
  writeFileSync(join(home, "settings.yaml"), "allow_runner_registration_token: false\ndisable_feed_token: true\n");
  expect((await run("settings", "plan", "-f", "settings.yaml", "--exit-code")).code).toBe(10);
  expect((await run("settings", "apply", "-f", "settings.yaml", "--yes")).code).toBe(0);
  expect((await run("settings", "get", "disable_feed_token")).stdout).toBe("true\n");
});
