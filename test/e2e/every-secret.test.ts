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
const jobToken = "job-T0KEN-planted-0123456789";

let echo = false;
const user = await alteringSession(({ method }) => {
  if (!echo || method === "GET") return undefined;
  const message = `denied for ${token}, also as ${encodeURIComponent(`${token}=`)} and ${basic(token)}`;
  return { status: 400, body: { message, error: message } };
});
const token = user.direct.sandbox.tokens.administrator;
const basic = (text: string) => Buffer.from(`user:${text}`).toString("base64");
const secrets = [token, jobToken, basic(token), basic(jobToken)];
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
      CI_JOB_TOKEN: jobToken,
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
