import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { alteringSession } from "../../support/altering-proxy.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import { requestsIn, sandboxSession } from "../../support/session.ts";

const log: string[] = [];
const owner = await sandboxSession({ asDeployed: true, as: "owner", log: (line) => log.push(line) });
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});

const run = (line: string, ...more: string[]) => owner.run(...line.split(" "), ...more, "-g", "acme");

/** A hook with a token and two headers, by its ID. */
async function newHook(): Promise<string> {
  await writeFile(join(owner.home, "token.txt"), "hush-hush\n");
  const flags = ["--events", "note", "--header", "X-One: red", "--header", "X-Two: blue"];
  const made = await run(`hooks create ${receiver.url} --token-file token.txt --fields id --no-header`, ...flags);
  requestsIn(log);
  return made.stdout.trim();
}

/** The secrets that a delivery of the hook carries now. */
async function secretsOf(id: string): Promise<object> {
  const count = receiver.received.length;
  await run(`hooks test ${id} --trigger push`);
  const headers = (await receiver.wait(count + 1))[count]?.headers;
  return { token: headers?.["x-service-token"], one: headers?.["x-one"], two: headers?.["x-two"] };
}

test("hook-new-url: the token is sent again, the headers in a second request, and nothing is lost silently", async () => {
  const id = await newHook();
  const url = `${receiver.url}/new`;
  const unasked = await run(`hooks update ${id} --url ${url}`);
  expect([unasked.code, unasked.stderr]).toEqual([
    2,
    expect.stringContaining("drops its secret token and headers X-One, X-Two, and needs confirmation"),
  ]);
  const again = ["--header", "X-One: red", "--header", "X-Two: green"];
  const dry = await run(`hooks update ${id} --url ${url} --token-file token.txt -n -o json`, ...again);
  const planned = JSON.parse(dry.stdout).map((each: { method: string; body: object }) => [each.method, each.body]);
  const custom_headers = ["X-One", "X-Two"].map((key) => ({ key, value: "[redacted]" }));
  expect(planned).toEqual([
    ["PUT", { url, token: "[redacted]" }],
    ["PUT", { url, custom_headers }],
  ]);
  requestsIn(log);
  const moved = await run(
    `hooks update ${id} --url ${url} --token-file token.txt --jq .custom_headers[].key`,
    ...again,
  );
  expect(moved).toEqual({ code: 0, stdout: "X-One\nX-Two\n", stderr: "" });
  const hook = `/api/v4/groups/acme/hooks/${id}`;
  expect(requestsIn(log)).toEqual([`GET ${hook} 200`, `PUT ${hook} 200`, `PUT ${hook} 200`]);
  expect(await secretsOf(id)).toEqual({ token: "hush-hush", one: "red", two: "green" });
  const agreed = await run(`hooks update ${id} --url ${receiver.url} --yes --jq .custom_headers`);
  expect(agreed).toMatchObject({
    code: 0,
    stdout: "[]\n",
    stderr:
      "warning: headers X-One, X-Two of the hook: removed by this change\n" +
      "warning: the hook's secret token: removed by this change; give it again with --token-file\n",
  });
  expect(await secretsOf(id)).toEqual({});
  // There is no token anymore, so that none can be lost.
  const told = await run(`hooks update ${await newHook()} --url ${url} -n -q`, "--header", "X-One: red");
  expect(told.stderr).toBe("warning: a new URL drops its secret token and header X-Two\n");
  // URL variables are stored values, too.
  const variables = await run(`hooks update 1 --url ${url} --no-token`);
  expect([variables.code, variables.stderr]).toEqual([2, expect.stringContaining("which drops URL variable channel,")]);
});

test("hook-headers-merged: a notice says that the others are kept, and one is removed by its name", async () => {
  const id = await newHook();
  const set = await run(`hooks update ${id} --yes --jq .custom_headers[].key`, "--header", "x-two: green");
  const kept = "header X-One of the hook: kept; this instance sets the given headers and keeps the others\n";
  expect(set).toEqual({ code: 0, stdout: "X-One\nX-Two\n", stderr: kept });
  requestsIn(log);
  const line = `hooks update ${id} --remove-header x-one --name Quiet --jq`;
  const removed = await run(line, ".name, .custom_headers[].key");
  expect(removed).toEqual({ code: 0, stdout: "Quiet\nX-Two\n", stderr: "" });
  const hook = `/api/v4/groups/acme/hooks/${id}`;
  expect(requestsIn(log)).toEqual([`GET ${hook} 200`, `PUT ${hook} 200`, `DELETE ${hook}/custom_headers/X-One 204`]);
  expect(await secretsOf(id)).toEqual({ token: "hush-hush", two: "green" });
});

test("hook-new-url: if the second request fails, the error says that the first one was made", async () => {
  const faults = "PUT /groups/** = delay:ms=1; PUT /groups/** = 422";
  const other = await sandboxSession({ asDeployed: true, as: "owner", faults });
  const line = `hooks update 2 -g acme --url ${receiver.url} --no-token --header`;
  const { code, stderr } = await other.run(...line.split(" "), "X-Deploy-Key: new");
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^error: hook 2 was changed only in part: could not change a group webhook/m),
  ]);
  expect(stderr).toContain("try:   check it: forgectl hooks get 2 -g acme\n");
  const left = await other.run(..."hooks get 2 -g acme --jq".split(" "), ".url, .custom_headers");
  expect(left.stdout).toBe(`${receiver.url}\n[]\n`);
});

test("hook-delete-and-test: a test delivery, and the hook deleted", async () => {
  const id = await newHook();
  expect(await run(`hooks test ${id} --trigger note --no-header`)).toMatchObject({
    code: 0,
    stdout: `${id}\tnote\tdelivered\n`,
  });
  expect(await run(`hooks delete ${id} --yes --no-header`)).toMatchObject({ code: 0, stdout: `${id}\tdeleted\t\n` });
  expect((await run(`hooks get ${id}`)).code).toBe(3);
});

test("hook-flags: kinds that only the instance knows are turned off by none, and are in all", async () => {
  const more: Record<string, unknown> = { milestone_events: true, comet_events: true, confidential_note_events: null };
  const sent: Record<string, unknown>[] = [];
  const shown = (hook: object) => ({ ...hook, ...more });
  const newer = await alteringSession(
    ({ method, path, sent: values, body }) => {
      if (!/\/hooks(?:\/\d+)?(?:\?|$)/.test(path)) return undefined;
      if (method === "PUT") {
        sent.push(values as Record<string, unknown>);
        for (const name of Object.keys(more)) more[name] = sent.at(-1)?.[name] ?? more[name];
      }
      return { body: Array.isArray(body) ? body.map(shown) : shown(body as object) };
    },
    { asDeployed: true },
  );
  const type = (line: string) => newer.run(...line.split(" "), "-g", "acme");
  const listed = await type("hooks get 1 --jq .events[]");
  expect(listed.stdout.split("\n")).toEqual(expect.arrayContaining(["milestone", "comet"]));
  expect(await type("hooks update 1 --events none --jq .events")).toMatchObject({ code: 0, stdout: "[]\n" });
  expect(sent.pop()).toMatchObject({ push_events: false, milestone_events: false, comet_events: false });
  const every = await type("hooks update 1 --events all");
  expect([every.code, every.stderr]).toEqual([
    0,
    expect.stringContaining("warning: --events all: the instance left repository_update off\n"),
  ]);
  expect(sent.pop()).toMatchObject({ push_events: true, milestone_events: true, comet_events: true });
  expect((await type("hooks update 1 --events all,-repository_update")).code).toBe(0);
  expect(sent.pop()).toMatchObject({ push_events: true, milestone_events: true, comet_events: true });
  expect((await type("hooks update 1 --events -milestone -o table --fields events")).stdout).not.toContain("milestone");
  expect(sent.pop()).toEqual({ url: expect.any(String), milestone_events: false });
  // A flag that is null is off: a fresh export has no changes.
  Object.assign(more, { milestone_events: true, confidential_note_events: null });
  expect((await newer.run("state", "export", "-g", "acme", "--only", "hooks", "-O", "hooks.yaml")).code).toBe(0);
  expect(await readFile(join(newer.home, "hooks.yaml"), "utf8")).toContain("milestone");
  const plan = await newer.run("state", "plan", "-f", "hooks.yaml", "--exit-code");
  expect([plan.code, plan.stderr]).toEqual([0, expect.stringContaining("no change")]);
  more.confidential_note_events = true;
  expect((await newer.run("state", "plan", "-f", "hooks.yaml", "--exit-code")).code).toBe(10);
});

test("hook-delete-and-test: only kinds that can be tested are offered; the receiver's answer is shown in a line", async () => {
  const id = await newHook();
  for (const kind of ["subgroup", "member", "repository_update"]) {
    const refused = await run(`hooks test ${id} --trigger ${kind}`);
    expect([refused.code, refused.stdout]).toEqual([2, ""]);
  }
  expect(requestsIn(log)).toEqual([]);
  const said = async (body: string) => {
    const broken = await startReceiver();
    broken.answer = { status: 500, body };
    await run(`hooks update ${id} --url ${broken.url} --yes -q`);
    const { code, stderr } = await run(`hooks test ${id} --trigger push`);
    expect(code).toBe(1);
    return /^cause: (.*)$/m.exec(stderr)?.[1];
  };
  const page = "<html><head><title>x</title></head>\n<body>\n<h1>500 Oops</h1>\n<hr>nginx</body></html>";
  expect(await said(page)).toBe("the receiver answered without success: 500 Oops");
  expect(await said("")).toMatch(/^the receiver answered without success/);
});

test("hook-flags: a kind of all that instances ignore is a warning; one that is named, or another, is an error", async () => {
  const url = "https://hooks.example.com/all";
  const made = await run(`hooks create ${url} --events all -o json`);
  const { id, events } = JSON.parse(made.stdout);
  expect([made.code, made.stderr.split("\n")[0]]).toEqual([
    0,
    "warning: --events all: the instance left repository_update off",
  ]);
  expect(events).toEqual(expect.arrayContaining(["push", "member", "milestone"]));
  expect(events).not.toContain("repository_update");
  const named = await run(`hooks update ${id} --events all,repository_update`);
  expect([named.code, named.stderr]).toEqual([9, expect.stringContaining("sent repository_update_events true")]);
  const without = await run(`hooks update ${id} --events all,-repository_update`);
  expect([without.code, without.stderr]).toEqual([0, expect.not.stringContaining("warning")]);

  const other = await alteringSession(({ method, body }) =>
    method === "POST" ? { body: { ...(body as object), push_events: false } } : undefined,
  );
  const lost = await other.run(..."hooks create https://hooks.example.com/b -g acme --events all".split(" "));
  expect([lost.code, lost.stderr]).toEqual([9, expect.stringContaining("cause: sent push_events true")]);
});

test("hook-disabled-before: a time that is past is no disabled hook", async () => {
  const { run: typed } = await sandboxSession({ asDeployed: true });
  const shown = JSON.parse((await typed(..."hooks get 4 -g globex -o json".split(" "))).stdout);
  expect([shown.alert_status, Date.parse(shown.disabled_until) < Date.now()]).toEqual(["executable", true]);
  const words = "hooks health -g globex --exit-code -o json --jq .[0].try";
  const healthy = await typed(...words.split(" "));
  expect(healthy).toMatchObject({
    code: 0,
    stdout: "null\n",
    stderr: expect.stringMatching(/^hook 4: disabled now, or/),
  });
  const audited = await typed(..."hooks audit -g globex --no-header --fields finding".split(" "));
  expect(audited.stdout.split("\n")).not.toContain("disabled");
  const all = await typed(
    ..."audit -g globex --all -o json".split(" "),
    "--jq",
    '.[] | select(.rule=="hooks.disabled").verdict',
  );
  expect(all.stdout).toBe('"pass"\n');
});

test("hooks health is red while a hook is disabled, and green after the repair that it names", async () => {
  const repaired = await sandboxSession({ asDeployed: true, as: "owner" });
  const typed = (line: string) => repaired.run(...line.split(" "), "-g", "acme");
  expect((await typed(`hooks update 2 --url ${receiver.url} --yes`)).code).toBe(0);
  const health = () => typed("hooks health --exit-code -o json");
  const [, before] = JSON.parse((await health()).stdout);
  expect(before).toMatchObject({ undelivered: 0, alert_status: "temporarily_disabled" });
  expect(before.try).toBe("forgectl hooks test 2 -g acme --trigger push");
  expect((await typed("hooks test 2 --trigger push")).code).toBe(0);
  const [, after] = JSON.parse((await health()).stdout);
  expect(after).toMatchObject({ undelivered: 0, alert_status: "executable", disabled_until: null, try: null });
});

test("hook-disabled-unrecorded: what happens while a hook is disabled is in no list, and health and redeliver say so", async () => {
  const { run: type } = await sandboxSession({ asDeployed: true, as: "owner" });
  const ask = (line: string, ...more: string[]) => type(...line.split(" "), ...more);
  const broken = await startReceiver();
  const made = await ask(`hooks create ${broken.url} -g acme --events note --fields id --no-header`);
  const id = made.stdout.trim();
  /** Comments, and waits until the receiver has got this number of deliveries. */
  const comment = async (count: number) => {
    await ask("notes create --issue 28 -p acme/storefront -q --body", "Seen");
    await broken.wait(count);
  };
  const health = async () => {
    const { stdout, stderr } = await ask("hooks health -g acme -o json");
    const row = JSON.parse(stdout).find((each: { id: number }) => String(each.id) === id);
    return { row, said: stderr.split("\n").find((line) => line.includes("neither sent nor recorded")) ?? "" };
  };
  broken.answer = { status: 503 };
  for (const count of [1, 2, 3]) await comment(count);
  expect((await health()).row).toMatchObject({ deliveries: 3, undelivered: 3, unrecorded: false });
  await comment(4);
  await comment(4);
  broken.answer = { status: 200 };
  const during = await health();
  expect(during.row).toMatchObject({
    deliveries: 4,
    undelivered: 4,
    unrecorded: true,
    alert_status: "temporarily_disabled",
  });
  const dry = await ask(`hooks redeliver ${id} -g acme -n -q`);
  expect(dry.stderr).toContain(
    `warning: hook ${id} is disabled, or may have been in the past seven days: events while a hook is`,
  );
  const refused = await ask(`hooks redeliver ${id} -g acme --limit 1 --yes`);
  expect(refused.stderr).toContain(`a successful test delivery enables it again: forgectl hooks test ${id} -g acme`);
  expect((await ask(`hooks test ${id} -g acme --trigger push`)).code).toBe(0);
  const sent = await ask(`hooks redeliver ${id} -g acme --yes -o json --jq length`);
  expect([sent.code, sent.stdout]).toEqual([0, "4\n"]);
  const after = await health();
  expect(after.row).toMatchObject({
    undelivered: 0,
    unrecorded: true,
    alert_status: "executable",
    disabled_until: null,
  });
  expect(after.said).toContain(id);
});

test("hook-new-url: a signing token that is gone afterwards is named", async () => {
  let signs = true;
  const other = await alteringSession(
    ({ method, path, body }) => {
      if (!/\/hooks\/3$/.test(path)) return undefined;
      if (method === "PUT") signs = false;
      return { body: { ...(body as object), signing_token_present: signs } };
    },
    { asDeployed: true },
  );
  const line = `hooks update 3 -g acme --url ${receiver.url} --yes -q --no-header --fields id`;
  const { code, stderr } = await other.run(...line.split(" "));
  expect([code, stderr]).toEqual([0, expect.stringContaining("warning: the hook's signing token: removed by this")]);
});

test("hook-disabled-unrecorded: resends that fail disable the hook, which a warning says", async () => {
  const { run: type } = await sandboxSession({ asDeployed: true, as: "owner" });
  const ask = (line: string) => type(...line.split(" "));
  const broken = await startReceiver();
  const made = await ask(`hooks create ${broken.url} -g acme --events note --fields id --no-header`);
  const id = made.stdout.trim();
  broken.answer = { status: 422 };
  expect((await ask(`hooks test ${id} -g acme --trigger push`)).code).not.toBe(0);
  const event = (await ask(`hooks events ${id} -g acme --fields id --no-header`)).stdout.trim();
  const words = `hook ${id} is disabled now until `;
  const first = await ask(`hooks resend ${id} ${event} -g acme`);
  expect([first.code, first.stderr]).toEqual([0, expect.not.stringContaining(words)]);
  const again = await ask(`hooks redeliver ${id} -g acme --limit 1 --yes`);
  expect([again.code, again.stderr]).toEqual([1, expect.not.stringContaining(words)]);
  const last = await ask(`hooks resend ${id} ${event} -g acme`);
  expect([last.code, last.stderr]).toEqual([0, expect.stringContaining(words)]);
});
