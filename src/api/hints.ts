import { commandLine } from "../base/shell-words.ts";
import type { Access } from "./endpoint.ts";
import type { Json } from "./error-body.ts";
import type { FailedAnswer, FailedCall } from "./failed-call.ts";
import { acceptedInstead, perhapsInstead } from "./job-token.ts";
import { wordsOf } from "./json.ts";
import { isGatewayError } from "./outcome.ts";
import { scopeHint } from "./scopes.ts";

/** The hint for a failed answer: a command to run or a thing to check; undefined if nothing is certain. */
export function hintFor(answer: FailedAnswer, body: Json | undefined, call: FailedCall): string | undefined {
  return spamHint(body) ?? scopeHint(body) ?? hintOf(answer, call);
}

function spamHint(body: Json | undefined): string | undefined {
  if (body?.needs_captcha_response !== true) return undefined;
  return (
    `solve the challenge (site key ${wordsOf(body.captcha_site_key)}) and repeat the command with ` +
    `--captcha-response <answer> ${commandLine(["--spam-log-id", wordsOf(body.spam_log_id)])}`
  );
}

/** The setting of the address that answered. */
export function checkAddress({ base }: FailedCall): string {
  return base === "registry"
    ? "check that the registry URL is the container registry's address: --registry-url, FORGECTL_REGISTRY_URL"
    : "check that the base URL is the instance's address: forgectl auth status";
}

/** A web page, which the API never answers with. */
export function looksLikeHtml(answer: FailedAnswer): boolean {
  return /^\s*<(?:!doctype|html)/i.test(answer.text) || /\bhtml\b/.test(answer.headers["content-type"] ?? "");
}

function hintOf(answer: FailedAnswer, call: FailedCall): string | undefined {
  const { access, credential } = call;
  const offered = offer(access);
  // Not an answer of the API: a proxy's, or another server's.
  if (answer.status < 500 && !isGatewayError(answer.status, answer.headers) && looksLikeHtml(answer))
    return pageHint(answer.status, call);
  switch (answer.status) {
    case 400:
      return listLimitHint(answer, call);
    case 401:
      if (credential === "given") return undefined;
      if (credential === "none") return "sign in with forgectl auth login, or set FORGECTL_TOKEN";
      return credential === "job" ? jobTokenHint(call) : "forgectl auth status";
    case 403:
      if (credential === "given") return undefined;
      return credential === "job" ? jobTokenHint(call, answer.text) : "forgectl auth status";
    case 404: {
      if (credential === "job" && access?.jobToken !== true) return jobTokenHint(call);
      if (credential === "none") return "sign in with forgectl auth login, or set FORGECTL_TOKEN";
      const also = [...(offered === undefined ? [] : [offered]), ...(call.beyond ? [mayLack] : [])];
      if (also.length === 0) return access?.notFound;
      return `${access?.notFound ?? "check the ID or path"}; also, ${also.join(", and ")}`;
    }
    case 409:
      return isRefreshing(answer.status, answer.text) ? "try again shortly" : undefined;
    case 413:
      return tooLargeHint(call);
    case 405:
      if (/offset/i.test(answer.text)) return offsetHint(call);
      return /\bmoved\b/i.test(answer.text)
        ? "name the new path of the project, or its ID: by the old path, instances refuse changes"
        : "this instance does not offer it, because of its release, tier, or kind of hosting";
    case 422:
      return severalLinksHint(answer, call);
    case 429: {
      const wait = answer.headers["retry-after"];
      return wait === undefined
        ? "requests are limited per minute: try again in about a minute"
        : `the instance asks to wait; Retry-After: ${wait}`;
    }
    default:
      return undefined;
  }
}

/** Instances refuse pages past 50,000 rows (offset-limit). */
function offsetHint({ summary, cursor, path }: FailedCall): string {
  if (summary === undefined)
    return "add pagination=keyset and its order to the query, if the list can be read by cursor";
  if (cursor === undefined) return "the rest of the list cannot be read: narrow it";
  const isOrdered = /[?&]order_by=/.test(path) && !path.includes(`order_by=${cursor}`);
  if (isOrdered) return `leave out --order-by: by ${cursor}, the list continues by cursor behind that row`;
  return "leave out --page: with --limit all, the list continues by cursor behind that row";
}

/** One of the allowlists of a project is full (job-token-list-limit). */
function listLimitHint({ text }: FailedAnswer, { path }: FailedCall): string | undefined {
  const [, project] = /\/projects\/([^/]+)\/job_token_scope\//.exec(path) ?? [];
  if (project === undefined || !/exceeds the allowable number of (?:project|group) links/i.test(text)) return undefined;
  return `forgectl ${commandLine(["job-token", "compact", "-p", decodeURIComponent(project)])}`;
}

/** SAML links of two providers may have one name. */
function severalLinksHint({ text }: FailedAnswer, { path }: FailedCall): string | undefined {
  const [, group] = /\/groups\/([^/]+)\/saml_group_links\//.exec(path) ?? [];
  if (group === undefined || !/specify a provider/i.test(text)) return undefined;
  const words = ["saml", "links", "list", "-g", decodeURIComponent(group)];
  return `name the one that is meant with --provider: forgectl ${commandLine(words)}`;
}

const mayLack = "an instance may lack this undocumented request";

/** Firewalls and proxies in front of the instance answer with their own pages. */
function pageHint(status: number, call: FailedCall): string {
  if (status === 413) return tooLargeHint(call);
  if (status === 403 || status === 429) return "a proxy or firewall in front of the instance may have refused it";
  return checkAddress(call);
}

function tooLargeHint({ path }: FailedCall): string {
  if (!/\/uploads\b/.test(path)) return "it is larger than the instance, or a proxy in front of it, accepts";
  return "the instance's limit is its setting max_attachment_size, in MiB: forgectl settings get max_attachment_size";
}

/** Artifacts cannot be deleted while the project's statistics are being recalculated. */
export function isRefreshing(status: number, text: string): boolean {
  // Of whole words: from every `stat` of a long one, the rest of it would be read again.
  return status === 409 && /\bstat\w* refresh|\brefresh\w* stat|being refreshed/i.test(text);
}

/** `1-project-api: Authentication`: where job tokens are accepted; `text`: what the instance answered. */
function jobTokenHint({ access, path }: FailedCall, text = ""): string {
  if (access === undefined) return perhapsInstead;
  if (access.jobToken !== true) return acceptedInstead;
  const running = "a job token is accepted only while its job runs";
  const otherwise = "otherwise set an access token in FORGECTL_TOKEN";
  if (/token permission is required/i.test(text)) {
    return (
      "the allowlist entry of the job's project lacks that permission: in the settings of the project that was asked, " +
      `"Job token permissions"; ${otherwise}`
    );
  }
  if (/\/registry\//.test(path)) return `${running}, and only for the registry of the job's own project; ${otherwise}`;
  return (
    `${running}, for artifacts in the Premium and Ultimate tiers only, and by another project only if that allows it ` +
    "(forgectl job-token projects add); " +
    otherwise
  );
}

/** Where an endpoint exists at all: "this exists in the Premium and Ultimate tiers only". */
function offer(access: Access | undefined): string | undefined {
  const limits: string[] = [];
  if (access?.tier === "premium") limits.push("in the Premium and Ultimate tiers");
  if (access?.tier === "ultimate") limits.push("in the Ultimate tier");
  if (access?.hosting === "hosted") limits.push("on the hosted offering");
  if (access?.hosting === "self-managed") limits.push("on self-managed instances");
  if (access?.since !== undefined) limits.push(`since release ${access.since}`);
  return limits.length === 0 ? undefined : `this exists only ${limits.join(", ")}`;
}
