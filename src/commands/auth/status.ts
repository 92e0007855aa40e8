import { getOwnToken } from "../../api/endpoints/about.ts";
import { getCurrentUser } from "../../api/endpoints/users.ts";
import { array, boolean, date, entity, nullable, oneOf, type Row as RowOf, string, uncut } from "../../api/field.ts";
import { provesToken } from "../../api/scopes.ts";
import { Failure } from "../../base/errors.ts";
import type { Config } from "../../config/config.ts";
import { tokenVariable } from "../../config/credential.ts";
import { inJob } from "../../config/profile.ts";
import type { Profile } from "../../config/shape.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { concurrently } from "../../jobs/concurrently.ts";
import { unlessRefused } from "../../verbs/optional-call.ts";
import { releaseOf, releaseRequests } from "../../verbs/release.ts";
import { refuseUnknownProfile, tokenPlace } from "../profiles/profile-view.ts";
import { roleOf } from "./role.ts";

const SignIn = entity("SignIn", {
  profile: nullable(uncut("Null for the environment and flags without a profile")),
  current: boolean("Used by the next command"),
  base_url: nullable(uncut()),
  user: nullable(uncut("Username")),
  role: nullable(uncut("administrator or regular")),
  token: uncut("Source of the token"),
  scopes: nullable(array(string("Scopes of the token; null if the instance does not report them"))),
  expires_at: nullable(date("Expiry date of the token; null if it has none, or the instance does not report it")),
  release: nullable(string("Release of the instance; null if not reported")),
  guard: nullable(oneOf(["read-only", "protected"], "What holds back changes there; null for nothing")),
  works: nullable(boolean("Whether it works now; null if not checked", { tones: { yes: "good", no: "bad" } })),
  problem: nullable(uncut()),
});
type Row = RowOf<(typeof SignIn)["shape"]>;

const columns = [
  ...["profile", "current", "base_url", "user", "role", "token"],
  ...["scopes", "expires_at", "release", "guard", "works", "problem"],
];

/** A row of the result before it is checked. */
interface Candidate {
  profile: string | null;
  current: boolean;
  token: string;
  open(): Promise<Config>;
}

export const status = command({
  name: "status",
  summary: "Show all sign-ins, and whether they work",
  details: "One row for each stored profile, and one for the environment. Fails if the current sign-in does not work.",
  params: { offline: boolean("Send nothing: show only what is stored") },
  requests: [getCurrentUser, getOwnToken, ...releaseRequests],
  returns: SignIn,
  prints: "rows",
  examples: [{ line: "auth status" }, { line: "auth status --offline -o json" }],
  related: ["auth login", "profiles list", "users me"],
  async run(context, { offline = false }) {
    await refuseUnknownProfile(context);
    const candidates = await candidatesOf(context);
    if (candidates.length === 0) throw notSignedIn();
    const problems: Problems = { current: undefined };
    return {
      rows: statusRows(context, candidates, offline, problems),
      columns,
      spare: ["release", "scopes", "role"],
      finishes: true,
      // The rows remain valid: programs read from them what does not work.
      until: async (printed) => {
        await printed;
        if (problems.current !== undefined) throw doesNotWork(problems.current);
      },
    };
  },
});

/** Determined while the rows are read. */
interface Problems {
  current: Failure | undefined;
}

async function candidatesOf(context: Context): Promise<Candidate[]> {
  const { config, env } = context;
  const data = await config.store.read();
  const name = config.profile?.value;
  const chosen = name === undefined ? undefined : data.profiles.get(name);
  const byProfile = chosen !== undefined && name !== undefined && isOwn(config, chosen, name, env);
  const stored = [...data.profiles].map(
    ([each, profile]): Candidate => ({
      profile: each,
      current: byProfile && each === name,
      token: tokenPlace(profile),
      open: () => config.forProfile(each),
    }),
  );
  const nothing = config.baseUrl === undefined && environmentToken(env) === undefined;
  if (byProfile || nothing) return stored;
  const token = environmentToken(env) ?? (chosen === undefined ? "none" : tokenPlace(chosen));
  return [{ profile: null, current: true, token, open: async () => config }, ...stored];
}

/** Whether the current configuration is the stored profile: its own address, and its own token. */
function isOwn(config: Config, profile: Profile, name: string, env: Context["env"]): boolean {
  const ownAddress = config.baseUrl === undefined || config.baseUrl.source === `profile ${name}`;
  const has = tokenPlace(profile) !== "none";
  const first = tokenVariable(env) ?? (inJob(env) && env.FORGECTL_JOB_TOKEN ? "FORGECTL_JOB_TOKEN" : undefined);
  const ownToken = first ? has && config.profile?.source === "--profile" : has || !environmentToken(env);
  return ownAddress && ownToken;
}

function environmentToken(env: Context["env"]): string | undefined {
  return tokenVariable(env) ?? ["FORGECTL_JOB_TOKEN", "CI_JOB_TOKEN"].find((name) => env[name]);
}

async function* statusRows(
  context: Context,
  candidates: readonly Candidate[],
  offline: boolean,
  problems: Problems,
): AsyncGenerator<Row> {
  const one = async (candidate: Candidate): Promise<{ row: Row; failure: Failure | undefined }> => {
    const row = unseen(candidate);
    try {
      await fill(context, row, await candidate.open(), offline);
      return { row, failure: undefined };
    } catch (error) {
      if (!(error instanceof Failure) || error.exit === "interrupted") throw error;
      const problem = error.details.reason ?? error.message;
      return { row: { ...row, works: offline ? null : false, problem }, failure: error };
    }
  };
  for await (const { row, failure } of concurrently(candidates, one, {
    limit: context.config.concurrency,
    ordered: true,
  })) {
    if (row.current && !offline) problems.current = failure;
    yield row;
  }
}

function unseen({ profile, current, token }: Candidate): Row {
  const unknown = { base_url: null, user: null, role: null, scopes: null, expires_at: null, release: null };
  return { profile, current, ...unknown, token, guard: null, works: null, problem: null };
}

async function fill(context: Context, row: Row, config: Config, offline: boolean): Promise<void> {
  const { readOnly, protectedBy } = config.guard;
  row.base_url = config.baseUrl?.value ?? null;
  row.guard = readOnly !== undefined ? "read-only" : protectedBy.length > 0 ? "protected" : null;
  if (offline) return;
  const credential = await config.credential();
  if (credential === undefined) {
    throw new Failure("unauthenticated", (await config.whyNoCredential()) ?? "no token");
  }
  if (row.profile === null) row.token = credential.source;
  if (credential.kind === "job") {
    row.problem = "a job token has no user, so it cannot be checked by itself";
    return;
  }
  const api = context.connect(config);
  const user = await api.call(getCurrentUser, {}).catch((error: unknown) => {
    if (!(error instanceof Failure) || !provesToken(error)) throw error;
    row.problem = `the token may not read its user: ${error.details.reason}`;
    return undefined;
  });
  Object.assign(row, user && { user: user.username, role: roleOf(user) }, { works: true });
  const [own, release] = await Promise.all([unlessRefused(api.call(getOwnToken, {})), releaseOf(api)]);
  row.scopes = own?.scopes ?? null;
  row.expires_at = own?.expires_at ?? null;
  row.release = typeof release === "string" ? release : null;
}

function doesNotWork(failure: Failure): Failure {
  const reason = failure.details.reason ?? failure.message;
  return new Failure(failure.exit, "the current sign-in does not work", {
    ...failure.details,
    reason,
    hint: "forgectl auth login",
  });
}

function notSignedIn(): Failure {
  return new Failure("unauthenticated", "not signed in anywhere", {
    code: "no_token",
    hint: "forgectl auth login, or set FORGECTL_BASE_URL and FORGECTL_TOKEN",
  });
}
