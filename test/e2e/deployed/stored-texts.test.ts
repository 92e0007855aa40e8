import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alteringSession } from "../../support/altering-proxy.ts";
import { type Session, sandboxSession } from "../../support/session.ts";
import { undoIn } from "../../support/undo-cases.ts";

// What instances show and store of texts that are not UTF-8, or have CRLF.

const csv = ["data/stores.csv", "-p", "7"];
const onMain = ["-b", "main", "-m", "m"];
const latin = Buffer.from("city;street\nMünchen;Hauptstraße 1\nKöln;Ring 7\n", "latin1");
const asUtf8 = Buffer.from(latin.toString("latin1"));

/** A session with a file in its folder, which `--from` reads. */
async function withFile(content: Buffer, at?: Session): Promise<Session & { file: string }> {
  const place = at ?? (await sandboxSession({ asDeployed: true }));
  const file = join(place.home, "content");
  writeFileSync(file, content);
  return { ...place, file };
}

async function stored({ run, home }: Session, path: string): Promise<Buffer> {
  const file = join(home, "stored");
  expect(await run("files", "download", path, "-p", "7", "--ref", "main", "-O", file)).toMatchObject({ code: 0 });
  return readFileSync(file);
}

const statusOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout).status;
const commitOf = async ({ run }: Session, path: string) =>
  (await run("files", "stat", path, "-p", "7", "--ref", "main", "--fields", "last_commit_id", "--no-header")).stdout;

async function undo({ run }: Session, stderr: string): Promise<void> {
  for (const line of (undoIn(stderr) ?? "").split(" && ")) {
    const words = line.replace("forgectl ", "").match(/'[^']*'|\S+/g) ?? [];
    expect(await run(...words.map((word) => word.replaceAll("'", "")))).toMatchObject({ code: 0 });
  }
}

/** Edits a file with a script in place of an editor; `opened` is what it was given. */
async function edit(at: Session, path: string, script: string) {
  const editor = join(at.home, "editor");
  writeFileSync(editor, `#!/bin/sh\ncp "$1" "$HOME/opened"; ${script}\n`, { mode: 0o755 });
  return at.run("files", "edit", path, "-p", "7", ...onMain, "-o", "json", {
    env: { VISUAL: editor },
    asProcess: true,
  });
}

test("text-shown-converted: files download and cat give the file's own bytes, whose SHA-256 is not the one that is shown", async () => {
  const at = await sandboxSession({ asDeployed: true });
  const { stdout } = await at.run("files", "get", ...csv, "--ref", "main", "-o", "json");
  expect(Buffer.from(JSON.parse(stdout).content, "base64")).toEqual(asUtf8);
  expect(await stored(at, "data/stores.csv")).toEqual(latin);
  expect(await at.run("files", "cat", ...csv)).toMatchObject({ code: 0, stderr: "" });
});

test("text-shown-converted: files put of the same bytes sends nothing", async () => {
  const at = await withFile(latin);
  const before = await commitOf(at, "data/stores.csv");
  const put = await at.run("files", "put", ...csv, ...onMain, "--from", at.file, "-o", "json");
  expect(statusOf(put)).toBe("unchanged");
  expect(await commitOf(at, "data/stores.csv")).toBe(before);
});

test("text-shown-converted: files put of the text in UTF-8 is a change, and its undo line restores the bytes", async () => {
  const at = await withFile(asUtf8);
  const put = await at.run("files", "put", ...csv, ...onMain, "--from", at.file, "-o", "json");
  expect(statusOf(put)).toBe("updated");
  expect(await stored(at, "data/stores.csv")).toEqual(asUtf8);
  await undo(at, put.stderr);
  expect(await stored(at, "data/stores.csv")).toEqual(latin);
});

test("text-shown-converted: files edit does not commit the conversion", async () => {
  const at = await sandboxSession({ asDeployed: true });
  const { code, stderr } = await edit(at, "data/stores.csv", 'echo "Bonn;Markt 2" >> "$1"');
  expect([code, stderr]).toEqual([2, expect.stringContaining("data/stores.csv is not UTF-8 text")]);
  expect(await stored(at, "data/stores.csv")).toEqual(latin);
});

test("text-shown-converted: a commit whose answer is lost is found", async () => {
  const lost = await alteringSession(({ method }) => (method === "PUT" ? { status: 500, body: {} } : undefined), {
    asDeployed: true,
  });
  const changed = Buffer.concat([latin, Buffer.from("Nürnberg;Markt 2\n", "latin1")]);
  const at = await withFile(changed, lost);
  const { code, stderr } = await at.run("files", "update", ...csv, ...onMain, "--from", at.file);
  expect([code, stderr]).toEqual([0, expect.stringContaining("the answer was lost, but the commit was made")]);
});

const crlf = Buffer.from("@echo off\r\necho one\r\n");
const lf = Buffer.from("@echo off\necho one\n");
const script = ["run.bat", "-p", "7"];

test("line-breaks-stored-as-lf: files put warns of it, and sends the same content only once", async () => {
  const at = await withFile(crlf);
  const put = () => at.run("files", "put", ...script, ...onMain, "--from", at.file, "-o", "json");
  const created = await put();
  expect([statusOf(created), created.stderr]).toEqual(["created", expect.stringContaining("stored LF in place of")]);
  expect(await stored(at, "run.bat")).toEqual(lf);
  const again = await put();
  expect([statusOf(again), again.stderr]).toEqual(["unchanged", expect.stringContaining("LF in place of CRLF")]);
});

test("line-breaks-stored-as-lf: where .gitattributes says -text, CRLF is stored, and is a change", async () => {
  const at = await withFile(crlf);
  const rules = ["-p", "7", ...onMain, "--content", "*.bat -text\n"];
  expect((await at.run("files", "put", ".gitattributes", ...rules)).code).toBe(0);
  expect((await at.run("files", "create", ...script, ...onMain, "--content", lf.toString())).code).toBe(0);
  const put = await at.run("files", "put", ...script, ...onMain, "--from", at.file, "-o", "json");
  expect([statusOf(put), put.stderr]).toEqual(["updated", expect.not.stringContaining("stored LF")]);
  expect(await stored(at, "run.bat")).toEqual(crlf);
});

test("line-breaks-stored-as-lf: an instance that stores the content as it is has no warning", async () => {
  const at = await withFile(crlf, await sandboxSession());
  const { code, stderr } = await at.run("files", "create", ...script, ...onMain, "--from", at.file);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining("LF in place of")]);
  expect(await stored(at, "run.bat")).toEqual(crlf);
});

test("line-breaks-stored-as-lf: files edit says before and after that other lines change", async () => {
  const at = await withFile(crlf);
  const rules = (text: string) => at.run("files", "put", ".gitattributes", "-p", "7", ...onMain, "--content", text);
  await rules("*.bat -text\n");
  expect((await at.run("files", "create", ...script, ...onMain, "--from", at.file)).code).toBe(0);
  await rules("*.md text\n");
  const { code, stderr } = await edit(at, "run.bat", 'sed -i s/one/two/ "$1"');
  expect([code, stderr]).toEqual([0, expect.stringContaining("stored LF in place of CRLF")]);
  expect(stderr).toContain("run.bat has CRLF");
  expect((await stored(at, "run.bat")).toString()).toBe("@echo off\necho two\n");
});

test("line-breaks-stored-as-lf: a commit whose answer is lost is found by what is stored", async () => {
  const lost = await alteringSession(({ method }) => (method === "POST" ? { status: 500, body: {} } : undefined), {
    asDeployed: true,
  });
  const at = await withFile(crlf, lost);
  const { code, stderr } = await at.run("files", "create", ...script, ...onMain, "--from", at.file);
  expect([code, stderr]).toEqual([0, expect.stringContaining("the answer was lost, but the commit was made")]);
  expect(stderr).toContain("stored LF in place of CRLF");
});

test("line-breaks-stored-as-lf: an update that never arrived is not made because the file has its text with LF", async () => {
  // This instance would store CRLF.
  const at = await withFile(crlf, await sandboxSession({ faults: "PUT /projects/**=reset*9" }));
  await at.run("files", "create", ...script, ...onMain, "--content", lf.toString());
  const { code, stdout, stderr } = await at.run("files", "update", ...script, ...onMain, "--from", at.file);
  expect([code, stdout, stderr]).toEqual([11, "", expect.stringContaining("may have been made")]);
});

test("line-breaks-stored-as-lf: the .gitattributes of a folder on the way count too", async () => {
  const at = await withFile(crlf, await sandboxSession());
  const rules = ["scripts/.gitattributes", "-p", "7", ...onMain, "--content", "*.bat -text\n"];
  expect((await at.run("files", "put", ...rules)).code).toBe(0);
  const place = ["scripts/win/run.bat", "-p", "7", ...onMain];
  expect((await at.run("files", "create", ...place, "--content", lf.toString())).code).toBe(0);
  const put = await at.run("files", "put", ...place, "--from", at.file, "-o", "json");
  expect([statusOf(put), put.code]).toEqual(["updated", 0]);
  expect(await stored(at, "scripts/win/run.bat")).toEqual(crlf);
});

test("line-breaks-stored-as-lf: files edit opens a file if .gitattributes cannot be read, and says what may change", async () => {
  const refused = await alteringSession(({ path }) =>
    path.includes(".gitattributes") ? { status: 403, body: { message: "403 Forbidden" } } : undefined,
  );
  const at = await withFile(crlf, refused);
  expect((await at.run("files", "create", ...script, ...onMain, "--from", at.file)).code).toBe(0);
  const { code, stderr } = await edit(at, "run.bat", 'sed -i s/one/two/ "$1"');
  expect([code, stderr]).toEqual([0, expect.stringContaining("run.bat has CRLF")]);
});

test("update-guard-passes: files update compares --last-commit-id itself", async () => {
  const at = await sandboxSession({ asDeployed: true });
  const words = ["files", "update", "README.md", "-p", "7", ...onMain, "--content", "new", "--last-commit-id"];
  const before = await stored(at, "README.md");
  for (const id of ["null", "0000000000000000000000000000000000000000"]) {
    expect((await at.run(...words, id)).code).toBe(6);
  }
  expect(await stored(at, "README.md")).toEqual(before);
  const last = (await commitOf(at, "README.md")).trim();
  expect((await at.run(...words, last)).code).toBe(0);
});
