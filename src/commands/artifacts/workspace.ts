import { join } from "node:path";
import type { Context } from "../../context.ts";
import { FileError } from "../../errors.ts";

/**
 * A folder for what is only needed while an archive is unpacked: `.forgectl-<chance>.extract`, beside it the archive,
 * `.extract.zip`, and in `.extract.json` the process that uses both, so that the next run removes what a killed one
 * left.
 */
export interface Workspace {
  folder: string;
  archive: string;
  remove(): Promise<void>;
}

/** Makes a workspace in a folder, and removes those that nobody uses any more. */
export async function makeWorkspace(context: Context, home: string): Promise<Workspace> {
  for (const name of await context.files.list(home)) {
    if (!/^\.forgectl-\w+\.extract\.json$/.test(name)) continue;
    const folder = join(home, name.slice(0, -".json".length));
    if (!context.holder.alive(await holderOf(context, folder))) {
      // Somebody else's, maybe: it is no reason not to go on.
      await workspaceAt(context, folder)
        .remove()
        .catch(() => undefined);
    }
  }
  const workspace = workspaceAt(context, join(home, `.forgectl-${crypto.randomUUID().slice(0, 8)}.extract`));
  try {
    await context.files.write(noteOf(workspace.folder), `${JSON.stringify({ holder: context.holder.name })}\n`);
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

/** What is no note of this program's names nobody of whom anything could be known. */
async function holderOf(context: Context, folder: string): Promise<string> {
  try {
    const text = new TextDecoder().decode(await context.files.read(noteOf(folder)));
    return String((JSON.parse(text) as { holder?: unknown }).holder);
  } catch {
    return "";
  }
}
