import { FileFacts, getRaw } from "../../api/endpoints/files.ts";
import { boolean, string } from "../../api/field.ts";
import { readHeaders } from "../../api/headers.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { sourceOf } from "../../transfer/body.ts";
import { deliver, SavedFile, targetFlags } from "../../transfer/download.ts";
import type { Wanted } from "../../transfer/download-request.ts";
import { pathArgument, projectFlag } from "./path.ts";
import { maxPointer, pointedDigest } from "./pointer.ts";

const rawFlags = {
  ...projectFlag,
  ref: string("Branch, tag, or commit; the project's default branch if not given", { min: 1 }),
  lfs: boolean("The content in large file storage (LFS) instead of the pointer to it"),
};

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

interface RawInput {
  project: string;
  ref?: string | undefined;
  lfs?: boolean | undefined;
}

async function rawOf(context: Context, path: string, raw: RawInput): Promise<Omit<Wanted, "output">> {
  const input = { ...raw, file_path: path };
  const stored = raw.lfs ? await storedDigest(context, input) : undefined;
  return {
    source: sourceOf(context, getRaw, input),
    label: path,
    name: path.slice(path.lastIndexOf("/") + 1),
    sha256: (headers) => stored ?? digestIn(context, headers),
  };
}

function digestIn(context: Context, headers: Readonly<Record<string, string>>): string | undefined {
  return readHeaders(FileFacts, headers, context.config.headerPrefix).content_sha256 as string | undefined;
}

/** The SHA-256 of content in large file storage, from the pointer to it; undefined for other files. */
async function storedDigest(context: Context, input: RawInput & { file_path: string }): Promise<string | undefined> {
  const answer = await context.api.download(getRaw, { ...input, lfs: undefined });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxPointer) return undefined;
  }
  return pointedDigest(Buffer.concat(chunks).toString("utf8"));
}
