import { expect, test } from "vitest";
import type { Delivery } from "../../../src/commands/hooks/deliveries.ts";
import { judge, type Seen } from "../../../src/commands/hooks/delivery-verdict.ts";

const anything = { status: undefined, trigger: undefined, since: undefined };

/** Deliveries as `id key status`, newest first as instances list them. */
function deliveries(...lines: string[]): Delivery[] {
  return lines
    .map((line) => {
      const [id, key, status = "", hour] = line.split(" ");
      const date = hour === undefined ? null : `2026-03-04T${hour.padStart(2, "0")}:00:00.000Z`;
      return {
        id: Number(id),
        key: key === "-" ? undefined : key,
        trigger: "push_hooks",
        status,
        date,
        url: "",
        altered: undefined,
      };
    })
    .reverse();
}

const verdicts = (list: Delivery[], asked: object = {}, seen?: Seen) =>
  judge(list, { ...anything, ...asked }, seen).map(({ id, verdict, rule }) => `${id} ${verdict} ${rule}`);

test("failed deliveries are sent again, the oldest first; successful ones are skipped", () => {
  expect(verdicts(deliveries("1 a 500", "2 b 200", "3 c internal", "4 d 404", "5 e 301"))).toEqual([
    "1 RESEND failed",
    "3 RESEND failed",
    "4 RESEND failed",
    "5 RESEND failed",
  ]);
});

test("a later successful delivery of the same event settles it, an earlier one does not", () => {
  expect(verdicts(deliveries("1 a 500", "2 a 204"))).toEqual(["1 SKIP made_good"]);
  expect(verdicts(deliveries("1 a 200", "2 a 500"))).toEqual(["2 RESEND failed"]);
  expect(verdicts(deliveries("1 a 500", "2 a 200", "3 a 500"))).toEqual(["1 SKIP made_good", "3 RESEND failed"]);
});

test("an event that failed repeatedly is sent once", () => {
  expect(verdicts(deliveries("1 a 500", "2 a 502", "3 b 500", "4 a 503"))).toEqual([
    "1 SKIP sent_again",
    "2 SKIP sent_again",
    "3 RESEND failed",
    "4 RESEND failed",
  ]);
});

test("without a key the outcome is unknown", () => {
  expect(verdicts(deliveries("1 - 500", "2 - 200"))).toEqual(["1 SKIP no_key"]);
});

test("filters choose among failures: by code, category, kind of event", () => {
  const list = deliveries("1 a 500", "2 b 404", "3 c error", "4 d 1234");
  expect(verdicts(list, { status: 500 })).toEqual(["1 RESEND failed"]);
  expect(verdicts(list, { status: "client_failure" })).toEqual(["2 RESEND failed"]);
  expect(verdicts(list, { status: "no_answer" })).toEqual(["3 RESEND failed", "4 RESEND failed"]);
  for (const trigger of ["push", "push_events", "push_hooks"]) expect(verdicts(list, { trigger })).toHaveLength(4);
  expect(verdicts(list, { trigger: "tag_push" })).toEqual([]);
  const merged = list.map((each) => ({ ...each, trigger: "merge_request_hooks" }));
  expect(verdicts(merged, { trigger: "merge_requests" })).toHaveLength(4);
});

test("an event whose status has changed is not mistaken for the old one", () => {
  expect(verdicts(deliveries("1 a 401", "2 a 500"), { status: 401 })).toEqual(["1 SKIP sent_again"]);
});

test("a delivery without an answer is as old as the next one after it, the last ones as new as possible", () => {
  const list = deliveries("1 a none", "2 b 500 6", "3 c none", "4 d 500 8", "5 e none", "6 f none");
  const since = Date.parse("2026-03-04T07:00:00Z");
  expect(verdicts(list, { since })).toEqual([
    "3 RESEND failed",
    "4 RESEND failed",
    "5 RESEND failed",
    "6 RESEND failed",
  ]);
  // A wrong clock does not affect the others.
  expect(verdicts(deliveries("1 a 500 8", "2 b 500 1", "3 c 500 9"), { since })).toEqual([
    "1 RESEND failed",
    "3 RESEND failed",
  ]);
});

test("deliveries resent a moment ago and not shown are unknown, as are started ones until a newer delivery shows the outcome", () => {
  const list = deliveries("1 a 500", "2 b 500", "3 c 500", "9 d 500");
  const facts = new Map([
    ["a", { done: true, started: false, newest: 3 }],
    ["b", { done: false, started: true, newest: 3 }],
    ["c", { done: false, started: false, newest: 3 }],
    ["d", { done: false, started: true, newest: 3 }],
  ]);
  expect(verdicts(list, {}, (key) => facts.get(key))).toEqual([
    "1 UNKNOWN journal",
    "2 UNKNOWN begun_before",
    "3 RESEND failed",
    "9 RESEND failed",
  ]);
});
