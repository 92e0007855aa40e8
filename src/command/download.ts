import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { bytes, entity, string } from "../api/field.ts";
import type { Context } from "../context.ts";
import { Failure, UsageError } from "../errors.ts";
import type { View } from "../terminal/view.ts";
import { byteSize } from "../wording.ts";
import { type Body, openBody, type Source } from "./body.ts";
import { fileNameIn } from "./file-name.ts";
import { claim, discard, findLeftover, note, partPath } from "./partial.ts";
import { pour } from "./pour.ts";
import { refusePipe } from "./source.ts";

/** A content and where it is to go. */
export interface Wanted {
  source: Source;
  /** What it is, for people: "artifacts of job 12". */
  label: string;
  /** `-O`: a file, `-` for stdout; undefined for a file of this folder named as below. */
  output: string | undefined;
  /** The file's name where `-O` is not given. It comes from what was typed, never from a server. */
  name: string;
  /** The server's name is better than `name`: it is taken, made safe, and never replaces a file. */
  serverName?: boolean;
  /** The content's SHA-256, hexadecimal, where it is known before or from the answer's headers. */
  sha256?: (headers: Readonly<Record<string, string>>) => string | undefined;
  /** Looks at the file while it has no name yet, and throws where it must not get one. Bytes to stdout pass unseen. */
  verify?: (file: string) => Promise<void>;
}

/** `-O`, as every command has it that brings a content; `otherwise` says where it goes without. */
export function outputFlag(otherwise: string) {
  return string(`Save as this file; - is stdout (default ${otherwise})`, {
    min: 1,
    flag: "output-file",
    short: "O",
    placeholder: "file|-",
    completes: "file",
  });
}

/** What a command shows that saved a content. */
export const SavedFile = entity("Saved file", {
  file: string("Where it is"),
  size: bytes("Size in bytes"),
  sha256: string("SHA-256, where it was known beforehand and the content checked against it"),
});

/** A file that is there, whole. */
interface Saved {
  file: string;
  /** Bytes. */
  size: number;
  /** Only where it was known beforehand, and the content checked against it. */
  sha256?: string;
}

/** Brings a content to where `-O` says: bytes on stdout, or a file, shown as a record. */
export async function deliver(context: Context, wanted: Wanted): Promise<View> {
  if (wanted.output === "-") return { bytes: await fetchBytes(context, wanted) };
  const record = await save(context, wanted);
  return { record, columns: Object.keys(record), entity: SavedFile };
}

/** The bytes as they come; they end with an error where they are not what the digest says. */
async function fetchBytes(
  context: Context,
  wanted: Pick<Wanted, "source" | "label" | "sha256">,
): Promise<AsyncGenerator<Uint8Array>> {
  const body = await openBody(context, wanted.source);
  const check = checkOf(wanted.sha256?.(body.headers));
  return (async function* () {
    for await (const chunk of body.chunks()) {
      check?.hash.update(chunk);
      yield chunk;
    }
    check?.finish(wanted.label);
  })();
}

/**
 * Saves a content to a file, through one beside it: the target is what it was until all of it is there, has the
 * promised length and digest, and is synced. What broke off can be gone on with by the same command, if the server
 * names the content by a validator (see partial.ts).
 */
export async function save(context: Context, wanted: Wanted): Promise<Saved> {
  const typed = wanted.output ?? (wanted.serverName ? undefined : wanted.name);
  const folder = dirname(typed ?? wanted.name);
  const kind = await checkTarget(context, typed, folder);
  const { identity } = wanted.source;
  const leftover = kind === "other" ? undefined : await findLeftover(context, folder, identity);
  let body = await openBody(context, wanted.source, leftover);
  const target = typed ?? (await freeName(context, folder, wanted, body));
  if (kind === "other") return pourInto(context, target, body, wanted);
  const part = partPath(folder, identity);
  try {
    await note(context, part, { source: identity, validator: body.validator });
    if (leftover !== undefined && !(await claim(context, leftover, part)) && body.start > 0) {
      await body.discard();
      body = await openBody(context, wanted.source);
    }
    const saved = await fill(context, { wanted, body, target, part });
    await wanted.verify?.(part);
    await context.files.rename(part, target);
    await context.files.remove(`${part}.json`).catch(() => undefined);
    return saved;
  } catch (error) {
    await settle(context, part, body, error);
    throw worded(error, target);
  }
}

async function checkTarget(context: Context, target: string | undefined, folder: string) {
  const kind = target === undefined ? undefined : (await context.files.facts(target))?.kind;
  if (kind === "folder" || target?.endsWith("/")) throw new UsageError(`${target} is a folder; name a file in it`);
  if (target !== undefined) refusePipe(kind, target, "use stdout: -O - >");
  const home = await context.files.facts(folder);
  if (home === undefined) throw new UsageError(`there is no folder ${folder} to put ${basename(target ?? "it")} in`);
  if (home.kind !== "folder") throw new UsageError(`${folder} is no folder`);
  return kind;
}

async function freeName(context: Context, folder: string, wanted: Wanted, body: Body): Promise<string> {
  const target = join(folder, fileNameIn(body.headers) ?? wanted.name);
  if ((await context.files.facts(target)) === undefined) return target;
  await body.discard();
  throw new UsageError(`there is a file ${target} already, and the server chose that name`, {
    hint: "say where to with -O <file>",
  });
}

interface Filling {
  wanted: Wanted;
  body: Body;
  target: string;
  part: string;
}

async function fill(context: Context, { wanted, body, target, part }: Filling): Promise<Saved> {
  const check = checkOf(wanted.sha256?.(body.headers));
  if (body.start > 0) {
    context.notice(`going on from ${byteSize(body.start)} of an earlier run`);
    if (check !== undefined) for await (const chunk of context.files.stream(part)) check.hash.update(chunk);
  }
  const mode = (await context.files.facts(target))?.mode;
  const writer = await context.files.append(part, {
    truncate: body.start === 0,
    ...(mode !== undefined && { mode: mode & 0o777 }),
  });
  const size = await pour(context, { body, label: wanted.label, writer, hash: check?.hash });
  const sha256 = check?.finish(wanted.label);
  return { file: target, size, ...(sha256 !== undefined && { sha256 }) };
}

/** A device or a pipe takes the bytes as they come. */
async function pourInto(context: Context, target: string, body: Body, wanted: Wanted): Promise<Saved> {
  const check = checkOf(wanted.sha256?.(body.headers));
  try {
    const writer = await context.files.append(target);
    const size = await pour(context, { body, label: wanted.label, writer, hash: check?.hash });
    check?.finish(wanted.label);
    return { file: target, size };
  } catch (error) {
    throw worded(error, target);
  }
}

/** After a failure: the part stays where the same command can go on with it, and goes where not. */
async function settle(context: Context, part: string, body: Body, error: unknown): Promise<void> {
  const resumable =
    body.validator !== undefined &&
    error instanceof Failure &&
    (error.exit === "network" || error.exit === "interrupted" || (error.details.status ?? 0) >= 500);
  const size = resumable ? ((await context.files.facts(part))?.size ?? 0) : 0;
  if (size === 0) return discard(context, part);
  context.notice(`kept ${byteSize(size)} in ${part}; the same command goes on from there`);
}

function checkOf(expected: string | undefined) {
  if (expected === undefined || !/^[0-9a-f]{64}$/i.test(expected)) return undefined;
  const hash = createHash("sha256");
  return {
    hash,
    finish(label: string): string {
      const found = hash.digest("hex");
      if (found === expected.toLowerCase()) return found;
      throw new Failure("integrity", `${label}: the content is not what its checksum says`, {
        code: "checksum_mismatch",
        reason: `SHA-256 is ${found}, expected ${expected}`,
        hint: "run the command again; if it stays so, something on the way changes the content",
      });
    },
  };
}

const full = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EIO"]);
const refused = new Set(["EACCES", "EPERM", "EROFS", "ENOENT", "ENOTDIR", "EISDIR", "ENAMETOOLONG"]);

/** An error of the file system in words; others as they are. */
export function worded(error: unknown, target: string): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  const { code = "" } = error as NodeJS.ErrnoException;
  const details = { reason: error.message, cause: error };
  if (refused.has(code)) return new UsageError(`${target} cannot be written`, details);
  if (!full.has(code)) return error;
  const hint = "make room, then run the command again";
  return new Failure("integrity", `${target} could not be written in full`, { ...details, code: "write_failed", hint });
}
