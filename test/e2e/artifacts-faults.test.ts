import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, test } from "vitest";
import { atEnd } from "../support/ending.ts";
import { startSandbox } from "../support/sandbox.ts";
import { binary, type Session as CommandSession, sandboxSession, session } from "../support/session.ts";

type Session = Awaited<ReturnType<typeof sandboxSession>>;

let user: Session;
beforeAll(async () => {
  user = await sandboxSession({ as: "maintainer" });
});

const jobs = "/api/v4/projects/7/jobs";

test("on the hosted offering a file comes from another origin, which does not get the token", async () => {
  const traced: string[] = [];
  const sandbox = await startSandbox({ hosting: "hosted", log: (line) => traced.push(line) });
  atEnd(() => sandbox.close());
  const hosted = session({ FORGECTL_BASE_URL: sandbox.url, FORGECTL_TOKEN: sandbox.tokens.developer });
  const { code, stderr } = await hosted.run(..."artifacts download -p 7 --ref main --job test --debug".split(" "));
  expect([code, traced.map((line) => line.split(" ").slice(0, 3).join(" "))]).toEqual([
    0,
    [`GET ${jobs}/artifacts/main/download 302`, expect.stringMatching(/^GET \/cdn\/b\d+ 200$/)],
  ]);
  expect(stderr).toMatch(/signature=\[redacted\]/);
});

describe("a download with failures", () => {
  const faulty = async (faults: string) => {
    const sandbox = await startSandbox({ faults });
    atEnd(() => sandbox.close());
    return session({ FORGECTL_BASE_URL: sandbox.url, FORGECTL_TOKEN: sandbox.tokens.developer });
  };
  const traces = "artifacts download -p 7 --job-id 1002 -O t.zip".split(" ");

  test("resumes where the connection broke", async () => {
    const { run, home } = await faulty("GET /projects/7/jobs/1002/artifacts=truncate*2");
    const { code, stdout, stderr } = await run(...traces);
    const size = statSync(join(home, "t.zip")).size;
    expect([code, stdout]).toEqual([0, `file\tsize\nt.zip\t${size}\n`]);
    expect(stderr).toMatch(/^(?:the connection broke after \d+ KiB; resuming from there\n){2}$/);
    expect(readdirSync(home)).toEqual(["t.zip"]);
    const whole = await user.run(...traces);
    expect(whole.code).toBe(0);
    const digest = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");
    expect(digest(join(home, "t.zip"))).toBe(digest(join(user.home, "t.zip")));
  });

  /** Runs a command until part of the file has been written, and then ends it. */
  async function endedHalfway(job: CommandSession, words: readonly string[], signal: NodeJS.Signals) {
    const before = sizes(job.home);
    const child = spawn(process.execPath, [binary, ...words], { cwd: job.home, env: job.env as NodeJS.ProcessEnv });
    const stderr = text(child.stderr);
    const ended = once(child, "close");
    await expect.poll(() => sizes(job.home), { timeout: 20_000 }).toBeGreaterThan(before);
    child.kill(signal);
    const [code] = (await ended) as [number | null];
    return { code, stderr: await stderr };
  }

  const sizes = (folder: string) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".part"))
      .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

  test("after an interruption or a kill, the old file remains, and the next run resumes", async () => {
    const job = await faulty("GET /projects/7/jobs/1002/artifacts=slow:ms=6000*2");
    const { run, home } = job;
    writeFileSync(join(home, "t.zip"), "old");
    const first = await endedHalfway(job, traces, "SIGINT");
    expect([first.code, first.stderr]).toEqual([
      130,
      expect.stringMatching(/^kept [\d.]+ KiB in \.forgectl-.*\.part; the same command resumes from there\n/),
    ]);
    expect(readFileSync(join(home, "t.zip"), "utf8")).toBe("old");
    expect(readdirSync(home)).toHaveLength(3);
    const killed = await endedHalfway(job, traces, "SIGKILL");
    expect(killed.code).toBe(null);
    expect(readFileSync(join(home, "t.zip"), "utf8")).toBe("old");
    const { code, stderr } = await run(...traces);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^resuming from [\d.]+ KiB of an earlier run\n$/)]);
    expect(readdirSync(home)).toEqual(["t.zip"]);
  });

  test("the next run removes what a killed run left while unpacking", async () => {
    const job = await faulty("GET /projects/7/jobs/1002/artifacts=slow:ms=6000*1");
    const line = "artifacts download -p 7 --job-id 1002 --extract out".split(" ");
    mkdirSync(join(job.home, "out"));
    writeFileSync(join(job.home, "out/.forgectl-0.extract.json"), "somebody else's");
    const leftIn = () => readdirSync(join(job.home, "out")).filter((name) => /\.extract($|\.json$)/.test(name));
    const child = spawn(process.execPath, [binary, ...line], {
      cwd: job.home,
      env: job.env as NodeJS.ProcessEnv,
      stdio: "ignore",
    });
    const ended = once(child, "close");
    await expect.poll(() => leftIn().length, { timeout: 20_000 }).toBe(3);
    // The files of a live run are kept.
    expect((await job.run("artifacts", "download", "-p", "7", "--job-id", "1000", "--extract", "out")).code).toBe(0);
    expect(leftIn()).toHaveLength(3);
    child.kill("SIGKILL");
    await ended;
    expect((await job.run(...line)).code).toBe(0);
    expect(leftIn()).toEqual([".forgectl-0.extract.json"]);
  });
});

// A small separate disk, in a namespace that ends with the command.
const hasNamespaces = spawnSync("unshare", ["-Urm", "true"]).status === 0;
if (!hasNamespaces) process.stderr.write("SKIPPED: full disks, since unshare -Urm is not possible here\n");

describe.skipIf(!hasNamespaces)("on a full disk", () => {
  async function inSmallDisk(script: string, line: string): Promise<{ stdout: string; stderr: string }> {
    const shell =
      "mkdir -p disk && mount -t tmpfs -o size=300k none disk && cd disk && " +
      `${script}; echo "exit $?"; cat old out/old 2>/dev/null; ls -A`;
    const words = ["-Urm", "sh", "-c", shell, "sh", process.execPath, binary, ...line.split(" ")];
    const child = spawn("unshare", words, { cwd: user.home, env: user.env as NodeJS.ProcessEnv });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { stdout, stderr };
  }

  test("the old file is unchanged, and the temporary one is removed", async () => {
    const { stdout, stderr } = await inSmallDisk(
      'echo old > old; "$@"',
      "artifacts download -p 7 --job-id 1002 -O old",
    );
    expect(stdout).toBe("exit 12\nold\nold\n");
    expect(stderr).toMatch(
      /^error: old could not be written in full\ncause: ENOSPC: no space left on device, writev?\ntry: {3}free some space, then/,
    );
  });

  test("nothing is extracted", async () => {
    const { stdout, stderr } = await inSmallDisk(
      'mkdir out; echo old > out/old; "$@"',
      "artifacts download -p 7 --job-id 1002 --extract out -O ../traces.zip",
    );
    expect([stdout, stderr]).toEqual([
      "exit 12\nold\nout\n",
      expect.stringMatching(/^error: the archive was not extracted: not enough disk space\n/),
    ]);
  });

  test("a move that fails halfway is undone", async () => {
    const { stdout, stderr } = await inSmallDisk(
      'mkdir -p out/dist; echo mine > out/VERSION; echo old > out/old; mount -t tmpfs none out/dist; "$@"; status=$?; cat out/VERSION; find out | sort; (exit $status)',
      "artifacts download -p 7 --job-id 1000 --extract out",
    );
    expect(stdout).toBe("mine\nout\nout/VERSION\nout/dist\nout/old\nexit 12\nold\nout\n");
    expect(stderr).toMatch(/^error: nothing was extracted to .*\ncause: EXDEV/);
  });
});
