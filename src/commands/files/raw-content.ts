import { FileFacts, getRaw } from "../../api/endpoints/files.ts";
import { boolean, string } from "../../api/field.ts";
import { readHeaders } from "../../api/headers.ts";
import type { Context } from "../../context.ts";
import { sourceOf } from "../../transfer/body.ts";
import type { DownloadRequest } from "../../transfer/download-request.ts";
import { projectFlag } from "./path.ts";
import { maxPointer, pointedDigest } from "./pointer.ts";

/** The flags that select a version of the content. */
export const rawFlags = {
  ...projectFlag,
  ref: string("Branch, tag, or commit; the project's default branch if not given", { min: 1 }),
  lfs: boolean("The content in large file storage (LFS) instead of the pointer to it"),
};

interface RawInput {
  project: string;
  ref?: string | undefined;
  lfs?: boolean | undefined;
}

/** A file's content as a download. */
export async function rawOf(context: Context, path: string, raw: RawInput): Promise<Omit<DownloadRequest, "output">> {
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
