import { describe, expect, test } from "vitest";
import type { Config, GlobalOptions } from "../../../src/config/config.ts";
import { requireBaseUrl } from "../../../src/config/resolve.ts";
import { failureOf, resolveIn, type Situation } from "./support/machine.ts";

const [A, B, C, D] = [
  "https://a.example.com",
  "https://b.example.com",
  "https://c.example.com",
  "https://d.example.com",
];

function stored(settings: Record<string, unknown>, current: string | undefined = "work"): object {
  return { current, profiles: { work: settings } };
}

/** Removes the sources of a value one by one, the strongest first, and expects the next one to be used. */
interface Ladder {
  read(config: Config): unknown;
  steps: { name: string; situation: Pick<Situation, "options" | "env" | "stored">; value: unknown }[];
  otherwise: unknown;
}

const source = (value: unknown, from: string) => ({ value, source: from });

const ladders: Record<string, Ladder> = {
  profile: {
    read: (config) => config.profile,
    steps: [
      { name: "flag", situation: { options: { profile: "one" } }, value: source("one", "--profile") },
      {
        name: "environment",
        situation: { env: { FORGECTL_PROFILE: "two" } },
        value: source("two", "FORGECTL_PROFILE"),
      },
      {
        name: "current",
        situation: { stored: { current: "three", profiles: { one: {}, two: {}, three: {} } } },
        value: source("three", "current profile"),
      },
    ],
    otherwise: undefined,
  },
  "base URL": {
    read: (config) => config.baseUrl,
    steps: [
      { name: "flag", situation: { options: { baseUrl: `${A}/api/v4/` } }, value: source(A, "--base-url") },
      {
        name: "environment",
        situation: { env: { FORGECTL_BASE_URL: `${B}/` } },
        value: source(B, "FORGECTL_BASE_URL"),
      },
      { name: "CI job", situation: { env: { CI_SERVER_URL: C } }, value: source(C, "CI_SERVER_URL") },
      { name: "profile", situation: { stored: stored({ "base-url": D }) }, value: source(D, "profile work") },
    ],
    otherwise: undefined,
  },
  "registry URL": {
    read: (config) => config.registryUrl,
    steps: [
      { name: "flag", situation: { options: { registryUrl: `${A}/v2/` } }, value: source(A, "--registry-url") },
      {
        name: "environment",
        situation: { env: { FORGECTL_REGISTRY_URL: B } },
        value: source(B, "FORGECTL_REGISTRY_URL"),
      },
      { name: "CI job", situation: { env: { CI_REGISTRY: "c.example.com" } }, value: source(C, "CI_REGISTRY") },
      { name: "profile", situation: { stored: stored({ "registry-url": D }) }, value: source(D, "profile work") },
    ],
    otherwise: undefined,
  },
  project: {
    read: (config) => config.project,
    steps: [
      {
        name: "environment",
        situation: { env: { FORGECTL_PROJECT: "a/b" } },
        value: source("a/b", "FORGECTL_PROJECT"),
      },
      { name: "profile", situation: { stored: stored({ project: 7 }) }, value: source("7", "profile work") },
      { name: "CI job", situation: { env: { CI_PROJECT_ID: "9" } }, value: source("9", "CI_PROJECT_ID") },
    ],
    otherwise: undefined,
  },
  group: {
    read: (config) => config.group,
    steps: [
      { name: "environment", situation: { env: { FORGECTL_GROUP: "a" } }, value: source("a", "FORGECTL_GROUP") },
      { name: "profile", situation: { stored: stored({ group: "b" }) }, value: source("b", "profile work") },
    ],
    otherwise: undefined,
  },
  "CA file": {
    read: (config) => config.caFile?.value,
    steps: [
      { name: "flag", situation: { options: { caFile: "a.pem" } }, value: "a.pem" },
      { name: "environment", situation: { env: { FORGECTL_CA_FILE: "b.pem" } }, value: "b.pem" },
      { name: "CI job", situation: { env: { CI_SERVER_TLS_CA_FILE: "c.pem" } }, value: "c.pem" },
      { name: "profile", situation: { stored: stored({ "ca-file": "/d.pem" }) }, value: "/d.pem" },
    ],
    otherwise: undefined,
  },
  output: {
    read: (config) => config.output,
    steps: [
      { name: "flag", situation: { options: { output: "json" } }, value: "json" },
      { name: "environment", situation: { env: { FORGECTL_OUTPUT: "yaml" } }, value: "yaml" },
      { name: "profile", situation: { stored: stored({ output: "csv" }) }, value: "csv" },
    ],
    otherwise: undefined,
  },
  timeout: {
    read: (config) => config.timeoutMs,
    steps: [
      { name: "flag", situation: { options: { timeout: 1.5 } }, value: 1500 },
      { name: "environment", situation: { env: { FORGECTL_TIMEOUT: "2" } }, value: 2000 },
      { name: "profile", situation: { stored: stored({ timeout: 3 }) }, value: 3000 },
    ],
    otherwise: 60_000,
  },
  retries: {
    read: (config) => config.retries,
    steps: [
      { name: "flag", situation: { options: { retries: 0 } }, value: 0 },
      { name: "environment", situation: { env: { FORGECTL_RETRIES: "1" } }, value: 1 },
      { name: "profile", situation: { stored: stored({ retries: "2" }) }, value: 2 },
    ],
    otherwise: 4,
  },
  concurrency: {
    read: (config) => config.concurrency,
    steps: [
      { name: "flag", situation: { options: { concurrency: 1 } }, value: 1 },
      { name: "environment", situation: { env: { FORGECTL_CONCURRENCY: "2" } }, value: 2 },
      { name: "profile", situation: { stored: stored({ concurrency: 3 }) }, value: 3 },
    ],
    otherwise: 10,
  },
  debug: {
    read: (config) => config.debug,
    steps: [
      { name: "flag", situation: { options: { debug: true } }, value: true },
      { name: "environment", situation: { env: { FORGECTL_DEBUG: "1" } }, value: true },
    ],
    otherwise: false,
  },
};

function together(parts: readonly Pick<Situation, "options" | "env" | "stored">[]): Situation {
  const situation: Situation = {
    options: Object.assign({}, ...parts.map((part) => part.options)),
    env: Object.assign({}, ...parts.map((part) => part.env)),
  };
  const file = parts.find((part) => part.stored !== undefined)?.stored;
  return file === undefined ? situation : { ...situation, stored: file };
}

describe.each(Object.entries(ladders))("%s", (_, { read, steps, otherwise }) => {
  test.each(steps.map((step, index) => ({ ...step, index })))(
    "$name wins over what comes after",
    async ({ index, value }) => {
      const { config } = await resolveIn(together(steps.slice(index).map((step) => step.situation)));
      expect(read(config)).toEqual(value);
    },
  );
  test("nothing given", async () => {
    expect(read((await resolveIn({})).config)).toEqual(otherwise);
  });
  test("an empty variable counts as not set", async () => {
    const names = steps.flatMap((step) => Object.keys(step.situation.env ?? {}));
    const { config } = await resolveIn({ env: Object.fromEntries(names.map((name) => [name, ""])) });
    expect(read(config)).toEqual(otherwise);
  });
});

test("settings that only a profile can have", async () => {
  const settings = {
    "header-prefix": "X-Forge",
    proxy: "http://proxy.example.com:3128",
    "ca-file": "~/ca.pem",
    "cert-file": "/etc/cert.pem",
    "key-file": "key.pem",
  };
  const { config, folder } = await resolveIn({ stored: stored(settings) });
  expect(config).toMatchObject({
    headerPrefix: "X-Forge",
    proxy: "http://proxy.example.com:3128/",
    caFile: { value: "/home/someone/ca.pem", source: "profile work" },
    certFile: "/etc/cert.pem",
    keyFile: `${folder}/key.pem`,
  });
  expect((await resolveIn({})).config.headerPrefix).toBe("X-Service");
});

describe("asking", () => {
  test.each<[string, boolean, Situation]>([
    ["at a terminal", true, {}],
    ["with --no-input", false, { options: { input: false } }],
    ["with FORGECTL_NO_INPUT", false, { env: { FORGECTL_NO_INPUT: "1" } }],
    ["with FORGECTL_NO_INPUT=false", true, { env: { FORGECTL_NO_INPUT: "false" } }],
    ["with stdin from a pipe", false, { stdinIsTerminal: false }],
    ["with stderr in a file", false, { stderrIsTerminal: false }],
    ["with CI", false, { env: { CI: "true" } }],
    ["with CI=woodpecker", false, { env: { CI: "woodpecker" } }],
    ["with CI=false", true, { env: { CI: "false" } }],
    ["with CI empty", true, { env: { CI: "" } }],
  ])("%s: %s", async (_, allowed, situation) => {
    expect((await resolveIn(situation)).config.interactive).toBe(allowed);
  });
});

describe("invalid values", () => {
  const flags: [string, GlobalOptions, RegExp][] = [
    ["--timeout", { timeout: 0 }, /^--timeout: "0" is not a number of seconds above 0 and up to 86400$/],
    ["--timeout", { timeout: Number.NaN }, /^--timeout: "NaN"/],
    ["--timeout", { timeout: Number.POSITIVE_INFINITY }, /^--timeout: "Infinity"/],
    ["--retries", { retries: -1 }, /^--retries: "-1" is not a whole number from 0 to 100$/],
    ["--concurrency", { concurrency: 0 }, /^--concurrency: "0" is not a whole number from 1 to 100$/],
    ["--concurrency", { concurrency: 1.5 }, /^--concurrency: "1.5"/],
    ["--base-url", { baseUrl: "" }, /^--base-url: the address is empty$/],
    ["--profile", { profile: "" }, /^--profile: "" is not a valid profile name$/],
    ["--profile", { profile: "a b" }, /^--profile: "a b" is not a valid profile name$/],
    ["--profile", { profile: "../x" }, /^--profile: "..\/x" is not a valid profile name$/],
  ];
  test.each(flags)("%s %j", async (_, options, message) => {
    const failure = await failureOf(resolveIn({ options }));
    expect([failure.exit, failure.message]).toEqual(["usage", expect.stringMatching(message)]);
  });

  test.each([
    ["FORGECTL_TIMEOUT", "soon"],
    ["FORGECTL_TIMEOUT", "-1"],
    ["FORGECTL_TIMEOUT", "1e"],
    ["FORGECTL_RETRIES", "many"],
    ["FORGECTL_CONCURRENCY", "1000"],
    ["FORGECTL_OUTPUT", "xml"],
    ["FORGECTL_DEBUG", "maybe"],
    ["FORGECTL_NO_INPUT", "maybe"],
    ["FORGECTL_BASE_URL", "forge.example.com"],
    ["FORGECTL_REGISTRY_URL", "registry.example.com"],
    ["CI_SERVER_URL", "forge.example.com"],
    ["CI_REGISTRY", "a b"],
    ["FORGECTL_PROFILE", "no such/name"],
    ["FORGECTL_PROJECT", "  "],
  ])("%s=%s is named", async (name, value) => {
    const failure = await failureOf(resolveIn({ env: { [name]: value } }));
    expect([failure.exit, failure.message.split(":")[0]]).toEqual(["usage", name]);
  });

  test("a variable that a flag overrides is not checked", async () => {
    const env = { FORGECTL_BASE_URL: "?", CI_SERVER_URL: "?", FORGECTL_TIMEOUT: "?", FORGECTL_OUTPUT: "?" };
    const { config } = await resolveIn({ options: { baseUrl: A, timeout: 5, output: "json" }, env });
    expect([config.baseUrl?.value, config.timeoutMs, config.output]).toEqual([A, 5000, "json"]);
  });

  test.each([
    ["base-url", "forge.example.com"],
    ["registry-url", "ftp://x"],
    ["output", "xml"],
    ["timeout", "soon"],
    ["retries", "1.5"],
    ["header-prefix", "X Service"],
    ["proxy", "socks5://user:hunter2@proxy"],
    ["project", ""],
  ])(
    "a profile's %s=%s: the error names the key and the fix; tolerant commands continue without it",
    async (key, value) => {
      const failure = await failureOf(resolveIn({ stored: stored({ [key]: value }) }));
      expect(failure.exit).toBe("usage");
      expect(failure.message).toMatch(new RegExp(`^profile work, ${key}: `));
      expect(failure.message).not.toContain("hunter2");
      expect(failure.details.hint).toBe(`forgectl profiles set work ${key}=...`);
      const { warnings, config } = await resolveIn({ stored: stored({ [key]: value }), tolerant: true });
      expect(warnings).toEqual([failure.message]);
      expect([config.baseUrl, config.output, config.proxy, config.timeoutMs]).toEqual([
        undefined,
        undefined,
        undefined,
        60_000,
      ]);
    },
  );

  test("an invalid value of an inactive profile does no harm", async () => {
    const file = { current: "work", profiles: { work: {}, other: { output: "xml" } } };
    expect((await resolveIn({ stored: file })).config.profile?.value).toBe("work");
  });

  test.each<[string, Situation]>([
    ["--profile", { options: { profile: "wrok" } }],
    ["FORGECTL_PROFILE", { env: { FORGECTL_PROFILE: "wrok" } }],
  ])("%s that is not stored", async (name, situation) => {
    const failure = await failureOf(resolveIn({ ...situation, stored: stored({}) }));
    expect(failure.message).toBe(`${name}: profile "wrok" does not exist`);
    expect(failure.details.hint).toBe("did you mean work? stored: work");
    const nothing = await failureOf(resolveIn(situation));
    expect(nothing.details.hint).toBe("no profile is stored; forgectl auth login stores one");
    expect((await resolveIn({ ...situation, tolerant: true })).config.profile?.value).toBe("wrok");
  });

  test("a missing current profile counts as none", async () => {
    expect((await resolveIn({ stored: { current: "gone" } })).config.profile).toBeUndefined();
  });

  test("a file that is not JSON, or from a newer version, is reported before anything else", async () => {
    expect((await failureOf(resolveIn({ stored: "{" }))).code).toBe("broken_config");
    expect((await failureOf(resolveIn({ stored: '{"version":2}', tolerant: true }))).code).toBe("newer_config");
  });
});

describe("a profile named with --profile", () => {
  const options = { profile: "work" };
  test("overrides the variables of a CI job", async () => {
    const env = { CI_SERVER_URL: C, CI_REGISTRY: "c.example.com" };
    const file = stored({ "base-url": D, "registry-url": D }, undefined);
    const { config } = await resolveIn({ options, env, stored: file });
    expect([config.baseUrl?.value, config.registryUrl?.value]).toEqual([D, D]);
  });
  test("is overridden by FORGECTL_BASE_URL, with a notice", async () => {
    const { config, warnings } = await resolveIn({
      options,
      env: { FORGECTL_BASE_URL: B },
      stored: stored({ "base-url": D }),
    });
    expect(config.baseUrl?.value).toBe(B);
    expect(warnings).toEqual([`FORGECTL_BASE_URL (${B}) is used, not the address of profile work (${D})`]);
  });
});

describe("what a profile says of its own instance", () => {
  const own = { "base-url": D, project: 7, group: "acme", "registry-url": "https://registry.example.com" };
  const read = async (baseUrl: string, settings: object = own) => {
    const { config } = await resolveIn({ options: { baseUrl }, stored: stored({ ...settings }) });
    return [config.project?.value, config.group?.value, config.registryUrl?.value];
  };
  test("is not used for another one", async () => {
    for (const other of [A, `${D}:8443`, `${D}/forge`]) {
      expect([other, await read(other)]).toEqual([other, [undefined, undefined, undefined]]);
    }
    const { config } = await resolveIn({ env: { FORGECTL_BASE_URL: A }, stored: stored(own) });
    expect([config.baseUrl?.value, config.project, config.group, config.registryUrl]).toEqual([
      ...[A, undefined, undefined, undefined],
    ]);
  });
  test("is used for the same one, and without an address of its own for any", async () => {
    const all = ["7", "acme", "https://registry.example.com"];
    for (const same of [D, `${D}./`, D.replace("https", "http")]) expect([same, await read(same)]).toEqual([same, all]);
    const { "base-url": _, ...without } = own;
    expect(await read(A, without)).toEqual(all);
  });
});

test("no base URL at all: the error names every way to set one", async () => {
  const { config } = await resolveIn({});
  const failure = await failureOf((async () => requireBaseUrl(config))());
  expect(failure.exit).toBe("usage");
  for (const way of ["--base-url", "FORGECTL_BASE_URL", "forgectl auth login", "CI_SERVER_URL"]) {
    expect(failure.details.hint).toContain(way);
  }
  expect(requireBaseUrl((await resolveIn({ options: { baseUrl: A } })).config)).toBe(A);
});

test("a profile by itself: no address from flags, nothing from the environment, no prompts", async () => {
  const file = { current: "work", profiles: { work: { "base-url": A }, other: { "base-url": B, timeout: 9 } } };
  const env = {
    FORGECTL_BASE_URL: C,
    FORGECTL_TOKEN: "t",
    FORGECTL_TIMEOUT: "3",
    CI_JOB_TOKEN: "j",
    FORGECTL_PROFILE: "x",
  };
  const { config } = await resolveIn({ stored: file, env, options: { profile: "work", baseUrl: D, retries: 2 } });
  const other = await config.forProfile("other");
  expect(other).toMatchObject({ baseUrl: { value: B }, timeoutMs: 9000, retries: 2, interactive: false });
  expect(await other.credential()).toBeUndefined();
  expect((await failureOf(config.forProfile("nobody"))).code).toBe("unknown_profile");
});

test("one file is read, and nothing else is done", async () => {
  const situation = { stored: stored({ "base-url": A }), env: { FORGECTL_TOKEN: "t" } };
  const { config, folder } = await resolveIn(situation);
  const calls: string[] = [];
  const files = new Proxy(Object.create(null), {
    get: (_, method: string) => async (path: string) => {
      calls.push(`${method} ${path}`);
      return { bytes: new TextEncoder().encode('{"version":1}'), doubt: undefined };
    },
  });
  await resolveIn({ files, env: { FORGECTL_CONFIG_DIR: folder } });
  expect(calls).toEqual([`readOwn ${folder}/profiles.json`]);
  expect(config.baseUrl?.value).toBe(A);
});
