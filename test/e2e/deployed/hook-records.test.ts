import { expect, test } from "vitest";
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
