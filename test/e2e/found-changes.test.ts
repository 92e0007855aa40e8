import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alteringSession, type Exchange } from "../support/altering-proxy.ts";

// A change whose answer was lost, and that a check has found, was made: what fails after it must not say otherwise.

const retries = { env: { FORGECTL_RETRIES: "0" } };

/** A sandbox whose answers to changes are lost, until `isOver`; what is asked after that, `after` may answer. */
async function losing(isOver: () => boolean, after: (exchange: Exchange) => boolean = () => false) {
  let isLost = false;
  return alteringSession(({ method, path, status, ...rest }) => {
    if (isOver()) return undefined;
    if (method !== "GET" && method !== "HEAD") {
      isLost = true;
      return "lost";
    }
    return isLost && after({ method, path, status, ...rest }) ? { status: 403, body: { message: "403" } } : undefined;
  });
}

test.each([
  ["job-token limit on -p 6", "PATCH", "job-token get -p 6"],
  ["ldap links remove -g acme --cn leads --provider ldapmain --yes", "DELETE", "ldap links list -g acme"],
  ["envs protect canary -p 7 --allow user:4", "POST", "envs get canary -p 7"],
  ["settings set signup_enabled=false --yes", "PUT", "settings get signup_enabled"],
  ["job-token apply -f limit.yaml -p acme/storefront --allow-lockout --yes", "PATCH", "job-token get -p 7"],
  ["files put new.txt -p 7 -b main -m m --content x", "POST", "files get new.txt -p 7 --ref main"],
])(
  "%s: a --jq that fails on the result is not exit 2, which means that nothing was sent",
  async (line, method, look) => {
    const { run, direct, home } = await losing(() => false);
    const section = "{ acme/storefront: { job_token_scope: { inbound_enabled: false } } }";
    writeFileSync(join(home, "limit.yaml"), `{ forgectl: 1, projects: ${section} }\n`);
    const { code, stderr } = await run(...line.split(" "), "-o", "json", "--jq", '.x|error("no")', retries);
    const error = stderr.split("\n").find((each) => each.startsWith('{"error"'));
    expect({ code, ...JSON.parse(error ?? "{}").error }).toMatchObject({
      code: "jq_failed",
      ...{ exit: 1, outcome: "made", retryable: false },
      outcome_text: expect.stringContaining(`the change was made: ${method} /api/v4/`),
    });
    expect(code).toBe(1);
    expect(await direct.run(...look.split(" "))).toMatchObject({ code: 0 });
  },
);

test("each: what was found before a later read failed is not made again", async () => {
  let isOver = false;
  let reads = 0;
  const isSecondRead = ({ path }: Exchange) => /protected_environments/.test(path) && ++reads > 1;
  const { run, direct, home } = await losing(() => isOver, isSecondRead);
  writeFileSync(join(home, "projects.txt"), "acme/storefront\n");
  const line = "each --projects-file projects.txt --yes -o json -- envs update production --allow user:6";
  const first = await run(...line.split(" "), retries);
  expect(JSON.parse(first.stdout)).toMatchObject([{ status: "made" }]);
  isOver = true;
  const again = await run(...(/each --resume \S+/.exec(first.stderr)?.[0] ?? line).split(" "), "--yes", "-o", "json");
  expect(again.code).not.toBe(0);
  const users = ".deploy_access_levels | map(select(.user_id == 6)) | length";
  expect(await direct.run("envs", "get", "production", "-p", "7", "--jq", users)).toMatchObject({ stdout: "1\n" });
});

test.each([
  ["each --projects-file projects.txt --yes", "-- errors keys create"],
  ["registry tags delete 12 v1.1.0 v1.1.1 -p 7 --yes", ""],
])("%s %s: a --jq that fails on rows without an answer is not exit 2 either", async (line, inner) => {
  const { run, home } = await losing(
    () => false,
    () => true,
  );
  writeFileSync(join(home, "projects.txt"), "acme/storefront\nacme/docs\n");
  const words = [...line.split(" "), "-o", "json", "--jq", ".[].public_key | ascii_downcase"];
  const { code, stdout, stderr } = await run(...words, ...inner.split(" ").filter(Boolean), retries);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(JSON.parse(stderr).error).toMatchObject({
    code: "jq_failed",
    ...{ exit: 1, outcome: "unknown", retryable: false },
    outcome_text: expect.stringMatching(/^the change may have been made: (?:POST|DELETE) \S+ \(and 1 more\)$/),
    hint: expect.stringMatching(/^check before you run it again/),
  });
});

test.each([
  ["was lost", "lost" as const],
  ["is of something in front of the instance", { body: { received: "ok" } }],
])("each: where others were made, it names the one whose answer %s, too", async (_what, answer) => {
  const { run, home } = await alteringSession(({ method, path }) => {
    return method === "POST" && /docs/.test(path) ? answer : undefined;
  });
  writeFileSync(join(home, "projects.txt"), "acme/storefront\nacme/docs\n");
  const line =
    "each --projects-file projects.txt --yes -o json --jq .[].public_key|ascii_downcase -- errors keys create";
  const { stdout, stderr } = await run(...line.split(" "), retries);
  expect(stdout).toBe("");
  expect(JSON.parse(stderr).error).toMatchObject({
    ...{ code: "jq_failed", exit: 1, outcome: "unknown", retryable: false },
    outcome_text: expect.stringMatching(
      /^the change was made: POST \S+storefront\S+; another one may have been made: POST \S+docs\S+$/,
    ),
    hint: expect.stringMatching(/^check before you run it again/),
  });
});

test("each: of changes that the instance refused for a maintenance, a --jq that fails does not say that they may be made", async () => {
  const { run, home } = await alteringSession(({ method }) => {
    return method === "DELETE" ? { status: 503, body: { message: "under maintenance" } } : undefined;
  });
  writeFileSync(join(home, "projects.txt"), "acme/storefront\n");
  const line = "each --projects-file projects.txt --yes -o json --jq .[].nosuch|ascii_downcase -- errors keys delete 1";
  const { code, stderr } = await run(...line.split(" "), retries);
  expect({ code, ...JSON.parse(stderr).error }).toMatchObject({ code: "jq_failed", outcome: null });
});
