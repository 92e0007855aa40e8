import { join } from "node:path";
import { FileError } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { readAll } from "../../transfer/source.ts";

/**
 * A folder for what is only needed while an archive is unpacked: `.forgectl-<chance>.extract`, beside it the archive,
 * `.extract.zip`, and in `.extract.json` the process that uses both, so that the next run takes back what a killed one
 * had moved, and removes what it left.
 */
export interface Workspace {
  folder: string;
  archive: string;
  remove(): Promise<void>;
}

/** Makes a workspace in a folder, and clears up after those that were killed. */
export async function makeWorkspace(context: Context, home: string): Promise<Workspace> {
  for (const name of await context.files.list(home)) {
    if (!/^\.forgectl-\w+\.extract\.json$/.test(name)) continue;
    const folder = join(home, name.slice(0, -".json".length));
    const holder = await holderOf(context, folder);
    if (holder === undefined || context.holder.alive(holder)) continue;
    await context.archives.recover(folder, home);
    // What cannot be removed is no reason to stop.
    await workspaceAt(context, folder)
      .remove()
      .catch(() => undefined);
  }
  const workspace = workspaceAt(context, join(home, `.forgectl-${crypto.randomUUID().slice(0, 8)}.extract`));
  try {
    await context.files.write(noteOf(workspace.folder), `${JSON.stringify({ holder: context.holder.name })}\n`, {
      mode: 0o600,
    });
    await context.files.makeFolder(workspace.folder, { mode: 0o700 });
    return workspace;
  } catch (error) {
    await workspace.remove().catch(() => undefined);
    throw error instanceof FileError ? error.about(home) : error;
  }
}

function workspaceAt({ files }: Context, folder: string): Workspace {
  const archive = `${folder}.zip`;
  return {
    folder,
    archive,
    async remove() {
      await files.removeFolder(folder);
      // Last comes what tells that there is something to remove.
      for (const file of [archive, noteOf(folder)]) await files.remove(file).catch(() => undefined);
    },
  };
}

function noteOf(folder: string): string {
  return `${folder}.json`;
}

/** The process that uses a workspace; undefined where no run of this user's says so. */
async function holderOf(context: Context, folder: string): Promise<string | undefined> {
  const file = await context.files.openPrivate(noteOf(folder));
  if (file === undefined) return undefined;
  try {
    const { holder } = JSON.parse((await readAll(file.stream())).toString("utf8")) as { holder?: unknown };
    return typeof holder === "string" ? holder : undefined;
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}
