import { BlockList, isIP } from "node:net";
import { domainToASCII } from "node:url";
import { UsageError } from "../../base/errors.ts";
import { isLoopback } from "../../base/loopback.ts";
import type { Environment } from "../../host.ts";

/** A proxy in use, with its credentials removed from the address. */
export interface Proxy {
  /** Scheme, host, and port. */
  origin: string;
  /** Value of `Proxy-Authorization`. */
  authorization: string | undefined;
  /** Values to redact. */
  secrets: string[];
}

/** The proxy for an address, if any, and the reason. */
export interface ProxyChoice {
  proxy: Proxy | undefined;
  /** The source of the proxy, or why none is used. */
  why: string;
}

/**
 * Chooses the proxy for an address: the profile's for all schemes, or the environment's by scheme; never for loopback.
 */
export function proxyFor(target: URL, profile: string | undefined, env: Environment): ProxyChoice {
  if (profile) return named(profile, "the profile key `proxy`");
  const name = target.protocol === "https:" ? "https_proxy" : "http_proxy";
  const found = fromEnv(env, name) ?? fromEnv(env, "all_proxy");
  if (!found) return { proxy: undefined, why: "none is set in the profile or the environment" };
  if (isLoopback(target)) return { proxy: undefined, why: `${found.name} is set, but this machine is never proxied` };
  const exempt = fromEnv(env, "no_proxy");
  if (exempt && isExempt(target, exempt.value)) {
    return { proxy: undefined, why: `${found.name} is set, but ${exempt.name} exempts ${target.hostname}` };
  }
  return named(found.value, `the environment variable ${found.name}`);
}

function named(address: string, source: string): ProxyChoice {
  return { proxy: parseProxy(address, source), why: source };
}

function fromEnv(env: Environment, name: string): { name: string; value: string } | undefined {
  for (const spelled of [name, name.toUpperCase()]) {
    // In a CGI script this is a header of the request, `Proxy`, which anyone can send (httpoxy).
    if (spelled === "HTTP_PROXY" && env.REQUEST_METHOD !== undefined) continue;
    const value = env[spelled]?.trim();
    if (value) return { name: spelled, value };
  }
  return undefined;
}

function parseProxy(address: string, source: string): Proxy {
  const full = /^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `http://${address}`;
  if (!URL.canParse(full)) throw new UsageError(`${source} is not a valid address`);
  const url = new URL(full);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new UsageError(`${source} names a ${url.protocol.slice(0, -1)} proxy`, {
      reason: "only http and https proxies can be used",
    });
  }
  if (!url.username && !url.password) return { origin: url.origin, authorization: undefined, secrets: [] };
  const credentials = `${unescaped(url.username)}:${unescaped(url.password)}`;
  const basic = Buffer.from(credentials).toString("base64");
  return {
    origin: url.origin,
    authorization: `Basic ${basic}`,
    secrets: [basic, unescaped(url.password), url.password],
  };
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function bareHost(host: string): string {
  // The trailing dot of a fully qualified name (RFC 1034) is ignored.
  return host.replace(/^\[|\]$|\.$/g, "").toLowerCase();
}

/** Whether `NO_PROXY` matches this address: hosts, domains with subdomains, `*`, ports, addresses, CIDR ranges. */
function isExempt(target: URL, list: string): boolean {
  const host = bareHost(target.hostname);
  const port = target.port || (target.protocol === "https:" ? "443" : "80");
  return list
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => matches(entry.toLowerCase(), host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  if (entry.includes("/")) return inRange(entry, host);
  const [, name = entry, wanted] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
  if (wanted !== undefined && wanted !== port) return false;
  if (isIP(host)) return sameAddress(bareHost(name), host);
  // The host of a URL is in ASCII.
  const domain = domainToASCII(name.replace(/^\*?\.|\.$/g, ""));
  return domain !== "" && (host === domain || host.endsWith(`.${domain}`));
}

function familyOf(address: string): "ipv4" | "ipv6" | undefined {
  return ({ 4: "ipv4", 6: "ipv6" } as const)[isIP(address)];
}

function sameAddress(entry: string, host: string): boolean {
  const family = familyOf(entry);
  if (family === undefined) return false;
  const list = new BlockList();
  list.addAddress(entry, family);
  return list.check(host, familyOf(host));
}

function inRange(entry: string, host: string): boolean {
  const [network = "", bits = ""] = bareHost(entry).split("/");
  const base = bareHost(network);
  const family = familyOf(base);
  const longest = family === "ipv4" ? 32 : 128;
  if (family === undefined || !/^\d{1,3}$/.test(bits) || Number(bits) > longest || !isIP(host)) return false;
  const list = new BlockList();
  list.addSubnet(base, Number(bits), family);
  return list.check(host, familyOf(host));
}
