import { Broken, ProxyFailure } from "../../api/transport/broken-exchange.ts";
import type { Certificate, Probe } from "../../api/transport/message.ts";
import { networkFailure } from "../../api/transport/network-failure.ts";
import { type ProxyChoice, proxyFor } from "../../api/transport/proxy.ts";
import { dayMs } from "../../base/duration.ts";
import { Failure } from "../../base/errors.ts";
import { insecure } from "../../config/address.ts";
import { type Check, type Finding, failed, ok, warn } from "./checks.ts";
import { once, type Subject } from "./subject.ts";

/** A certificate or a token that expires within this time is a warning. */
export const soonMs = 14 * dayMs;

const reachHint = "check that the instance is up, and that no firewall blocks it";

/** The network path of requests: proxy, name, connection, TLS. */
export function networkChecks(subject: Subject): Check[] {
  const { api } = subject;
  const probe = once(() => api.probe());
  return [
    {
      name: "proxy",
      needs: ["base_url"],
      hint: "check HTTPS_PROXY, HTTP_PROXY, and ALL_PROXY, or the profile key proxy",
      run: async () => checkProxy(subject),
    },
    {
      name: "dns",
      sends: true,
      needs: ["proxy"],
      hint: "check the base URL for a typo, and this machine's name servers",
      run: () => checkName(subject),
    },
    {
      name: "connection",
      sends: true,
      needs: ["dns"],
      hint: reachHint,
      run: async () => {
        const { peer, openedMs, failure } = await probe().catch(withoutCertificates);
        if (peer === undefined && failure !== undefined) return failed(failure, reachHint);
        if (peer === undefined) return { result: "skipped", detail: "values failed", because: "values" };
        subject.openedMs = openedMs;
        const { proxy } = proxyOf(subject);
        return ok(proxy === undefined ? `to ${peer}` : `to ${peer}, the proxy`);
      },
    },
    {
      name: "tls",
      sends: true,
      needs: ["connection"],
      hint: "check that https is the right scheme for it; set your own authority with --ca-file",
      run: async () => {
        const { certificate, failure } = await probe();
        return checkTls(subject, certificate, failure && failed(failure, "tell the instance's administrator"));
      },
    },
  ];
}

/** The files of certificates could not be read, which another check reports: nothing was opened. */
function withoutCertificates(error: unknown): Probe {
  if (error instanceof Failure && error.code === "bad_certificate")
    return { peer: undefined, openedMs: 0, certificate: undefined, failure: undefined };
  throw error;
}

function addressOf({ config }: Subject): URL {
  return new URL(config.baseUrl?.value ?? "");
}

function proxyOf(subject: Subject): ProxyChoice {
  return proxyFor(addressOf(subject), subject.config.proxy, subject.context.env);
}

function checkProxy(subject: Subject): Finding {
  const { proxy, why } = proxyOf(subject);
  if (proxy === undefined) return ok(`none: ${why}`);
  return ok(`${proxy.origin}${proxy.authorization === undefined ? "" : ", with credentials"} (${why})`);
}

/** Resolves the host that is connected to; with a proxy, the proxy resolves the instance's name. */
async function checkName(subject: Subject): Promise<Finding> {
  const address = addressOf(subject);
  const { proxy } = proxyOf(subject);
  const { hostname } = proxy === undefined ? address : new URL(proxy.origin);
  if (/^\[|^[\d.]+$/.test(hostname)) return ok(`${hostname} is already an IP address`);
  try {
    const addresses = await subject.context.lookUp(hostname);
    return ok(`${hostname} is ${addresses.join(", ")}`);
  } catch (error) {
    const cause = proxy === undefined ? error : new ProxyFailure(proxy.origin, error);
    const about = { method: "GET", host: address.host, path: address.pathname, timeoutMs: 0 };
    throw networkFailure(new Broken("connect", { cause }), about);
  }
}

function checkTls(subject: Subject, certificate: Certificate | undefined, failure: Finding | undefined): Finding {
  const { context } = subject;
  const { href, protocol } = addressOf(subject);
  if (protocol === "http:" && failure === undefined) {
    if (!insecure(href)) return ok("none: plain http, which does not leave this machine");
    return warn("none: with plain http the token can be intercepted", "use https in the base URL");
  }
  const shown = certificate && describe(certificate);
  if (failure !== undefined) {
    const detail = shown === undefined ? failure.detail : `${failure.detail}; it is ${shown}`;
    if (shown === undefined || context.env.NODE_TLS_REJECT_UNAUTHORIZED !== "0") return { ...failure, detail };
    const hint = "remove NODE_TLS_REJECT_UNAUTHORIZED: it lets anyone impersonate the instance";
    return warn(`${detail}; NODE_TLS_REJECT_UNAUTHORIZED=0 lets that pass`, hint);
  }
  if (certificate === undefined || shown === undefined) return ok("connected");
  if (certificate.until.getTime() - context.now().getTime() > soonMs) return ok(shown);
  return warn(`${shown}: it expires soon`, "tell the instance's administrator");
}

function describe({ subject, issuer, until, protocol }: Certificate): string {
  const day = Number.isNaN(until.getTime()) ? "an unknown day" : until.toISOString().slice(0, 10);
  return `${subject}, signed by ${issuer}, valid until ${day} (${protocol})`;
}
