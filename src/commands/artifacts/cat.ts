import {
  getJob,
  getJobArtifact,
  getRefArtifact,
  listPipelineJobs,
  listPipelines,
} from "../../api/endpoints/artifacts.ts";
import { required, string } from "../../api/field.ts";
import { Failure, isNotFound, UsageError } from "../../base/errors.ts";
import { commandLine } from "../../base/shell-words.ts";
import { command } from "../../declare/command.ts";
import { type Source, sourceOf } from "../../transfer/body.ts";
import { deliver, outputFlag, SavedFile } from "../../transfer/download.ts";
import { choose } from "../../verbs/choose.ts";
import { withMissing } from "./missing-artifact.ts";
import { archiveSource, nameOf, type Selector, selectorFlags, selectorOf } from "./selector.ts";

export const cat = command({
  name: "cat",
  summary: "Print one file from the artifacts of a job",
  args: { path: required(string("Path of the file inside the archive", { relative: true })) },
  params: {
    ...selectorFlags,
    output: outputFlag("stdout"),
  },
  requests: [getJobArtifact, getRefArtifact, listPipelines, listPipelineJobs, getJob],
  returns: SavedFile,
  examples: [
    { line: "artifacts cat dist/index.html -p acme/storefront --ref main --job build" },
    { line: "artifacts cat VERSION -p acme/storefront --job-id 1000 -O version.txt" },
  ],
  related: ["artifacts download"],
  async run(context, { path, output = "-", ...input }) {
    const selector = selectorOf(context, input);
    checkPath(path);
    checkRoute(path, selector);
    const file = { ...selector.input, artifact_path: path };
    const source = sourceOf(context, choose([getJobArtifact, getRefArtifact], file), file, selector.options);
    const name = nameOf(selector);
    const wanted = { source, label: `${path} of ${name}`, name: path, output };
    return deliver(context, wanted).catch(async (error: unknown) => {
      throw await located(error, { path, name, archive: archiveSource(context, selector) }, (whole) =>
        withMissing(context, whole, selector),
      );
    });
  },
});

/** A 404 does not say what is missing; the archive's own route does. */
async function located(
  error: unknown,
  { path, name, archive }: { path: string; name: string; archive: Source },
  explain: (whole: Failure) => Promise<unknown>,
) {
  if (!isNotFound(error)) return error;
  try {
    await (await archive.open()).discard();
  } catch (whole) {
    if (!isNotFound(whole)) return error;
    return explain(new Failure("notFound", `${name} has no artifacts here, or does not exist`, error.details));
  }
  const hint = "the paths in the archive: forgectl artifacts list, with the same flags";
  return error.with({ exit: "notFound", message: `${path} is not in the artifacts of ${name}`, hint });
}

/**
 * Newer instances list an archive by the route that a file of this name in its root has (`artifacts-tree`), and send
 * the archive of a tag `main/raw` for a file `download` of `main` (raw-in-artifacts).
 */
function checkRoute(path: string, { kind, input: { project } }: Pick<Selector, "kind" | "input">): void {
  if (kind === "ref" && /^download(?:\.[^/]*)?$/.test(path)) {
    throw new UsageError(`a file "${path}" in the archive's root cannot be requested by --ref and --job`, {
      reason: "instances answer that request with an archive",
      hint: "give the ID of the job with --job-id",
    });
  }
  if (kind === "ref" || path !== "tree") return;
  throw new UsageError('a file "tree" in the archive\'s root cannot be requested by --job-id', {
    reason: "instances answer that request with a list of the archive's files",
    hint: `give --ref and --job, or unpack it: forgectl ${commandLine(["artifacts", "download", "-p", project, "--extract", "unpacked"])}, with the same --job-id`,
  });
}

function checkPath(path: string): void {
  const segments = path.split("/");
  if (!segments.some((segment) => segment === "" || segment === "." || segment === "..")) return;
  throw new UsageError(`"${path}" is not a path inside an archive`, {
    reason: "it is relative to the archive's root, without empty segments, . and ..",
  });
}
