import { describe, expect, test } from "vitest";
import { attack } from "../support/attack.ts";
import { chanceOf } from "../support/chance.ts";
import { type Alter, insideLines, type Line, placeOf, scopeOf, type Told, trial } from "../support/inside.ts";

// What a command says alone it says inside `batch` and `each` too: its rows, all columns and values; its warnings; its
// error, with the outcome and what to do about it; its exit code. Every command that they take is tried, with its
// requests refused, lost, or answered by something else too. Only what is listed here may differ.

/** Lines for people about what the rows say too. They are left out, since those of many commands would be in a heap. */
const forPeople: readonly (readonly [line: RegExp, because: string])[] = [
  [/^undo: /, "docs/scripting.md: each and batch print none for the commands that they run"],
  [/^\d+ of \d+ done(?:,|$)/, "the rows are counted"],
  [/^(?:hook|project|group|user|repository) .* is (?:hook|project|group|user|repository) \d+$/, "the row has the ID"],
  [
    /; a check shows that |^the answer was lost, but the commit was made: /,
    "the status is that of a change that was made",
  ],
  [/^(?:the export is )?scheduled[:;]/, "the row has the status scheduled"],
  [/^settings are cached: /, "help of settings set"],
  [/^the export is scheduled; waiting/, "progress"],
  [/^error tracking key \d+ is deleted; \d+ replaces it$/, "the row has both"],
  [/^check: /, "what a program of the user prints; of one that fails, the cause has the end"],
  [
    /: \d+ of \d+ tags to delete|^\d+ of \d+ (?:tags|uploads).* would be deleted/,
    "there is a row for each, or a request",
  ],
  [/^\d+ changes? made\b/, "the rows, and what is not verified in them"],
  [/^(?:\d+ tags saved|nothing was deleted|nothing to (?:delete|resend|roll back))/, "there are rows, or none"],
  [/(?:^|; )\d+ (?:repositor(?:y|ies)|users?|events?|findings?|files?|entries|objects?)\b/, "the sum of the rows"],
  [/^\d+ (?:of \d+ rules failed|of \d+ failed deliveries to resend|to (?:add|change|remove)|extra)/, "the same"],
  [/^(?:no changes|no events since|no users found|nothing differs|0 objects)/, "the same"],
  [/^hook \d+ .*: \d+ undelivered since /, "the rows have the fields, and the command for each"],
  [/^left out: |: left out \d/, "docs/many.md: what is never taken"],
  [/^secrets in the answer are hidden/, "the mask in its place says so"],
];

/** What differs of a command for a reason of its own. */
const ofTheirOwn: readonly (readonly [line: RegExp, what: "each" | "result", because: string])[] = [
  [/^registry (?:token|catalog|manifests)/, "each", "docs/many.md: the registry's sign-in is not used with --profiles"],
  [/^settings (?:diff|rollback)/, "each", "a stored profile is there, and named"],
  [/^commands/, "result", "the list, without the version of its keys"],
  [/^(?:commands|guide|man|skill)/, "each", "the same, and what is about this program has no instance"],
  [/^groups export/, "result", "the size of a new archive"],
  [/^(?:guide|man|skill)/, "result", "a text that alone is filled to the width"],
];
const differs = ({ line }: Line, which: "each" | "result") =>
  ofTheirOwn.some(([own, what]) => what === which && own.test(line));

const all = process.env.FORGECTL_TEST_READS === "all";
const seed = Number(process.env.FORGECTL_TEST_SEED ?? 1);

/** In `npm test`, one line of this many, with this number of its cells. */
const [oneOf, few] = [24, 2];

interface Cell {
  readonly name: string;
  readonly alter: Alter;
  readonly flags?: readonly string[];
  /** Words that are added to the line. */
  readonly more?: readonly string[];
}

const changes = (method: string) => method !== "GET" && method !== "HEAD";
const refusal = (status: number) => ({ status, body: { message: `${status} refused` } });
const always: readonly Cell[] = [
  { name: "as it is", alter: () => undefined },
  { name: "another format", alter: () => undefined, flags: ["-o", "csv"] },
  { name: "dry run", alter: () => undefined, flags: ["--dry-run"] },
  ...[403, 404, 500].map((status): Cell => {
    return { name: `changes ${status}`, alter: ({ method }) => (changes(method) ? refusal(status) : undefined) };
  }),
  { name: "changes lost", alter: ({ method }) => (changes(method) ? "lost" : undefined) },
  { name: "changes {}", alter: ({ method }) => (changes(method) ? { status: 200, body: {} } : undefined) },
  { name: "changes stored otherwise", alter: ({ method, body }) => (changes(method) ? otherwise(body) : undefined) },
  {
    name: "empty lists",
    alter: ({ method, body }) => (!changes(method) && Array.isArray(body) ? { body: [] } : undefined),
  },
];

/** An object with other texts and flags than were sent. */
function otherwise(body: unknown) {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
  const other = (value: unknown) =>
    typeof value === "boolean" ? !value : typeof value === "string" ? `${value}x` : value;
  return { body: Object.fromEntries(Object.entries(body).map(([name, value]) => [name, other(value)])) };
}

/** Each of the first reads that a line sends is refused, or lost. */
function refusedReads(reads: readonly string[]): Cell[] {
  const at =
    (read: string, how: Alter): Alter =>
    (exchange) =>
      !changes(exchange.method) && placeOf(exchange) === read ? how(exchange) : undefined;
  return reads
    .slice(0, 8)
    .flatMap((read): Cell[] => [
      ...[403, 404, 500].map((status) => ({ name: `${status} of ${read}`, alter: at(read, () => refusal(status)) })),
      { name: `lost ${read}`, alter: at(read, () => "lost") },
    ]);
}

const lines = (await insideLines()).filter((_, index) => all || (index + seed) % oneOf === 0);
const attempts = attack(lines.length);
const chance = chanceOf(seed);

describe("a command inside each and batch", { timeout: 900_000 }, () => {
  test.each(lines.map((line) => [line.line, line] as const))("%s", async (_, line) => {
    const first = await trial(() => undefined);
    const { code } = await first.alone(line, "-o", "json");
    // It waits longer than a test can.
    if (code === null) return;
    const isList = "limit" in line.command.params && !line.words.some((word) => /^(?:--limit|-L)/.test(word));
    const page: Cell[] = isList ? [{ name: "a part of it", alter: () => undefined, more: ["--limit", "1"] }] : [];
    const cells = [...always, ...page, ...refusedReads([...first.reads].filter((read) => read !== "/user"))];
    const chosen = all ? cells : cells.toSorted(() => chance() - 0.5).slice(0, few);
    for (const { name, alter, flags = [], more = [] } of attempts.cells(chosen)) {
      const typed = { ...line, words: [...line.words, ...more] };
      const how = ["-o", "json", "--retries", "0", ...flags];
      const alone = await (await trial(alter)).alone(typed, ...how);
      const each = await (await trial(alter)).inEach(typed, ...how);
      if (alone.code === null || each.code === null) continue;
      const where = `${name}, seed ${seed}`;
      const isRefused = each.error?.code === "usage" && /prints bytes, not a list/.test(String(each.error.message));
      if (flags.includes("csv")) {
        // A value alone has no column.
        const hasColumns = !isRefused && alone.code === 0 && !each.columns.includes("result");
        if (hasColumns) expect(each.columns, `each: ${where}`).toEqual(columnsAround(typed, alone, each));
        continue;
      }
      const batch = await (await trial(alter)).inBatch(typed, ...how);
      if (batch.code === null) continue;
      expect(ofBatch(typed, batch, alone), `batch: ${where}`).toEqual(wantedOf(typed, alone, batch));
      if (isRefused || differs(typed, "each")) continue;
      const status = rowsIn(batch)[0]?.status;
      expect(ofEach(each), `each: ${where}`).toEqual(wantedRows(typed, alone, { each, status }));
    }
  });
});

/** The columns of a table of `each`: those of the command, with the scope, and how it ended. */
function columnsAround(line: Line, alone: Told, { columns }: Told): string[] {
  const scope = scopeOf(line)?.kind ?? "profile";
  const isChange = !columns.includes("failure");
  const first = isChange ? [scope, "status", "error"] : [scope];
  const last = isChange ? [] : ["failure"];
  return [...first, ...alone.columns.filter((name) => ![...first, ...last].includes(name)), ...last];
}

type Row = Readonly<Record<string, unknown>>;
const rowsIn = ({ result }: Told) => (Array.isArray(result) ? (result as Row[]) : []);

function wantedOf(line: Line, { code, error, said, result }: Told, batch: Told) {
  // Before the first line is run, there is no row, and the error names the line.
  if (rowsIn(batch).length === 0) return { code, message: error?.message };
  // Of a failure before the first row there is no result.
  const isEmpty = error !== undefined && Array.isArray(result) && result.length === 0;
  const whole = differs(line, "result") ? "another" : isEmpty ? null : (result ?? null);
  return { code, exit: code, error: unconfirmed(error ?? null), said: needed(said), result: inAnyOrder(whole) };
}

function ofBatch(line: Line, batch: Told, { text, result, said }: Told) {
  const { code, error } = batch;
  const [row] = rowsIn(batch);
  if (row === undefined) return { code, message: String(error?.message).replace(/^lines\.ndjson:1: /, "") };
  // A message is all that there is of some results, and is only on stderr.
  const isSame = row.result === text || said.includes(String(row.result));
  const shown = differs(line, "result") ? "another" : isSame ? (result ?? null) : row.result;
  return { code, exit: row.exit, error: unconfirmed(row.error), said: needed(batch.said), result: inAnyOrder(shown) };
}

/** `--yes` is that of the batch: what is left of a line is a line by itself, and asks. */
function unconfirmed(error: unknown): unknown {
  return JSON.parse(JSON.stringify(error).replaceAll(" --yes", ""));
}

/** The rows of `each`: the command's own between the scope, and how it ended. */
function wantedRows(line: Line, alone: Told, { each, status }: { each: Told; status: unknown }) {
  const { code, error, said, result } = alone;
  const scope = scopeOf(line);
  const around = scope === undefined ? { profile: "one" } : { [scope.kind]: scope.name };
  const isChange = rowsIn(each).some((row) => !("failure" in row));
  const isDone = status === "done";
  const why = [error?.message, error?.cause].filter((part) => typeof part === "string" && part !== "").join("; ");
  const outcome = isDone ? { done: null } : { done: why === "" ? status : why };
  const own = rowsOf(isChange && result === undefined ? messageIn(each) : result);
  const isRecord = !isDone && isObject(result);
  const isWhole = isDone || isRecord || (own.length > 0 && error?.code === "partial");
  const ended = isChange ? { status, error: isDone ? null : why } : { failure: outcome.done };
  const before = isChange ? { status: "done", error: null } : {};
  const rows = own.map((row) => {
    if (isRecord) return { ...row, ...around, ...ended };
    return { ...before, ...row, ...around, ...(!isChange && { failure: null }) };
  });
  const more = isWhole && !(isChange && rows.length === 0) ? [] : [{ ...around, ...ended }];
  const same = error && { code: error.code, exit: error.exit, outcome: error.outcome, message: error.message };
  return { code, error: same, said: needed(said), rows: inAnyOrder([...rows, ...more]) };
}

function ofEach(each: Told) {
  const { code, error, said, result } = JSON.parse(JSON.stringify(each).replaceAll(" --profile one", "")) as Told;
  const same = error && { code: error.code, exit: error.exit, outcome: error.outcome, message: error.message };
  return { code, error: same, said: needed(said), rows: inAnyOrder(result ?? []) };
}

/** The message that is the result of a change, in its row. */
function messageIn(each: Told): unknown {
  const [row] = rowsIn(each);
  return row?.result;
}

function rowsOf(result: unknown): Row[] {
  if (result === undefined) return [];
  if (Array.isArray(result) && result.every(isObject)) return result;
  return [isObject(result) ? result : { result }];
}

function isObject(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function needed(said: readonly string[]): string[] {
  const kept = said.filter((line) => !forPeople.some(([known]) => known.test(line)));
  return kept.map((line) =>
    line.replace(/^(?:shown \d+ of \d+|the list is cut short|shown \d+); .*|^the list is .*/, "cut"),
  );
}

/** Commands with many requests have their rows as they come. */
function inAnyOrder(value: unknown): unknown {
  const text = (row: unknown) => JSON.stringify(isObject(row) ? Object.entries(row).sort() : row);
  return Array.isArray(value) ? value.toSorted((a, b) => (text(a) < text(b) ? -1 : 1)) : value;
}
