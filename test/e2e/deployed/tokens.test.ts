import { expect, test } from "vitest";
import { sandboxSession, session } from "../../support/session.ts";

const words = (line: string) => line.split(" ");

/** A job of project 7: a job token, and nothing else. */
const inJob = (url: string) => session({ FORGECTL_BASE_URL: url, FORGECTL_JOB_TOKEN: "sandbox-job-token" });

test("job-token-ignored: a private project does not exist for a job token that a route does not accept", async () => {
  const { sandbox } = await sandboxSession({ asDeployed: true });
  const { code, stdout } = await inJob(sandbox.url).run(...words("files cat README.md -p 4 --ref main"));
  // Not found, or refused before it is sent.
  expect([3, 4]).toContain(code);
  expect(stdout).toBe("");
  const open = await inJob(sandbox.url).run(...words("files cat README.md -p acme/website --ref main"));
  expect(open.stdout).toContain("#");
});

test("job-token-permissions: an entry may be limited, which is not shown; one that is added is not limited", async () => {
  const { run, sandbox } = await sandboxSession({ asDeployed: true });
  const cat = words("artifacts cat none --ref main --job none -p 4");
  const refused = await inJob(sandbox.url).run(...cat);
  expect([refused.code, refused.stderr]).toEqual([
    5,
    expect.stringContaining("The following token permission is required: read_jobs"),
  ]);
  expect((await run(...words("job-token projects remove 7 -p 4 --yes"))).code).toBe(0);
  expect((await run(...words("job-token projects add 7 -p 4"))).code).toBe(0);
  expect((await inJob(sandbox.url).run(...cat)).code).toBe(3);
});

test("job-token-limit-enforced: a limit that the instance enforces stays on", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  const enforced = "settings set enforce_ci_inbound_job_token_scope_enabled=true --yes";
  expect((await run(...words(enforced))).code).toBe(0);
  const off = await run(...words("job-token limit off -p acme/docs --yes"));
  expect([off.code, off.stderr]).toEqual([
    9,
    expect.stringContaining("cause: sent enabled false, the instance stored true\n"),
  ]);
  expect((await run(...words("job-token get -p acme/docs --jq .inbound_enabled"))).stdout).toBe("true\n");
});

test("fine-grained-tokens: such a token works for what it has permissions for, and the refusal names what it lacks", async () => {
  const { run } = await sandboxSession({ asDeployed: true, as: "granular" });
  expect((await run(...words("registry list -p 7 --fields id --no-header"))).stdout).toBe("12\n13\n14\n");
  const { code, stderr } = await run(...words("users me"));
  expect([code, stderr]).toEqual([5, expect.stringContaining("[User: Read]")]);
});
