import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { startReceiver } from "../support/receiver.ts";
import { requestsIn, sandboxSession } from "../support/session.ts";

let log: string[];
let owner: Awaited<ReturnType<typeof sandboxSession>>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
  log = [];
  owner = await sandboxSession({ as: "owner", log: (line) => log.push(line) });
  receiver = await startReceiver();
});

const requests = () => requestsIn(log);

const words = (line: string) => line.split(" ");
const inAcme = (line: string) => owner.run(...words(line), "-g", "acme");

/** A new hook, by its ID. */
async function newHook(...more: string[]): Promise<string> {
  const made = await owner.run(..."hooks create -q -g acme --fields id --no-header".split(" "), receiver.url, ...more);
  expect(made).toMatchObject({ code: 0, stderr: "" });
  return made.stdout.trim();
}

test.each(["", "\n \r\n"])("an empty file of headers (%j) removes none", async (text) => {
  const admin = await sandboxSession();
  const update = "hooks update 2 -g acme --header-file -".split(" ");
  const { code, stdout, stderr } = await admin.run(...update, { input: text });
  expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(/^error: --header-file: has no header\n/)]);
  const shown = await admin.run(..."hooks get 2 -g acme --jq .custom_headers[].key".split(" "));
  expect(shown.stdout).toBe("X-Deploy-Key\n");
});

test("an empty pipe does not remove a template; an empty file does", async () => {
  const admin = await sandboxSession();
  const update = "hooks update 2 -g acme --template-file".split(" ");
  const template = async () =>
    (await admin.run(..."hooks get 2 -g acme --jq .custom_webhook_template".split(" "))).stdout;
  expect((await admin.run(...update, "-", { input: "{}" })).code).toBe(0);
  const { code, stdout, stderr } = await admin.run(...update, "-", { input: "" });
  expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(/^error: --template-file: has no content\n/)]);
  expect(await template()).toBe("{}\n");
  expect((await admin.run(...update, "/dev/null")).code).toBe(0);
  expect(await template()).toMatch(/^(?:null)?\n$/);
});

describe("hooks list and get", () => {
  test("show the enabled kinds in the form that --events accepts", async () => {
    expect(await inAcme("hooks list -L 3")).toEqual({
      code: 0,
      stdout: [
        "id\tname\turl\tevents\talert_status",
        "1\tChat\thttps://chat.acme.example/hooks/{channel}\tpush,merge_requests,issues,note,releases\texecutable",
        "2\tDeploys\thttps://deploys.acme.example/webhook\tpush,tag_push\ttemporarily_disabled",
        "3\tPager\thttps://pager.acme.example/v2/enqueue\tall\texecutable",
        "",
      ].join("\n"),
      stderr: "",
    });
    const { stdout } = await inAcme("hooks get 2 -o json");
    expect(JSON.parse(stdout)).toMatchObject({
      id: 2,
      push_events: true,
      note_events: false,
      events: ["push", "tag_push"],
      custom_headers: [{ key: "X-Deploy-Key" }],
    });
    expect((await inAcme("hooks get 2 -o table")).stdout).toMatch(/^events +push,tag_push$/m);
  });

  test("require an Owner, and say so", async () => {
    const { code, stdout, stderr } = await owner.as("maintainer").run("hooks", "list", "-g", "acme");
    expect({ code, stdout }).toEqual({ code: 5, stdout: "" });
    expect(stderr).toContain("cause: usually this needs the Owner role\n");
    const missing = await inAcme("hooks get 4");
    expect(missing.code).toBe(3);
    expect(missing.stderr).toContain("this exists only in the Premium and Ultimate tiers");
  });
});

describe("hooks create", () => {
  test("sends what was given, and exactly those kinds", async () => {
    await writeFile(join(owner.home, "token.txt"), "hush-hush\n");
    await writeFile(join(owner.home, "template.json"), '{"text":"{{object_kind}}"}\n');
    await writeFile(join(owner.home, "headers.txt"), "X-Two: blue-moon\n\n");
    requests();
    const line = [
      ...words("hooks create https://hooks.example.com/in -g acme --name CI --description builds --events push,note"),
      ...words("--branch-filter ^release/ --branch-filter-strategy regex --no-ssl-verification"),
      ...words("--token-file token.txt --template-file template.json --header-file headers.txt"),
      ...["--header", "X-One: red-rose"],
    ];
    const dry = await owner.run(...line, "--dry-run", "-o", "json");
    expect(requests()).toEqual([]);
    const [{ body, ...request }] = JSON.parse(dry.stdout);
    expect(request).toEqual({ method: "POST", url: `${owner.sandbox.url}/api/v4/groups/acme/hooks` });
    const { push_events, note_events, ...others } = Object.fromEntries(
      Object.entries(body).filter(([name]) => name.endsWith("_events")),
    );
    expect({ push_events, note_events }).toEqual({ push_events: true, note_events: true });
    expect(Object.values(others)).toEqual(Array(16).fill(false));
    expect(body).toMatchObject({
      url: "https://hooks.example.com/in",
      name: "CI",
      description: "builds",
      push_events_branch_filter: "^release/",
      branch_filter_strategy: "regex",
      enable_ssl_verification: false,
      token: "[redacted]",
      custom_webhook_template: '{"text":"{{object_kind}}"}\n',
      custom_headers: [
        { key: "X-One", value: "[redacted]" },
        { key: "X-Two", value: "[redacted]" },
      ],
    });
    const made = await owner.run(...line, "--debug", "-o", "json");
    expect(made.code).toBe(0);
    expect(JSON.parse(made.stdout)).toMatchObject({ name: "CI", events: ["push", "note"] });
    for (const secret of ["hush-hush", "red-rose", "blue-moon"]) {
      expect(dry.stdout + dry.stderr + made.stdout + made.stderr).not.toContain(secret);
    }
  });

  test.each([
    ["hooks.example.com", [], "error: <url>: the URL has no scheme\ntry:   write it as https://host/path\n"],
    ["https://x.example", ["--events", "pushh"], "try:   did you mean push?\n"],
    ["https://x.example", ["--header", "X-Key hunter22"], 'error: --header: must be "name: value"; it has no colon'],
    ["https://x.example", ["--header", "X: a\nY: b"], "error: --header: a header must not contain a line break"],
    ["https://x.example", ["--token-stdin"], "error: --token-stdin: the token is empty\n"],
    ["https://x.example", ["--token-stdin", "--token-file", "x"], "give only one of --token-stdin and --token-file"],
    [
      "https://x.example",
      ["--token-stdin", "--template-file", "-"],
      "--token-stdin and --template-file - can read stdin",
    ],
    ["https://x.example", ["--token-file", "nowhere"], "error: the file nowhere does not exist\n"],
    ["https://x.example", ["--branch-filter-strategy", "glob"], "must be one of wildcard, regex, all_branches"],
  ])("%s %j is a usage error, and nothing is sent", async (url, flags, message) => {
    requests();
    const { code, stdout, stderr } = await owner.run("hooks", "create", url, "-g", "acme", ...flags);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("hunter22");
    expect(requests()).toEqual([]);
  });

  test("shows what the instance refuses", async () => {
    const { code, stderr } = await owner.run(
      ..."hooks create http://10.0.0.1 -g acme --name".split(" "),
      "x".repeat(256),
    );
    expect(code).toBe(1);
    expect(stderr).toContain("field: name: is too long (maximum is 255 characters)\n");
  });
});

describe("hooks update", () => {
  test("reads and sends the current URL, and turns kinds on and off", async () => {
    const id = await newHook("--events", "push,issues");
    requests();
    const dry = await owner.run(...words(`hooks update ${id} -g acme -n -o json --events`), "-push,note");
    expect(JSON.parse(dry.stdout)[0].body).toEqual({ url: receiver.url, push_events: false, note_events: true });
    expect(requests()).toEqual([`GET /api/v4/groups/acme/hooks/${id} 200`]);
    const done = await owner.run(
      ...words(`hooks update ${id} -g acme --fields events --no-header -q --events`),
      "-push,note",
    );
    expect(done).toEqual({ code: 0, stdout: "issues,note\n", stderr: "" });
    expect(requests()).toEqual([`GET /api/v4/groups/acme/hooks/${id} 200`, `PUT /api/v4/groups/acme/hooks/${id} 200`]);
  });

  test("lines of a batch take turns: none sends the URL that another has just replaced, and the secrets with it", async () => {
    const id = await newHook("--events", "push");
    const lines = [
      ["--url", `${receiver.url}/new`, "--token-file", "token.txt"],
      ["--events", "-push,note"],
      ["--name", "Moved"],
    ].map((more) => JSON.stringify({ args: ["hooks", "update", id, "-g", "acme", ...more] }));
    await writeFile(join(owner.home, "token.txt"), "a-new-token");
    await writeFile(join(owner.home, "lines.ndjson"), lines.join("\n"));
    requests();
    expect((await owner.run("batch", "lines.ndjson", "--yes", "--concurrency", "3")).code).toBe(0);
    // What their undo lines need was read before.
    expect(
      requests()
        .map((line) => line.slice(0, 3))
        .slice(-6),
    ).toEqual(["GET", "PUT", "GET", "PUT", "GET", "PUT"]);
    const shown = await inAcme(`hooks get ${id} -o json`);
    expect(JSON.parse(shown.stdout)).toMatchObject({
      ...{ url: `${receiver.url}/new`, name: "Moved", note_events: true, push_events: false },
    });
  });

  test("the unchanged URL removes nothing, and does not ask", async () => {
    const id = await newHook("--header", "X-Old: 1");
    requests();
    const { stdout } = await inAcme(`hooks update ${id} --url ${receiver.url} --fields url --no-header`);
    expect(stdout).toBe(`${receiver.url}\n`);
    expect(requests()).toEqual([`GET /api/v4/groups/acme/hooks/${id} 200`, `PUT /api/v4/groups/acme/hooks/${id} 200`]);
  });

  test("a new URL first asks for the secrets that instances remove with it, naming them; nothing is sent", async () => {
    const id = await newHook("--header", "X-Old: 1");
    requests();
    const alone = await inAcme(`hooks update ${id} --url ${receiver.url}/new`);
    expect(alone).toEqual({
      code: 2,
      stdout: "",
      stderr: [
        `error: this would change the URL of hook ${id} of group acme, which drops its secret token (if it has one) and header X-Old, and needs confirmation`,
        "try:   give the values to keep again (--token-file, --header-file), or remove them (--no-token, --remove-header); or add --yes to confirm, or --dry-run to see the requests",
        "see:   forgectl hooks update --help",
        "",
      ].join("\n"),
    });
    expect(requests()).toEqual([`GET /api/v4/groups/acme/hooks/${id} 200`]);
    // What is given again or removed explicitly is not lost.
    const line = words(`hooks update ${id} -g acme --url ${receiver.url}/new --no-token --header`);
    const whole = await owner.run(...line, "x-old: 2", "--jq", ".url, .custom_headers[].key");
    expect(whole).toEqual({ code: 0, stdout: `${receiver.url}/new\nx-old\n`, stderr: "" });
  });

  test("headers are read first: it asks about headers that the new list would remove, naming them", async () => {
    const id = await newHook("--header", "X-Old: 1", "--header", "X-Two: 1");
    const line = words(`hooks update ${id} -g acme --jq .custom_headers[].key --header`);
    requests();
    const alone = await owner.run(...line, "X-New: 2");
    expect([alone.code, alone.stderr]).toEqual([
      2,
      expect.stringContaining("which drops headers X-Old, X-Two if the instance treats them as the whole list"),
    ]);
    expect(requests()).toEqual([`GET /api/v4/groups/acme/hooks/${id} 200`]);
    const agreed = await owner.run(...line, "X-New: 2", "--yes");
    const gone = "headers X-Old, X-Two of the hook: removed by this change\n";
    expect(agreed).toEqual({ code: 0, stdout: "X-New\n", stderr: gone });
    // All of them are given again, so nothing is asked.
    expect(await owner.run(...line, "X-New: 3", "--header", "X-More: 1")).toEqual({
      code: 0,
      stdout: "X-New\nX-More\n",
      stderr: "",
    });
    const removed = await owner.run(
      ...words(`hooks update ${id} -g acme --jq .custom_headers[].key`),
      "--remove-header",
      "x-new",
    );
    expect(removed).toEqual({ code: 0, stdout: "X-More\n", stderr: "" });
  });

  test("--remove-header: a missing header, one that is also given, and an instance without this request", async () => {
    const id = await newHook("--header", "X-Old: 1");
    requests();
    const none = await inAcme(`hooks update ${id} --remove-header X-Other`);
    expect([none.code, none.stderr]).toEqual([
      3,
      `error: hook ${id} of group acme has no header X-Other\ncause: its custom headers: X-Old\n`,
    ]);
    const both = await owner.run(...words(`hooks update ${id} -g acme --remove-header x-old --header`), "X-Old: 1");
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("x-old is given with --header too")]);
    expect(requests().filter((line) => !line.startsWith("GET"))).toEqual([]);
  });

  test("requires a change, and a URL with a scheme", async () => {
    requests();
    const nothing = await inAcme("hooks update 2");
    expect(nothing.code).toBe(2);
    expect(nothing.stderr).toContain("error: missing a flag that changes the hook\n");
    expect((await inAcme("hooks update 2 --url deploys")).code).toBe(2);
    expect(requests()).toEqual([]);
  });

  test("takes a new token from stdin, without its line break", async () => {
    const own = await startReceiver();
    const id = await newHook("--events", "note");
    await inAcme(`hooks update ${id} --url ${own.url} --no-token`);
    const set = await owner.run(...words(`hooks update ${id} -g acme --token-stdin`), { input: "new-secret\n" });
    expect(set.code).toBe(0);
    await owner.run(...words("api projects/7/issues/1/notes -f body=Hello -q"));
    const [delivery] = await own.wait(1);
    expect(delivery?.headers["x-service-token"]).toBe("new-secret");
    const both = await owner.run(...words(`hooks update ${id} -g acme --no-token --token-stdin`), { input: "x" });
    expect([both.code, both.stderr]).toEqual([
      2,
      expect.stringContaining("error: --no-token removes the token: leave out --token-stdin and --token-file"),
    ]);
    expect((await inAcme(`hooks update ${id} --no-token`)).code).toBe(0);
    await owner.run(...words("api projects/7/issues/1/notes -f body=Again -q"));
    const [, second] = await own.wait(2);
    expect(second?.headers["x-service-token"]).toBeUndefined();
  });
});

describe("outside the API documents", () => {
  test("hooks test delivers an event of a kind at once; a refusal by the receiver is an error", async () => {
    const own = await startReceiver();
    const id = await newHook();
    await inAcme(`hooks update ${id} --url ${own.url} --no-token`);
    const tested = await inAcme(`hooks test ${id} --trigger push`);
    expect(tested).toEqual({ code: 0, stdout: `hook_id\ttrigger\tstatus\n${id}\tpush\tdelivered\n`, stderr: "" });
    const [delivery] = await own.wait(1);
    expect(delivery?.headers["x-service-event"]).toBe("Push Hook");
    own.answer = { status: 500, body: "out of order" };
    const refused = await inAcme(`hooks test ${id} --trigger push_events`);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining("cause: the receiver answered without success: out of order\n"),
    ]);
    const none = await inAcme(`hooks test ${id} --trigger feature_flag`);
    expect([none.code, none.stderr]).toEqual([1, expect.stringMatching(/nothing was delivered.*\ncause: Testing not/)]);
    const wrong = await inAcme(`hooks test ${id} --trigger pusch`);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("try:   did you mean push?\n")]);
  });

  test("hooks delete asks, and deletes each hook", async () => {
    const ids = [await newHook(), await newHook()];
    const line = `hooks delete ${ids.join(" ")}`;
    const unasked = await inAcme(line);
    expect([unasked.code, unasked.stderr]).toEqual([
      2,
      expect.stringContaining(`this would delete webhooks ${ids.join(", ")} (group acme), and needs confirmation`),
    ]);
    const { code, stdout } = await inAcme(`${line} --yes --no-header --fields hook_id,status`);
    expect([code, stdout]).toEqual([0, ids.map((id) => `${id}\tdeleted\n`).join("")]);
    expect((await inAcme(`hooks get ${ids[0]}`)).code).toBe(3);
  });

  test("an instance without these requests is named as the cause", async () => {
    const bare = await startReceiver();
    const env = { FORGECTL_BASE_URL: bare.url };
    const headers = { "content-type": "application/json" };
    bare.answer = { status: 404, body: '{"error":"404 Not Found"}', headers };
    for (const line of ["hooks delete 2 --yes", "hooks test 2 --trigger push"]) {
      const { code, stderr } = await owner.run(...words(line), "-g", "acme", { env });
      expect([line, code, stderr]).toEqual([
        line,
        3,
        expect.stringContaining("an instance may lack this undocumented request\n"),
      ]);
    }
    bare.answer = { status: 405, body: '{"error":"405 Not Allowed"}', headers };
    const { code, stderr } = await owner.run(...words("hooks delete 2 --yes -g acme"), { env });
    expect([code, stderr]).toEqual([1, expect.stringContaining("this instance does not offer it")]);
  });
});

test("secrets that an instance returns, against its documents, are not shown", async () => {
  const leaky = await startReceiver();
  const secrets = { token: "hunter22", custom_headers: [{ key: "X-Key", value: "hunter33" }] };
  const variables = { url_variables: [{ key: "room", value: "hunter44" }] };
  const hook = { id: 1, url: "https://x.example", push_events: true, ...secrets, ...variables };
  const lines = ["hooks get 1", "hooks update 1 --name x", "hooks create https://x.example", "hooks list"];
  for (const line of lines) {
    const body = JSON.stringify(line === "hooks list" ? [hook] : hook);
    leaky.answer = { status: 200, body, headers: { "content-type": "application/json" } };
    for (const format of ["json", "tsv", "yaml"]) {
      const env = { FORGECTL_BASE_URL: leaky.url };
      const { code, stdout } = await owner.run(...words(line), "-g", "acme", "-o", format, { env });
      expect([line, code, stdout]).toEqual([line, 0, expect.not.stringMatching(/hunter\d/)]);
      if (format === "json") expect(stdout).toContain('"key": "X-Key"');
    }
  }
});
