import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DryRunStop } from "../../../src/api/api.ts";
import { withBody } from "../../../src/commands/posting/text.ts";
import type { Context } from "../../../src/context.ts";

import { contextFor, type TestContext } from "../../support/context.ts";

const here = () => contextFor("http://127.0.0.1:1");
const echo = async (text: string) => text;
const nothing = async () => "";
const refusal = (message: string) => expect.objectContaining({ name: "UsageError", message });

interface Options {
  /** Simulates a user with an editor: gets the file's text, returns the text to save. */
  edits?: (text: string) => string | Uint8Array;
  exit?: number;
  env?: Record<string, string>;
  terminal?: boolean;
}

/** The context of a user at a terminal; `lines` are the commands run in the shell. */
function atTerminal({ edits = (text) => text, exit = 0, env = { EDITOR: "ed" }, terminal = true }: Options = {}) {
  const context = here();
  const lines: string[] = [];
  const warnings: string[] = [];
  const shell = async (line: string) => {
    lines.push(line);
    const path = fileOf(line);
    writeFileSync(path, edits(readFileSync(path, "utf8")));
    return { code: exit, stdout: "", stderr: "" };
  };
  const more: Partial<Context> = {
    env,
    stdout: { isTerminal: terminal } as Context["stdout"],
    prompt: { available: terminal } as Context["prompt"],
    processes: { shell } as unknown as Context["processes"],
    warn: (text) => warnings.push(text),
  };
  return { context: Object.assign(context, more), lines, warnings };
}

function fileOf(line: string | undefined): string {
  return /'(.*)'$/.exec(line ?? "")?.[1] ?? "";
}

function withFile(context: TestContext, content: string | Uint8Array): string {
  writeFileSync(join(context.folder, "body.md"), content);
  return "body.md";
}

describe("a text from a flag or a file", () => {
  test("is sent unchanged", async () => {
    const folder = here();
    await fc.assert(
      fc.asyncProperty(
        fc
          .string({ unit: "grapheme", minLength: 1 })
          .filter((text) => text.trim() !== "" && !text.startsWith("\ufeff")),
        async (text) => {
          expect(await withBody(folder, { body: text }, nothing, echo)).toBe(text);
          expect(await withBody(folder, { body_file: withFile(folder, text) }, nothing, echo)).toBe(text);
        },
      ),
      { numRuns: 50 },
    );
  });
  test("may have a million characters, counted as graphemes", async () => {
    const folder = here();
    const longest = "😀".repeat(1_000_000);
    const body_file = withFile(folder, longest);
    expect((await withBody(folder, { body_file }, nothing, echo)).length).toBe(2_000_000);
    await expect(withBody(folder, { body: `${longest}!` }, nothing, echo)).rejects.toThrow(
      refusal("--body: has 1,000,001 characters; at most 1,000,000 are allowed"),
    );
  });

  test.each([
    [{ body: "" }, "--body: the text is empty"],
    [{ body: " \t\n\u00a0" }, "--body: the text is empty"],
    [{ body: "x", body_file: "y" }, "give only one of --body and --body-file"],
    [{ body_file: "missing.md" }, "the file missing.md does not exist"],
    [{ body_file: "." }, ". is a folder"],
  ])("%j is refused", async (input, message) => {
    await expect(withBody(here(), input, nothing, echo)).rejects.toThrow(refusal(message));
  });

  test("that is empty or not UTF-8 is refused", async () => {
    const folder = here();
    const send = (content: string | Uint8Array) =>
      withBody(folder, { body_file: withFile(folder, content) }, nothing, echo);
    await expect(send("\n")).rejects.toThrow(refusal("--body-file: the text is empty"));
    await expect(send(Buffer.from("gr\xfc\xdfe", "latin1"))).rejects.toThrow(refusal("body.md is not UTF-8 text"));
  });
});

describe("a text from the editor", () => {
  test("is what was saved, without the line break that editors add; then the file is removed", async () => {
    const user = atTerminal({ edits: () => "Two\n\nlines.\n" });
    expect(await withBody(user.context, {}, nothing, echo)).toBe("Two\n\nlines.");
    expect(user.lines).toEqual([expect.stringMatching(/^ed '\/.*\/text\.md'$/)]);
    expect(existsSync(fileOf(user.lines[0]))).toBe(false);
    expect(user.warnings).toEqual([]);
  });

  test("starts with the current text, followed by a line break", async () => {
    const user = atTerminal({ edits: (text) => `${text}More.\n` });
    expect(await withBody(user.context, {}, async () => "Before.", echo)).toBe("Before.\nMore.");
  });

  test("$VISUAL takes precedence over $EDITOR, and either may have arguments", async () => {
    const user = atTerminal({ edits: () => "x", env: { VISUAL: "code --wait", EDITOR: "ed" } });
    await withBody(user.context, {}, nothing, echo);
    expect(user.lines[0]).toMatch(/^code --wait '/);
  });

  test.each([
    ["empty", { edits: () => " \n" }, "the text is empty"],
    ["as it was", {}, "the text was not changed"],
    ["canceled", { exit: 1 }, "the editor (ed) ended with exit code 1"],
    ["ended by Ctrl-C", { exit: 130 }, "the editor (ed) ended with exit code 130", "interrupted"],
  ])("%s is not sent", async (_, user, message, exit = "usage") => {
    const { context, lines } = atTerminal(user);
    await expect(withBody(context, {}, async () => "Before.\n", echo)).rejects.toThrow(
      expect.objectContaining({ exit, message, details: expect.objectContaining({ nothing: "sent" }) }),
    );
    expect(existsSync(fileOf(lines[0]))).toBe(false);
  });

  test("is kept if it could not be sent", async () => {
    const user = atTerminal({ edits: () => "A long thought.\n" });
    const failing = async () => {
      throw new Error("503");
    };
    await expect(withBody(user.context, {}, nothing, failing)).rejects.toThrow("503");
    const path = fileOf(user.lines[0]);
    // A bug has no message that could name the file.
    expect(user.warnings).toEqual([`your text is kept in ${path}`]);
    expect(readFileSync(path, "utf8")).toBe("A long thought.\n");
    await user.context.files.removeFolder(join(path, ".."));
  });

  test("is kept if the editor failed after saving it", async () => {
    const user = atTerminal({ edits: () => "Half a thought.\n", exit: 137 });
    const failure: unknown = await withBody(user.context, {}, nothing, echo).catch((error: unknown) => error);
    const path = fileOf(user.lines[0]);
    expect(failure).toMatchObject({
      message: "the editor (ed) ended with exit code 137",
      details: { outcomeText: `nothing was sent; your text is kept in ${path}` },
    });
    expect([user.warnings, readFileSync(path, "utf8")]).toEqual([[], "Half a thought.\n"]);
    await user.context.files.removeFolder(join(path, ".."));
  });

  test("is not kept by a dry run, which shows it", async () => {
    const user = atTerminal({ edits: () => "x" });
    const planning = async () => {
      throw new DryRunStop();
    };
    await expect(withBody(user.context, {}, nothing, planning)).rejects.toThrow(DryRunStop);
    expect([existsSync(fileOf(user.lines[0])), user.warnings]).toEqual([false, []]);
  });

  test("is refused if it is not UTF-8, and kept", async () => {
    const { context, lines } = atTerminal({ edits: () => Uint8Array.of(0xff, 0xfe) });
    await expect(withBody(context, {}, nothing, echo)).rejects.toThrow("what the editor saved is not UTF-8 text");
    const path = fileOf(lines[0]);
    expect([...readFileSync(path)]).toEqual([0xff, 0xfe]);
    await context.files.removeFolder(join(path, ".."));
  });

  test("is refused if it is gone", async () => {
    const gone = atTerminal({ env: { EDITOR: "rm" } });
    Object.assign(gone.context.processes, {
      shell: async (line: string) => {
        rmSync(fileOf(line));
        return { code: 0, stdout: "", stderr: "" };
      },
    });
    await expect(withBody(gone.context, {}, nothing, echo)).rejects.toThrow("does not exist");
  });

  test("is written in vi if no editor is set; if that is not installed either, the error says so", async () => {
    const usual = atTerminal({ env: {}, edits: () => "x" });
    expect(await withBody(usual.context, {}, nothing, echo)).toBe("x");
    expect(usual.lines[0]).toMatch(/^vi '/);
    const none = (env: Record<string, string>) => withBody(atTerminal({ env, exit: 127 }).context, {}, nothing, echo);
    await expect(none({})).rejects.toThrow(refusal("no editor is set, and vi is not installed"));
    const message = "the editor (code --wait) ended with exit code 127: it, or a program that it runs, was not found";
    await expect(none({ EDITOR: "code --wait" })).rejects.toThrow(refusal(message));
  });

  test("is not requested without a terminal: both flags are named, and nothing is read", async () => {
    const { context, lines } = atTerminal({ terminal: false });
    const initial = async () => {
      throw new Error("the present text was asked for");
    };
    await expect(withBody(context, {}, initial, echo)).rejects.toThrow(
      expect.objectContaining({
        message: "missing --body <text> or --body-file <file|->",
        details: expect.objectContaining({ hint: "--body-file - reads stdin" }),
      }),
    );
    expect(lines).toEqual([]);
  });
});
