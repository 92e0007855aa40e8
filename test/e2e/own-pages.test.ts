import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLine } from "../../src/base/shell-words.ts";
import { parse } from "../../src/cli/program.ts";
import { guideNames } from "../../src/commands/guide.ts";
import { groups } from "../../src/commands/index.ts";
import { commandsIn } from "../../src/declare/describe.ts";
import { session } from "../support/session.ts";

// The pages that every package carries, without a network or another program.

const { run, home } = session();
const nodes = await Promise.all(groups.map((entry) => entry.load()));

describe("man", () => {
  test("prints the page of the program, of a group, and of a command, as text", async () => {
    for (const [words, title] of [
      [[], "forgectl - administer"],
      [["users"], "forgectl-users - Users"],
      [["users", "list"], "forgectl-users-list - List users"],
    ] as const) {
      const { code, stdout, stderr } = await run("man", ...words);
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toContain(`NAME\n       ${title}`);
    }
  });

  test("a word that is no command is a usage error", async () => {
    const { code, stderr } = await run("man", "users", "lst");
    expect([code, stderr]).toEqual([2, expect.stringContaining("did you mean the page forgectl-users-list?")]);
    // The program's name does not make it like a page.
    expect((await run("man", "nonsense")).stderr).toContain("try:   forgectl commands lists all commands");
  });
});

describe("guide", () => {
  test("lists every page of docs, and prints each as it is", async () => {
    const pages = readdirSync("docs").filter((name) => name.endsWith(".md") && name !== "README.md");
    expect([...guideNames].sort()).toEqual(pages.map((name) => name.replace(".md", "")).sort());
    const { stdout } = await run("guide", "--no-header");
    expect(stdout.split("\n").filter(Boolean).length).toBe(pages.length);
    for (const name of guideNames) {
      expect((await run("guide", name)).stdout).toBe(readFileSync(`docs/${name}.md`, "utf8"));
    }
  });
});

describe("skill", () => {
  test("every command line in it parses, and it names every command that changes or deletes something", async () => {
    const { stdout } = await run("skill");
    const blocks = [...stdout.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, text = ""]) => text.trim().split("\n"));
    const inline = [...stdout.matchAll(/`(forgectl [^`\n]*)`/g)].map(([, text = ""]) => text);
    const lines = [...blocks, ...inline].map((line) => line.replace(/^forgectl /, ""));
    expect(lines.length).toBeGreaterThan(20);
    for (const line of lines) {
      const words = line.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", "")) ?? [];
      const node = nodes.find(({ name }) => name === words[0]);
      if (words[0] === "help") continue;
      expect(node, line).toBeDefined();
      if (node !== undefined && !(words.length === 1 && node.kind === "group")) {
        expect(parse(node, words), line).toMatchObject({ kind: expect.stringMatching(/run|help/) });
      }
    }
    const deleting = nodes
      .flatMap((node) => [...commandsIn(node)])
      .filter(({ command }) => command.requests.some(({ method }) => method === "DELETE"));
    for (const { path } of deleting) expect(stdout).toContain(`\`${path.join(" ")}\``);
  });
});

describe("completion install --man and uninstall", () => {
  const manual = join(home, ".local", "share", "man", "man1");
  const script = join(home, ".local", "share", "bash-completion", "completions", "forgectl");
  const bashrc = join(home, ".bashrc");
  const shell = { env: { SHELL: "/bin/bash" } };

  test("the pages are where man finds them; uninstall removes what install wrote, and nothing else", async () => {
    const before = "alias ll='ls -l'\n\nexport A=1\n";
    writeFileSync(bashrc, before);
    mkdirSync(manual, { recursive: true });
    writeFileSync(join(manual, "forgectl-own.1"), ".TH OWN 1\n");
    const installed = await run("completion", "install", "--man", "--no-header", shell);
    expect([installed.code, installed.stdout]).toEqual([0, expect.stringContaining(`${manual}\tcreated\n`)]);
    const path = dirname(manual);
    expect(installed.stderr).toContain(`man may search there only with: export ${commandLine([`MANPATH=${path}:`])}\n`);
    expect(readdirSync(manual).sort()).toEqual([...readdirSync("man"), "forgectl-own.1"].sort());
    expect((await run("completion", "install", "--man", "--no-header", shell)).stdout).toContain(
      `${manual}\tunchanged\n`,
    );
    expect(readFileSync(bashrc, "utf8")).not.toBe(before);
    for (const env of [{ PATH: `${home}/.local/bin:${process.env.PATH}` }, { MANPATH: `${path}:` }]) {
      const { stderr } = await run("completion", "install", "--man", { env: { ...shell.env, ...env } });
      expect(stderr).not.toContain("MANPATH");
    }

    // It has the name of a page, and is none.
    mkdirSync(join(manual, "forgectl-folder.1"));
    const planned = await run("completion", "uninstall", "--dry-run", "--no-header", shell);
    expect([planned.code, existsSync(script)]).toEqual([0, true]);
    const removed = await run("completion", "uninstall", "--no-header", shell);
    expect(removed.stdout).toBe(planned.stdout);
    expect(removed.stdout).toBe(`${script}\tremoved\n${bashrc}\tupdated\n${manual}\tremoved\n`);
    expect([existsSync(script), readdirSync(manual)]).toEqual([false, ["forgectl-folder.1", "forgectl-own.1"]]);
    expect(readFileSync(bashrc, "utf8")).toBe(before);
    expect((await run("completion", "uninstall", "--no-header", shell)).stdout).toBe("");
  });

  test("a script that was edited is kept", async () => {
    await run("completion", "install", shell);
    writeFileSync(script, `${readFileSync(script, "utf8")}# mine\n`);
    const { stdout } = await run("completion", "uninstall", "--no-header", shell);
    expect(stdout).toContain(`${script}\tunchanged\n`);
    expect(readFileSync(script, "utf8")).toContain("# mine");
  });
});
