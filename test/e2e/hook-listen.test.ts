import { mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { post, startListening } from "../support/listening.ts";
import { startReceiver } from "../support/receiver.ts";
import { sandboxSession } from "../support/session.ts";

// A receiver on this machine: deliveries are shown, saved, forwarded. No client of the port is trusted.

let owner: Awaited<ReturnType<typeof sandboxSession>>;
beforeAll(async () => {
  owner = await sandboxSession({ as: "owner" });
  writeFileSync(join(owner.home, "token.txt"), "s3cret-tökén\n");
});

const words = (line: string) => line.split(" ");
const listening = (line = "") => startListening(owner, ...words(line).filter((word) => word !== ""));
const note = (text: string) =>
  JSON.stringify({
    object_kind: "note",
    project: { path_with_namespace: "acme/docs" },
    object_attributes: { note: text },
  });
const fromHook = { "X-Service-Event": "Note Hook", "Content-Type": "application/json" };
const rows = (stdout: string) =>
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("with the sandbox", () => {
  test("a hook is created, a comment and a push arrive, and then it ends", async () => {
    const there = await listening("--token-file token.txt --count 3 --save saved");
    const create = `hooks create ${there.url}/in -g acme --events note,push --token-file token.txt`;
    expect((await owner.run(...words(create))).code).toBe(0);
    await owner.run(...words("notes create --issue 1 -p acme/storefront --body"), "Does it arrive?\nYes.");
    await owner.run(...words("files create new.txt -p acme/storefront -b main --content hello -m"), "Say hello");
    const tested = await owner.run(...words(`hooks test 5 -g acme --trigger push`));
    expect([tested.code, tested.stderr]).toEqual([0, ""]);
    const { code, stdout, stderr } = await there.ended;
    expect([code, stderr]).toEqual([0, `listening on ${there.url}; Ctrl-C stops it\n`]);
    const lines = stdout.split("\n").map((line) => line.replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z\t/, "(time)\t"));
    const push = "(time)\tPush Hook\tacme/storefront\tmain: Say hello\t200\t";
    // Each delivery is sent by itself: a later one may arrive earlier.
    const [head, ...received] = lines;
    expect([head, ...received.sort()]).toEqual([
      "received_at\tevent\tplace\ttitle\tstatus\terror",
      "",
      "(time)\tNote Hook\tacme/storefront\tDoes it arrive?\t200\t",
      push,
      push,
    ]);
    const files = readdirSync(join(owner.home, "saved")).sort();
    expect(files.map((name) => name.replace(/^\d{8}T\d{6}Z/, "(time)"))).toEqual([
      "(time)-0001.json",
      "(time)-0002.json",
      "(time)-0003.json",
    ]);
    const saved = files.map((name) => JSON.parse(readFileSync(join(owner.home, "saved", name), "utf8")));
    expect(saved.map(({ object_kind }) => object_kind).sort()).toEqual(["note", "push", "push"]);
    expect(statSync(join(owner.home, "saved", files[0] ?? "")).mode & 0o777).toBe(0o600);
    const seen = await owner.run(...words("hooks events 5 -g acme --fields response_status --no-header"));
    expect(seen.stdout).toBe("200\n200\n200\n");
  });

  test("its answers are those in the hook's deliveries", async () => {
    const there = await listening("--token-file token.txt");
    const { stdout } = await owner.run(
      ...words(`hooks create ${there.url} -g acme --events note --fields id --no-header`),
    );
    const refused = await owner.run(...words(`hooks test ${stdout.trim()} -g acme --trigger note`));
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("no token")]);
    there.signal("SIGINT");
    expect((await there.ended).code).toBe(0);
  });
});

test("a dry run neither forwards nor saves, and says so to the sender", async () => {
  const receiver = await startReceiver();
  const there = await listening(`--forward ${receiver.url} --save not-made --count 1 --dry-run`);
  const { status, body } = await post(there.url, { body: note("one"), headers: fromHook });
  expect([status, body]).toEqual([503, "a dry run: it is neither saved nor forwarded\n"]);
  const { code, stdout } = await there.ended;
  expect([code, stdout]).toEqual([0, expect.stringContaining("\tacme/docs\tone\t503\t\n")]);
  expect([receiver.received, readdirSync(owner.home).includes("not-made")]).toEqual([[], false]);
});

describe("with --count", () => {
  test("a signal before all have arrived is exit 130", async () => {
    const there = await listening("--count 2");
    await post(there.url, { body: note("one"), headers: fromHook });
    there.signal("SIGTERM");
    const { code, stdout, stderr } = await there.ended;
    expect([code, stdout.split("\n").length]).toEqual([130, 3]);
    expect(stderr).toContain("error: interrupted: 1 of 2 deliveries arrived\n");
  });
});

describe("output", () => {
  test("ndjson is the complete delivery, as it arrives, without its secrets", async () => {
    const there = await listening("--count 1 -o ndjson");
    const headers = { ...fromHook, "X-Service-Token": "hush", "X-Deploy-Key": "hush", "Idempotency-Key": "e1" };
    await post(`${there.url}/in?private_token=hush`, { headers, body: note("Hi") });
    const { code, stdout, stderr } = await there.ended;
    expect([code, stdout.includes("hush"), stderr.includes("hush")]).toEqual([0, false, false]);
    const [row] = rows(stdout);
    expect(row).toMatchObject({ event: "Note Hook", place: "acme/docs", title: "Hi", status: 200, error: null });
    expect(row.headers).toMatchObject({ "X-Service-Token": "[redacted]", "Idempotency-Key": "e1" });
    expect(row.body).toEqual(JSON.parse(note("Hi")));
  });

  test("rows are printed before the next delivery, and -o json is one valid array", async () => {
    const there = await listening();
    await post(there.url, { headers: fromHook, body: note("First") });
    await expect.poll(() => there.lines().length).toBe(2);
    there.signal("SIGTERM");
    expect((await there.ended).code).toBe(0);
    const array = await listening("-o json --count 2");
    for (const text of ["One", "Two"]) await post(array.url, { headers: fromHook, body: note(text) });
    expect(JSON.parse((await array.ended).stdout).map(({ title }: { title: string }) => title)).toEqual(["One", "Two"]);
  });

  test.each([
    ["escape sequences", note("\u001b]0;x\u0007\u009b31m\u202e"), "\u001b]0;x\u0007\u009b31m\u202e"],
    ["a long first line", note(`${"long ".repeat(100)}\nrest`), `${"long ".repeat(40).slice(0, 197)}...`],
    ["text that is not JSON", "hello", null],
    ["no body", "", null],
    ["JSON that is not an object", '["push"]', null],
    ["a hundred thousand brackets", "[".repeat(100_000) + "]".repeat(100_000), null],
    ["titles that are not text", '{"object_attributes":{"title":{"a":1}},"project":"x","ref":7}', null],
    ["names of prototypes", '{"__proto__":{"ref":"x"},"constructor":{"name":"y"}}', null],
    ["bytes that are not UTF-8", Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), null],
  ])("%s break nothing", async (_, body, title) => {
    const there = await listening("--count 1 -o ndjson");
    const headers = { "X-Service-Event": "A\u009bB" };
    expect((await post(there.url, { headers, body })).status).toBe(200);
    const { code, stdout } = await there.ended;
    expect([code, stdout.includes("\u009b")]).toEqual([0, false]);
    expect(rows(stdout)).toEqual([expect.objectContaining({ event: "A\u009bB", title, status: 200 })]);
  });
});

describe("refusals", () => {
  test("a wrong token: 401, shown, not counted; the right one in any vendor's header is accepted", async () => {
    const there = await listening("--token-file token.txt --count 1 -o ndjson");
    // Headers have one character per byte: the platform sends UTF-8.
    const token = Buffer.from("s3cret-tökén", "utf8").toString("latin1");
    for (const wrong of ["", "s3cret", `${token}x`]) {
      const headers = { ...fromHook, "X-Service-Token": wrong };
      expect((await post(there.url, { headers, body: note("forged") })).status).toBe(401);
    }
    expect((await post(there.url, { headers: { Authorization: token }, body: note("forged") })).status).toBe(401);
    expect((await post(there.url, { headers: { "X-Forge-Token": token }, body: note("real") })).status).toBe(200);
    const { code, stdout } = await there.ended;
    expect([code, stdout.includes("forged")]).toEqual([0, false]);
    expect(rows(stdout).map(({ status, error, title }) => [status, error, title])).toEqual([
      ...Array(3).fill([401, "wrong token", null]),
      [401, "no token", null],
      [200, null, "real"],
    ]);
  });

  test("browsers, other names, other methods; none of them is a delivery", async () => {
    const there = await listening("--count 1 -o ndjson");
    const status = async (options: object, path = "") => (await post(`${there.url}${path}`, options)).status;
    expect(await status({ headers: { Host: `evil.example:${there.port}` } })).toBe(421);
    expect(await status({ headers: { Host: `localhost.evil.example` } })).toBe(421);
    expect(await status({ headers: { Origin: "https://evil.example" } })).toBe(403);
    expect(await status({ headers: { "Sec-Fetch-Site": "cross-site" } })).toBe(403);
    expect(await post(there.url, { method: "GET" })).toMatchObject({ status: 405, headers: { allow: "POST" } });
    expect(await status({ headers: { Host: `localhost:${there.port}` }, body: "{}" })).toBe(200);
    const { stdout, stderr } = await there.ended;
    expect(rows(stdout)).toHaveLength(1);
    expect(stderr.match(/^warning: refused with 4\d\d: .* \((?:POST|GET) \/\)$/gm)).toHaveLength(5);
  });

  test("bodies up to 25 MiB are accepted, one byte more is 413, with and without a length", async () => {
    const there = await listening("--count 2 --save large");
    const most = Buffer.alloc(25 * 1024 * 1024, "a");
    const more = Buffer.concat([most, Buffer.from("b")]);
    expect((await post(there.url, { body: more })).status).toBe(413);
    expect((await post(there.url, { body: more, headers: { "Transfer-Encoding": "chunked" } })).status).toBe(413);
    expect((await post(there.url, { body: most })).status).toBe(200);
    expect((await post(there.url, { body: most, headers: { "Transfer-Encoding": "chunked" } })).status).toBe(200);
    expect((await there.ended).code).toBe(0);
    const sizes = readdirSync(join(owner.home, "large")).map((name) => statSync(join(owner.home, "large", name)).size);
    expect(sizes).toEqual([most.length, most.length]);
  });
});

describe("--forward", () => {
  test.each([
    ["HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n", "101"],
    ["HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n", "99"],
  ])(
    "an answer that is no answer to a delivery (%j) is an error of the delivery, not its end",
    async (text, status) => {
      const odd = createServer((socket) => socket.on("error", () => undefined).once("data", () => socket.write(text)));
      const port = await new Promise((resolve) => {
        odd.listen(0, "127.0.0.1", () => resolve((odd.address() as AddressInfo).port));
      });
      const there = await listening(`--forward http://127.0.0.1:${port} --timeout 20 --count 1 -o ndjson`);
      expect((await post(there.url, { headers: fromHook, body: note("x") })).status).toBe(502);
      const { code, stdout } = await there.ended;
      odd.close();
      expect([code, rows(stdout)]).toEqual([
        9,
        [expect.objectContaining({ status: 502, error: `not forwarded: the answer has the status ${status}` })],
      ]);
    },
  );

  test("passes on body and headers, except hop-by-hop ones, and returns the answer", async () => {
    const receiver = await startReceiver();
    receiver.answer = { status: 418, body: "short and stout", headers: { "X-Pot": "tea", "Keep-Alive": "timeout=9" } };
    const there = await listening(`--forward ${receiver.url}/webhook?a=1 --count 1 -o ndjson`);
    const headers = {
      ...fromHook,
      "X-Service-Token": "hush",
      "X-Hop": "x",
      Connection: "close, X-Hop",
      TE: "trailers",
    };
    const answer = await post(`${there.url}/in`, { headers, body: note("Hi") });
    expect(answer).toMatchObject({ status: 418, body: "short and stout", headers: { "x-pot": "tea" } });
    expect(answer.headers["keep-alive"]).toBeUndefined();
    const [got] = receiver.received;
    expect(got).toMatchObject({ method: "POST", url: "/webhook?a=1", body: note("Hi") });
    expect(got?.headers).toMatchObject({ "x-service-token": "hush", host: receiver.url.slice("http://".length) });
    expect(Object.keys(got?.headers ?? {})).not.toEqual(expect.arrayContaining(["x-hop"]));
    expect(Object.keys(got?.headers ?? {})).not.toEqual(expect.arrayContaining(["te"]));
    // The profile's own token is not forwarded.
    expect(JSON.stringify(got)).not.toContain(owner.sandbox.tokens.owner);
    expect(rows((await there.ended).stdout)[0]).toMatchObject({ status: 418, error: null });
  });

  test("redirects are passed on, not followed; a refused connection is 502, and shown", async () => {
    const receiver = await startReceiver();
    receiver.answer = { status: 307, headers: { Location: "/elsewhere" } };
    const there = await listening(`--forward ${receiver.url} --timeout 1 --count 2 -o ndjson`);
    expect(await post(there.url, { body: "{}" })).toMatchObject({ status: 307, headers: { location: "/elsewhere" } });
    expect(receiver.received).toHaveLength(1);
    receiver.answer = "hang";
    expect((await post(there.url, { body: "{}" })).status).toBe(502);
    const { code, stdout, stderr } = await there.ended;
    expect([code, rows(stdout)[1]?.error]).toEqual([9, "not forwarded: no answer within 1 s"]);
    expect(stderr).toContain("warning: a delivery was not forwarded: no answer within 1 s\n");
    expect(stderr).toContain("1 of 2 deliveries could not be forwarded");
  });
});

describe("--save", () => {
  test("no part of a delivery is used in a path, and no file is replaced", async () => {
    const folder = join(owner.home, "kept");
    mkdirSync(folder);
    const there = await listening("--save kept --count 2 -o ndjson");
    const headers = { "X-Service-Event": "../../evil", "X-Service-Event-UUID": "../evil" };
    for (const text of ["One", "Two"]) await post(`${there.url}/../../evil`, { headers, body: text });
    const { stdout } = await there.ended;
    expect(rows(stdout).map(({ file }) => file)).toEqual(
      readdirSync(folder)
        .sort()
        .map((name) => `kept/${name}`),
    );
    expect(readdirSync(folder).every((name) => /^\d{8}T\d{6}Z-\d{4}\.txt$/.test(name))).toBe(true);
    const again = await listening("--save kept --count 1");
    await post(again.url, { body: "Three" });
    await again.ended;
    expect(readdirSync(folder)).toHaveLength(3);
  });

  test("a delivery that cannot be saved is answered 500, so that the sender knows", async () => {
    const folder = join(owner.home, "gone");
    const there = await listening("--save gone --count 1 -o ndjson");
    rmdirSync(folder);
    writeFileSync(folder, "");
    expect((await post(there.url, { body: "{}" })).status).toBe(500);
    expect(rows((await there.ended).stdout)[0]).toMatchObject({
      status: 500,
      error: expect.stringMatching(/^not saved: /),
    });
  });
});

test("--count accepts at most that many at once", async () => {
  const there = await listening("--count 1 -o ndjson");
  // Later connections may be refused.
  const send = () =>
    post(there.url, { body: note("Hi") }).then(
      ({ status }) => status,
      () => "nobody",
    );
  const answers = await Promise.all(Array.from({ length: 8 }, send));
  expect(answers.filter((status) => status === 200)).toHaveLength(1);
  expect(answers.filter((status) => status === 503 || status === "nobody")).toHaveLength(7);
  expect(rows((await there.ended).stdout)).toHaveLength(1);
});

test("a closed pipe ends it", async () => {
  const there = await startListening(owner, "--no-header");
  await post(there.url, { body: "{}" });
  await expect.poll(() => there.lines().length).toBe(1);
  there.close();
  await post(there.url, { body: "{}" });
  expect((await there.ended).code).toBe(0);
});

describe("bad input is exit 2, and no port is opened", () => {
  test.each([
    ["an invalid port", "--port 70000", "--port"],
    ["no token in the file", "--token-file empty.txt", "--token-file: the token is empty"],
    ["no such file", "--token-file nowhere.txt", "nowhere.txt"],
    ["a folder that is a file", "--save token.txt", "--save: token.txt is not a folder"],
    ["a folder below a file", "--save token.txt/such/folder", "--save: token.txt is not a folder"],
    ["no address", "--forward 127.0.0.1:3000", "--forward: must be an http or https address"],
    ["another scheme", "--forward ftp://x", "--forward: must be an http or https address"],
    ["a password in the address", "--forward http://me:hush@127.0.0.1/", "leave user and password out"],
    ["no deliveries", "--count 0", "--count"],
    ["no way to show the port", "-q", "with --quiet the chosen port is not shown"],
    ["an additional word", "9000", "unexpected argument: 9000"],
  ])("%s", async (_, flags, said) => {
    writeFileSync(join(owner.home, "empty.txt"), "\n");
    const { code, stdout, stderr } = await owner.run("hooks", "listen", ...words(flags));
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(said)]);
    expect(stderr).not.toContain("hush");
  });

  test("a port in use, and the receiver's own address", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await new Promise((done) => taken.once("listening", done));
    const { port } = taken.address() as { port: number };
    const inUse = await owner.run(...words(`hooks listen --port ${port}`));
    expect([inUse.code, inUse.stderr]).toEqual([
      2,
      expect.stringContaining(`--port: ${port} is in use\ntry:   leave out`),
    ]);
    taken.close();
    const itself = await owner.run(...words(`hooks listen --port ${port} --forward http://localhost:${port}/x`));
    expect([itself.code, itself.stderr]).toEqual([
      2,
      expect.stringContaining("--forward points to this receiver itself"),
    ]);
  });
});
