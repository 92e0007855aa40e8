import { getOwnToken } from "../../api/endpoints/about.ts";
import { provesToken } from "../../api/scopes.ts";
import { dayMs } from "../../base/duration.ts";
import { groupDigits } from "../../base/wording.ts";
import { unlessRefused } from "../../verbs/optional-call.ts";
import { releaseOf } from "../../verbs/release.ts";
import { roleOf } from "../auth/role.ts";
import { type Answer, askInstance, judgeAnswer } from "./answer.ts";
import { type Check, type Finding, failed, ok, warn } from "./checks.ts";
import { soonMs } from "./network.ts";
import { withScheme } from "./scheme.ts";
import { once, type Subject } from "./subject.ts";

const apiHint = "check that the instance is up, and any proxy in front of it";
const tokenHint = "forgectl auth login stores another token; or set FORGECTL_TOKEN";

/** The instance: its API, the token, its clock, its latency, and its rate limit. */
export function instanceChecks(subject: Subject): Check[] {
  const ask = once(() => askInstance(subject));
  const reading = { sends: true, needs: ["api"] } as const;
  return [
    {
      name: "api",
      sends: true,
      needs: ["tls"],
      after: ["credential"],
      hint: apiHint,
      run: () => withScheme(subject, apiHint, async () => checkApi(subject, await ask())),
    },
    {
      ...reading,
      name: "token",
      needs: ["api", "credential"],
      hint: tokenHint,
      run: async () => checkToken(subject, await ask()),
    },
    { ...reading, name: "clock", hint: "set this machine's clock", run: async () => checkClock(await ask()) },
    { ...reading, name: "latency", hint: "check the network", run: async () => checkLatency(subject, await ask()) },
    { ...reading, name: "rate_limit", hint: "wait a minute", run: async () => checkLimit(await ask()) },
  ];
}

async function checkApi(subject: Subject, answer: Answer): Promise<Finding> {
  const wrong = judgeAnswer(answer, subject);
  if (wrong !== undefined) return wrong;
  const reached = `GET ${answer.path} answered ${answer.status}`;
  if (answer.status >= 300 || subject.credential?.kind === "job") return ok(reached);
  return judgeRelease(reached, await releaseOf(subject.api));
}

/** The release that first had all requests of the documents (hook events came last): major and minor. */
const completeRelease = [17, 3] as const;

function judgeRelease(reached: string, release: unknown): Finding {
  if (typeof release !== "string") return ok(reached);
  const detail = `${reached}, release ${release}`;
  const [major, minor] = release.split(".").map((part) => Number.parseInt(part, 10));
  if (major === undefined || minor === undefined || Number.isNaN(major + minor)) return ok(detail);
  if (major > completeRelease[0] || (major === completeRelease[0] && minor >= completeRelease[1])) return ok(detail);
  return warn(
    `${detail}: older than ${completeRelease.join(".")}, so some commands do not work, such as hooks events and health`,
    "update the instance; the documentation's page on instances says what older releases lack",
  );
}

async function checkToken(subject: Subject, { status, body, failure }: Answer): Promise<Finding> {
  const isJobs = subject.credential?.kind === "job";
  if (isJobs && status === 404) {
    return warn(
      "a job token: this instance does not report its job",
      "run a command that job tokens may: artifacts list",
    );
  }
  if (failure !== undefined && provesToken(failure)) {
    const { reason = failure.message, hint = tokenHint } = failure.details;
    return warn(`an access token that works, but may not read its user: ${reason}`, hint);
  }
  if (failure !== undefined) {
    if (!isJobs && status === 403) return failed(failure.with({ hint: refusedHint }), refusedHint);
    const lasting = isJobs
      ? "a job token is accepted only while its job runs; set an access token in FORGECTL_TOKEN"
      : tokenHint;
    return { ...failed(failure, lasting), hint: lasting };
  }
  return isJobs ? ok(jobWords(body)) : checkAccess(subject, body);
}

/** A token that is not valid is answered 401: with 403 its user is refused. */
const refusedHint =
  "the account is refused, not the token: an administrator can unblock or approve it; or a page of the instance asks " +
  "to accept its terms";

/** `job 1001 (build) of project 7, running, as dev`: apart from this, a job token's access differs by project. */
function jobWords(job: Readonly<Record<string, unknown>>): string {
  const { id, name, status, user, pipeline } = job as {
    [key: string]: unknown;
    user?: { username?: unknown } | null;
    pipeline?: { project_id?: unknown } | null;
  };
  const project = pipeline?.project_id === undefined ? "" : ` of project ${pipeline.project_id}`;
  const whose = user?.username === undefined ? "" : `, as ${user.username}`;
  return `a job token: job ${id} (${name})${project}, ${status}${whose}; few endpoints accept it, and none about users`;
}

async function checkAccess({ api, context }: Subject, user: Readonly<Record<string, unknown>>): Promise<Finding> {
  const own = await unlessRefused(api.call(getOwnToken, {}));
  const until = own?.expires_at;
  const left = typeof until === "string" ? Date.parse(until) - context.now().getTime() : Number.NaN;
  const parts = [
    `an access token of ${user.username} (${roleOf(user)})`,
    Array.isArray(own?.scopes) ? `scopes ${own.scopes.join(", ")}` : "scopes not reported",
    until === null ? "without an expiry date" : Number.isNaN(left) ? "expiry not reported" : `valid until ${until}`,
  ];
  const detail = parts.join(", ");
  if (Number.isNaN(left) || left > soonMs) return ok(detail);
  return warn(
    `${detail}: ${left < -dayMs ? "this date is past" : "it expires soon"}`,
    "create a new token in your settings on the instance, then forgectl auth login",
  );
}

/** `Date` has whole seconds, and is the time when the answer was started. */
const clockToleranceMs = 30_000;

function checkClock({ headers, askedAt }: Answer): Finding {
  const serverMs = Date.parse(headers.date ?? "");
  if (Number.isNaN(serverMs)) return { result: "skipped", detail: "the instance's answer has no Date" };
  const ahead = askedAt - (serverMs + 500);
  if (Math.abs(ahead) <= clockToleranceMs)
    return ok(`agrees with the instance's, within ${Math.ceil(Math.abs(ahead) / 1000)} s`);
  const off = `${duration(Math.abs(ahead))} ${ahead > 0 ? "ahead of" : "behind"} the instance's`;
  return warn(
    `this machine's clock is ${off}`,
    "synchronize it with a time server (NTP): certificates, --older-than, and expiry dates depend on it",
  );
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

const slowMs = 3000;

function checkLatency({ openedMs }: Subject, { tookMs, path }: Answer): Finding {
  const detail = `${Math.round(tookMs)} ms for GET ${path}, ${Math.round(openedMs ?? 0)} ms for a connection alone`;
  if (tookMs < slowMs) return ok(detail);
  return warn(detail, "the network or the instance is slow: set a longer --timeout");
}

function checkLimit({ headers }: Answer): Finding {
  const [limit, left, reset] = ["limit", "remaining", "reset"].map((name) => countIn(headers[`ratelimit-${name}`]));
  if (left === undefined) return ok("the instance reports none");
  const until = reset === undefined || reset < 1e9 ? "" : `, until ${new Date(reset * 1000).toISOString()}`;
  const detail = `${groupDigits(left)} requests left${limit === undefined ? "" : ` of ${groupDigits(limit)}`}${until}`;
  if (left > (limit ?? 0) / 10) return ok(detail);
  return warn(detail, "other programs or a job use the same limit: reduce --concurrency");
}

function countIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}$/.test(text.trim()) ? Number(text) : undefined;
}
