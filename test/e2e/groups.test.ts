import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { binary, requestsIn, sandboxSession } from "../support/session.ts";

let log: string[];
let owner: Awaited<ReturnType<typeof sandboxSession>>;
beforeAll(async () => {
  log = [];
  owner = await sandboxSession({ as: "owner", log: (line) => log.push(line) });
});

const run = (...words: Parameters<typeof owner.run>) => owner.run("groups", ...words);
const at = (name: string) => join(owner.home, name);

const requests = () => requestsIn(log);

/** The archive's content according to tar. */
function tar(name: string, path: string): string {
  return execFileSync("tar", ["-xzOf", at(name), path], { encoding: "utf8" });
}

const waiting = "the export is scheduled; waiting for its archive\n";

describe("groups export", () => {
  test("alone only schedules, and prints the command to continue", async () => {
    requests();
    expect(await run("export", "-g", "open-tools/plugins", "-o", "ndjson", { env: admin() })).toEqual({
      code: 0,
      stdout: '{"group":"open-tools/plugins","status":"scheduled"}\n',
      stderr:
        "the export is scheduled; until it is complete, the archive is missing or that of an earlier export: " +
        "forgectl groups download -g open-tools/plugins\n",
    });
    expect(requests()).toEqual(["POST /api/v4/groups/open-tools%2Fplugins/export 202"]);
  });

  test("-O checks first, waits for an archive other than the existing one, and saves it", async () => {
    await run("download", "-g", "acme", "-O", "stale.tar.gz");
    requests();
    const { code, stdout, stderr } = await run("export", "-g", "acme", "-O", "new.tar.gz", "-o", "json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: waiting });
    const size = readFileSync(at("new.tar.gz")).length;
    expect(JSON.parse(stdout)).toEqual({ group: "acme", status: "saved", file: "new.tar.gz", size });
    const download = "GET /api/v4/groups/acme/export/download 200";
    const [first, second, ...rest] = requests();
    expect([first, second]).toEqual([download, "POST /api/v4/groups/acme/export 202"]);
    // It backs off: a few requests in a second, the last of which is the download itself.
    expect(new Set(rest)).toEqual(new Set([download]));
    expect(rest.length).toBeGreaterThan(1);
    expect(rest.length).toBeLessThan(5);
    const milestones = (name: string) => tar(name, "tree/groups/1/milestones.ndjson");
    expect(milestones("stale.tar.gz")).not.toContain('"title":"1.9"');
    expect(milestones("new.tar.gz")).toContain('"title":"1.9"');
    expect(readdirSync(owner.home).filter((name) => name.startsWith(".forgectl"))).toEqual([]);
  });

  test("--wait waits and saves nothing; if there is no archive yet, it waits for one", async () => {
    const names = readdirSync(owner.home);
    const { code, stdout, stderr } = await run("export", "-g", "7", "--wait", "--no-header", { env: admin() });
    expect({ code, stderr }).toEqual({ code: 0, stderr: waiting });
    expect(stdout).toMatch(/^7\tready\t\t\d{3,}\n$/);
    expect(readdirSync(owner.home)).toEqual(names);
  });

  test("-O - writes only the archive to stdout", async () => {
    const script = `'${process.execPath}' '${binary}' groups export -g 1 -O - -q | tar -tz`;
    const { stdout: listed } = await promisify(execFile)("sh", ["-c", script], { env: owner.env as NodeJS.ProcessEnv });
    expect(listed.split("\n")).toContain("tree/groups/_all.ndjson");
  });

  test("a dry run sends nothing, and writes no file", async () => {
    requests();
    const plan = await run("export", "-g", "acme", "-O", "dry.tar.gz", "--dry-run", "--jq", ".[] | [.method, .url]");
    expect(plan).toEqual({
      code: 0,
      stdout: `${JSON.stringify(["POST", `${owner.sandbox.url}/api/v4/groups/acme/export`])}\n`,
      stderr: "",
    });
    expect(requests()).toEqual([]);
    expect(existsSync(at("dry.tar.gz"))).toBe(false);
  });

  test.each([
    [["-O", "file/such/folder.tar.gz"], "file is not a folder"],
    [["-O", "."], ". is a folder; name a file in it"],
    [["--wait-timeout", "5"], "--wait-timeout needs --wait or -O"],
    [["--wait", "--wait-timeout", "0"], "--wait-timeout: must be a whole number of at least 1"],
  ])("%j is refused before anything is sent", async (words, message) => {
    writeFileSync(at("file"), "");
    requests();
    const { code, stdout, stderr } = await run("export", "-g", "acme", ...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`error: ${message}`);
    expect(requests()).toEqual([]);
  });

  test("requires the Owner role", async () => {
    const { code, stderr } = await owner.as("maintainer").run("groups", "export", "-g", "acme", "--wait");
    expect(code).toBe(5);
    expect(stderr).toContain("this needs the Owner role");
  });
});

describe("groups download", () => {
  test("saves the existing archive under the group's name, or says that there is none", async () => {
    const { code, stdout } = await run("download", "-g", "acme", "--jq", ".file");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "acme-export.tar.gz\n" });
    expect(tar("acme-export.tar.gz", "VERSION")).not.toBe("");
    const none = await run("download", "-g", "acme/mobile");
    expect(none).toMatchObject({ code: 3, stdout: "" });
    expect(none.stderr).toContain(
      "try:   an archive exists only after an export is complete, on newer releases only for the user who exported: forgectl groups export --wait\n",
    );
    expect(existsSync(at("acme-mobile-export.tar.gz"))).toBe(false);
  });
});

describe("groups import", () => {
  test("sends the archive, and says how to find the group", async () => {
    await run("download", "-g", "acme", "-O", "archive.tar.gz");
    const words = ["archive.tar.gz", "--name", "A copy", "--path", "acme_copy.1"];
    const size = readFileSync(at("archive.tar.gz")).length;
    requests();
    expect(await run("import", ...words, "-o", "ndjson")).toEqual({
      code: 0,
      stdout: `${JSON.stringify({ name: "A copy", path: "acme_copy.1", parent_id: null, size, status: "started" })}\n`,
      stderr:
        "the import is started, and runs on the instance; once the group exists, this finds it: " +
        "forgectl groups get acme_copy.1\n",
    });
    expect(requests()).toEqual(["POST /api/v4/groups/import 202"]);
    expect((await owner.run("registry", "list", "-g", "acme_copy.1")).code).toBe(0);
    const again = await run("import", ...words);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain("field: path: has already been taken\n");
    const inside = await run("import", ...words, "--parent-id", "1");
    expect(inside.stderr).toContain("forgectl api groups/1/subgroups\n");
    expect((await owner.run("registry", "list", "-g", "acme/acme_copy.1")).code).toBe(0);
    requests();
    const byPath = await run("import", ...words, "--parent-id", "acme/mobile", "--jq", ".parent_id");
    expect([byPath.code, byPath.stdout]).toEqual([0, "4\n"]);
    expect(requests()).toEqual(["GET /api/v4/groups/acme%2Fmobile 200", "POST /api/v4/groups/import 202"]);
    const missing = await run("import", ...words, "--parent-id", "4711");
    expect([missing.code, missing.stderr]).toEqual([
      3,
      expect.stringContaining(
        "cause: the parent group 4711 does not exist, is not visible to this token, or does not accept groups from it\n",
      ),
    ]);
    requests();
    const nowhere = await run("import", ...words, "--parent-id", "acme/nowhere");
    expect([nowhere.code, nowhere.stderr]).toEqual([
      3,
      expect.stringContaining('error: the group "acme/nowhere" was not found'),
    ]);
    expect(requests()).toEqual(["GET /api/v4/groups/acme%2Fnowhere 404"]);
  });

  test("a dry run shows the form", async () => {
    writeFileSync(at("small.tar.gz"), readFileSync(at("archive.tar.gz")));
    requests();
    const words = ["small.tar.gz", "--name", "N", "--path", "p", "--parent-id", "8", "--dry-run", "-o", "json"];
    expect(JSON.parse((await run("import", ...words)).stdout)).toEqual([
      {
        method: "POST",
        url: `${owner.sandbox.url}/api/v4/groups/import`,
        body: {
          name: "N",
          path: "p",
          parent_id: "8",
          file: `small.tar.gz (${readFileSync(at("small.tar.gz")).length} bytes)`,
        },
      },
    ]);
    expect(requests()).toEqual([]);
  });

  test("a file that is not a complete gzip tar is refused before anything is sent", async () => {
    const whole = readFileSync(at("archive.tar.gz"));
    const plain = gunzipSync(whole);
    const damaged = Buffer.from(plain);
    damaged.fill(0x7a, 0, 400);
    const flipped = Buffer.from(whole);
    flipped[600] = (flipped[600] ?? 0) ^ 0xff;
    mkdirSync(at("folder.tar.gz"));
    const cases: Record<string, [content: Buffer | undefined, reason: string]> = {
      "text.tar.gz": [Buffer.from("hello\n".repeat(200)), "text.tar.gz is not the archive of a group"],
      "text.gz": [gzipSync("hello\n".repeat(200)), "its content is not a tar"],
      "plain.tar": [plain, "it is not complete, valid gzip (incorrect header check)"],
      "cut.tar.gz": [whole.subarray(0, 900), "it is not complete, valid gzip (unexpected end of file)"],
      "flipped.tar.gz": [flipped, "it is not complete, valid gzip"],
      "damaged.tar.gz": [gzipSync(damaged), "its content is not a tar"],
      "torn.tar.gz": [gzipSync(plain.subarray(0, 1000)), "its content is not a tar"],
      "zeros.tar.gz": [gzipSync(Buffer.alloc(1024)), "its content is not a tar"],
      "empty.tar.gz": [Buffer.alloc(0), "empty.tar.gz is empty"],
      "folder.tar.gz": [undefined, "folder.tar.gz is a folder"],
      "missing.tar.gz": [undefined, "the file missing.tar.gz does not exist"],
    };
    requests();
    for (const [name, [content, reason]] of Object.entries(cases)) {
      if (content !== undefined) writeFileSync(at(name), content);
      const { code, stdout, stderr } = await run("import", name, "--name", "N", "--path", "p");
      expect({ name, code, stdout }).toEqual({ name, code: 2, stdout: "" });
      expect(stderr).toContain(reason);
    }
    expect(requests()).toEqual([]);
  });

  test.each(["a b", "-a", ".a", "a.", "a.git", "a.ATOM", "a/b", "ä", "", "a\n", "a?"])(
    "--path %j is refused",
    async (path) => {
      const { code, stdout, stderr } = await run("import", "archive.tar.gz", "--name", "N", `--path=${path}`);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(
        path === "" ? /^error: --path: is empty\n/ : /^error: --path: must be letters, digits, _, -/,
      );
    },
  );

  test("a blank name and one that is too long are refused; missing flags are named", async () => {
    for (const [words, message] of [
      [["--name", "  ", "--path", "p"], "--name: is empty"],
      [["--name", "n".repeat(256), "--path", "p"], "--name: has 256 characters; at most 255 are allowed"],
      [["--path", "p"], "missing --name <"],
      [["--name", "N"], "missing --path <"],
      [["--name", "N", "--path", "p", "--parent-id", "0"], "--parent-id: must be an ID"],
    ] as const) {
      const { code, stderr } = await run("import", "archive.tar.gz", ...words);
      expect(code).toBe(2);
      expect(stderr).toContain(`error: ${message}`);
    }
  });

  test("an archive above the instance's limit: the error names the setting", async () => {
    const big = gzipSync(Buffer.concat([gunzipSync(readFileSync(at("archive.tar.gz")))]), { level: 0 });
    writeFileSync(at("big.tar.gz"), Buffer.concat([big, gzipSync(Buffer.alloc(2 ** 20), { level: 0 })]));
    const settings = (value: string) =>
      owner.as("administrator").run("settings", "set", `max_import_size=${value}`, "--yes");
    await settings("1");
    const { code, stderr } = await run("import", "big.tar.gz", "--name", "N", "--path", "p");
    await settings("0");
    expect(code).toBe(1);
    expect(stderr).toContain("→ 413)");
    expect(stderr).toContain("forgectl settings get max_import_size\n");
  });
});

function admin() {
  return { FORGECTL_TOKEN: owner.sandbox.tokens.administrator };
}
