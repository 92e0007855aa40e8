import { beforeAll, expect, test } from "vitest";
import { alteringSession } from "../../support/altering-proxy.ts";
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

test("note-visibility-fixed: the visibility of a note cannot be changed", async () => {
  const note = (await run("notes create --issue 28 -p 7 --body Open. --jq .id")).stdout.trim();
  const { code, stderr } = await run(`notes update ${note} --issue 28 -p 7 --confidential`);
  expect(code).toBe(1);
  expect(stderr).toContain("cause: Note: confidential: can not be changed for existing notes\n");
});

test("note-internal-renamed: a note that is public is an error that says so, and deletes it", async () => {
  // A release that does not know `internal`, and drops it; `confidential` is dropped by none.
  const sent: unknown[] = [];
  const old = await alteringSession(
    ({ method, path, sent: values, body }) => {
      if (method !== "POST" || !path.endsWith("/notes")) return undefined;
      sent.push(values);
      return { body: { ...(body as object), internal: undefined, confidential: false } };
    },
    { asDeployed: true },
  );
  const { code, stdout, stderr } = await old.run(
    ...["notes", "create", "--issue", "28", "-p", "7", "--internal", "--body", "secret", "--jq", ".id"],
  );
  expect(sent).toEqual([{ body: "secret", internal: true, confidential: true }]);
  const id = stdout.trim();
  expect([code, stderr.split("\n")]).toEqual([
    9,
    [
      `error: note ${id} is public: the instance stored it without internal`,
      "cause: sent internal true, the instance stored false",
      `try:   forgectl notes delete ${id} --issue 28 -p 7 --yes`,
      "",
    ],
  ]);
  const words = stderr.split("try:   forgectl ")[1]?.trim().split(" ") ?? [];
  expect(await old.run(...words)).toMatchObject({ code: 0 });
  const shown = await old.run(..."notes create --issue 28 -p 7 --internal --body secret".split(" "));
  expect([shown.code, shown.stdout.split("\n")[0]]).toEqual([
    9,
    (await old.run(..."notes create --issue 28 -p 7 --body open".split(" "))).stdout.split("\n")[0],
  ]);
  const known = await old.run("notes", "create", "--epic", "104", "-g", "acme", "--internal", "--body", "secret");
  expect(known.code).toBe(9);
  expect(known.stderr).toMatch(/try: {3}delete it on the web.*\/groups\/acme\/-\/epics\/\d+#note_\d+\n/);
});

test("resolving-merges: the help of resolve says what it may merge", async () => {
  // The sandbox merges nothing; test/tty/undo.test.ts has the undo line.
  const { run: ask } = await sandboxSession({ asDeployed: true });
  const { stdout } = await ask("discussions", "resolve", "--help");
  expect(stdout.replace(/\s+/g, " ")).toContain("instances merge a merge request that is set to merge automatically");
});

test("comment-not-resolvable: a single comment cannot be resolved, and not for lack of a role", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  const asked = async (line: string) => run(...line.split(" "));
  const list = await asked("discussions list --mr 19 -p 7 -L all -o json");
  const comment = JSON.parse(list.stdout).find((each: { individual_note: boolean }) => each.individual_note);
  const { code, stderr } = await asked(`discussions resolve ${comment.id} --mr 19 -p 7`);
  expect([code, stderr]).toEqual([5, expect.stringContaining("the comment belongs to no thread that can be resolved")]);
});

/** An error as JSON, after what is said before it. */
const errorIn = (stderr: string) => JSON.parse(stderr.slice(stderr.indexOf('{"error"'))).error;

test("commands-delete-note: a change to a text of only commands asks, and says that the note is deleted", async () => {
  const { run: type } = await sandboxSession({ asDeployed: true });
  const place = ["--issue", "28", "-p", "7"];
  const made = async () => (await type("notes", "create", ...place, "--body", "Decision", "--jq", ".id")).stdout.trim();
  const change = (id: string, body: string, ...more: string[]) =>
    type("notes", "update", id, ...place, "--body", body, ...more);
  const isThere = async (id: string) => (await type("notes", "get", id, ...place)).code === 0;
  const id = await made();
  const asked = await change(id, " /close\n\n/label ~bug");
  expect([asked.code, asked.stderr]).toEqual([2, expect.stringMatching(/delete the note.*needs confirmation/)]);
  expect(await isThere(id)).toBe(true);
  expect((await change(id, "/label ~bug\nand a line", "--jq", ".body")).stdout).toBe("/label ~bug\nand a line\n");
  expect((await change(id, "/usr/local is full", "--jq", ".body")).stdout).toBe("/usr/local is full\n");
  const deleted = await change(id, "/close", "--yes", "-o", "table");
  expect([deleted.code, deleted.stdout + deleted.stderr]).toEqual([0, expect.stringContaining("and deleted the note")]);
  expect(await isThere(id)).toBe(false);
  // The issue is closed already: nothing applies, but the note is gone.
  const second = await made();
  const refused = await change(second, "/close", "--yes", "-o", "json");
  expect([refused.code, errorIn(refused.stderr)]).toEqual([
    9,
    expect.objectContaining({
      outcome: "altered",
      message: "the instance did not apply commands of the text, and deleted the note",
      cause: "Could not apply close command.",
    }),
  ]);
  expect(await isThere(second)).toBe(false);
});

test("commands-delete-note: a 400 may have deleted the note", async () => {
  const { run } = await alteringSession(({ method }) =>
    method === "PUT" ? { status: 400, body: { message: "400 Bad request" } } : undefined,
  );
  const place = ["--issue", "28", "-p", "7"];
  const id = (await run("notes", "create", ...place, "--body", "Decision", "--jq", ".id")).stdout.trim();
  const refused = await run("notes", "update", id, ...place, "--body", "/label", "--yes", "-o", "json");
  expect([refused.code, JSON.parse(refused.stderr).error.outcome]).toEqual([1, "unknown"]);
  expect(refused.stderr).toContain("the note may be deleted in spite of that");
});

test("commands-not-applied: exit 9, with what the instance says", async () => {
  const { run } = await sandboxSession({ asDeployed: true, as: "owner" });
  const asked = async (line: string, body: string) => run(...line.split(" "), "--body", body, "-o", "json");
  const problem = ({ code, stderr }: { code: number | null; stderr: string }) => {
    const { message, cause, outcome } = errorIn(stderr);
    return [code, message, cause, outcome];
  };
  const none = "the instance did not apply commands of the text, and made no note";
  const old = await asked(`notes create --mr 19 -p 7 --diff-head-sha ${"0".repeat(40)}`, "/merge");
  const moved = "Branch has been updated since the merge was requested.";
  expect(problem(old)).toEqual([9, none, moved, "not_taken"]);
  expect((await asked("discussions create --issue 28 -p 7", "/close")).code).toBe(0);
  const again = "Could not apply close command.";
  for (const line of [
    "notes create --issue 28 -p 7",
    "discussions create --issue 28 -p 7",
    "discussions reply 45e1ded38990e86b70bc91ffbf1f90b1d0e47350 --issue 28 -p 7 --note-id 300032",
  ]) {
    expect([line, ...problem(await asked(line, "/close"))]).toEqual([line, 9, none, again, "not_taken"]);
  }
  // Of a new discussion, the answer does not say what the commands changed.
  expect((await asked("discussions create --issue 28 -p 7", "Done\n/reopen")).code).toBe(0);
  expect((await asked("notes create --issue 28 -p 7", "Done\n/close")).code).toBe(0);
  const beside = await asked("notes create --issue 28 -p 7", "Done\n/close");
  const stored = "the instance did not apply commands of the text; the note was stored";
  expect(problem(beside)).toEqual([9, stored, "no change by /close", "altered"]);
  expect((await asked("notes create --issue 28 -p 7", "Again\n/reopen")).code).toBe(0);
});

test.each([
  ["/move not/there", {}, ["Unable to move. Target project or group doesn't exist."], 9, "not_taken"],
  ["/move acme/failed-jobs", {}, ["Moved this item to acme/failed-jobs."], 0],
  ["/severity x", {}, ["No severity matches the provided parameter"], 9, "not_taken"],
  ["/label ~none", {}, ["Befehl konnte nicht angewendet werden."], 9, "not_taken"],
  ["/move acme/docs", {}, ["Befehl konnte nicht angewendet werden."], 9, "unknown"],
  ["/approve", {}, ["Could not apply approve command."], 9, "not_taken"],
  ["/approve", {}, ["Approved the current merge request."], 0],
  ["/approve\n/rebase", {}, ["Approved the current merge request. Could not apply rebase command."], 9, "altered"],
  ["/label ~bug", { add_label_ids: [1] }, ["Added ~bug label."], 0],
  ["/remove_due_date", { due_date: null }, ["Removed the due date."], 0],
  ["/title Login failed", { title: "Login failed" }, ['Changed the title to "Login failed".'], 0],
  ["/title A. Failed to b", { title: "A. Failed to b" }, ['Changed the title to "A. Failed to b".'], 0],
  [
    '/title Say "do not panic" now',
    { title: 'Say "do not panic" now' },
    ['Changed the title to "Say "do not panic" now".'],
    0,
  ],
  ['/title "x', { title: '"x' }, ['Changed the title to ""x". Could not apply approve command.'], 9, "altered"],
  ["/draft", { wip_event: "draft" }, ["No change to this merge request's draft status."], 0],
  ["/estimate foo", { time_estimate: null }, ["Set time estimate to 0h."], 9, "altered"],
  ["/merge", { merge: null }, ["Merged this merge request."], 0],
  [
    "/confidential",
    { confidential: true },
    ["A confidential issue must have only confidential children. Make any child items confidential and try again."],
    ...([9, "altered"] as const),
  ],
  ["/label ~a\n/approve", { add_label_ids: [1] }, ["Added ~a label. Could not apply approve command."], 9, "altered"],
  ["/close\n/label ~none", { state_event: "close" }, ["Closed this issue."], 9, "altered"],
])(
  "commands-not-applied: %s that is answered with %j and %j",
  async (text, commands_changes, summary, exit, outcome?: string) => {
    const body = { commands_changes, summary };
    const { run } = await alteringSession(({ method }) => (method === "POST" ? { status: 202, body } : undefined));
    const { code, stderr } = await run("notes", "create", "--issue", "28", "-p", "7", "--body", text, "-o", "json");
    if (outcome === undefined) expect([code, stderr]).toEqual([exit, expect.stringContaining("no note")]);
    else expect([code, errorIn(stderr)]).toEqual([exit, expect.objectContaining({ cause: summary[0], outcome })]);
  },
);

test.each([
  ["Blocked.\n/label ~none", {}, 9],
  ["Blocked.\n/label ~bug", { add_label_ids: [1] }, 0],
  ["Blocked.\n/unlabel ~bug", {}, 0],
  ["Blocked.\n/move acme/docs", {}, 0],
  ["Blocked.\n/estimate 3 hous", { time_estimate: null }, 9],
])("commands-not-applied: beside a comment, %j that is answered with %j", async (text, commands_changes, exit) => {
  const { run } = await alteringSession(({ method, body }) =>
    method === "POST" ? { body: { ...(body as object), body: "Blocked.", commands_changes } } : undefined,
  );
  const { code } = await run("notes", "create", "--issue", "28", "-p", "7", "--body", text);
  expect(code).toBe(exit);
});

test("commands-not-applied: lines that are in the stored text were none", async () => {
  const { run } = await sandboxSession({ asDeployed: true, as: "owner" });
  const text = "Usage\n<details>\n\n```\n/close   closes it\n```\n\n</details>";
  const { code, stdout } = await run("notes", "create", "--issue", "28", "-p", "7", "--body", text, "--jq", ".body");
  expect([code, stdout]).toEqual([0, `${text}\n`]);
});

test("commands-not-applied: of a line that is stored, instances remove white space at the end", async () => {
  const { run } = await alteringSession(({ method, body }) =>
    method === "POST" ? { body: { ...(body as object), body: "See\n/close", commands_changes: {} } } : undefined,
  );
  for (const text of ["See\n/close ", "See\n/close\t\r\n", "See\n/close"]) {
    const { code } = await run("notes", "create", "--snippet", "7001", "-p", "7", "--body", text);
    expect([text, code]).toEqual([text, 0]);
  }
});

test("commands-not-applied: a note without an ID does not say so", async () => {
  const note = { id: null, body: "", commands_changes: {} };
  const { run } = await alteringSession(({ method }) => (method === "POST" ? { status: 201, body: note } : undefined));
  const { code, stderr } = await run("notes", "create", "--issue", "28", "-p", "7", "--body", "/approve");
  expect([code, stderr]).toEqual([
    9,
    expect.stringContaining("error: the instance does not say that it applied the commands, and made no note\n"),
  ]);
});

test("commands-not-applied: a comment that is answered with 400 for a command beside it may be stored", async () => {
  const body = { message: { validation: ["Title is too long"] } };
  const { run } = await alteringSession(({ method }) => (method === "POST" ? { status: 400, body } : undefined));
  const { code, stderr } = await run("notes", "create", "--issue", "28", "-p", "7", "--body", "Done\n/title x");
  expect([code, stderr]).toEqual([1, expect.stringContaining("the comment may be stored in spite of that")]);
  const plain = await run("notes", "create", "--issue", "28", "-p", "7", "--body", "Done");
  expect([plain.code, plain.stderr]).toEqual([1, expect.not.stringContaining("may be stored")]);
});

test("commands-not-applied: a text of only commands that is answered with 400 may have been run", async () => {
  const body = { message: '400 Bad request - Note {:note=>["can\'t be blank"]}' };
  const { run } = await alteringSession(({ method }) => (method === "POST" ? { status: 400, body } : undefined));
  const line = ["discussions", "create", "--issue", "28", "-p", "7", "-o", "json", "--body"];
  const { code, stderr } = await run(...line, "/spend 1h");
  const outcomeText = expect.stringContaining("the commands may be applied in spite of that: look at the item");
  expect([code, errorIn(stderr)]).toEqual([
    1,
    expect.objectContaining({ outcome: "unknown", outcome_text: outcomeText, retryable: false }),
  ]);
});

test("commands-delete-note: in a discussion too", async () => {
  const { run: type } = await sandboxSession({ asDeployed: true });
  const place = ["--issue", "28", "-p", "7"];
  const started = await type("discussions", "create", ...place, "--body", "Decision", "-o", "json");
  const { id, notes } = JSON.parse(started.stdout) as { id: string; notes: { id: number }[] };
  const words = ["discussions", "update", id, String(notes[0]?.id), ...place, "--body", "/close"];
  expect((await type(...words)).code).toBe(2);
  const deleted = await type(...words, "--yes", "-o", "table");
  expect([deleted.code, deleted.stdout + deleted.stderr]).toEqual([0, expect.stringContaining("and deleted the note")]);
});

test("notes-in-threads: they are listed with their type, and what the help says leaves them out", async () => {
  const { run } = await sandboxSession({ asDeployed: true, as: "owner" });
  const ids = async (jq: string) => {
    const { stdout } = await run(..."notes list --issue 28 -p 7 -L all --jq".split(" "), jq);
    return stdout.trim().split("\n");
  };
  const [all, alone] = [await ids(".[].id"), await ids(".[] | select(.type == null) | .id")];
  expect(all).toContain("300032");
  expect(alone).not.toContain("300032");
  expect(alone.length).toBeGreaterThan(2);
  const { stdout } = await run(..."notes list --help".split(" "));
  expect(stdout.replace(/\s+/g, " ")).toContain("--jq '.[] | select(.type == null)'");
  expect((await run(..."notes get 300032 --issue 28 -p 7".split(" "))).code).toBe(0);
});

test("commands-delete-note: a new text of only commands makes no note, and the answer of a discussion says so too", async () => {
  const { run } = await sandboxSession({ asDeployed: true, as: "owner" });
  const said = "the text was only commands: the instance executed them, and no note was created\n";
  const closed = await run(..."discussions create --issue 28 -p 7 --body /close".split(" "));
  expect(closed).toEqual({
    code: 0,
    stdout: 'commands_changes\tsummary\n{"state_event":"close"}\t["Closed this."]\n',
    stderr: said,
  });
  const thread = "45e1ded38990e86b70bc91ffbf1f90b1d0e47350";
  const opened = await run(...`discussions reply ${thread} --issue 28 -p 7 --note-id 300032 --body /reopen`.split(" "));
  expect([opened.code, opened.stderr]).toEqual([0, said]);
});

test("note-in-any-discussion: a note of another discussion is neither changed nor deleted", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  const words = (line: string) => line.split(" ");
  const { stdout } = await run(...words("discussions list --issue 28 -p acme/storefront -L all -o json"));
  const [first, second] = JSON.parse(stdout) as { id: string; notes: { id: number; body: string }[] }[];
  const [other] = second?.notes ?? [];
  const named = `${first?.id} ${other?.id} --issue 28 -p acme/storefront`;
  const shown = async () =>
    (await run(...words(`notes get ${other?.id} --issue 28 -p acme/storefront --jq .body`))).stdout;
  const before = await shown();
  for (const line of [`discussions delete ${named} --yes`, `discussions update ${named} --body Other`]) {
    const { code, stderr } = await run(...words(line));
    expect([code, stderr]).toEqual([3, expect.stringContaining(`discussion ${first?.id} has no note ${other?.id}\n`)]);
    expect(stderr).toContain("outcome: nothing was sent\n");
  }
  expect(await shown()).toBe(before);
  // Nor if that discussion does not exist, or cannot be read.
  const unknown = `${"0".repeat(40)} ${other?.id} --issue 28 -p acme/storefront`;
  for (const line of [`discussions delete ${unknown} --yes`, `discussions update ${unknown} --body Other`]) {
    expect(await run(...words(line))).toMatchObject({ code: 3 });
  }
  const failing = await sandboxSession({
    asDeployed: true,
    faults: "GET /projects/*/issues/28/discussions/**=500*always",
  });
  expect((await failing.run(...words(`discussions delete ${named} --yes`))).code).toBe(1);
  expect((await failing.run(...words(`notes get ${other?.id} --issue 28 -p acme/storefront`))).code).toBe(0);
  expect(await shown()).toBe(before);
  // The instance itself takes it for any other.
  const path = `projects/7/issues/28/discussions/${first?.id}/notes/${other?.id}`;
  expect((await run("api", "-X", "DELETE", path)).code).toBe(0);
  expect(await shown()).toBe("");
});

test("commands-in-text: lines that run are named, those in a code block stay, and an upsert runs them once", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  const place = ["--issue", "28", "-p", "7"];
  const text = "Report\n\n/close\n\n/login is down\n```\n/reopen\n```\n/usr/bin: full\n/close\nend";
  const upsert = (body: string) =>
    run("notes", "upsert", ...place, "--key", "k", "--body", body, "--jq", '.status + "|" + .body');
  const stored = "Report\n\n/login is down\n```\n/reopen\n```\n/usr/bin: full\nend";
  const warned =
    /^warning: instances run lines that begin with a command which they know, perhaps \/close, \/login, with/;
  const made = await upsert(text);
  expect([made.stdout, made.stderr]).toEqual([
    expect.stringMatching(new RegExp(`^created\\|${stored}\n\n<!-- commands:\\w{16} -->\n<!-- forgectl:k -->\n$`)),
    expect.stringMatching(warned),
  ]);
  expect(await upsert(text)).toMatchObject({ stdout: expect.stringMatching(/^unchanged\|/), stderr: "" });
  expect((await upsert(`${text}!`)).stdout).toMatch(new RegExp(`^updated\\|${stored}!\n`));
  // Other commands beside the same text are run.
  const other = await upsert(text.replace("/close", "/reopen"));
  expect([other.stdout, other.stderr]).toEqual([
    expect.stringMatching(/^updated\|/),
    expect.stringContaining("perhaps /reopen, /login, /close, with"),
  ]);
  for (const line of ["notes create", "discussions create"]) {
    const { code, stderr } = await run(...line.split(" "), ...place, "--body", "a\n/reopen");
    expect([code, stderr]).toEqual([0, expect.stringContaining("perhaps /reopen, with")]);
  }
  // The author of a text may end its code, or reach into it.
  const hostile = ["a\n\r/close", "```\na\n\r```\n/close\n```", "```\n```\n/a\n```\n/close\n```"];
  // Later releases read Markdown.
  const fences = ["````", "``` ", " ```"].map((fence) => `\`\`\`\nx\n${fence}\n/close\n\`\`\``);
  const markdown = ["~~~\n```\n~~~\n/close\n```", "```a`b\nx\n/close\n\n```", "---\n```\n---\n/close\n```"];
  const reaching = [">>>", " <!--", "<p>", "`", "a ` b"].map(
    (begun) => `a\n${begun}\n\`\`\`\n${begun}\n/close\n\`\`\``,
  );
  for (const body of [...hostile, ...fences, ...markdown, ...reaching]) {
    const { stderr } = await run("notes", "create", ...place, "--body", body);
    expect(stderr, JSON.stringify(body)).toMatch(/perhaps (?:\/a, )?\/close, with/);
    const indented = await run("notes", "create", ...place, "--body", body.replace(/^/gm, " "));
    expect(indented.stderr, JSON.stringify(body)).not.toContain("warning:");
  }
  // What is stored of it may have code where the text has none.
  for (const body of ["a\r\n/cl\rose\r\n", "/close `\ntext\n```\n/tmp\n```"]) {
    expect((await upsert(body)).stderr).toContain("perhaps /close, ");
    expect((await upsert(body)).stdout).toMatch(/^unchanged\|/);
  }
  const plain = await run("notes", "create", ...place, "--body", "a\nThe `b` and `c`:\n```\n/close\n```");
  expect([plain.code, plain.stderr]).toEqual([0, expect.not.stringContaining("warning:")]);
});
