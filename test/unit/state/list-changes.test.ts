import { describe, expect, test } from "vitest";
import { ListChanges } from "../../../src/state/apply/list-changes.ts";
import type { Change, Values } from "../../../src/state/kind.ts";
import { hooksKind } from "../../../src/state/kinds/hooks.ts";
import { allowlistKind } from "../../../src/state/kinds/job-token.ts";
import { samlLinksKind } from "../../../src/state/kinds/links.ts";
import { settingsKind } from "../../../src/state/kinds/settings.ts";
import { readerOf } from "../../../src/state/live/reader.ts";
import { changeOf, reference } from "../../support/compared.ts";
import { type Request, scriptedInstance } from "../../support/scripted-instance.ts";

type Reply = ReturnType<Parameters<typeof scriptedInstance>[0]>;

const deploys = { id: 2, name: "Deploys", url: "https://a.example/in", push_events: true, description: "was" };
const toSet = changeOf(hooksKind, { name: "Deploys", description: "set" }, deploys);
const set = { ...deploys, description: "set" };
const link = { name: "Engineering", access_level: 30, provider: null };
const removal = changeOf(samlLinksKind, undefined, link);
const creation = changeOf(samlLinksKind, link, undefined);

interface Trial {
  /** What reads show, one after the other; the last one stays. */
  reads: (Values[] | Values | Reply)[];
  /** The answers to changes, likewise. */
  answers?: Reply[];
  changes: [Change, ...Change[]];
  interrupted?: boolean;
  /** Interrupts before the first change. */
  stopped?: boolean;
  /** Interrupts once such a request was sent. */
  interrupts?: RegExp;
  waitSeconds?: number;
  /** By default the scope was looked up a moment ago. */
  readAtMs?: number;
}

/** Makes the changes as apply does, and tells their outcomes: at once, and after the last look. */
async function made({
  reads,
  answers = [],
  changes,
  interrupted,
  stopped,
  interrupts,
  waitSeconds,
  readAtMs = Date.parse("2026-11-21T16:45:02Z"),
}: Trial) {
  const next = <T>(list: T[]) => (list.length > 1 ? (list.shift() as T) : (list[0] as T));
  const isReply = (each: unknown): each is Reply =>
    each === "lost" || (Array.isArray(each) && typeof each[0] === "number");
  const { context, log } = await scriptedInstance(({ method, path }: Request) => {
    if (interrupts?.test(`${method} ${path}`)) context.interrupt.abort();
    if (method !== "GET") {
      return next(answers);
    }
    const read = next(reads);
    return isReply(read) ? read : [200, read];
  });
  const readers = {
    reader: readerOf(context.api, context.config),
    verifier: readerOf(context.verifier, context.config),
  };
  const list = new ListChanges(context, readers, { readAtMs, waitSeconds, run: "" }, changes);
  const open = await list.open();
  let begun = 0;
  if (stopped) context.interrupt.abort();
  const results = [];
  for (const change of open === undefined ? changes : []) {
    const { status, error, live } = await list.make(change, async () => {
      begun += 1;
    });
    results.push({ status, error, live: live?.values });
  }
  if (interrupted) context.interrupt.abort();
  const corrected = await list.close();
  const after = changes
    .map((change) => corrected.get(change))
    .map((each) => each && { status: each.status, error: each.error });
  return {
    open,
    begun,
    first: results[0],
    all: results.map(({ status }) => status),
    after,
    log: log(),
    sent: log("changes"),
  };
}

const put = "PUT /groups/acme/hooks/2";

describe("before something is sent", () => {
  test.each<[law: string, reads: Trial["reads"], status: string]>([
    ["what is as desired is unchanged", [[set]], "unchanged"],
    ["what changed since the plan is stale", [[{ ...deploys, description: "other" }]], "stale"],
    ["and so is what is gone", [[]], "stale"],
  ])("%s", async (_law, reads, status) => {
    const trial = await made({ reads, changes: [toSet] });
    expect([trial.all, trial.begun, trial.sent, trial.after]).toEqual([[status], 0, [], [undefined]]);
    expect(trial.log).toEqual(["GET /groups/acme/hooks"]);
  });

  test.each<[now: string, place: Values | Reply, isMade: boolean]>([
    ["the same still", { id: 4, full_path: "acme" }, true],
    ["another one's", { id: 5, full_path: "acme" }, false],
    ["not shown", [404, { message: "404 Group Not Found" }], true],
  ])("a path that was looked up a while ago is looked up again: it is %s", async (_now, place, isMade) => {
    const change = { ...toSet, scope: { ...toSet.scope, id: 4 } };
    const trial = await made({
      reads: [place, [deploys]],
      answers: [[200, set]],
      changes: [change],
      readAtMs: -60_000,
    });
    expect([trial.open?.status, trial.sent]).toEqual(isMade ? [undefined, [put]] : ["stale", []]);
    if (!isMade) expect(trial.open?.error).toBe("acme is another group by now: its ID is 5, and was 4");
  });

  test("a list that cannot be read is the reason; nothing is made", async () => {
    const trial = await made({ reads: [[403, { message: "403 Forbidden" }]], changes: [toSet] });
    expect([trial.open !== undefined, trial.sent]).toEqual([true, []]);
  });

  test("a secret is sent although nothing else differs, and so is what a cache may hide", async () => {
    const token = changeOf(hooksKind, { name: "Deploys", token: "t" }, deploys, { secrets: "always" });
    const trial = await made({ reads: [[deploys]], answers: [[200, deploys]], changes: [token] });
    expect([trial.all, trial.begun, trial.sent]).toEqual([["done"], 1, [put]]);
    const doubtful = { ...toSet, doubts: new Map([["description", ["set"]]]) };
    expect((await made({ reads: [[set]], answers: [[200, set]], changes: [doubtful] })).sent).toEqual([put]);
  });
});

describe("a creation that was answered with an ID", () => {
  const desired = { url: "https://A.example", push_events: true };
  const stored = { id: 9, url: "https://a.example/", push_events: true, name: null };
  const hook = changeOf(hooksKind, desired, undefined);

  test("has made that object, even if the instance stored its address otherwise", async () => {
    const trial = await made({ reads: [[], [stored]], answers: [[201, stored]], changes: [hook] });
    const error = 'the instance keeps url as "https://a.example/": write url: "https://a.example/" in the file';
    expect([trial.first, trial.after]).toEqual([{ status: "altered", error, live: stored }, [undefined]]);
  });

  test("is unknown if no list shows it, with its ID", async () => {
    const shown = { ...stored, url: desired.url };
    const trial = await made({ reads: [[]], answers: [[201, shown]], changes: [hook] });
    const error = "the instance answered that it was made with the ID 9, but does not list it";
    expect([trial.sent, trial.after]).toEqual([["POST /groups/acme/hooks"], [{ status: "unknown", error }]]);
  });
});

test("a creation that can be made twice is sent again after a 500 only if no list shows it for a while", async () => {
  const hook = { id: 9, name: "New", url: "https://a.example", push_events: true };
  const creation = changeOf(hooksKind, { name: "New", url: hook.url, push_events: true }, undefined);
  const answers: Reply[] = [
    [500, { message: "500 Internal Server Error" }],
    [201, hook],
  ];
  const late = await made({ reads: [[], [], [], [hook]], answers: [...answers], changes: [creation] });
  expect([late.all, late.sent]).toEqual([["done"], ["POST /groups/acme/hooks"]]);
  const reads = [[], [], [], [], [], [], [], [], [hook]];
  const never = await made({ reads, answers: [...answers], changes: [creation] });
  expect([never.all, never.sent.length]).toEqual([["done"], 2]);
});

describe("a change that was answered", () => {
  test("with the object as wanted is done, and checked with the list in the end", async () => {
    const trial = await made({ reads: [[deploys], [set]], answers: [[200, set]], changes: [toSet] });
    expect(trial).toMatchObject({ first: { status: "done", error: null, live: set }, begun: 1, after: [undefined] });
    expect(trial.log).toEqual(["GET /groups/acme/hooks", put, "GET /groups/acme/hooks"]);
  });

  test("with the object as wanted may be visible in the list only after a while", async () => {
    const trial = await made({ reads: [[deploys], [deploys], [set]], answers: [[200, set]], changes: [toSet] });
    expect([trial.all, trial.after, trial.log.length]).toEqual([["done"], [undefined], 4]);
  });

  test("without the object is looked at until it is visible", async () => {
    const trial = await made({ reads: [[deploys], [deploys], [set]], answers: [[200, ""]], changes: [toSet] });
    expect([trial.all, trial.after, trial.log.length]).toEqual([["done"], [undefined], 4]);
  });

  test.each<[law: string, reads: Trial["reads"], status: string]>([
    ["and not made is not taken", [[deploys]], "not_taken"],
    ["and made otherwise is altered", [[deploys], [{ ...deploys, description: "other" }]], "altered"],
    ["and no longer readable is unknown", [[deploys], [403, {}]], "unknown"],
  ])("%s, after a few seconds of looking", async (_law, reads, status) => {
    const trial = await made({ reads, answers: [[200, deploys]], changes: [toSet] });
    expect(trial.all).toEqual([status]);
    expect(trial.log.length).toBeLessThan(9);
  });

  test.each<[law: string, last: Trial["reads"], status: string]>([
    ["that is gone again in the end is not done", [[deploys]], "not_taken"],
    ["that is other in the end is altered", [[{ ...deploys, description: "other" }]], "altered"],
    ["that cannot be read in the end is unknown", [[403, {}]], "unknown"],
  ])("%s", async (_law, last, status) => {
    const trial = await made({ reads: [[deploys], ...last], answers: [[200, set]], changes: [toSet] });
    expect([trial.all, trial.after[0]?.status]).toEqual([["done"], status]);
    if (status === "unknown") expect(trial.after[0]?.error).toContain("it was sent, and could not be read again: ");
  });

  test("and interrupted before it was visible is unknown", async () => {
    const trial = await made({ reads: [[deploys]], answers: [[200, set]], changes: [toSet], interrupted: true });
    expect(trial.after[0]).toEqual({ status: "unknown", error: "it was sent, and interrupted before it was visible" });
  });

  test("a removal is done, and its list is read in the end", async () => {
    const trial = await made({ reads: [[link], []], answers: [[204]], changes: [removal] });
    expect([trial.all, trial.after, trial.sent]).toEqual([
      ["done"],
      [undefined],
      ["DELETE /groups/acme/saml_group_links/Engineering"],
    ]);
    const kept = await made({ reads: [[link]], answers: [[204]], changes: [removal] });
    expect([kept.all, kept.after[0]?.status]).toEqual([["done"], "not_taken"]);
  });

  test("several of one list are checked with two reads of it", async () => {
    const other = { ...link, name: "Leads" };
    const changes: [Change, Change] = [creation, changeOf(samlLinksKind, other, undefined)];
    const trial = await made({
      reads: [[], [link, other]],
      answers: [
        [201, link],
        [201, other],
      ],
      changes,
    });
    expect([trial.all, trial.after, trial.log.length]).toEqual([["done", "done"], [undefined, undefined], 4]);
  });

  test("what no request shows of a new entry is said", async () => {
    const added = changeOf(allowlistKind, { id: 9 }, undefined);
    const answer = { source_project_id: 7, target_project_id: 9 };
    const trial = await made({
      reads: [[], [{ id: 9, path_with_namespace: "acme/x" }]],
      answers: [[201, answer]],
      changes: [added],
    });
    expect(trial.first).toMatchObject({
      status: "done",
      error: expect.stringContaining("not verified: "),
      live: { id: 9 },
    });
    expect(trial.after).toEqual([undefined]);
  });
});

describe("a change that failed", () => {
  test("with a refusal is refused, as looks confirm; one of access needs no look", async () => {
    const trial = await made({ reads: [[deploys]], answers: [[422, { message: "no" }]], changes: [toSet] });
    expect(trial.first).toMatchObject({ status: "refused", error: "no" });
    // At once, and then until reads have caught up.
    expect([trial.after, trial.log.length]).toEqual([[undefined], 3 + 4]);
    const denied = await made({ reads: [[deploys]], answers: [[403, { message: "no" }]], changes: [toSet] });
    expect([denied.all, denied.log.length]).toEqual([["refused"], 2]);
  });

  test("with the refusal of a second attempt is done, once the list shows it", async () => {
    const late = await made({
      reads: [[deploys], [deploys], [deploys], [set]],
      answers: [[404, {}]],
      changes: [toSet],
    });
    expect([late.all, late.after[0]?.status]).toEqual([["refused"], "done"]);
    const removed = await made({
      reads: [[link], [link], [link], [], { id: 4, full_path: "acme" }],
      answers: [[404, {}]],
      changes: [removal],
    });
    expect([removed.all, removed.after[0]?.status]).toEqual([["refused"], "done"]);
  });

  test("with a refusal is not known if the look was interrupted, or not possible", async () => {
    const trial = await made({ reads: [[deploys]], answers: [[422, {}]], changes: [toSet], interrupted: true });
    expect([trial.all, trial.after[0]?.status]).toEqual([["refused"], "unknown"]);
    const blind = await made({ reads: [[deploys], [403, {}]], answers: [[422, {}]], changes: [toSet] });
    expect([blind.all, blind.after[0]?.status]).toEqual([["refused"], "unknown"]);
    const to = changeOf(samlLinksKind, { ...link, access_level: 40 }, link);
    const halved = await made({
      reads: [[link], [403, {}]],
      answers: [
        [404, {}],
        [201, {}],
      ],
      changes: [to],
    });
    expect([to.action, halved.all, halved.sent.length]).toEqual(["replace", ["unknown"], 1]);
  });

  test("with many others is looked at together with them", async () => {
    const all = Array.from({ length: 9 }, (_, at) => ({ ...deploys, id: at + 2, name: `Deploys ${at}` }));
    const to = all.map((each) => changeOf(hooksKind, { name: each.name, description: "set" }, each));
    const trial = await made({ reads: [all], answers: [[422, {}]], changes: to as [Change, ...Change[]] });
    expect([trial.after.length, trial.log.length - trial.sent.length]).toEqual([9, 1 + 9 + 4]);
  });

  test("as a removal whose answer was lost is no refusal while the list has its entry", async () => {
    const kept = await made({ reads: [[link]], answers: ["lost", [404, {}]], changes: [removal] });
    expect([kept.all, kept.after]).toEqual([["unknown"], [undefined]]);
    const late = await made({ reads: [[link], [link], [link], []], answers: ["lost", [404, {}]], changes: [removal] });
    expect(late.all).toEqual(["done"]);
    const stopped = await made({
      reads: [[link]],
      answers: ["lost", [404, {}]],
      changes: [removal],
      interrupts: /^DELETE/,
    });
    expect([stopped.all, stopped.after]).toEqual([["unknown"], [undefined]]);
  });

  test("before anything was sent needs no look", async () => {
    const gone = changeOf(hooksKind, { name: "Deploys", token: reference("GONE") }, deploys, { secrets: "always" });
    const unset = await made({ reads: [[deploys]], changes: [gone] });
    expect([unset.all, unset.after, unset.log]).toEqual([["failed"], [undefined], ["GET /groups/acme/hooks"]]);
    const stopped = await made({ reads: [[deploys]], changes: [toSet], stopped: true });
    expect([stopped.all, stopped.after, stopped.log]).toEqual([["not_tried"], [undefined], ["GET /groups/acme/hooks"]]);
  });

  test("with a lost answer is looked at: it was made", async () => {
    const trial = await made({ reads: [[deploys], [set]], answers: ["lost"], changes: [toSet] });
    expect([trial.all, trial.sent]).toEqual([["done"], [put]]);
  });

  test("or it was not, and is sent again", async () => {
    const trial = await made({ reads: [[deploys], [deploys], [set]], answers: ["lost", [200, set]], changes: [toSet] });
    expect([trial.all, trial.sent]).toEqual([["done"], [put, put]]);
    const created = await made({ reads: [[], [], [link]], answers: ["lost", [201, link]], changes: [creation] });
    expect([created.all, created.sent.length]).toEqual([["done"], 2]);
  });

  test("a creation of which something came is not sent again", async () => {
    const other = { ...link, access_level: 10 };
    const trial = await made({ reads: [[], [other]], answers: ["lost"], changes: [creation] });
    expect([trial.all, trial.sent.length]).toEqual([["unknown"], 1]);
  });

  test("and could not be looked at is unknown; a later look may prove it made", async () => {
    const lost = { reads: [[deploys], [403, {}], [set]] as Trial["reads"], answers: ["lost"] as Reply[] };
    const trial = await made({ ...lost, reads: [[deploys], [403, {}], [403, {}], [set]], changes: [toSet] });
    expect([trial.all, trial.after[0]?.status]).toEqual([["unknown"], "done"]);
    const never = await made({ reads: [[deploys], [403, {}]], answers: ["lost"], changes: [toSet] });
    expect([never.all, never.after]).toEqual([["unknown"], [undefined]]);
  });
});

describe("settings, whose reads are cached", () => {
  const to = changeOf(settingsKind, { max_login_attempts: 5 }, { max_login_attempts: 10 });
  const old = { id: 1, max_login_attempts: 10 };
  const now = { id: 1, max_login_attempts: 5 };

  test("are judged by the answer, and not by the list in the end", async () => {
    const trial = await made({ reads: [old], answers: [[200, now]], changes: [to] });
    expect([trial.all, trial.after, trial.log.length]).toEqual([["done"], [undefined], 2]);
    const altered = await made({ reads: [old], answers: [[200, { id: 1, max_login_attempts: 7 }]], changes: [to] });
    expect([altered.all, altered.log.length]).toEqual([["altered"], 2]);
  });

  test("are waited for, if that was asked, until a read shows them", async () => {
    const trial = await made({ reads: [old, old, now], answers: [[200, now]], changes: [to], waitSeconds: 60 });
    expect([trial.first?.status, trial.first?.error, trial.log.length]).toEqual(["done", null, 4]);
    const late = await made({ reads: [old], answers: [[200, now]], changes: [to], waitSeconds: 3 });
    expect([late.first?.status, late.first?.error]).toEqual(["done", expect.stringContaining("made; ")]);
  });

  test("an altered one is not waited for", async () => {
    const answers: Reply[] = [[200, { id: 1, max_login_attempts: 7 }]];
    expect((await made({ reads: [old], answers, changes: [to], waitSeconds: 60 })).log.length).toBe(2);
  });
});
