import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { requestsIn, type Session, sandboxSession, session } from "../support/session.ts";

let log: string[];
let developer: Session;
beforeAll(async () => {
  log = [];
  const admin = await sandboxSession({
    log: (line) => log.push(line),
    now: () => new Date("2026-03-04T10:00:00.000Z"),
  });
  developer = admin.as("developer");
});

const requests = () => requestsIn(log);

const run = (line: string, ...more: string[]) => developer.run(...line.split(" "), ...more);

const issue = "--issue 28 -p acme/storefront";
const path = "/api/v4/projects/acme%2Fstorefront/issues/28/discussions";
const open = "45e1ded38990e86b70bc91ffbf1f90b1d0e47350";
const resolved = "2d6848d60163d216866dfa3c044db52f468dbd69";

describe("discussions list", () => {
  test("a table reads like a conversation", async () => {
    const { code, stdout } = await run(`discussions list ${issue} -o table`);
    expect(code).toBe(0);
    const passages = stdout.trimEnd().split("\n\n");
    expect(passages).toContain(
      "system note  09fd6760023d0f06013c1e415fe7294d1348bc97\n" +
        "  Mateo Marín (mateo.marin)  2026-02-26T12:00:00.000Z  note 300021  system\n" +
        "    assigned to @dana.dixon",
    );
    expect(passages).toContain(
      "comment  51cd38d25bb9c7a394dc6b9ac5f7f9cbfe4b6e46\n" +
        "  Mateo Marín (mateo.marin)  2026-02-27T00:00:00.000Z  note 300011  internal\n" +
        "    Two customers asked for this by name; please do not mention them outside.",
    );
    expect(passages.at(-2)).toBe(
      `thread  unresolved  ${open}\n` +
        "  Robin Reyes (robin.reyes)  2026-02-28T00:00:00.000Z  note 300031\n" +
        "    Could we add a test for this?\n" +
        "  Dana Dixon (dana.dixon)  2026-02-28T01:00:00.000Z  note 300032\n" +
        "    Yes, I will add one today.\n" +
        "  Mateo Marín (mateo.marin)  2026-02-28T02:00:00.000Z  note 300033\n" +
        "    Done, see the last commit.",
    );
    expect(passages.at(-1)).toMatch(new RegExp(`^thread {2}resolved {2}${resolved}\n`));
    expect(stdout).not.toContain("\u001b");
  });

  test("the other formats are data: JSON as from the instance, one line each in a pipe", async () => {
    const { stdout: json } = await run("discussions list --epic 104 -g acme -o json");
    const [first] = JSON.parse(json);
    expect(first).toMatchObject({
      individual_note: true,
      notes: [{ id: 300_081, type: null, body: "Not before May." }],
    });
    const { stdout } = await run("discussions list --snippet 7001 -p 7");
    expect(stdout).toBe(
      "id\tindividual_note\tnotes.id\tnotes.author.username\tnotes.body\tfile\tline\tresolved_by\n" +
        'b6a41212544d00fd5b9aac1d2fae342fc89d8ed6\ttrue\t[300061]\t["dana.dixon"]\t["Works on my machine."]\t\t\t\n' +
        '8d62b353a2671b1269014e6fdd852641856ff775\tfalse\t[300071,300072]\t["robin.reyes","dana.dixon"]\t' +
        '["Which versions are affected?","Everything since 2.3; older ones have another code path."]\t\t\t\n',
    );
    const { stdout: fields } = await run(
      "discussions list --snippet 7001 -p 7 -o table --fields individual_note,notes.id",
    );
    expect(fields).toBe(
      "individual_note        notes.id\nyes                      300061\nno               300071, 300072\n",
    );
  });

  test("accepts the list flags", async () => {
    const { stdout, stderr } = await run(`discussions list ${issue} -L 2 --per-page 1 --jq length`);
    expect([stdout, stderr]).toEqual(["2\n", "shown 2 of 7; --limit all for the rest\n"]);
  });
});

describe("discussions get", () => {
  test("reads like one from the list", async () => {
    const { stdout } = await run(`discussions get ${resolved} ${issue} -o table`);
    expect(stdout).toMatch(new RegExp(`^thread {2}resolved {2}${resolved}\n {2}Robin Reyes`));
    expect((await run(`discussions get ${resolved} ${issue} --jq .notes[0].resolved`)).stdout).toBe("true\n");
  });

  test("one that does not exist", async () => {
    const { code, stderr } = await run(`discussions get ${"0".repeat(40)} ${issue}`);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^error: could not get an issue's discussion \(GET .* → 404\)\n/);
  });
});

describe("writing in discussions", () => {
  test("a thread is started, answered, changed, and deleted", async () => {
    const started = JSON.parse((await run("discussions create --snippet 7001 -p 7 -o json --body", "Why?")).stdout);
    expect(started).toMatchObject({ individual_note: false, notes: [{ body: "Why?", type: "DiscussionNote" }] });
    const { id, notes } = started;
    const on = "--snippet 7001 -p 7";
    const reply = JSON.parse((await run(`discussions reply ${id} ${on} -o json --body`, "Because.")).stdout);
    expect(reply).toMatchObject({ body: "Because.", type: "DiscussionNote" });
    const changed = await run(`discussions update ${id} ${reply.id} ${on} --fields type,body --body`, "Because!");
    expect(changed.stdout).toBe("type\tbody\nDiscussionNote\tBecause!\n");
    const { stdout } = await run(`discussions get ${id} ${on} -o table`);
    expect(stdout).toContain("    Why?\n  Dana Dixon (dana.dixon)");
    expect(await run(`discussions delete ${id} ${reply.id} ${on} --yes`)).toEqual({
      code: 0,
      stdout: `discussion_id\tnote_id\tstatus\n${id}\t${reply.id}\tdeleted\n`,
      stderr: "",
    });
    await run(`discussions delete ${id} ${notes[0].id} ${on} --yes`);
    expect((await run(`discussions get ${id} ${on}`)).code).toBe(3);
  });

  test("a reply reads the thread's first note, unless a note is given", async () => {
    requests();
    await run(`discussions reply ${open} ${issue} --body One`);
    await run(`discussions reply ${open} ${issue} --body Two --note-id 300032`);
    expect(requests()).toEqual([
      `GET ${path}/${open} 200`,
      `POST ${path}/${open}/notes 201`,
      `POST ${path}/${open}/notes 201`,
    ]);
    const { stdout } = await run(`discussions reply ${open} ${issue} --body Three -n -o json --jq .[].body`);
    expect(JSON.parse(stdout)).toEqual({ body: "Three", note_id: 300_031 });
    expect(requests()).toEqual([`GET ${path}/${open} 200`]);
  });

  test("a deletion asks first", async () => {
    requests();
    const { code, stderr } = await run(`discussions delete ${open} 300031 ${issue}`);
    expect([code, stderr.split("\n")[0]]).toEqual([
      2,
      `error: this would delete note 300031 (project acme/storefront, issue 28, discussion ${open}), and needs confirmation`,
    ]);
    expect(requests()).toEqual([]);
  });

  test("a spam challenge is answered here too", async () => {
    const { stderr } = await run(`discussions create ${issue} --body sandbox-spam`);
    const [, id = ""] = /--spam-log-id (\d+)/.exec(stderr) ?? [];
    const { code } = await run(
      `discussions create ${issue} --body sandbox-spam --captcha-response x --spam-log-id`,
      id,
    );
    expect([id === "", code]).toEqual([false, 0]);
  });
});

describe("undocumented discussions of merge requests", () => {
  const on = "--mr 19 -p 7";
  const thread = "9378a9ed97b1266e5499edbf127073497476ca09";
  const at = "/api/v4/projects/7/merge_requests/19/discussions";

  test("are read, answered, resolved, and reopened", async () => {
    const { stdout } = await run(`discussions list ${on} -o table`);
    expect(stdout).toContain(`thread  unresolved  ${thread}\n  Robin Reyes`);
    requests();
    expect((await run(`discussions reply ${thread} ${on} --body Done.`)).code).toBe(0);
    const resolve = await run(`discussions resolve ${thread} ${on} --jq .notes[].resolved`);
    expect([resolve.code, resolve.stdout]).toEqual([0, "true\ntrue\ntrue\ntrue\n"]);
    expect((await run(`discussions unresolve ${thread.slice(0, 6)} ${on} -o table`)).stdout).toMatch(
      /^thread {2}unresolved/,
    );
    expect(requests()).toEqual([
      `POST ${at}/${thread}/notes 201`,
      `PUT ${at}/${thread} 200`,
      `GET ${at} 200`,
      `PUT ${at}/${thread} 200`,
    ]);
    const planned = await run(`discussions resolve ${thread} ${on} -n -o json --jq .[].body`);
    expect(JSON.parse(planned.stdout)).toEqual({ resolved: true });
    const single = await run(`discussions resolve 9d8328b26d09682a0e3405e16e77751182719d85 ${on}`);
    expect([single.code, single.stderr]).toEqual([1, expect.stringContaining("not resolvable")]);
  });

  test("are started, changed, and deleted", async () => {
    const started = JSON.parse((await run(`discussions create ${on} -o json --body Why?`)).stdout);
    const note = started.notes[0].id;
    expect((await run(`discussions update ${started.id} ${note} ${on} --body Why! --fields body`)).stdout).toBe(
      "body\nWhy!\n",
    );
    expect((await run(`discussions delete ${started.id} ${note} ${on} --yes`)).code).toBe(0);
    expect((await run(`discussions get ${started.id} ${on}`)).code).toBe(3);
  });
});

describe("the beginning of an ID", () => {
  test("is enough if it is unique", async () => {
    requests();
    expect((await run(`discussions get 45E1 ${issue} --jq .id`)).stdout).toBe(`${open}\n`);
    expect(requests()).toEqual([`GET ${path} 200`, `GET ${path}/${open} 200`]);
    const { stdout } = await run(`discussions reply ${open.slice(0, 8)} ${issue} --body Four -n -o json --jq .[].url`);
    expect(stdout).toContain(`/discussions/${open}/notes`);
    const none = await run(`discussions get 0000 ${issue}`);
    expect([none.code, none.stderr]).toEqual([
      3,
      expect.stringContaining("no discussion has an ID that begins with 0000"),
    ]);
  });

  test("lists the candidates if it is not, and changes nothing", async () => {
    const note = (id: number, body: string) => ({ id, body, author: { name: "Ada" } });
    const rows = [
      { id: `abcd1${"0".repeat(35)}`, notes: [note(1, "One\n\nand more of it, until it is too long for a line")] },
      { id: `abcd2${"0".repeat(35)}`, notes: [note(2, "Two")] },
    ];
    const methods: string[] = [];
    const server = createServer(({ method = "" }, answer) => {
      methods.push(method);
      const headers = { "content-type": "application/json", "x-next-page": "" };
      answer.writeHead(200, headers).end(JSON.stringify(rows));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const { run: type } = session({ FORGECTL_BASE_URL: `http://127.0.0.1:${port}`, FORGECTL_TOKEN: "t" });
    const { code, stderr } = await type(..."discussions delete abcd 1 --issue 28 -p 7 --yes".split(" "));
    server.close();
    expect([code, methods]).toEqual([2, ["GET"]]);
    expect(stderr).toBe(
      "error: 2 discussions have an ID that begins with abcd\n" +
        `cause: ${rows[0]?.id}: note 1 by Ada, "One and more of it, until it is too long..."\n` +
        `       ${rows[1]?.id}: note 2 by Ada, "Two"\n` +
        "try:   give more of the ID\n" +
        "see:   forgectl discussions delete --help\n",
    );
  });
});

describe("bad input is refused before anything is sent", () => {
  test.each([
    ["discussions list -p 7", "missing --issue <iid>, --mr <iid>, --snippet <id>, or --epic <id>"],
    ["discussions get abc --issue 28 -p 7", '<discussion-id>: must be 4 to 40 hexadecimal characters, not "abc"'],
    [
      `discussions get ${open}0 --issue 28 -p 7`,
      `<discussion-id>: must be 4 to 40 hexadecimal characters, not "${open}0"`,
    ],
    [
      `discussions reply ${open} --epic 104 -g acme --body x`,
      "--epic: replies are not possible in discussions of epics: the API has no request for it",
    ],
    [
      `discussions update ${open} 300031 --epic 104 -g acme --body x`,
      "--epic: notes cannot be changed in discussions of epics: the API has no request for it",
    ],
    [
      `discussions delete ${open} 300031 --epic 104 -g acme`,
      "--epic: notes cannot be deleted from discussions of epics: the API has no request for it",
    ],
    [`discussions resolve ${open} --issue 28 -p 7`, "--issue: only discussions of merge requests can be resolved"],
    [
      `discussions reply ${open} --mr 19 -p 7 --body x --note-id 300057`,
      "--note-id: not for merge requests, only for issues and snippets",
    ],
    [`discussions delete ${open} --issue 28 -p 7`, "missing <note-id>"],
    [`discussions reply ${open} --issue 28 -p 7`, "missing --body <text> or --body-file <file|->"],
    [
      `discussions create --issue 28 -p 7 --body x --created-at 1960-01-01`,
      '--created-at: must be after 1970-01-01, not "1960-01-01T00:00:00Z"',
    ],
  ])("%s", async (line, message) => {
    requests();
    const { code, stdout, stderr } = await run(line);
    expect({ code, stdout, first: stderr.split("\n")[0] }).toEqual({ code: 2, stdout: "", first: `error: ${message}` });
    expect(requests()).toEqual([]);
  });
});
