import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { binary, node, type Session, session } from "../support/session.ts";

const fileOf = (from: Session) => join(from.home, ".config", "forgectl", "profiles.json");
const words = (line: string) => line.split(" ");

async function withProfiles(content: string): Promise<Session> {
  const shell = session();
  await mkdir(join(shell.home, ".config", "forgectl"), { recursive: true });
  await writeFile(fileOf(shell), content);
  return shell;
}

test("from the first value to the last", async () => {
  const shell = session();
  const set = await shell.run(
    ...words("profiles set work base-url=https://forge.example.com/api/v4/ ca-file=ca.pem retries=2 -o json"),
  );
  expect(set.code).toBe(0);
  expect(JSON.parse(set.stdout)).toMatchObject({
    name: "work",
    current: true,
    token: "none",
    base_url: "https://forge.example.com",
    ca_file: join(shell.home, "ca.pem"),
    retries: "2",
    proxy: null,
  });
  await shell.run(...words("profiles set home base-url=http://localhost:8080"));
  expect((await shell.run(...words("profiles list"))).stdout).toBe(
    "name\tcurrent\tbase_url\ttoken\tproject\tgroup\n" +
      "work\ttrue\thttps://forge.example.com\tnone\t\t\n" +
      "home\tfalse\thttp://localhost:8080\tnone\t\t\n",
  );
  await shell.run(...words("profiles use home"));
  expect((await shell.run(...words("profiles show --fields name,current --no-header"))).stdout).toBe("home\ttrue\n");
  await shell.run(...words("profiles unset work ca_file retries"));
  expect(JSON.parse(await readFile(fileOf(shell), "utf8"))).toEqual({
    version: 1,
    current: "home",
    profiles: { work: { "base-url": "https://forge.example.com" }, home: { "base-url": "http://localhost:8080" } },
  });
  expect((await shell.run(...words("profiles remove home"))).code).toBe(2);
  expect((await shell.run(...words("profiles remove home --yes"))).code).toBe(0);
  expect((await shell.run(...words("profiles show"))).stderr).toContain(
    "error: missing <name>\ncause: no profile is current\n",
  );
  expect((await shell.run("profiles", "path")).stdout).toBe(`${fileOf(shell)}\n`);
});

test("twenty at once lose nothing", async () => {
  const shell = session();
  const runs = await Promise.all(
    Array.from({ length: 20 }, (_, n) => shell.run("profiles", "set", `p${n}`, `project=${n}`)),
  );
  expect(runs.map((run) => run.stderr).join("")).toBe("");
  const { profiles } = JSON.parse(await readFile(fileOf(shell), "utf8"));
  expect(Object.keys(profiles).sort()).toEqual(Array.from({ length: 20 }, (_, n) => `p${n}`).sort());
  expect(await readdir(join(shell.home, ".config", "forgectl"))).toEqual(["profiles.json"]);
});

test("a dry run stores nothing", async () => {
  const shell = session();
  const { code, stderr } = await shell.run(...words("profiles set work project=7 --dry-run"));
  expect([code, stderr]).toEqual([0, "a dry run: nothing is stored\n"]);
  expect((await shell.run("profiles", "list", "-o", "json")).stdout).toBe("[]\n");
});

test("a proxy's password is not shown", async () => {
  const shell = session();
  const { stdout } = await shell.run("profiles", "set", "work", "proxy=http://me:hunter2@proxy:3128");
  expect(stdout).not.toContain("hunter2");
  expect(stdout).toContain("http://me:***@proxy:3128/");
  expect(await readFile(fileOf(shell), "utf8")).toContain("hunter2");
});

describe("bad input", () => {
  test.each([
    ["profiles set work hunter2", "a value is written key=value"],
    ["profiles set work =hunter2", "a value is written key=value"],
    ["profiles set work token=hunter2", "a token is not a profile setting"],
    ["profiles set work base-ulr=https://x", "did you mean base-url?"],
    ["profiles set work base-url=https://u:hunter2@x", "base-url: the address has credentials in it"],
    ["profiles set work project=1 project=2", "project is given twice"],
    ["profiles set work project=", "project: is empty"],
    ["profiles set work timeout=soon", 'timeout: "soon" is not a number of seconds'],
    ["profiles set a/b project=1", 'profile: "a/b" is not a valid profile name'],
    ["profiles unset work project", 'profile "work" does not exist'],
    ["profiles use work", 'profile "work" does not exist'],
    ["profiles show work", 'profile "work" does not exist'],
    ["profiles remove work --yes", 'profile "work" does not exist'],
  ])("%s", async (line, message) => {
    const shell = session();
    const { code, stdout, stderr } = await shell.run(...words(line));
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("hunter2");
    await expect(readFile(fileOf(shell))).rejects.toThrow("ENOENT");
  });

  test.each([
    ["{", "is not valid"],
    ['{"version":9}', "was written by a newer forgectl"],
  ])("a file with %s stops every command and is not changed", async (content, message) => {
    const shell = await withProfiles(content);
    for (const line of ["users me", "profiles list", "profiles set work project=1", "auth status"]) {
      const { code, stderr } = await shell.run(...words(line));
      expect([line, code]).toEqual([line, 2]);
      expect(stderr).toContain(`${fileOf(shell)} ${message}`);
    }
    expect(await readFile(fileOf(shell), "utf8")).toBe(content);
  });

  test("an invalid value stops the commands that use it, and can be corrected", async () => {
    const shell = await withProfiles('{"version":1,"current":"work","profiles":{"work":{"base-url":"forge"}}}');
    const { code, stderr } = await shell.run("users", "me");
    expect(code).toBe(2);
    expect(stderr).toContain("try:   forgectl profiles set work base-url=...");
    expect((await shell.run("profiles", "set", "work", "base-url=https://forge.example.com")).code).toBe(0);
    expect((await shell.run("profiles", "show", "--fields", "base_url", "--no-header")).stdout).toBe(
      "https://forge.example.com\n",
    );
  });

  test.runIf(process.platform === "linux")("a partial write on a full disk keeps what was stored", async () => {
    const profiles = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`p${n}`, { project: "x".repeat(40) }]));
    const stored = JSON.stringify({ version: 1, profiles });
    const shell = await withProfiles(stored);
    const set = `trap '' XFSZ; ulimit -f 8; "${node}" "${binary}" profiles set work project=1`;
    const env = { ...process.env, HOME: shell.home, XDG_CONFIG_HOME: undefined, NODE_DISABLE_COMPILE_CACHE: "1" };
    const { status, stderr } = spawnSync("bash", ["-c", set], { env, encoding: "utf8" });
    expect([status, stderr]).toEqual([2, expect.stringContaining("error: the profiles cannot be written")]);
    expect(await readFile(fileOf(shell), "utf8")).toBe(stored);
    expect(await readdir(join(shell.home, ".config", "forgectl"))).toEqual(["profiles.json"]);
  });

  test("a read-only folder", async () => {
    const shell = session();
    await writeFile(join(shell.home, "file"), "");
    const env = { FORGECTL_CONFIG_DIR: join(shell.home, "file", "forgectl") };
    const { code, stderr } = await shell.run("profiles", "set", "work", "project=1", { env });
    expect(code).toBe(2);
    expect(stderr).toContain(`error: the profiles cannot be written to ${env.FORGECTL_CONFIG_DIR}`);
    expect(stderr).toContain("FORGECTL_CONFIG_DIR");
  });
});

test("another address: what the profile keeps of the old instance is named, with the line that removes it", async () => {
  const shell = session();
  const set = (line: string) => shell.run(...words(`profiles set work ${line}`));
  const [old, now] = ["https://old.example.com", "https://new.example.com"];
  expect((await set(`base-url=${old} project=7 registry-url=${old} read-only=true`)).stderr).toBe("");
  expect((await shell.run("profiles", "set", "work", "token-command=echo x")).stderr).toBe("");
  const moved = await set(`base-url=${now} registry-url=${now}`);
  const removes = "forgectl profiles unset work project token-command";
  expect([moved.code, moved.stderr]).toEqual([
    0,
    `warning: profile work keeps the project, token-command of ${old}; unless that holds for ${now}: ${removes}\n`,
  ]);
  // Another scheme or spelling is the same instance, and what is typed is for the new one.
  expect((await set("base-url=http://new.example.com/")).stderr).toBe("");
  expect((await shell.run(...words(removes).slice(1))).code).toBe(0);
  expect((await set(`base-url=${old} registry-url=${old}`)).stderr).toBe("");
});
