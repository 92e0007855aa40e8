import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { Failure } from "../../../src/base/errors.ts";
import type { Context } from "../../../src/context.ts";
import type { Input } from "../../../src/host.ts";
import { inputFrom } from "../../../src/terminal/streams.ts";
import { readTextSource } from "../../../src/transfer/source.ts";

describe("stdin", () => {
  const unwatched = <T>(act: () => Promise<T>) => act();
  const readStdin = (stdin: Input) => readTextSource({ stdin, unwatched } as Context, "-");

  function input(...chunks: (string | number[])[]): Input {
    const stream = new PassThrough();
    for (const chunk of chunks) stream.write(Buffer.from(chunk as string));
    stream.end();
    return inputFrom(false, () => stream as unknown as NodeJS.ReadStream);
  }

  test("is read as strict UTF-8, even if a chunk splits a character", async () => {
    await expect(readStdin(input("a", [0xe6], [0x97, 0xa5], "\n"))).resolves.toBe("a日\n");
    await expect(readStdin(input("\ufefftext"))).resolves.toBe("text");
    await expect(readStdin(input())).resolves.toBe("");
  });

  test.each([[[0xff, 0xfe]], [[0xe6, 0x97]]])("%j is refused", async (bytes) => {
    await expect(readStdin(input(bytes))).rejects.toMatchObject({
      exit: "usage",
      message: "stdin is not UTF-8 text",
    });
  });

  test("that cannot be read is a failure that says so", async () => {
    const stream = new PassThrough();
    stream.destroy(new Error("EISDIR: illegal operation on a directory, read"));
    const error = await readStdin(inputFrom(false, () => stream as unknown as NodeJS.ReadStream)).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(Failure);
    expect(error).toMatchObject({ exit: "usage", details: { reason: expect.stringContaining("EISDIR") } });
  });
});
