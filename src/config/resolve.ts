import { isInCi } from "../base/ci.ts";
import { Failure, missing } from "../base/errors.ts";
import type { Environment, Files, Holder, Processes } from "../host.ts";
import { isOfJob, isOfProfile, resolveAddresses } from "./addresses.ts";
import type { Config, Given, GlobalOptions, Problem } from "./config.ts";
import { type FoundCredential, findCredential, jobCredential } from "./credential.ts";
import { guardOf, refuseNo } from "./guard.ts";
import { type Keyring, systemKeyring, type Unwatched } from "./keyring.ts";
import { configFolder } from "./location.ts";
import { type ChosenProfile, chooseProfile, currentIn } from "./profile.ts";
import type { ProfilesData } from "./shape.ts";
import { fromFlag, fromProfile, fromVariable, type Sources, textFrom } from "./sources.ts";
import { openStore, type ProfileStore } from "./store.ts";
import { openSecrets } from "./stored-tokens.ts";
import { noting, strict, type Take } from "./strictness.ts";
import {
  parseConcurrency,
  parseMaxAnswer,
  parseOutput,
  parseRetries,
  parseSwitch,
  parseText,
  parseTimeout,
  parseTypedOutput,
} from "./values.ts";
import { mistypedGuards } from "./variables.ts";

export interface ConfigHost {
  /** The global flags, as typed. */
  options: GlobalOptions;
  env: Environment;
  files: Files;
  processes: Processes;
  stdinIsTerminal: boolean;
  stderrIsTerminal: boolean;
  /** The user's home folder. */
  home: string;
  /** As Node names it: `linux`, `darwin`, `win32`. */
  platform: string;
  holder: Holder;
  sleep(ms: number): Promise<void>;
  /** A line on stderr that `--quiet` does not silence. */
  warn(text: string): void;
  /**
   * For the commands that show and repair profiles: a missing profile counts as empty, and an invalid stored
   * value as not set, with a warning.
   */
  tolerant?: boolean;
  /** For the commands that need no profile: an unreadable profiles file counts as empty. */
  standalone?: boolean;
  /**
   * For the command that explains problems: nothing is an error. Problems of every source are collected in
   * `Config.problems`, and the values count as not set.
   */
  lenient?: boolean;
  /** Stops a command that prints the token. */
  signal?: AbortSignal;
  /** The system's keyring by default. */
  keyring?: Keyring;
  /** Runs what asks that keyring. */
  unwatched?: Unwatched;
}

const defaults = { headerPrefix: "X-Service", timeoutSeconds: 60, retries: 4, concurrency: 10, maxAnswerMiB: 64 };

/** The variables that hold for every profile: the folder of the profiles, and a guard. */
function commonVariables(env: Environment): string[] {
  const guards = ["FORGECTL_READ_ONLY", ...mistypedGuards(env).map(([name]) => name)];
  return ["FORGECTL_CONFIG_DIR", "XDG_CONFIG_HOME", "APPDATA", ...guards];
}

/** Resolves the configuration: flag, environment, profile, default. Reads only the profiles file. */
export async function resolveConfig(host: ConfigHost): Promise<Config> {
  const { options, env, files, warn } = host;
  const folder = configFolder(env, host);
  const store = openStore(host, folder);
  const secrets = openSecrets({ files, store, keyring: host.keyring ?? systemKeyring(host.unwatched), warn });
  const problems: Problem[] = [];
  const take = host.lenient ? noting(problems) : strict;
  const data = await readProfiles(store, host, problems);
  const profile = chooseProfile(data, { ...host, take, folder: store.folder });
  const sources = { options, env, profile, take };
  const addresses = resolveAddresses(sources, warn);
  let found: Promise<FoundCredential> | undefined;
  const findOnce = (signal = host.signal): Promise<FoundCredential> => {
    found ??= findCredential({
      ...host,
      ...addresses,
      secrets,
      profile: profile && ofCredential(profile, store.path, data),
      signal,
    });
    return found;
  };
  const ofJob = () => jobCredential({ env, baseUrl: addresses.baseUrl });
  const guard = guardOf(data, { env, baseUrl: addresses.baseUrl, profile, take });
  refuseNo(options.yesFor, guard);
  return {
    profile: profile && { value: profile.name, source: profile.source },
    currentProfile: currentIn(data, env),
    profileUrl: profile?.values["base-url"],
    hasOtherProfiles: data.profiles.size > 1,
    hasNamedFolder: folder.foundIn === undefined,
    baseUrl: addresses.baseUrl,
    registryUrl: addresses.registryUrl,
    ...resolveValues(sources, addresses.baseUrl),
    dryRun: options.dryRun ?? false,
    yes: options.yes ?? false,
    yesFor: options.yesFor,
    guard,
    interactive: mayAsk(host, take),
    quiet: options.quiet ?? false,
    debug: options.debug ?? fromVariable(sources, "FORGECTL_DEBUG", parseSwitch)?.value ?? false,
    problems,
    credential: async (signal) => (await findOnce(signal)).credential,
    jobCredential: ofJob,
    usedJobCredential: async () => {
      const used = ofJob() === undefined ? undefined : (await findOnce()).credential;
      return used?.kind === "job" ? used : undefined;
    },
    whyNoCredential: async () => (await findOnce()).refused.join("; ") || undefined,
    store,
    secrets,
    isOfSandbox: Boolean(env.FORGECTL_SANDBOX),
    isOfSeveral: false,
    forProfile: async (name) => {
      const own = await resolveConfig({
        ...host,
        options: { ...options, profile: name, baseUrl: undefined, registryUrl: undefined, input: false },
        env: Object.fromEntries(commonVariables(env).map((variable) => [variable, env[variable]])),
      });
      return { ...own, isOfSeveral: true };
    },
  };
}

async function readProfiles(
  store: ProfileStore,
  { standalone, lenient, warn }: ConfigHost,
  problems: Problem[],
): Promise<ProfilesData> {
  try {
    return await store.read();
  } catch (error) {
    if (!(standalone || lenient) || !(error instanceof Failure)) throw error;
    if (lenient) problems.push({ about: "config", failure: error });
    else warn(`${error.message}: ${error.details.reason}`);
    return { current: undefined, profiles: new Map(), rest: {} };
  }
}

/** The instance's address; a UsageError if none is configured. */
export function requireBaseUrl(config: Config): string {
  if (config.baseUrl !== undefined) return config.baseUrl.value;
  throw missing("--base-url <url>", {
    code: "missing_base_url",
    hint:
      "give it with --base-url or FORGECTL_BASE_URL, or store it with forgectl auth login (or forgectl profiles set); " +
      "in a CI job it comes from CI_SERVER_URL",
  });
}

/** The container registry's address; a UsageError if none is configured. */
export function requireRegistryUrl(config: Config): string {
  if (config.registryUrl !== undefined) return config.registryUrl.value;
  throw missing("--registry-url <url>", {
    code: "missing_registry_url",
    hint: "give it with --registry-url, FORGECTL_REGISTRY_URL, or a profile's registry-url; in a CI job it comes from CI_REGISTRY",
  });
}

const numbers = { timeout: parseTimeout, retries: parseRetries, concurrency: parseConcurrency };

/** What a CI job's variables, or a profile, say of the contents of an instance counts for that instance only. */
function resolveValues(sources: Sources, baseUrl: Given | undefined) {
  const { options, env, profile } = sources;
  const ofJob = isOfJob(env, baseUrl);
  const isOwn = isOfProfile(sources, baseUrl);
  const number = (flag: keyof typeof numbers): Given<number> | undefined => {
    const parse = numbers[flag];
    const kept = fromProfile(sources, flag);
    return (
      fromFlag(sources, options[flag], { flag: `--${flag}`, parse }) ??
      fromVariable(sources, `FORGECTL_${flag.toUpperCase()}`, parse) ??
      (kept && { ...kept, value: Number(kept.value) })
    );
  };
  const kept = fromProfile(sources, "output");
  const given = {
    project:
      textFrom(sources, "FORGECTL_PROJECT") ??
      (isOwn ? fromProfile(sources, "project") : undefined) ??
      (ofJob ? textFrom(sources, "CI_PROJECT_ID") : undefined),
    group: textFrom(sources, "FORGECTL_GROUP") ?? (isOwn ? fromProfile(sources, "group") : undefined),
    output:
      fromFlag(sources, options.output, { flag: "--output", parse: parseTypedOutput }) ??
      fromVariable(sources, "FORGECTL_OUTPUT", parseOutput) ??
      (kept && { ...kept, value: parseOutput(kept.value, "output") }),
    "header-prefix": fromProfile(sources, "header-prefix"),
    "ca-file": caFileOf(sources, ofJob),
    "cert-file": fromProfile(sources, "cert-file"),
    "key-file": fromProfile(sources, "key-file"),
    timeout: number("timeout"),
    retries: number("retries"),
    concurrency: number("concurrency"),
    "max-answer": fromVariable({ env, take: sources.take }, "FORGECTL_MAX_ANSWER", parseMaxAnswer),
  };
  return {
    project: given.project,
    group: given.group,
    output: given.output?.value,
    headerPrefix: given["header-prefix"]?.value ?? defaults.headerPrefix,
    proxy: profile?.values.proxy,
    caFile: given["ca-file"],
    certFile: given["cert-file"]?.value,
    keyFile: given["key-file"]?.value,
    timeoutMs: Math.ceil((given.timeout?.value ?? defaults.timeoutSeconds) * 1000),
    retries: given.retries?.value ?? defaults.retries,
    maxAnswerBytes: (given["max-answer"]?.value ?? defaults.maxAnswerMiB) * 1024 ** 2,
    concurrency: given.concurrency?.value ?? defaults.concurrency,
    given: Object.entries(given).flatMap(([name, one]) =>
      one === undefined ? [] : [{ name, value: String(one.value), source: one.source }],
    ),
  };
}

/** Resolved like the base URL: a profile that was named takes precedence over a CI job's variable. */
function caFileOf(sources: Sources, isOfJob: boolean): Given | undefined {
  const { options, profile } = sources;
  const typed = fromFlag(sources, options.caFile, { flag: "--ca-file", parse: parseText });
  if (typed !== undefined) return typed;
  const stored = fromProfile(sources, "ca-file");
  const ofJob = isOfJob ? textFrom(sources, "CI_SERVER_TLS_CA_FILE") : undefined;
  return textFrom(sources, "FORGECTL_CA_FILE") ?? (profile?.explicit ? (stored ?? ofJob) : (ofJob ?? stored));
}

function ofCredential({ name, named, stored, values }: ChosenProfile, path: string, { doubt }: ProfilesData) {
  return { name, named, stored, baseUrl: values["base-url"], path, doubt };
}

function mayAsk({ options, env, stdinIsTerminal, stderrIsTerminal }: ConfigHost, take: Take): boolean {
  if (options.input === false || fromVariable({ env, take }, "FORGECTL_NO_INPUT", parseSwitch)?.value) return false;
  return !isInCi(env) && stdinIsTerminal && stderrIsTerminal;
}
