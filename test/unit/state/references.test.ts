import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { readComparable, referenceProblem, requireReference } from "../../../src/state/fields/references.ts";
import type { Reference, Section, Values } from "../../../src/state/kind.ts";
import { findKind } from "../../../src/state/kinds/index.ts";
import { contextFor } from "../../support/context.ts";
import { fieldOf } from "../../support/state-text.ts";

const origin = { file: "f.yaml", line: 3 };
let context: ReturnType<typeof contextFor>;
let concealed: string[];

const env = (name: string): Reference => ({ reference: "env", name, origin, folder: "/state" });
const file = (name: string, folder: string | undefined = join(context.folder, "state")): Reference => ({
  reference: "file",
  name,
  origin,
  folder,
});

beforeEach(() => {
  const token = "own-credential-1";
  context = contextFor("https://a.example", {
    token,
    env: {
      HOOK_TOKEN: "s3cret\n",
      EMPTY: "",
      BYTES: "\uFFFD\uFFFD",
      MASK: "[redacted]\n",
      HOOKS_5_URL: "https://user:pa55word99@x.example",
      COPY: `x${token}y`,
    },
  });
  concealed = [];
  context = { ...context, conceal: (text: string) => void concealed.push(text) };
  const state = join(context.folder, "state");
  mkdirSync(join(state, "secrets"), { recursive: true });
  mkdirSync(join(state, ".git"));
  writeFileSync(join(state, "secrets", "key"), "from a file\n");
  writeFileSync(join(state, ".git", "config"), "hidden");
  writeFileSync(join(context.folder, "outside"), "outside");
  symlinkSync("../outside", join(state, "link-out"));
  symlinkSync(".git/config", join(state, "link-hidden"));
  symlinkSync("secrets/key", join(state, "link-in"));
});

describe("a reference that is not allowed is known by its name", () => {
  const own = "is this program's own, and is not given to a state file";
  const leaves = "leaves the folder of the state file";
  const dot = "is a dot file, or in a dot folder; those are not given to a state file";
  test.each<["env" | "file", string, string | undefined]>([
    ["env", "HOOK_TOKEN", undefined],
    ["env", "_a1", undefined],
    ["env", "", "{ env: ... } must name a variable"],
    ["env", "1A", '"1A" is not the name of a variable'],
    ["env", "A-B", '"A-B" is not the name of a variable'],
    ["env", "TOKEN_{path}", '"TOKEN_{path}" is not the name of a variable'],
    ["env", "FORGECTL_TOKEN", `FORGECTL_TOKEN ${own}`],
    ["env", "CI_JOB_TOKEN", `CI_JOB_TOKEN ${own}`],
    ["env", "CI_COMMIT_SHA", undefined],
    ["file", "", "{ file: ... } must name a file"],
    ["file", "a/b.txt", undefined],
    ["file", "./a", undefined],
    ["file", ".", undefined],
    ["file", "a/../b", undefined],
    ["file", "/etc/passwd", `"/etc/passwd" ${leaves}`],
    ["file", "../a", `"../a" ${leaves}`],
    ["file", "a/../../b", `"a/../../b" ${leaves}`],
    ["file", ".env", `".env" ${dot}`],
    ["file", ".git/config", `".git/config" ${dot}`],
    ["file", "a/.b", `"a/.b" ${dot}`],
  ])("{ %s: %s }", (reference, name, problem) => {
    expect(referenceProblem({ reference, name, origin, folder: "/state" })).toBe(problem);
  });

  test("a file that is read from stdin has no folder", () => {
    const problem = "a state file that is read from stdin cannot refer to files";
    expect(referenceProblem({ reference: "file", name: "a", origin, folder: undefined })).toBe(problem);
    expect(referenceProblem({ reference: "env", name: "A", origin, folder: undefined })).toBeUndefined();
  });
});

describe("what is sent is the text of a variable or a file", () => {
  const secret = fieldOf("text", { secret: true });
  test("a secret has no line break at its end, another text is unchanged", async () => {
    expect(await requireReference(context, env("HOOK_TOKEN"), secret)).toBe("s3cret");
    expect(await requireReference(context, env("HOOK_TOKEN"))).toBe("s3cret\n");
    expect(await requireReference(context, file("secrets/key"), fieldOf("text"))).toBe("from a file\n");
    expect(await requireReference(context, file("link-in"), secret)).toBe("from a file");
    expect(await requireReference(context, env("EMPTY"))).toBe("");
    // The name that an export writes.
    expect(await requireReference(context, env("HOOKS_5_URL"))).toBe("https://user:pa55word99@x.example");
  });

  test.each<[string, () => Reference, string]>([
    ["a variable that a failed command left empty", () => env("EMPTY"), "f.yaml:3: $EMPTY is empty"],
    ["a file with nothing but a line break", () => file("blank"), "f.yaml:3: file blank is empty"],
    ["a variable that is not UTF-8", () => env("BYTES"), "f.yaml:3: the variable BYTES is not UTF-8 text"],
    ["what is shown in its place", () => env("MASK"), "f.yaml:3: $MASK has what is shown in place of a secret"],
    ["a file that is not UTF-8", () => file("latin"), "f.yaml:3: the file latin is not UTF-8 text"],
  ])("%s is not sent as a secret", async (_, named, message) => {
    writeFileSync(join(context.folder, "state", "blank"), "\n");
    writeFileSync(join(context.folder, "state", "latin"), Buffer.from([0x61, 0xe9, 0x62]));
    await expect(requireReference(context, named(), secret)).rejects.toThrow(message);
  });

  test("a variable is concealed, a file only in a field that is secret", async () => {
    await requireReference(context, file("secrets/key"), fieldOf("text"));
    await requireReference(context, file("secrets/key"));
    expect(concealed).toEqual([]);
    await requireReference(context, env("HOOK_TOKEN"), fieldOf("text"));
    await requireReference(context, file("secrets/key"), secret);
    expect(concealed).toEqual(["s3cret", "from a file"]);
  });

  test.each<[string, () => Reference, string]>([
    ["a variable that is not set", () => env("MISSING"), "the variable MISSING is not set"],
    ["a file that does not exist", () => file("missing"), "the file missing does not exist"],
    ["a folder that does not exist", () => file("a", "/nowhere"), "the file a does not exist"],
    ["a link out of the folder", () => file("link-out"), '"link-out" leaves the folder of the state file by a link'],
    ["a link to a dot file", () => file("link-hidden"), '"link-hidden" leads to a dot file'],
    ["a path out of the folder", () => file("../outside"), '"../outside" leaves the folder of the state file'],
    ["a credential of this program", () => env("COPY"), "$COPY contains a credential of this program"],
  ])("%s is refused with its place", async (_, reference, problem) => {
    const sent = requireReference(context, reference(), secret);
    await expect(sent).rejects.toMatchObject({ exit: "usage", message: `f.yaml:3: ${problem}` });
    expect(concealed).toEqual([]);
  });

  const own = "JOBTOK-0123456789/+";
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const hex = (text: string) => Buffer.from(text).toString("hex");
  test.each<[form: string, text: string, holds: boolean]>([
    ["plain", own, true],
    ["base64", base64(`job:${own}`), true],
    ["base64 twice", base64(base64(own)), true],
    ["base64 twice, within texts", `Basic k${base64(`ab ${base64(`job:${own}`)}`)}`, true],
    ["lines of base64 twice", base64(base64("x".repeat(60) + own)).replace(/.{40}/g, "$&\n"), true],
    ["hexadecimal", hex(own), true],
    ["hexadecimal capitals, within a text", `ab${hex(`a${own}`).toUpperCase()}c`, true],
    ["base64 of hexadecimal", base64(hex(own)), true],
    ["hexadecimal of base64", hex(base64(own)), true],
    ["escapes of JSON", own.replace(/\d/g, (digit) => `\\u003${digit}`), true],
    ["escaped slashes of JSON", JSON.stringify({ own }).replaceAll("/", "\\/"), true],
    ["escapes of a shell", own.replace(/\d/g, (digit) => `\\x3${digit}`), true],
    ["needless percent codes", own.replace(/\d/g, (digit) => `%3${digit}`), true],
    ["hexadecimal of another text", hex("another text of this length"), false],
    ["base64 of another text", base64(base64("another text of this length")), false],
  ])("a credential in %s: %s is refused: %s", async (_, text, holds) => {
    const holder = contextFor("https://a.example", { token: own, env: { TEXT: text } });
    const read = requireReference(holder, env("TEXT"), secret);
    if (holds) await expect(read).rejects.toMatchObject({ details: { code: "own_credential" } });
    else expect(await read).toBe(text);
  });

  test("a credential of this program is named so that scripts know it", async () => {
    await expect(requireReference(context, env("COPY"))).rejects.toMatchObject({
      details: { code: "own_credential", nothing: "sent", hint: "give a secret that is meant for this object alone" },
    });
  });
});

describe("what is compared", () => {
  async function compared(values: Values, kind = "hooks") {
    const section: Section = {
      scope: { at: "group", name: "acme" },
      kind: findKind(kind) ?? expect.unreachable(),
      entries: [{ values, origin }],
      origin,
    };
    const { entries, ...same } = await readComparable(context, section);
    expect(section).toMatchObject(same);
    expect(Object.keys(same)).toEqual(["scope", "kind", "origin"]);
    return { entry: entries[0], same: entries[0] === section.entries[0] };
  }

  test("is the text of a reference, which stays known", async () => {
    const { entry } = await compared({ name: env("HOOK_TOKEN"), url: file("secrets/key"), description: "a" });
    expect(entry?.values).toEqual({ name: "s3cret\n", url: "from a file\n", description: "a" });
    expect(entry?.origin).toBe(origin);
    expect(entry?.read).toEqual({ name: env("HOOK_TOKEN"), url: file("secrets/key") });
  });

  test("is not what cannot be read back, or does not exist", async () => {
    expect((await compared({ token: env("HOOK_TOKEN"), name: env("MISSING") })).same).toBe(true);
    expect(concealed).toEqual(["s3cret"]);
  });

  test.each<[string, () => Values]>([
    ["in a field", () => ({ token: env("COPY") })],
    [
      "in an item",
      () => ({
        custom_headers: [
          { key: "A", value: "b" },
          { key: "B", value: env("COPY") },
        ],
      }),
    ],
    ["deep in a value", () => ({ other: { a: [1, { b: file("link-out") }] } })],
  ])("a reference that is not allowed ends the run: %s", async (_, values) => {
    await expect(compared(values())).rejects.toMatchObject({ exit: "usage" });
  });

  test("a secret of a file in an item is concealed as one", async () => {
    await compared({ custom_headers: [{ key: "A", value: file("secrets/key") }] });
    await compared({ custom_headers: [{ key: file("secrets/key"), value: "b" }] });
    expect(concealed).toEqual(["from a file"]);
  });
});
