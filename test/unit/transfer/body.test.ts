import { describe, expect, test } from "vitest";
import type { Download } from "../../../src/api/api.ts";
import { fromBatches } from "../../../src/api/transport/byte-stream.ts";
import { Failure, type FailureDetails } from "../../../src/base/errors.ts";
import type { Context } from "../../../src/context.ts";
import { openBody, type ResumePoint, type Source } from "../../../src/transfer/body.ts";

const broken = (details: FailureDetails = {}) => new Failure("network", "broken", details);
const mib = 1024 * 1024;

/** What a server sends: a part of the content in two batches, then perhaps a broken connection. */
interface Sent {
  status?: number;
  headers?: Record<string, string>;
  text?: string;
  size?: number;
  fails?: unknown;
}
const etag = '"v1"';
const whole = (text: string, more: Sent = {}): Sent => ({
  text,
  ...more,
  headers: { etag, "content-length": "6", ...more.headers },
});
const part = (from: number, text: string, more: Sent = {}): Sent => ({
  status: 206,
  text,
  ...more,
  headers: { etag, "content-range": `bytes ${from}-5/6`, ...more.headers },
});

/** A source with these answers, in order, and a log of its requests, discards, pauses, and notices. */
function sourceWith(...answers: (Sent | Failure)[]) {
  const log: string[] = [];
  let asked = 0;
  const source: Source = {
    identity: "x",
    plan: () => expect.unreachable("not a dry run"),
    async open({ start, ifRange } = {}) {
      log.push(start === undefined ? "whole" : `from ${start} if ${ifRange}`);
      const number = asked++;
      const answer = answers[number];
      if (answer instanceof Failure) throw answer;
      const { status = 200, headers = {}, text = "", size, fails } = answer as Sent;
      const bytes = size === undefined ? Buffer.from(text) : Buffer.alloc(size, "x");
      async function* batches() {
        if (bytes.length > 0) yield [bytes.subarray(0, 1)];
        if (bytes.length > 1) yield [bytes.subarray(1, 2), bytes.subarray(2)];
        if (fails !== undefined) throw fails;
      }
      const discard = async () => void log.push(`discard ${number}`);
      return { status, headers, body: fromBatches(batches()), discard } as Download;
    },
  };
  const context = {
    config: { retries: 2 },
    sleep: async (ms: number) => void log.push(`pause ${ms}`),
    notice: (text: string) => log.push(text),
  } as unknown as Context;
  return { source, context, log };
}

/** The content as it was received, or the error in its place. */
async function received(given: (Sent | Failure)[], point?: ResumePoint, { retries = 2 } = {}) {
  const { source, context, log } = sourceWith(...given);
  Object.assign(context.config, { retries });
  let text = "";
  let size = 0;
  let body: Awaited<ReturnType<typeof openBody>> | undefined;
  const error = await (async () => {
    body = await openBody(context, source, point);
    for await (const batch of body.batches()) {
      const bytes = Buffer.concat(batch);
      size += bytes.length;
      if (bytes.length < 100) text += bytes;
    }
  })().catch((thrown: unknown) => thrown as Failure);
  const { start, total, validator } = body ?? {};
  return { text, size, error, log, opened: { start, total, validator } };
}

describe("a content", () => {
  test("is received as it is sent, with its size and the validator that resumes it", async () => {
    const { text, error, log, opened } = await received([whole("abcdef")]);
    expect([text, error, log]).toEqual(["abcdef", undefined, ["whole"]]);
    expect(opened).toEqual({ start: 0, total: 6, validator: etag });
  });

  test("of an unknown size ends with its connection, and cannot be resumed", async () => {
    const { text, opened, error } = await received([{ text: "abc", headers: { etag } }]);
    expect([text, error, opened]).toEqual(["abc", undefined, { start: 0, total: undefined, validator: undefined }]);
    const cut = await received([{ text: "abc", headers: { etag }, fails: broken({ reason: "reset" }) }]);
    expect(cut.error).toMatchObject({ message: "broken", details: { reason: "reset" } });
    expect(cut.log).toEqual(["whole"]);
  });

  test("can be discarded unread", async () => {
    const { source, context, log } = sourceWith(whole("abcdef"));
    await (await openBody(context, source)).discard();
    expect(log).toEqual(["whole", "discard 0"]);
  });

  test("that is shorter than announced is not whole", async () => {
    expect((await received([whole("abc")])).error).toMatchObject({
      exit: "integrity",
      message: "incomplete: received 3 of the 6 bytes announced",
      details: { code: "incomplete", retryable: true },
    });
  });

  test("of which only a part is sent, though all was requested, is refused", async () => {
    const { error, log } = await received([part(3, "def", { headers: { "content-range": "bytes 3-5/6" } })]);
    expect(error).toMatchObject({
      exit: "integrity",
      details: { code: "unexpected_answer", reason: "Content-Range: bytes 3-5/6", status: 206 },
    });
    expect(log).toEqual(["whole", "discard 0"]);
    const unnamed = await received([{ status: 206, text: "def" }]);
    expect(unnamed.error?.details.reason).toBe("Content-Range: (none)");
    expect((await received([part(0, "abcdef")])).text).toBe("abcdef");
  });
});

describe("a content that an earlier run began", () => {
  const point = { size: 3, validator: etag };

  test("continues where that ended, if it is the same", async () => {
    const { text, log, opened } = await received([part(3, "def")], point);
    expect([text, log]).toEqual(["def", [`from 3 if ${etag}`]]);
    expect(opened).toEqual({ start: 3, total: 6, validator: etag });
    const total: Sent = {
      status: 206,
      text: "def",
      headers: { etag, "content-range": "bytes 3-5/*", "content-length": "3" },
    };
    expect((await received([total], point)).opened).toEqual({ start: 3, total: 6, validator: etag });
  });

  test.each<[string, (Sent | Failure)[], string[]]>([
    ["the server sends all of it", [whole("abcdef")], []],
    [
      "the server ignores If-Range, and does not say what its part is of",
      [{ status: 206, text: "DEF", headers: { "content-range": "bytes 3-5/6" } }, whole("abcdef")],
      ["discard 0", "whole"],
    ],
    ["the server sends a part from its start", [part(0, "abcdef")], []],
    ["another part is sent", [part(2, "cdef"), whole("abcdef")], ["discard 0", "whole"]],
    ["there is nothing past that offset", [new Failure("refused", "no", { status: 416 }), whole("abcdef")], ["whole"]],
  ])("begins again if %s", async (_, answers, more) => {
    const { text, log, opened } = await received(answers, point);
    expect([text, opened.start, log]).toEqual(["abcdef", 0, [`from 3 if ${etag}`, ...more]]);
  });

  test("and that is replaced by one without a validator cannot be resumed", async () => {
    const { opened } = await received([{ text: "abcdef", headers: { "content-length": "6" } }], point);
    expect(opened).toEqual({ start: 0, total: 6, validator: undefined });
  });

  test("does not begin again after another error", async () => {
    const error = new Failure("refused", "no", { status: 503 });
    expect((await received([error], point)).error).toBe(error);
  });
});

describe("a connection that breaks", () => {
  test("is resumed at the same byte, with a notice", async () => {
    const { text, log, error } = await received([whole("abc", { fails: broken() }), part(3, "def")]);
    expect([text, error]).toEqual(["abcdef", undefined]);
    expect(log).toEqual([
      ...["whole", "the connection broke after 3 B; resuming from there", "pause 500"],
      `from 3 if ${etag}`,
    ]);
  });

  test("pauses twice as long each time, and ends after --retries with what was received", async () => {
    const fails = broken({ reason: "reset" });
    const { error, log } = await received([whole("abc", { fails }), part(3, "d", { fails }), part(4, "e", { fails })]);
    expect(error).toMatchObject({
      exit: "network",
      details: { reason: "reset; received 5 of the 6 bytes announced" },
    });
    expect(log.filter((line) => line.startsWith("pause"))).toEqual(["pause 500", "pause 1000"]);
    const none = await received([whole("abc", { fails: broken() })], undefined, { retries: 0 });
    expect(none.error?.details.reason).toBe("received 3 of the 6 bytes announced");
  });

  test("after a MiB counts from one again, and pauses at most 30 seconds", async () => {
    const headers = { etag, "content-length": String(2 * mib) };
    const range = (from: number) => ({ "content-range": `bytes ${from}-${2 * mib - 1}/${2 * mib}`, etag });
    const end = { status: 206, headers: range(mib) };
    const { error, size, log } = await received([
      { headers, size: 0, fails: broken() },
      { status: 206, headers: range(0), size: 0, fails: broken() },
      { status: 206, headers: range(0), size: mib, fails: broken() },
      { ...end, fails: broken() },
      { ...end, size: mib },
    ]);
    expect([error, size]).toEqual([undefined, 2 * mib]);
    const pauses = (lines: string[]) => lines.filter((line) => line.startsWith("pause"));
    expect(pauses(log)).toEqual(["pause 500", "pause 1000", "pause 500", "pause 1000"]);
    const stuck = Array.from({ length: 9 }, () => part(0, "", { fails: broken() }));
    const { log: long } = await received([whole("", { fails: broken() }), ...stuck], undefined, { retries: 8 });
    expect(pauses(long).slice(-3)).toEqual(["pause 16000", "pause 30000", "pause 30000"]);
  });

  test.each([
    ["a body that is damaged", broken({ code: "damaged_body" })],
    ["another failure", new Failure("interrupted", "stop")],
    ["a bug", new TypeError("x")],
  ])("is not meant by %s", async (_, fails) => {
    const { error, log } = await received([whole("abc", { fails })]);
    expect([error, log]).toEqual([fails, ["whole"]]);
  });

  test.each<[string, Sent[]]>([
    ["all of it", [whole("abcdef")]],
    ["all of it as a part", [part(0, "abcdef")]],
    ["another part of it", [part(1, "bcdef"), whole("abcdef")]],
  ])("and is answered with %s: what was received is skipped", async (_, answers) => {
    const { text, error, log } = await received([whole("ab", { fails: broken() }), ...answers]);
    expect([text, error]).toEqual(["abcdef", undefined]);
    if (answers.length > 1) expect(log.slice(-2)).toEqual(["discard 1", "whole"]);
  });

  test("and is answered with another content is a conflict", async () => {
    const other = whole("ghijkl", { headers: { etag: '"v2"' } });
    const { error, log } = await received([whole("abc", { fails: broken() }), other]);
    expect(error).toMatchObject({
      exit: "conflict",
      details: { code: "changed_meanwhile", hint: "run the command again", retryable: true },
    });
    expect(log.at(-1)).toBe("discard 1");
  });

  test("at an offset past which the server has nothing is not whole", async () => {
    const nothing = new Failure("refused", "no", { status: 416 });
    expect((await received([whole("abc", { fails: broken() }), nothing])).error).toMatchObject({
      message: "incomplete: received 3 of the 6 bytes announced",
      details: { code: "incomplete", reason: "the server has no bytes past that offset", retryable: true },
    });
  });
});
