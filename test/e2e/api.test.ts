import { describe, expect, test } from "vitest";
import { json, signedIn } from "../support/answering.ts";
import { sandboxSession } from "../support/session.ts";

const { run, sandbox } = await sandboxSession();

describe("api", () => {
  test("any path works, with or without its prefix", async () => {
    for (const path of ["user", "/user", "api/v4/user", `${sandbox.url}/api/v4/user`]) {
      expect((await run("api", path, "--jq", ".username")).stdout).toBe("root\n");
    }
  });

  test.each([
    ["projects/7/uploads/..", 'the part ".."'],
    ["projects/7/uploads/%2E%2e/", 'the part "%2E%2e"'],
    ["projects/7/./uploads", 'the part "."'],
    ["projects/7/uploads\\..", '"\\\\"'],
    ["projects/7/uploads/.\n.", '"\\n"'],
    ["projects/7/uploads/ ", '" "'],
    ["projects/7/protected_branches/fix#12", '"#"'],
    ["users?search=#1", '"#"'],
  ])("%j is not read as another path", async (path, what) => {
    const { code, stdout, stderr } = await run("api", "-X", "DELETE", path);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(`the path has ${what}`)]);
  });

  test.each(["DELETE", "PUT", "PATCH", "POST"])(
    "%s answered by a page or 304 was not made; with 204 it was, whatever type is named",
    async (method) => {
      const headers = { "content-type": "text/html" };
      for (const more of [[], ["-i"]]) {
        const page = await signedIn((_, answer) =>
          answer.writeHead(200, headers).end("<!doctype html><title>Sign in</title>"),
        );
        const { code, stderr } = await page.run("api", "-X", method, "projects/7/x", "-o", "json", ...more);
        expect([code, JSON.parse(stderr).error.outcome]).toEqual([1, "unknown"]);
        const other = await signedIn((_, answer) => answer.writeHead(304).end());
        expect(await other.run("api", "-X", method, "projects/7/x", ...more)).toMatchObject({ code: 1 });
        const made = await signedIn((_, answer) => answer.writeHead(204, headers).end());
        expect(await made.run("api", "-X", method, "projects/7/x", ...more)).toMatchObject({ code: 0, stderr: "" });
      }
    },
  );

  test.each(["DELETE", "PUT", "PATCH"])(
    "%s of a path with an empty part is not that of what is above it",
    async (method) => {
      const paths = ["projects/7/", "projects/7//", "projects//hooks/3", "projects/7/?a=b", "/api/v4/projects/7/"];
      for (const path of [...paths, `${sandbox.url}/api/v4/projects/7/`]) {
        const { code, stdout, stderr } = await run("api", "-X", method, path);
        expect([path, code, stdout]).toEqual([path, 2, ""]);
        expect(stderr).toMatch(/^error: the path has an empty part, and would be read as another one\n/);
      }
      const whole = await run("api", "-X", method, `${sandbox.url}/api/v4/projects/7/x?a=b/`, "-n");
      expect([whole.code, whole.stdout]).toEqual([0, expect.stringContaining("/projects/7/x?a=b/")]);
    },
  );

  test("so is a POST of one that is empty before its end", async () => {
    expect((await run("api", "-X", "POST", "groups/acme//hooks", "-f", "url=https://x.example")).code).toBe(2);
  });

  test("a read, and what is added to a list, may have a slash at the end", async () => {
    expect(await run("api", "projects/7/", "--jq", ".id")).toMatchObject({ code: 0, stdout: "7\n" });
    expect((await run("api", "projects/7/issues/", "-f", "title=x", "-n")).stdout).toContain("/projects/7/issues/");
  });

  test("dots within a name, and in a query, are sent", async () => {
    const { stdout } = await run("api", "projects/7/repository/files/..%2Fa...b?ref=../x", "-n", "-X", "DELETE");
    expect(stdout).toContain("/projects/7/repository/files/..%2Fa...b?ref=../x");
  });

  test("fields go to the query of a GET, and otherwise to the body", async () => {
    const { stdout } = await run("api", "users", "-X", "GET", "-f", "username=root", "--jq", "length");
    expect(stdout).toBe("1\n");
    const planned = await run(
      "api",
      "x",
      "-f",
      "a[b]=c",
      "-f",
      "a[d][]=1",
      "-F",
      "n=2",
      "-F",
      "t=true",
      "-F",
      "z=null",
      "-n",
      "-o",
      "json",
    );
    expect(JSON.parse(planned.stdout)[0]).toMatchObject({
      method: "POST",
      body: { a: { b: "c", d: ["1"] }, n: 2, t: true, z: null },
    });
  });

  test("--input sends the body unchanged; -F x=@- reads stdin", async () => {
    const planned = await run("api", "x", "-F", "note=@-", "-n", "-o", "json", { input: "two\nlines\n" });
    expect(JSON.parse(planned.stdout)[0].body).toEqual({ note: "two\nlines\n" });
    const sent = await run(
      "api",
      "application/settings",
      "-X",
      "PUT",
      "--input",
      "-",
      "--jq",
      ".terminal_max_session_time",
      {
        input: '{"terminal_max_session_time": 42}',
      },
    );
    expect(sent).toMatchObject({ code: 0, stdout: "42\n" });
    const deep = `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`;
    const shown = await run("api", "x", "-X", "POST", "--input", "-", "-n", { input: deep });
    expect([shown.code, shown.stderr]).toEqual([0, ""]);
  });

  test.each([
    ["users?search=olivia.ortega --fields id,username -o csv", "id,username\n2,olivia.ortega\n"],
    ["users?search=olivia.ortega --fields id,username -o ndjson", '{"id":2,"username":"olivia.ortega"}\n'],
    ["users?search=olivia.ortega --fields username,id -o table", "username       id\nolivia.ortega   2\n"],
    ["users/2 --fields id,username -o tsv --no-header", "2\tolivia.ortega\n"],
    ["users/2 --fields id,username", '{"id":2,"username":"olivia.ortega"}\n'],
    ["projects/7/job_token_scope -o csv", "inbound_enabled,outbound_enabled\ntrue,true\n"],
    ["users?search=no.such.name -o csv", ""],
    ["projects/7/job_token_scope/groups_allowlist --paginate -o csv", /^id,web_url,name\n\d+,http\S+,.+\n/],
  ])("%s: a list or an object is shown as rows if rows are requested", async (line, expected) => {
    const { code, stdout, stderr } = await run("api", ...line.split(" "));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toEqual(typeof expected === "string" ? expected : expect.stringMatching(expected));
  });

  test("a secret in an argument warns and names the alternative; from a file it does not", async () => {
    const line = ["api", "user", "-X", "POST", "-n", "-o", "json"];
    const typed = await run(...line, "-H", "X-Api-Key: hush-hush", "-f", "a[password]=hush-hush", "-f", "name=x");
    const exposed = "is a secret, and an argument shows in process lists and in the shell's history";
    expect(typed.stderr.split("\n")).toEqual([
      `warning: password ${exposed}: give it with -F 'a[password]=@file'`,
      `warning: X-Api-Key ${exposed}: give it with --header-file`,
      "",
    ]);
    const file = await run(...line, "--header-file", "-", "-f", "name=x", { input: "X-Api-Key: hush-hush\nX-B: 2\n" });
    expect(file).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(file.stdout)[0].headers).toMatchObject({ "x-b": "2" });
    expect(typed.stdout + file.stdout).not.toContain("hush-hush");
  });

  test("a spam challenge is answered with the flags in its hint", async () => {
    const post = ["api", "projects/7/issues/28/notes", "-f", "body=sandbox-spam"];
    const { code, stderr } = await run(...post);
    expect(code).toBe(1);
    const flags = /--captcha-response <answer> --spam-log-id \d+/.exec(stderr)?.[0].replace("<answer>", "x") ?? "";
    expect(await run(...post, ...flags.split(" "), "--jq", ".body")).toMatchObject({ stdout: "sandbox-spam\n" });
  });

  test("--paginate reads all pages, one object per line", async () => {
    const { stdout } = await run("api", "users?per_page=100", "--paginate");
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toHaveLength(300);
  });

  test("-i shows status and headers; a failure still fails", async () => {
    const { code, stdout } = await run("api", "users/4711", "-i");
    expect(code).toBe(3);
    expect(stdout).toMatch(/^HTTP 404\n/);
    expect(stdout).toContain("x-request-id: ");
  });

  test.each([
    [["api", "https://elsewhere.example/api/v4/user"], "is not an address of"],
    [["api", "user", "-H", "PRIVATE-TOKEN: x"], "set the token in FORGECTL_TOKEN"],
    [["api", "user", "-H", "no colon"], 'must be "name: value"'],
    [["api", "user", "-H", "X-A: a\u0007b"], "-H: the value of X-A has a character that is not allowed in a header"],
    [["api", "user", "-H", "X-A: 中文"], "-H: the value of X-A has a character that is not allowed in a header"],
    [["api", "user", "-H", "X-A: a\r\nX-B: b"], "-H: a header must not contain a line break"],
    [["api", "user", "-H", "X A: b"], "is not a valid header name"],
    [["api", "user", "-H", "host: other.example"], "try:   --base-url says which instance"],
    [["api", "user", "-H", "Transfer-Encoding: chunked"], "-H: Transfer-Encoding is about the connection"],
    [["api", "user", "-H", "Expect: 100-continue"], "-H: Expect is about the connection"],
    [["api", "user", "-H", "Proxy-Authorization: Basic eA=="], "Proxy-Authorization is about the connection"],
    [["api", "user", "-f", "novalue"], "must be key=value"],
    [["api", "user", "--input", "missing.json"], "the file missing.json does not exist"],
    [["api", "user", "-f", "a=1", "-f", "a[b]=1"], "given a value and parts of one"],
    [["api", "user", "-X", "POST", "--paginate"], "--paginate needs GET"],
  ])("%j", async (words, message) => {
    const { code, stdout, stderr } = await run(...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });
});

describe("numbers that JSON's readers round", () => {
  const text = '{ "id": 9007199254740993,\n  "share": 1.0, "id2": 5 }';
  const rounded = "warning: the answer has whole numbers that are too large to be exact";

  test("are printed as they came, or with a warning", async () => {
    const { run } = await signedIn(json(200, text));
    const plain = await run("api", "x");
    expect([plain.code, plain.stdout]).toEqual([0, `${text}\n`]);
    for (const flags of [
      ["--jq", ".id"],
      ["-o", "json"],
      ["-o", "tsv"],
    ]) {
      const { code, stderr } = await run("api", "x", ...flags);
      expect([flags, code, stderr]).toEqual([flags, 0, expect.stringContaining(rounded)]);
    }
    const listed = await signedIn(json(200, `[${text}]`));
    expect((await listed.run("api", "x", "--paginate")).stderr).toContain(rounded);
  });

  test("no warning without them, and secrets are hidden as before", async () => {
    const { run } = await signedIn(json(200, '{"id":9007199254740991, "token":"s3cret-of-a-hook"}'));
    const { stdout, stderr } = await run("api", "x");
    expect(stdout).toBe('{"id":9007199254740991,"token":"[redacted]"}\n');
    expect(stderr).not.toContain("warning");
  });
});

describe("a request of a batch that adds is not sent again", () => {
  const input = ["a", "b"].map((id) => JSON.stringify({ id, args: ["api", id, "-X", "POST", "-f", "a=b"] })).join("\n");
  const words = ["batch", "--journal", "posts.journal", "--yes", "-o", "json"];
  const sent = (seen: string[]) => seen.filter((line) => line.startsWith("POST")).sort();
  const both = ["POST /forge/api/v4/a", "POST /forge/api/v4/b"];

  test("if it was made and answered with bytes that are no text", async () => {
    const { run, seen } = await signedIn((_request, response) =>
      response.writeHead(201, { "content-type": "image/png" }).end(Buffer.from([0xff])),
    );
    const first = await run(...words, { input });
    const made = { status: "made", exit: 1, error: { outcome: "made" } };
    expect(JSON.parse(first.stdout)).toMatchObject([made, made]);
    await run(...words, { input });
    expect(sent(seen)).toEqual(both);
  });

  test("if its answer was lost", async () => {
    const { run, seen } = await signedIn((request) => request.socket.resetAndDestroy());
    for (const _ of [1, 2]) {
      const { code, stdout } = await run(...words, { input });
      expect([code, JSON.parse(stdout)]).toMatchObject([9, [{ status: "unknown" }, { status: "unknown" }]]);
    }
    expect(sent(seen)).toEqual(both);
  });
});

test("columns are those of the first row, and what others have besides is named", async () => {
  const rows = [{ id: 1, note: "a" }, { id: 2, push_data: { ref: "main" } }, { id: 3 }];
  const { run } = await signedIn(json(200, JSON.stringify(rows)));
  for (const format of ["csv", "tsv", "table"]) {
    const { code, stdout, stderr } = await run("api", "events", "-o", format);
    expect([format, code, stdout.includes("push_data")]).toEqual([format, 0, false]);
    expect(stderr).toBe("left out, as the first row does not have them: push_data (--fields, -o ndjson)\n");
    const chosen = await run("api", "events", "-o", format, "--fields", "id,note");
    expect([chosen.code, chosen.stderr]).toEqual([0, ""]);
  }
  expect((await run("api", "events", "-o", "ndjson")).stderr).toBe("");
});
