import type { Failure } from "../base/errors.ts";
import type { Format } from "../base/format.ts";
import type { Secrets } from "./secrets.ts";
import type { ProfileStore } from "./store.ts";

/** The global flags, as typed; what was not typed is undefined. */
export interface GlobalOptions {
  profile?: string | undefined;
  baseUrl?: string | undefined;
  registryUrl?: string | undefined;
  output?: Format | undefined;
  fields?: string[] | undefined;
  jq?: string | undefined;
  header?: boolean | undefined;
  dryRun?: boolean | undefined;
  yes?: boolean | undefined;
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

/** A value and where it came from: `--base-url`, `FORGECTL_BASE_URL`, `profile work`. */
export interface Given<T = string> {
  value: T;
  source: string;
}

export interface Credential {
  token: string;
  /** `access` goes out as PRIVATE-TOKEN, `job` as JOB-TOKEN. */
  kind: "access" | "job";
  source: string;
}

/** Something wrong with what is configured, and the part of it that it is about. */
export interface Problem {
  about: "config" | "profile" | "base_url" | "registry_url" | "values";
  failure: Failure;
}

/** What is in force: flag, environment, profile, default, in that order. */
export interface Config {
  /** The profile's name, and whether `--profile` named it. */
  readonly profile: Given | undefined;
  /** Normalized: scheme, host, path prefix; no `/api/v4`, no slash at the end. */
  readonly baseUrl: Given | undefined;
  readonly registryUrl: Given | undefined;
  /** Defaults of the scope flags: environment, profile, and for the project `CI_PROJECT_ID`. */
  readonly project: Given | undefined;
  readonly group: Given | undefined;
  readonly output: Format | undefined;
  /** Vendor part of the special headers: `X-Service`. */
  readonly headerPrefix: string;
  readonly proxy: string | undefined;
  /** Certificate authorities beside the system's: the path of a PEM file. */
  readonly caFile: Given | undefined;
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
  readonly timeoutMs: number;
  readonly retries: number;
  /** The most that one JSON answer may have, decoded. */
  readonly maxAnswerBytes: number;
  readonly concurrency: number;
  readonly dryRun: boolean;
  readonly yes: boolean;
  /** Whether the program may ask: off with `--no-input`, off a terminal, and in CI. */
  readonly interactive: boolean;
  readonly quiet: boolean;
  readonly debug: boolean;
  /** The values that are not the default's, without addresses, tokens, and the proxy: each by its profile key. */
  readonly given: readonly (Given & { name: string })[];
  /** What is wrong, where that is to be explained; empty otherwise, since it is an error then. */
  readonly problems: readonly Problem[];
  /** Found late, and once: it may come from the keyring or from a command, which `signal` ends. */
  credential(signal?: AbortSignal): Promise<Credential | undefined>;
  /** A CI job's own token, also where another one is in force. */
  jobCredential(): Credential | undefined;
  /** Why a token that is there was left alone: it was given for another base URL, or it is gone from its place. */
  whyNoCredential(): Promise<string | undefined>;
  /** What is stored, for the commands that show and change it. */
  readonly store: ProfileStore;
  readonly secrets: Secrets;
  /** What a stored profile says by itself, without the addresses and tokens of flags and environment. Never prompts. */
  forProfile(name: string): Promise<Config>;
}
