import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Download, DryRunStop } from "../../../src/api/api.ts";
import { fromBatches } from "../../../src/api/transport/byte-stream.ts";
import { Failure, FileError } from "../../../src/base/errors.ts";
import { isStdout } from "../../../src/base/special-file.ts";
import type { BytesView, RecordView } from "../../../src/terminal/view.ts";
import type { Source } from "../../../src/transfer/body.ts";
import { deliver, outputFlag, SavedFile, save, targetFlags } from "../../../src/transfer/download.ts";
import type { DownloadRequest } from "../../../src/transfer/download-request.ts";
import type { TestContext } from "../../support/context.ts";
import { nullDevice } from "../../support/null-device.ts";
import { closingContext as contextOf } from "./support/closing-context.ts";

const sha256 = createHash("sha256").update("abcdef").digest("hex");
const names = ({ folder }: TestContext) => readdirSync(folder).sort();
const textOf = ({ folder }: TestContext, file: string) => readFileSync(join(folder, file), "utf8");

/** A server's content `abcdef`; its first answer ends with this error after `until` bytes. */
function served(error?: unknown, { until = 3, etag = true, headers: more = {} as Record<string, string> } = {}) {
  const log: string[] = [];
  let count = 0;
  const source: Source = {
    identity: "0123456789abcdef",
    plan(file) {
      log.push(`plan ${file}`);
      return Promise.reject(new DryRunStop());
    },
    async open({ start = 0 } = {}) {
      log.push(`from ${start}`);
      const end = count++ === 0 && error !== undefined ? until : 6;
      async function* batches() {
        if (end > start) yield [Buffer.from("abcdef".slice(start, end))];
        if (end < 6) throw error;
      }
      const length = { "content-length": String(6 - start), ...(etag && { etag: '"v1"' }), ...more };
      const headers = start === 0 ? length : { ...length, "content-range": `bytes ${start}-5/6` };
      const discard = async () => void log.push("discard");
      return { status: start === 0 ? 200 : 206, headers, body: fromBatches(batches()), discard } as Download;
    },
  };
  return { source, log };
}
const wanted = (source: Source, more: Partial<DownloadRequest> = {}): DownloadRequest => ({
  source,
  label: "the thing",
  output: "out",
  name: "thing.bin",
  ...more,
});
const lost = new Failure("network", "broken");

describe("the flags of a download", () => {
  test("name the file, and say what it is without them", () => {
    const { output, force } = targetFlags("the tag's name");
    expect(output).toMatchObject({
      description: "Save as this file; - is stdout (default the tag's name)",
      kind: "string",
      min: 1,
      flag: "output-file",
      short: "O",
      placeholder: "file|-",
      completes: "file",
    });
    expect([output, force.kind]).toEqual([outputFlag("the tag's name"), "boolean"]);
  });

  test.each([
    ["-", true],
    ["/dev/stdout", true],
    ["/dev/fd/1", true],
    ["", false],
    [undefined, false],
  ])("-O %s is stdout: %s", (output, is) => expect(isStdout(output)).toBe(is));
});

describe("a content", () => {
  test("goes to stdout as bytes, checked at their end", async () => {
    const read = async (digest: string) => {
      const { source } = served();
      const view = await deliver(contextOf(), wanted(source, { output: "-", sha256: () => digest }));
      let text = "";
      for await (const chunk of (view as BytesView).bytes) text += Buffer.from(chunk);
      return text;
    };
    expect(await read(sha256)).toBe("abcdef");
    await expect(read("0".repeat(64))).rejects.toMatchObject({ exit: "integrity" });
  });

  test("goes to a file as a record of it", async () => {
    const context = contextOf();
    const view = await deliver(context, wanted(served().source, { sha256: () => sha256 }));
    const record = { file: "out", size: 6, sha256 };
    expect(view).toEqual({ record, columns: ["file", "size", "sha256"], entity: SavedFile });
    expect([names(context), textOf(context, "out")]).toEqual([["out"], "abcdef"]);
    const damaged = wanted(served().source, { output: "b", sha256: () => "0".repeat(64) });
    await expect(save(context, damaged)).rejects.toMatchObject({ exit: "integrity" });
    expect(names(context)).toEqual(["out"]);
    expect(Object.keys(((await deliver(context, wanted(served().source))) as RecordView).record)).toEqual([
      "file",
      "size",
    ]);
  });

  test("is only planned in a dry run, with the name that it would have", async () => {
    const context = contextOf();
    Object.assign(context.config, { dryRun: true });
    const { source, log } = served();
    await expect(save(context, wanted(source))).rejects.toBeInstanceOf(DryRunStop);
    const { output: _, ...unnamed } = wanted(source, { serverName: true });
    await expect(save(context, unnamed)).rejects.toBeInstanceOf(DryRunStop);
    expect(log).toEqual(["plan out", "plan thing.bin, unless the server names it"]);
    expect(names(context)).toEqual([]);
  });

  test("has the server's name if that is wanted", async () => {
    const context = contextOf();
    const headers = { "content-disposition": 'attachment; filename="a.zip"' };
    const { output: _, ...unnamed } = wanted(served(undefined, { headers }).source, { serverName: true });
    expect(await save(context, unnamed)).toEqual({ file: "a.zip", size: 6 });
  });

  test("for a device is written to it directly, and checked", async () => {
    const context = contextOf();
    const device = nullDevice();
    const given = wanted(served().source, { output: device, sha256: () => sha256 });
    expect(await save(context, given)).toEqual({ file: device, size: 6 });
    const damaged = { ...given, source: served().source, sha256: () => "0".repeat(64) };
    await expect(save(context, damaged)).rejects.toMatchObject({ exit: "integrity" });
    expect(names(context)).toEqual([]);
  });

  test("is seen whole by its inspector, and checked before it has its name", async () => {
    const context = contextOf();
    const seen: string[] = [];
    const inspector = {
      take: (chunk: Uint8Array) => void seen.push(Buffer.from(chunk).toString()),
      finish: async () => void seen.push("end"),
    };
    const verify = async (file: string) => {
      seen.push(textOf(context, file));
      expect(names(context)).toEqual([file, `${file}.json`]);
    };
    await save(context, wanted(served().source, { inspector: inspector as never, verify }));
    expect(seen).toEqual(["abcdef", "end", "abcdef"]);
    const refusing = wanted(served().source, {
      output: "b",
      verify: () => Promise.reject(new Failure("integrity", "no")),
    });
    await expect(save(context, refusing)).rejects.toMatchObject({ message: "no" });
    expect(names(context)).toEqual(["out"]);
  });
});

describe("a download that fails", () => {
  test.each<[string, unknown, object, boolean]>([
    ["a broken connection", lost, {}, true],
    ["Ctrl-C", new Failure("interrupted", "stop"), {}, true],
    ["a server that fails", new Failure("refused", "no", { status: 500 }), {}, true],
    ["a refusal", new Failure("refused", "no", { status: 499 }), {}, false],
    ["a bug", new TypeError("x"), {}, false],
    ["a broken connection before the first byte", lost, { until: 0 }, false],
    ["a broken connection to a server without validators", lost, { etag: false }, false],
  ])("with %s: what can be resumed is kept, and all else removed", async (_, error, how, isKept) => {
    const context = contextOf();
    await expect(save(context, wanted(served(error, how).source))).rejects.toMatchObject({
      message: (error as Error).message,
    });
    expect(names(context)).toHaveLength(isKept ? 2 : 0);
    const [part] = names(context);
    const said = `kept 3 B in ${part}; the same command resumes from there`;
    expect(context.notices).toEqual(isKept ? [said] : []);
  });

  test("is resumed by the same command, and checked as a whole", async () => {
    const context = contextOf();
    const digest = { sha256: () => sha256 };
    const first = save(context, wanted(served(lost, { until: 1 }).source, digest));
    await expect(first).rejects.toMatchObject({ message: "broken" });
    const seen: string[] = [];
    const { source, log } = served();
    const inspector = { take: (chunk: Uint8Array) => void seen.push(`${Buffer.from(chunk)}`), finish: async () => {} };
    // The checksum of the first answer counts if the later one has none.
    const more = { sha256: () => undefined, inspector: inspector as never };
    expect(await save(context, wanted(source, more))).toEqual({ file: "out", size: 6, sha256 });
    expect([log, seen, names(context)]).toEqual([["from 1"], ["a", "bcdef"], ["out"]]);
    expect(context.notices.at(-1)).toBe("resuming from 1 B of an earlier run");
  });

  test("begins again if the rest does not fit what was received", async () => {
    const context = contextOf();
    await expect(save(context, wanted(served(lost).source))).rejects.toMatchObject({ message: "broken" });
    const { source } = served();
    const open = source.open.bind(source);
    const refused = { ...source, open: () => Promise.reject(new Failure("forbidden", "no")) };
    await expect(save(context, wanted(refused))).rejects.toMatchObject({ exit: "forbidden" });
    expect(await save(context, wanted({ ...source, open: () => open() }))).toEqual({ file: "out", size: 6 });
    expect([names(context), textOf(context, "out")]).toEqual([["out"], "abcdef"]);
  });

  test("before its file is begun leaves nothing open, and names the file that was wanted", async () => {
    const context = contextOf();
    writeFileSync(join(context.folder, "thing.bin"), "old");
    const { source, log } = served();
    const { output: _, ...unnamed } = wanted(source, { serverName: true });
    await expect(save(context, unnamed)).rejects.toMatchObject({ code: "file_exists" });
    expect([log, textOf(context, "thing.bin")]).toEqual([["from 0", "discard", "discard"], "old"]);
    const full = Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
    const failing = () => Promise.reject(new FileError(".part", "written", full));
    for (const more of [{ createPrivate: failing }, { rename: failing }]) {
      const saving = save({ ...context, files: { ...context.files, ...more } }, wanted(served().source));
      await expect(saving).rejects.toMatchObject({ exit: "integrity", message: "out could not be written in full" });
    }
    expect(names(context)).toEqual(["thing.bin"]);
  });
});

describe("the name of a saved file", () => {
  test("keeps the mode of the file that it replaces", async () => {
    const context = contextOf();
    writeFileSync(join(context.folder, "out"), "a longer old content", { mode: 0o640 });
    await save(context, wanted(served().source));
    expect([textOf(context, "out"), statSync(join(context.folder, "out")).mode & 0o777]).toEqual(["abcdef", 0o640]);
  });

  test("is not taken from a file that appears meanwhile", async () => {
    const context = contextOf();
    const verify = async () => writeFileSync(join(context.folder, "thing.bin"), "theirs");
    const { output: _, ...unnamed } = wanted(served().source, { verify });
    await expect(save(context, unnamed)).rejects.toMatchObject({ code: "file_exists" });
    expect([names(context), textOf(context, "thing.bin")]).toEqual([["thing.bin"], "theirs"]);
  });

  test("is not given to something else than was written", async () => {
    const context = contextOf();
    const inspector = {
      finish: async () => {},
      take: () => {
        const [part = ""] = names(context);
        unlinkSync(join(context.folder, part));
      },
    };
    const saving = save(context, wanted(served().source, { inspector: inspector as never }));
    await expect(saving).rejects.toMatchObject({
      exit: "conflict",
      message: expect.stringMatching(/^out was not saved: its temporary file \S+\.part was replaced or removed$/),
      details: { code: "changed_meanwhile", hint: "save it in a folder that no one else changes" },
    });
    expect(existsSync(join(context.folder, "out"))).toBe(false);
  });
});
