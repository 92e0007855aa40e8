import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Altered, alteringSession, type Exchange } from "../support/altering-proxy.ts";
import { attack } from "../support/attack.ts";
import { exampleLines, typist, unattended } from "../support/examples.ts";
import { basic, holders, planted, plantedAddress, secretsIn, withPlanted } from "../support/planted.ts";
import { session } from "../support/session.ts";

// For every command: no credential of the session, no secret in the instance's answers, and none that the user gave is
// in a trace, result, error, dry run, or any file that the program writes: temporary ones, plans, journals, records of
// runs. By default each twelfth command, with all of them, and as processes, in FORGECTL_TEST_SECRETS=all.

const all = process.env.FORGECTL_TEST_SECRETS === "all";
const seed = Number(process.env.FORGECTL_TEST_SEED ?? 1);

/**
 * What the instance does: answers, refuses a change and repeats what it got, loses its answer to a change, or refuses
 * to list anything, and repeats what it got.
 */
const answers = ["answers", "repeats", "loses", "lists nothing"] as const;
let how: (typeof answers)[number] = "answers";
const secrets: Record<string, string> = { ...planted };

function alter({ method, path, sent, body, location }: Exchange): Altered {
  // A signed address, as the hosted offering redirects to.
  const signature = new URL(location ?? "http://none").searchParams.get("signature");
  if (signature !== null) secrets.signedUrl = signature;
  const isList = method === "GET" && !/\/(?:users?|version|metadata|(?:projects|groups)\/[^/?]+)(?:\?|$)/.test(path);
  const isRefused = isList ? how === "lists nothing" : method !== "GET" && how === "repeats";
  if (isRefused) return refusal(sent);
  if (method === "GET" || how !== "loses") return typeof body === "object" ? { body: withPlanted(body) } : undefined;
  return "lost";
}

function refusal(sent: unknown): Altered {
  // Its own token, and credentials of the environment that no request carried.
  const known = [token, planted.jobToken, planted.jobJwt, planted.registryPassword, planted.proxyPassword];
  const forms = known.map((each) => `${each}, also as ${encodeURIComponent(`${each}=`)} and ${basic(each)}`);
  const message = `denied for ${forms.join("; ")}; got ${JSON.stringify(sent)}`;
  return { status: 400, body: { message, error: message } };
}

const user = await alteringSession(alter);
const hosted = await alteringSession(alter, { hosting: "hosted" });
const [type, typeHosted] = [await typist(user), await typist(hosted)];
const token = user.direct.sandbox.tokens.administrator;
secrets.token = token;

/** What the user gives, in files outside of where the program writes. */
const given = session().home;
const hook = ["hooks", "create", plantedAddress, "-g", "acme", "--token", planted.hookToken];
const words = [
  [...hook, "--header", `X-A: ${planted.headerValue}`],
  ["hooks", "update", "1", "-g", "acme", "--token", planted.hookToken],
  ["settings", "set", "spamsvc_enabled=true", `spamsvc_api_key=${planted.setting}`],
  // Without the user and the password, for which alone the whole address is left out.
  ["settings", "set", `codesearch_url=${plantedAddress.replace(/\/\/.*@/, "//")}`],
];
const state = `forgectl: 1
settings: { after_sign_up_text: { env: PLANTED }, help_page_text: { file: note.txt } }
groups:
  acme:
    hooks:
      - url: { env: PLANTED_URL }
        token: { file: token.txt }
        custom_headers: [{ key: X-A, value: { env: PLANTED } }]
`;
const files: Readonly<Record<string, string>> = {
  "lines.ndjson": words.map((args) => `${JSON.stringify({ args })}\n`).join(""),
  "projects.txt": "7\n2\n",
  "body.json": JSON.stringify({ url: plantedAddress, token: planted.hookToken }),
  "token.txt": planted.file,
  "note.txt": planted.file,
  "settings.yaml": "signup_enabled: false\n",
  "url.txt": plantedAddress,
  "state.yaml": state,
};
for (const [name, text] of Object.entries(files)) writeFileSync(join(given, name), text, { mode: 0o600 });
const lines = [
  ...words.map((line) => line.map((word) => `'${word}'`).join(" ")),
  `batch ${given}/lines.ndjson --journal journal`,
  `batch ${given}/lines.ndjson`,
  `each --projects-file ${given}/projects.txt -- hooks create '${plantedAddress}' --token ${planted.hookToken}`,
  `api groups/acme/hooks --input ${given}/body.json`,
  `api groups/acme/hooks -H 'X-Own-Token: ${planted.hookToken}' -F url=@${given}/url.txt -F token=@${given}/token.txt`,
  `state plan -f ${given}/state.yaml --save plan.json`,
  "state apply --plan plan.json",
  `state apply -f ${given}/state.yaml`,
  `state plan -f ${given}/state.yaml -o markdown`,
  `settings plan -f ${given}/settings.yaml`,
  `settings apply -f ${given}/settings.yaml`,
  ...["audit", "settings audit", "envs audit -p acme/storefront", "hooks audit -g acme", "job-token audit -p 7"],
  "state show plan.json",
  "state history",
  "state rollback",
  "state export -g acme --dir exported",
  "hooks list -g acme",
  "errors keys list -p 7",
];

const env = {
  CI_JOB_TOKEN: planted.jobToken,
  CI_JOB_JWT_V2: planted.jobJwt,
  HTTPS_PROXY: `http://planted:${planted.proxyPassword}@127.0.0.1:9`,
  FORGECTL_REGISTRY_USER: "planted",
  FORGECTL_REGISTRY_PASSWORD: planted.registryPassword,
  PLANTED: planted.variable,
  PLANTED_URL: plantedAddress,
  FORGECTL_DEBUG: "1",
};

async function judge(line: string): Promise<void> {
  const isHosted = /^forgectl (?:artifacts|uploads|files|relations) /.test(line);
  const { home } = isHosted ? hosted : user;
  const temporary = join(home, "tmp");
  mkdirSync(temporary, { recursive: true });
  const folders = { XDG_CACHE_HOME: join(home, "cache"), XDG_STATE_HOME: join(home, "state") };
  const { stdout, stderr } = await (isHosted ? typeHosted : type)(line, {
    ...env,
    ...folders,
    ...(all && { TMPDIR: temporary }),
  });
  // Written for the deployment that needs it.
  rmSync(join(home, "dsn.txt"), { force: true });
  // The address of a webhook is a result, as the instance shows it.
  const { userinfo, signature, ...others } = secrets;
  const isResult =
    !line.endsWith(" -n") || /^forgectl (?:hooks (?:list|get|health|events)|api groups.acme.hooks --)/.test(line);
  const result = isResult ? others : secrets;
  const found = [...secretsIn(stdout, result), ...secretsIn(stderr, secrets), ...holders(home, secrets)];
  expect([line, how, found]).toEqual([line, how, []]);
}

const ways = (line: string) => [unattended(line), ...(line.includes("|") ? [] : [`${unattended(line)} -n`])];
const examples = (await exampleLines(all ? undefined : 1))
  .filter((_, index) => all || index % 12 === seed % 12)
  .filter((line) => !line.includes("--reveal"));
const attacked = attack(lines.length + examples.length);

describe.each([
  ["lines with secrets", lines],
  ["examples", examples],
] as const)("%s", (_, tried) => {
  test.each(tried)("%s", { timeout: 900_000 }, async (line) => {
    for (const [answer, way] of attacked.cells(
      answers.flatMap((answer) => ways(line).map((way) => [answer, way] as const)),
    )) {
      how = answer;
      await judge(way);
    }
  });
});

test("the token is what commands sign in with, so that it could be shown", async () => {
  const { stdout } = await user.run("auth", "token");
  expect(stdout.trim()).toBe(token);
});

test("a warning has no part of a secret, whatever it quotes", async () => {
  how = "answers";
  const name = `state?token=${planted.signature}.yaml`;
  writeFileSync(join(user.home, name), "forgectl: 1\nprojects: { 'acme/none-*': { protected_branches: [] } }\n");
  const { stderr } = await user.run("state", "plan", "-f", name, { cwd: user.home });
  expect(stderr).toContain("warning: ");
  expect(secretsIn(stderr, planted)).toEqual([]);
});
