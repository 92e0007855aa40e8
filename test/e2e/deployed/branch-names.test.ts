import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alteringSession } from "../../support/altering-proxy.ts";
import { type Session, sandboxSession } from "../../support/session.ts";
import { undoIn } from "../../support/undo-cases.ts";

// What a commit to a branch reads is the branch, whatever tag has its name.

const read = async ({ run }: Session, ref: string) =>
  (await run("files", "cat", "README.md", "-p", "7", "--ref", ref)).stdout;
const place = ["README.md", "-p", "7", "-b", "v1.0.0", "-m", "m"];

/** A branch with the name of a tag. */
async function branched(): Promise<Session> {
  const place = await sandboxSession({ asDeployed: true });
  const line = "files create NEW.md -p 7 -b v1.0.0 --start-branch main -m m --content new";
  expect((await place.run(...line.split(" "))).code).toBe(0);
  return place;
}

/** Types an undo line. */
async function undo({ run }: Session, stderr: string): Promise<void> {
  for (const line of (undoIn(stderr) ?? "").split(" && ")) {
    const words = line.replace("forgectl ", "").match(/'[^']*'|\S+/g) ?? [];
    expect(await run(...words.map((word) => word.replaceAll("'", "")))).toMatchObject({ code: 0 });
  }
}

test("tag-before-branch: a name alone is the tag, the full name of a branch the branch", async () => {
  const at = await branched();
  expect(await read(at, "v1.0.0")).toBe(await read(at, "refs/tags/v1.0.0"));
  expect(await read(at, "v1.0.0")).not.toBe(await read(at, "main"));
  for (const ref of ["refs/heads/v1.0.0", "heads/v1.0.0"]) expect(await read(at, ref)).toBe(await read(at, "main"));
});

test("files put does not take the tag's content for that of the branch, and its undo line restores the branch", async () => {
  const at = await branched();
  const tagged = await read(at, "refs/tags/v1.0.0");
  const before = await read(at, "refs/heads/v1.0.0");
  const put = await at.run("files", "put", ...place, "--content", tagged, "-o", "json");
  expect([put.code, JSON.parse(put.stdout)]).toEqual([0, expect.objectContaining({ status: "updated" })]);
  expect(await read(at, "refs/heads/v1.0.0")).toBe(tagged);
  await undo(at, put.stderr);
  expect(await read(at, "refs/heads/v1.0.0")).toBe(before);
});

test("files edit opens the branch's content", async () => {
  const at = await branched();
  const before = await read(at, "refs/heads/v1.0.0");
  const editor = join(at.home, "editor");
  writeFileSync(editor, '#!/bin/sh\ncp "$1" "$HOME/opened"; echo more >> "$1"\n', { mode: 0o755 });
  const edited = await at.run("files", "edit", ...place, { env: { VISUAL: editor }, asProcess: true });
  expect(edited.code).toBe(0);
  expect(await read(at, "refs/heads/v1.0.0")).toBe(`${before}more\n`);
  await undo(at, edited.stderr);
  expect(await read(at, "refs/heads/v1.0.0")).toBe(before);
});

test("the guard of files delete compares with the branch's last commit", async () => {
  const at = await branched();
  const stat = ["files", "stat", "README.md", "-p", "7", "--fields", "last_commit_id", "--no-header", "--ref"];
  const [ofTag, ofBranch] = await Promise.all(
    ["refs/tags/v1.0.0", "refs/heads/v1.0.0"].map(async (ref) => (await at.run(...stat, ref)).stdout.trim()),
  );
  const words = ["files", "delete", ...place, "--yes", "--last-commit-id"];
  expect((await at.run(...words, ofTag ?? "")).code).toBe(6);
  expect((await at.run(...words, ofBranch ?? "")).code).toBe(0);
});

const large = ["assets/new.psd", "-p", "7", "-b", "main", "-m", "m"];
const image = (text: string) => ["--content", text];
const stored = async ({ run }: Session) =>
  JSON.parse((await run("files", "stat", "assets/new.psd", "-p", "7", "--ref", "main", "-o", "json")).stdout);
const statusOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout).status;

test("lfs-stored-as-pointer: the same content is unchanged, and an undo line restores the content", async () => {
  const at = await sandboxSession({ asDeployed: true });
  const put = (text: string) => at.run("files", "put", ...large, ...image(text), "-o", "json");
  expect(statusOf(await put("one image"))).toBe("created");
  const before = await stored(at);
  expect(before.size).toBeGreaterThan(100);
  expect(statusOf(await put("one image"))).toBe("unchanged");
  const updated = await put("another image");
  expect(statusOf(updated)).toBe("updated");
  await undo(at, updated.stderr);
  expect((await stored(at)).content_sha256).toBe(before.content_sha256);
  const cat = await at.run("files", "cat", "assets/new.psd", "-p", "7", "--lfs");
  expect(cat.stdout).toBe("one image");
});

test("lfs-stored-as-pointer: where content is stored as it is, the text of a pointer is another content", async () => {
  const at = await sandboxSession({ asDeployed: true });
  const digest = createHash("sha256").update("good").digest("hex");
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${digest}\nsize 4\n`;
  const write = (name: string, text: string) =>
    at.run("files", name, "plain.txt", "-p", "7", "-b", "main", "-m", "m", "--content", text, "-o", "json");
  expect((await write("create", pointer)).code).toBe(0);
  expect(statusOf(await write("put", "good"))).toBe("updated");
  const cat = await at.run("files", "cat", "plain.txt", "-p", "7", "--ref", "main");
  expect(cat.stdout).toBe("good");
});

test("lfs-stored-as-pointer: a commit whose answer is lost is found by its pointer", async () => {
  const at = await alteringSession(({ method }) => (method === "POST" ? { status: 500, body: {} } : undefined), {
    asDeployed: true,
  });
  const { code, stderr } = await at.run("files", "create", ...large, ...image("one image"));
  expect([code, stderr]).toEqual([0, expect.stringContaining("the answer was lost, but the commit was made")]);
});
