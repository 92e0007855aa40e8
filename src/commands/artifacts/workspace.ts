import { join } from "node:path";
import { FileError } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { readOwnerNote, writeOwnerNote } from "../../transfer/owner-note.ts";

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
    const note = await readOwnerNote(context, noteOf(folder));
    if (typeof note === "string" || context.holder.alive(note.holder)) continue;
    await context.archives.recover(folder, home);
    // What cannot be removed is no reason to stop.
    await workspaceAt(context, folder)
      .remove()
      .catch(() => undefined);
  }
  const workspace = workspaceAt(context, join(home, `.forgectl-${crypto.randomUUID().slice(0, 8)}.extract`));
  try {
    await writeOwnerNote(context, noteOf(workspace.folder));
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
