import { promises as fs } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isSpecial } from "../base/special-file.ts";
import { codeOf, factsOf, unlessMissing } from "./file-facts.ts";
import { isOwn } from "./owners.ts";
import { openWriter, syncFolder } from "./writer.ts";

/**
 * Writes beside the target, syncs, renames, and syncs the folder. A link at the target is replaced and never written
 * through; a caller that wants to keep the link passes the real path. An existing file keeps its mode unless another is
 * given; that of another user, who chose it, only without what the umask takes. A device (`/dev/null`) and a file that
 * the shell has opened (`/dev/fd/5`) are written to directly.
 */
export async function writeWhole(
  target: string,
  content: string | Uint8Array,
  mode: number | undefined,
): Promise<void> {
  const present = await factsOf(target);
  if (present?.kind === "other" || (present?.kind === "file" && isSpecial(target)))
    return writeDirectly(target, content);
  const temporary = await writeTemporary(target, content, mode ?? (await modeOf(target)));
  try {
    await renameSteadily(temporary, target);
  } catch (error) {
    await discard(temporary);
    throw error;
  }
  await syncFolder(dirname(target));
}

/** The mode of the file that is replaced; undefined if there is none. */
async function modeOf(target: string): Promise<number | undefined> {
  const present = await unlessMissing(fs.stat(target));
  if (present === undefined) return undefined;
  return present.mode & 0o777 & (isOwn(present) ? 0o777 : ~process.umask());
}

/** Writing to a named pipe would block until it is read, and neither Ctrl-C nor `timeout` would end that. */
async function writeDirectly(target: string, content: string | Uint8Array): Promise<void> {
  const isPipe = !isSpecial(target) && (await fs.stat(target)).isFIFO();
  if (isPipe) throw Object.assign(new Error("it is a named pipe"), { code: "EINVAL" });
  const writer = await openWriter(target);
  try {
    await writer.write([typeof content === "string" ? new TextEncoder().encode(content) : content]);
  } finally {
    await writer.close();
  }
}

/** Creates a file atomically: it is written under a temporary name and linked. */
export async function createWhole(
  target: string,
  content: string | Uint8Array,
  mode: number | undefined,
): Promise<boolean> {
  const temporary = await writeTemporary(target, content, mode);
  try {
    await fs.link(temporary, target);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    // FAT and some network file systems have no links.
    if (["EPERM", "ENOTSUP", "ENOSYS", "EMLINK", "EINVAL"].includes(codeOf(error) ?? "")) {
      return createPlain(target, content, mode);
    }
    throw error;
  } finally {
    await discard(temporary);
  }
}

async function createPlain(target: string, content: string | Uint8Array, mode: number | undefined): Promise<boolean> {
  try {
    await fs.writeFile(target, content, { flag: "wx", ...(mode !== undefined && { mode }) });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Writes and syncs a temporary file beside the target; its name is short even if the target's is long. */
async function writeTemporary(target: string, content: string | Uint8Array, mode: number | undefined): Promise<string> {
  if (basename(target) === "") throw Object.assign(new Error(`${target} is a folder`), { code: "EISDIR" });
  const temporary = join(dirname(target), `.forgectl-${process.pid}-${randomWord()}.tmp`);
  const handle = await fs.open(temporary, "wx", mode ?? 0o666);
  try {
    await handle.writeFile(content);
    // The umask may have cleared bits of the requested mode.
    if (mode !== undefined) await handle.chmod(mode);
    await handle.sync();
  } catch (error) {
    await handle.close();
    await discard(temporary);
    throw error;
  }
  await handle.close();
  return temporary;
}

/** On Windows a rename fails temporarily while a reader or a virus scanner has the target open. */
export async function renameSteadily(from: string, to: string): Promise<void> {
  const attempts = process.platform === "win32" ? 10 : 1;
  for (let attempt = 1; ; attempt++) {
    try {
      return await fs.rename(from, to);
    } catch (error) {
      if (attempt >= attempts || !["EPERM", "EACCES", "EBUSY"].includes(codeOf(error) ?? "")) throw error;
      await new Promise((done) => setTimeout(done, attempt * 20));
    }
  }
}

export async function discard(temporary: string): Promise<void> {
  await fs.rm(temporary, { force: true });
}

function randomWord(): string {
  return Math.random().toString(36).slice(2, 12);
}
