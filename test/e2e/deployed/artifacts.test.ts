import { expect, test } from "vitest";
import { alteringSession } from "../../support/altering-proxy.ts";
import { sandboxSession } from "../../support/session.ts";

test("artifacts-of-recent-pipelines: --search-recent finds what the latest pipeline lacks", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  const cat = (...more: string[]) => run(..."artifacts cat VERSION -p 7 --ref main --job build".split(" "), ...more);
  // The latest pipeline's own jobs, and those of its child pipeline.
  expect((await run(..."artifacts delete 1000 1003 -p 7 --yes".split(" "))).code).toBe(0);
  expect((await cat()).code).toBe(3);
  expect(await cat("--search-recent")).toMatchObject({ code: 0, stdout: "1.1.0-again\n" });
  const { code, stderr } = await run(..."artifacts download -p 7 --job-id 1000 --search-recent".split(" "));
  expect([code, stderr.split("\n")[0]]).toEqual([2, "error: --search-recent needs --ref and --job"]);
});

test("artifacts-not-found: a missing pipeline, job, and file have different errors", async () => {
  const { run } = await sandboxSession({ asDeployed: true, as: "maintainer" });
  const cat = async (...words: string[]) => (await run("artifacts", "cat", "nope", "-p", "7", ...words)).stderr;
  expect(await cat("--ref", "main", "--job", "build")).toMatch(/^error: nope is not in the artifacts of job build of/);
  expect(await cat("--ref", "main", "--job", "biuld")).toMatch(
    /^error: the latest successful pipeline of main \(\d+\) has no job biuld .*\ncause: its own jobs: .*\bbuild\b/,
  );
  expect(await cat("--ref", "main", "--job", "biuld")).toMatch(/^try: {3}did you mean --job build\?$/m);
  expect(await cat("--ref", "nobranch", "--job", "build")).toMatch(/^error: nobranch has no successful pipeline /);
  expect(await cat("--job-id", "424242")).toMatch(/^error: job 424242 has no artifacts here, or does not exist /);
  expect((await run(..."artifacts delete 1000 1003 -p 7 --yes".split(" "))).code).toBe(0);
  expect(await cat("--job-id", "1000")).toMatch(/^error: job 1000 \(build of \S+, success\) has no artifacts /);
  const download = await run(..."artifacts download -p 7 --ref nobranch --job build".split(" "));
  expect([download.code, download.stderr.split(" (")[0]]).toEqual([3, "error: nobranch has no successful pipeline"]);
});

test.each(["data/raw/x.yml", "raw/x.yml", "dist/download"])(
  "raw-in-artifacts: %s is read from the ref that was typed",
  async (path) => {
    const { run, seen } = await alteringSession(() => undefined, { asDeployed: true });
    // Of a tag that anybody may push the file would be there.
    const { code, stdout, stderr } = await run("artifacts", "cat", path, ..."-p 7 --ref main --job build".split(" "));
    expect([code, stdout, stderr]).toEqual([
      3,
      "",
      expect.stringContaining(`${path} is not in the artifacts of job build`),
    ]);
    const sent = seen.filter((each) => each.includes("/raw/"));
    expect(sent).toEqual([expect.stringContaining(`/jobs/artifacts/main/raw/${encodeURIComponent(path)} 404`)]);
  },
);

test.each(["download", "download.zip"])("raw-in-artifacts: %s without a folder is refused", async (path) => {
  const { run } = await sandboxSession({ asDeployed: true });
  const { code, stderr } = await run("artifacts", "cat", path, ..."-p 7 --ref main --job build".split(" "));
  expect([code, stderr]).toEqual([2, expect.stringContaining("with --job-id")]);
});

test("artifacts-while-counted: a postponed deletion says to try again shortly, and is retryable", async () => {
  const { run } = await sandboxSession({ asDeployed: true, minuteMs: 3_600_000 });
  expect((await run(..."artifacts purge -p 7 --yes".split(" "))).code).toBe(0);
  for (const [line, exit] of [
    ["artifacts purge -p 7 --yes -o json", 6],
    ["artifacts delete 1000 -p 7 --yes -o json", 6],
  ] as const) {
    const { code, stdout, stderr } = await run(...line.split(" "));
    expect([line, code, stdout + stderr]).toEqual([line, exit, expect.stringContaining("undergoing stats refresh")]);
    const { error } = JSON.parse(stderr);
    expect([line, error.hint, error.retryable]).toEqual([line, "try again shortly", true]);
  }
});

test("job-as-an-object: the printed object is not shown", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  expect((await run(..."artifacts delete 1000 -p 7 --yes".split(" "))).code).toBe(0);
  const { code, stderr } = await run(..."artifacts keep 1000 -p 7".split(" "));
  expect([code, stderr]).toEqual([3, expect.not.stringContaining("#<")]);
});

test("artifacts-tree: a file of that name is not confused with a list of the archive", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  const route = await run(..."api projects/7/jobs/1000/artifacts/tree --jq map(.name)".split(" "));
  expect(JSON.parse(route.stdout)).toContain("VERSION");
  const { code, stdout, stderr } = await run(..."artifacts cat tree -p 7 --job-id 1000".split(" "));
  expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining("artifacts download -p 7 --extract")]);
  // By ref, the route is another one.
  expect((await run(..."artifacts cat tree -p 7 --ref main --job build".split(" "))).code).toBe(3);
});

test("purge-takes-kept: the question and the help say that what was kept is deleted too", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  const line = (text: string) => run(...text.split(" "));
  const said = "artifacts keep has kept";
  expect((await line("artifacts keep 992 -p 7")).code).toBe(0);
  const asked = await line("artifacts purge -p 7");
  expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining(said)]);
  expect((await line("artifacts purge --help")).stdout.replace(/\s+/g, " ")).toContain(said);
  expect((await line("artifacts purge -p 7 --yes")).code).toBe(0);
  const left = async () => (await line("artifacts download -p 7 --job-id 992 -O /dev/null")).code;
  await expect.poll(left, { timeout: 10_000 }).not.toBe(0);
});
