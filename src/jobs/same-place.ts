import { type PlaceKind, readPlace } from "../api/place.ts";
import { Failure, undefinedOn } from "../base/errors.ts";
import { isId } from "../base/group-paths.ts";
import type { Context, InnerCommand } from "../context.ts";
import { staleCode } from "./tally.ts";
import type { NamedId } from "./task-ids.ts";

/** How long a path is believed to be that of the project or group that had it when the scopes were listed. */
export const believedMs = 10_000;

interface Listed extends NamedId {
  /** By the context's clock that only advances. */
  readonly listedAtMs: number;
}

/**
 * A command that changes something, which looks first, since a question or a long run is between the list and its turn:
 * another project or group that has the path by now is not what was meant.
 */
export function unlessOther(context: Context, inner: InnerCommand, listed: Listed): InnerCommand {
  const look = () => refuseOther(context, listed);
  const run: InnerCommand["run"] = async (more, read) => {
    await look();
    return inner.run({ ...more, afterWait: look }, read);
  };
  return { ...inner, run };
}

/** What the instance does not show is left to the command itself; a look that fails is the reason to send nothing. */
async function refuseOther(context: Context, { id, named, listedAtMs }: Listed): Promise<void> {
  const [, kind, name] = placeIn(named) ?? [];
  // Equal lines of a batch are numbered behind it: `project 2#2`.
  const [known] = /^\d+(?=$|#)/.exec(placeIn(id)?.[2] ?? "") ?? [];
  if (kind === undefined || name === undefined || known === undefined || isId(name)) return;
  if (context.elapsedMs() - listedAtMs < believedMs) return;
  const now = await readPlace(context.api, kind as PlaceKind, name).catch(undefinedOn("notFound", "forbidden"));
  if (now?.id === undefined || String(now.id) === known) return;
  throw elsewhere({ id: `${kind} ${now.id}`, named }, `${kind} ${known}`);
}

/** `project acme/docs`, `group 4`: behind the digest of a batch's line, before the profile of the instance. */
function placeIn(text: string | undefined): RegExpExecArray | null {
  return /^(?:[0-9a-f]+:)?(project|group) (\S+)/.exec(text ?? "");
}

/** @param before the ID that it had when it was listed, or in an earlier run */
export function elsewhere({ id, named }: NamedId, before: string): Failure {
  const [, kind = "project", name = "its path"] = placeIn(named) ?? [];
  const place = (text: string | undefined) => placeIn(text)?.slice(1, 3).join(" ") ?? "another one";
  return new Failure("conflict", `${name} is another ${kind} by now`, {
    code: staleCode,
    reason: `the path is that of ${place(id)}; it was that of ${place(before)} when it was listed`,
    nothing: "sent",
    retryable: false,
  });
}
