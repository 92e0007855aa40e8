import { getRaw } from "../../api/endpoints/files.ts";
import { command } from "../../declare/command.ts";
import { deliver } from "../../transfer/download.ts";
import { pathArgument } from "./path.ts";
import { rawFlags, rawOf } from "./raw-content.ts";

export const cat = command({
  name: "cat",
  summary: "Print a file's content",
  args: pathArgument,
  params: rawFlags,
  requests: [getRaw],
  examples: [
    { line: "files cat README.md -p acme/storefront" },
    { line: "files cat package.json -p acme/storefront --ref v1.0.0", note: "at a tag" },
  ],
  related: ["files download", "files get"],
  run: async (context, { path, ...input }) => deliver(context, { ...(await rawOf(context, path, input)), output: "-" }),
});
