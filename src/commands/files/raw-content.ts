import { FileFacts, getRaw } from "../../api/endpoints/files.ts";
import { boolean, type Row, string } from "../../api/field.ts";
import { readHeaders } from "../../api/headers.ts";
import type { Context } from "../../context.ts";
import { sourceOf } from "../../transfer/body.ts";
import type { DownloadRequest } from "../../transfer/download-request.ts";
import type { GitBlob } from "../../transfer/git-blob.ts";
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

type Facts = Row<typeof FileFacts.shape>;

/** A file's content as a download. */
export async function rawOf(context: Context, path: string, raw: RawInput): Promise<Omit<DownloadRequest, "output">> {
  const input = { ...raw, file_path: path };
  const stored = raw.lfs ? await storedDigest(context, input) : undefined;
  return {
    source: sourceOf(context, getRaw, input),
    label: path,
    name: path.slice(path.lastIndexOf("/") + 1),
    sha256: (headers) => stored ?? factsIn(context, headers).content_sha256 ?? undefined,
    ...(stored === undefined && { blob: (headers) => blobIn(factsIn(context, headers)) }),
  };
}

function factsIn(context: Context, headers: Readonly<Record<string, string>>): Facts {
  return readHeaders(FileFacts, headers, context.config.headerPrefix) as Facts;
}

function blobIn({ blob_id: id, size }: Facts): GitBlob | undefined {
  return typeof id === "string" && typeof size === "number" ? { id, size } : undefined;
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
