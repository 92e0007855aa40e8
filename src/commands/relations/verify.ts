import { entity, nullable, oneOf, required, string, uncut } from "../../api/field.ts";
import { Failure, UsageError } from "../../base/errors.ts";
import { commandLine } from "../../base/shell-words.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { lockName } from "./pull/folder.ts";
import { checkPiece, type Manifest, manifestName, readManifest } from "./pull/manifest.ts";

const tones = { intact: "good", damaged: "bad", missing: "bad", extra: "doubtful", not_exported: "bad" } as const;

const VerifiedFile = entity("VerifiedFile", {
  file: nullable(uncut("Name in the folder")),
  status: oneOf(
    ["intact", "damaged", "missing", "extra", "not_exported"],
    "extra: the manifest does not name it; not_exported: the instance could not export the relation",
    { tones },
  ),
  error: nullable(uncut("Why it is not intact")),
  relation: nullable(string("The relation that it is of")),
});

interface Row {
  readonly file: string | null;
  readonly status: string;
  readonly error: string | null;
  readonly relation: string | null;
}

export const verify = command({
  name: "verify",
  summary: "Check a folder of relations pull against its manifest, offline",
  details:
    "Compares every file of manifest.json with its size and its SHA-256. Needs no token and sends nothing. A damaged or " +
    "missing file is exit 12; files that the manifest does not name are listed as extra, and relations that the instance " +
    "could not export as not_exported.",
  args: { dir: required(string("Folder that relations pull wrote", { min: 1, completes: "directory" })) },
  returns: VerifiedFile,
  prints: "rows",
  standalone: true,
  examples: [{ line: "relations verify gateway", before: "forgectl relations pull gateway -p acme/platform/gateway" }],
  related: ["relations pull"],
  async run(context, { dir }) {
    const manifest = await read(context, dir);
    return {
      rows: checked(context, dir, manifest),
      columns: ["file", "status", "error", "relation"],
      validIfPartial: true,
    };
  },
});

async function read(context: Context, dir: string): Promise<Manifest> {
  const facts = await context.files.facts(dir);
  if (facts?.kind !== "folder") throw new UsageError(`${dir} is not a folder`);
  const manifest = await readManifest(context, dir, "without its manifest, a folder cannot be checked");
  if (manifest !== undefined) return manifest;
  throw new UsageError(`${dir} has no ${manifestName}`, { hint: "name a folder that relations pull wrote" });
}

async function* checked(context: Context, dir: string, manifest: Manifest): AsyncGenerator<Row> {
  const again = `forgectl ${commandLine(["relations", "pull", dir, "-p", manifest.project])}`;
  if (manifest.pieces === null) {
    const reason = "the export was not finished when relations pull ended";
    throw new Failure("integrity", `${dir} holds no export yet`, { code: "incomplete", reason, hint: again });
  }
  const files = manifest.pieces.filter(({ file }) => file !== null);
  const task = context.progress.start(`checking ${dir}`, { total: files.length });
  let bad = 0;
  try {
    for (const [index, piece] of files.entries()) {
      const { status, error = null } = await checkPiece(context, dir, piece);
      if (status !== "intact") bad += 1;
      yield { file: piece.file, status, error, relation: piece.relation };
      task.update(index + 1);
    }
  } finally {
    task.stop();
  }
  const known = new Set([manifestName, lockName, ...files.map(({ file }) => file)]);
  for (const name of (await context.files.list(dir)).sort()) {
    if (!known.has(name)) yield { file: name, status: "extra", error: null, relation: null };
  }
  for (const { relation, status, error } of manifest.pieces) {
    if (status === "failed") yield { file: null, status: "not_exported", error, relation };
  }
  if (bad === 0) return context.notice(`all of ${files.length} files are intact`);
  throw new Failure("integrity", `${bad} of ${files.length} files are damaged or missing`, {
    code: "damaged",
    hint: again,
  });
}
