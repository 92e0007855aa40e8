import { PassThrough, Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { ClosedPipe } from "../../../src/host.ts";
import { outputFrom } from "../../../src/terminal/streams.ts";

const asOutput = (stream: Writable, more: object = {}) =>
  outputFrom(Object.assign(stream, more) as unknown as NodeJS.WriteStream);

function failing(code: string) {
  return new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error(`write ${code}`), { code })),
  });
}

describe("an output", () => {
  test("knows its terminal; a width of 0 is unknown", () => {
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

  test("a write resolves only when the chunk is accepted", async () => {
    let take: () => void = () => {};
    const output = asOutput(new Writable({ write: (_chunk, _encoding, done) => (take = done) }));
    let written = false;
    const write = output.writeData("x").then(() => (written = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(written).toBe(false);
    take();
    await write;
    expect(written).toBe(true);
  });

  test("a broken pipe is ClosedPipe, every time", async () => {
    const output = asOutput(failing("EPIPE"));
    await expect(output.writeData("x")).rejects.toBeInstanceOf(ClosedPipe);
    await expect(output.writeData("y")).rejects.toBeInstanceOf(ClosedPipe);
  });

  test("a full disk is a failure, not a closed pipe", async () => {
    const output = asOutput(failing("ENOSPC"));
    const expected = { exit: "integrity", details: { reason: "write ENOSPC" } };
    await expect(output.writeData("x")).rejects.toMatchObject(expected);
    await expect(output.writeData("y")).rejects.toMatchObject(expected);
  });
});
