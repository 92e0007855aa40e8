import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { requestsIn, sandboxSession } from "../support/session.ts";

type Session = Awaited<ReturnType<typeof sandboxSession>>;

const log: string[] = [];
let dev: Session;
beforeAll(async () => {
  dev = await sandboxSession({ as: "developer", log: (line) => log.push(line) });
});

/** Words are divided at spaces; `_` in a word represents one. */
const words = (line: string) => line.split(" ").map((word) => word.replaceAll("_", " "));
const run = (line: string) => dev.run(...words(line));
const json = async (line: string) => JSON.parse((await run(`${line} -o json`)).stdout);
const requests = () => requestsIn(log);
const at = (path: string) => `/api/v4/projects/7/repository/files/${encodeURIComponent(path)}`;
const home = (name: string) => join(dev.home, name);

describe("files create, update, delete", () => {
  test("text, binary content, and the executable flag", async () => {
    writeFileSync(home("run.sh"), Buffer.from([0x23, 0xff, 0x0a]));
    requests();
    const made = await run(
      "files create bin/run.sh -p 7 -b main -m Add_it --from run.sh --executable --author-name Ada --author-email ada@example.com",
    );
    expect(made.stdout).toBe("file_path\tbranch\nbin/run.sh\tmain\n");
    expect(requests()).toEqual([`HEAD ${at("bin/run.sh")} 404`, `POST ${at("bin/run.sh")} 201`]);
    expect(await json("files get bin/run.sh -p 7 --ref main")).toMatchObject({
      content: "I/8K",
      execute_filemode: true,
    });
    expect(await json("files blame bin/run.sh -p 7 --ref main")).toMatchObject([
      {
        commit: {
          author_name: "Ada",
          author_email: "ada@example.com",
          committer_name: "Dana Dixon",
          message: "Add it",
        },
      },
    ]);
    await dev.run(...words("files update bin/run.sh -p 7 -b main -m Text --from -"), { input: "täxt\n" });
    expect((await run("files cat bin/run.sh -p 7")).stdout).toBe("täxt\n");
    expect((await json("files stat bin/run.sh -p 7 --ref main")).execute_filemode).toBe(true);
    await run("files update bin/run.sh -p 7 -b main -m Still --content x --no-executable");
    expect((await json("files stat bin/run.sh -p 7 --ref main")).execute_filemode).toBe(false);
    const gone = await run("files delete bin/run.sh -p 7 -b main -m Remove --yes");
    expect(gone.stdout).toBe("file_path\tbranch\tstatus\nbin/run.sh\tmain\tdeleted\n");
    expect((await run("files cat bin/run.sh -p 7")).code).toBe(3);
  });

  test("the requests, as shown by a dry run", async () => {
    const planned = async (line: string) => (await json(`${line} --dry-run`))[0];
    const create = "files create n.md -p acme/storefront -b b -m m --start-branch main";
    expect(await planned(`${create} --content hi`)).toEqual({
      method: "POST",
      url: `${dev.sandbox.url}/api/v4/projects/acme%2Fstorefront/repository/files/n.md`,
      body: { branch: "b", commit_message: "m", content: "hi", start_branch: "main" },
    });
    expect((await planned(`${create} --content hi --encoding base64`)).body).toMatchObject({
      content: "aGk=",
      encoding: "base64",
    });
    const { last_commit_id: last } = await json("files stat README.md -p 7 --ref main");
    expect((await planned(`files delete README.md -p 7 -b main -m m --last-commit-id ${last}`)).url).toBe(
      `${dev.sandbox.url}${at("README.md")}?branch=main&commit_message=m&last_commit_id=${last}`,
    );
  });

  test("a new branch from another", async () => {
    expect((await run("files create x.md -p 7 -b topic/x -m x --content x --start-branch main")).code).toBe(0);
    expect((await run("files cat x.md -p 7 --ref topic/x")).stdout).toBe("x");
    const again = await run("files create y.md -p 7 -b topic/x -m x --content x --start-branch main");
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringContaining("cause: the branch topic/x exists\ntry:   leave out --start-branch to commit to it\n"),
    ]);
  });

  test.each([
    ["", "missing --content <text> or --from <file|->"],
    ["--content x --from y", "give only one of --content and --from"],
    ["--from missing", "the file missing does not exist"],
    ["--from ", "--from: is empty"],
    ["--from .", ". is a folder"],
    ["--from pipe", "pipe is a pipe or a device, not a file"],
    ["--from latin1 --encoding text", "--encoding text: the content is not UTF-8 text"],
  ])("content given with %j", async (flags, message) => {
    writeFileSync(home("latin1"), Buffer.from("süß", "latin1"));
    if (flags.includes("pipe")) execFileSync("mkfifo", [home("pipe")]);
    requests();
    const { code, stderr } = await run(`files create n.md -p 7 -b main -m m${flags && ` ${flags}`}`);
    expect([code, stderr.split("\n")[0], requests()]).toEqual([2, `error: ${message}`, []]);
  });

  test("a reporter may not write", async () => {
    const { code, stderr } = await dev.as("reporter").run(...words("files create n.md -p 7 -b main -m m --content x"));
    expect([code, stderr]).toEqual([5, expect.stringContaining("cause: usually this needs the Developer role\n")]);
  });

  test("a message too long for a URL is sent in the body", async () => {
    await run("files create long.md -p 7 -b main -m m --content x");
    const long = "A reason. ".repeat(3000).trim();
    const line = ["files", "delete", "long.md", "-p", "7", "-b", "main", "-m", long, "-o", "json"];
    const [planned] = JSON.parse((await dev.run(...line, "--dry-run")).stdout);
    expect(planned).toEqual({
      method: "DELETE",
      url: `${dev.sandbox.url}${at("long.md")}`,
      body: { branch: "main", commit_message: long },
    });
    requests();
    expect((await dev.run(...line, "--yes")).code).toBe(0);
    expect(requests()).toEqual([`HEAD ${at("long.md")} 200`, `DELETE ${at("long.md")} 204`]);
  });

  test("a delete asks first", async () => {
    requests();
    const { code, stderr } = await run("files delete README.md -p 7 -b main -m m");
    expect([code, stderr.split("\n")[0], requests()]).toEqual([
      2,
      "error: this would delete the file README.md on branch main of project 7, and needs confirmation",
      [],
    ]);
  });
});

describe("a refused commit", () => {
  const cause = async (line: string) => {
    const { code, stderr } = await run(line);
    return [code, /^cause: (.*)$/m.exec(stderr)?.[1]];
  };

  test("because it has no change", async () => {
    await run("files create same.md -p 7 -b main -m m --content same");
    const same = "same.md on main has exactly this content: the commit would be empty";
    expect(await cause("files update same.md -p 7 -b main -m m --content same")).toEqual([1, same]);
    expect(await cause("files create same.md -p 7 -b main -m m --content same")).toEqual([1, same]);
  });

  test("because the branch moved", async () => {
    await run("files create moved.md -p 7 -b main -m m --content 1");
    const { last_commit_id: seen } = await json("files stat moved.md -p 7 --ref main");
    await run("files update moved.md -p 7 -b main -m m --content 2");
    const { last_commit_id: now } = await json("files stat moved.md -p 7 --ref main");
    const reason = `the branch moved: the last commit of moved.md is now ${now}, not ${seen}`;
    expect(await cause(`files update moved.md -p 7 -b main -m m --content 3 --last-commit-id ${seen}`)).toEqual([
      6,
      reason,
    ]);
    // The same ID would be refused again.
    for (const line of [
      `files update moved.md -p 7 -b main -m m --content 3 --last-commit-id ${seen} -o json`,
      `files delete moved.md -p 7 -b main -m m -y --last-commit-id ${seen} -o json`,
    ]) {
      const { stderr } = await run(line);
      expect(JSON.parse(stderr).error).toMatchObject({ code: "branch_moved", retryable: false });
    }
    requests();
    const guarded = `files delete moved.md -p 7 -b main -m m -y --last-commit-id ${seen}`;
    expect(await cause(guarded)).toEqual([6, `${reason}`]);
    // Some instances ignore the guard of a deletion: the program checks it too.
    expect(requests()).toEqual([`HEAD ${at("moved.md")} 200`]);
    await run("files delete moved.md -p 7 -b main -m m -y");
    expect(await cause(`files update moved.md -p 7 -b main -m m --content 3 --last-commit-id ${now}`)).toEqual([
      6,
      "the branch moved: moved.md is no longer on main",
    ]);
  });

  test("because of what is on the branch, or not", async () => {
    expect(await cause("files create README.md -p 7 -b main -m m --content x")).toEqual([
      1,
      "main has a file README.md",
    ]);
    expect(await cause("files update none.md -p 7 -b main -m m --content x")).toEqual([
      3,
      "none.md does not exist on main",
    ]);
    const gone = await run("files delete gone.txt -p 7 -b main -m m -y -o json");
    expect([gone.code, JSON.parse(gone.stderr).error]).toEqual([
      3,
      expect.objectContaining({
        code: "no_such_file",
        message: expect.stringContaining("could not delete a file"),
        hint: "check path and branch",
        retryable: false,
      }),
    ]);
    for (const verb of ["create", "put", "update"]) {
      const { code, stderr } = await run(`files ${verb} n.md -p 7 -b nowhere -m m --content x`);
      expect([code, stderr]).toEqual([
        3,
        expect.stringContaining(
          "cause: the branch nowhere does not exist\n" +
            "try:   to create it from another branch, add --start-branch <branch>\n",
        ),
      ]);
    }
    for (const name of ["a..b", "x~1", ".x", "x.lock"]) {
      const { code, stderr } = await run(`files put n.md -p 7 -b ${name} -m m --content x`);
      expect([code, stderr]).toEqual([
        3,
        expect.stringMatching(/cannot be the name of a branch\ntry: {3}a name has no /),
      ]);
    }
    const tag = await run("files put README.md -p 7 -b v1.0.0 -m m --content other");
    expect([tag.code, tag.stderr]).toEqual([3, expect.stringContaining("cause: the branch v1.0.0 does not exist")]);
    expect(await cause("files create n.md -p 7 -b new -m m --content x --start-branch nowhere")).toEqual([
      3,
      "the branch nowhere does not exist",
    ]);
    expect(await cause("files update README.md -p 7 -b experiment -m m --content x --start-branch main")).toEqual([
      0,
      undefined,
    ]);
    expect(await cause("files update README.md -p 7 -b experiment -m m --content y --start-branch main")).toEqual([
      1,
      "the branch experiment exists",
    ]);
  });
});

describe("files put", () => {
  test("creates, updates what it read, and leaves unchanged content alone", async () => {
    requests();
    const put = async (flags: string) => {
      const { stdout } = await run(`files put put.md -p 7 -b main -m m ${flags} --no-header`);
      return [stdout.trim().split("\t")[2], ...requests().map((line) => line.replace(at("put.md"), "…"))];
    };
    expect(await put("--content 1")).toEqual(["created", "HEAD … 404", "POST … 201"]);
    expect(await put("--content 1")).toEqual(["unchanged", "HEAD … 200"]);
    expect(await put("--content 2")).toEqual(["updated", "HEAD … 200", "PUT … 200"]);
    expect(await put("--content 2 --executable")).toEqual(["updated", "HEAD … 200", "PUT … 200"]);
    expect(await put("--content 2 --executable")).toEqual(["unchanged", "HEAD … 200"]);
    const { last_commit_id } = await json("files stat put.md -p 7 --ref main");
    const [planned] = await json("files put put.md -p 7 -b main -m m --content 3 --dry-run");
    expect([planned.method, planned.body.last_commit_id]).toEqual(["PUT", last_commit_id]);
  });

  test("on a new branch, and again on the same", async () => {
    const line = "files put VERSION -p 7 -b release/2 --start-branch main -m m --no-header";
    expect((await run(`${line} --content 1`)).stdout).toBe("VERSION\trelease/2\tcreated\n");
    expect((await run(`${line} --content 2`)).stdout).toBe("VERSION\trelease/2\tupdated\n");
    expect((await run(`${line} --content 2`)).stdout).toBe("VERSION\trelease/2\tunchanged\n");
  });

  test("creates no branch for content that the start branch already has", async () => {
    await run("files put same.md -p 7 -b main -m m --content 1");
    requests();
    const put = (flags: string) => run(`files put same.md -p 7 -b topic/same --start-branch main -m m ${flags}`);
    const same = await put("--content 1");
    expect([same.code, same.stdout]).toEqual([0, "file_path\tbranch\tstatus\nsame.md\tmain\tunchanged\n"]);
    expect(same.stderr).toContain("main has this content, so topic/same is not created from it");
    expect(requests()).toEqual([`HEAD ${at("same.md")} 404`, `HEAD ${at("same.md")} 200`]);
    // A different mode is a change.
    expect((await put("--content 1 --executable")).stdout).toContain("same.md\ttopic/same\tupdated\n");
  });
});

describe("what a command that failed leaves in a pipe", () => {
  const where = "-p 7 -b main -m Piped";
  const piped = (line: string) => dev.run(...words(`${line} ${where} --from -`), { input: "" });

  test("does not empty a file that has content", async () => {
    await run(`files create piped.txt ${where} --content text`);
    requests();
    for (const verb of ["put", "update"]) {
      const { code, stderr } = await piped(`files ${verb} piped.txt`);
      expect([verb, code, stderr]).toEqual([
        verb,
        2,
        "error: --from: there is no content to write\n" +
          `try:   to empty the file, give it as --content ''\nsee:   forgectl files ${verb} --help\n`,
      ]);
    }
    expect(requests().filter((line) => !/^(?:GET|HEAD) /.test(line))).toEqual([]);
    expect((await run("files cat piped.txt -p 7")).stdout).toBe("text");
  });

  test("is an empty file where none is, or where it is empty already, or if a file is named", async () => {
    for (const [line, status] of [
      ["files create empty.txt", undefined],
      ["files put empty.txt", "unchanged"],
      ["files put empty-2.txt", "created"],
    ] as const) {
      const { code, stdout } = await piped(`${line} -o json`);
      expect([line, code, JSON.parse(stdout).status]).toEqual([line, 0, status]);
    }
    writeFileSync(home("nothing"), "");
    for (const [name, source] of Object.entries({ "full.txt": "nothing", "full-2.txt": "/dev/null" })) {
      await run(`files create ${name} ${where} --content text`);
      const named = await run(`files put ${name} ${where} --from ${source} -o json`);
      expect([source, named.code, JSON.parse(named.stdout).status]).toEqual([source, 0, "updated"]);
    }
  });
});
