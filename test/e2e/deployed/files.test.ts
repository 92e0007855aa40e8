import { beforeAll, expect, test } from "vitest";
import { requestsIn, sandboxSession } from "../../support/session.ts";

const log: string[] = [];
let instance: Awaited<ReturnType<typeof sandboxSession>>;
beforeAll(async () => {
  instance = await sandboxSession({ asDeployed: true, log: (line) => log.push(line) });
});

async function run(line: string, as?: "developer") {
  log.length = 0;
  const { run: type } = as === undefined ? instance : instance.as(as);
  const { code, stdout, stderr } = await type(...line.split(" "), "-p", "7", "-m", "m", "-o", "json");
  const { exit, cause, hint, retryable } = code === 0 ? ({} as never) : JSON.parse(stderr).error;
  return code === 0 ? { code, stdout } : { exit, cause, hint, retryable };
}

test("commit-refusal-sentence: the instance's message is the reason, and determines the exit code", async () => {
  expect(await run("files update README.md -b main --content x", "developer")).toEqual({
    exit: 1,
    cause: "You are not allowed to push into this branch",
    hint: "commit to a branch that you may push to: -b <branch> --start-branch main",
    retryable: false,
  });
  expect(await run("files create x.md -b nobranch --content x")).toEqual({
    exit: 3,
    cause: "You can only create or edit files when you are on a branch",
    hint: "the branch nobranch does not exist; to create it from another branch, add --start-branch <branch>",
    retryable: false,
  });
  expect(await run("files create README.md -b main --content x")).toMatchObject({
    exit: 1,
    cause: "A file with this name already exists",
    hint: "main has a file README.md; use forgectl files update, or files put",
  });
  expect(await run("files delete gone.txt -b main --yes")).toMatchObject({
    exit: 3,
    cause: "A file with this name doesn't exist",
    hint: "gone.txt does not exist on main; check path and branch",
  });
  expect(await run("files create x.md -b feature/checkout --start-branch main --content x")).toMatchObject({
    exit: 1,
    hint: "the branch feature/checkout exists; leave out --start-branch to commit to it",
  });
  const { stdout } = await instance.run(..."files stat README.md -p 7 --ref v1.0.0 --jq .last_commit_id".split(" "));
  const stale = await run(`files update README.md -b main --content x --last-commit-id ${stdout.trim()}`);
  expect(stale).toMatchObject({
    exit: 6,
    cause: "You are attempting to update a file that has changed since you started editing it.",
    hint: expect.stringMatching(
      /^the branch moved: the last commit of README\.md is now [0-9a-f]{40}, not [0-9a-f]{40}$/,
    ),
    retryable: false,
  });
  const { run: type } = instance;
  const raced = await type(..."files update README.md -p 7 -b main --content x -m sandbox-race -o json".split(" "));
  expect([raced.code, JSON.parse(raced.stderr).error]).toEqual([
    6,
    expect.objectContaining({
      cause: "Could not update refs/heads/main. Please refresh and try again.",
      hint: "check the file again, then retry",
      retryable: true,
    }),
  ]);
});

test("delete-guard-ignored: the program compares, and sends nothing if the file changed", async () => {
  const at = "/api/v4/projects/7/repository/files/CHANGELOG.md";
  const guarded = (commit: string) => run(`files delete CHANGELOG.md -b main --yes --last-commit-id ${commit}`);
  expect(await guarded("0".repeat(40))).toMatchObject({
    exit: 6,
    cause: expect.stringMatching(/^the branch moved: the last commit of CHANGELOG\.md is now .*$/),
  });
  expect(requestsIn(log)).toEqual([`HEAD ${at} 200`]);
  const { stdout } = await instance.run(..."files stat CHANGELOG.md -p 7 --ref main --jq .last_commit_id".split(" "));
  expect((await guarded(stdout.trim())).code).toBe(0);
  expect(requestsIn(log)).toEqual([`HEAD ${at} 200`, `DELETE ${at} 204`]);
});
