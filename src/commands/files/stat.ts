import { FileFacts, statBlame, statFile, statRaw } from "../../api/endpoints/files.ts";
import { boolean, string } from "../../api/field.ts";
import { missing, UsageError } from "../../base/errors.ts";
import { command } from "../../declare/command.ts";
import { linesFlag, rangeOf } from "./lines.ts";
import { pathArgument, projectFlag } from "./path.ts";

export const stat = command({
  name: "stat",
  summary: "Get the metadata of a file without its content",
  args: pathArgument,
  params: {
    ...projectFlag,
    ref: string("Branch, tag, or commit; with --raw the project's default branch if not given", {
      placeholder: "ref",
      min: 1,
    }),
    blame: boolean("Use the blame endpoint"),
    lines: linesFlag,
    raw: boolean("Use the raw content endpoint"),
    lfs: boolean("With --raw: of the content in large file storage (LFS) instead of the pointer to it"),
  },
  requests: [statFile, statBlame, statRaw],
  returns: FileFacts,
  prints: "record",
  examples: [
    { line: "files stat README.md -p acme/storefront --ref main" },
    {
      line: "files stat README.md -p acme/storefront --ref main --fields last_commit_id --no-header",
      note: "for --last-commit-id",
    },
    { line: "files stat README.md -p acme/storefront --raw", note: "on the default branch" },
  ],
  related: ["files get"],
  async run(context, { path, blame, raw, ref, lines, lfs, project }) {
    if (blame && raw) throw new UsageError("give only one of --blame and --raw");
    if (lines !== undefined && !blame) throw new UsageError("--lines needs --blame");
    if (lfs !== undefined && !raw) throw new UsageError("--lfs needs --raw");
    const file = { project, file_path: path };
    if (raw) return { record: await context.api.call(statRaw, { ...file, ref, lfs }) };
    if (ref === undefined) throw missing("--ref <ref>", { reason: "only --raw defaults to the default branch" });
    const record = blame
      ? await context.api.call(statBlame, { ...file, ref, ...rangeOf(lines) })
      : await context.api.call(statFile, { ...file, ref });
    return { record };
  },
});
