import { join, relative, sep } from "node:path";
import { UsageError } from "../base/errors.ts";
import type { Context } from "../context.ts";

/** A UsageError if a folder between `base` and `folder` is a link to another place; `base` itself may be one. */
export async function refuseLinks({ files }: Pick<Context, "files">, base: string, folder: string): Promise<void> {
  const home = await files.real(base);
  if (home === undefined) return;
  const below = relative(base, folder).split(sep);
  for (let depth = 1; depth <= below.length; depth++) {
    const steps = below.slice(0, depth);
    const real = await files.real(join(base, ...steps));
    if (real === undefined || real === join(home, ...steps)) continue;
    throw new UsageError(`${join(base, ...steps)} is a link to another place`, { hint: "name a folder without links" });
  }
}
