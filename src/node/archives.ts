import { resolve } from "node:path";
import { Failure } from "../base/errors.ts";
import type { Archives } from "../host.ts";

/** Zip archives of this machine, with relative paths taken from `cwd`. */
export function nodeArchives(cwd: string): Archives {
  return archivesAt((path) => resolve(cwd, path));
}

/**
 * Zip archives at the paths that `at` returns.
 *
 * @param named what an error says, with those paths as they were named
 */
export function archivesAt(at: (path: string) => string, named?: (text: string) => string): Archives {
  return {
    async extract(archive, folder, how) {
      // Loaded at the point of use: few commands unpack anything.
      const { extractZip } = await import("./zip/extract.ts");
      const own = { ...how, workspace: at(how.workspace) };
      const extracted = await extractZip(at(archive), at(folder), own).catch(inWords(named));
      return { ...extracted, folder };
    },
    async *list(archive) {
      const { listZip } = await import("./zip/listing.ts");
      yield* listZip(archive);
    },
    async recover(workspace, folder) {
      const { recover } = await import("./zip/moves.ts");
      await recover(at(workspace), at(folder));
    },
  };
}

function inWords(named = (text: string) => text) {
  return (error: unknown): never => {
    if (!(error instanceof Failure)) throw error;
    const { reason } = error.details;
    throw error.with({ message: named(error.message), ...(reason !== undefined && { reason: named(reason) }) });
  };
}
