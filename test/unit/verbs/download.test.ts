import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { endpoint } from "../../../src/api/endpoint.ts";
import { string } from "../../../src/api/field.ts";
import { Failure, FileError } from "../../../src/base/errors.ts";
import { sourceOf } from "../../../src/transfer/body.ts";
import { deliver, save as saveFrom } from "../../../src/transfer/download.ts";
import type { DownloadRequest } from "../../../src/transfer/download-request.ts";
import { contextFor, type TestContext } from "../../support/context.ts";
import { nullDevice } from "../../support/null-device.ts";

const isRoot = process.geteuid?.() === 0;
const content = Buffer.alloc(3 * 1024 * 1024, "0123456789abcdef");
const sha256 = createHash("sha256").update(content).digest("hex");

const getThing = endpoint({
  route: "GET /things/:name",
  summary: "Download a thing",
  params: { name: string(), job_token: string("", { secret: true }) },
  returns: "bytes",
  access: {},
});

const wanted: Omit<DownloadRequest, "source"> = {
  label: "the thing",
  output: "out.bin",
  name: "thing.bin",
};

const save = (context: TestContext, more: Omit<DownloadRequest, "source">) =>
  saveFrom(context, { ...more, source: sourceOf(context, getThing, { name: "a" }) });

interface Served {
  url: string;
  /** Range and If-Range of each request. */
  asked: string[];
}

type Act = (request: IncomingMessage, response: ServerResponse, count: number) => unknown;

async function serve(act: Act): Promise<Served> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.headers.range ?? "-"} ${request.headers["if-range"] ?? "-"}`);
    act(request, response, asked.length);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** Sends the content or the requested range, up to byte `until`, where the connection breaks. */
function send(
  request: IncomingMessage,
  response: ServerResponse,
  { etag = '"v1"', until = content.length, knowsIfRange = true } = {},
) {
  const [, from] = /^bytes=(\d+)-$/.exec(request.headers.range ?? "") ?? [];
  const valid = from !== undefined && (!knowsIfRange || (request.headers["if-range"] ?? etag) === etag);
  const start = valid ? Number(from) : 0;
  response.writeHead(valid ? 206 : 200, {
    etag,
    "content-length": content.length - start,
    ...(valid && { "content-range": `bytes ${start}-${content.length - 1}/${content.length}` }),
  });
  response.write(content.subarray(start, until), () => {
    if (until < content.length) setTimeout(() => response.destroy(), 20);
    else response.end();
  });
}

async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  const error: unknown = await promise.then(
    () => new Error("it was expected to fail"),
    (thrown: unknown) => thrown,
  );
  if (error instanceof Failure) return error;
  throw error;
}

const names = (context: TestContext) => readdirSync(context.folder).sort();
const out = (context: TestContext) => readFileSync(join(context.folder, "out.bin"));

describe("a file", () => {
  test("is saved complete, without other files", async () => {
    const { url, asked } = await serve((request, response) => send(request, response));
    const context = contextFor(url);
    expect(await save(context, { ...wanted, sha256: () => sha256.toUpperCase() })).toEqual({
      file: "out.bin",
      size: content.length,
      sha256,
    });
    expect(out(context).equals(content)).toBe(true);
    expect([names(context), asked]).toEqual([["out.bin"], ["- -"]]);
  });

  test("keeps the mode of the replaced file, and replaces a link instead of writing through it", async () => {
    const { url } = await serve((request, response) => send(request, response));
    const context = contextFor(url);
    writeFileSync(join(context.folder, "out.bin"), "old", { mode: 0o600 });
    writeFileSync(join(context.folder, "elsewhere"), "precious");
    await save(context, wanted);
    expect(lstatSync(join(context.folder, "out.bin")).mode & 0o777).toBe(0o600);
    symlinkSync("elsewhere", join(context.folder, "link"));
    await save(context, { ...wanted, output: "link" });
    expect(lstatSync(join(context.folder, "link")).isFile()).toBe(true);
    expect(readFileSync(join(context.folder, "elsewhere"), "utf8")).toBe("precious");
  });

  test.each([
    ["a folder", "folder", "folder is a folder; name a file in it"],
    ["a file as a folder", "file/below/out.bin", "file is not a folder"],
  ])("%s is refused before anything is sent", async (_name, output, message) => {
    const { url, asked } = await serve((request, response) => send(request, response));
    const context = contextFor(url);
    mkdirSync(join(context.folder, "folder"));
    writeFileSync(join(context.folder, "file"), "");
    const failure = await failureOf(save(context, { ...wanted, output }));
    expect([failure.exit, failure.message, asked]).toEqual(["usage", message, []]);
  });

  test("uses the server's name as a plain file name, and never replaces a file with it", async () => {
    const { url } = await serve((_request, response) =>
      response.writeHead(200, { "content-disposition": 'attachment; filename="../../etc/pass wd"' }).end("x"),
    );
    const context = contextFor(url);
    const unnamed = { ...wanted, output: undefined, serverName: true };
    expect((await save(context, unnamed)).file).toBe("pass wd");
    const failure = await failureOf(save(context, unnamed));
    expect([failure.exit, failure.message]).toEqual(["usage", "pass wd already exists"]);
    expect(names(context)).toEqual(["pass wd"]);
    expect((await save(context, { ...unnamed, force: true })).file).toBe("pass wd");
  });

  test("that exists is replaced with -O or --force, and never otherwise", async () => {
    const { url, asked } = await serve((request, response) => send(request, response));
    const context = contextFor(url);
    writeFileSync(join(context.folder, "thing.bin"), "precious");
    const unnamed = { ...wanted, output: undefined };
    const failure = await failureOf(save(context, unnamed));
    expect([failure.exit, failure.message, asked]).toEqual(["usage", "thing.bin already exists", []]);
    expect(failure.details.hint).toBe("name another file with -O <file>, or replace this one with --force");
    expect(readFileSync(join(context.folder, "thing.bin"), "utf8")).toBe("precious");
    for (const more of [
      { ...unnamed, force: true },
      { ...wanted, output: "thing.bin" },
    ]) {
      writeFileSync(join(context.folder, "thing.bin"), "old");
      expect((await save(context, more)).size).toBe(content.length);
    }
  });

  test("that is created under the name during the download is not replaced", async () => {
    const { url } = await serve((request, response) => {
      writeFileSync(join(context.folder, "thing.bin"), "precious");
      send(request, response);
    });
    const context = contextFor(url);
    const failure = await failureOf(save(context, { ...wanted, output: undefined }));
    expect([failure.message, names(context)]).toEqual(["thing.bin already exists", ["thing.bin"]]);
    expect(readFileSync(join(context.folder, "thing.bin"), "utf8")).toBe("precious");
  });

  test("goes to a device as it arrives", async () => {
    const { url } = await serve((request, response) => send(request, response));
    const file = nullDevice();
    expect(await save(contextFor(url), { ...wanted, output: file })).toEqual({ file, size: content.length });
  });
});

describe("a connection that breaks", () => {
  test("is resumed in the same run, from the byte where it broke", async () => {
    const { url, asked } = await serve((request, response, count) =>
      send(request, response, { until: [1_000_000, 2_500_000][count - 1] ?? content.length }),
    );
    const context = contextFor(url);
    expect(await save(context, { ...wanted, sha256: () => sha256 })).toMatchObject({ sha256 });
    expect(asked).toEqual(["- -", 'bytes=1000000- "v1"', 'bytes=2500000- "v1"']);
    expect(context.notices).toEqual([
      "the connection broke after 977 KiB; resuming from there",
      "the connection broke after 2.4 MiB; resuming from there",
    ]);
  });

  test("to stdout too", async () => {
    const { url } = await serve((request, response, count) =>
      send(request, response, { until: count === 1 ? 500_000 : content.length }),
    );
    const context = contextFor(url);
    const source = sourceOf(context, getThing, { name: "a" });
    const view = await deliver(context, { ...wanted, source, output: "-", sha256: () => sha256 });
    if (!("bytes" in view)) throw new Error("no bytes");
    const chunks: Uint8Array[] = [];
    for await (const chunk of view.bytes) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(content)).toBe(true);
  });

  test("permanently: the partial file is kept, and the next run resumes it", async () => {
    let broken = true;
    const { url, asked } = await serve((request, response) =>
      send(request, response, { until: broken ? 1_000_000 : content.length }),
    );
    const context = contextFor(url, { retries: 0 });
    writeFileSync(join(context.folder, "out.bin"), "old");
    const failure = await failureOf(save(context, wanted));
    expect([failure.exit, out(context).toString()]).toEqual(["network", "old"]);
    const [part, about] = names(context);
    expect(part).toMatch(/^\.forgectl-[0-9a-f]{12}-[0-9a-f]{8}\.part$/);
    expect(about).toBe(`${part}.json`);
    expect(context.notices).toEqual([`kept 977 KiB in ${part}; the same command resumes from there`]);
    broken = false;
    await save(context, { ...wanted, sha256: () => sha256 });
    expect(out(context).equals(content)).toBe(true);
    expect([names(context), asked]).toEqual([["out.bin"], ["- -", 'bytes=1000000- "v1"']]);
  });

  test("a partial file of changed content is not resumed", async () => {
    const { url, asked } = await serve((request, response, count) =>
      count === 1 ? send(request, response, { until: 1_000_000 }) : send(request, response, { etag: '"v2"' }),
    );
    const context = contextFor(url, { retries: 0 });
    await failureOf(save(context, wanted));
    await save(context, wanted);
    expect(out(context).equals(content)).toBe(true);
    expect([names(context), asked[1]]).toEqual([["out.bin"], 'bytes=1000000- "v1"']);
  });

  test("a partial file of other content is not completed by a server that ignores If-Range", async () => {
    const breakOnce: Act = (request, response, count) =>
      send(request, response, count === 1 ? { until: 1_000_000, etag: '"v0"' } : { knowsIfRange: false });
    const { url, asked } = await serve(breakOnce);
    const context = contextFor(url, { retries: 0 });
    await failureOf(save(context, wanted));
    expect(await save(context, wanted)).toEqual({ file: "out.bin", size: content.length });
    expect(asked).toEqual(["- -", 'bytes=1000000- "v0"', "- -"]);
    // Within one run the received bytes have already been passed on.
    const failure = await failureOf(save(contextFor((await serve(breakOnce)).url), wanted));
    expect([failure.exit, failure.code]).toEqual(["conflict", "changed_meanwhile"]);
  });

  test("a server that sends less than requested, or an unrequested range: exit 12, and nothing remains", async () => {
    const part = (response: ServerResponse, start: number) =>
      response
        .writeHead(206, {
          etag: '"v1"',
          "content-length": 100,
          "content-range": `bytes ${start}-${start + 99}/3145728`,
        })
        .end(content.subarray(start, start + 100));
    const unasked = contextFor((await serve((_request, response) => part(response, 0))).url);
    expect((await failureOf(save(unasked, wanted))).message).toBe(
      "incomplete: received 100 of the 3145728 bytes announced",
    );
    const capped = await serve((request, response, count) =>
      count === 1 ? send(request, response, { until: 1_000_000 }) : part(response, 1_000_000),
    );
    const later = contextFor(capped.url, { retries: 0 });
    await failureOf(save(later, wanted));
    expect((await failureOf(save(later, wanted))).exit).toBe("integrity");
    expect([names(unasked), names(later)]).toEqual([[], []]);
    const context = contextFor((await serve((_request, response) => part(response, 0))).url);
    const view = await deliver(context, { ...wanted, source: sourceOf(context, getThing, { name: "a" }), output: "-" });
    const printed = async () => {
      if (!("bytes" in view)) throw new Error("no bytes");
      for await (const _ of view.bytes);
    };
    expect((await failureOf(printed())).exit).toBe("integrity");
  });

  test("a server that ignores ranges sends everything again, and the beginning is skipped", async () => {
    const ignoring: Act = (request, response, count) => {
      request.headers.range = undefined as never;
      send(request, response, { until: count === 1 ? 1_000_000 : content.length });
    };
    const { url, asked } = await serve(ignoring);
    const context = contextFor(url);
    await save(context, { ...wanted, sha256: () => sha256 });
    expect(out(context).equals(content)).toBe(true);
    expect(asked).toEqual(["- -", 'bytes=1000000- "v1"']);
    const later = contextFor((await serve(ignoring)).url, { retries: 0 });
    await failureOf(save(later, wanted));
    await save(later, wanted);
    expect([out(later).equals(content), names(later)]).toEqual([true, ["out.bin"]]);
  });

  test("a range with another start is not joined: the content is requested again", async () => {
    const elsewhere = (start: number, end: number, response: ServerResponse) =>
      response
        .writeHead(206, {
          etag: '"v1"',
          "content-length": end - start,
          "content-range": `bytes ${start}-${end - 1}/${content.length}`,
        })
        .end(content.subarray(start, end));
    // The next run: a partial file of other content, and the plain request is answered with a part too.
    const { url, asked } = await serve((request, response, count) => {
      if (count === 1) send(request, response, { until: 1_000_000 });
      else if (count === 2) elsewhere(1_500_000, content.length, response);
      else if (count === 3) elsewhere(0, content.length, response);
      else elsewhere(1_000_000, content.length, response);
    });
    const context = contextFor(url, { retries: 0 });
    await failureOf(save(context, wanted));
    await save(context, { ...wanted, sha256: () => sha256 });
    expect([out(context).equals(content), names(context)]).toEqual([true, ["out.bin"]]);
    expect(asked).toEqual(["- -", 'bytes=1000000- "v1"', "- -"]);
    const failure = await failureOf(save(context, wanted));
    expect([failure.exit, failure.message]).toEqual([
      "integrity",
      "the server sent a part of the content that was not requested",
    ]);
    expect([out(context).equals(content), names(context)]).toEqual([true, ["out.bin"]]);
    // Within one run.
    const within = await serve((request, response, count) =>
      count === 2
        ? elsewhere(1_500_000, content.length, response)
        : send(request, response, { until: count === 1 ? 1_000_000 : content.length }),
    );
    const other = contextFor(within.url);
    await save(other, wanted);
    expect(out(other).equals(content)).toBe(true);
  });

  test("an announced length that is too large is reported", async () => {
    const tooLong: Act = (request, response) => {
      if (request.headers.range !== undefined) return response.writeHead(416).end();
      response.writeHead(200, { etag: '"v1"', "content-length": content.length + 7 });
      response.write(content, () => setTimeout(() => response.destroy(), 20));
    };
    const context = contextFor((await serve(tooLong)).url);
    const failure = await failureOf(save(context, wanted));
    const counts = `received ${content.length} of the ${content.length + 7} bytes announced`;
    expect([failure.exit, failure.message, names(context)]).toEqual(["integrity", `incomplete: ${counts}`, []]);
    const once = await failureOf(save(contextFor((await serve(tooLong)).url, { retries: 0 }), wanted));
    expect([once.exit, once.details.reason]).toEqual(["network", counts]);
  });

  test("the checksum from the first answer is checked even if the rest has none", async () => {
    const { url } = await serve((request, response, count) =>
      send(request, response, { until: count === 1 ? 1_000_000 : content.length }),
    );
    const context = contextFor(url, { retries: 0 });
    await failureOf(save(context, { ...wanted, sha256: () => "0".repeat(64) }));
    const failure = await failureOf(save(context, { ...wanted, sha256: () => undefined }));
    expect([failure.code, names(context)]).toEqual(["checksum_mismatch", []]);
  });

  test("changed between two connections of one run: a conflict, and nothing remains", async () => {
    const { url } = await serve((request, response, count) =>
      send(request, response, count === 1 ? { until: 1_000_000 } : { etag: '"v2"' }),
    );
    const context = contextFor(url);
    const failure = await failureOf(save(context, wanted));
    expect([failure.exit, names(context)]).toEqual(["conflict", []]);
  });

  test("without a validator nothing can be resumed", async () => {
    const { url, asked } = await serve((request, response) =>
      send(request, response, { until: 1_000_000, etag: 'W/"weak"' }),
    );
    const context = contextFor(url);
    const failure = await failureOf(save(context, wanted));
    expect([failure.exit, names(context), asked]).toEqual(["network", [], ["- -"]]);
  });

  test("interrupted: the partial file is kept", async () => {
    const { url } = await serve((request, response) => {
      response.writeHead(200, { etag: '"v1"', "content-length": content.length });
      response.write(content.subarray(0, 2_500_000));
      request.resume();
    });
    const context = contextFor(url);
    const failing = failureOf(save(context, wanted));
    const received = () =>
      names(context)
        .filter((name) => name.endsWith(".part"))
        .map((name) => lstatSync(join(context.folder, name)).size);
    await expect.poll(received).toEqual([expect.toSatisfy((size: number) => size > 0)]);
    context.interrupt.abort(new Failure("interrupted", "interrupted"));
    const failure = await failing;
    expect([failure.exit, names(context).length, existsSync(join(context.folder, "out.bin"))]).toEqual([
      "interrupted",
      2,
      false,
    ]);
  });
});

describe("another process's partial file", () => {
  async function leave(context: TestContext, more: object = {}): Promise<string> {
    await failureOf(save(context, wanted));
    const [part = ""] = names(context);
    const note = join(context.folder, `${part}.json`);
    writeFileSync(note, JSON.stringify({ ...JSON.parse(readFileSync(note, "utf8")), holder: "2:2@test", ...more }));
    return part;
  }
  const breaking = () =>
    serve((request, response, count) => send(request, response, { until: count === 1 ? 1_000_000 : content.length }));

  test("that is still running: it is not changed", async () => {
    const { url, asked } = await breaking();
    const context = contextFor(url, { retries: 0 });
    const part = await leave(context);
    await save({ ...context, holder: { name: "3:3@test", alive: (name) => name === "2:2@test" } }, wanted);
    expect(asked[1]).toBe("- -");
    expect(names(context)).toEqual([part, `${part}.json`, "out.bin"]);
  });

  test("that is a link: it is not written through", async () => {
    const { url } = await breaking();
    const context = contextFor(url, { retries: 0 });
    const part = await leave(context);
    await context.files.remove(part);
    writeFileSync(join(context.folder, "precious"), "precious");
    symlinkSync("precious", join(context.folder, part));
    await save(context, wanted);
    expect(readFileSync(join(context.folder, "precious"), "utf8")).toBe("precious");
    expect(names(context)).toEqual(["out.bin", "precious"]);
  });

  test.each<[string, (part: string) => void]>([
    ["that others can write", (part) => chmodSync(part, 0o666)],
    ["whose note others can write", (part) => chmodSync(`${part}.json`, 0o664)],
    ["that has another name, too", (part) => linkSync(part, join(dirname(part), "second"))],
    [
      "that another process created under its name",
      (part) => {
        rmSync(part);
        writeFileSync(part, Buffer.alloc(1_000_000, "x"), { mode: 0o600 });
      },
    ],
    [
      "that is a pipe",
      (part) => {
        rmSync(part);
        execFileSync("mkfifo", ["-m", "600", part]);
      },
    ],
    [
      "whose note is a pipe",
      (part) => {
        rmSync(`${part}.json`);
        execFileSync("mkfifo", ["-m", "600", `${part}.json`]);
      },
    ],
    ...(isRoot
      ? ([
          ["that another user owns", (part) => chownSync(part, 12_345, 12_345)],
          ["whose note another user owns", (part) => chownSync(`${part}.json`, 12_345, 12_345)],
        ] as [string, (part: string) => void][])
      : []),
  ])("%s: it is not resumed, and the file is this user's", async (_, plant) => {
    const { url, asked } = await breaking();
    const context = contextFor(url, { retries: 0 });
    const part = await leave(context);
    plant(join(context.folder, part));
    await save(context, wanted);
    expect(asked).toEqual(["- -", "- -"]);
    expect(out(context).equals(content)).toBe(true);
    const { mode, uid, nlink } = lstatSync(join(context.folder, "out.bin"));
    expect([mode & 0o777, uid, nlink]).toEqual([0o666 & ~process.umask(), process.geteuid?.(), 1]);
  });

  test("is private; the file gets the mode of the replaced one, or of new files", async () => {
    const { url } = await breaking();
    const context = contextFor(url, { retries: 0 });
    const part = await leave(context);
    for (const name of [part, `${part}.json`]) {
      expect(lstatSync(join(context.folder, name)).mode & 0o777).toBe(0o600);
    }
    await save(context, wanted);
    expect(lstatSync(join(context.folder, "out.bin")).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  test("of a run killed at its start: it is removed", async () => {
    const { url } = await breaking();
    const context = contextFor(url, { retries: 0 });
    const part = await leave(context);
    const note = JSON.parse(readFileSync(join(context.folder, `${part}.json`), "utf8")) as object;
    const named = (word: string) => join(context.folder, part.replace(/-[0-9a-f]{8}\./, `-${word}.`));
    const begun = JSON.stringify({ ...note, id: "" });
    for (const word of ["aaaaaaaa", "bbbbbbbb"]) writeFileSync(`${named(word)}.json`, begun, { mode: 0o600 });
    writeFileSync(named("bbbbbbbb"), "", { mode: 0o600 });
    await save(context, wanted);
    expect(names(context)).toEqual(["out.bin"]);
  });

  test("with an invalid note: it is removed", async () => {
    const { url } = await breaking();
    const context = contextFor(url, { retries: 0 });
    await leave(context, { validator: null });
    await save(context, wanted);
    expect(names(context)).toEqual(["out.bin"]);
  });
});

describe("wrong content", () => {
  test("another digest: exit 12, the old file is kept", async () => {
    const { url } = await serve((request, response) => send(request, response));
    const context = contextFor(url);
    writeFileSync(join(context.folder, "out.bin"), "old");
    const failure = await failureOf(save(context, { ...wanted, sha256: () => "0".repeat(64) }));
    expect([failure.exit, failure.code, names(context)]).toEqual(["integrity", "checksum_mismatch", ["out.bin"]]);
    expect(out(context).toString()).toBe("old");
  });

  test("a full disk", async () => {
    const { url } = await serve((request, response) => send(request, response));
    const cause = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    const context = contextFor(url);
    const { createPrivate } = context.files;
    const files = {
      ...context.files,
      createPrivate: async (path: string) => {
        const file = await createPrivate(path);
        return { ...file, write: () => Promise.reject(new FileError(path, "written", cause)) };
      },
    };
    const failure = await failureOf(save({ ...context, files }, wanted));
    expect([failure.exit, failure.code, failure.message]).toEqual([
      "integrity",
      "write_failed",
      "out.bin could not be written in full",
    ]);
    expect(names(context)).toEqual([]);
  });
});

test("not found: nothing remains", async () => {
  const { url } = await serve((_request, response) => response.writeHead(404).end('{"message":"404 Not found"}'));
  const context = contextFor(url);
  const failure = await failureOf(save(context, wanted));
  expect([failure.exit, names(context)]).toEqual(["notFound", []]);
});
