import type { Failure } from "../base/errors.ts";
import type { Format } from "../base/format.ts";
import type { ProfileStore } from "./store.ts";
import type { Secrets } from "./stored-tokens.ts";

/** The global flags, as typed; undefined if not given. */
export interface GlobalOptions {
  profile?: string | undefined;
  baseUrl?: string | undefined;
  registryUrl?: string | undefined;
  output?: Format | undefined;
  fields?: string[] | undefined;
  jq?: string | undefined;
  header?: boolean | undefined;
  times?: boolean | undefined;
  dryRun?: boolean | undefined;
  yes?: boolean | undefined;
  /** The profile of `--yes=<profile>`. */
  yesFor?: string | undefined;
  input?: boolean | undefined;
  quiet?: boolean | undefined;
  debug?: boolean | undefined;
  caFile?: string | undefined;
  /** Seconds. */
  timeout?: number | undefined;
  retries?: number | undefined;
  concurrency?: number | undefined;
  color?: "auto" | "always" | "never" | undefined;
}

/** A value and its source: `--base-url`, `FORGECTL_BASE_URL`, `profile work`. */
export interface Given<T = string> {
  value: T;
  source: string;
}

export interface Credential {
  token: string;
  /** `access` is sent as PRIVATE-TOKEN, `job` as JOB-TOKEN. */
  kind: "access" | "job";
  source: string;
}

/** A problem with the configuration, and the part that it affects. */
export interface Problem {
  about: "config" | "profile" | "base_url" | "registry_url" | "values";
  failure: Failure;
}

/** What may be changed on the current instance. */
export interface Guard {
  /** What makes it read-only: `profile prod`, `FORGECTL_READ_ONLY`. */
  readOnly: string | undefined;
  /** The profiles that protect it: a change requires one of these names, the first of which is shown. */
  protectedBy: readonly string[];
}

/** The current configuration: flag, environment, profile, default, in that order. */
export interface Config {
  /** The profile's name, and whether `--profile` named it. */
  readonly profile: Given | undefined;
  /** The stored profile that commands use if neither a flag nor a variable names another; none in a CI job. */
  readonly currentProfile: string | undefined;
  /** The address of the profile, which counts if neither a flag nor a variable gives another. */
  readonly profileUrl: string | undefined;
  /** Whether others are stored: `profiles use` makes one of them the current one. */
  readonly hasOtherProfiles: boolean;
  /** Whether a variable named the folder of the profiles: another shell may have others. */
  readonly hasNamedFolder: boolean;
  /** Normalized: scheme, host, path prefix; no `/api/v4`, no slash at the end. */
  readonly baseUrl: Given | undefined;
  readonly registryUrl: Given | undefined;
  /** Defaults of the scope flags: environment, profile, and for the project `CI_PROJECT_ID`. */
  readonly project: Given | undefined;
  readonly group: Given | undefined;
  readonly output: Format | undefined;
  /** Prefix of the vendor's headers: `X-Service`. */
  readonly headerPrefix: string;
  readonly proxy: string | undefined;
  /** Path of a PEM file of certificate authorities, in addition to the system's. */
  readonly caFile: Given | undefined;
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
  readonly timeoutMs: number;
  readonly retries: number;
  /** Maximum size of a decoded JSON answer. */
  readonly maxAnswerBytes: number;
  readonly concurrency: number;
  readonly dryRun: boolean;
  readonly yes: boolean;
  /** The profile of `--yes=<profile>`, which confirms a change where that profile is protected. */
  readonly yesFor: string | undefined;
  /** What may be changed on this instance. */
  readonly guard: Guard;
  /** Whether the program may prompt: not with `--no-input`, without a terminal, or in CI. */
  readonly interactive: boolean;
  readonly quiet: boolean;
  readonly debug: boolean;
  /** The values that differ from the defaults, by profile key; without addresses, tokens, and the proxy. */
  readonly given: readonly (Given & { name: string })[];
  /** The problems, for the command that explains them; empty otherwise, since they are errors then. */
  readonly problems: readonly Problem[];
  /** Looked up once, on first use: it may come from the keyring or from a command, which `signal` stops. */
  credential(signal?: AbortSignal): Promise<Credential | undefined>;
  /** The CI job's token, even if another one is used. */
  jobCredential(): Credential | undefined;
  /**
   * The CI job's token if requests are sent with it. Other tokens are looked up only if there is a job token, so that a
   * token-command is not run before its token is needed.
   */
  usedJobCredential(): Promise<Credential | undefined>;
  /** Why an existing token was not used: it belongs to another base URL. */
  whyNoCredential(): Promise<string | undefined>;
  /** The stored profiles, for the commands that show and change them. */
  readonly store: ProfileStore;
  readonly secrets: Secrets;
  /** It runs in `sandbox exec`, whose addresses are set in no shell. */
  readonly isOfSandbox: boolean;
  /** It is of one of several instances that a command runs on: what the environment holds for one is not for it. */
  readonly isOfSeveral: boolean;
  /** The config of a stored profile, without the addresses and tokens of flags and environment. Never prompts. */
  forProfile(name: string): Promise<Config>;
}
