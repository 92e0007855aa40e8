import { Failure, type FailureDetails } from "../../base/errors.ts";
import { isChange } from "../outcome.ts";
import { type Broken, ProxyFailure } from "./broken-exchange.ts";

/** The details of a request that a network error names. */
export interface Subject {
  method: string;
  /** Host and port. */
  host: string;
  /** Path and query, secrets redacted. */
  path: string;
  timeoutMs: number;
  /** It may have been executed already: the answer to an earlier attempt was lost. */
  lost?: boolean;
  /** The name of the address's setting in errors: "the registry URL". */
  addressName?: string | undefined;
  /** The host that redirected the request to this one. */
  redirectedBy?: string | undefined;
  /** Nothing has answered at its address yet. */
  unreached?: boolean;
  /** The status, if the answer had started: its body broke. */
  status?: number;
}

interface Words {
  message: string;
  hint?: string;
}

const untrusted =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER_CERT(_LOCALLY)?|VERIFY_LEAF_SIGNATURE))$/;
const baseUrl = "the base URL";
const caHint =
  "if it is the instance's own authority: --ca-file <PEM file>, FORGECTL_CA_FILE, or " +
  "forgectl profiles set <name> ca-file=<PEM file>";

/** Turns a broken exchange into an error that a user can act on (exit 11). */
export function networkFailure(broken: Broken, subject: Subject, attempts = 1): Failure {
  const cause = broken.cause ?? broken;
  const outcome = outcomeOf(broken, subject);
  const reasons = attempts > 1 ? [`${attempts} attempts were made`] : [];
  if (subject.redirectedBy !== undefined) reasons.unshift(`${subject.redirectedBy} redirected the request to it`);
  const details: FailureDetails = {
    method: subject.method,
    path: subject.path,
    retryable: outcome === undefined && !isCertificate(codeOf(cause)),
    cause,
    ...(subject.status !== undefined && { answered: true }),
    ...(subject.unreached && { unreached: true }),
    ...(outcome !== undefined && { outcome }),
    ...(reasons.length > 0 && { reason: reasons.join("; ") }),
  };
  const { message, hint } = words(broken, subject);
  // The server was reached: the hint is to check the outcome of the change, not the address.
  if (hint && outcome === undefined) details.hint = hintOf(hint, subject);
  return new Failure("network", message, details);
}

/**
 * The outcome of a change whose answer was lost: unknown if the request may have been read; after a 2xx it was made.
 */
function outcomeOf({ stage }: Broken, { method, lost, status = 0 }: Subject): FailureDetails["outcome"] {
  if (!isChange(method) || status >= 300) return undefined;
  if (status >= 200) return "made";
  return lost || stage !== "connect" ? "unknown" : undefined;
}

/** The hint is about the configured address, unless another server redirected to it. */
function hintOf(hint: string, { addressName = baseUrl, redirectedBy }: Subject): string {
  if (!hint.includes(baseUrl)) return hint;
  if (redirectedBy !== undefined)
    return "the instance redirected to that address: check whether it can be reached from here";
  return hint.replace(baseUrl, addressName);
}

const addressHint = `check ${baseUrl}, and that the instance is up and reachable from here: forgectl doctor`;

function words(broken: Broken, { host, timeoutMs }: Subject): Words {
  if (broken.timedOut) return timeoutWords(broken, host, timeoutMs / 1000);
  if (broken.cause instanceof ProxyFailure) return proxyWords(broken.cause, host);
  const code = codeOf(broken.cause);
  const said = connectWords(code, host) ?? tlsWords(code, host);
  if (said) return said;
  if (broken.stage === "body") {
    return { message: `the connection to ${host} broke after ${broken.received} bytes of the answer's body` };
  }
  if (code === headersOverflow) return { message: `${host} answered with headers of more than 16 KiB` };
  if (isForeign(broken.cause)) {
    return { message: `${host} answered with something that is not HTTP`, hint: addressHint };
  }
  const when = broken.stage === "connect" ? "could not be opened" : "broke before an answer arrived";
  return { message: `the connection to ${host} ${when}${code ? ` (${code})` : ""}`, hint: addressHint };
}

function timeoutWords(broken: Broken, host: string, seconds: number): Words {
  const hint = "set a longer --timeout <seconds>";
  if (broken.stage === "connect") return { message: `no connection to ${host} within ${seconds} s`, hint };
  if (broken.stage === "answer") return { message: `no answer from ${host} within ${seconds} s`, hint };
  const after = `after ${broken.received} bytes of the answer's body`;
  return { message: `nothing more was received from ${host} for ${seconds} s, ${after}`, hint };
}

function proxyWords({ proxy, status, cause }: ProxyFailure, host: string): Words {
  const hint =
    "check the proxy's address (profile key `proxy`, HTTPS_PROXY, HTTP_PROXY), or exempt the host with NO_PROXY";
  if (status === undefined) {
    return { message: `the proxy ${proxy} could not be used to reach ${host} (${codeOf(cause) || "no answer"})`, hint };
  }
  const message = `the proxy ${proxy} did not open a tunnel to ${host} (it answered ${status})`;
  return { message, hint: status === 407 ? "check the user and password in the proxy's address" : hint };
}

function connectWords(code: string, host: string): Words | undefined {
  switch (code) {
    case "ENOTFOUND":
      return {
        message: `the host name of ${host} does not exist (DNS)`,
        hint: `check ${baseUrl} for a typo`,
      };
    case "EAI_AGAIN":
      return {
        message: `the host name of ${host} could not be looked up (DNS)`,
        hint: "check the network: forgectl doctor",
      };
    case "ECONNREFUSED":
      return { message: `${host} refused the connection`, hint: addressHint };
    case "ETIMEDOUT":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
    case "ENETDOWN":
    case "EHOSTDOWN":
      return { message: `${host} cannot be reached (${code})`, hint: addressHint };
    default:
      return undefined;
  }
}

function isCertificate(code: string): boolean {
  return untrusted.test(code) || /^(CERT_|ERR_TLS_)/.test(code);
}

function tlsWords(code: string, host: string): Words | undefined {
  if (untrusted.test(code)) return { message: `the certificate of ${host} is not trusted (${code})`, hint: caHint };
  switch (code) {
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return { message: `the certificate of ${host} is for another host name`, hint: `check ${baseUrl}'s host name` };
    case "CERT_HAS_EXPIRED":
      return { message: `the certificate of ${host} has expired`, hint: "tell the instance's administrator" };
    case "CERT_NOT_YET_VALID":
      return { message: `the certificate of ${host} is not valid yet`, hint: "check this machine's clock" };
    case "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED":
    case "ERR_SSL_TLSV1_ALERT_UNKNOWN_CA":
    case "ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE":
      return {
        message: `${host} requires a client certificate, or a different one (${code})`,
        hint: "store it: forgectl profiles set <name> cert-file=<PEM file> key-file=<PEM file>",
      };
    default:
      if (/^(CERT_|ERR_TLS_)/.test(code)) return { message: `the certificate of ${host} is not valid (${code})` };
      if (!/^(EPROTO|ERR_SSL_)/.test(code)) return undefined;
      return {
        message: `${host} does not speak TLS as expected (${code})`,
        hint: "check that https is the right scheme for it",
      };
  }
}

/** Node's or undici's error code; if several addresses were tried, that of the first. */
function codeOf(cause: unknown): string {
  const { code, errors } = (cause ?? {}) as { code?: unknown; errors?: unknown[] };
  if (typeof code === "string") return code;
  return Array.isArray(errors) ? codeOf(errors[0]) : "";
}

const headersOverflow = "UND_ERR_HEADERS_OVERFLOW";

/** The answer was not HTTP; some errors of undici's parser have no code. */
function isForeign(cause: unknown): boolean {
  return cause instanceof Error && cause.name === "HTTPParserError";
}

/** Nothing listens at the address, or the name does not resolve. */
export function isUnreachable({ cause }: Broken): boolean {
  return /^(ECONNREFUSED|ENOTFOUND)$/.test(codeOf(cause instanceof ProxyFailure ? cause.cause : cause));
}

/** A retry fixes neither a certificate nor the scheme. */
export function isPermanent(broken: Broken): boolean {
  const { cause } = broken;
  if (cause instanceof ProxyFailure && cause.status !== undefined) return cause.status < 500;
  const code = codeOf(cause instanceof ProxyFailure ? cause.cause : cause);
  return isCertificate(code) || /^(EPROTO|ERR_SSL_)/.test(code) || code === headersOverflow || isForeign(cause);
}

/** An answer that exceeds the memory limit; `limit` in bytes. */
export function tooLarge({ method, path, host }: Subject, limit: number): Failure {
  return new Failure("refused", `the answer of ${host} is larger than ${limit / 1024 ** 2} MiB`, {
    code: "answer_too_large",
    method,
    path,
    hint: "request fewer rows at once with --per-page, or allow more with FORGECTL_MAX_ANSWER=<MiB>",
    retryable: false,
    ...(isChange(method) && { outcome: "made" }),
  });
}

/** An answer that cannot be decoded. */
export function damaged({ method, path, host, status = 0 }: Subject, problem: string, cause?: unknown): Failure {
  const made = isChange(method) && status < 300;
  return new Failure("network", `the answer of ${host} is damaged: ${problem}`, {
    code: "damaged_body",
    method,
    path,
    answered: true,
    retryable: !made,
    ...(made && { outcome: "made" }),
    cause,
  });
}

/** Ctrl-C, or a termination signal. `sent`: the request, or an earlier attempt, was sent. */
export function interrupted({ method, path }: Pick<Subject, "method" | "path">, sent = false): Failure {
  const unknown = sent && isChange(method);
  return new Failure("interrupted", "interrupted", {
    method,
    path,
    ...(unknown && { outcome: "unknown", retryable: false }),
  });
}
