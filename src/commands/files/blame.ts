import { BlameRange, getBlame } from "../../api/endpoints/files.ts";
import { entity, integer } from "../../api/field.ts";
import { Failure } from "../../base/errors.ts";
import { command } from "../../declare/command.ts";
import { linesFlag, rangeOf } from "./lines.ts";
import { pathArgument, projectFlag, refFlag } from "./path.ts";

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
      // The numbers of all that follow are counted from them.
      if (!Array.isArray(each.lines)) throw withoutLines();
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

function withoutLines(): Failure {
  return new Failure("refused", "the lines could not be numbered", {
    code: "unexpected_answer",
    reason: "a range of the answer has no lines",
  });
}
