import { expect, onTestFinished, test } from "vitest";
import { resendHookEvent } from "../../../src/api/endpoints/hooks.ts";
import { deliveriesOf, isSuccess } from "../../../src/commands/hooks/deliveries.ts";
import { judge } from "../../../src/commands/hooks/delivery-verdict.ts";
import { redelivering } from "../../../src/commands/hooks/redelivery.ts";
import { contextFor } from "../../support/context.ts";
import { startSandbox } from "../../support/sandbox.ts";

const place = { group: "acme", hook_id: 2 };

// A page has 20 deliveries.
test.each([0, 50])(
  "a delivery that succeeds elsewhere during a wait, before %d others, is not sent again",
  async (others) => {
    const sandbox = await startSandbox({ minuteMs: 1 });
    onTestFinished(() => sandbox.close());
    const token = sandbox.tokens.owner;
    let now = Date.now();
    const waits: number[] = [];
    const context = {
      ...contextFor(sandbox.url, { token }),
      now: () => new Date(now),
      elapsedMs: () => now,
      // Another run continues while this one waits.
      sleep: async (ms: number) => {
        now += ms;
        waits.push(Math.round(ms / 1000));
        if (waits.length > 1) return;
        await resend(88);
        for (let n = 0; n < others; n += 1) await resend(delivered);
      },
    };
    const resend = async (event: number) => {
      const url = `${sandbox.url}/api/v4/groups/acme/hooks/2/events/${event}/resend`;
      expect((await fetch(url, { method: "POST", headers: { "private-token": token } })).status).toBe(201);
    };
    const asked = { status: undefined, trigger: undefined, since: undefined };
    const deliveries = await deliveriesOf(context.api, place);
    const todo = judge(deliveries, asked).filter(({ verdict }) => verdict === "RESEND");
    const delivered = deliveries.find(({ status }) => isSuccess(status))?.id ?? 0;
    const newest = deliveries[0]?.id ?? 0;
    const rows: object[] = [];
    const work = { place, todo, newest, journal: undefined, again: "" };
    for await (const row of redelivering(context, work)) rows.push(row);
    expect(rows.filter((row) => (row as { status: string }).status !== "redelivered")).toEqual([
      { event_id: 88, status: "made_good", response_status: null, error: null },
    ]);
    expect(rows).toHaveLength(15);
    expect(waits.filter((seconds) => seconds > 1)).toEqual([60, 60]);
    const after = await deliveriesOf(context.api, place);
    expect(after.filter(({ id }) => id > newest)).toHaveLength(15 + others);
  },
);

test("so is one that another run has delivered while the question was open", async () => {
  const sandbox = await startSandbox({ minuteMs: 1 });
  onTestFinished(() => sandbox.close());
  const context = contextFor(sandbox.url, { token: sandbox.tokens.owner });
  const deliveries = await deliveriesOf(context.api, place);
  const todo = judge(deliveries, { status: undefined, trigger: undefined, since: undefined }).filter(
    ({ verdict }) => verdict === "RESEND",
  );
  const [first, second] = todo;
  if (first === undefined || second === undefined) throw new Error("two failed deliveries are needed");
  await context.api.call(resendHookEvent, { ...place, hook_event_id: first.id });
  const work = { place, todo: [first, second], newest: deliveries[0]?.id ?? 0, journal: undefined, again: "" };
  const rows: object[] = [];
  for await (const row of redelivering(context, work)) rows.push(row);
  expect(rows).toMatchObject([
    { event_id: first.id, status: "made_good" },
    { event_id: second.id, status: "redelivered" },
  ]);
});
