import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "rolldown";
import { describe, expect, onTestFinished, test } from "vitest";
import { nodeHolder } from "../../../src/node/holder.ts";
import { nodeProcesses } from "../../../src/node/processes.ts";

const processes = nodeProcesses({ PATH: process.env.PATH, GREETING: "hello" }, tmpdir());
const node = process.execPath;

test("a program's output and exit code; its arguments do not pass through a shell", async () => {
  const script = "console.log(process.argv[1]); console.error('noise'); process.exitCode = 3";
  expect(await processes.run([node, "-e", script, "$HOME; echo x"])).toEqual({
    code: 3,
    stdout: "$HOME; echo x\n",
    stderr: "noise\n",
  });
});

test("a line in the shell", async () => {
  const result = await processes.shell("cat | tr a-z A-Z; pwd; exit 4", { input: "abc\n" });
  expect(result).toEqual({ code: 4, stdout: `ABC\n${tmpdir()}\n`, stderr: "" });
});

test("without input stdin is empty, and there is no wait", async () => {
  expect(await processes.shell("cat")).toEqual({ code: 0, stdout: "", stderr: "" });
});

test("unread input is not an error", async () => {
  expect((await processes.shell("exit 0", { input: "x".repeat(1_000_000) })).code).toBe(0);
});

test("the environment is the given one, with the run's own variables added", async () => {
  const line = 'echo "$GREETING $NAME $HOME"';
  expect((await processes.shell(line)).stdout).toBe("hello  \n");
  expect((await processes.shell(line, { env: { NAME: "you", GREETING: undefined } })).stdout).toBe(" you \n");
});

test("on Windows, the shell finds programs in PATH alone, and not in the current folder", async () => {
  const line = 'echo "$NoDefaultCurrentDirectoryInExePath"';
  expect((await processes.shell(line)).stdout).toBe("\n");
  const { platform } = process;
  const { comspec } = process.env;
  onTestFinished(() => {
    Object.defineProperty(process, "platform", { value: platform });
    if (comspec === undefined) delete process.env.comspec;
    else process.env.comspec = comspec;
  });
  process.env.comspec = "/bin/sh";
  Object.defineProperty(process, "platform", { value: "win32" });
  expect((await processes.shell(line)).stdout).toBe("1\n");
});

test("a program ended by a signal", async () => {
  expect((await processes.shell("kill -KILL $$")).code).toBe(137);
  expect((await processes.shell("kill -INT $$")).code).toBe(130);
});

test("a program that cannot be started is a usage error", async () => {
  await expect(processes.run(["forgectl-no-such-program"])).rejects.toMatchObject({
    exit: "usage",
    message: "cannot run forgectl-no-such-program",
    details: { reason: "program not found" },
  });
  await expect(processes.run(["/etc/passwd"])).rejects.toMatchObject({ details: { reason: "permission denied" } });
  await expect(processes.run([])).rejects.toMatchObject({ exit: "usage" });
});

describe("what a command leaves running", () => {
  test.each([
    ["holds its stdout", "sleep 20 & echo token"],
    ["holds its stderr, as ssh with ControlPersist does", "sleep 20 >/dev/null & echo token"],
  ])("%s: is not waited for", async (_, line) => {
    const started = Date.now();
    expect(await processes.shell(line)).toEqual({ code: 0, stdout: "token\n", stderr: "" });
    expect(Date.now() - started).toBeLessThan(10_000);
  });
  test("what it wrote before it ended is complete, also behind a reader that is held up", async () => {
    const result = processes.shell("sleep 20 & head -c 60000 /dev/zero | tr '\\0' x");
    await new Promise((done) => setTimeout(done, 20));
    const until = Date.now() + 2500;
    while (Date.now() < until);
    expect((await result).stdout).toHaveLength(60_000);
  });
  test("writes without end", async () => {
    const started = Date.now();
    expect((await processes.shell("yes; true")).code).toBe(137);
    expect(Date.now() - started).toBeLessThan(15_000);
  }, 30_000);
});

describe("an abort", () => {
  test("ends the program, and does not wait for its children", async () => {
    const stop = new AbortController();
    const started = Date.now();
    const ready = join(await mkdtemp(join(tmpdir(), "forgectl-abort-")), "ready");
    onTestFinished(() => rm(dirname(ready), { recursive: true, force: true }));
    const result = processes.shell(`sleep 20 & echo >'${ready}'; sleep 20`, { signal: stop.signal });
    await expect.poll(() => existsSync(ready)).toBe(true);
    stop.abort();
    expect((await result).code).toBe(143);
    expect(Date.now() - started).toBeLessThan(10_000);
  });
  test("from before it started", async () => {
    expect((await processes.shell("sleep 20", { signal: AbortSignal.abort() })).code).toBe(143);
  });
});

test("with inherit, signals are passed on and the command is waited for", async () => {
  const folder = await mkdtemp(join(tmpdir(), "forgectl-inherit-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const entry = join(folder, "entry.ts");
  const source = join(import.meta.dirname, "../../../src/node/processes.ts");
  await writeFile(
    entry,
    `import { nodeProcesses } from ${JSON.stringify(source)};
     const line = 'trap "echo told; exit 7" TERM; echo ready; while :; do sleep 0.05; done';
     void nodeProcesses(process.env, "/").run(["/bin/sh", "-c", line], { stdio: "inherit" })
       .then(({ code }) => console.log("code " + code));`,
  );
  await build({ input: entry, platform: "node", output: { dir: folder, format: "cjs" }, logLevel: "silent" });
  const child = spawn(node, [join(folder, "entry.js")], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
    if (output === "ready\n") child.kill("SIGTERM");
  });
  await once(child, "close");
  expect(output).toBe("ready\ntold\ncode 7\n");
  expect(child.exitCode).toBe(0);
});

describe("the holder of a lock", () => {
  const holder = nodeHolder();
  test("this process is alive; one that ended is not", async () => {
    expect(holder.alive(holder.name)).toBe(true);
    const child = spawn(node, ["-e", "0"]);
    const name = holder.name.replace(/^\d+:\w+/, `${child.pid}:?`);
    expect(holder.alive(name)).toBe(true);
    await once(child, "exit");
    expect(holder.alive(name)).toBe(false);
  });
  test.runIf(process.platform === "linux")("a reused ID is another process", () => {
    expect(holder.alive(holder.name.replace(/:\d+@/, ":1@"))).toBe(false);
  });
  test.runIf(process.platform === "linux")("a zombie process is dead", async () => {
    // The shell becomes a program that never reaps its child.
    const parent = spawn("/bin/sh", ["-c", "sleep 0 & echo $!; exec sleep 20"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    onTestFinished(() => void parent.kill());
    const [id] = (await once(parent.stdout, "data")) as [Buffer];
    const name = holder.name.replace(/^\d+:\w+/, `${String(id).trim()}:?`);
    await expect.poll(() => holder.alive(name), { timeout: 5000 }).toBe(false);
  });
  test("the state of another machine's processes is unknown", () => {
    expect(holder.alive("1:1@another-machine")).toBe(true);
    expect(holder.alive("nonsense")).toBe(true);
  });
});
