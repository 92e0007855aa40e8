import { PassThrough, Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { Failure } from "../../../src/errors.ts";
import { ClosedPipe, type Input } from "../../../src/host.ts";
import { inputFrom, outputFrom, readText } from "../../../src/terminal/streams.ts";

const asOutput = (stream: Writable, more: object = {}) =>
  outputFrom(Object.assign(stream, more) as unknown as NodeJS.WriteStream);

function failing(code: string) {
  return new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error(`write ${code}`), { code })),
  });
}

describe("an output", () => {
  test("knows its terminal; a width of 0 is none", () => {
    expect(asOutput(new PassThrough())).toMatchObject({ isTerminal: false, columns: undefined });
    expect(asOutput(new PassThrough(), { isTTY: true, columns: 91 })).toMatchObject({ isTerminal: true, columns: 91 });
    expect(asOutput(new PassThrough(), { isTTY: true, columns: 0 }).columns).toBeUndefined();
  });

  test("follows a terminal that is resized", () => {
    const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
    const output = asOutput(stream);
    stream.columns = 100;
    expect(output.columns).toBe(100);
  });

  test("a write resolves only when the chunk is taken", async () => {
    let take: () => void = () => {};
    const output = asOutput(new Writable({ write: (_chunk, _encoding, done) => (take = done) }));
    let written = false;
    const write = output.write("x").then(() => (written = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(written).toBe(false);
    take();
    await write;
    expect(written).toBe(true);
  });

  test("a broken pipe is ClosedPipe, the first time and ever after", async () => {
    const output = asOutput(failing("EPIPE"));
    await expect(output.write("x")).rejects.toBeInstanceOf(ClosedPipe);
    await expect(output.write("y")).rejects.toBeInstanceOf(ClosedPipe);
  });

  test("a full disk is a failure, not a closed pipe", async () => {
    const output = asOutput(failing("ENOSPC"));
    const expected = { exit: "integrity", details: { reason: "write ENOSPC" } };
    await expect(output.write("x")).rejects.toMatchObject(expected);
    await expect(output.write("y")).rejects.toMatchObject(expected);
  });
});

describe("an input", () => {
  function input(...chunks: (string | number[])[]): Input {
    const stream = new PassThrough();
    for (const chunk of chunks) stream.write(Buffer.from(chunk as string));
    stream.end();
    return inputFrom(false, () => stream as unknown as NodeJS.ReadStream);
  }

  test("is read as strict UTF-8, also where a chunk splits a character", async () => {
    await expect(readText(input("a", [0xe6], [0x97, 0xa5], "\n"))).resolves.toBe("a日\n");
    await expect(readText(input("\ufefftext"))).resolves.toBe("text");
    await expect(readText(input())).resolves.toBe("");
  });

  test.each([[[0xff, 0xfe]], [[0xe6, 0x97]]])("%j is refused", async (bytes) => {
    await expect(readText(input(bytes))).rejects.toMatchObject({
      exit: "usage",
      message: "stdin is not text in UTF-8",
    });
  });

  test("that cannot be read is a failure that says so", async () => {
    const stream = new PassThrough();
    stream.destroy(new Error("EISDIR: illegal operation on a directory, read"));
    const error = await readText(inputFrom(false, () => stream as unknown as NodeJS.ReadStream)).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(Failure);
    expect(error).toMatchObject({ exit: "usage", details: { reason: expect.stringContaining("EISDIR") } });
  });
});
