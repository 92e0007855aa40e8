import { join } from "node:path";
import { entity, nullable, oneOf, required, string, uncut } from "../../api/field.ts";
import { Failure, UsageError } from "../../base/errors.ts";
import { commandLine } from "../../base/shell-words.ts";
import { counted, someOf } from "../../base/wording.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import { lockName } from "./pull/folder.ts";
import { checkPiece, isOwnName, type Manifest, manifestName } from "./pull/manifest.ts";
import { foldersIn, type PulledFolder } from "./pulled-folders.ts";

const tones = { intact: "good", damaged: "bad", missing: "bad", extra: "doubtful", not_exported: "bad" } as const;

const VerifiedFile = entity("VerifiedFile", {
  folder: uncut("Folder of the manifest, below the one that was named; . is that one"),
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
  readonly folder: string;
  readonly file: string | null;
  readonly status: string;
  readonly error: string | null;
  readonly relation: string | null;
}

export const verify = command({
  name: "verify",
  summary: "Check folders of relations pull against their manifests, offline",
  details:
    "Compares every file of manifest.json with its size and its SHA-256, in the folder and in all folders below it, so " +
    "that the folders of many projects are checked at once. Needs no token and sends nothing. A damaged or missing file, " +
    "and a folder whose manifest is missing or whose export was not finished, are exit 12; files that no manifest names " +
    "are listed as extra, and relations that the instance could not export as not_exported.",
  args: { dir: required(string("Folder that relations pull wrote, or one above", { min: 1, completes: "directory" })) },
  returns: VerifiedFile,
  prints: "rows",
  standalone: true,
  examples: [
    { line: "relations verify gateway", before: "forgectl relations pull gateway -p acme/platform/gateway" },
    {
      line: "relations verify exports",
      before: "forgectl relations pull exports/acme/platform/gateway -p acme/platform/gateway",
      note: "the folders of many projects",
    },
  ],
  related: ["relations pull", "each"],
  async run(context, { dir }) {
    const facts = await context.files.facts(dir);
    if (facts?.kind !== "folder") throw new UsageError(`${dir} is not a folder`);
    const folders = await foldersIn(context, dir);
    const [own, ...below] = folders;
    const isOne = below.every(({ manifest }) => manifest === undefined);
    if (isOne && own?.manifest === undefined) {
      throw new UsageError(`${dir} has no ${manifestName}`, {
        hint: "name a folder that relations pull wrote, or one above such folders",
      });
    }
    if (isOne) refuseUnfinished(dir, own?.manifest);
    return {
      rows: checked(context, dir, folders, isOne),
      columns: [...(isOne ? [] : ["folder"]), "file", "status", "error", "relation"],
      validIfPartial: true,
      finishes: true,
    };
  },
});

function refuseUnfinished(dir: string, manifest: PulledFolder["manifest"]): void {
  if (typeof manifest !== "object" || manifest.pieces !== null) return;
  const hint = againIn(dir, manifest);
  throw new Failure("integrity", `${dir} holds no export yet`, { code: "incomplete", reason: unfinished, hint });
}

const unfinished = "the export was not finished when relations pull ended";

const unconfirmed = "relations pull did not see whether all files are of one export";

function againIn(folder: string, { project }: Manifest): string {
  return `forgectl ${commandLine(["relations", "pull", folder, "-p", project])}`;
}

async function* checked(
  context: Context,
  dir: string,
  folders: readonly PulledFolder[],
  isOne: boolean,
): AsyncGenerator<Row> {
  const task = context.progress.start(`checking ${dir}`, { unit: "items" });
  const damaged = new Set<PulledFolder>();
  let [all, bad, pulls, unexported] = [0, 0, 0, 0];
  try {
    for (const each of folders) {
      if (each.manifest !== undefined) pulls += 1;
      for await (const row of rowsOf(context, dir, each)) {
        const isGood = row.status === "intact";
        const isBad = row.status === "damaged" || row.status === "missing";
        if (isGood || isBad) task.update(++all);
        if (row.status === "not_exported") unexported += 1;
        if (isBad) {
          bad += 1;
          damaged.add(each);
        }
        yield row;
      }
    }
  } finally {
    task.stop();
  }
  if (bad === 0) {
    const left = unexported === 0 ? "" : `; the instance could not export ${counted(unexported, "relation")}`;
    return context.closing(`all of ${all} files${isOne ? "" : ` in ${counted(pulls, "folder")}`} are intact${left}`);
  }
  throw damagedFailure(dir, { all, bad, damaged: [...damaged], isOne });
}

async function* rowsOf(context: Context, dir: string, each: PulledFolder): AsyncGenerator<Row> {
  const { folder, names, manifest } = each;
  const row = (file: string | null, status: string, error: string | null = null, relation: string | null = null) => ({
    ...{ folder, file, status, error, relation },
  });
  if (manifest === undefined || typeof manifest === "string") {
    const problem = manifest ?? missingIn(each);
    if (problem !== undefined) yield row(manifestName, manifest === undefined ? "missing" : "damaged", problem);
    for (const name of names) if (name !== manifestName) yield row(name, "extra");
    return;
  }
  if (manifest.pieces === null) return yield row(null, "missing", unfinished);
  const pieces = manifest.pieces.filter(({ file }) => file !== null);
  for (const piece of pieces) {
    const { status, error = null } = await checkPiece(context, join(dir, folder), piece);
    yield row(piece.file, status, error, piece.relation);
  }
  const known = new Set([manifestName, lockName, ...pieces.map(({ file }) => file)]);
  for (const name of names) if (!known.has(name)) yield row(name, "extra");
  if (!manifest.confirmed && pieces.every(({ status }) => status === "done")) {
    yield row(manifestName, "damaged", unconfirmed);
  }
  for (const { relation, status, error } of manifest.pieces) {
    if (status === "failed") yield row(null, "not_exported", error, relation);
  }
}

/** Why a folder has to have a manifest, if it has to: a pull that failed at once leaves an empty one. */
function missingIn({ names, isLast, isInside }: PulledFolder): string | undefined {
  if (names.some(isOwnName)) return "nothing says which export the files in this folder belong to";
  return isLast && !isInside && names.length === 0 ? "the folder is empty: no export was pulled into it" : undefined;
}

interface Damage {
  readonly all: number;
  readonly bad: number;
  readonly damaged: readonly PulledFolder[];
  readonly isOne: boolean;
}

/** The hint repeats the pull of a folder; of several, that of the first. */
function damagedFailure(dir: string, { all, bad, damaged, isOne }: Damage): Failure {
  const lines = damaged.flatMap(({ folder, manifest }) =>
    typeof manifest === "object" ? [againIn(join(dir, folder), manifest)] : [],
  );
  const [first] = lines;
  const others = lines.length > 1 ? "    # and so for each of these folders" : "";
  return new Failure("integrity", `${bad} of ${all} files are damaged or missing`, {
    code: "damaged",
    ...(!isOne && { reason: `in ${someOf(damaged.map(({ folder }) => folder))}` }),
    ...(first !== undefined && { hint: `${first}${others}` }),
  });
}
