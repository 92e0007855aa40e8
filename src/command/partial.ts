import { basename, join } from "node:path";
import type { Context } from "../context.ts";
import type { Begun } from "./body.ts";

/**
 * The part of a content that a run got before it broke off, in the target's folder: `.forgectl-<source>-<chance>.part`,
 * and beside it a `.part.json` with the validator and the process that writes it. A later run of the same download
 * goes on with it, and clears away what a killed one left that cannot be gone on with.
 */
interface Leftover extends Begun {
  path: string;
}

interface Note {
  source: string;
  validator: string | null;
  holder: string;
}

function prefixOf(source: string): string {
  return `.forgectl-${source.slice(0, 12)}-`;
}

/** A path for a part that nobody else writes. */
export function partPath(folder: string, source: string): string {
  return join(folder, `${prefixOf(source)}${crypto.randomUUID().slice(0, 8)}.part`);
}

/** Says beside a part what it is, before it is there: a killed run leaves nothing that nobody can tell. */
export async function note(
  context: Context,
  part: string,
  about: { source: string; validator: string | undefined },
): Promise<void> {
  const content: Note = {
    source: about.source,
    validator: about.validator ?? null,
    holder: context.holder.name,
  };
  await context.files.write(`${part}.json`, `${JSON.stringify(content)}\n`, { mode: 0o600 });
}

/** Removes a part and what is said of it. */
export async function discard(context: Context, part: string): Promise<void> {
  await context.files.remove(part).catch(() => undefined);
  await context.files.remove(`${part}.json`).catch(() => undefined);
}

/** What an earlier run of the same download left; what cannot be used is removed. */
export async function findLeftover(context: Context, folder: string, source: string): Promise<Leftover | undefined> {
  const names = await context.files.list(folder);
  let found: Leftover | undefined;
  for (const name of names) {
    if (!name.startsWith(prefixOf(source)) || !name.endsWith(".part.json")) continue;
    const path = join(folder, name.slice(0, -".json".length));
    const about = await readNote(context, `${path}.json`);
    if (about !== undefined && (about.source !== source || context.holder.alive(about.holder))) continue;
    const size = (await ownFile(context, folder, path)) ? ((await context.files.facts(path))?.size ?? 0) : 0;
    const usable = typeof about?.validator === "string" && size > 0;
    if (usable && size > (found?.size ?? 0)) {
      if (found !== undefined) await discard(context, found.path);
      found = { path, size, validator: about.validator as string };
    } else await discard(context, path);
  }
  return found;
}

/** Makes a leftover this run's own, under a name that no other run writes; false where another run was faster. */
export async function claim(context: Context, leftover: Leftover, part: string): Promise<boolean> {
  try {
    await context.files.rename(leftover.path, part);
  } catch {
    return false;
  }
  await context.files.remove(`${leftover.path}.json`).catch(() => undefined);
  const facts = await context.files.facts(part);
  return facts?.kind === "file" && facts.size === leftover.size;
}

/** A file of this folder and no link to somewhere else: it is going to be written to. */
async function ownFile(context: Context, folder: string, path: string): Promise<boolean> {
  const { files } = context;
  const home = await files.real(folder);
  return home !== undefined && (await files.real(path)) === join(home, basename(path));
}

async function readNote(context: Context, path: string): Promise<Note | undefined> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(await context.files.read(path)));
    const { source, validator, holder } = (value ?? {}) as Record<string, unknown>;
    if (typeof source !== "string" || typeof holder !== "string") return undefined;
    return { source, holder, validator: typeof validator === "string" ? validator : null };
  } catch {
    return undefined;
  }
}
