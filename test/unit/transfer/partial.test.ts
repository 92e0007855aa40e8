import { appendFileSync, chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Files } from "../../../src/host.ts";
import { claimLeftover, createPart, discard } from "../../../src/transfer/partial.ts";
import type { TestContext } from "../../support/context.ts";
import { closingContext as contextOf } from "./support/closing-context.ts";

const source = "0123456789abcdef0123";
const about = { source, validator: '"v1"', sha256: "ab" };
const names = ({ folder }: TestContext) => readdirSync(folder).sort();
const noteOf = (part: string) => JSON.parse(readFileSync(`${part}.json`, "utf8")) as Record<string, unknown>;

/** What a killed run left: a part with this content, and its note. */
async function left(context: TestContext, text: string, more: object = {}): Promise<string> {
  const { path, file } = await createPart(context, context.folder, about);
  await file.close();
  appendFileSync(path, text);
  writeFileSync(`${path}.json`, JSON.stringify({ ...noteOf(path), holder: "2:2@test", ...more }));
  return path;
}

/** What the next run of the same download finds. */
async function claimed(context: TestContext) {
  const part = await claimLeftover(context, context.folder, source);
  await part?.file.close();
  return part;
}

describe("a part", () => {
  test("is a private file beside the target, with a note of what it is and who writes it", async () => {
    const context = contextOf();
    const { path, file } = await createPart(context, context.folder, about);
    await file.close();
    expect(path.slice(context.folder.length)).toMatch(/^\/\.forgectl-0123456789ab-[0-9a-f]{8}\.part$/);
    expect(noteOf(path)).toEqual({ ...about, id: file.id, holder: "1:1@test" });
    for (const each of [path, `${path}.json`]) expect(statSync(each).mode & 0o777).toBe(0o600);
    expect(names(context)).toHaveLength(2);
    await discard(context, path);
    await discard(context, path);
    expect(names(context)).toEqual([]);
  });

  test("that cannot be created leaves nothing", async () => {
    let before: string[] = [];
    const context = contextOf({
      createPrivate: () => {
        before = names(context);
        return Promise.reject(new Error("no room"));
      },
    });
    await expect(createPart(context, context.folder, about)).rejects.toThrow("no room");
    expect([before.length, names(context)]).toEqual([1, []]);
  });
});

describe("what an earlier run of the same download left", () => {
  test("is resumed under a new name, which this run alone writes", async () => {
    const context = contextOf();
    const old = await left(context, "abc");
    const part = await claimed(context);
    expect(part).toMatchObject({ size: 3, validator: '"v1"', sha256: "ab" });
    expect([part?.path === old, names(context).length]).toEqual([false, 2]);
    const path = part?.path ?? "";
    expect(readFileSync(path, "utf8")).toBe("abc");
    expect(noteOf(path)).toEqual({ ...about, id: part?.file.id, holder: "1:1@test" });
  });

  test("is the longest; shorter ones are removed", async () => {
    for (const texts of [
      ["a", "abc"],
      ["abc", "a"],
      ["ab", "abc", "a"],
      ["abc", "ab", "a"],
    ]) {
      const context = contextOf();
      for (const text of texts) await left(context, text);
      expect((await claimed(context))?.size).toBe(3);
      expect(names(context)).toHaveLength(2);
    }
  });

  test("is resumed without a checksum if none was reported", async () => {
    const context = contextOf();
    await left(context, "abc", { sha256: 7 });
    expect(await claimed(context)).toMatchObject({ size: 3, sha256: undefined });
  });

  test.each<[string, object, string]>([
    ["that is empty", {}, ""],
    ["without a validator", { validator: null }, "abc"],
    ["of another file", { id: "1:1" }, "abc"],
    ["without the file's ID", { id: null }, "abc"],
    ["without the source", { source: 7 }, "abc"],
    ["without a holder", { holder: null }, "abc"],
  ])("%s is removed", async (_, more, text) => {
    const context = contextOf();
    await left(context, text, more);
    expect([await claimed(context), names(context)]).toEqual([undefined, []]);
  });

  test.each([
    [0, 1],
    [1, undefined],
  ])("with a note of 64 KiB and %i bytes is of %j byte", async (more, size) => {
    const context = contextOf();
    const path = await left(context, "a");
    writeFileSync(`${path}.json`, readFileSync(`${path}.json`, "utf8").padEnd(64 * 1024 + more));
    expect((await claimed(context))?.size).toBe(size);
  });

  test.each(["", "{", "null"])("with an unreadable note is removed (%#)", async (note) => {
    const context = contextOf();
    const path = await left(context, "abc");
    writeFileSync(`${path}.json`, note);
    expect([await claimed(context), names(context)]).toEqual([undefined, []]);
  });

  test("whose file is gone is removed", async () => {
    const context = contextOf();
    await context.files.remove(await left(context, "abc"));
    expect([await claimed(context), names(context)]).toEqual([undefined, []]);
  });

  test.each<[string, (context: TestContext) => Promise<unknown>]>([
    ["of a run that still writes it", (context) => left(context, "abc", { holder: "3:3@test" })],
    ["of another source that begins alike", (context) => left(context, "abc", { source: `${source}4` })],
    ["whose note others may write", async (context) => chmodSync(`${await left(context, "abc")}.json`, 0o666)],
  ])("%s is left alone", async (_, leave) => {
    const context = contextOf();
    Object.assign(context, { holder: { name: "1:1@test", alive: (name: string) => name === "3:3@test" } });
    await leave(context);
    const before = names(context);
    expect([await claimed(context), names(context)]).toEqual([undefined, before]);
  });

  test("is found among other files, which are not touched", async () => {
    const context = contextOf();
    const others = ["a", ".forgectl-0123456789ab-1.part", ".forgectl-0123456789ab-1.json", ".forgectl-f-1.part.json"];
    for (const name of others) writeFileSync(join(context.folder, name), "", { mode: 0o600 });
    expect(await claimed(context)).toBeUndefined();
    await left(context, "abc");
    expect((await claimed(context))?.size).toBe(3);
    expect(names(context)).toEqual(expect.arrayContaining(others));
  });

  test("is nothing where the folder cannot be read", async () => {
    const context = contextOf();
    expect(await claimLeftover(context, join(context.folder, "no"), source)).toBeUndefined();
  });

  test.each<[string, Partial<Files>]>([
    ["another run claims first", { rename: () => Promise.reject(new Error("gone")) }],
    ["changes while it is claimed", {}],
  ])("that %s is not resumed, and this run's note of it is removed", async (_, files) => {
    const context = contextOf(files);
    const old = await left(context, "abc");
    if (files.rename === undefined) {
      const rename = context.files.rename.bind(context.files);
      Object.assign(context.files, {
        rename: (from: string, to: string) => {
          appendFileSync(from, "d");
          return rename(from, to);
        },
      });
    }
    expect(await claimed(context)).toBeUndefined();
    const kept =
      files.rename === undefined ? [] : [old, `${old}.json`].map((path) => path.slice(context.folder.length + 1));
    expect(names(context)).toEqual(kept);
  });

  test("is only ever looked for in the target's folder", async () => {
    const context = contextOf();
    mkdirSync(join(context.folder, "below"));
    await left(context, "abc");
    expect(await claimLeftover(context, join(context.folder, "below"), source)).toBeUndefined();
    expect(names(context)).toHaveLength(3);
  });
});
