import { PassThrough } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { after } from "../../../src/node/timers.ts";
import { createPrompt } from "../../../src/terminal/interaction/prompt.ts";
import { plainStyle } from "../../../src/terminal/style.ts";

/** A terminal; whether it echoes is noted. */
function terminal(happened: string[] = []) {
  const setRawMode = (on: boolean) => void happened.push(on ? "echo off" : "echo on");
  return Object.assign(new PassThrough(), { isTTY: true, setRawMode });
}

function asked(available = true) {
  const stdin = terminal();
  const stderr = new PassThrough();
  let text = "";
  stderr.on("data", (chunk) => {
    text += String(chunk);
  });
  const controller = new AbortController();
  const prompt = createPrompt({
    stdin: () => stdin as unknown as NodeJS.ReadStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
    available,
    signal: controller.signal,
    repaints: true,
    after,
    style: async () => plainStyle,
  });
  /** Types once the question is on the screen. */
  const type = async (keys: string, question: string) => {
    while (!text.includes(question)) await setTimeout(5);
    stdin.write(keys);
  };
  return { prompt, type, controller, screen: () => text };
}

test.each([
  ["y\r", true],
  ["n\r", false],
  ["\r", false],
  [" Yes \r", true],
  ["\t\r", false],
  ["\ty\r", true],
])("confirm: %j is %s", async (keys, answer) => {
  const { prompt, type, screen } = asked();
  const [given] = await Promise.all([prompt.confirm("Delete \u001b[2Jv1?"), type(keys, "v1?")]);
  expect(given).toBe(answer);
  expect(screen()).toContain("? Delete ␛[2Jv1? [y/N]");
  expect(screen()).not.toContain("\u001b[2J");
});

test.each(["#settings\tupdate\tdone\t\r", "\tgit push\r", "yarn\r", "a\ry\r"])(
  "confirm: a pasted %j does not answer it",
  async (pasted) => {
    const { prompt, type } = asked();
    const answers = async () => {
      await type(pasted, "v1?");
      await type("\u0015n\r", "You must answer");
    };
    expect((await Promise.all([prompt.confirm("Delete v1?"), answers()]))[0]).toBe(false);
  },
);

test("text: the answer, else the default", async () => {
  const typed = asked();
  expect((await Promise.all([typed.prompt.text("Address"), typed.type("https://x\r", "Address")]))[0]).toBe(
    "https://x",
  );
  const left = asked();
  expect((await Promise.all([left.prompt.text("Address", { default: "d" }), left.type("\r", "Address")]))[0]).toBe("d");
});

test("Ctrl-C, the end of the input, and an abort are an interruption", async () => {
  const typed = asked();
  const [error] = await Promise.all([
    typed.prompt.confirm("Sure?").catch((thrown: unknown) => thrown),
    typed.type("\u0003", "Sure?"),
  ]);
  expect(error).toMatchObject({ name: "Failure", exit: "interrupted" });

  // Ctrl-D, or a terminal that was closed.
  for (const kind of ["confirm", "text", "secret"] as const) {
    const closed = asked();
    const [ended] = await Promise.all([
      closed.prompt[kind]("Sure?").catch((thrown: unknown) => thrown),
      closed.type("\u0004", "Sure?"),
    ]);
    expect(ended).toMatchObject({ name: "Failure", exit: "interrupted" });
  }

  const aborted = asked();
  const answer = aborted.prompt.confirm("Sure?").catch((thrown: unknown) => thrown);
  await aborted.type("", "Sure?");
  aborted.controller.abort();
  expect(await answer).toMatchObject({ name: "Failure", exit: "interrupted" });
  await expect(aborted.prompt.confirm("Again?")).rejects.toMatchObject({ exit: "interrupted" });
});

describe.each([
  ["is repainted", true, "? Token: (not shown) "],
  ["is not repainted", false, "Token: (not shown) "],
])("a secret on a terminal that %s", (_, repaints, question) => {
  const secret = (stdin: PassThrough, happened: string[]) => {
    const stderr = new PassThrough();
    stderr.on("data", (chunk) => happened.push(String(chunk)));
    const prompt = createPrompt({
      stdin: () => stdin as unknown as NodeJS.ReadStream,
      stderr: stderr as unknown as NodeJS.WriteStream,
      available: true,
      signal: new AbortController().signal,
      repaints,
      after,
      style: async () => plainStyle,
    });
    return prompt.secret("Token:");
  };

  test("echo is off before it is asked for, until it has ended", async () => {
    const happened: string[] = [];
    const stdin = terminal(happened);
    stdin.write("s3cr\u0015wrong\u0017s3cres\u007ft\r");
    expect(await secret(stdin, happened)).toBe("s3cret");
    expect(happened).toEqual(["echo off", question, "echo on", "\n"]);
  });

  test.each<[what: string, chunks: string[], answer: string | undefined]>([
    ["with the marks of a paste", ["\u001b[200~s3cret\u001b[201~\r"], "s3cret"],
    ["whose marks arrive later", ["\u001b[20", "0~s3cret\r", "\u001b[2", "01~"], "s3cret"],
    ["with the line end of a file", ["s3cret\r\n"], "s3cret"],
    ["in parts", ["s3", "cr", "et", "\r"], "s3cret"],
    ["of 500,000 characters", ["s".repeat(500_000), "\r"], "s".repeat(500_000)],
    ["of several lines", ["a\rb\r"], undefined],
    ["of lines that arrive one by one", ["a\r", "b", "\r", "c\r"], undefined],
    ["with an arrow key", ["ab\u001b[Dc\r"], undefined],
    ["with a Tab", ["ab\tc\r"], undefined],
    ["with Ctrl-Z", ["ab\u001ac\r"], undefined],
    ["with a key of inquirer", ["ab\u0014c\r"], undefined],
  ])("one %s", async (_what, chunks, answer) => {
    const happened: string[] = [];
    const stdin = terminal(happened);
    const given = secret(stdin, happened).catch((error: unknown) => error);
    for (const chunk of chunks) {
      stdin.write(chunk);
      await setTimeout(30);
    }
    // What a key of several lines is followed by is read as well, and not left to the shell.
    expect(happened).not.toContain("echo on");
    if (answer === undefined) expect(await given).toMatchObject({ name: "UsageError" });
    else expect(await given).toBe(answer);
    expect(stdin.readableLength).toBe(0);
  });

  test("an input that ends behind the line is an answer, one that ends before is none", async () => {
    const [whole, cut] = [terminal(), terminal()];
    whole.end("s3cret\r");
    cut.end("s3cret");
    expect(await secret(whole, [])).toBe("s3cret");
    await expect(secret(cut, [])).rejects.toMatchObject({ exit: "interrupted" });
  });
});

test("a prompt where none is possible is a bug", async () => {
  const { prompt } = asked(false);
  expect(prompt.available).toBe(false);
  const error = await prompt.confirm("Sure?").catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toHaveProperty("exit");
});
