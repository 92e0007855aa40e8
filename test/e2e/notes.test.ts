import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { requestsIn, type Session, sandboxSession } from "../support/session.ts";

let log: string[];
let admin: Awaited<ReturnType<typeof sandboxSession>>;
let developer: Session;
beforeAll(async () => {
  log = [];
  admin = await sandboxSession({ log: (line) => log.push(line), now: () => new Date("2026-03-04T10:00:00.000Z") });
  developer = admin.as("developer");
});

const requests = () => requestsIn(log);

const words = (line: string) => line.split(" ");
const run = (line: string, ...more: string[]) => developer.run(...words(line), ...more);

const issue = "--issue 28 -p acme/storefront";
const head = createHash("sha1").update("head of merge request 7019").digest("hex");

describe("notes list", () => {
  test("shows author, time, and whether the note is a system note or internal", async () => {
    const { code, stdout, stderr } = await run(`notes list ${issue}`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.split("\n").map((line) => line.split("\t").slice(0, 5).join(" "))).toEqual([
      "id author.username created_at system internal",
      "300011 mateo.marin 2026-02-27T00:00:00.000Z false true",
      "300021 mateo.marin 2026-02-26T12:00:00.000Z true false",
      "300003 mallory 2026-02-26T02:00:00.000Z false false",
      "300002 dana.dixon 2026-02-26T01:00:00.000Z false false",
      "300001 robin.reyes 2026-02-26T00:00:00.000Z false false",
      "",
    ]);
  });

  test("takes the order and the list flags, and each kind of parent", async () => {
    requests();
    const first = await run(`notes list ${issue} --sort asc --order-by updated_at -L 1 --fields id --no-header`);
    expect(first).toEqual({ code: 0, stdout: "300001\n", stderr: "shown 1 of 5; --limit all for the rest\n" });
    const ids = "--fields id --no-header --sort asc";
    expect((await run(`notes list --mr 19 -p 7 ${ids}`)).stdout).toBe("300051\n300056\n");
    expect((await run(`notes list --snippet 7001 -p acme/storefront ${ids}`)).stdout).toBe("300061\n");
    expect((await run(`notes list --epic 104 -g acme ${ids}`)).stdout).toBe("300081\n300091\n");
    expect(requests()).toEqual([
      "GET /api/v4/projects/acme%2Fstorefront/issues/28/notes 200",
      "GET /api/v4/projects/7/merge_requests/19/notes 200",
      "GET /api/v4/projects/acme%2Fstorefront/snippets/7001/notes 200",
      "GET /api/v4/groups/acme/epics/104/notes 200",
    ]);
  });

  test("shows comments of users, or system notes", async () => {
    const bodies = async (activity: string) =>
      (await run(`notes list --mr 19 -p 7 --activity ${activity} --jq .[].system`)).stdout.split("\n").slice(0, -1);
    expect(new Set(await bodies("comments"))).toEqual(new Set(["false"]));
    expect(new Set(await bodies("history"))).toEqual(new Set(["true"]));
    expect(new Set(await bodies("all"))).toEqual(new Set(["false", "true"]));
  });

  test("a default project does not affect an epic", async () => {
    const env = { FORGECTL_PROJECT: "acme/storefront", FORGECTL_GROUP: "acme" };
    const ids = async (line: string) => (await developer.run(...words(line), "--jq", "length", { env })).stdout;
    expect(await ids("notes list --epic 104")).toBe("2\n");
    expect(await ids("notes list --issue 28")).toBe("5\n");
  });
});

describe("notes get", () => {
  test("shows the whole text, and bare with --jq", async () => {
    const { stdout } = await run(`notes get 300001 ${issue} -o table`);
    expect(stdout).toMatch(/^author\.username {2}robin\.reyes$/m);
    expect(stdout).toMatch(/^body {13}After some digging: .* bottom of the page for both\.$/m);
    expect(stdout).toMatch(/^ {17}- \[ \] fix it for the chat window$/m);
    const bare = await run(`notes get 300002 ${issue} --jq .body`);
    expect(bare.stdout).toBe("在小屏幕上也能重现。スクリーンショットを添付します。 Größe: 320 px 📱\n");
  });

  test("text with terminal control is shown, not executed", async () => {
    const { stdout } = await run(`notes get 300003 ${issue} -o table`);
    expect(stdout).toContain("␛[2J␛[31mThis text would like to clear your screen␛[0m␇\n");
    expect(stdout).not.toContain("\u001b");
  });

  test("a 404 on an epic hints at ID and IID", async () => {
    const { code, stdout, stderr } = await run("notes get 300081 --epic 4 -g acme");
    expect([code, stdout]).toEqual([3, ""]);
    expect(stderr).toContain(
      "cause: not found, or not visible to this token (404 Epic Not Found)\n" +
        "try:   an epic is identified by its ID here, not by the IID in its URL; " +
        "also, this exists only in the Premium and Ultimate tiers\n",
    );
    expect((await run("notes get 1 --issue 28 -p 7")).stderr).not.toContain("try:");
  });
});

describe("notes create", () => {
  test("posts a text from a flag, a file, and stdin, and prints the note", async () => {
    const json = async (more: string[], input = "") =>
      JSON.parse((await developer.run(...words(`notes create ${issue} -o json`), ...more, { input })).stdout);
    expect(await json(["--body", " Two\nlines "])).toMatchObject({ body: " Two\nlines ", noteable_iid: 28 });
    await writeFile(join(developer.home, "report.md"), "# Report\n\n€ 5\n");
    expect(await json(["--body-file", "report.md"])).toMatchObject({ body: "# Report\n\n€ 5\n" });
    expect(await json(["--body-file", "-"], "from stdin")).toMatchObject({ body: "from stdin" });
  });

  test("an internal one on an epic, and a backdated one", async () => {
    const epic = await run("notes create --epic 104 -g acme --internal --jq .internal --body", "Hush.");
    expect(epic).toEqual({ code: 0, stdout: "true\n", stderr: "" });
    const back = "notes create --snippet 7001 -p 7 --created-at 2020-02-29T12:00:00Z --jq .created_at --body";
    expect((await admin.run(...words(back), "Then.")).stdout).toBe("2020-02-29T12:00:00.000Z\n");
    const { code, stderr } = await run(back, "Then.");
    expect([code, stderr]).toEqual([
      5,
      expect.stringContaining("try:   --created-at is for administrators and owners"),
    ]);
  });

  test("an emoji becomes a reaction, and is shown as one", async () => {
    const { code, stdout, stderr } = await run(`notes create ${issue} --body :tada:`);
    expect([code, stderr]).toEqual([0, "the text was only an emoji: it became a reaction, and no note was created\n"]);
    const [header, row] = stdout.split("\n");
    expect(header).toBe("id\tname\tawardable_type\tawardable_id\tuser.username\tcreated_at");
    expect(row).toMatch(/^\d+\ttada\tIssue\t7028\tdana\.dixon\t/);
    const fields = `notes create ${issue} -o json --fields name,user.username,body --body`;
    const { stdout: json } = await run(fields, ":tada:");
    expect(JSON.parse(json)).toEqual({ name: "tada", user: { username: "dana.dixon" }, body: null });
    expect(JSON.parse((await run(fields, "no emoji")).stdout).body).toBe("no emoji");
  });

  test("a merge requires the given head commit", async () => {
    const merge = `notes create --mr 19 -p 7 --body /merge`;
    const wrong = await run(`${merge} --diff-head-sha ${"0".repeat(40)}`);
    expect([wrong.code, wrong.stderr]).toEqual([
      6,
      expect.stringContaining("cause: 409 Conflict - the merge request was updated after the request was sent\n"),
    ]);
    const { code, stdout, stderr } = await run(`${merge} --diff-head-sha ${head} --jq .commands_changes.merge`);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `${head}\n`,
      stderr: "the text was only commands: the instance executed them, and no note was created\n",
    });
  });

  test("a refusal that names a parameter names its flag", async () => {
    const { code, stderr } = await run("notes create --mr 19 -p 7 --body /merge");
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("try:   merge_request_diff_head_sha is given with --diff-head-sha\n"),
    ]);
  });

  test("a dry run shows the request and sends nothing", async () => {
    requests();
    const { stdout } = await run(`notes create ${issue} --internal -n -o json --body`, "Secret?");
    expect(JSON.parse(stdout)).toEqual([
      {
        method: "POST",
        url: `${admin.sandbox.url}/api/v4/projects/acme%2Fstorefront/issues/28/notes`,
        body: { body: "Secret?", internal: true, confidential: true },
      },
    ]);
    expect(requests()).toEqual([]);
  });
});

describe("the spam challenge", () => {
  const post = (...more: string[]) => run("notes create --snippet 7001 -p 7 --body sandbox-spam", ...more);

  test("says how to continue, and accepts the answer", async () => {
    const { code, stderr } = await post();
    expect([code, stderr]).toEqual([1, expect.stringContaining("recognized as spam")]);
    const [, log = ""] = /--captcha-response <answer> --spam-log-id (\d+)/.exec(stderr) ?? [];
    const answered = await post("--captcha-response", "03AGdBq", "--spam-log-id", log, "--jq", ".body");
    expect(answered).toMatchObject({ code: 0, stdout: "sandbox-spam\n" });
  });

  test("its answer is in a dry run too, with secrets redacted", async () => {
    const { stdout } = await post("--captcha-response", "03AGdBq", "--spam-log-id", "5", "--dry-run", "--no-header");
    expect(stdout.trim().split("\t").slice(2)).toEqual([
      '{"body":"sandbox-spam"}',
      '{"x-service-captcha-response":"[redacted]","x-service-spam-log-id":"5"}',
    ]);
  });

  test("is given to scripts in JSON", async () => {
    const { stderr } = await post("-o", "json");
    expect(JSON.parse(stderr).error).toMatchObject({ code: "captcha_needed", exit: 1, status: 400 });
  });
});

describe("notes update", () => {
  test("replaces the text, of a merge request's and a snippet's note too", async () => {
    const before = (await run(`notes create --mr 19 -p 7 --body Befor --jq .id`)).stdout.trim();
    expect((await run(`notes update ${before} --mr 19 -p 7 --body After --jq .body`)).stdout).toBe("After\n");
    expect((await run("notes update 300061 --snippet 7001 -p 7 --body Here --jq .body")).stdout).toBe("Here\n");
    const { code, stderr } = await run(`notes update 300001 ${issue} --body Mine`);
    expect([code, stderr]).toEqual([
      5,
      expect.stringMatching(/^error: could not change an issue's note \(PUT .*\/notes\/300001 → 403\)\n/),
    ]);
  });
});

describe("the visibility of a note", () => {
  test("changes with or without the text of an issue's note; a merge request's note requires a text", async () => {
    const note = (await run(`notes create ${issue} --jq .id --body`, "For some.")).stdout.trim();
    const changed = await run(`notes update ${note} ${issue} --confidential --fields internal,body --no-header`);
    expect(changed.stdout).toBe("true\tFor some.\n");
    const planned = await run(`notes update ${note} ${issue} --no-confidential --body All. -n -o json --jq .[].body`);
    expect(JSON.parse(planned.stdout)).toEqual({ body: "All.", confidential: false });
    requests();
    for (const [line, message] of [
      [`notes update ${note} --mr 19 -p 7 --confidential`, "missing --body <text> or --body-file <file|->"],
      ["notes update 300061 --snippet 7001 -p 7 --confidential --body x", "--confidential: not for snippets"],
    ] as const) {
      const { code, stderr } = await run(line);
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    }
    expect(requests()).toEqual([]);
  });
});

describe("a note that is in a thread", () => {
  const thread = "45e1ded38990e86b70bc91ffbf1f90b1d0e47350";

  test.each([
    ["get 300032", "get", ""],
    ["update 300032 --body x", "update", " 300032"],
    ["delete 300032 --yes", "delete", " 300032"],
  ])("notes %s refers to discussions", async (line, verb, note) => {
    const { code, stderr } = await run(`notes ${line} ${issue}`);
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(
        new RegExp(
          "\ncause: note 300032 is in a thread, and notes of threads are only available through discussions\n" +
            `try: {3}forgectl discussions ${verb} ${thread}${note} --issue 28 -p acme/storefront\n`,
        ),
      ),
    ]);
    const none = await run(`notes ${line.replace("300032", "399999")} ${issue}`);
    expect([none.code, none.stderr]).toEqual([3, expect.not.stringContaining("thread")]);
  });
});

describe("notes delete", () => {
  test("asks first, and prints what was deleted; a failure does not stop the others", async () => {
    const make = async () => (await run(`notes create ${issue} --body x --jq .id`)).stdout.trim();
    const [one, two, three] = [await make(), await make(), await make()];
    requests();
    expect(await run(`notes delete ${one} ${two} ${issue}`)).toEqual({
      code: 2,
      stdout: "",
      stderr:
        `error: this would delete notes ${one}, ${two} (project acme/storefront, issue 28), and needs confirmation\n` +
        "try:   add --yes to confirm, or --dry-run to see the requests\n" +
        "see:   forgectl notes delete --help\n",
    });
    expect((await run(`notes delete ${one} ${two} ${issue} --dry-run --fields method`)).stdout).toBe(
      "method\nDELETE\nDELETE\n",
    );
    expect(requests()).toEqual([]);
    expect(await run(`notes delete ${one} ${issue} -y`)).toEqual({
      code: 0,
      stdout: `note_id\tstatus\terror\n${one}\tdeleted\t\n`,
      stderr: "",
    });
    expect(await run(`notes delete ${one} ${two} ${three} ${issue} -y`)).toEqual({
      code: 9,
      stdout:
        `note_id\tstatus\terror\n${one}\trefused\tnot found, or not visible to this token (404 Note Not Found)\n` +
        `${two}\tdeleted\t\n${three}\tdeleted\t\n`,
      stderr: `error: 1 of 3 failed\ntry:   forgectl notes delete ${one} ${issue} --yes\n`,
    });
  });

  test("a note given twice is deleted once", async () => {
    const note = (await run(`notes create ${issue} --jq .id --body`, "Twice.")).stdout.trim();
    expect(await run(`notes delete ${note} ${note} 0${note} ${issue} -y --no-header`)).toEqual({
      code: 0,
      stdout: `${note}\tdeleted\t\n`,
      stderr: "",
    });
  });
});

test("the usage line in help shows that exactly one parent is required", async () => {
  expect((await run("notes list --help")).stdout).toMatch(
    /^Usage: forgectl notes list \(--issue <iid> \| --mr <iid> \| --snippet <id> \| --epic <id>\) \[flags\]$/m,
  );
});
