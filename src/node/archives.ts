import { resolve } from "node:path";
import type { Archives } from "../host.ts";

/** Zip archives of this machine, with relative paths taken from `cwd`. */
export function nodeArchives(cwd: string): Archives {
  return {
    async extract(archive, folder, how) {
      // Loaded at the point of use: few commands unpack anything.
      const { extractZip } = await import("./zip/extract.ts");
      const extracted = await extractZip(resolve(cwd, archive), resolve(cwd, folder), {
        ...how,
        workspace: resolve(cwd, how.workspace),
      });
      return { ...extracted, folder };
    },
    async *list(archive) {
      const { listZip } = await import("./zip/listing.ts");
      yield* listZip(archive);
    },
    async recover(workspace, folder) {
      const { recover } = await import("./zip/moves.ts");
      await recover(resolve(cwd, workspace), resolve(cwd, folder));
    },
  };
}
