import { UsageError } from "../../base/errors.ts";

/** A hook's URL must be complete: a scheme that hooks support, and a host. */
export function checkUrl(url: string, label: string): void {
  if (/\s/.test(url)) throw new UsageError(`${label}: the URL contains white space`);
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(url)) {
    throw new UsageError(`${label}: the URL has no scheme`, { hint: "write it as https://host/path" });
  }
  if (!/^https?:/i.test(url)) throw new UsageError(`${label}: must start with https:// or http://`);
  if (!URL.canParse(url)) throw new UsageError(`${label}: is not a URL`, { hint: "write it as https://host/path" });
}
