import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { lossyProxy } from "../support/lossy-proxy.ts";
import { startReceiver } from "../support/receiver.ts";
import { requestsIn, sandboxSession } from "../support/session.ts";

// Failed deliveries of a hook are resent: each event once, within the instance's rate limit, and never twice for a lost
// answer.

let log: string[];
let owner: Awaited<ReturnType<typeof sandboxSession>>;
beforeAll(async () => {
  log = [];
  // The instance's minute is shortened here; the program's own is not.
  owner = await sandboxSession({ as: "owner", minuteMs: 20, log: (line) => log.push(line) });
});

const words = (line: string) => line.split(" ");
const inAcme = (line: string) =>
  owner.run(...words(line), "-g", "acme", ...(/ redeliver /.test(line) ? ["--yes"] : []));
const resends = () => requestsIn(log).filter((line) => line.startsWith("POST") && line.includes("/resend "));
const rowsOf = (stdout: string) => JSON.parse(stdout) as Record<string, unknown>[];

/** A new hook whose receiver refused that many comments, and accepts them from now on. */
async function refused(count: number) {
  const receiver = await startReceiver();
  receiver.answer = { status: 503 };
  const { stdout } = await inAcme(`hooks create ${receiver.url} --events note --fields id --no-header`);
  const hook = stdout.trim();
  for (let n = 0; n < count; n += 1) {
    await owner.run(...words("api projects/7/issues/1/notes -q -f"), `body=Remark ${n}`);
    await receiver.wait(n + 1);
  }
  await expect.poll(async () => (await events(hook)).length).toBe(count);
  receiver.answer = { status: 200 };
  return { receiver, hook };
}

const events = async (hook: string) => rowsOf((await inAcme(`hooks events ${hook} -L all -o json`)).stdout);
const keysOf = (received: readonly { headers: object }[]) =>
  received.map(({ headers }) => (headers as Record<string, string>)["idempotency-key"]);

/** Hook 2 is disabled: what happens meanwhile is not recorded. */
function withoutWarning(stderr: string): string {
  return stderr.replace(/^warning: hook 2 is disabled, or may have been in the past seven days: .*\n/, "");
}

describe("the plan", () => {
  test("one row per failed delivery with the deciding rule and its position; nothing is sent", async () => {
    requestsIn(log);
    const { code, stdout, stderr } = await inAcme("hooks redeliver 2 --dry-run -o json");
    expect(code).toBe(0);
    const rows = rowsOf(stdout);
    expect(rows.map(({ verdict, rule }) => `${verdict} ${rule}`)).toEqual([
      "SKIP made_good",
      "SKIP made_good",
      ...Array(15).fill("RESEND failed"),
    ]);
    expect(rows.map(({ event_id }) => event_id)).toEqual(
      [...rows.map(({ event_id }) => Number(event_id))].sort((a, b) => a - b),
    );
    const turns = rows.slice(2).map(({ send_at }) => Date.parse(String(send_at)));
    expect(turns.map((at) => (at - (turns[0] ?? 0)) / 60_000)).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2]);
    const plan = /^15 of 17 failed deliveries to resend, 5 per minute; the last at \S+Z, in 2m\n$/;
    expect(withoutWarning(stderr)).toMatch(plan);
    expect(requestsIn(log).filter((line) => !line.startsWith("GET "))).toEqual([]);
  });

  test("filters: code, category, no answer, kind of event, time", async () => {
    const count = async (flags: string) =>
      rowsOf((await inAcme(`hooks redeliver 2 -n -o json ${flags}`)).stdout).length;
    expect(await count("--status 401")).toBe(5);
    expect(await count("--status client_failure")).toBe(5);
    expect(await count("--status no_answer")).toBe(3);
    expect(await count("--status server_failure")).toBe(12);
    const pushes = await count("--trigger push");
    expect([await count("--trigger push_hooks"), await count("--trigger push_events")]).toEqual([pushes, pushes]);
    expect(pushes + (await count("--trigger tag_push"))).toBe(17);
    const dates = async (flags: string) =>
      rowsOf((await inAcme(`hooks redeliver 2 -n -o json${flags}`)).stdout).flatMap(
        ({ response_date: date }) => date ?? [],
      );
    const since = Date.now() - 3 * 86_400_000;
    const recent = (await dates("")).filter((date) => Date.parse(String(date)) >= since);
    expect(recent.length).toBeGreaterThan(0);
    expect(await dates(" --since 3d")).toEqual(recent);
    expect(await count("--since 7d")).toBe(17);
    expect(await count("--since today")).toBe(0);
  });
});

describe("resending", () => {
  test("the oldest first, with the key of the first delivery; run again, nothing is left", async () => {
    const { receiver, hook } = await refused(3);
    const { code, stdout, stderr } = await inAcme(`hooks redeliver ${hook} -o json`);
    expect([code, stderr]).toEqual([0, "3 of 3 failed deliveries to resend, 5 per minute\n3 of 3 done\n"]);
    expect(rowsOf(stdout).map(({ status, response_status }) => [status, response_status])).toEqual(
      Array(3).fill(["redelivered", "200"]),
    );
    const keys = keysOf(receiver.received);
    expect(keys.slice(3)).toEqual(keys.slice(0, 3));
    const again = await inAcme(`hooks redeliver ${hook}`);
    expect(again).toMatchObject({ code: 0, stderr: "nothing to resend\n" });
    expect(receiver.received).toHaveLength(6);
  });

  test("an event that failed several times is sent once; a second failure is reported", async () => {
    const { receiver, hook } = await refused(2);
    receiver.answer = { status: 500 };
    const failed = await inAcme(`hooks redeliver ${hook} --no-header`);
    expect(failed.code).toBe(9);
    expect(failed.stdout.match(/\tfailed\t\tthe receiver answered 500$/gm)).toHaveLength(2);
    expect(failed.stderr).toContain(`error: 2 of 2 failed\ntry:   forgectl hooks redeliver ${hook} -g acme --yes\n`);
    receiver.answer = { status: 200 };
    const plan = rowsOf((await inAcme(`hooks redeliver ${hook} -n -o json`)).stdout);
    expect(plan.map(({ rule }) => rule)).toEqual(["sent_again", "sent_again", "failed", "failed"]);
    expect((await inAcme(`hooks redeliver ${hook}`)).code).toBe(0);
    expect(receiver.received).toHaveLength(6);
  });

  test("a single one that fails again has its own exit code", async () => {
    const { receiver, hook } = await refused(1);
    receiver.answer = { status: 418 };
    const { code, stderr } = await inAcme(`hooks redeliver ${hook}`);
    expect([code, stderr]).toEqual([1, expect.stringContaining("error: the receiver answered 418")]);
    receiver.answer = "hang";
    const silent = await inAcme(`hooks redeliver ${hook}`);
    expect([silent.code, silent.stderr]).toEqual([1, expect.stringContaining("no answer within 3 seconds")]);
  });

  test("waits as the instance requests if others have used up the limit", async () => {
    const limited = await sandboxSession({ as: "owner", faults: "POST /groups/**=429:retry-after=2" });
    const { code, stderr } = await limited.run(...words("hooks redeliver 2 -g acme --status 401 --yes"));
    expect([code, stderr]).toEqual([0, expect.stringMatching(/next attempt in 2 s/)]);
  });

  test("sends at most five per minute; Ctrl-C says what is done, what is not tried, and how to resume", async () => {
    const { receiver, hook } = await refused(7);
    const line = `hooks redeliver ${hook} -g acme --journal seven.journal --yes`;
    const { code, stdout, stderr } = await owner.run(...words(line), {
      // Counted from the first: of a machine with other work it is a few seconds less.
      kill: { signal: "SIGINT", said: /^waiting \d+ s:/m },
    });
    expect(code).toBe(130);
    expect(stdout.match(/\tredelivered\t200\t$/gm)).toHaveLength(5);
    expect(stdout.match(/\tnot_tried\t/g)).toHaveLength(2);
    expect(stderr).toMatch(/^7 of 7 failed .*; the last at \S+Z, in 1m$/m);
    expect(stderr).toMatch(/^waiting (5\d|60) s: the instance accepts 5 resends per minute and hook$/m);
    expect(stderr).toContain(`error: interrupted: 5 of 7 done, 2 not tried\ntry:   forgectl ${line}\n`);
    expect(await owner.run(...words(line))).toMatchObject({ code: 0 });
    expect(receiver.received).toHaveLength(14);
  });
});

describe("a lost answer", () => {
  const lossy = { of: (method: string, path: string) => method === "POST" && path.endsWith("/resend") };

  test.each(["reset", "504", "truncated"] as const)("%s: the new delivery shows the outcome", async (how) => {
    const { receiver, hook } = await refused(3);
    const proxy = await lossyProxy(owner.sandbox.url, { how, nth: 2, ...lossy });
    const env = { FORGECTL_BASE_URL: proxy.url };
    const line = `hooks redeliver ${hook} -g acme --journal ${how}.journal --yes --no-header`;
    const { code, stdout, stderr } = await owner.run(...words(line), { env });
    expect(proxy.lost).toHaveLength(1);
    if (how === "truncated") {
      // The status arrived, and shows that it was made; the receiver's answer did not.
      expect([code, stdout]).toEqual([9, expect.stringContaining("\tmade\t")]);
    } else {
      expect([code, stderr]).toEqual([
        0,
        expect.stringMatching(/the answer was lost; a check shows that delivery \d+ /),
      ]);
    }
    expect(receiver.received).toHaveLength(6);
    expect(await owner.run(...words(line), { env })).toMatchObject({ code: 0, stdout: "" });
    expect(receiver.received).toHaveLength(6);
  });

  test("hooks resend checks too, and does not mistake an earlier delivery for its own", async () => {
    const { receiver, hook } = await refused(1);
    const [event] = await events(hook);
    expect((await inAcme(`hooks resend ${hook} ${event?.id}`)).code).toBe(0);
    receiver.answer = { status: 202 };
    const proxy = await lossyProxy(owner.sandbox.url, { how: "reset", ...lossy });
    const found = await owner.run(...words(`hooks resend ${hook} ${event?.id} -g acme --no-header`), {
      env: { FORGECTL_BASE_URL: proxy.url },
    });
    expect([found.code, found.stdout]).toEqual([0, `${event?.id}\tresent\t202\t\n`]);
    // This time the request is lost: the earlier delivery is not mistaken for it.
    const cut = await sandboxSession({ as: "owner", faults: "POST /groups/**/resend=reset" });
    const unknown = await cut.run(...words("hooks resend 2 110 -g acme"));
    expect([unknown.code, unknown.stderr]).toEqual([
      11,
      expect.stringMatching(/may have been made[\s\S]*forgectl hooks events 2 -g acme\n/),
    ]);
  });

  test("without a trace it is unknown, and with the journal it is not repeated", async () => {
    const cut = await sandboxSession({ as: "owner", faults: "POST /groups/**/resend=reset" });
    const line = "hooks redeliver 2 -g acme --status 502 --journal cut.journal --yes --no-header";
    const first = await cut.run(...words(line));
    expect([first.code, first.stdout.split("\n").map((row) => row.split("\t")[1])]).toEqual([
      9,
      ["unknown", "redelivered", "redelivered", undefined],
    ]);
    const plan = rowsOf((await cut.run(...words(line), "-n", "-o", "json")).stdout);
    expect(plan.map(({ verdict }) => verdict)).toEqual(["UNKNOWN", "SKIP", "SKIP"]);
    const second = await cut.run(...words(line));
    expect(second.code).toBe(8);
    expect(second.stderr).toContain("an earlier run started it and did not record its end: it may have been made");
    expect(second.stderr).toContain("if it was not delivered: forgectl hooks resend 2 81 -g acme\n");
    expect((await cut.run(...words("hooks resend 2 81 -g acme"))).code).toBe(0);
    const third = await cut.run(...words(line));
    expect([third.code, withoutWarning(third.stderr)]).toEqual([0, "nothing to resend\n"]);
  });
});

describe("the question", () => {
  test("without a terminal it needs --yes, and nothing is sent; so does resend for more than one", async () => {
    requestsIn(log);
    for (const line of ["hooks redeliver 2 -g acme", "hooks resend 2 109 110 -g acme"]) {
      const { code, stderr } = await owner.run(...words(line));
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/^error: this would resend .*, and needs confirmation/),
      ]);
    }
    expect(requestsIn(log)).toEqual([]);
  });

  test("--limit takes the oldest, --until those before; oversize and other URLs are skipped by name", async () => {
    const rules = async (line: string) => rowsOf((await inAcme(`${line} -n -o json`)).stdout).map(({ rule }) => rule);
    const first = await rules("hooks redeliver 2 --limit 2");
    expect(first.slice(2)).toEqual(["failed", "failed", ...Array(13).fill("limit")]);
    expect((await rules("hooks redeliver 2 --until 3d")).length).toBeLessThan(17);
    const deployed = await sandboxSession({ as: "owner", asDeployed: true });
    const plan = await deployed.run(...words("hooks redeliver 2 -g acme -n -o json"));
    const skipped = rowsOf(plan.stdout).filter(({ rule }) => rule === "oversize" || rule === "url_changed");
    expect(new Set(skipped.map(({ rule, verdict }) => `${verdict} ${rule}`))).toEqual(
      new Set(["SKIP oversize", "SKIP url_changed"]),
    );
    expect(plan.stderr).toMatch(/^\d+ skipped \(url_changed\): sent to another URL/m);
  });
});

describe("the journal", () => {
  test("does not make a failure look resent that the instance still shows", async () => {
    const line = "hooks redeliver 2 -g acme --status 502 --journal kept.journal --yes -o json";
    const first = await sandboxSession({ as: "owner" });
    expect((await first.run(...words(line))).code).toBe(0);
    // Another day, and another instance's data at the same address.
    const path = join(first.home, "kept.journal");
    const fresh = await sandboxSession({ as: "owner" });
    const text = readFileSync(path, "utf8").replaceAll(first.sandbox.url, fresh.sandbox.url);
    writeFileSync(path, text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "2020-01-01T00:00:00.000Z"));
    const second = await fresh.run(...words(line.replace("kept.journal", path)));
    expect([second.code, rowsOf(second.stdout).map(({ status }) => status)]).toEqual([
      0,
      ["redelivered", "redelivered", "redelivered"],
    ]);
  });

  test("has a line before and after each, and is private to the user", async () => {
    const { hook } = await refused(2);
    await inAcme(`hooks redeliver ${hook} --journal plain.journal`);
    const lines = readFileSync(join(owner.home, "plain.journal"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(statSync(join(owner.home, "plain.journal")).mode & 0o777).toBe(0o600);
    expect(lines.map(({ journal, event, status }) => journal ?? status ?? event)).toEqual([
      2,
      "begin",
      "redelivered",
      "begin",
      "redelivered",
    ]);
  });

  test("of another command, or an invalid one, is exit 2; one in use is exit 6; a dry run writes none", async () => {
    const { receiver, hook } = await refused(1);
    const dry = await inAcme(`hooks redeliver ${hook} --journal none.journal -n`);
    expect(dry.code).toBe(0);
    expect(() => readFileSync(join(owner.home, "none.journal"))).toThrow("ENOENT");
    await inAcme("hooks redeliver 3 --journal other.journal");
    const other = await inAcme(`hooks redeliver ${hook} --journal other.journal`);
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringContaining("the journal of another run: of the command"),
    ]);
    writeFileSync(join(owner.home, "notes.txt"), "hello\n");
    expect((await inAcme(`hooks redeliver ${hook} --journal notes.txt`)).code).toBe(2);
    expect((await inAcme(`hooks redeliver ${hook} --journal notes.txt/such`)).code).toBe(2);
    receiver.answer = "hang";
    const running = owner.run(...words(`hooks redeliver ${hook} -g acme --journal busy.journal --yes`));
    await receiver.wait(2);
    const second = await inAcme(`hooks redeliver ${hook} --journal busy.journal`);
    expect([second.code, second.stderr]).toEqual([6, expect.stringContaining("busy.journal is in use by another run")]);
    expect((await running).code).toBe(1);
  });
});

test.each([
  ["a success", "hooks redeliver 2 --status 204", "--status: 204 is a success"],
  ["an unknown category", "hooks redeliver 2 --status successful", "client_failure, server_failure, no_answer"],
  ["a number that is not a status", "hooks redeliver 2 --status 42", "--status"],
  ["an unknown kind", "hooks redeliver 2 --trigger pushes", "--trigger"],
  ["an invalid time", "hooks redeliver 2 --since soon", "--since"],
  ["no hook", "hooks redeliver", "<hook-id>"],
  ["a hook's ID that is not one", "hooks redeliver 0", "<hook-id>"],
])("%s is exit 2, and nothing is sent", async (_, line, said) => {
  requestsIn(log);
  const { code, stderr } = await inAcme(line);
  expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
  expect(requestsIn(log)).toEqual([]);
});

test("a missing hook is exit 3, and leaves no lock", async () => {
  for (const _ of [1, 2]) expect((await inAcme("hooks redeliver 99 --journal gone.journal")).code).toBe(3);
  expect(resends()).toEqual([]);
});
