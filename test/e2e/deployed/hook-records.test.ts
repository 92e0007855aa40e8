import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import { sandboxSession } from "../../support/session.ts";

const deployed = await sandboxSession({ asDeployed: true });
const run = (line: string) => deployed.run(...line.split(" "));

test("hook-flags: a hook has kinds that the documents lack, and flags without a value count as off", async () => {
  const hook = await run("api groups/globex/hooks/4 -o json");
  expect(JSON.parse(hook.stdout)).toMatchObject({ milestone_events: true, confidential_note_events: null });
  const exported = await run("state export -g acme -O state.yml");
  expect(exported.code).toBe(0);
  const plan = await run("state plan -f state.yml --exit-code");
  expect([plan.code, plan.stderr]).toEqual([0, expect.any(String)]);
});

test("hook-delivery-time: of a receiver that does not answer, --since and --until go by when it was sent", async () => {
  const { run } = await sandboxSession({ asDeployed: true });
  const words = (line: string) => line.split(" ");
  const shown = async (more: string) =>
    JSON.parse((await run(...words(`hooks events 2 -g acme -L all -o json${more}`))).stdout) as {
      readonly id: number;
      readonly response_status: string;
      readonly response_date: string;
      readonly created_at: string;
    }[];
  const all = await shown("");
  expect(all.map(({ response_date }) => response_date)).toEqual(
    all.map(({ created_at }) => new Date(created_at).toISOString()),
  );
  const [unanswered] = all.filter(({ response_status }) => response_status === "internal error");
  const at = unanswered?.response_date ?? "";
  const ids = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);
  expect(ids(await shown(` --since ${at}`))).toEqual(ids(all.filter(({ created_at }) => created_at >= at)));
  const before = await run(...words(`hooks events 2 -g acme -L all -o json --until ${at}`));
  expect([ids(JSON.parse(before.stdout)), before.stderr]).toEqual([
    ids(all.filter(({ created_at }) => created_at < at)),
    "",
  ]);
  const failed = await run(...words(`hooks redeliver 2 -g acme -n -o json --since ${at}`));
  const planned: { readonly response_date: string }[] = JSON.parse(failed.stdout);
  expect(planned.length).toBeGreaterThan(0);
  expect(planned.filter(({ response_date }) => response_date < at)).toEqual([]);
});

test("hook-records: a delivery to another URL is refused, and one that was too large has no payload", async () => {
  const rows = JSON.parse((await run("hooks events 2 -g acme -L all -o json")).stdout) as {
    readonly id: number;
    readonly url: string;
    readonly request_data?: object;
  }[];
  const moved = rows.find(({ url }) => url !== "https://deploys.acme.example/webhook");
  const refused = await run(`hooks resend 2 ${moved?.id} -g acme -o json`);
  expect(refused.code).not.toBe(0);
  const sizes = await Promise.all(
    [1, 2, 3].map((page) => run(`api groups/acme/hooks/2/events?page=${page} --jq .[].request_data.oversize`)),
  );
  expect(sizes.flatMap(({ stdout }) => stdout.split("\n")).filter((line) => line === "true")).toHaveLength(1);
});

test("hook-records: what an instance does not resend is lost, and neither health nor audit waits for it", async () => {
  const rows = JSON.parse((await run("hooks redeliver 2 -g acme -n -o json")).stdout) as Record<string, string>[];
  const never = rows.filter(({ rule }) => rule === "oversize" || rule === "url_changed").length;
  expect(never).toBeGreaterThan(1);
  const health = await run("hooks health -g acme -o json");
  const [, deploys] = JSON.parse(health.stdout);
  const open = rows.filter(({ verdict }) => verdict === "RESEND").length;
  expect(deploys).toMatchObject({ id: 2, undelivered: open, lost: never });
  expect(health.stderr).toContain(
    `hook 2 (Deploys): ${open} undelivered since ${deploys.since}, ${never} lost, disabled`,
  );
  const audit = await run("hooks audit -g acme --jq .[].detail");
  expect(audit.stdout).toContain(`${open} events not delivered`);
});

test("hook-server-failure: no answer at all is a failure of the server", async () => {
  const listed = await run(
    "hooks events 2 -g acme -L all --status server_failure --fields response_status --no-header",
  );
  expect(new Set(listed.stdout.trim().split("\n"))).toContain("internal error");
  // Both commands mean the same by it.
  const fields = "--fields response_status --no-header";
  const resent = await run(`hooks redeliver 2 -g acme -n --status server_failure ${fields}`);
  expect(resent.stdout).toContain("internal error\n");
  const rows = JSON.parse((await run("hooks events 2 -g acme -L all -o json")).stdout);
  const { id } = rows.find((each: { response_status: string }) => each.response_status === "internal error");
  expect((await run(`hooks events 2 -g acme --event ${id} --status server_failure`)).code).toBe(0);
});

test("hook-test-kinds: instances refuse to test some kinds", async () => {
  const { code, stderr } = await run("api -X POST groups/acme/hooks/1/test/member_events");
  expect([code, stderr]).toEqual([1, expect.stringContaining("trigger does not have a valid value")]);
  // They are not offered.
  expect((await run("hooks test 1 -g acme --trigger member")).code).toBe(2);
});

const template = '{"text":"{{object_attributes.note}}","kind":"{{object_kind}}"}';

/** A hook of which the receiver has just refused one comment. */
async function refusing(receiver: Receiver, address: string, ...flags: string[]): Promise<string> {
  receiver.answer = { status: 503 };
  const line = ["hooks create", address, "-g acme --events note --fields id --no-header", ...flags].join(" ");
  const made = await run(line);
  const id = made.stdout.trim();
  await deployed.run(..."api projects/7/issues/1/notes -q -f".split(" "), "body=Does it arrive?");
  await receiver.wait(1);
  const count = async () => (await run(`hooks events ${id} -g acme --fields id --no-header`)).stdout.split("\n").length;
  await expect.poll(count).toBe(2);
  return id;
}

test("hook-records: a password in the address is masked in records, which are of this address nevertheless", async () => {
  const receiver = await startReceiver();
  const id = await refusing(receiver, receiver.url.replace("//", "//ci:hush@"));
  const [event] = JSON.parse((await run(`hooks events ${id} -g acme -o json`)).stdout);
  expect(event.url).toBe(receiver.url.replace("//", "//*****:*****@"));
  const health = JSON.parse((await run("hooks health -g acme -o json")).stdout);
  expect(health.find((row: { id: number }) => row.id === Number(id))).toMatchObject({ undelivered: 1, lost: 0 });
  expect((await run("hooks audit -g acme --fields id,finding --no-header")).stdout).toContain(`${id}\tfailing\n`);
  receiver.answer = { status: 200 };
  const sent = await run(`hooks redeliver ${id} -g acme --yes --fields status --no-header`);
  expect([sent.code, sent.stdout]).toEqual([0, "redelivered\n"]);
  expect(receiver.received).toHaveLength(2);
});

test("hook-records: what a template made is not sent through it again, and is lost once another delivery succeeds", async () => {
  const receiver = await startReceiver();
  await writeFile(join(deployed.home, "template.json"), template);
  const id = await refusing(receiver, receiver.url, "--template-file", "template.json");
  expect(JSON.parse(receiver.received[0]?.body ?? "")).toEqual({ text: "Does it arrive?", kind: "note" });
  const healthOf = async () => {
    const { code, stdout } = await run("hooks health -g acme --exit-code -o json");
    const found = JSON.parse(stdout).find((row: { id: number }) => row.id === Number(id));
    return [code, found.undelivered, found.lost, found.try?.replace(/^.*forgectl.* hooks/, "hooks") ?? null];
  };
  expect(await healthOf()).toEqual([10, 1, 0, `hooks events ${id} -g acme --failed`]);
  receiver.answer = { status: 200 };
  const redelivered = await run(`hooks redeliver ${id} -g acme --yes`);
  expect([redelivered.code, redelivered.stderr]).toEqual([
    0,
    "1 skipped (template): the hook's template made the record, and an instance would apply it to that again\nnothing to resend\n",
  ]);
  expect(receiver.received).toHaveLength(1);
  const [{ id: event }] = JSON.parse((await run(`hooks events ${id} -g acme -o json`)).stdout);
  const resent = await run(`hooks resend ${id} ${event} -g acme`);
  expect([resent.code, resent.stderr]).toEqual([
    0,
    `warning: hook ${id} has a template: instances apply it again, to their record of what it made, so that what is sent ` +
      "may lack its values (null)\n",
  ]);
  // Why it was skipped.
  expect(JSON.parse(receiver.received[1]?.body ?? "")).toEqual({ text: "null", kind: "null" });
});

test("hook-records: what a template makes of its own record is resent if that is the same", async () => {
  const receiver = await startReceiver();
  await writeFile(join(deployed.home, "same.json"), '{"object_kind":"{{object_kind}}","n":1}');
  const id = await refusing(receiver, receiver.url, "--template-file", "same.json");
  receiver.answer = { status: 200 };
  expect((await run(`hooks redeliver ${id} -g acme --yes`)).code).toBe(0);
  expect(receiver.received.map(({ body }) => JSON.parse(body))).toEqual(Array(2).fill({ object_kind: "note", n: 1 }));
});
