import { getRaw } from "../../api/endpoints/files.ts";
import { command } from "../../declare/command.ts";
import { deliver, SavedFile, targetFlags } from "../../transfer/download.ts";
import { pathArgument } from "./path.ts";
import { rawFlags, rawOf } from "./raw-content.ts";

export const download = command({
  name: "download",
  summary: "Save a file's content",
  details:
    "The content is verified against the SHA-256 that the platform sends (exit 12 if it differs), and replaces the " +
    "target only once it is complete. The same command resumes an interrupted download.",
  args: pathArgument,
  params: { ...rawFlags, ...targetFlags("the file's own name") },
  requests: [getRaw],
  returns: SavedFile,
  prints: "record",
  examples: [
    { line: "files download README.md -p acme/storefront" },
    { line: "files download assets/hero.psd -p acme/storefront --lfs -O hero.psd", note: "from large file storage" },
  ],
  related: ["files cat", "files get"],
  run: async (context, { path, output, force, ...input }) =>
    deliver(context, { ...(await rawOf(context, path, input)), output, force }),
});
