import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { requestsIn, sandboxSession, session } from "../support/session.ts";

type Session = Awaited<ReturnType<typeof sandboxSession>>;

const log: string[] = [];
let user: Session;
beforeAll(async () => {
  user = await sandboxSession({ as: "maintainer", log: (line) => log.push(line) });
});
beforeEach(() => {
  log.length = 0;
});

const run = (line: string) => user.run(...line.split(" "));
const requests = () => requestsIn(log);
const home = (name: string) => join(user.home, name);
const names = (folder: string) => (readdirSync(home(folder), { recursive: true }) as string[]).sort();
const jobs = "/api/v4/projects/7/jobs";

describe("artifacts download", () => {
  test("by job, by ref, and to stdout", async () => {
    const { stdout } = await run("artifacts download -p 7 --job-id 1000");
    const archive = readFileSync(home("artifacts.zip"));
    expect(stdout).toBe(`file\tsize\nartifacts.zip\t${archive.length}\n`);
    expect(archive.subarray(0, 2).toString()).toBe("PK");
    await run("artifacts download -p 7 --ref main --job build -O by-ref.zip");
    expect(readFileSync(home("by-ref.zip")).equals(archive)).toBe(true);
    expect((await run("artifacts download -p 7 --ref feature/checkout --job build -O -")).stdout).toMatch(/^PK/);
    expect(requests()).toEqual([
      `GET ${jobs}/1000/artifacts 200`,
      `GET ${jobs}/artifacts/main/download 200`,
      `GET ${jobs}/artifacts/feature%2Fcheckout/download 200`,
    ]);
  });

  test("--extract unpacks into a new folder or over an existing one", async () => {
    const files = ["VERSION", "bin", "bin/serve", "dist", "dist/app.js", "dist/assets", "dist/assets/prices in €.json"];
    const { stdout } = await run("artifacts download -p 7 --ref main --job build --extract site");
    expect(stdout).toBe("folder\tfiles\tsize\nsite\t5\t156\n");
    expect(names("site")).toEqual([...files, "dist/index.html"]);
    expect([statSync(home("site/bin/serve")).mode & 0o100, statSync(home("site/VERSION")).mode & 0o111]).toEqual([
      0o100, 0,
    ]);
    writeFileSync(home("site/VERSION"), "old");
    writeFileSync(home("site/kept"), "kept");
    expect((await run("artifacts download -p 7 --ref main --job build --extract site -O saved.zip")).code).toBe(0);
    expect(names("site")).toEqual([...files, "dist/index.html", "kept"]);
    expect([readFileSync(home("site/VERSION"), "utf8"), existsSync(home("saved.zip"))]).toEqual(["1.1.1\n", true]);
  });

  test("--extract into this folder leaves nothing else in it", async () => {
    mkdirSync(home("here"));
    const { code } = await user.run(..."artifacts download -p 7 --job-id 1000 --extract .".split(" "), {
      cwd: home("here"),
    });
    expect([code, readdirSync(home("here")).sort()]).toEqual([0, ["VERSION", "bin", "dist"]]);
  });

  test.each([
    ["", "missing --job-id <job-id>, or --ref <branch|tag> with --job <name>"],
    ["--job-id 1000 --ref main --job build", "give only one of --job-id, and --ref with --job"],
    ["--job-id 1000 --job build", "give only one of --job-id, and --ref with --job"],
    ["--ref main", "missing --job <name>"],
    ["--job build", "missing --ref <branch|tag>"],
    ["--ref HEAD --job build", "--ref: must be a branch or a tag, not HEAD"],
    [`--ref ${"0a".repeat(20)} --job build`, "--ref: must be a branch or a tag, not a commit"],
    ["--job-id seven", '--job-id: must be an ID (a whole number) of at least 1, not "seven"'],
    ["--job-id 1000 --extract file/such", "--extract: file is not a folder"],
    ["--job-id 1000 --extract file", "--extract: file is not a folder"],
    // An unset variable in a script must not mean the current folder.
    ["--job-id 1000 --extract ", "--extract: is empty"],
    ["--job-id 1000 -O ", "--output-file: is empty"],
    ["--ref main --job ", "--job: is empty"],
    ["--job-id 1000 --extract x -O -", "--extract unpacks a file: leave out -O -"],
    ["--job-id 1000 -O pipe", "pipe is a pipe or a device, not a file"],
    ["--job-id 1000 -O file/such.zip", "file is not a folder"],
    ["--job-id 1000 --job-token-query", "--job-token-query: no job token was found"],
  ])("%j is refused before anything is sent", async (flags, message) => {
    writeFileSync(home("file"), "");
    if (flags.includes("pipe")) execFileSync("mkfifo", [home("pipe")]);
    const { code, stderr } = await run(`artifacts download -p 7${flags && ` ${flags}`}`);
    expect([code, stderr.split("\n")[0], requests()]).toEqual([2, `error: ${message}`, []]);
  });

  const expired = "they may have expired or been deleted, or the job has none";
  const noRef = "--ref takes the full name of a branch or tag, not a commit; --job-id takes any job";

  test.each([
    ["a job without artifacts", "--job-id 1001", "job 1001 (deploy of main, running) has no artifacts", expired],
    ["a job whose artifacts expired", "--job-id 990", "job 990 (build of main, success) has no artifacts", expired],
    [
      "a job that does not exist",
      "--job-id 77",
      "could not download the artifacts of a job",
      `its artifacts${expired.slice(4)}`,
    ],
    ["a ref that does not exist", "--ref nope --job build", "nope has no successful pipeline", noRef],
    [
      "a job without artifacts in that pipeline",
      "--ref main --job lint",
      "job lint of main has no artifacts in the latest successful pipeline of main (504)",
      expired,
    ],
    ["a ref that is an abbreviated commit", "--ref 3fa9c1d --job build", "3fa9c1d has no successful pipeline", noRef],
  ])("%s is not found, and the error names what is missing", async (_, selector, message, hint) => {
    const { code, stderr } = await run(`artifacts download -p 7 ${selector} --force`);
    expect([code, stderr.split(" (GET")[0]]).toEqual([3, `error: ${message}`]);
    expect(stderr).toContain(`\ntry:   ${hint}\n`);
  });
});

describe("artifacts cat", () => {
  test("one file, by job and by ref; the latest pipeline is used, not the latest job", async () => {
    expect((await run("artifacts cat VERSION -p 7 --job-id 997")).stdout).toBe("1.1.0-again\n");
    expect((await run("artifacts cat VERSION -p 7 --ref main --job build")).stdout).toBe("1.1.1\n");
    expect(
      (await user.run("artifacts", "cat", "dist/assets/prices in €.json", ..."-p 7 --ref main --job build".split(" ")))
        .stdout,
    ).toBe('{"currency":"EUR"}\n');
    expect(requests()).toEqual([
      `GET ${jobs}/997/artifacts/VERSION 200`,
      `GET ${jobs}/artifacts/main/raw/VERSION 200`,
      `GET ${jobs}/artifacts/main/raw/dist/assets/prices%20in%20%E2%82%AC.json 200`,
    ]);
  });

  test("a job of a child pipeline is found if the parent has none with that name", async () => {
    const { stdout } = await run("artifacts cat storefront.bin -p 7 --ref main --job package -O package.bin");
    expect(stdout).toBe("file\tsize\npackage.bin\t50000\n");
  });

  test.each([
    ["nope -p 7 --job-id 1000", "nope is not in the artifacts of job 1000"],
    ["nope -p 7 --ref main --job build", "nope is not in the artifacts of job build of main"],
    ["VERSION -p 7 --job-id 1001", "job 1001 (deploy of main, running) has no artifacts"],
    [
      "VERSION -p 7 --ref main --job lint",
      "job lint of main has no artifacts in the latest successful pipeline of main (504)",
    ],
    ["VERSION -p 7 --ref nope --job build", "nope has no successful pipeline"],
  ])("%s: the error names what is missing", async (line, message) => {
    const { code, stdout, stderr } = await run(`artifacts cat ${line}`);
    expect([code, stdout, stderr.split(" (GET")[0]]).toEqual([3, "", `error: ${message}`]);
    expect(stderr).toContain("\ntry:   ");
    requests();
  });

  test.each(["../VERSION", "/VERSION", "dist/../VERSION", "dist//app.js", "dist/", "."])(
    "%s is refused before anything is sent",
    async (path) => {
      const { code, stderr } = await run(`artifacts cat ${path} -p 7 --job-id 1000`);
      expect([code, stderr, requests()]).toEqual([
        2,
        expect.stringContaining(`"${path}" is not a path inside an archive`),
        [],
      ]);
    },
  );
});

describe("artifacts keep, delete, purge", () => {
  test("keep prints the job", async () => {
    const { stdout } = await user.as("developer").run(..."artifacts keep 1005 -p 7 -o json".split(" "));
    expect(JSON.parse(stdout)).toMatchObject({
      id: 1005,
      name: "build",
      ref: "feature/checkout",
      artifacts: [{ file_type: "archive", filename: "artifacts.zip" }],
    });
    expect((await run("artifacts keep 1001 -p 7")).code).toBe(3);
  });

  test("keep is not done if the answer shows that the artifacts still expire", async () => {
    const expiring = await alteringSession(({ method, body }) =>
      method === "POST"
        ? { body: { ...(body as object), artifacts_expire_at: "2031-01-01T00:00:00.000Z" } }
        : undefined,
    );
    const { code, stdout, stderr } = await expiring.run(..."artifacts keep 992 -p 7 -o json".split(" "));
    expect([code, JSON.parse(stdout).id, JSON.parse(stderr).error.outcome]).toEqual([9, 992, "not_taken"]);
  });

  test("delete asks, accepts several, and reports each", async () => {
    const asked = await run("artifacts delete 992 -p 7");
    expect([asked.code, asked.stderr.split("\n")[0], requests()]).toEqual([
      2,
      "error: this would delete the artifacts of job 992 (project 7), and needs confirmation",
      [],
    ]);
    const { code, stdout } = await run("artifacts delete 992 77 993 -p 7 --yes");
    expect([code, stdout]).toEqual([
      9,
      "job_id\tstatus\terror\n992\tdeleted\t\n77\trefused\tnot found, or not visible to this token\n993\tdeleted\t\n",
    ]);
    expect((await run("artifacts download -p 7 --job-id 992 --force")).code).toBe(3);
    expect((await user.as("developer").run(..."artifacts delete 1000 -p 7 --yes".split(" "))).code).toBe(5);
  });

  test("purge asks, and says that the files are deleted later", async () => {
    const asked = await run("artifacts purge -p 7");
    expect([asked.code, requests()]).toEqual([2, []]);
    const { stdout, stderr } = await run("artifacts purge -p 7 --yes");
    expect(stdout).toBe("project\tstatus\n7\tscheduled\n");
    expect(stderr).toBe("scheduled; the platform removes the files in the background, which may take a moment\n");
    await expect
      .poll(async () => (await run("artifacts download -p 7 --job-id 994 -O gone.zip")).code, { timeout: 10_000 })
      .toBe(3);
    // The artifacts of a ref's latest success are not deleted, nor those that are marked to be kept.
    for (const id of [1000, 1004, 1005, 1006]) {
      expect([id, (await run(`artifacts download -p 7 --job-id ${id} -O there.zip`)).code]).toEqual([id, 0]);
    }
  });
});

describe("in a CI job", () => {
  const inJob = () =>
    session({
      CI: "true",
      CI_PROJECT_ID: "7",
      CI_SERVER_URL: user.sandbox.url,
      CI_JOB_TOKEN: user.sandbox.tokens.jobToken,
    });

  test("works in the job's own project without any settings", async () => {
    const job = inJob();
    expect((await job.run(..."artifacts download --ref main --job build".split(" "))).code).toBe(0);
    expect((await job.run(..."artifacts cat VERSION --job-id 1000".split(" "))).stdout).toBe("1.1.1\n");
  });

  test("--job-token-query sends the token only in the query, and never shows it", async () => {
    const words = "artifacts cat VERSION -p 7 --job-id 1000 --job-token-query --debug".split(" ");
    const { stdout, stderr } = await user.run(...words, { env: { FORGECTL_JOB_TOKEN: user.sandbox.tokens.jobToken } });
    expect(stdout).toBe("1.1.1\n");
    expect(stderr).toContain("/artifacts/VERSION?job_token=[redacted]");
    expect(stderr).not.toContain(user.sandbox.tokens.jobToken);
    expect(stderr).not.toMatch(/(?:private|job)-token:/);
  });

  test("an expired job token: the error says when one is accepted", async () => {
    const over = session({ FORGECTL_BASE_URL: user.sandbox.url, FORGECTL_JOB_TOKEN: "over" });
    const words = "artifacts download -p 7 --job-id 1000".split(" ");
    for (const flags of [[], ["--job-token-query"]]) {
      const { code, stderr } = await over.run(...words, ...flags);
      expect([code, stderr]).toEqual([
        4,
        expect.stringContaining("try:   a job token is accepted only while its job runs"),
      ]);
    }
  });

  test("the error says what job tokens cannot do", async () => {
    const { code, stderr } = await inJob().run(..."artifacts delete 1000 --yes".split(" "));
    expect([code, stderr]).toEqual([
      4,
      expect.stringContaining("try:   job tokens are not accepted here; set an access token in FORGECTL_TOKEN"),
    ]);
  });
});
