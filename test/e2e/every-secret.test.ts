import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { exampleLines, typist, unattended } from "../support/examples.ts";

// For every command: the credentials of the session are in no trace, error, dry run, or file that the program writes,
// also if a server repeats them in its messages. By default each third command, with all of them in
// FORGECTL_TEST_SECRETS=all.

const all = process.env.FORGECTL_TEST_SECRETS === "all";
const seed = Number(process.env.FORGECTL_TEST_SEED ?? 1);
/** Credentials of the environment that no request of the session carries. */
const unsent = {
  CI_JOB_TOKEN: "job-T0KEN-planted-0123456789",
  CI_JOB_JWT_V2: "ey-planted.jwt+0123/456789",
  CI_REGISTRY_PASSWORD: "registry-planted/9876+54",
  CI_DEPLOY_PASSWORD: "deploy-planted-24680",
  HTTPS_PROXY_URL: "http://user:proxy-planted-13579@proxy.example.com",
};

let echo = false;
const user = await alteringSession(({ method }) => {
  if (!echo || method === "GET") return undefined;
  const told = [token, ...Object.values(unsent)];
  const forms = told.map((each) => `${each}, also as ${encodeURIComponent(`${each}=`)} and ${basic(each)}`);
  const message = `denied for ${forms.join("; ")}`;
  return { status: 400, body: { message, error: message } };
});
const token = user.direct.sandbox.tokens.administrator;
const basic = (text: string) => Buffer.from(`user:${text}`).toString("base64");
const proxyPassword = "proxy-planted-13579";
const secrets = [token, ...Object.values(unsent), proxyPassword].flatMap((each) => [each, basic(each)]);
const type = await typist(user);
const lines = (await exampleLines(all ? undefined : 1)).filter((_, index) => all || index % 3 === seed % 3);

/** Paths of files below a folder that contain a secret. */
function holders(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true)
    .filter((path) => secrets.some((secret) => readFileSync(path).includes(secret)));
}

describe("credentials stay where they were given", () => {
  test.each(lines)("%s", { timeout: 900_000 }, async (line) => {
    const env = {
      ...unsent,
      FORGECTL_DEBUG: "1",
      XDG_CACHE_HOME: join(user.home, "cache"),
      XDG_STATE_HOME: join(user.home, "state"),
    };
    const ways = [`${unattended(line)}${line.includes("|") ? "" : " -n"}`, unattended(line)];
    for (const isEchoed of [false, true]) {
      echo = isEchoed;
      for (const way of ways) {
        const { stdout, stderr } = await type(way, env);
        const shown = secrets.filter((secret) => `${stdout}${stderr}`.includes(secret));
        expect([way, isEchoed, shown, holders(user.home)]).toEqual([way, isEchoed, [], []]);
      }
    }
    expect(holders(user.home)).toEqual([]);
  });
});

test("the token is what commands sign in with, so that it could be shown", async () => {
  const { stdout } = await user.run("auth", "token");
  expect(stdout.trim()).toBe(token);
});
