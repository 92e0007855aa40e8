import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { DryRunStop } from "../../../src/api/api.ts";
import { Failure } from "../../../src/base/errors.ts";
import type { Context } from "../../../src/context.ts";
import { collect } from "../../../src/terminal/collect.ts";
import type { RowsView } from "../../../src/terminal/view.ts";
import { editUntilValid } from "../../../src/verbs/edit-until-valid.ts";
import { user } from "../../support/editing-user.ts";

/** The rows of the view that an edit of "one" ends with, or its error. */
async function applied(context: Context, use: (text: string) => Promise<RowsView>): Promise<unknown> {
  try {
    const view = await editUntilValid(context, { name: "a.yaml", initial: "one", check }, use);
    return (await collect(view, () => new Error("no text"))).result;
  } catch (error) {
    return error;
  }
}

/** A text has a problem on each line that says `bad`. */
const check = async (text: string) =>
  text.split("\n").flatMap((line, at) => (line.startsWith("bad") ? [{ line: at + 1, message: line }] : []));

function checked(edits: (text: string) => string) {
  const shown: string[] = [];
  const seen = (text: string) => {
    shown.push(text);
    return edits(text);
  };
  const { context, runs } = user({ edits: seen });
  const done = applied(context, async (text) => ({ rows: [{ text }] }));
  return { done, shown, runs };
}

test("is opened again with its problems at the top, by the lines that it has then; the next ones replace them", async () => {
  const texts = ["bad 1\nok\nbad 2", "ok\nbad 3", "ok"];
  const { done, shown } = checked(() => texts.shift() ?? "");
  expect([await done, ...shown]).toEqual([
    [{ text: "ok" }],
    "one\n",
    "# Not applied:\n# line 4: bad 1\n# line 6: bad 2\nbad 1\nok\nbad 2\n",
    "# Not applied:\n# line 4: bad 3\nok\nbad 3\n",
  ]);
});

test("names twenty of its problems, and counts the others", async () => {
  const { done, shown } = checked((text) => (text === "one\n" ? "bad\n".repeat(23) : "ok"));
  await done;
  expect(shown[1]?.split("\n").slice(19, 24)).toEqual([
    "# line 41: bad",
    "# line 42: bad",
    "# and 3 more",
    "bad",
    "bad",
  ]);
});

test.each([
  ["that is saved as it is shown", (text: string) => (text === "one\n" ? "bad" : text), 2],
  ["that is saved without the problems shown", () => "bad", 2],
  ["whose line ends an editor changes", (text: string) => `${text.replace(/\r?\n/g, "\r\n")}bad`, 20],
])("%s ends it, and is kept", async (_law, edits, times) => {
  const { done, runs } = checked(edits);
  const failure = (await done) as Failure;
  const path = runs[0]?.path ?? "";
  expect(failure).toMatchObject({ exit: "usage", message: "the text that was saved has problems" });
  expect(failure.details.outcomeText).toBe(`nothing was sent; your text is kept in ${path}`);
  expect([runs.length, new Set(runs.map((run) => run.path)).size]).toEqual([times, 1]);
  const [, line = ""] = /^line (\d+): /.exec(failure.details.reason ?? "") ?? [];
  expect(readFileSync(path, "utf8").split(/\r?\n/)[Number(line) - 1]).toBe("bad");
  await user().context.files.removeFolder(dirname(path));
});

async function* rowsThen(error?: unknown) {
  yield { id: 1 };
  if (error !== undefined) throw error;
}

test.each<[name: string, use: () => Promise<RowsView>, isKept: boolean]>([
  ["before it works", () => Promise.reject(new Failure("refused", "no")), true],
  ["as it is read", async () => ({ rows: rowsThen(new Failure("refused", "no")) }), true],
  [
    "at its end",
    async () => ({ rows: [], finishes: true, until: () => Promise.reject(new Failure("partial", "no")) }),
    true,
  ],
  [
    "as it is read and, for that, at its end",
    async () => ({ rows: rowsThen(new Failure("refused", "no")), finishes: true, until: (printed) => printed }),
    true,
  ],
  ["in a dry run", async () => ({ rows: rowsThen(new DryRunStop()) }), false],
])("a view that fails %s: the text is kept, and named: %s", async (_when, use, isKept) => {
  const { context, runs } = user({ edits: () => "ok" });
  const error = (await applied(context, use)) as Failure;
  const path = runs[0]?.path ?? "";
  expect([error instanceof Error, existsSync(path)]).toEqual([true, isKept]);
  if (!isKept) return;
  expect(error.details.outcomeText).toBe(`your text is kept in ${path}`);
  await context.files.removeFolder(dirname(path));
});

test("the text stays until the view's work has ended, and no longer", async () => {
  const { context, runs } = user({ edits: () => "ok" });
  const there: boolean[] = [];
  const look = () => there.push(existsSync(runs[0]?.path ?? ""));
  async function* rows() {
    look();
    yield { id: 1 };
    look();
  }
  const until = async (printed: Promise<void>) => {
    await printed;
    look();
  };
  expect(await applied(context, async () => ({ rows: rows(), finishes: true, until }))).toEqual([{ id: 1 }]);
  look();
  expect([there, existsSync(dirname(runs[0]?.path ?? ""))]).toEqual([[true, true, true, false], false]);
});
