import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { binary, node, requestsIn, sandboxSession } from "../support/session.ts";

type Session = Awaited<ReturnType<typeof sandboxSession>>;

const log: string[] = [];
let admin: Session;
beforeAll(async () => {
  admin = await sandboxSession({ log: (line) => log.push(line) });
});

const run = (line: string) => admin.run(...line.split(" "));
const requests = () => requestsIn(log);
const keysPath = "/api/v4/projects/7/error_tracking/client_keys";

async function keyIds(session: Session = admin): Promise<number[]> {
  const { stdout } = await session.run(..."errors keys list -p 7 --jq [.[].id] -o json".split(" "));
  return JSON.parse(stdout);
}

async function newKey(session: Session = admin): Promise<string> {
  return (await session.run(..."errors keys create -p 7 --jq .id".split(" "))).stdout.trim();
}

async function dsnOf(id: string): Promise<string> {
  const { stdout } = await run(`errors keys list -p 7 --reveal --jq .[]|select(.id==${id}).tracker_dsn`);
  return stdout.trim();
}

/** Runs a command whose stdout is not read. */
async function unread(args: readonly string[]): Promise<{ code: number; stderr: string }> {
  const env = admin.env as NodeJS.ProcessEnv;
  const child = spawn(node, [binary, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk;
  });
  const [code] = (await once(child, "close")) as [number];
  return { code, stderr };
}

describe("errors settings", () => {
  test("are set up, turned off and on, and read", async () => {
    const header = "active\tproject_name\ttracker_external_url\tapi_url\tintegrated\n";
    const never = await run("errors enable -p 6");
    expect(never.code).toBe(3);
    expect(never.stderr).toContain(
      "try:   if error tracking was never set up, forgectl errors settings set sets up the platform's own tracker",
    );
    expect((await run("errors settings set -p 6 --active true --integrated true")).stdout).toBe(
      `${header}true\t\t\t\ttrue\n`,
    );
    requests();
    expect((await run("errors disable -p 6 --integrated false")).stdout).toBe(`${header}false\t\t\t\tfalse\n`);
    expect((await run("errors enable -p 6 -o ndjson")).stdout).toBe(
      '{"active":true,"project_name":null,"tracker_external_url":null,"api_url":null,"integrated":false}\n',
    );
    expect((await run("errors settings get -p 6 --jq .active")).stdout).toBe("true\n");
    expect(requests()).toEqual([
      "PATCH /api/v4/projects/6/error_tracking/settings 200",
      "PATCH /api/v4/projects/6/error_tracking/settings 200",
      "GET /api/v4/projects/6/error_tracking/settings 200",
    ]);
  });

  test("require both flags, as words", async () => {
    const missing = await run("errors settings set -p 6 --active true");
    expect([missing.code, missing.stderr.split("\n")[0]]).toEqual([2, "error: missing --integrated <true|false>"]);
    const wrong = await run("errors settings set -p 6 --active perhaps --integrated true");
    expect(wrong.stderr).toContain('--active: must be true or false, not "perhaps"');
  });
});

describe("errors keys", () => {
  test.each(["table", "json", "ndjson", "yaml", "csv", "tsv"])("mask the DSN in %s unless --reveal", async (format) => {
    const masked = await run(`errors keys list -p 7 -o ${format} --debug`);
    expect(masked.stdout).toContain("[redacted]");
    expect(masked.stdout + masked.stderr).not.toContain("/collector/7");
    expect((await run("errors keys list -p 7 --jq .[0].tracker_dsn")).stdout).toBe("[redacted]\n");
    const shown = await run(`errors keys list -p 7 -o ${format} --reveal`);
    expect(shown.stdout).toMatch(/http:\/\/et_[0-9a-f]{32}@127\.0\.0\.1:\d+\/api\/v4\/error_tracking\/collector\/7/);
    expect(shown.stdout).not.toContain("[redacted]");
  });

  test("create shows the DSN only with --reveal", async () => {
    expect((await run("errors keys create -p 7")).stdout).toMatch(/\t\[redacted\]\n$/);
    expect((await run("errors keys create -p 7 --reveal --jq .tracker_dsn")).stdout).toMatch(
      /^http:\/\/et_[0-9a-f]{32}@/,
    );
  });

  test("delete accepts several, and reports each result", async () => {
    const [first, second] = [await newKey(), await newKey()];
    const { code, stdout, stderr } = await run(`errors keys delete ${first} 999 ${second} -p 7 --yes`);
    expect(code).toBe(9);
    expect(stdout).toBe(
      `key_id\tstatus\terror\n${first}\tdeleted\t\n` +
        `999\trefused\tnot found, or not visible to this token (404 Client Key Not Found)\n${second}\tdeleted\t\n`,
    );
    expect(stderr).toContain("1 of 3 failed");
  });
});

describe("errors keys rotate", () => {
  test("creates, lists, writes to a private file, checks, and only then deletes", async () => {
    const old = await newKey();
    const file = join(admin.home, "dsn.txt");
    writeFileSync(file, "the old one", { mode: 0o644 });
    const kept = await run(`errors keys rotate ${old} -p 7 --dsn-file dsn.txt --yes`);
    expect([kept.code, kept.stderr]).toEqual([2, expect.stringContaining("--dsn-file: dsn.txt exists")]);
    expect(readFileSync(file, "utf8")).toBe("the old one");
    requests();
    const check = "cat > seen.txt; cp dsn.txt handed.txt; echo deployed";
    const { code, stdout, stderr } = await admin.run(
      ...["errors", "keys", "rotate", old, "-p", "7", "--dsn-file", "dsn.txt", "--force", "--check", check, "--yes"],
    );
    const id = (await keyIds()).at(-1);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `check: deployed\nerror tracking key ${old} is deleted; ${id} replaces it\n`,
    });
    const dsn = await dsnOf(String(id));
    const key = /\/\/(.*)@/.exec(dsn)?.[1];
    expect(stdout).toBe(`id\tactive\tpublic_key\ttracker_dsn\treplaces\n${id}\ttrue\t${key}\t[redacted]\t${old}\n`);
    expect(readFileSync(file, "utf8")).toBe(`${dsn}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(admin.home, "seen.txt"), "utf8")).toBe(`${dsn}\n`);
    expect(readFileSync(join(admin.home, "handed.txt"), "utf8")).toBe(`${dsn}\n`);
    expect(requests().slice(0, 5)).toEqual([
      `GET ${keysPath} 200`,
      `POST ${keysPath} 201`,
      // Before its DSN is delivered, and after the check.
      `GET ${keysPath} 200`,
      `GET ${keysPath} 200`,
      `DELETE ${keysPath}/${old} 204`,
    ]);
  });

  test("writes to stdout with --reveal", async () => {
    const old = await newKey();
    const { stdout } = await run(`errors keys rotate ${old} -p 7 --reveal --yes -o json`);
    const key = JSON.parse(stdout);
    expect(key).toMatchObject({ replaces: Number(old), tracker_dsn: await dsnOf(String(key.id)) });
    expect(await keyIds()).not.toContain(Number(old));
  });

  test("plans both requests in a dry run, and writes no file", async () => {
    const old = await newKey();
    const { code, stdout } = await run(`errors keys rotate ${old} -p 7 --dsn-file dry.txt --dry-run`);
    expect(code).toBe(0);
    const url = `${admin.sandbox.url}${keysPath}`;
    expect(stdout).toBe(`method\turl\tbody\nPOST\t${url}\t\nDELETE\t${url}/${old}\t\n`);
    expect(await keyIds()).toContain(Number(old));
    expect(() => statSync(join(admin.home, "dry.txt"))).toThrow("ENOENT");
  });

  test("a missing key ends it before anything is created", async () => {
    requests();
    const { code, stderr } = await run("errors keys rotate 999 -p 7 --reveal --yes");
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr:
        "error: error tracking key 999 was not found in project 7\noutcome: nothing was changed\n" +
        "try:   forgectl errors keys list -p 7\n",
    });
    expect(requests()).toEqual([`GET ${keysPath} 200`]);
  });

  test("a failed check leaves both keys, and its output hides the DSN", async () => {
    const old = await newKey();
    const check = "echo refused by $(cat) >&2; exit 3";
    const { code, stderr } = await admin.run(
      ...["errors", "keys", "rotate", old, "-p", "7", "--dsn-file", "failed.txt", "--check", check, "--yes", "--debug"],
    );
    const id = (await keyIds()).at(-1);
    expect(code).toBe(1);
    expect(stderr).toContain(
      `error: the rotation is not finished: error tracking keys ${old} (old) and ${id} (new) both work\n` +
        "cause: the check ended with exit code 3: refused by ",
    );
    expect(stderr).toContain(
      `# to continue with key ${id}\n       forgectl errors keys delete ${old} -p 7   # once the new DSN is in use\n` +
        `       forgectl errors keys delete ${id} -p 7   # to undo the rotation instead\n`,
    );
    expect(stderr).not.toContain(/\/\/(.*)@/.exec(await dsnOf(String(id)))?.[1]);
    expect(await keyIds()).toContain(Number(old));
    // The command in the error continues with the key that exists, so that a repeated run leaves no other one.
    const [, line = ""] = /try: {3}forgectl (.*?) --check .*# to continue/.exec(stderr) ?? [];
    const before = await keyIds();
    const again = await admin.run(...line.split(" "), "--check", "echo fine", "--yes");
    expect([again.code, again.stderr]).toEqual([
      0,
      `check: fine\nerror tracking key ${old} is deleted; ${id} replaces it\n`,
    ]);
    expect(await keyIds()).toEqual(before.filter((each) => each !== Number(old)));
    expect(readFileSync(join(admin.home, "failed.txt"), "utf8")).toBe(`${await dsnOf(String(id))}\n`);
  });

  test("a new key that another user deletes while the check runs leaves the old one", async () => {
    const old = await newKey();
    const url = `${admin.sandbox.url}/api/v4/projects/7/error_tracking/client_keys`;
    const program = `const headers = { "private-token": process.env.FORGECTL_TOKEN };
      const answer = await fetch("${url}", { headers });
      await fetch("${url}/" + (await answer.json()).at(-1).id, { method: "DELETE", headers });`;
    writeFileSync(join(admin.home, "delete.mjs"), program);
    const check = `'${process.execPath}' delete.mjs`;
    const words = `errors keys rotate ${old} -p 7 --dsn-file dsn.txt --force --yes --check`.split(" ");
    const { code, stderr } = await admin.run(...words, check);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      new RegExp(
        `^error: the rotation is not finished: error tracking key ${old} \\(old\\) works, and \\d+ \\(new\\) does not\n` +
          "cause: the new key is not in the list of keys\n",
      ),
    );
    expect(await keyIds()).toContain(Number(old));
    const [, line = ""] = /(errors keys rotate .*) --check .*# to begin again/.exec(stderr) ?? [];
    expect((await admin.run(...line.split(" "), "--yes")).code).toBe(0);
  });

  test("Ctrl-C while the check runs leaves both keys", async () => {
    const old = await newKey();
    const words = `errors keys rotate ${old} -p 7 --dsn-file dsn.txt --force --yes -o json --check`.split(" ");
    const { code, stderr } = await admin.run(...words, "kill -INT $PPID; sleep 20");
    const id = (await keyIds()).at(-1);
    expect(code).toBe(130);
    expect(JSON.parse(stderr).error).toMatchObject({
      message: `the rotation is not finished: error tracking keys ${old} (old) and ${id} (new) both work`,
      cause: "interrupted",
      hint: expect.stringContaining(`forgectl errors keys delete ${old} -p 7`),
    });
    expect(await keyIds()).toContain(Number(old));
  });

  test("a closed pipe leaves both keys and says how to see the DSN", async () => {
    const old = await newKey();
    const { code, stderr } = await unread(["errors", "keys", "rotate", old, "-p", "7", "--reveal", "--yes"]);
    expect(code).toBe(130);
    expect(stderr).toContain("both work\ncause: the new DSN was not read\n");
    expect(stderr).toContain(`forgectl errors keys list -p 7 --reveal   # the DSN of ${(await keyIds()).at(-1)}`);
    expect(await keyIds()).toContain(Number(old));
  });

  test("an incomplete answer is reported with its possible outcome", async () => {
    const faults = "POST /projects/7/error_tracking/client_keys=truncate; DELETE /**=reset*always";
    const broken = await sandboxSession({ faults });
    const words = "errors keys rotate 1 -p 7 --reveal --yes --retries 0".split(" ");
    const creating = await broken.run(...words);
    expect([creating.code, creating.stdout]).toEqual([11, ""]);
    expect(creating.stderr).toContain("error tracking key 1 works, and a new one exists");
    expect(creating.stderr).toContain("try:   forgectl errors keys list -p 7   # its ID\n");
    const deleting = await broken.run(...words);
    expect(deleting.code).toBe(11);
    expect(deleting.stderr).toMatch(/error tracking key \d+ \(new\) works, and 1 \(old\) may have been deleted/);
    // Deleting the new one could leave none.
    expect(deleting.stderr).toContain("try:   forgectl errors keys list -p 7   # whether 1 exists\n");
    expect(deleting.stderr).not.toContain("to undo the rotation");
    expect(await keyIds(broken)).toContain(1);
  });

  test("a refusal to create is only that", async () => {
    const full = await sandboxSession({ faults: "POST /projects/7/error_tracking/client_keys=400" });
    const { code, stderr } = await full.run(..."errors keys rotate 1 -p 7 --reveal --yes".split(" "));
    expect(code).toBe(1);
    expect(stderr).toContain("error: could not create an error tracking key (POST");
    expect(stderr).not.toContain("rotation");
  });

  test.each([
    ["", "missing --dsn-file <file> or --reveal"],
    ["--reveal --dsn-file dsn.txt", "give only one of --dsn-file and --reveal"],
    ["--dsn-file file/dsn.txt", "--dsn-file: file is not a folder"],
    ["--dsn-file folder", "--dsn-file: folder is a folder; name a file in it"],
    ["--dsn-file pipe", "pipe is a pipe or a device, not a file"],
    ["--dsn-file ", "--dsn-file: is empty"],
    ["--dsn-file -", "--dsn-file does not write to stdout"],
    ["--reveal", "this would replace error tracking key 1 with a new one (project 7), and needs confirmation"],
  ])("%s is refused", async (flags, message) => {
    mkdirSync(join(admin.home, "folder"), { recursive: true });
    writeFileSync(join(admin.home, "file"), "");
    if (flags.includes("pipe")) execFileSync("mkfifo", [join(admin.home, "pipe")]);
    requests();
    const { code, stdout, stderr } = await run(`errors keys rotate 1 -p 7${flags && ` ${flags}`}`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(requests().filter((line) => !line.startsWith("GET"))).toEqual([]);
  });
});
