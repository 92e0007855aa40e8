import { UsageError } from "../../../base/errors.ts";
import type { Context } from "../../../context.ts";
import { readAll } from "../../../transfer/source.ts";
import type { Criteria } from "./criteria.ts";
import { needsTimes } from "./selection.ts";

/**
 * By which time of a tag the platform decides in a bulk delete: that of its `image`, which it shows, or the last push,
 * which only the `instance` knows.
 */
export type Clock = "image" | "instance" | "unknown";

/**
 * Finds out the clock with one request for tags by cursor: a registry with the service's own API has them, and decides
 * by the last push (src/api/differences.ts, `registry-last-push`). If no rule needs times, nothing is requested.
 */
export async function clockOf(context: Context, { at, rules }: Criteria): Promise<Clock> {
  if (!needsTimes(rules)) return "image";
  const project = encodeURIComponent(at.project);
  const path = `projects/${project}/registry/repositories/${at.repository_id}/tags?pagination=keyset&per_page=1`;
  const { status, headers, body } = await context.api.raw({ method: "GET", path });
  await readAll(body);
  if (status === 405) return "image";
  if (status !== 200) return "unknown";
  // An instance that does not know the parameter answers with a page.
  return headers["x-page"] === undefined ? "instance" : "image";
}

const why: Readonly<Record<Exclude<Clock, "image">, string>> = {
  instance: "this instance decides by the last push of a tag, which it does not show",
  unknown: "whether this instance decides by the time of the image or by the last push could not be found out",
};

/** Refuses to select tags here by a time that is not the platform's. */
export function refuseOtherClock(clock: Clock): void {
  if (clock === "image") return;
  throw new UsageError("--via tags: --keep-n and --older-than cannot be decided here", {
    code: "instance_clock",
    reason: `${why[clock]}; the first push, which is shown, may be much older`,
    hint: "--via bulk lets the instance decide; or leave --keep-n and --older-than out, to select by name alone",
  });
}

/** For a notice before a bulk delete that the instance decides on. */
export function clockReason(clock: Clock): string | undefined {
  return clock === "image" ? undefined : `${why[clock]}: of these tags, the instance decides which it deletes (EITHER)`;
}
