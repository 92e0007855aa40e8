import { join } from "node:path";
import { Failure, FileError } from "../../base/errors.ts";
import type { Context } from "../../context.ts";
import { createOwnerNote, readOwnerNote } from "../../transfer/owner-note.ts";

/**
 * A folder for unpacking an archive: `.forgectl-<random>.extract`. Next to it are the archive, `.extract.zip`, and the
 * process that uses both, `.extract.json`, so that the next run can undo the moves of a killed one and remove its
 * files.
 */
export interface Workspace {
  folder: string;
  archive: string;
  remove(): Promise<void>;
}

/** Creates a workspace in a folder, and cleans up after killed runs. */
export async function makeWorkspace(context: Context, home: string): Promise<Workspace> {
  for (const name of await context.files.list(home)) {
    if (!/^\.forgectl-\w+\.extract\.json$/.test(name)) continue;
    const folder = join(home, name.slice(0, -".json".length));
    const note = await readOwnerNote(context, noteOf(folder));
    // What a planted one names would be moved out of the folder, and removed.
    if (typeof note === "string" || !note.isOriginal || context.holder.alive(note.holder)) continue;
    await context.archives.recover(folder, home);
    // A leftover that cannot be removed does not prevent the run.
    await workspaceAt(context, folder)
      .remove()
      .catch(() => undefined);
  }
  const workspace = workspaceAt(context, join(home, `.forgectl-${crypto.randomUUID().slice(0, 8)}.extract`));
  try {
    await createOwnerNote(context, noteOf(workspace.folder));
    if (await context.files.createFolder(workspace.folder)) return workspace;
    throw new Failure("conflict", `nothing was downloaded: another process made ${workspace.folder}`, {
      code: "changed_meanwhile",
      hint: "extract to a folder that no one else changes",
    });
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
      // The owner note comes last: it shows the next run that there is something to remove.
      for (const file of [archive, noteOf(folder)]) await files.remove(file).catch(() => undefined);
    },
  };
}

function noteOf(folder: string): string {
  return `${folder}.json`;
}
