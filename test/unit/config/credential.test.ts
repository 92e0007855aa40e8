import { chmod, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { requireCredential } from "../../../src/config/credential.ts";
import { failureOf, memoryKeyring, resolveIn, type Situation, temporary } from "./support/machine.ts";

const [A, B] = ["https://a.example.com", "https://b.example.com"];

function stored(profile: Record<string, unknown>): object {
  return { current: "work", profiles: { work: profile } };
}
const withToken: Situation = {
  stored: stored({ "base-url": A, token: { storage: "file", "base-url": A } }),
  tokens: { [`work@${A}`]: "profile-token" },
};
const access = (token: string, source: string) => ({ token, kind: "access", source });
const job = (token: string, source: string) => ({ token, kind: "job", source });

test.each<[string, Situation, unknown]>([
  ["nothing", {}, undefined],
  ["environment", { env: { FORGECTL_TOKEN: "env-token" } }, access("env-token", "FORGECTL_TOKEN")],
  ["profile", withToken, access("profile-token", "profile work, credentials file")],
  [
    "environment and current profile",
    { ...withToken, env: { FORGECTL_TOKEN: "env-token" } },
    access("env-token", "FORGECTL_TOKEN"),
  ],
  [
    "environment and a profile named in the environment",
    { ...withToken, env: { FORGECTL_TOKEN: "env-token", FORGECTL_PROFILE: "work" } },
    access("env-token", "FORGECTL_TOKEN"),
  ],
  [
    "environment and a profile named with --profile",
    { ...withToken, env: { FORGECTL_TOKEN: "env-token" }, options: { profile: "work" } },
    access("profile-token", "profile work, credentials file"),
  ],
  [
    "environment and a profile named with --profile that has no token",
    { stored: stored({}), env: { FORGECTL_TOKEN: "env-token" }, options: { profile: "work" } },
    access("env-token", "FORGECTL_TOKEN"),
  ],
  ["job", { env: { FORGECTL_JOB_TOKEN: "job-token" } }, job("job-token", "FORGECTL_JOB_TOKEN")],
  ["CI job", { env: { CI_JOB_TOKEN: "ci-token" } }, job("ci-token", "CI_JOB_TOKEN")],
  [
    "job and CI job",
    { env: { FORGECTL_JOB_TOKEN: "job-token", CI_JOB_TOKEN: "ci-token" } },
    job("job-token", "FORGECTL_JOB_TOKEN"),
  ],
  [
    "job and profile",
    { ...withToken, env: { FORGECTL_JOB_TOKEN: "job-token" } },
    access("profile-token", "profile work, credentials file"),
  ],
  ["empty variables", { env: { FORGECTL_TOKEN: "", FORGECTL_JOB_TOKEN: "", CI_JOB_TOKEN: "" } }, undefined],
])("%s", async (_, situation, expected) => {
  const { config } = await resolveIn(situation);
  expect(await config.credential()).toEqual(expected);
});

describe("every combination of sources", () => {
  const variables = ["FORGECTL_TOKEN", "FORGECTL_TOKEN_FILE", "FORGECTL_JOB_TOKEN", "CI_JOB_TOKEN"];
  const choices = ["none", "current", "variable", "flag"] as const;
  type Choice = (typeof choices)[number];

  /** The order in words: who comes first, once for a job and once for anywhere else. */
  function orderOf(isJob: boolean, choice: Choice): string[] {
    if (choice === "flag") return ["profile", ...variables];
    const [access, file, given, own] = variables as [string, string, string, string];
    if (!isJob) return [access, file, "profile", given];
    return choice === "variable" ? [access, file, given, "profile", own] : [access, file, given, own];
  }

  const cases = choices.flatMap((choice) =>
    Array.from({ length: 2 ** variables.length }, (_, bits) => {
      const set = variables.filter((_name, index) => (bits >> index) % 2 === 1);
      return { choice, set, name: `profile: ${choice}; ${set.join(", ") || "no variable"}` };
    }),
  );

  test.each(cases)("$name", async ({ choice, set }) => {
    const folder = await temporary();
    const path = join(folder, "token");
    await writeFile(path, "FORGECTL_TOKEN_FILE-value\n");
    const env: Record<string, string> = {};
    for (const name of set) env[name] = name === "FORGECTL_TOKEN_FILE" ? path : `${name}-value`;
    if (choice === "variable") env.FORGECTL_PROFILE = "work";
    const { config } = await resolveIn({
      ...(choice !== "none" && withToken),
      env,
      ...(choice === "flag" && { options: { profile: "work" } }),
    });
    const present = new Set([...set, ...(choice === "none" ? [] : ["profile"])]);
    const first = orderOf(set.includes("CI_JOB_TOKEN"), choice).find((source) => present.has(source));
    const token = first === undefined ? undefined : first === "profile" ? "profile-token" : `${first}-value`;
    expect((await config.credential())?.token).toBe(token);
  });
});

describe("FORGECTL_TOKEN_FILE", () => {
  const given = async (content: string | undefined, more: Situation = {}) => {
    const path = join(await temporary(), "token");
    if (content !== undefined) await writeFile(path, content);
    const { config } = await resolveIn({ ...more, env: { FORGECTL_TOKEN_FILE: path, ...more.env } });
    return config;
  };

  test.each(["secret-token", "secret-token\n", "secret-token\r\n", "secret-token\n\n"])(
    "%j is the token",
    async (text) => {
      expect(await (await given(text)).credential()).toEqual(access("secret-token", "FORGECTL_TOKEN_FILE"));
    },
  );

  test("a mounted secret is a link to a file that others may read", async () => {
    const folder = await temporary();
    await writeFile(join(folder, "data"), "secret-token\n", { mode: 0o644 });
    await symlink(join(folder, "data"), join(folder, "token"));
    const { config } = await resolveIn({ env: { FORGECTL_TOKEN_FILE: join(folder, "token") } });
    expect((await config.credential())?.token).toBe("secret-token");
  });

  test.each([undefined, "", "\n", " \n"])("%j: no other credential is used in its place", async (text) => {
    const config = await given(text, { ...withToken, env: { CI_JOB_TOKEN: "ci-token", FORGECTL_JOB_TOKEN: "job" } });
    const failure = await failureOf(config.credential());
    expect([failure.exit, failure.code]).toEqual(["unauthenticated", "token_file"]);
    expect(failure.message).toContain("FORGECTL_TOKEN_FILE");
  });

  test("more than a token is refused, and not repeated", async () => {
    const failure = await failureOf((await given("first-half\nsecond-half\n")).credential());
    expect(failure.exit).toBe("usage");
    expect(JSON.stringify([failure.message, failure.details])).not.toContain("half");
  });
});

describe("a token is used for the base URL that it was given for", () => {
  test.each<[string, Situation]>([
    ["flag", { ...withToken, options: { baseUrl: B } }],
    ["environment", { ...withToken, env: { FORGECTL_BASE_URL: B } }],
    ["another scheme", { ...withToken, options: { baseUrl: A.replace("https", "http") } }],
    ["another port", { ...withToken, options: { baseUrl: `${A}:8443` } }],
    [
      "a changed profile",
      { ...withToken, stored: stored({ "base-url": B, token: { storage: "file", "base-url": A } }) },
    ],
  ])("%s elsewhere: not used, with a notice", async (_, situation) => {
    const { config } = await resolveIn(situation);
    expect(await config.credential()).toBeUndefined();
    const reason = `the token of profile work is for ${A}, not for ${config.baseUrl?.value}`;
    expect(await config.whyNoCredential()).toBe(reason);
    const failure = await failureOf(requireCredential(config));
    expect([failure.exit, failure.details.reason]).toEqual(["unauthenticated", reason]);
    expect(failure.details.hint).toContain("FORGECTL_TOKEN");
  });

  test("the same address in another spelling is the same", async () => {
    const { config } = await resolveIn({ ...withToken, options: { baseUrl: `${A.toUpperCase()}/api/v4/` } });
    expect((await requireCredential(config)).token).toBe("profile-token");
  });

  test("the environment's token is for any active base URL", async () => {
    const { config } = await resolveIn({ ...withToken, options: { baseUrl: B }, env: { FORGECTL_TOKEN: "t" } });
    expect((await config.credential())?.token).toBe("t");
  });

  test("a CI job's token is for the job's instance", async () => {
    const env = { CI_JOB_TOKEN: "ci-token", CI_SERVER_URL: `${A}/` };
    expect((await (await resolveIn({ env })).config.credential())?.token).toBe("ci-token");
    const { config } = await resolveIn({ env, options: { baseUrl: B } });
    expect(await config.credential()).toBeUndefined();
    expect(await config.whyNoCredential()).toBe(`CI_JOB_TOKEN is for CI_SERVER_URL, not for ${B}`);
  });

  test("a token command is for its profile's base URL", async () => {
    const { config } = await resolveIn({
      stored: stored({ "base-url": A, "token-command": "echo never >&2; exit 1" }),
      options: { baseUrl: B },
    });
    expect(await config.credential()).toBeUndefined();
    expect(await config.whyNoCredential()).toBe(`the token of profile work is for ${A}, not for ${B}`);
  });

  test("a token command of a profile without a base URL is for none", async () => {
    const { config } = await resolveIn({ stored: stored({ "token-command": "echo t" }), options: { baseUrl: B } });
    expect(await config.credential()).toBeUndefined();
    expect(await config.whyNoCredential()).toContain("its own base-url, which is not set");
  });
});

describe("an invalid token is refused, and not repeated", () => {
  test.each([
    ["hunter2\n", "contains a line break"],
    ["hunter2\r\nX-Evil: 1", "contains a line break"],
    ["hunter2 ", "contains white space"],
    ["hun\u0000ter2", "contains control characters"],
    ["hunter2é", "contains characters that are not valid in a token"],
    ["“hunter2”", "contains characters that are not valid in a token"],
  ])("%j", async (token, problem) => {
    for (const name of ["FORGECTL_TOKEN", "FORGECTL_JOB_TOKEN", "CI_JOB_TOKEN"]) {
      const { config } = await resolveIn({ env: { [name]: token } });
      const failure = await failureOf(config.credential());
      expect([failure.exit, failure.message]).toEqual(["usage", `${name}: the token ${problem}`]);
      expect(JSON.stringify(failure.details)).not.toContain("hunter2");
    }
  });
});

describe("a token command", () => {
  const run = async (command: string) =>
    (await resolveIn({ stored: stored({ "base-url": A, "token-command": command }) })).config;

  test("its first line is the token", async () => {
    const config = await run("printf 'to''ken\\r\\nmore\\n'; echo noise >&2");
    expect(await config.credential()).toEqual(access("token", "profile work, token-command"));
  });

  test("what a failing one has printed is not shown, where its stderr has it as well", async () => {
    const reason = async (command: string) => {
      const error = await Promise.resolve((await run(command)).credential()).catch((thrown: unknown) => thrown);
      return (error as { details: { reason: string } }).details.reason;
    };
    expect(await reason("set -x; echo glpat-S3cret-000; false")).toBe("+ echo [redacted]");
    expect(await reason("echo 'PRIVATE-TOKEN: glpat-0' >&2; false")).toBe("PRIVATE-TOKEN: [redacted]");
  });

  test("it runs once, and not before the token is needed", async () => {
    const lines: string[] = [];
    const processes = {
      run: () => Promise.reject(new Error("not this one")),
      shell: async (line: string) => {
        lines.push(line);
        return { code: 0, stdout: "token\n", stderr: "" };
      },
    };
    const settings = { "base-url": A, "token-command": "pass show forge" };
    const { config } = await resolveIn({ processes, stored: stored(settings) });
    expect(lines).toEqual([]);
    await Promise.all([config.credential(), config.credential(), config.whyNoCredential()]);
    expect(lines).toEqual(["pass show forge"]);
  });

  test("it is not run if the environment has a token", async () => {
    const settings = { "base-url": A, "token-command": "exit 1" };
    const { config } = await resolveIn({ stored: stored(settings), env: { FORGECTL_TOKEN: "t" } });
    expect((await config.credential())?.token).toBe("t");
  });

  test.each([
    ["echo 'vault is sealed' >&2; exit 3", "unauthenticated", "the command failed with exit code 3", "vault is sealed"],
    [
      "echo; echo '  hunter2-hunter2 '; echo got hunter2-hunter2 >&2; exit 1",
      "unauthenticated",
      "the command failed with exit code 1",
      "got [redacted]",
    ],
    ["kill -TERM $$", "unauthenticated", "the command failed with exit code 143", undefined],
    ["true", "usage", "the token is empty", undefined],
    ["echo 'hunter2 x'", "usage", "the token contains white space", undefined],
  ])("%s", async (command, exit, message, reason) => {
    const failure = await failureOf((await run(command)).credential());
    expect([failure.exit, failure.message]).toEqual([exit, `profile work, token-command: ${message}`]);
    expect(failure.details.reason).toBe(reason);
  });
});

describe("an interrupted token command is not a missing token", () => {
  const settings = { "base-url": A, "token-command": "sleep 20" };
  test("by a signal to this program alone", async () => {
    const stop = new AbortController();
    const { config } = await resolveIn({ stored: stored(settings), signal: stop.signal });
    const failure = failureOf(config.credential());
    setTimeout(() => stop.abort(), 50);
    expect((await failure).exit).toBe("interrupted");
  });
  test("by Ctrl-C that reaches the command first", async () => {
    const stop = new AbortController();
    const killed = stored({ ...settings, "token-command": "kill -INT $$" });
    const { config } = await resolveIn({ stored: killed, signal: stop.signal });
    const failure = failureOf(config.credential());
    setTimeout(() => stop.abort(), 100);
    expect((await failure).exit).toBe("interrupted");
  });
  test.each(["exit 130", "kill -INT $$"])("but %s without Ctrl-C is a failure of the command", async (line) => {
    const { signal } = new AbortController();
    const { config } = await resolveIn({ stored: stored({ ...settings, "token-command": line }), signal });
    expect(await failureOf(config.credential())).toMatchObject({ exit: "unauthenticated", code: "token_command" });
  });
});

describe("stored tokens", () => {
  const kept = stored({ "base-url": A, token: { storage: "keyring", "base-url": A } });

  test("from the keyring", async () => {
    const keyring = memoryKeyring();
    keyring.accounts.set(`work@${A}`, "kept");
    const { config } = await resolveIn({ stored: kept, keyring });
    expect(await config.credential()).toEqual(access("kept", "profile work, keyring"));
  });

  test("missing in the keyring", async () => {
    const { config } = await resolveIn({ stored: kept, keyring: memoryKeyring() });
    expect(await failureOf(config.credential())).toMatchObject({
      exit: "unauthenticated",
      code: "no_token",
      message: "the token of profile work is no longer where it was stored",
    });
  });

  test("missing: no other one is sent to the instance of the profile that was named", async () => {
    const env = { FORGECTL_TOKEN: "of-another-instance", FORGECTL_JOB_TOKEN: "of-a-job", CI_JOB_TOKEN: "of-a-job" };
    const { config } = await resolveIn({ stored: kept, keyring: memoryKeyring(), options: { profile: "work" }, env });
    expect(await failureOf(config.credential())).toMatchObject({ exit: "unauthenticated", code: "no_token" });
  });

  test("the keyring does not answer: an error, not a request without a token", async () => {
    const { config } = await resolveIn({ stored: kept });
    const failure = await failureOf(config.credential());
    expect([failure.exit, failure.code, failure.details.reason]).toEqual([
      "unauthenticated",
      "no_keyring",
      "no secret service",
    ]);
  });

  test("a file that others can read or write, of another user, or behind a link is refused", async () => {
    const { config, folder, warnings } = await resolveIn(withToken);
    const path = join(folder, "credentials.json");
    await chmod(path, 0o640);
    const failure = await failureOf(config.credential());
    expect([failure.exit, failure.message, failure.details.reason, failure.details.hint]).toEqual([
      "usage",
      `${path} can be read or written by others`,
      "the file of the tokens must be a private file of this user",
      `check what is in it, then: chmod 600 ${path}`,
    ]);
    expect(warnings).toEqual([]);
    // Storing a token would make the others in the file this user's.
    const storing = config.secrets.save("work", "https://other.example.com", "t", { insecure: true });
    expect((await failureOf(storing)).message).toBe(failure.message);
  });

  test("a damaged token file is named, and its content is not repeated", async () => {
    const { config, folder } = await resolveIn({ ...withToken, tokens: ["hunter2"] as never });
    const failure = await failureOf(config.credential());
    expect([failure.exit, failure.message]).toEqual(["usage", `${join(folder, "credentials.json")} is not valid`]);
    expect(JSON.stringify(failure.details)).not.toContain("hunter2");
  });
});
