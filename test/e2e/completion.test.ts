import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sandboxSession, session } from "../support/session.ts";

describe("completion on TAB", () => {
  test("answers in words, as a line, and for bash; nothing is sent", async () => {
    const log: string[] = [];
    const { run } = await sandboxSession({ log: (line) => log.push(line) });
    const words = async (...args: string[]) => {
      const { stdout, stderr, code } = await run("__complete", ...args);
      expect([stderr, code]).toEqual(["", 0]);
      return stdout;
    };
    expect(await words("--", "registry", "vis")).toBe(
      "visibility\tSet the visibility of a project's container registry\n",
    );
    expect(await words("--next", "--", "registry", "visibility")).toBe("enabled\nprivate\ndisabled\n");
    expect(await words("--line", "--", 'forgectl users list --fields "id,usern')).toBe("id,username\tSign-in name\n");
    expect(await words("--bash", " =:", "--", "forgectl envs protect x --allow=level:d")).toBe("developer\n");
    // These words are only completed: they are not flags of this run.
    expect(await words("--", "users", "--help", "--version", "m")).toContain("me\t");
    expect(log).toEqual([]);
  });

  test("never fails and never prints a message, whatever is wrong", async () => {
    const { run, home } = session({ FORGECTL_OUTPUT: "nonsense", FORGECTL_DEBUG: "1", FORGECTL_PROFILE: "gone" });
    mkdirSync(join(home, ".config/forgectl"), { recursive: true });
    writeFileSync(join(home, ".config/forgectl/profiles.json"), "{ broken");
    const lines = [
      [],
      ["--"],
      ["--", "--profile", ""],
      ["--", "nonsense", "--x=", ""],
      ["--line"],
      ["--line", "--", "forgectl 'x"],
      ["--bash"],
      ["--what", "--", "x"],
    ];
    for (const line of lines) {
      const { code, stderr } = await run("__complete", ...line);
      expect([line, code, stderr]).toEqual([line, 0, ""]);
    }
    expect((await run("--help")).stdout).not.toContain("__complete");
  });
});

describe("completion install", () => {
  test("writes where each shell reads, prints the path, and changes nothing when repeated", async () => {
    const { run, home } = session({ SHELL: "/bin/zsh", XDG_CONFIG_HOME: undefined });
    writeFileSync(join(home, "my-bashrc"), "alias ll='ls -l'", { mode: 0o600 });
    symlinkSync("my-bashrc", join(home, ".bashrc"));
    const at = (path: string) => join(home, path);
    const installed = async (...args: string[]) => {
      const { stdout, stderr, code } = await run("completion", "install", "--no-header", ...args);
      expect(code, stderr).toBe(0);
      return stdout;
    };

    const script = at(".local/share/bash-completion/completions/forgectl");
    const planned = await installed("--shell", "bash", "--dry-run");
    expect(planned).toBe(`${script}\tcreated\n${at(".bashrc")}\tupdated\n`);
    expect(existsSync(script)).toBe(false);

    expect(await installed("--shell", "bash")).toBe(planned);
    expect(readFileSync(script, "utf8")).toBe((await run("completion", "bash")).stdout);
    expect(readFileSync(at("my-bashrc"), "utf8")).toBe(`alias ll='ls -l'\nsource '${script}'\n`);
    expect(statSync(at("my-bashrc")).mode & 0o777).toBe(0o600);
    expect(await installed("--shell", "bash")).toBe(`${script}\tunchanged\n${at(".bashrc")}\tunchanged\n`);

    const functions = at(".local/share/zsh/site-functions/_forgectl");
    expect(await installed()).toBe(`${functions}\tcreated\n${at(".zshrc")}\tcreated\n`);
    expect(readFileSync(at(".zshrc"), "utf8")).toBe(`source '${functions}'\n`);
    expect(await installed("--shell", "fish")).toBe(`${at(".config/fish/completions/forgectl.fish")}\tcreated\n`);
    expect(await installed("--shell", "powershell")).toContain(`${at(".config/powershell/profile.ps1")}\tcreated\n`);
  });

  test("the byte order mark and the line ends of a start-up file are kept", async () => {
    const { run, home } = session({ SHELL: "/usr/bin/pwsh", XDG_CONFIG_HOME: undefined });
    const path = join(home, ".config/powershell/profile.ps1");
    mkdirSync(join(home, ".config/powershell"), { recursive: true });
    writeFileSync(path, "\uFEFF# café\r\n");
    for (const change of ["updated", "unchanged"]) {
      expect((await run("completion", "install", "--no-header")).stdout).toContain(`${path}\t${change}\n`);
      expect(readFileSync(path, "utf8")).toMatch(/^\uFEFF# café\r\n\. '\S+forgectl-completion\.ps1'\n$/);
    }
  });

  test("a start-up file in another encoding is exit 2 and unchanged, and no other file is written", async () => {
    const { run, home } = session({ SHELL: "/bin/bash" });
    const latin1 = Buffer.from("# café\nalias ll='ls -l'\n", "latin1");
    writeFileSync(join(home, ".bashrc"), latin1);
    for (const flags of [[], ["--dry-run"]]) {
      const { code, stdout, stderr } = await run("completion", "install", ...flags);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain(
        `error: ${join(home, ".bashrc")} is not UTF-8 text\ntry:   convert it to UTF-8, then run `,
      );
    }
    expect(readFileSync(join(home, ".bashrc"))).toEqual(latin1);
    expect(readdirSync(home)).toEqual([".bashrc"]);
  });

  test.each(["", undefined, "relative"])(
    "HOME %j names no folder: the one of the user database is taken",
    async (home) => {
      const env = { SHELL: "/bin/bash", HOME: home, XDG_DATA_HOME: undefined };
      const { code, stdout } = await session().run("completion", "install", "--dry-run", "--no-header", { env });
      const { homedir } = userInfo();
      expect([code, stdout.split("\n")[0]?.split("\t")[0]]).toEqual([
        0,
        join(homedir, ".local/share/bash-completion/completions/forgectl"),
      ]);
    },
  );

  test("asks for the shell if SHELL names none of them", async () => {
    const { run } = session({ SHELL: "/bin/tcsh" });
    const { code, stderr } = await run("completion", "install");
    expect(code).toBe(2);
    expect(stderr).toContain("missing --shell <");
    expect((await run("completion", "zhs")).stderr).toContain("did you mean zsh?");
  });
});
