import { Failure, reasonIn } from "../base/errors.ts";
import { hideInText } from "../base/named-secrets.ts";
import { mask } from "../base/secrets.ts";
import { commandLine } from "../base/shell-words.ts";
import type { Doubt, Environment, Files, Processes } from "../host.ts";
import { isOfJob } from "./addresses.ts";
import type { Config, Credential, Given } from "./config.ts";
import { minCredentialLength } from "./environment.ts";
import { notOwn } from "./own-file.ts";
import { inJob } from "./profile.ts";
import type { Profile } from "./shape.ts";
import { believed } from "./store.ts";
import type { Secrets } from "./stored-tokens.ts";
import { checkToken, firstLine } from "./token.ts";

interface CredentialSources {
  env: Environment;
  files: Pick<Files, "read">;
  processes: Processes;
  secrets: Secrets;
  baseUrl: Given | undefined;
  profile: ProfileSource | undefined;
  /** Stops a command that prints the token. */
  signal?: AbortSignal | undefined;
}

interface ProfileSource {
  name: string;
  named: boolean;
  stored: Profile;
  baseUrl: string | undefined;
  /** The file of the profiles, and why it is not this user's alone, if it is not. */
  path: string;
  doubt: Doubt | undefined;
}

export interface FoundCredential {
  credential: Credential | undefined;
  /** Why an existing token was not used: it is for another address. */
  refused: string[];
}

/**
 * The current token. The environment's takes precedence, except over a profile named with `--profile`. A job token is
 * last, except that in a CI job one of `FORGECTL_JOB_TOKEN` precedes a profile that a variable names. A token that was
 * stored for another base URL is not used.
 */
export async function findCredential(sources: CredentialSources): Promise<FoundCredential> {
  const refused: string[] = [];
  const { profile, env } = sources;
  const ofProfile = () => profileCredential(sources, refused);
  const ofEnvironment = async () => (await environmentCredential(sources)) ?? (inJob(env) ? givenJob(env) : undefined);
  const order = profile?.named ? [ofProfile, ofEnvironment] : [ofEnvironment, ofProfile];
  for (const find of order) {
    const credential = await find();
    if (credential !== undefined) return { credential, refused };
  }
  return { credential: jobCredential(sources, refused), refused };
}

/** The current credential; a Failure if there is none. */
export async function requireCredential(config: Config): Promise<Credential> {
  const credential = await config.credential();
  if (credential !== undefined) return credential;
  const reason = await config.whyNoCredential();
  throw new Failure("unauthenticated", "no token", {
    code: "no_token",
    hint: "forgectl auth login, or set FORGECTL_TOKEN",
    ...(reason !== undefined && { reason }),
  });
}

/** The variables that hold, or lead to, an access token, in the order of precedence. */
export const tokenVariables = ["FORGECTL_TOKEN", "FORGECTL_TOKEN_FILE"] as const;

/** The variable that gives the access token; undefined if none is set. */
export function tokenVariable(env: Environment): (typeof tokenVariables)[number] | undefined {
  return tokenVariables.find((name) => env[name]);
}

async function environmentCredential({
  env,
  files,
}: Pick<CredentialSources, "env" | "files">): Promise<Credential | undefined> {
  const { FORGECTL_TOKEN: token, FORGECTL_TOKEN_FILE: path } = env;
  if (token) return { token: checkToken(token, "FORGECTL_TOKEN"), kind: "access", source: "FORGECTL_TOKEN" };
  return path ? fileCredential(files, path) : undefined;
}

/**
 * The token in a file that the environment names: a mounted secret, which may be another user's, or a link. Without a
 * token in it no other credential is used: the command was meant to act with this one.
 */
async function fileCredential(files: Pick<Files, "read">, path: string): Promise<Credential> {
  const source = "FORGECTL_TOKEN_FILE";
  const fail = (problem: string, more: object = {}) =>
    new Failure("unauthenticated", `${source}: ${path} ${problem}`, {
      code: "token_file",
      hint: "check that the secret is mounted there, and holds the token alone",
      ...more,
    });
  const bytes = await files.read(path, 1024 ** 2).catch((error: unknown) => {
    throw fail("cannot be read", { reason: reasonIn(error), cause: error });
  });
  const token = new TextDecoder().decode(bytes).replace(/(?<![\r\n])(?:\r?\n)+$/, "");
  if (token.trim() === "") throw fail("is empty");
  return { token: checkToken(token, source), kind: "access", source };
}

async function profileCredential(sources: CredentialSources, refused: string[]): Promise<Credential | undefined> {
  const { profile, baseUrl, secrets } = sources;
  if (profile === undefined) return undefined;
  const { name, stored } = profile;
  const command = stored.settings["token-command"];
  const boundTo = command === undefined ? stored.token?.baseUrl : profile.baseUrl;
  if (command === undefined && stored.token === undefined) return undefined;
  if (boundTo === undefined || boundTo !== baseUrl?.value) {
    refused.push(
      `the token of profile ${name} is for ${boundTo ?? "its own base-url, which is not set"}, ` +
        `not for ${baseUrl?.value ?? "no address"}`,
    );
    return undefined;
  }
  if (command !== undefined && profile.doubt !== undefined) throw notOwn(profile.path, profile.doubt, believed);
  if (command !== undefined) return runTokenCommand(sources, command, `profile ${name}, token-command`);
  const token = stored.token && (await secrets.load(name, stored.token));
  if (stored.token === undefined || token === undefined) throw lost(name);
  const place = stored.token.storage === "keyring" ? "keyring" : "credentials file";
  return { token: checkToken(token, `profile ${name}`), kind: "access", source: `profile ${name}, ${place}` };
}

/**
 * Neither without a token, where lists show only what is public, nor with another one: the command was meant to act
 * with this one.
 */
function lost(profile: string): Failure {
  return new Failure("unauthenticated", `the token of profile ${profile} is no longer where it was stored`, {
    code: "no_token",
    hint: `store it again: ${commandLine(["forgectl", "--profile", profile, "auth", "login"])}`,
  });
}

/** Runs a command that prints the token, and uses its first line. */
export async function runTokenCommand(
  { processes, signal }: { processes: Processes; signal?: AbortSignal | undefined },
  command: string,
  source: string,
): Promise<Credential> {
  const { code, stdout, stderr } = await processes.shell(command, signal && { signal });
  if (signal?.aborted) throw new Failure("interrupted", "interrupted");
  if (code !== 0) {
    const said = hideInText(withoutWords(firstLine(stderr.trim()), stdout)).slice(0, 300);
    throw new Failure("unauthenticated", `${source}: the command failed with exit code ${code}`, {
      code: "token_command",
      hint: "run the command by itself to see what is wrong",
      ...(said !== "" && { reason: said }),
    });
  }
  return { token: checkToken(firstLine(stdout), source), kind: "access", source };
}

/** How many words of what a command printed are looked for: a password manager prints few. */
const maxWords = 100;

/** A script that traces itself has what it printed on its stderr, too. */
function withoutWords(text: string, printed: string): string {
  const words = printed.split(/\s+/).filter((word) => word.length >= minCredentialLength);
  // Of two that begin alike, the longer one first.
  const longest = words.slice(0, maxWords).sort((a, b) => b.length - a.length);
  return longest.reduce((left, word) => left.replaceAll(word, mask), text);
}

/** The job token that was given to this program. */
function givenJob(env: Environment): Credential | undefined {
  const token = env.FORGECTL_JOB_TOKEN;
  return token
    ? { token: checkToken(token, "FORGECTL_JOB_TOKEN"), kind: "job", source: "FORGECTL_JOB_TOKEN" }
    : undefined;
}

/** The token of the current CI job. */
export function jobCredential(
  { env, baseUrl }: Pick<CredentialSources, "env" | "baseUrl">,
  refused: string[] = [],
): Credential | undefined {
  const given = givenJob(env);
  if (given !== undefined) return given;
  const token = env.CI_JOB_TOKEN;
  if (!token) return undefined;
  // A job token is valid only on the job's instance, and the current base URL may be another.
  if (env.CI_SERVER_URL && !(baseUrl && isOfJob(env, baseUrl))) {
    refused.push(`CI_JOB_TOKEN is for CI_SERVER_URL, not for ${baseUrl?.value ?? "no address"}`);
    return undefined;
  }
  return { token: checkToken(token, "CI_JOB_TOKEN"), kind: "job", source: "CI_JOB_TOKEN" };
}
