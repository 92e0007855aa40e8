import { dirname } from "node:path";
import {
  getJob,
  getJobArchive,
  getRefArchive,
  listPipelineJobs,
  listPipelines,
} from "../../api/endpoints/artifacts.ts";
import { entity, integer, string } from "../../api/field.ts";
import { UsageError } from "../../base/errors.ts";
import { isStdout } from "../../base/special-file.ts";
import type { Context } from "../../context.ts";
import { command } from "../../declare/command.ts";
import type { Extracted } from "../../host.ts";
import { isArchive } from "../../transfer/archive-file.ts";
import { deliver, SavedFile, save, targetFlags } from "../../transfer/download.ts";
import type { DownloadRequest } from "../../transfer/download-request.ts";
import { folderAbove } from "../../transfer/folder-above.ts";
import { withMissing } from "./missing-artifact.ts";
import { archiveSource, nameOf, selectorFlags, selectorOf } from "./selector.ts";
import { makeWorkspace } from "./workspace.ts";

/** An archive, or the folder that it was unpacked to. */
const Fetched = entity("Fetched artifacts", {
  ...SavedFile.shape,
  folder: string("Folder of the files"),
  files: integer("Number of files"),
});

type Archive = Omit<DownloadRequest, "output">;

export const download = command({
  name: "download",
  summary: "Download the artifacts archive of a job",
  details:
    "The archive is a zip file. The target is replaced only once the download is complete; the same command " +
    "resumes an interrupted one. With --extract its files are unpacked into a folder instead, all of them or " +
    "none; those of the same name there are replaced, so that a checkout is no folder for the archive of others. In a CI job, the job's own project and token are the default.",
  params: {
    ...selectorFlags,
    ...targetFlags("artifacts.zip"),
    extract: string("Unpack into this folder; with -O the archive is saved too", {
      placeholder: "dir",
      completes: "directory",
      writes: "whole",
      min: 1,
    }),
  },
  requests: [getJobArchive, getRefArchive, listPipelines, listPipelineJobs, getJob],
  returns: Fetched,
  prints: "record",
  examples: [
    { line: "artifacts download -p acme/storefront --ref main --job build" },
    { line: "artifacts download -p acme/storefront --job-id 1000 -O build.zip" },
    {
      line: "artifacts download -p acme/storefront --ref main --job build --extract site",
      note: "its files, unpacked",
    },
  ],
  related: ["artifacts cat", "artifacts keep"],
  async run(context, { output, force, extract, ...input }) {
    const selector = selectorOf(context, input);
    const label = `artifacts of ${nameOf(selector)}`;
    const archive = {
      source: archiveSource(context, selector),
      label,
      name: "artifacts.zip",
      verify: isArchive(context, label, "zip"),
    };
    const explain = async (error: unknown): Promise<never> => {
      throw await withMissing(context, error, selector);
    };
    if (extract === undefined) return deliver(context, { ...archive, output, force }).catch(explain);
    if (isStdout(output)) throw new UsageError("--extract unpacks a file: leave out -O -");
    return {
      record: await unpack(context, archive, extract, output).catch(explain),
      columns: ["folder", "files", "size"],
    };
  },
});

/** Without `-O` the archive is next to the folder, or in it, until it is unpacked. */
async function unpack(
  context: Context,
  archive: Archive,
  folder: string,
  output: string | undefined,
): Promise<Extracted> {
  const home = await homeOf(context, folder);
  if (context.config.dryRun) return archive.source.plan(output ?? folder);
  const workspace = await makeWorkspace(context, home);
  try {
    const file = output ?? workspace.archive;
    await save(context, { ...archive, output: file });
    await context.files.makeFolder(dirname(folder));
    return await extract(context, { archive, file, folder, workspace: workspace.folder });
  } finally {
    await workspace.remove();
  }
}

interface Unpacking {
  archive: Archive;
  file: string;
  folder: string;
  workspace: string;
}

async function extract(context: Context, { archive, file, folder, workspace }: Unpacking): Promise<Extracted> {
  const task = context.progress.start(`extracting ${archive.label}`, { unit: "bytes" });
  try {
    return await context.archives.extract(file, folder, {
      workspace,
      signal: context.signal,
      onProgress: (done, total) => task.update(done, { total }),
    });
  } finally {
    task.stop();
  }
}

async function homeOf(context: Context, folder: string): Promise<string> {
  const facts = await context.files.facts(folder);
  if (facts?.kind === "folder") return folder;
  if (facts !== undefined) throw new UsageError(`--extract: ${folder} is not a folder`);
  return folderAbove(context, folder, "--extract");
}
