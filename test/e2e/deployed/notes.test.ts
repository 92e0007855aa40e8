import { beforeAll, expect, test } from "vitest";
import { requestsIn, type Session, sandboxSession } from "../../support/session.ts";

const log: string[] = [];
let developer: Session;
beforeAll(async () => {
  developer = (await sandboxSession({ asDeployed: true, log: (line) => log.push(line) })).as("developer");
});

const run = (line: string) => developer.run(...line.split(" "));

test("merge-request-discussions: a thread is read, answered without a note ID, and resolved", async () => {
  const thread = "9378a9ed97b1266e5499edbf127073497476ca09";
  const at = `/api/v4/projects/7/merge_requests/19/discussions/${thread}`;
  const reply = await run(`discussions reply ${thread} --mr 19 -p 7 --body Done. --jq .body`);
  expect(reply).toMatchObject({ code: 0, stdout: "Done.\n" });
  expect(requestsIn(log)).toEqual([`POST ${at}/notes 201`]);
  const { stdout } = await run(`discussions resolve ${thread} --mr 19 -p 7 -o table`);
  expect(stdout).toMatch(new RegExp(`^thread {2}resolved {2}${thread}\n`));
  expect((await run(`discussions unresolve ${thread} --mr 19 -p 7 -o table`)).stdout).toMatch(/^thread {2}unresolved/);
});

test("notes-activity-filter: comments of users, or system notes", async () => {
  const systems = async (activity: string) =>
    (await run(`notes list --mr 19 -p 7 --activity ${activity} --jq .[].system`)).stdout;
  expect(await systems("comments")).toMatch(/^(?:false\n)+$/);
  expect(await systems("history")).toMatch(/^(?:true\n)+$/);
});
