import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, expect, test } from "vitest";
import { atEnd } from "../support/ending.ts";
import { startReceiver } from "../support/receiver.ts";
import { requestsIn, sandboxSession, session } from "../support/session.ts";
import { zip } from "../support/zip.ts";

// Questions that used to need several calls and a script: users without a second factor, failing hooks, files of an
// archive.

let log: string[];
let admin: Awaited<ReturnType<typeof sandboxSession>>;
beforeAll(async () => {
  log = [];
  admin = await sandboxSession({ log: (line) => log.push(line) });
});
const run = (line: string) => admin.run(...line.split(" "));

test("users report: each user with the matching reasons, counted; exit 10 if there are any", async () => {
  const all = JSON.parse((await run("users list -L all --without-project-bots -o json")).stdout);
  const report = await run("users report --two-factor disabled --exit-code -o json");
  expect(report.code).toBe(10);
  const found = JSON.parse(report.stdout);
  // To sign in activates a deactivated account again.
  const expected = all.filter(
    (user: Record<string, unknown>) =>
      user.two_factor_enabled === false && user.bot !== true && ["active", "deactivated"].includes(`${user.state}`),
  );
  expect(expected.some((user: Record<string, unknown>) => user.state === "deactivated")).toBe(true);
  expect(found.map(({ id }: { id: number }) => id)).toEqual(
    expected.map(({ id }: { id: number }) => id).sort((a: number, b: number) => a - b),
  );
  const dormant = found.filter(({ reasons }: { reasons: string[] }) => reasons.includes("dormant")).length;
  const never = found.filter(({ reasons }: { reasons: string[] }) => reasons.includes("never_signed_in")).length;
  expect(report.stderr).toContain(`${found.length} users: ${found.length} without a second factor`);
  expect(report.stderr).toContain(`${dormant} dormant`);
  expect(report.stderr).toContain(`${never} never signed in`);
});

test("users report: flags that select users must all match, as in users list", async () => {
  const listed = await run("users list -L all --active --two-factor disabled --admins --fields username --no-header");
  const { code, stdout, stderr } = await run(
    "users report --two-factor disabled --admins --fields username --no-header",
  );
  expect([code, stdout.split("\n").sort()]).toEqual([0, listed.stdout.split("\n").sort()]);
  expect(stderr).toMatch(/^1 user: 1 without a second factor/);
  const same = await run("users report --admins --reason no_two_factor --fields username --no-header --exit-code");
  expect([same.code, same.stdout]).toEqual([10, stdout]);
  // Being an administrator is not a reason by itself: a check of those who never signed in can pass.
  const none = await run("users report --admins --reason never_signed_in --exit-code");
  expect(none).toMatchObject({ code: 0, stderr: "no users found\n" });
  const external = await run("users report --external --reason external,administrator --jq .[].reasons[]");
  expect(new Set(external.stdout.trim().split("\n"))).toEqual(new Set(["external"]));
  const csv = await run("users report --external --reason external,no_two_factor -o csv --fields reasons --no-header");
  expect(csv.stdout).toContain("\nno_two_factor; external\n");
  const wrong = await run("users report --reason no_2fa");
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toMatch(/--reason: must be one of .*no_two_factor.*, not "no_2fa"/);
});

test("users report: a user who is not an administrator does not get an empty report", async () => {
  const guest = await sandboxSession({ as: "guest" });
  const result = await guest.run("users", "report");
  expect(result).toMatchObject({ code: 5, stdout: "" });
  expect(result.stderr).toContain("grace.green is not an administrator");
});

test("hooks health: the content of the delivery list, in one row per hook", async () => {
  const events = JSON.parse((await run("hooks events 2 -g acme -L all -o json")).stdout);
  const failed = events.filter((event: { response_status: string }) => !/^2\d\d$/.test(event.response_status));
  const [, deploys] = JSON.parse((await run("hooks health -g acme -o json")).stdout);
  expect(deploys).toMatchObject({
    id: 2,
    name: "Deploys",
    deliveries: events.length,
    failures: failed.length,
    last_failure: "answered 401 Unauthorized",
    last_failure_status: failed[0].response_status,
    failure_rate: Math.round((failed.length / events.length) * 10_000) / 10_000,
  });
  expect(deploys.days).toHaveLength(7);
  const { code, stderr } = await run("hooks health -g acme --exit-code -o json");
  expect(code).toBe(10);
  const events2 = new Set(failed.map(({ request_headers: sent }: { request_headers: object }) => keyOf(sent)));
  const good = new Set(
    events
      .filter((event: { response_status: string }) => /^2\d\d$/.test(event.response_status))
      .map(({ request_headers: sent }: { request_headers: object }) => keyOf(sent)),
  );
  const missing = [...events2].filter((key) => !good.has(key)).length;
  expect(deploys.undelivered).toBe(missing);
  expect(deploys.try).toMatch(/forgectl hooks redeliver 2 -g acme$/);
  expect(stderr).toContain(`hook 2 (Deploys): ${missing} undelivered since ${deploys.since}`);
});

function keyOf(headers: object): string {
  return String(Object.entries(headers).find(([name]) => name.toLowerCase() === "idempotency-key")?.[1]);
}

test("hooks health: green after the repair, although the failures are still in the list", async () => {
  const receiver = await startReceiver();
  const { run: type } = await sandboxSession();
  const ask = (line: string) => type(...line.split(" "), "-g", "acme");
  const made = JSON.parse((await ask(`hooks create ${receiver.url} --events push --name Mended -o json`)).stdout);
  const healthOf = async () => {
    const { stdout } = await ask("hooks health -o json");
    return JSON.parse(stdout).find(({ id }: { id: number }) => id === made.id);
  };
  receiver.answer = { status: 401, body: "invalid key" };
  expect((await ask(`hooks test ${made.id} --trigger push`)).code).toBe(1);
  expect(await healthOf()).toMatchObject({ failures: 1, undelivered: 1, last_failure: "answered 401 Unauthorized" });
  receiver.answer = { status: 200 };
  const [event] = JSON.parse((await ask(`hooks events ${made.id} -o json`)).stdout);
  expect((await ask(`hooks resend ${made.id} ${event.id} --yes`)).code).toBe(0);
  expect(await healthOf()).toMatchObject({ failures: 1, undelivered: 0, since: null, try: null });
});

test("notes upsert: created once, unchanged while it is the same, updated if it differs", async () => {
  const upsert = (body: string) =>
    admin.run(..."notes upsert --mr 19 -p 7 --key coverage --fields id,status --no-header --body".split(" "), body);
  const [created, same, changed] = [await upsert("93 %"), await upsert("93 %"), await upsert("94 %")];
  const id = created.stdout.split("\t")[0];
  expect([created, same, changed].map(({ stdout }) => stdout)).toEqual([
    `${id}\tcreated\n`,
    `${id}\tunchanged\n`,
    `${id}\tupdated\n`,
  ]);
  expect(JSON.parse((await run(`notes get ${id} --mr 19 -p 7 -o json`)).stdout).body).toBe(
    "94 %\n\n<!-- forgectl:coverage -->",
  );
  const second = await admin.run(
    "notes",
    "create",
    "--mr",
    "19",
    "-p",
    "7",
    "--body",
    "copy\n\n<!-- forgectl:coverage -->",
  );
  expect(second.code).toBe(0);
  expect((await upsert("95 %")).stderr).toMatch(/^warning: notes \d+ also have the key coverage/);
  requestsIn(log);
  const bad = await admin.run("notes", "upsert", "--mr", "19", "-p", "7", "--key", "a b", "--body", "x");
  expect({ code: bad.code, sent: requestsIn(log) }).toEqual({ code: 2, sent: [] });
});

test("notes upsert: a text with CRLF is unchanged while it is the same", async () => {
  const upsert = () =>
    admin.run(..."notes upsert --mr 19 -p 7 --key crlf --fields status --no-header --body".split(" "), "a\r\nb\r\n");
  expect([(await upsert()).stdout, (await upsert()).stdout]).toEqual(["created\n", "unchanged\n"]);
});

test("artifacts list: names, sizes, and times from the end of the archive", async () => {
  requestsIn(log);
  const listed = await run("artifacts list -p 7 --ref main --job build --fields path,size --no-header");
  expect(listed.stdout.split("\n")).toContain("VERSION\t6");
  expect(listed.stderr).toBe("5 files, 156 B unpacked\n");
  expect(requestsIn(log).filter((line) => line.includes("artifacts"))).toHaveLength(1);
  const html = await admin.run(
    ..."artifacts list -p 7 --ref main --job build --no-header --fields path --match".split(" "),
    "**/*.html",
  );
  expect(html.stdout).toBe("dist/index.html\n");
});

test.each([
  ["in three requests and less than a mebibyte of 16 MiB, with ranges", true, 3],
  ["streamed without ranges", false, 1],
])("artifacts list: a directory larger than the first chunk, %s", async (_, ranges, most) => {
  const names = Array.from({ length: 6000 }, (_, index) => `some/folder/with a long name/file number ${index}.txt`);
  const files = names.map((name) => ({ name, content: "x" }));
  const archive = zip([{ name: "big.bin", content: randomBytes(16 * 1024 * 1024) }, ...files]);
  let requests = 0;
  let sent = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
    if (!ranges || last === undefined) {
      sent += archive.length;
      return response.writeHead(200, { "content-length": archive.length }).end(archive);
    }
    const start = first === "" ? Math.max(0, archive.length - Number(last)) : Number(first);
    const end = first === "" || last === "" ? archive.length : Number(last) + 1;
    sent += end - start;
    response.writeHead(206, {
      "content-range": `bytes ${start}-${end - 1}/${archive.length}`,
      "content-length": end - start,
    });
    return response.end(archive.subarray(start, end));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => server.close());
  const { run } = session({
    FORGECTL_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    FORGECTL_TOKEN: "any",
  });
  const result = await run("artifacts", "list", "-p", "7", "--job-id", "1", "--fields", "path", "--no-header");
  expect(result.code).toBe(0);
  expect(result.stdout.trimEnd().split("\n")).toEqual(["big.bin", ...names]);
  expect(requests).toBeLessThanOrEqual(most);
  if (ranges) expect(sent).toBeLessThan(1024 * 1024);
});
