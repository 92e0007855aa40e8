import { Failure } from "../../base/errors.ts";
import { commandLine } from "../../base/shell-words.ts";
import type { Hop, Reply } from "./attempt.ts";
import { sendWithRetries, subjectOf } from "./send-with-retries.ts";
import type { Session } from "./session.ts";

const maxRedirects = 5;
const followed = new Set([301, 302, 303, 307, 308]);
/** The only headers that are sent to another origin, or beside the instance on its own. */
const harmless = new Set(["accept", "accept-encoding", "if-range", "range", "user-agent"]);

/** Sends a request and follows redirects, only for GET and HEAD; another origin or instance gets no credentials. */
export async function follow(session: Session, first: Hop): Promise<Reply> {
  const seen = new Set<string>();
  let status = 0;
  for (let hop = first; ; ) {
    seen.add(hop.url.href);
    const reply = await sendWithRetries(session, hop);
    if (isPublicPart(first, hop, reply)) {
      await reply.exchange.discard();
      throw elsewhere(session, first, hop.url, status);
    }
    const location = reply.headers.location;
    if (reply.status < 300 || reply.status > 399 || reply.status === 304 || location === undefined) return reply;
    const reads = hop.method === "GET" || hop.method === "HEAD";
    if (reads && !followed.has(reply.status)) return reply;
    await reply.exchange.discard();
    status = reply.status;
    const next = nextHop(session, { hop, location, status });
    if (!reads) throw moved(session, hop, next.url, status);
    if (seen.has(next.url.href)) throw refusal(session, hop, "redirect_loop", "redirects in a loop", next.url);
    if (seen.size > maxRedirects)
      throw refusal(session, hop, "too_many_redirects", `redirects more than ${maxRedirects} times`, next.url);
    session.options.trace?.(`    ${status}: redirected to ${session.redactor.url(next.url.href)}`);
    hop = next;
  }
}

/** Whether an API elsewhere answered without the credentials of the request: what it shows is only what is public. */
function isPublicPart(first: Hop, hop: Hop, { whole }: Reply): boolean {
  if (whole === undefined || !hop.url.pathname.includes("/api/v4/")) return false;
  return Object.keys(first.headers).some((name) => !(name in hop.headers));
}

interface Moving {
  hop: Hop;
  location: string;
  status: number;
}

function nextHop(session: Session, { hop, location, status }: Moving): Hop {
  if (!URL.canParse(location, hop.url.href)) {
    throw new Failure("refused", `${hop.url.host} redirects to an invalid address`, {
      ...facts(session, hop),
      status,
    });
  }
  const url = new URL(location, hop.url);
  url.username = "";
  url.password = "";
  url.hash = "";
  if (url.protocol !== "https:" && (url.protocol !== "http:" || hop.url.protocol === "https:")) {
    throw refusal(session, hop, "insecure_redirect", `redirects away from ${hop.url.protocol.slice(0, -1)}`, url);
  }
  const isInside = url.pathname === hop.root || url.pathname.startsWith(`${hop.root}/`);
  if (url.origin === hop.url.origin && isInside) return { ...hop, url };
  // Only contents are stored elsewhere: rows of another server would pass for those of the instance.
  if (hop.whole === true) throw elsewhere(session, hop, url, status);
  const redirectedBy = hop.url.host;
  leaveOutTokens(url);
  const headers = Object.entries(hop.headers).filter(([name]) => harmless.has(name.toLowerCase()));
  return { ...hop, url, headers: Object.fromEntries(headers), redirectedBy };
}

/** Of anything else in the query each byte remains: a storage's signature may cover it as it is written. */
function leaveOutTokens(url: URL): void {
  const isToken = (part: string) => ["job_token", "private_token"].some((name) => new URLSearchParams(part).has(name));
  const parts = url.search.slice(1).split("&");
  if (parts.some(isToken)) url.search = parts.filter((part) => !isToken(part)).join("&");
}

function elsewhere(session: Session, hop: Hop, to: URL, status: number): Failure {
  const place = session.redactor.url(to.origin + to.pathname);
  const base = /^(.*?)\/api\/v4\//.exec(place)?.[1];
  const setting = hop.addressName ?? "--base-url";
  return new Failure("refused", `${hop.url.host} redirects this request to another address: ${place} (${status})`, {
    ...facts(session, hop),
    code: "moved",
    status,
    // Elsewhere than in an API there is no instance: it is a sign-in page, say.
    hint:
      setting === "--base-url" && base
        ? `if the instance moved there: ${commandLine(["--base-url", base])}`
        : `check ${setting}`,
  });
}

function moved(session: Session, hop: Hop, to: URL, status: number): Failure {
  const place = session.redactor.url(to.href);
  return new Failure("refused", `the request was redirected to ${place} (${status})`, {
    ...facts(session, hop),
    code: "moved",
    status,
    hint: "use that address or path",
  });
}

function refusal(session: Session, hop: Hop, code: string, what: string, to: URL): Failure {
  return new Failure("refused", `${hop.url.host} ${what}: last to ${session.redactor.url(to.href)}`, {
    ...facts(session, hop),
    code,
    hint: `check ${hop.addressName ?? "the base URL"}`,
  });
}

function facts(session: Session, hop: Hop): { method: string; path: string } {
  const { method, path } = subjectOf(session, hop);
  return { method, path };
}
