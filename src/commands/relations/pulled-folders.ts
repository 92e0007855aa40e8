import { join } from "node:path";
import { UsageError } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { type Manifest, manifestName, readManifest } from "./pull/manifest.ts";

/** A folder, with what it holds besides other folders. */
export interface PulledFolder {
  /** Below the folder that was named; `.` is that folder. */
  readonly folder: string;
  readonly names: readonly string[];
  /** It has no folders in it. */
  readonly isLast: boolean;
  /** A folder above it has a manifest. */
  readonly isInside: boolean;
  /** Undefined if there is none; a text if it cannot be used, and why. */
  readonly manifest: Manifest | string | undefined;
}

/** A folder and all folders below it, in order; links are not followed. */
export async function foldersIn(context: Context, dir: string): Promise<PulledFolder[]> {
  const found: PulledFolder[] = [];
  const visit = async (folder: string, isInside: boolean): Promise<void> => {
    const names: string[] = [];
    const below: string[] = [];
    context.signal.throwIfAborted();
    for (const { name, kind } of await context.files.entries(join(dir, folder))) {
      (kind === "folder" ? below : names).push(name);
    }
    const manifest = names.includes(manifestName) ? await manifestIn(context, dir, folder) : undefined;
    found.push({ folder, names, isLast: below.length === 0, isInside, manifest });
    for (const name of below) await visit(join(folder, name), isInside || manifest !== undefined);
  };
  await visit(".", false);
  return found;
}

/** That of the folder that was named has to be one of ours; below it, it is a finding if it is not. */
async function manifestIn(context: Context, dir: string, folder: string): Promise<Manifest | string | undefined> {
  try {
    return await readManifest(context, join(dir, folder), "without its manifest, a folder cannot be checked");
  } catch (error) {
    if (folder !== "." && error instanceof UsageError) return "it is damaged, or not a manifest of relations pull";
    throw error;
  }
}
