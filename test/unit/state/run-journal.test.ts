import { describe, expect, test } from "vitest";
import { done, unknown } from "../../../src/state/apply/result.ts";
import { RunJournal } from "../../../src/state/apply/run-journal.ts";
import type { Change, Values } from "../../../src/state/kind.ts";
import { hooksKind } from "../../../src/state/kinds/hooks.ts";
import { samlLinksKind } from "../../../src/state/kinds/links.ts";
import { settingsKind } from "../../../src/state/kinds/settings.ts";
import type { RunEntry } from "../../../src/state/runs/runs.ts";
import { changeOf, declared, reference } from "../../support/compared.ts";
import { contextFor } from "../../support/context.ts";
import { notedRun } from "../../support/planned-state.ts";

const url = "https://a.example/in";
const hook = { id: 2, name: "Deploys", url, push_events: true, custom_headers: [{ key: "a" }] };
const update = changeOf(hooksKind, { name: "Deploys", description: "x" }, hook);
const creation = changeOf(samlLinksKind, { name: "New", access_level: 30 }, undefined);
const removal = changeOf(samlLinksKind, undefined, { name: "Old", access_level: 30 });

function notes() {
  const context = Object.assign(contextFor("https://forge.example.com"), {
    now: () => new Date("2026-11-21T16:45:02Z"),
  });
  const { run, lines } = notedRun();
  return { notes: new RunJournal(context, run), lines };
}

/** The entry of one change that has begun, or has this object as its outcome. */
async function entryOf(change: Change, after?: Values): Promise<RunEntry> {
  const { notes: of, lines } = notes();
  if (after === undefined) await of.begin(change);
  else await of.end([{ ...done({ values: after }), change }]);
  const [line] = lines as { begin?: RunEntry; end?: RunEntry }[];
  return line?.begin ?? line?.end ?? expect.unreachable();
}

describe("the journal", () => {
  test("has each change with its number: as planned, when it begins, and as it ended", async () => {
    const { notes: of, lines } = notes();
    await of.plan([creation, removal]);
    await of.begin(removal);
    await of.end([{ ...done(undefined), change: removal }]);
    expect(lines).toMatchObject([
      { n: 1, planned: { key: "New", status: "not_tried", error: "the run ended before this change" } },
      { n: 2, planned: { key: "Old", status: "not_tried" } },
      { n: 2, begin: { key: "Old", status: "unknown", error: "the run ended during this change" } },
      { n: 2, end: { key: "Old", status: "done", error: null } },
    ]);
  });

  test("has an outcome once, and another one if it turned out to be another", async () => {
    const { notes: of, lines } = notes();
    const ended = { ...done(undefined), change: removal };
    await of.end([ended]);
    await of.end([ended]);
    expect(lines).toHaveLength(1);
    await of.end([ended, { ...unknown("lost"), change: creation }]);
    await of.end([{ ...unknown("lost"), change: removal }]);
    expect(lines.slice(1)).toMatchObject([
      { n: 2, end: { status: "unknown" } },
      { n: 1, end: { status: "unknown", error: "lost" } },
    ]);
  });

  test("is not written where there is nothing to note", async () => {
    const written: (readonly object[])[] = [];
    const { run } = notedRun();
    const of = new RunJournal(contextFor("https://forge.example.com"), {
      ...run,
      note: async (...lines) => void written.push(lines),
    });
    const ended = [{ ...done(undefined), change: removal }];
    await of.end(ended);
    await of.end(ended);
    expect(written).toHaveLength(1);
  });
});

describe("an entry", () => {
  test("has what a rollback needs", async () => {
    expect(await entryOf(update, { ...hook, description: "x" })).toEqual({
      address: "acme#hooks/Deploys",
      at: "group",
      scope: "acme",
      kind: "hooks",
      key: "Deploys",
      id: 2,
      action: "update",
      status: "done",
      error: null,
      before: { name: "Deploys", url },
      after: { name: "Deploys", url, description: "x" },
      sent: { description: "x" },
      secrets: [],
      hidden: [],
      time: "2026-11-21T16:45:02.000Z",
    });
  });

  test("of a creation has the ID that the instance gave", async () => {
    const create = changeOf(hooksKind, { name: "New", url }, undefined);
    expect(await entryOf(create)).toMatchObject({ id: null, before: null, after: null, sent: { name: "New", url } });
    expect(await entryOf(create, { id: 9, name: "New", url })).toMatchObject({ id: 9, sent: { name: "New", url } });
  });

  test("of a removal sends nothing", async () => {
    expect(await entryOf(removal)).toMatchObject({
      sent: null,
      before: { name: "Old", access_level: 30 },
      after: null,
    });
  });

  test("has no secret, no header, and no reference among what is sent", async () => {
    const values = {
      name: "Deploys",
      url: "https://b.example/in",
      token: "s3cret",
      custom_headers: [{ key: "a", value: "s3cret" }],
      description: reference("ABOUT"),
    };
    const entry = await entryOf(changeOf(hooksKind, declared(values), hook, { secrets: "always" }));
    expect(entry).toMatchObject({ sent: { url: "https://b.example/in" }, hidden: ["token", "description"] });
    expect(entry.secrets.toSorted()).toEqual(["custom_headers", "description", "token"]);
    expect(JSON.stringify(entry)).not.toContain("s3cret");
    const create = await entryOf(changeOf(hooksKind, declared({ ...values, name: "New" }), undefined));
    expect(create.sent).toEqual({ name: "New", url: "https://b.example/in" });
  });

  test("of the settings has the date of the copy that it is from, if it has one", async () => {
    const settings = { id: 1, max_login_attempts: 10, updated_at: "2026-11-21T16:00:00Z" };
    const to = changeOf(settingsKind, { max_login_attempts: 5 }, settings);
    expect((await entryOf(to)).version).toBe("2026-11-21T16:00:00Z");
    expect((await entryOf(to, { ...settings, updated_at: "2026-11-21T16:45:00Z" })).version).toBe(
      "2026-11-21T16:45:00Z",
    );
    expect(await entryOf(to, { max_login_attempts: 5 })).not.toHaveProperty("version");
    expect(await entryOf(update)).not.toHaveProperty("version");
  });
});
