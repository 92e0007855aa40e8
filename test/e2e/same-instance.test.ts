import { describe, expect, test } from "vitest";
import { json, signedIn } from "../support/answering.ts";

// What a failure suggests is pasted as it is: it must not reach the instance of the current profile instead.

/** An instance where the tag `bad` cannot be deleted, stored as the profile `staging`, which is not the current one. */
async function twoInstances() {
  const admin = await signedIn((request, response) => {
    const isRefused = request.method === "DELETE" && request.url?.endsWith("/bad");
    response.writeHead(isRefused ? 403 : 200, { "content-type": "application/json" });
    response.end(isRefused ? `{"message":"no"}` : `{"id":7,"username":"root"}`);
  });
  const { FORGECTL_BASE_URL: url = "" } = admin.env;
  const env = { FORGECTL_BASE_URL: undefined };
  await admin.run("profiles", "set", "production", "base-url=https://forge.invalid");
  await admin.run("profiles", "set", "staging", `base-url=${url}`);
  const elsewhere = `${admin.home}/elsewhere`;
  await admin.run("profiles", "set", "staging", `base-url=${url}`, { env: { FORGECTL_CONFIG_DIR: elsewhere } });
  const hint = async (args: readonly string[], input = "", more: Readonly<Record<string, string>> = {}) => {
    const { stderr } = await admin.run("--yes", ...args, { env: { ...env, ...more }, input });
    return /^try: +(.*)$/m.exec(stderr)?.[1] ?? stderr;
  };
  return { url, hint, elsewhere };
}

describe("the command for the rest has the flags that selected the instance", () => {
  const items = ["registry", "tags", "delete", "12", "good", "bad", "-p", "7"];

  test("of a command with a list", async () => {
    const { url, hint } = await twoInstances();
    const rest = "registry tags delete 12 bad -p 7 --yes";
    expect(await hint(["--profile", "staging", ...items])).toBe(`forgectl --profile staging ${rest}`);
    expect(await hint([...items, "--base-url", url])).toBe(`forgectl --base-url ${url} ${rest}`);
  });

  // `FORGECTL_PROFILE=staging forgectl …` sets it for one line: the next is for the current profile.
  test("if a variable gave it, and another profile is the current one", async () => {
    const { url, hint } = await twoInstances();
    const rest = "registry tags delete 12 bad -p 7 --yes";
    expect(await hint(items, "", { FORGECTL_PROFILE: "staging" })).toBe(`forgectl --profile staging ${rest}`);
    expect(await hint(items, "", { FORGECTL_BASE_URL: url })).toBe(`forgectl --base-url ${url} ${rest}`);
  });

  test("if a variable named the folder of its profile", async () => {
    const { url, hint, elsewhere } = await twoInstances();
    const rest = "registry tags delete 12 bad -p 7 --yes";
    expect(await hint(items, "", { FORGECTL_CONFIG_DIR: elsewhere })).toBe(`forgectl --base-url ${url} ${rest}`);
    const other = await hint([...items, "--base-url", url], "", { FORGECTL_CONFIG_DIR: elsewhere });
    expect(other).toBe(`forgectl --base-url ${url} ${rest}`);
  });

  test("of a recorded run", async () => {
    const { hint } = await twoInstances();
    const lines = ["good", "bad"].map((tag) => ({ args: ["registry", "tags", "delete", "12", tag, "-p", "7"] }));
    const input = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    const rest = /^forgectl --profile staging batch - --resume \S+ --yes$/;
    expect(await hint(["batch", "--profile", "staging"], input)).toMatch(rest);
  });

  test("of one item, whose own command had several", async () => {
    const { hint } = await twoInstances();
    const line = JSON.stringify({ args: items });
    const rest = /^forgectl --profile staging batch - --resume \S+ --yes$/;
    expect(await hint(["batch", "--profile", "staging"], `${line}\n`)).toMatch(rest);
    const each = ["each", "--profiles", "staging", "--", ...items.slice(0, -1), "acme/x"];
    expect(await hint(each)).toMatch(/^forgectl --yes each --resume \S+$/);
  });
});

test("settings diff signs in where it was refused", async () => {
  const { run, env } = await signedIn(json(401, '{"message":"401 Unauthorized"}'));
  const { FORGECTL_BASE_URL: url = "" } = env;
  await run("profiles", "set", "production", `base-url=${url}`);
  await run("profiles", "set", "staging", `base-url=${url.replace("/forge", "/staging")}`);
  const named = { env: { FORGECTL_BASE_URL: undefined } };
  const { stderr } = await run("settings", "diff", "staging", "staging", "--jq", ".", named);
  expect(stderr).toMatch(/^try: .*forgectl --profile staging auth login/m);
});

test("doctor signs in where it has looked", async () => {
  const { run, env } = await signedIn(json(401, '{"message":"401 Unauthorized"}'));
  await run("profiles", "set", "production", "base-url=https://forge.invalid");
  await run("profiles", "set", "staging", `base-url=${env.FORGECTL_BASE_URL}`);
  const named = { env: { FORGECTL_BASE_URL: undefined } };
  const login = '.[] | select(.check == "token").hint';
  const { stdout } = await run("doctor", "--profile", "staging", "--jq", login, named);
  expect(stdout).toMatch(/^forgectl --profile staging auth login /);
});
