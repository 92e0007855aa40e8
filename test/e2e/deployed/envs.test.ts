import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { alteringSession } from "../../support/altering-proxy.ts";
import { sandboxSession } from "../../support/session.ts";

// Real instances refuse and reset where the API documents say nothing of it: 1-project-api: Protected environments.

let admin: Awaited<ReturnType<typeof sandboxSession>>;
beforeEach(async () => {
  admin = await sandboxSession({ asDeployed: true });
});

const run = (line: string) => admin.run(...line.split(" "));
const rules = async (list: string) =>
  JSON.parse((await run(`envs get production -p 7 -o json --jq .${list}`)).stdout) as Record<string, unknown>[];

test("protected-rule-subject: a rule is removed with its subject", async () => {
  const refused = await admin.run(
    ...["api", "-X", "PUT", "projects/7/protected_environments/production"],
    ...["--input", "-"],
    { input: JSON.stringify({ approval_rules: [{ id: 1, _destroy: true }] }) },
  );
  expect(refused.stderr).toContain("approval_rules[0][user_id]");
  expect(refused.stderr).toContain("at least one parameter must be provided");
  const { code, stdout } = await run("envs update production -p 7 --remove-approval 1 --remove-allow 2 -o json");
  expect(code).toBe(0);
  expect(JSON.parse(stdout).approval_rules.map(({ id }: { id: number }) => id)).toEqual([2]);
});

test("protected-rule-subject: a file that lacks a rule removes it", async () => {
  const file = join(admin.home, "environments.yaml");
  const { stdout } = await run("envs list -p 7 -o json");
  const all = JSON.parse(stdout) as { name: string; approval_rules: object[] }[];
  const production = all.find(({ name }) => name === "production");
  await writeFile(file, JSON.stringify([{ ...production, approval_rules: production?.approval_rules.slice(1) }]));
  const applied = await run("envs apply -f environments.yaml -p 7 --yes");
  expect(applied.stderr).not.toContain("error:");
  expect(applied.code).toBe(0);
  expect(await rules("approval_rules")).toHaveLength(1);
});

test("protected-rule-defaults: a changed rule keeps its number of approvals, and no second subject", async () => {
  expect(await rules("approval_rules")).toMatchObject([{ id: 1, access_level: 40, required_approvals: 2 }, { id: 2 }]);
  expect(await run("envs update production -p 7 --set-approval 1=group:4")).toMatchObject({ code: 0 });
  expect((await rules("approval_rules"))[0]).toMatchObject({ group_id: 4, access_level: null, required_approvals: 2 });
  expect(await run("envs update production -p 7 --set-allow 2=level:maintainer")).toMatchObject({ code: 0 });
  expect((await rules("deploy_access_levels"))[1]).toMatchObject({ user_id: null, access_level: 40 });
});

test("deployments-approve-themselves: one approval less counts", async () => {
  const { run: there } = await alteringSession(
    ({ path, body }) =>
      /\/projects\/[^/?]+$/.test(path)
        ? { body: { ...(body as object), allow_pipeline_trigger_approve_deployment: true } }
        : undefined,
    { asDeployed: true },
  );
  const protect = "envs protect canary -p acme/website --allow level:maintainer --approval level:maintainer";
  const found = async (run: typeof there) => {
    const { code, stdout } = await run(..."envs audit -p acme/website -o json --exit-code".split(" "));
    return [code, (JSON.parse(stdout) as { finding: string }[]).map(({ finding }) => finding)];
  };
  for (const session of [admin.run, there]) expect((await session(...protect.split(" "))).code).toBe(0);
  expect(await found(admin.run)).toEqual([10, ["single_approver"]]);
  expect(await found(there)).toEqual([10, ["no_approval"]]);
  const two = "envs update canary -p acme/website --set-approval";
  const rules = JSON.parse((await there(..."envs get canary -p acme/website --jq .approval_rules".split(" "))).stdout);
  expect((await there(...two.split(" "), `${rules[0].id}=level:maintainer=2`)).code).toBe(0);
  expect(await found(there)).toEqual([10, ["single_approver"]]);
});

test.each([401, 403, 404])("deployments-approve-themselves: a project answered %i leaves it open", async (status) => {
  const { run: there } = await alteringSession(
    ({ method, path }) =>
      method === "GET" && /\/projects\/[^/?]+$/.test(path) ? { status, body: { message: "no" } } : undefined,
    { asDeployed: true },
  );
  const protect = "envs protect canary -p acme/website --allow level:maintainer --approval level:maintainer=2";
  expect((await there(...protect.split(" "))).code).toBe(0);
  const { code, stdout } = await there(..."envs audit -p acme/website -o json --exit-code".split(" "));
  expect([code, JSON.parse(stdout)]).toEqual([9, [expect.objectContaining({ finding: "unreadable" })]]);
  expect(stdout).toContain("the user who starts a deployment may approve it");
});

test("rules that an old instance shows without IDs are added to, never changed or removed", async () => {
  const withoutIds = (rules: object[] = []) => rules.map((rule) => ({ ...rule, id: undefined }));
  const old = await alteringSession(({ path, method, body }) => {
    if (method !== "GET" || !path.includes("/protected_environments")) return undefined;
    const all = (Array.isArray(body) ? body : [body]) as { deploy_access_levels: object[]; approval_rules: object[] }[];
    const shown = all.map((each) => ({
      ...each,
      deploy_access_levels: withoutIds(each.deploy_access_levels),
      approval_rules: withoutIds(each.approval_rules),
    }));
    return { body: Array.isArray(body) ? shown : shown[0] };
  });
  const all = JSON.parse((await old.run(..."envs list -p 7 -o json".split(" "))).stdout) as {
    name: string;
    deploy_access_levels: object[];
  }[];
  const [production] = all.filter(({ name }) => name === "production");
  const apply = async (deploy_access_levels: object[] = []) => {
    await writeFile(join(old.home, "e.yaml"), JSON.stringify([{ name: "production", deploy_access_levels }]));
    return old.run(..."envs apply -f e.yaml -p 7 --yes -o json".split(" "));
  };
  const changed = await apply([{ access_level: 30 }]);
  expect([changed.code, JSON.parse(changed.stdout)]).toEqual([
    9,
    [expect.objectContaining({ status: "unreadable", error: expect.stringContaining("show no rule IDs") })],
  ]);
  expect(old.seen.filter((line) => line.startsWith("PUT"))).toEqual([]);
  const added = await apply([...(production?.deploy_access_levels ?? []), { access_level: 60 }]);
  expect([added.code, old.seen.filter((line) => line.startsWith("PUT"))]).toEqual([
    0,
    [expect.stringContaining("200")],
  ]);
});

test.each([
  [
    "17.4.0",
    9,
    [
      ["production", "single_approver"],
      ["staging/eu", "unreadable"],
    ],
  ],
  ["16.11.2", 0, [["production", "single_approver"]]],
  [
    undefined,
    9,
    [
      ["production", "single_approver"],
      ["staging/eu", "unreadable"],
    ],
  ],
] as const)("approval-count-ignored: an audit goes by the rules, in release %s", async (version, code, found) => {
  // The number of approvals that was stored before there were rules is still shown.
  const { run } = await alteringSession(
    ({ path, body }) => {
      if (/\/(?:metadata|version)$/.test(path)) return version === undefined ? { status: 403 } : { body: { version } };
      if (!path.includes("/protected_environments")) return undefined;
      const environments = body as { approval_rules: object[] }[];
      const shown = environments.map((each) => ({
        ...each,
        ...{ required_approval_count: 2, deploy_access_levels: [{ id: 1, access_level: 40 }] },
        approval_rules: each.approval_rules.slice(0, 1).map((rule) => ({ ...rule, required_approvals: 1 })),
      }));
      return { body: shown };
    },
    { asDeployed: true },
  );
  const audited = await run(..."envs audit -p 7 -o json".split(" "));
  const rows = JSON.parse(audited.stdout) as { environment: string; finding: string }[];
  expect([audited.code, rows.map(({ environment, finding }) => [environment, finding])]).toEqual([code, found]);
  const whole = JSON.parse((await run(..."audit -p 7 -o json".split(" "))).stdout) as Record<string, string>[];
  const verdicts = whole
    .filter(({ rule }) => rule?.startsWith("envs."))
    .map(({ rule, verdict }) => `${rule} ${verdict}`);
  expect(verdicts.sort()).toEqual([...(code === 9 ? ["envs.no_approval unknown"] : []), "envs.single_approver fail"]);
});

const put = (lines: string[]) => lines.filter((line) => line.startsWith("PUT"));

test("protected-rule-dropped: a rule for who has no access is left out, which is exit 9", async () => {
  const line = "envs protect canary -p 7 --allow level:maintainer --approval user:11=2";
  const { code, stderr } = await run(line);
  expect([code, stderr]).toEqual([9, expect.stringContaining("user:11=2, the instance stored no such rule")]);
  expect((await run("envs update production -p 7 --allow user:11")).code).toBe(9);
});

test("environment-dots: nothing is sent that would change the environment with the name before the dot", async () => {
  const at = await alteringSession(() => undefined, { asDeployed: true });
  const type = (line: string) => at.run(...line.split(" "));
  const shown = async (name: string) => (await type(`envs get ${name} -p 7 -o json`)).stdout;
  await type("envs protect prod.eu -p 7 --allow level:maintainer");
  const cut = await type("envs update prod.eu -p 7 --allow user:6");
  expect([cut.code, cut.stderr]).toEqual([
    3,
    expect.stringContaining("check the name; if it has a dot, some releases cannot change"),
  ]);
  await type("envs protect prod -p 7 --allow level:maintainer");
  const before = await shown("prod");
  at.seen.length = 0;
  const { code, stderr } = await type("envs update prod.eu -p 7 --allow user:6");
  expect([code, stderr]).toEqual([1, expect.stringContaining("some releases change it in place of prod.eu")]);
  await writeFile(
    join(at.home, "e.yaml"),
    JSON.stringify([{ name: "prod.eu", deploy_access_levels: [{ access_level: 40 }, { user_id: 6 }] }]),
  );
  const applied = await type("envs apply -f e.yaml -p 7 --yes -o json");
  expect([applied.code, JSON.parse(applied.stdout)]).toEqual([1, [expect.objectContaining({ status: "failed" })]]);
  expect([put(at.seen), await shown("prod")]).toEqual([[], before]);
  expect((await type("envs update prod -p 7 --allow user:6")).code).toBe(0);
});

test("approvals-end-with-rule: what is lost with an approval rule is said before, and after", async () => {
  const lost = "deployments that wait lose what was approved and rejected";
  const file = join(admin.home, "environments.yaml");
  const all = JSON.parse((await run("envs list -p 7 -o json")).stdout) as { name: string }[];
  await writeFile(file, JSON.stringify(all.map((each) => ({ ...each, approval_rules: [] }))));
  const plan = await run("envs plan -f environments.yaml -p 7");
  expect([plan.code, plan.stdout + plan.stderr]).toEqual([0, expect.stringContaining(lost)]);
  const added = await run("envs update production -p 7 --approval user:6");
  expect([added.code, added.stderr]).toEqual([0, expect.not.stringContaining(lost)]);
  const removed = await run("envs update production -p 7 --remove-approval 1");
  expect(removed.stderr).toContain(`warning: ${lost}`);
  expect(removed.stderr).toMatch(/^undo: .* # deployments that wait lose/m);
  const asked = await run("envs unprotect production -p 7");
  expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining(lost)]);
});
