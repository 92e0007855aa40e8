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
import { command } from "../../command/command.ts";
import { UsageError } from "../../errors.ts";
import { checkPath, pathArgument, projectFlag, refFlag } from "./path.ts";

export const get = command({
  name: "get",
  summary: "Get a file and what is known of it",
  details: "JSON and YAML hold the content too, in Base64; files cat prints it as it is.",
  args: pathArgument,
  params: { ...projectFlag, ...refFlag },
  requests: [getFile],
  returns: RepositoryFile,
  examples: [
    { line: "files get README.md -p acme/storefront --ref main" },
    { line: "files get README.md -p 7 --ref main --jq '.content | @base64d'" },
  ],
  related: ["files cat", "files stat"],
  async run(context, { path, ...input }) {
    const record = await context.api.call(getFile, { ...input, file_path: checkPath(path) });
    const columns = Object.keys(RepositoryFile.shape).filter((name) => name !== "content");
    return { record, columns, entity: RepositoryFile };
  },
});

export const stat = command({
  name: "stat",
  summary: "Get what is known of a file without its content",
  args: pathArgument,
  params: {
    ...projectFlag,
    ...refFlag,
    blame: boolean("Ask for it where the blame is"),
    raw: boolean("Ask for it where the raw content is"),
  },
  requests: [statFile, statBlame, statRaw],
  returns: FileFacts,
  examples: [
    { line: "files stat README.md -p acme/storefront --ref main" },
    { line: "files stat README.md -p 7 --ref main --fields last_commit_id --no-header", note: "for --last-commit-id" },
  ],
  related: ["files get"],
  async run(context, { path, blame, raw, ...rest }) {
    if (blame && raw) throw new UsageError("give only one of --blame and --raw");
    const input = { ...rest, file_path: checkPath(path) };
    const endpoint = blame ? statBlame : raw ? statRaw : statFile;
    return { record: await context.api.call(endpoint, input), entity: FileFacts };
  },
});

const BlamedLines = entity("Blamed lines", {
  first_line: integer("Number of the first of them"),
  last_line: integer("Number of the last of them"),
  ...BlameRange.shape,
});

export const blame = command({
  name: "blame",
  summary: "Show which commit each line of a file comes from",
  details: "A row for each run of lines from the same commit, with the numbers of its first and last line.",
  args: pathArgument,
  params: {
    ...projectFlag,
    ...refFlag,
    lines: string("Only these lines, the first being 1", { placeholder: "a-b" }),
  },
  requests: [getBlame],
  returns: BlamedLines,
  examples: [
    { line: "files blame README.md -p acme/storefront --ref main" },
    { line: "files blame README.md -p 7 --ref main --lines 3-5" },
  ],
  related: ["files get"],
  async run(context, { path, lines, ...rest }) {
    const range = lines === undefined ? undefined : parseLines(lines);
    const input = { ...rest, file_path: checkPath(path) };
    const ranges = await context.api.call(getBlame, {
      ...input,
      ...(range && { range_start: range.start, range_end: range.end }),
    });
    let first = range?.start ?? 1;
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
      entity: BlamedLines,
    };
  },
});

function parseLines(text: string): { start: number; end: number } {
  const [, from, to] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text) ?? [];
  const start = Number(from);
  const end = Number(to ?? from);
  if (from !== undefined && start >= 1 && end >= start) return { start, end };
  throw new UsageError(`--lines: must be two line numbers such as 3-5, the smaller one first, not "${text}"`);
}
