import { getJobArtifact, getRefArtifact } from "../../api/endpoints/artifacts.ts";
import { required, string } from "../../api/field.ts";
import { sourceOf } from "../../command/body.ts";
import { command } from "../../command/command.ts";
import { deliver, outputFlag, SavedFile } from "../../command/download.ts";
import { UsageError } from "../../errors.ts";
import { nameOf, selectorFlags, selectorOf } from "./selector.ts";

export const cat = command({
  name: "cat",
  summary: "Print one file from the artifacts of a job",
  args: { path: required(string("Path of the file inside the archive")) },
  params: {
    ...selectorFlags,
    output: outputFlag("stdout"),
  },
  requests: [getJobArtifact, getRefArtifact],
  returns: SavedFile,
  examples: [
    { line: "artifacts cat dist/index.html -p acme/storefront --ref main --job build" },
    { line: "artifacts cat VERSION -p 7 --job-id 1000 -O version.txt" },
  ],
  related: ["artifacts download"],
  async run(context, { path, output = "-", ...input }) {
    const selector = selectorOf(context, input);
    checkPath(path);
    const { kind, options } = selector;
    const source =
      kind === "job"
        ? sourceOf(context, getJobArtifact, { ...selector.input, artifact_path: path }, options)
        : sourceOf(context, getRefArtifact, { ...selector.input, artifact_path: path }, options);
    return deliver(context, { source, label: `${path} of ${nameOf(selector)}`, name: path, output });
  },
});

function checkPath(path: string): void {
  const segments = path.split("/");
  if (!segments.some((segment) => segment === "" || segment === "." || segment === "..")) return;
  throw new UsageError(`"${path}" is no path inside an archive`, {
    reason: "it is relative to the archive's top, without empty parts, . and ..",
  });
}
