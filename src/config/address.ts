import { UsageError } from "../base/errors.ts";
import { isLoopback } from "../base/loopback.ts";
import { withoutEnd } from "../base/without-end.ts";

/**
 * Normalizes an instance's address: scheme, host, path prefix. A trailing `/api/v4` and slashes are removed.
 *
 * @param source where it came from, for errors: `--base-url`, `FORGECTL_BASE_URL`, `profile work`.
 * @throws UsageError on anything but a plain http or https address. The error never repeats a password.
 */
export function normalizeBaseUrl(text: string, source: string): string {
  return normalize(text, source, "/api/v4");
}

/** Normalizes a container registry's address the same way; a trailing `/v2` is removed. */
export function normalizeRegistryUrl(text: string, source: string): string {
  return normalize(text, source, "/v2");
}

/** Normalizes `CI_REGISTRY`, a host without a scheme: https is assumed. */
export function normalizeCiRegistry(text: string, source: string): string {
  const trimmed = text.trim();
  return normalizeRegistryUrl(hasScheme(trimmed) ? trimmed : `https://${trimmed}`, source);
}

/** Whether the address is unencrypted: plain http to another machine. */
export function insecure(url: string): boolean {
  return url.startsWith("http:") && !isLoopback(new URL(url));
}

/**
 * The instance behind an address, whatever its scheme and spelling; undefined if it is invalid. What is stored for an
 * instance, such as a guard, holds for all of them.
 */
export function placeOf(address: string): string | undefined {
  try {
    const url = new URL(normalizeBaseUrl(address, "profile"));
    const host = isLoopback(url) ? "localhost" : url.hostname.replace(/\.$/, "");
    return `${host}:${url.port}${placeIn(url.pathname)}`;
  } catch {
    return undefined;
  }
}

/** A path as most servers read it: decoded, with one slash for several. */
function placeIn(path: string): string {
  return decodeURIComponent(path).replace(/\/+/g, "/").replace(/\/$/, "");
}

function normalize(text: string, source: string, cut: string): string {
  const trimmed = text.trim();
  if (trimmed === "") throw new UsageError(`${source}: the address is empty`, { code: "bad_address" });
  const url = parse(trimmed, source);
  let path = withoutEnd(url.pathname, /\//);
  while (path.endsWith(cut)) path = withoutEnd(path.slice(0, -cut.length), /\//);
  return `${url.protocol}//${url.host}${path}`;
}

function parse(text: string, source: string): URL {
  const fail = (problem: string, hint: string): never => {
    throw new UsageError(`${source}: ${problem}`, { code: "bad_address", hint });
  };
  // Checked before any error that quotes the text: the part before an @ may be a password.
  if (/^[^?#]*@/.test(text)) {
    return fail(
      "the address has credentials in it",
      "leave them out; the token goes to FORGECTL_TOKEN or forgectl auth login",
    );
  }
  if (!text.isWellFormed()) return fail("the address is not valid Unicode text", "give only scheme, host, and path");
  if (/[?#]/.test(text)) return fail("the address has a query or a fragment", "give only scheme, host, and path");
  // URL parsers drop line breaks, and read backslashes as slashes.
  if (/[\s\p{Cc}\\]/u.test(text)) return fail("the address contains spaces or other invalid characters", example);
  if (!hasScheme(text)) {
    return fail(`"${text}" has no scheme`, `write https://${text.replace(/^(?:https?:)?\/*/i, "")}`);
  }
  // URL parsers take the first part of the path for a host that is missing, as without a variable that is not set.
  if (/^https?:\/{3}/i.test(text)) return fail(`"${text}" names no host`, example);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return fail(`"${text}" is not a valid address`, example);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return fail(`"${text}" is neither an https nor an http address`, example);
  }
  return url;
}

const example = "write it as https://forge.example.com";

function hasScheme(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}
