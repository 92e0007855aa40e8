import { beforeAll, describe, expect, test } from "vitest";
import { json, signedIn } from "../support/answering.ts";
import { startReceiver } from "../support/receiver.ts";
import { requestsIn, sandboxSession } from "../support/session.ts";

let log: string[];
let owner: Awaited<ReturnType<typeof sandboxSession>>;
beforeAll(async () => {
  log = [];
  owner = await sandboxSession({ as: "owner", log: (line) => log.push(line) });
});

const requests = () => requestsIn(log);

const words = (line: string) => line.split(" ");
const inAcme = (line: string) => owner.run(...words(line), "-g", "acme");

/** A hook for comments, with its own receiver. */
async function listening() {
  const receiver = await startReceiver();
  const { stdout } = await inAcme(`hooks create ${receiver.url} --events note --fields id --no-header`);
  return { receiver, hook: stdout.trim() };
}

describe("hooks events", () => {
  test("on an instance from before its release, the hint names that", async () => {
    const { run } = await signedIn(json(404, '{"error":"404 Not Found"}'));
    const { code, stderr } = await run(...words("hooks events 2 -g acme"));
    expect(code).toBe(3);
    expect(stderr).toContain("this exists only in the Premium and Ultimate tiers, since release 17.3\n");
  });

  test("lists deliveries, 20 per page", async () => {
    requests();
    const { stdout, stderr } = await inAcme("hooks events 2 -L 30");
    const [header, ...lines] = stdout.trimEnd().split("\n");
    expect(header).toBe("id\ttrigger\tresponse_status\texecution_duration\tresponse_date");
    expect(lines).toHaveLength(30);
    expect(lines[3]).toMatch(/^113\t(?:tag_)?push_hooks\t401\t0\.\d+\t\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(stderr).toBe("shown 30 of 50; --limit all for the rest\n");
    expect(log.splice(0)).toHaveLength(2);
    const all = await inAcme("hooks events 2 -L all --fields id --no-header");
    expect(all.stdout.trimEnd().split("\n")).toHaveLength(50);
    expect((await inAcme("hooks events 2 --page 2 --fields id --no-header")).stdout.split("\n")).toHaveLength(21);
  });

  test("filters by code and by category", async () => {
    const ids = async (status: string) =>
      (await inAcme(`hooks events 2 --status ${status} --fields response_status --no-header`)).stdout
        .trimEnd()
        .split("\n");
    expect(await ids("401")).toEqual(Array(5).fill("401"));
    expect(new Set(await ids("server_failure"))).toEqual(new Set(["500", "502", "503"]));
    const wrong = await inAcme("hooks events 2 --status nope");
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("or successful, client_failure, server_failure, not");
  });

  test("shows one in full, from any page of the list", async () => {
    const shown = await inAcme("hooks events 2 --event 70 -o table");
    expect(shown.code).toBe(0);
    expect(shown.stdout).toMatch(/^request_headers +Content-Type: application\/json$/m);
    expect(shown.stdout).toMatch(/^ +X-Service-Token: \[redacted\]$/m);
    expect(shown.stdout).toMatch(/^ +X-Deploy-Key: \[redacted\]$/m);
    expect(shown.stdout).toMatch(/^request_data +\{$/m);
    expect(shown.stdout).toMatch(/^ +"object_kind": "(push|tag_push)",$/m);
    expect(shown.stdout).toMatch(/^response_body +\{\n +"queued": true\n +\}$/m);
    const { stdout } = await inAcme("hooks events 2 --event 70 -o json");
    expect(JSON.parse(stdout)).toMatchObject({ id: 70, response_status: "202", response_body: '{"queued":true}' });
  });

  test("says that there are none", async () => {
    const { code, stderr } = await inAcme("hooks events 3 --event 70");
    expect(code).toBe(3);
    expect(stderr).toBe(
      "error: hook 3 has no event 70 of the past seven days\ntry:   forgectl hooks events 3 -g acme\n",
    );
    expect((await inAcme("hooks events 3 --event 70 --page 2")).code).toBe(2);
    const large = await inAcme("hooks events 3 --per-page 21");
    expect([large.code, large.stderr]).toEqual([
      2,
      expect.stringContaining("--per-page: must be a whole number from 1 to 20"),
    ]);
  });

  test("one that exists with another status than requested is reported as such", async () => {
    const other = await inAcme("hooks events 2 --event 70 --status server_failure");
    expect([other.code, other.stderr]).toEqual([
      3,
      "error: event 70 has the status 202, not server_failure\ntry:   leave out --status to see it\n",
    ]);
    for (const status of ["successful", "202"]) {
      const found = await inAcme(`hooks events 2 --event 70 --status ${status} --fields id --no-header`);
      expect(found).toMatchObject({ code: 0, stdout: "70\n" });
    }
  });

  test("--failed, --since, and --until select among them, and reading ends at what is too old", async () => {
    const shown = async (flags: string) => JSON.parse((await inAcme(`hooks events 2 -L all -o json${flags}`)).stdout);
    const all: { id: number; response_status: string; response_date: string | null }[] = await shown("");
    const failed = all.filter((each) => !/^2/.test(each.response_status));
    expect(await shown(" --failed")).toEqual(failed);
    const [last] = failed;
    const since = last?.response_date as string;
    expect(await shown(` --failed --since ${since}`)).toEqual([last]);
    // Without an answer, a delivery is as old as the next one after it.
    const [newer, unanswered] = all.filter(
      (each, at) => each.response_date === null || (all[at + 1]?.response_date === null && each.response_date !== null),
    );
    expect(unanswered?.response_date).toBeNull();
    const around = await shown(` --since ${newer?.response_date}`);
    expect(around.map(({ id }: { id: number }) => id)).toContain(unanswered?.id);
    expect((await shown(` --until ${since}`))[0]).toEqual(all[all.findIndex(({ id }) => id === last?.id) + 1]);
    requests();
    expect((await inAcme(`hooks events 1 --since 1s --concurrency 1 -o json`)).stdout).toBe("[]\n");
    expect(requests().length).toBeLessThan(3);
    const { stdout, stderr } = await inAcme("hooks events 2 --failed -L 2 --fields id --no-header");
    expect([stdout.split("\n").length, stderr]).toEqual([3, "shown 2; there are more: --limit all for the rest\n"]);
  });

  test("--until says how many without an answer it leaves out, and leaves out none if that time is to come", async () => {
    const at = (hours: number) => ({ Date: new Date(Date.now() - hours * 3_600_000).toUTCString() });
    const rows = [{}, {}, at(5), {}, at(20), {}, at(30)].map((headers, index) => ({
      ...{ id: 110 - index, url: "http://r", trigger: "push_hooks", response_status: "internal error" },
      ...{ request_headers: { "Idempotency-Key": `key-${index}` }, response_headers: headers, response_body: "" },
    }));
    const hook = { id: 2, name: "Deploys", url: "http://r", group_id: 1 };
    const { run } = await signedIn((request, ...rest) => {
      const isList = request.url?.includes("/events") === true;
      json(200, JSON.stringify(isList ? rows : hook), { "x-page": "1", "x-next-page": "" })(request, ...rest);
    });
    const sorted = (text: string) => text.trim().split("\n").sort().join(" ");
    const warned = (count: number) =>
      `warning: --until left out ${count} without an answer, which have no time and may be from before then\n`;
    for (const command of ["events 2 --failed --fields id", "redeliver 2 -n --fields event_id"]) {
      const until = (time: string) => run(...words(`hooks ${command} -g acme --no-header --until ${time}`));
      const all = await until(new Date(Date.now() + 3_600_000).toISOString());
      expect(sorted(all.stdout)).toBe("104 105 106 107 108 109 110");
      expect(all.stderr).not.toContain("--until");
      const two = await until("1h");
      expect([sorted(two.stdout), two.stderr]).toEqual(["104 105 106 107 108", expect.stringContaining(warned(2))]);
      const one = await until("10h");
      expect([sorted(one.stdout), one.stderr]).toEqual(["104 105 106", expect.stringContaining(warned(1))]);
    }
  });

  test("a delivery whose receiver has a clock that is wrong does not hide the ones before it", async () => {
    const at = (hours: number) => ({ Date: new Date(Date.now() - hours * 3_600_000).toUTCString() });
    const rows = [at(1), at(2), { Date: "Thu, 01 Jan 1970 00:00:00 GMT" }, at(4), at(50)].map((headers, index) => ({
      ...{ id: 110 - index, url: "http://r", trigger: "push_hooks", response_status: index === 2 ? "200" : "503" },
      ...{ request_headers: {}, response_headers: headers, response_body: "", execution_duration: 0.1 },
    }));
    const { run } = await signedIn(json(200, JSON.stringify(rows), { "x-page": "1", "x-next-page": "" }));
    const { stdout, stderr } = await run(
      ...words("hooks events 2 -g acme --failed --since 1d --fields id --no-header"),
    );
    expect([stdout, stderr]).toEqual(["110\n109\n107\n", ""]);
  });

  test.each([
    ["--failed --page 2", "--failed, --since, and --until select from all pages: leave out --page"],
    ["--failed --status 202", "--failed and --status 202 exclude each other"],
    ["--since tomorrow", "--since: must be a time such as "],
    ["--event 70 --failed", "--event shows one: leave out all other flags but --status"],
  ])("%s is refused", async (flags, reason) => {
    const { code, stderr } = await inAcme(`hooks events 2 ${flags}`);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`error: ${reason}`)]);
  });

  test("a receiver's answer cannot control the terminal", async () => {
    const { receiver, hook: id } = await listening();
    receiver.answer = { status: 200, body: "\u001b[31mred\u001b]0;x\u0007" };
    await owner.run(...words("api projects/7/issues/1/notes -f body=Hello -q"));
    await expect.poll(async () => (await inAcme(`hooks events ${id} --no-header`)).stdout).not.toBe("");
    const event = (await inAcme(`hooks events ${id} --fields id --no-header`)).stdout.trim();
    const { stdout } = await inAcme(`hooks events ${id} --event ${event} -o table`);
    expect(stdout).toContain("␛[31mred");
    expect(stdout).not.toContain("\u001b");
  });
});

describe("hooks resend", () => {
  /** Deliveries of a new hook, oldest first. */
  async function delivered(count: number) {
    const { receiver, hook } = await listening();
    for (let n = 0; n < count; n += 1) {
      await owner.run(..."api projects/7/issues/1/notes -q -f".split(" "), `body=Remark ${n}`);
    }
    let events: string[] = [];
    await expect
      .poll(async () => {
        const { stdout } = await inAcme(`hooks events ${hook} --fields id --no-header`);
        events = stdout.trim().split("\n").reverse();
        return events;
      })
      .toHaveLength(count);
    return { receiver, hook, events };
  }

  test("delivers again and shows what the receiver answered", async () => {
    const { receiver, hook, events } = await delivered(2);
    receiver.answer = { status: 503 };
    const { code, stdout, stderr } = await inAcme(`hooks resend ${hook} ${events.join(" ")} --yes`);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `event_id\tstatus\tresponse_status\terror\n${events.map((id) => `${id}\tresent\t503\t\n`).join("")}`,
      stderr: "2 of 2 done\n2 sent, but not answered with success (response_status)\n",
    });
    const notes = receiver.received.map(({ body }) => JSON.parse(body).object_attributes.note);
    expect(notes).toEqual(["Remark 0", "Remark 1", "Remark 0", "Remark 1"]);
  });

  test("a receiver that does not answer is named, and not the instance", async () => {
    const { receiver, hook, events } = await delivered(1);
    receiver.answer = "hang";
    const { code, stderr } = await inAcme(`hooks resend ${hook} ${events[0]}`);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^error: the receiver did not answer \(.*\ncause: no answer within 3 seconds\ntry: {3}.*hooks events/,
      ),
    ]);
  });

  test("continues after a failure: exit 9; a single one has its own exit code", async () => {
    const { code, stdout } = await inAcme("hooks resend 1 10 99999 --yes");
    expect(code).toBe(9);
    expect(stdout).toContain("10\tresent\t200\t\n99999\trefused\t\tnot found, or not visible to this token");
    expect((await inAcme("hooks resend 3 99999")).code).toBe(3);
  });

  test("shows all requests of a dry run at once, and sends none", async () => {
    requests();
    const { stdout } = await inAcme("hooks resend 1 1 2 3 4 5 6 7 -n --fields method,url --no-header");
    expect(stdout.trimEnd().split("\n")).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((id) => `POST\t${owner.sandbox.url}/api/v4/groups/acme/hooks/1/events/${id}/resend`),
    );
    expect(requests()).toEqual([]);
  });

  test("sends at most five per minute: the sixth waits, says so, and can be interrupted", async () => {
    const { code, stdout, stderr } = await owner.run(
      ..."hooks resend 2 101 102 103 104 105 106 -g acme --yes".split(" "),
      {
        kill: { signal: "SIGINT", said: /^waiting \d+ s:/m },
      },
    );
    expect(code).toBe(130);
    expect(stdout.split("\n").filter((line) => line.includes("\tresent\t202"))).toHaveLength(5);
    expect(stderr).toMatch(/^waiting (?:59|60) s: the instance accepts 5 resends per minute and hook$/m);
  });

  test("a hook that cannot be read is resent to, with a warning: only its template is looked up", async () => {
    const partial = await sandboxSession({ as: "owner", faults: "GET /groups/acme/hooks/2=403*9" });
    const { code, stdout, stderr } = await partial.run(..."hooks resend 2 101 -g acme --no-header".split(" "));
    expect({ code, stdout }).toEqual({ code: 0, stdout: "101\tresent\t202\t\n" });
    expect(stderr).toMatch(/^warning: hook 2 was not read \(.*\): if it has a template, /);
  });

  test("waits as the instance requests if others have used up the limit", async () => {
    const limited = await sandboxSession({ as: "owner", faults: "POST /groups/**=429:retry-after=2" });
    const { code, stdout, stderr } = await limited.run(..."hooks resend 2 101 -g acme --no-header".split(" "));
    expect({ code, stdout }).toEqual({ code: 0, stdout: "101\tresent\t202\t\n" });
    expect(stderr).toMatch(/next attempt in 2 s/);
  });
});
