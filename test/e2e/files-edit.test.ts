import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Altered, alteringSession } from "../support/altering-proxy.ts";
import { lossyProxy } from "../support/lossy-proxy.ts";
import { type RunOptions, type Session, sandboxSession, session } from "../support/session.ts";

const there = await sandboxSession();
const words = (line: string) => line.split(" ");

/** An editor that is a script, and needs no terminal; `$1` is the file. */
function editor(home: string, script: string): string {
  const path = join(home, `editor-${Math.random().toString(36).slice(2)}`);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

function edit({ run, home }: Session, script: string, line: string, { env, ...options }: RunOptions = {}) {
  const all = { EDITOR: editor(home, script), VISUAL: undefined, CI: undefined, ...env };
  return run(...words(`files edit ${line}`), { env: all, ...options });
}

const bytesOf = async (path: string, { run }: Session = there, ref = "main") => {
  const { stdout } = await run(...words(`files get ${path} -p 7 --ref ${ref} --jq .content`));
  return Buffer.from(stdout, "base64");
};

async function made(path: string, content: string | Uint8Array, ...more: string[]): Promise<string> {
  const written = await there.run(...words(`files put ${path} -p 7 -b main -m Made --from -`), ...more, {
    input: content,
  });
  expect(written.code).toBe(0);
  return path;
}

/** The text in the file that a failure names; the file is removed. */
function keptIn(stderr: string): string {
  const [, path = ""] = /your text is kept in (\S+)/.exec(stderr) ?? [];
  const text = readFileSync(path, "utf8");
  rmSync(dirname(path), { recursive: true });
  return text;
}

/** An edit leaves no files behind. */
const where = 'echo "$1" > "$HOME/where";';
const stays = ({ home }: Session) => existsSync(dirname(readFileSync(join(home, "where"), "utf8").trim()));

describe("files edit", () => {
  test("opens the file unchanged, under its own name, and commits what was saved", async () => {
    const path = await made("docs/guide.md", "One.\n");
    const { code, stdout, stderr } = await edit(
      there,
      `${where} cp "$1" "$HOME/seen"; echo Two. >> "$1"`,
      `${path} -p acme/storefront -b main -o json`,
    );
    expect({ code, stderr, result: JSON.parse(stdout) }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^undo: forgectl files download .* && forgectl files put .*\n$/),
      result: { file_path: path, branch: "main", status: "updated" },
    });
    expect(readFileSync(join(there.home, "seen"), "utf8")).toBe("One.\n");
    expect(readFileSync(join(there.home, "where"), "utf8")).toMatch(/\/guide\.md\n$/);
    expect((await bytesOf(path)).toString()).toBe("One.\nTwo.\n");
    expect(stays(there)).toBe(false);
    const { stdout: message } = await there.run(
      ...words(`files blame ${path} -p 7 --ref main --lines 2 --fields commit.message --no-header`),
    );
    expect(message).toBe(`Update ${path}\n`);
  });

  test("-m is the message; the author and a new branch are sent too", async () => {
    const path = await made("docs/branch.md", "One.\n");
    const line = `${path} -p 7 -b fix-guide --start-branch main -m Mend --author-name Ann --author-email ann@example.com`;
    expect((await edit(there, 'echo Two. > "$1"', line)).code).toBe(0);
    expect((await bytesOf(path)).toString()).toBe("One.\n");
    expect((await bytesOf(path, there, "fix-guide")).toString()).toBe("Two.\n");
    const { stdout } = await there.run(...words(`files blame ${path} -p 7 --ref fix-guide --jq .[0].commit`));
    expect(JSON.parse(stdout)).toMatchObject({ message: "Mend", author_name: "Ann", author_email: "ann@example.com" });
    // The branch exists now, so its file is edited.
    expect((await edit(there, 'echo Three. >> "$1"', line)).code).toBe(0);
    expect((await bytesOf(path, there, "fix-guide")).toString()).toBe("Two.\nThree.\n");
  });

  test("$VISUAL takes precedence over $EDITOR; an editor's output does not mix with the result", async () => {
    const path = await made("docs/visual.md", "One.\n");
    const visual = editor(there.home, 'echo drawing; echo Two. > "$1"');
    const { stdout, stderr, code } = await edit(there, "exit 1", `${path} -p 7 -b main --no-header -q`, {
      env: { VISUAL: `${visual} ` },
    });
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${path}\tmain\tupdated\n`, stderr: "" });
  });

  test.each(["true", "touch", "cat"])("a file that %s leaves as it was is unchanged: nothing is sent", async (how) => {
    const log: string[] = [];
    const here = await sandboxSession({ log: (line) => log.push(line) });
    const { code, stdout, stderr } = await edit(here, `${where} ${how} "$1"`, "README.md -p 7 -b main --no-header");
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: "README.md\tmain\tunchanged\n",
      stderr: "README.md was not changed; nothing was sent\n",
    });
    expect(log.filter((line) => !/^(?:GET|HEAD) /.test(line))).toEqual([]);
    expect(stays(here)).toBe(false);
  });

  test("a dry run shows the commit, sends nothing, and stores nothing", async () => {
    const { stdout, stderr, code } = await edit(
      there,
      `${where} echo More. >> "$1"`,
      "README.md -p 7 -b main -n -o json",
    );
    expect([code, stderr]).toEqual([0, ""]);
    const before = (await bytesOf("README.md")).toString();
    expect(JSON.parse(stdout)).toEqual([
      {
        method: "PUT",
        url: expect.stringMatching(/\/projects\/7\/repository\/files\/README\.md$/),
        body: {
          branch: "main",
          commit_message: "Update README.md",
          content: `${before}More.\n`,
          last_commit_id: expect.stringMatching(/^[0-9a-f]{40}$/),
        },
      },
    ]);
    expect(stays(there)).toBe(false);
  });
});

describe("files edit preserves the format of a file", () => {
  test.each([
    ["CRLF", "a\r\nb\r\n", 'printf "c\\n" >> "$1"', "a\r\nb\r\nc\r\n"],
    ["CRLF that the editor made LF", "a\r\nb\r\n", 'printf "a\\nc\\n" > "$1"', "a\r\nc\r\n"],
    ["mixed line breaks", "a\r\nb\n", 'printf "c\\n" >> "$1"', "a\r\nb\nc\n"],
    ["no line break at the end", "a\nb", 'printf "a\\nc\\n" > "$1"', "a\nc"],
    ["no line break at all", "a", 'printf "b\\n" > "$1"', "b"],
    ["a byte order mark", "\ufeffa\n", 'printf "b\\n" > "$1"', "\ufeffb\n"],
    ["non-ASCII letters", "Grüße, 日本語 🚀\n", 'printf "é\\n" >> "$1"', "Grüße, 日本語 🚀\né\n"],
    ["an empty file", "", 'printf "a\\n" > "$1"', "a\n"],
    ["a form feed and an escape", "\f\u001b[2J\n", 'printf "a\\n" >> "$1"', "\f\u001b[2J\na\n"],
  ])("%s", async (name, before, script, after) => {
    const path = await made(`form/${name.replaceAll(" ", "-")}.txt`, before);
    expect((await edit(there, script, `${path} -p 7 -b main`)).code).toBe(0);
    expect((await bytesOf(path)).toString()).toBe(after);
  });

  test("what an editor changes by itself is not a change", async () => {
    const path = await made("form/own-account.txt", "\ufeffa\r\nb");
    const { stdout } = await edit(there, 'printf "a\\nb\\n" > "$1"', `${path} -p 7 -b main --no-header`);
    expect(stdout).toBe(`${path}\tmain\tunchanged\n`);
  });

  test("the executable bit stays", async () => {
    expect((await edit(there, 'echo "exit 0" >> "$1"', "scripts/deploy.sh -p 7 -b main")).code).toBe(0);
    const { stdout } = await there.run(
      ...words("files stat scripts/deploy.sh -p 7 --ref main --fields execute_filemode --no-header"),
    );
    expect(stdout).toBe("true\n");
  });

  test.each([`it's "quoted" $(name) & more.txt`, "-rf.txt", "日本.md"])("a file called %s", async (name) => {
    const path = `names/${name}`;
    const put = ["files", "put", path, "-p", "7", "-b", "main", "-m", "x", "--content", "a\n"];
    expect((await there.run(...put)).code).toBe(0);
    const result = await there.run("files", "edit", path, "-p", "7", "-b", "main", "--no-header", {
      env: { EDITOR: editor(there.home, 'echo b >> "$1"'), VISUAL: undefined },
    });
    expect(result.stdout).toContain("\tupdated\n");
    expect((await there.run("files", "cat", path, "-p", "7")).stdout).toBe("a\nb\n");
  });
});

describe("files edit sends nothing", () => {
  const quiet = async (script: string, line: string, options: RunOptions = {}) => {
    const { stdout, stderr, code } = await edit(there, script, line, options);
    expect(stdout).toBe("");
    return { stderr, code };
  };

  test("for content that is not text, and opens no editor", async () => {
    const binary = await made("bin/logo.png", Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 1, 2));
    const latin = await made("bin/latin1.txt", Uint8Array.of(0x67, 0xfc, 0x0a));
    for (const path of [binary, latin]) {
      const { code, stderr } = await quiet('touch "$HOME/opened"', `${path} -p 7 -b main`);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`error: ${path} is not UTF-8 text\n`)]);
    }
    expect(existsSync(join(there.home, "opened"))).toBe(false);
  });

  test("for a pointer to large file storage", async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"a".repeat(64)}\nsize 12\n`;
    const path = await made("bin/movie.mp4", pointer);
    const { code, stderr } = await quiet('echo x >> "$1"', `${path} -p 7 -b main`);
    expect([code, stderr]).toEqual([2, expect.stringContaining("only a pointer to it")]);
  });

  test.each([
    ["missing.md -p 7 -b main", 3, "forgectl files create"],
    ["README.md -p 7 -b no-such-branch", 3, "check path and branch"],
    ["README.md -p 7 -b new --start-branch no-such-branch", 3, "check path and branch"],
    ["../etc/passwd -p 7 -b main", 2, "without a leading slash"],
    ["README.md -p 7", 2, "--branch"],
    ["README.md -p 7 -b main -m ", 2, "--message"],
  ])("%s", async (line, exit, message) => {
    const { code, stderr } = await quiet('touch "$HOME/opened"', line);
    expect([code, stderr]).toEqual([exit, expect.stringContaining(message)]);
    expect(existsSync(join(there.home, "opened"))).toBe(false);
  });

  test("if the editor fails; what it had saved is kept", async () => {
    const failed = await quiet("echo broken >&2; exit 3", "README.md -p 7 -b main");
    expect(failed.code).toBe(2);
    expect(failed.stderr).toMatch(
      /^error: the editor \(\S+\) ended with exit code 3\ncause: broken\noutcome: nothing was sent\n/,
    );
    expect(failed.stderr).not.toContain("kept");
    const half = await quiet('echo half > "$1"; exit 3', "README.md -p 7 -b main");
    expect([half.code, keptIn(half.stderr)]).toEqual([2, "half\n"]);
  });

  test("if the editor is killed, or leaves no text; its swap file, with what was not saved, is kept", async () => {
    const swap = 'echo unsaved > "$(dirname "$1")/.README.md.swp"';
    const killed = await quiet(`${swap}; kill -HUP $$`, "README.md -p 7 -b main");
    const [, folder = ""] =
      /^outcome: nothing was sent; what the editor left is kept in (\S+)$/m.exec(killed.stderr) ?? [];
    expect([killed.code, readFileSync(join(folder, ".README.md.swp"), "utf8")]).toEqual([2, "unsaved\n"]);
    rmSync(folder, { recursive: true });
    const lost = await quiet(`mv "$1" "$1~"`, "README.md -p 7 -b main");
    const [, other = ""] = /^outcome: what the editor left is kept in (\S+)$/m.exec(lost.stderr) ?? [];
    expect([lost.code, existsSync(join(other, "README.md~"))]).toEqual([2, true]);
    rmSync(other, { recursive: true });
    // One that its user ended has left nothing of value.
    const ended = await edit(there, `${where}${swap}`, "README.md -p 7 -b main");
    expect([ended.code, stays(there)]).toEqual([0, false]);
  });

  test("if no editor can be run", async () => {
    const there = await quiet("", "README.md -p 7 -b main", { env: { EDITOR: "no-such-editor" } });
    expect([there.code, there.stderr]).toEqual([2, expect.stringContaining("was not found\n")]);
    const none = await quiet("", "README.md -p 7 -b main", { env: { EDITOR: undefined } });
    expect([none.code, none.stderr]).toEqual([
      2,
      expect.stringMatching(
        /^error: files edit needs a terminal, or an editor that needs none in VISUAL or EDITOR\ntry: /,
      ),
    ]);
  });

  test("if the file was emptied, or is no longer text", async () => {
    const empty = await quiet('printf "\\n" > "$1"', "README.md -p 7 -b main");
    expect([empty.code, empty.stderr]).toEqual([
      2,
      expect.stringContaining("the text is empty\noutcome: nothing was sent\n"),
    ]);
    const other = await quiet('printf "\\000abc" > "$1"', "README.md -p 7 -b main");
    expect([other.code, keptIn(other.stderr)]).toEqual([2, "\0abc"]);
  });

  test("in batch and each, where editors would share one terminal", async () => {
    writeFileSync(join(there.home, "lines.ndjson"), '{"args":["files","edit","README.md","-p","7","-b","main"]}\n');
    const batch = await there.run("batch", "lines.ndjson", "--yes");
    expect([batch.code, batch.stderr]).toEqual([2, expect.stringContaining("files edit cannot be run by batch")]);
  });
});

describe("files edit with a concurrent commit", () => {
  const rival = (content: string) =>
    `FORGECTL_TOKEN="$RIVAL" "${process.execPath}" bin/forgectl.js files put README.md -p 7 -b main -m Theirs --content '${content}' >&2`;
  const cwd = process.cwd();
  const env = { RIVAL: there.sandbox.tokens.administrator };

  test("with other content: exit 6, the other commit stays, and the error names the file with the text", async () => {
    const { code, stdout, stderr } = await edit(
      there,
      `${rival("theirs")}; echo mine > "$1"`,
      "README.md -p 7 -b main -o json",
      { cwd, env },
    );
    expect([code, stdout]).toEqual([6, ""]);
    const { error } = JSON.parse(stderr);
    expect(error).toMatchObject({ code: "branch_moved", cause: expect.stringContaining("the branch moved") });
    expect(keptIn(error.outcome_text)).toBe("mine\n");
    expect((await bytesOf("README.md")).toString()).toBe("theirs");
  });

  test("with the same content: nothing is left to do", async () => {
    const { code, stdout } = await edit(
      there,
      `${rival("ours")}; printf ours > "$1"`,
      "README.md -p 7 -b main --no-header",
      { cwd, env },
    );
    expect([code, stdout]).toEqual([0, "README.md\tmain\tupdated\n"]);
  });

  test("that deleted the file: exit 6", async () => {
    const path = await made("docs/doomed.md", "a\n");
    const gone = rival("").replace(/files put.*''/, `files delete ${path} -p 7 -b main -m Theirs --yes`);
    const { code, stderr } = await edit(there, `${gone}; echo b >> "$1"`, `${path} -p 7 -b main`, { cwd, env });
    expect([code, stderr]).toEqual([6, expect.stringContaining("is no longer on main")]);
    expect(keptIn(stderr)).toBe("a\nb\n");
  });
});

describe("files edit with failures", () => {
  test.each(["reset", "504", "truncated"] as const)(
    "an answer lost by %s is checked: the commit was made once",
    async (how) => {
      const { sandbox } = await sandboxSession();
      const proxy = await lossyProxy(sandbox.url, { how, times: 5 });
      const here = session({ FORGECTL_BASE_URL: proxy.url, FORGECTL_TOKEN: sandbox.tokens.administrator });
      const { code, stdout } = await edit(
        here,
        `${where} echo More. >> "$1"`,
        "README.md -p 7 -b main --no-header --retries 0",
      );
      expect([code, stdout]).toEqual([0, "README.md\tmain\tupdated\n"]);
      expect((await bytesOf("README.md", here)).toString()).toMatch(/More\.\n$/);
      expect(stays(here)).toBe(false);
    },
  );

  test("a commit refused by a branch rule keeps the text", async () => {
    const deployed = await sandboxSession({ asDeployed: true, as: "developer" });
    const { code, stderr } = await edit(deployed, 'echo mine > "$1"', "README.md -p 7 -b main");
    expect([code, stderr]).toEqual([1, expect.stringContaining("You are not allowed to push into this branch")]);
    expect(stderr).toContain("--start-branch main");
    expect(keptIn(stderr)).toBe("mine\n");
  });

  test.each([
    ["another content", { content: "AAAA" }, "the content does not match its checksum"],
    ["no content", { content: undefined, content_sha256: undefined }, "it has no content"],
    ["no last commit to guard the update", { last_commit_id: null }, "it names no last commit"],
  ])("an answer with %s opens no editor: exit 12", async (_, other, reason) => {
    const { run, home, env } = await alteringSession(({ method, body }): Altered => {
      const isFile = method === "GET" && (body as { content?: string } | undefined)?.content !== undefined;
      return isFile ? { body: { ...(body as object), ...other } } : undefined;
    });
    const { code, stderr } = await edit({ run, home, env }, 'touch "$HOME/opened"', "README.md -p 7 -b main");
    expect([code, stderr, existsSync(join(home, "opened"))]).toEqual([12, expect.stringContaining(reason), false]);
  });

  test("a termination signal ends the editor, and keeps what it had saved", async () => {
    const started = join(there.home, "started");
    rmSync(started, { force: true });
    const begun = (async () => {
      while (!existsSync(started)) await new Promise((done) => setTimeout(done, 20));
    })();
    const { code, stderr } = await edit(
      there,
      'echo half > "$1"; touch "$HOME/started"; exec sleep 60',
      "README.md -p 7 -b main",
      { kill: { signal: "SIGTERM", when: begun } },
    );
    expect(code).not.toBe(0);
    expect(keptIn(stderr)).toBe("half\n");
  });
});
