import { readPlace } from "../../api/place.ts";
import { Failure, undefinedOn } from "../../base/errors.ts";
import type { Context, InnerCommand } from "../../context.ts";
import { staleCode } from "../../jobs/tally.ts";
import type { Scope } from "./scopes.ts";
import type { ScopeKind } from "./sources.ts";

/** How long a path is believed to be that of the project or group that had it when the scopes were listed. */
const believedMs = 10_000;

interface Listed {
  readonly kind: ScopeKind | undefined;
  readonly scope: Pick<Scope, "name" | "id" | "was">;
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

/** What cannot be looked up is left to the command itself. */
async function refuseOther(context: Context, { kind, scope: { name, id, was }, listedAtMs }: Listed): Promise<void> {
  const known = was === undefined ? /^(?:project|group) (\d+)(?: of .+)?$/.exec(id)?.[1] : String(was);
  if (kind === undefined || name === undefined || known === undefined || /^\d+$/.test(name)) return;
  if (was === undefined && context.elapsedMs() - listedAtMs < believedMs) return;
  const now = await readPlace(context.api, kind, name).catch(undefinedOn("notFound", "forbidden", "refused"));
  if (now?.id === undefined || String(now.id) === known) return;
  throw new Failure("conflict", `${name} is another ${kind} by now`, {
    code: staleCode,
    reason: `the path is that of ${kind} ${now.id}; it was that of ${kind} ${known} when the ${kind}s were listed`,
    nothing: "sent",
    retryable: false,
  });
}
