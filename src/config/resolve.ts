import { Failure, UsageError } from "../base/errors.ts";
import type { Environment, Files, Holder, Processes } from "../host.ts";
import { resolveAddresses } from "./addresses.ts";
import { type FoundCredential, findCredential, jobCredential } from "./credential.ts";
import { type Keyring, systemKeyring } from "./keyring.ts";
import { configFolder } from "./location.ts";
import { type ChosenProfile, chooseProfile } from "./profile.ts";
import { openSecrets } from "./secrets.ts";
import type { ProfilesData } from "./shape.ts";
import { openStore, type ProfileStore } from "./store.ts";
import type { Config, Given, GlobalOptions } from "./types.ts";
import {
  parseConcurrency,
  parseMaxAnswer,
  parseOutput,
  parseRetries,
  parseSwitch,
  parseText,
  parseTimeout,
} from "./values.ts";

export interface ConfigHost {
  /** The global flags, as typed. */
  options: GlobalOptions;
  env: Environment;
  files: Files;
  processes: Processes;
  stdinIsTerminal: boolean;
  stderrIsTerminal: boolean;
  /** The person's home folder. */
  home: string;
  /** As Node names it: `linux`, `darwin`, `win32`. */
  platform: string;
  holder: Holder;
  sleep(ms: number): Promise<void>;
  /** A line on stderr that `--quiet` does not silence. */
  warn(text: string): void;
  /**
   * For the commands that show and mend profiles: a profile that is not there counts as an empty one, and a stored
   * value that is wrong as not set, with a warning.
   */
  tolerant?: boolean;
  /** For the commands that need no profile: a file of profiles that cannot be read counts as an empty one. */
  standalone?: boolean;
  /** The system's own, if none is given. */
  keyring?: Keyring;
}

const defaults = { headerPrefix: "X-Service", timeoutSeconds: 60, retries: 4, concurrency: 10, maxAnswerMiB: 64 };

/** Which folder the profiles are in depends on these. */
const placeVariables = ["FORGECTL_CONFIG_DIR", "XDG_CONFIG_HOME", "APPDATA"];

/** What is in force: flag, environment, profile, default. Reads the file of the profiles and nothing else. */
export async function resolveConfig(host: ConfigHost): Promise<Config> {
  const { options, env, files, platform, warn } = host;
  const store = openStore(host, configFolder(env, host));
  const secrets = openSecrets({ files, store, keyring: host.keyring ?? systemKeyring(), platform, warn });
  const profile = chooseProfile(await readProfiles(store, host), { ...host, folder: store.folder });
  const addresses = resolveAddresses(options, env, profile, warn);
  let found: Promise<FoundCredential> | undefined;
  const findOnce = (): Promise<FoundCredential> => {
    found ??= findCredential({ ...host, ...addresses, secrets, profile: profile && ofCredential(profile) });
    return found;
  };
  return {
    profile: profile && { value: profile.name, source: profile.source },
    baseUrl: addresses.baseUrl,
    registryUrl: addresses.registryUrl,
    ...resolveValues(options, env, profile),
    dryRun: options.dryRun ?? false,
    yes: options.yes ?? false,
    interactive: mayAsk(host),
    quiet: options.quiet ?? false,
    debug: options.debug ?? fromEnvironment(env, "FORGECTL_DEBUG", parseSwitch) ?? false,
    credential: async () => (await findOnce()).credential,
    jobCredential: () => jobCredential({ env, baseUrl: addresses.baseUrl }),
    whyNoCredential: async () => (await findOnce()).refused.join("; ") || undefined,
    store,
    secrets,
    forProfile: (name) =>
      resolveConfig({
        ...host,
        options: { ...options, profile: name, baseUrl: undefined, registryUrl: undefined, input: false },
        env: Object.fromEntries(placeVariables.map((variable) => [variable, env[variable]])),
      }),
  };
}

async function readProfiles(store: ProfileStore, { standalone, warn }: ConfigHost): Promise<ProfilesData> {
  try {
    return await store.read();
  } catch (error) {
    if (!standalone || !(error instanceof Failure)) throw error;
    warn(`${error.message}: ${error.details.reason}`);
    return { current: undefined, profiles: new Map(), rest: {} };
  }
}

/** The instance's address, where nothing can be done without one. */
export function requireBaseUrl(config: Config): string {
  if (config.baseUrl !== undefined) return config.baseUrl.value;
  throw new UsageError("which instance? No base URL was given", {
    code: "missing_base_url",
    hint:
      "give it with --base-url or FORGECTL_BASE_URL, or store it with forgectl auth login (or forgectl profiles set); " +
      "in a CI job it comes from CI_SERVER_URL",
  });
}

/** The container registry's own address, for the few requests that go there. */
export function requireRegistryUrl(config: Config): string {
  if (config.registryUrl !== undefined) return config.registryUrl.value;
  throw new UsageError("which container registry? No registry URL was given", {
    code: "missing_registry_url",
    hint: "give it with --registry-url, FORGECTL_REGISTRY_URL, or a profile's registry-url; in a CI job it comes from CI_REGISTRY",
  });
}

function resolveValues(options: GlobalOptions, env: Environment, profile: ChosenProfile | undefined) {
  const stored = profile?.values ?? {};
  const number = (
    flag: "timeout" | "retries" | "concurrency",
    parse: (text: string, source: string) => number,
    otherwise: number,
  ): number => {
    const typed = options[flag];
    if (typed !== undefined) return parse(String(typed), `--${flag}`);
    const kept = stored[flag];
    return (
      fromEnvironment(env, `FORGECTL_${flag.toUpperCase()}`, parse) ?? (kept === undefined ? otherwise : Number(kept))
    );
  };
  const kept = stored.output;
  return {
    project: given(env, "FORGECTL_PROJECT") ?? ofProfile(profile, "project") ?? given(env, "CI_PROJECT_ID"),
    group: given(env, "FORGECTL_GROUP") ?? ofProfile(profile, "group"),
    output:
      (options.output === undefined ? undefined : parseOutput(options.output, "--output")) ??
      fromEnvironment(env, "FORGECTL_OUTPUT", parseOutput) ??
      (kept === undefined ? undefined : parseOutput(kept, "output")),
    headerPrefix: stored["header-prefix"] ?? defaults.headerPrefix,
    proxy: stored.proxy,
    caFile: caFileOf(options, env, profile),
    certFile: stored["cert-file"],
    keyFile: stored["key-file"],
    timeoutMs: Math.ceil(number("timeout", parseTimeout, defaults.timeoutSeconds) * 1000),
    retries: number("retries", parseRetries, defaults.retries),
    maxAnswerBytes: (fromEnvironment(env, "FORGECTL_MAX_ANSWER", parseMaxAnswer) ?? defaults.maxAnswerMiB) * 1024 ** 2,
    concurrency: number("concurrency", parseConcurrency, defaults.concurrency),
  };
}

/** In force as the base URL is: a CI job's own variable gives way to a profile named with `--profile`. */
function caFileOf(options: GlobalOptions, env: Environment, profile: ChosenProfile | undefined): Given | undefined {
  if (options.caFile !== undefined) return { value: parseText(options.caFile, "--ca-file"), source: "--ca-file" };
  const stored = ofProfile(profile, "ca-file");
  const ofJob = given(env, "CI_SERVER_TLS_CA_FILE");
  return given(env, "FORGECTL_CA_FILE") ?? (profile?.named ? (stored ?? ofJob) : (ofJob ?? stored));
}

/** A value of the environment; an empty one counts as not set. */
function fromEnvironment<T>(env: Environment, name: string, parse: (text: string, source: string) => T): T | undefined {
  const text = env[name];
  return text ? parse(text, name) : undefined;
}

function given(env: Environment, name: string): Given | undefined {
  const value = fromEnvironment(env, name, parseText);
  return value === undefined ? undefined : { value, source: name };
}

function ofProfile(profile: ChosenProfile | undefined, key: "project" | "group" | "ca-file"): Given | undefined {
  const value = profile?.values[key];
  return value === undefined ? undefined : { value, source: `profile ${profile?.name}` };
}

function ofCredential({ name, named, stored, values }: ChosenProfile) {
  return { name, named, stored, baseUrl: values["base-url"] };
}

function mayAsk({ options, env, stdinIsTerminal, stderrIsTerminal }: ConfigHost): boolean {
  if (options.input === false || fromEnvironment(env, "FORGECTL_NO_INPUT", parseSwitch)) return false;
  const inCi = Boolean(env.CI) && !/^(?:0|false)$/i.test(env.CI ?? "");
  return !inCi && stdinIsTerminal && stderrIsTerminal;
}
