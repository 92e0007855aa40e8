import {
  BlameRange,
  FileFacts,
  getBlame,
  getFile,
  RepositoryFile,
  statBlame,
  statFile,
  statRaw,
} from "../../api/endpoints/files.ts";
import { boolean, entity, integer, string } from "../../api/field.ts";
import { UsageError } from "../../base/errors.ts";
import { command } from "../../declare/command.ts";
import { get as getVerb } from "../../verbs/verbs.ts";
import { filePath, pathArgument, projectFlag, refFlag } from "./path.ts";

const linesFlag = string("Only these lines, counted from 1", { placeholder: "a-b" });

const { content: _, ...withoutContent } = RepositoryFile.shape;

export const get = getVerb("get", getFile, {
  summary: "Get a file with its metadata",
  details:
    "JSON and YAML contain the content too, in Base64; files cat prints it decoded. Files of a public project can be " +
    "read without a token.",
  params: { ...filePath, ...refFlag },
  shown: { entity: RepositoryFile, columns: Object.keys(withoutContent) as (keyof typeof withoutContent)[] },
  examples: [
    { line: "files get README.md -p acme/storefront --ref main" },
    { line: "files get README.md -p acme/storefront --ref main --jq '.content | @base64d'" },
  ],
  related: ["files cat", "files stat"],
});

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
    if (lines !== undefined && !blame) throw new UsageError("--lines: only with --blame");
    if (lfs !== undefined && !raw) throw new UsageError("--lfs: only with --raw");
    const file = { project, file_path: path };
    if (raw) return { record: await context.api.call(statRaw, { ...file, ref, lfs }) };
    if (ref === undefined) throw new UsageError("--ref <ref> is missing; only --raw defaults to the default branch");
    const record = blame
      ? await context.api.call(statBlame, { ...file, ref, ...rangeOf(lines) })
      : await context.api.call(statFile, { ...file, ref });
    return { record };
  },
});

const BlamedLines = entity("Blamed lines", {
  first_line: integer("Number of the first line"),
  last_line: integer("Number of the last line"),
  ...BlameRange.shape,
});

export const blame = command({
  name: "blame",
  summary: "Show the last commit of each line of a file",
  details: "One row for each range of lines from the same commit, with the numbers of its first and last line.",
  args: pathArgument,
  params: {
    ...projectFlag,
    ...refFlag,
    lines: linesFlag,
  },
  requests: [getBlame],
  returns: BlamedLines,
  prints: "rows",
  examples: [
    { line: "files blame README.md -p acme/storefront --ref main" },
    { line: "files blame README.md -p acme/storefront --ref main --lines 3-5" },
  ],
  related: ["files get"],
  async run(context, { path, lines, ...rest }) {
    const range = rangeOf(lines);
    const ranges = await context.api.call(getBlame, { ...rest, file_path: path, ...range });
    let first = range.range_start ?? 1;
    const rows = ranges.map((each) => {
      const last = first + each.lines.length - 1;
      const row = { first_line: first, last_line: last, ...each };
      first = last + 1;
      return row;
    });
    return {
      rows,
      columns: [
        "first_line",
        "last_line",
        "commit.id",
        "commit.author_name",
        "commit.committed_date",
        "commit.message",
      ],
    };
  },
});

/** `--lines` as the two parameters of a blame. */
function rangeOf(text: string | undefined): { range_start?: number; range_end?: number } {
  if (text === undefined) return {};
  const [, from, to] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text) ?? [];
  const start = Number(from);
  const end = Number(to ?? from);
  if (from !== undefined && start >= 1 && end >= start) return { range_start: start, range_end: end };
  throw new UsageError(`--lines: must be two line numbers such as 3-5, the smaller one first, not "${text}"`);
}
