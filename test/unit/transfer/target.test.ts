import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Body } from "../../../src/transfer/body.ts";
import { folderAbove } from "../../../src/transfer/folder-above.ts";
import { checkTarget, nameTarget, refuseIfCreatedMeanwhile } from "../../../src/transfer/target.ts";
import { contextFor } from "../../support/context.ts";
import { nullDevice } from "../../support/null-device.ts";

/** A folder with a file, a folder, and a named pipe. */
function contextOf() {
  const context = contextFor("http://127.0.0.1:1");
  writeFileSync(join(context.folder, "file"), "");
  mkdirSync(join(context.folder, "folder"));
  execFileSync("mkfifo", [join(context.folder, "pipe")]);
  return context;
}

const device = nullDevice();
const hint = "name another file with -O <file>, or replace this one with --force";

describe("the target of a download", () => {
  test.each([
    ["as typed", { output: "a/b", name: "n" }, { typed: "a/b", folder: "a", isDevice: false }],
    ["an existing one that -O names", { output: "file", name: "n" }, { typed: "file", folder: ".", isDevice: false }],
    ["what the command calls it", { name: "n" }, { typed: "n", folder: ".", isDevice: false }],
    ["named by the server", { name: "n", serverName: true }, { typed: undefined, folder: ".", isDevice: false }],
    ["an existing one with --force", { name: "file", force: true }, { typed: "file", folder: ".", isDevice: false }],
    ["a device", { output: device, name: "n" }, { typed: device, folder: dirname(device), isDevice: true }],
  ])("is %s", async (_, wanted, place) => expect(await checkTarget(contextOf(), wanted)).toEqual(place));

  test.each([
    [{ output: "folder", name: "n" }, { message: "folder is a folder; name a file in it" }],
    [{ output: "new/", name: "n" }, { message: "new/ is a folder; name a file in it" }],
    [{ output: "pipe", name: "n" }, { details: { hint: "use stdout: -O - > pipe" } }],
    [{ name: "file" }, { message: "file already exists", code: "file_exists", details: { hint } }],
    [{ output: "file/x", name: "n" }, { message: "file is not a folder" }],
  ])("%j is refused before anything is sent", async (wanted, error) => {
    await expect(checkTarget(contextOf(), wanted)).rejects.toMatchObject({ exit: "usage", ...error });
  });

  test("that a server names is made safe, and replaces nothing without --force", async () => {
    const events: string[] = [];
    const body = (name: string) => {
      const headers = name === "" ? {} : { "content-disposition": `attachment; filename="${name}"` };
      return { headers, discard: async () => void events.push("discarded") } as unknown as Body;
    };
    const context = contextOf();
    const named = (name: string, force = false) =>
      nameTarget(context, "folder", { name: "default", force, serverName: true }, body(name));
    expect(await named("../x.zip")).toBe("folder/x.zip");
    expect(await named("")).toBe("folder/default");
    expect(events).toEqual([]);
    writeFileSync(join(context.folder, "folder", "x.zip"), "");
    await expect(named("x.zip")).rejects.toMatchObject({
      message: "folder/x.zip already exists",
      details: { reason: "the server chose that name", hint },
    });
    expect(events).toEqual(["discarded"]);
    expect(await named("x.zip", true)).toBe("folder/x.zip");
    mkdirSync(join(context.folder, "folder", "deep"));
    await expect(named("deep", true)).rejects.toMatchObject({
      message: "folder/deep exists and is not a file",
      details: { hint: "name the file with -O <file>" },
    });
    expect(events).toHaveLength(2);
  });

  test("that appeared meanwhile is not replaced, unless it was named", async () => {
    const context = contextOf();
    await expect(refuseIfCreatedMeanwhile(context, { name: "file" }, "file")).rejects.toMatchObject({
      details: { code: "file_exists", hint },
    });
    await refuseIfCreatedMeanwhile(context, { name: "file" }, "none");
    await refuseIfCreatedMeanwhile(context, { name: "file", force: true }, "file");
    await refuseIfCreatedMeanwhile(context, { name: "n", output: "file" }, "file");
  });
});

describe("the folder that missing ones are created in", () => {
  test("is the nearest above", async () => {
    const context = contextOf();
    expect(await folderAbove(context, "folder/a/b/c")).toBe("folder");
    expect(await folderAbove(context, "a")).toBe(".");
    await expect(folderAbove(context, "file/a/b", "--extract")).rejects.toThrow("--extract: file is not a folder");
    await expect(folderAbove(context, "file/a")).rejects.toThrow(/^file is not a folder$/);
  });

  test("may be missing altogether: a drive that is not connected, a folder that was removed", async () => {
    const files = { ...contextOf().files, facts: async () => undefined };
    await expect(folderAbove({ files }, "/x/y")).rejects.toThrow("the folder / does not exist");
    await expect(folderAbove({ files }, "x/y", "-O")).rejects.toThrow("-O: the folder . does not exist");
  });
});
