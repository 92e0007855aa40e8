import { boolean, bytes, entity, string, uncut } from "../api/field.ts";
import { Failure, FileError } from "../base/errors.ts";
import { isStdout } from "../base/special-file.ts";
import { byteSize } from "../base/wording.ts";
import type { Context } from "../context.ts";
import type { View } from "../terminal/view.ts";
import { type Body, openBody } from "./body.ts";
import { Checksum } from "./checksum.ts";
import type { DownloadRequest, Inspector } from "./download-request.ts";
import { claimLeftover, createPart, discard, type Part } from "./partial.ts";
import { checkTarget, nameTarget, refuseIfCreatedMeanwhile, type Target } from "./target.ts";
import { inspect, writeContent } from "./write-content.ts";

/** `-O` of every command that downloads a content; `otherwise` describes the target without it. */
export function outputFlag(otherwise: string) {
  return string(`Save as this file; - is stdout (default ${otherwise})`, {
    min: 1,
    flag: "output-file",
    short: "O",
    placeholder: "file|-",
    completes: "file",
    writes: "whole",
  });
}

/** `-O` and `--force` of every command that saves content under a default name. */
export function targetFlags(otherwise: string) {
  return {
    output: outputFlag(otherwise),
    force: boolean("Replace the file if it exists; one that -O names is replaced in any case"),
  };
}

/** The result of a command that saved a content. */
export const SavedFile = entity("Saved file", {
  file: uncut("Path of the file"),
  size: bytes("Size in bytes"),
  sha256: string("SHA-256, if it was known beforehand and the content verified against it"),
});

/** A completely saved file. */
interface Saved {
  file: string;
  /** Bytes. */
  size: number;
  /** Only if it was known beforehand and the content verified against it. */
  sha256?: string;
}

/** Writes a content to the target of `-O`: as bytes to stdout, or to a file, shown as a record. */
export async function deliver(context: Context, wanted: DownloadRequest): Promise<View> {
  if (isStdout(wanted.output)) return { bytes: await fetchBytes(context, wanted) };
  const record = await save(context, wanted);
  return { record, columns: Object.keys(record), entity: SavedFile };
}

/** The bytes as they arrive; they end with an error if the digest does not match. */
async function fetchBytes(
  context: Context,
  wanted: Pick<DownloadRequest, "source" | "label" | "sha256" | "blob">,
): Promise<AsyncGenerator<Uint8Array>> {
  const body = await openBody(context, wanted.source);
  const checksum = Checksum.of(wanted.sha256?.(body.headers), wanted.label, wanted.blob?.(body.headers));
  return (async function* () {
    for await (const batch of body.batches()) {
      for (const chunk of batch) checksum?.take(chunk);
      yield* batch;
    }
    await checksum?.finish();
  })();
}

/**
 * Saves a content to a file, through a temporary file beside it: the target is unchanged until the content is complete,
 * has the announced length and digest, and is synced. The same command resumes an interrupted download if the server
 * sent a validator (see partial.ts). A dry run records the request and the file, and touches neither.
 */
export async function save(context: Context, wanted: DownloadRequest): Promise<Saved> {
  const place = await checkTarget(context, wanted);
  const { typed, isDevice } = place;
  if (context.config.dryRun) return wanted.source.plan(typed ?? `${wanted.name}, unless the server names it`);
  if (isDevice && typed !== undefined) return pourInto(context, typed, wanted);
  const transfer = await openTransfer(context, wanted, place);
  try {
    return await fill(context, wanted, transfer);
  } catch (error) {
    await settle(context, transfer, error);
    throw error instanceof FileError ? error.about(transfer.target) : error;
  }
}

/** An open download: its source and its target. */
interface Transfer {
  body: Body;
  part: Part;
  target: string;
  /** SHA-256 as reported by the platform, now or when the download began. */
  expected: string | undefined;
}

/** Opens the content, resuming an earlier run if the server still has the same content, and the partial file for it. */
async function openTransfer(context: Context, wanted: DownloadRequest, { typed, folder }: Target): Promise<Transfer> {
  const { identity } = wanted.source;
  let target = typed;
  let begun: Awaited<ReturnType<typeof claimLeftover>>;
  let body: Body | undefined;
  try {
    // What killed downloads left; a folder may be writable but not readable.
    await context.files.sweep(folder).catch(() => undefined);
    begun = await claimLeftover(context, folder, identity);
    body = await openBody(context, wanted.source, begun);
    target ??= await nameTarget(context, folder, wanted, body);
    const sha256 = wanted.sha256?.(body.headers);
    if (begun !== undefined && body.start > 0) return { body, part: begun, target, expected: sha256 ?? begun.sha256 };
    if (begun !== undefined) await letGo(context, begun);
    const part = await createPart(context, folder, { source: identity, validator: body.validator, sha256 });
    return { body, part, target, expected: sha256 };
  } catch (error) {
    await begun?.file.close();
    await body?.discard();
    throw error instanceof FileError && target !== undefined ? error.about(target) : error;
  }
}

async function letGo(context: Context, { path, file }: Part): Promise<void> {
  await file.close();
  await discard(context, path);
}

async function fill(
  context: Context,
  wanted: DownloadRequest,
  { body, target, part, expected }: Transfer,
): Promise<Saved> {
  const { path, file } = part;
  const checksum = Checksum.of(expected, wanted.label, wanted.blob?.(body.headers));
  const inspectors = [checksum, wanted.inspector].filter((each) => each !== undefined);
  let size: number;
  try {
    if (body.start > 0) {
      context.notice(`resuming from ${byteSize(body.start)} of an earlier run`);
      if (inspectors.length > 0) for await (const chunk of file.stream()) await inspect(inspectors, chunk);
    }
    size = await writeContent(context, { body, label: wanted.label, writer: file, inspectors });
    await refuseReplaced(part, target);
    await file.takeModeOf(target);
  } finally {
    await file.close();
  }
  for (const inspector of inspectors) await inspector.finish();
  await wanted.verify?.(path);
  await refuseIfCreatedMeanwhile(context, wanted, target);
  await context.files.rename(path, target);
  await context.files.remove(`${path}.json`).catch(() => undefined);
  return { file: target, size, ...(checksum?.sha256 !== undefined && { sha256: checksum.sha256 }) };
}

/** Where others may write too, something else may have its name by now. */
async function refuseReplaced({ path, file }: Part, target: string): Promise<void> {
  if (await file.isAt(path)) return;
  throw new Failure("conflict", `${target} was not saved: its temporary file ${path} was replaced or removed`, {
    code: "changed_meanwhile",
    hint: "save it in a folder that no one else changes",
  });
}

/** Writes the bytes directly to a device or a pipe. */
async function pourInto(context: Context, target: string, wanted: DownloadRequest): Promise<Saved> {
  const body = await openBody(context, wanted.source);
  const checksum = Checksum.of(wanted.sha256?.(body.headers), wanted.label, wanted.blob?.(body.headers));
  const inspectors: Inspector[] = checksum === undefined ? [] : [checksum];
  const writer = await context.files.append(target);
  try {
    const size = await writeContent(context, { body, label: wanted.label, writer, inspectors });
    await checksum?.finish();
    return { file: target, size };
  } finally {
    await writer.close();
  }
}

/** After a failure: keeps the partial file if the same command can resume it, and removes it otherwise. */
async function settle(context: Context, { part: { path }, body }: Transfer, error: unknown): Promise<void> {
  const resumable =
    body.validator !== undefined &&
    error instanceof Failure &&
    (error.exit === "network" || error.exit === "interrupted" || (error.details.status ?? 0) >= 500);
  const size = resumable ? ((await context.files.facts(path))?.size ?? 0) : 0;
  if (size === 0) return discard(context, path);
  context.notice(`kept ${byteSize(size)} in ${path}; the same command resumes from there`);
}
