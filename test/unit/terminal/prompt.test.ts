import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createPrompt } from "../../../src/terminal/interaction/prompt.ts";
import { plainStyle } from "../../../src/terminal/style.ts";

function asked(available = true) {
  const stdin = new PassThrough();
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
    style: async () => plainStyle,
  });
  /** Types once the question is on the screen. */
  const type = async (keys: string, question: string) => {
    while (!text.includes(question)) await new Promise((resolve) => setTimeout(resolve, 5));
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

test("secret: never on the screen", async () => {
  const { prompt, type, screen } = asked();
  // Ctrl-T would show it in inquirer's own password prompt.
  const [given] = await Promise.all([prompt.secret("Token"), type("s3c\u0014ret\r", "Token")]);
  expect(given.replace("\u0014", "")).toMatch(/s3c|ret/);
  expect(screen()).not.toMatch(/s3c|ret/);
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

test("secret on a terminal that is not repainted: echo is off before it is asked for, and Ctrl-U empties it", async () => {
  const happened: string[] = [];
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (on: boolean) => void happened.push(on ? "echo off" : "echo on"),
  });
  const stderr = new PassThrough();
  stderr.on("data", (chunk) => happened.push(String(chunk)));
  const prompt = createPrompt({
    stdin: () => stdin as unknown as NodeJS.ReadStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
    available: true,
    signal: new AbortController().signal,
    repaints: false,
    style: async () => plainStyle,
  });
  stdin.write("s3cr\u0015s3cres\u007ft\r");
  expect(await prompt.secret("Token:")).toBe("s3cret");
  expect(happened).toEqual(["echo off", "Token: (not shown) ", "echo on", "\n"]);
});

test("a prompt where none is possible is a bug", async () => {
  const { prompt } = asked(false);
  expect(prompt.available).toBe(false);
  const error = await prompt.confirm("Sure?").catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toHaveProperty("exit");
});
