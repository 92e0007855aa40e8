import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { DryRunStop } from "../../../src/api/api.ts";
import { Failure } from "../../../src/base/errors.ts";
import { canEdit, canRunEditor, dropped, edit, editBytes, isBlank } from "../../../src/verbs/editor.ts";
import { type Editing, user } from "../../support/editing-user.ts";

test.each<[options: Editing, edits: boolean, runs: boolean]>([
  [{}, true, true],
  [{ env: {} }, true, true],
  [{ prompt: false }, false, false],
  [{ stdout: false }, false, false],
  [{ prompt: false, stdin: false }, false, true],
  [{ stdout: false, stdin: false }, false, true],
  [{ stdout: false, stdin: false, env: {} }, false, false],
  [{ stdout: false, stdin: false, env: { VISUAL: "", EDITOR: "" } }, false, false],
  [{ stdout: false, stdin: false, env: { VISUAL: "", EDITOR: "ed" } }, false, true],
  [{ stdout: false, stdin: false, env: { VISUAL: "code" } }, false, true],
])("%j: can edit %s, and an editor can run %s", (options, edits, runs) => {
  const { context } = user(options);
  expect([canEdit(context), canRunEditor(context)]).toEqual([edits, runs]);
});

describe("the editor", () => {
  test("gets the terminal, and its file is only this user's", async () => {
    const { context, runs } = user({ edits: () => "new" });
    expect(await edit(context, { name: "note.md", initial: "old" }, async (text) => `${text}!`)).toBe("new!");
    expect(runs).toEqual([
      { line: expect.stringMatching(/^ed '/), path: runs[0]?.path, mode: 0o600, options: { stdio: "inherit" } },
    ]);
  });

  test("without a terminal gets none, and ends with the program", async () => {
    const { context, runs } = user({ edits: () => "new", stdout: false, stdin: false });
    await edit(context, { name: "note.md", initial: "old" }, async () => "");
    expect(runs[0]?.options).toEqual({ signal: context.signal });
  });

  test.each([
    ["", ""],
    ["one line", "one line\n"],
    ["one line\n", "one line\n"],
  ])("starts with %j as %j", async (initial, shown) => {
    const seen: string[] = [];
    const { context } = user({ edits: (text) => `x${seen.push(text)}` });
    await edit(context, { name: "note.md", initial }, async () => "");
    expect(seen).toEqual([shown]);
  });

  test.each<[options: Editing, details: object, message: string, exit: string]>([
    [{ exit: 1 }, { code: "not_edited", nothing: "sent" }, "the editor (ed) ended with exit code 1", "usage"],
    [
      { exit: 2, stderr: " no such option\n" },
      { code: "not_edited", nothing: "sent", reason: "no such option" },
      "the editor (ed) ended with exit code 2",
      "usage",
    ],
    [{ exit: 130 }, { code: "not_edited", nothing: "sent" }, "the editor (ed) ended with exit code 130", "interrupted"],
    [
      { exit: 127, env: {}, stderr: "vi: not found" },
      { code: "no_editor", nothing: "sent", reason: "vi: not found", hint: expect.any(String) },
      "no editor is set, and vi is not installed",
      "usage",
    ],
    [
      { exit: 127 },
      { code: "no_editor", nothing: "sent", hint: expect.any(String) },
      "the editor (ed) ended with exit code 127: it, or a program that it runs, was not found",
      "usage",
    ],
  ])("that fails (%j) is a failure: %j", async (options, details, message, exit) => {
    const { failure } = user(options);
    expect(await failure("old")).toMatchObject({ exit, message });
    expect((await failure("old")).details).toEqual(details);
  });
});

test("on Windows the usual editor is notepad, and a path is in double quotes", async () => {
  const { context } = user({ env: {} });
  const lines: string[] = [];
  const shell = async (line: string) => {
    lines.push(line);
    throw new Error("not here");
  };
  const files = {
    temporaryFolder: async () => "C:\\Users\\Ada B\\x",
    write: async () => undefined,
    removeFolder: async (folder: string) => lines.push(folder),
  };
  Object.assign(context, { files, processes: { shell } });
  await expect(edit(context, { name: "note.md", initial: "old" }, async () => "")).rejects.toThrow("not here");
  expect(lines).toEqual([`notepad "C:\\Users\\Ada B\\x/note.md"`, "C:\\Users\\Ada B\\x"]);
});

test("what cannot be written for the editor leaves no folder behind, and neither does what was used", async () => {
  const { context, runs } = user({ edits: () => "new" });
  await edit(context, { name: "note.md", initial: "old" }, async () => "");
  const folders = [dirname(runs[0]?.path ?? "")];
  const { files } = context;
  Object.assign(context, {
    files: {
      ...files,
      temporaryFolder: async () => folders[folders.push(await files.temporaryFolder()) - 1],
      write: () => Promise.reject(new Error("no space left")),
    },
  });
  await expect(edit(context, { name: "note.md", initial: "old" }, async () => "")).rejects.toThrow("no space left");
  expect([folders.length, ...folders.map(existsSync)]).toEqual([2, false, false]);
});

describe("what was edited", () => {
  const refused = () => Promise.reject(new Failure("refused", "no", { outcome: "unknown" }));

  test.each([
    ["unchanged", { edits: (text: string) => text }, "the text was not changed"],
    ["unchanged but for the last line break", { edits: () => "old" }, "the text was not changed"],
    ["empty", { edits: () => "\n \n" }, "the text is empty"],
  ])("is not used if it is %s, and removed", async (_law, options, message) => {
    const { failure, runs } = user(options);
    const used: string[] = [];
    const error = await failure("old\n", async (text) => used.push(text));
    expect(error).toMatchObject({ message, exit: "usage", details: { code: "not_edited", nothing: "sent" } });
    expect([used, existsSync(dirname(runs[0]?.path ?? ""))]).toEqual([[], false]);
    expect(error.details).not.toHaveProperty("outcomeText");
  });

  test("is kept if it could not be used, beside what is known of the change", async () => {
    const { context, failure, runs } = user({ edits: () => "new" });
    const path = () => runs.at(-1)?.path;
    expect((await failure("old", refused)).details.outcomeText).toBe(
      `the change may have been made anyway; your text is kept in ${path()}`,
    );
    expect(readFileSync(path() ?? "", "utf8")).toBe("new");
    const plain = await failure("old", () => Promise.reject(new Failure("refused", "no")));
    expect(plain.details.outcomeText).toBe(`your text is kept in ${path()}`);
    for (const run of runs) await context.files.removeFolder(dirname(run.path));
  });

  test.each([
    ["of a dry run", () => "new", () => Promise.reject(new DryRunStop())],
    ["that is blank", () => " ", refused],
    ["that is unchanged", (text: string) => text, refused],
  ])("and not a text %s", async (_law, edits, use) => {
    const { context, runs, warnings } = user({ edits });
    const bytes = new TextEncoder().encode("old");
    const error = await editBytes(context, { name: "a.txt", initial: bytes }, use).catch((thrown: unknown) => thrown);
    expect(existsSync(runs[0]?.path ?? "")).toBe(false);
    expect([error instanceof Error, warnings]).toEqual([true, []]);
  });

  test("a failure that keeps nothing does not hinder that it is kept", async () => {
    const other = new Failure("refused", "no", { outcomeText: "one of two was sent" });
    const { context, failure, runs } = user({ edits: () => "new" });
    const error = await failure("old", () => Promise.reject(other));
    expect(error.details.outcomeText).toBe(`one of two was sent; your text is kept in ${runs[0]?.path}`);
    await context.files.removeFolder(dirname(runs[0]?.path ?? ""));
  });

  test("as bytes is used even if it is unchanged", async () => {
    const { context } = user();
    const initial = Uint8Array.of(0xff, 0x00);
    Object.assign(context.processes, { shell: async () => ({ code: 0, stdout: "", stderr: "" }) });
    expect([...(await editBytes(context, { name: "a.bin", initial }, async (saved) => saved))]).toEqual([0xff, 0x00]);
  });

  test("that a bug keeps from being used is kept, and a warning says where", async () => {
    const { context, failure, runs, warnings } = user({ edits: () => "new" });
    const bug = new TypeError("a bug");
    expect(await failure("old", () => Promise.reject(bug))).toBe(bug);
    expect(warnings).toEqual([`your text is kept in ${runs[0]?.path}`]);
    await context.files.removeFolder(dirname(runs[0]?.path ?? ""));
  });
});

test("an edit that leaves nothing to send says why, and what to do", () => {
  expect(dropped("why", { hint: "what" })).toMatchObject({ exit: "usage", message: "why" });
  expect(dropped("why", { hint: "what" }).details).toEqual({ code: "not_edited", nothing: "sent", hint: "what" });
});

test.each([
  ["", true],
  [" \t\n\u00a0", true],
  [" a ", false],
])("%j is blank: %s", (text, blank) => {
  expect(isBlank(text)).toBe(blank);
});
