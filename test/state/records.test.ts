import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Scope } from "../../src/state/kind.ts";
import { Chain } from "../../src/state/runs/chain.ts";
import { readRecord } from "../../src/state/runs/record.ts";
import { contextFor } from "../support/context.ts";
import { engineFor } from "../support/engine.ts";
import { requestsIn, type Session, sandboxSession, session } from "../support/session.ts";
import { snapshotOf } from "../support/snapshot.ts";
import { stoppable } from "../support/stopping-proxy.ts";

// A record is the run as one file: what a machine that is gone applied is undone on another one.

const scopes: readonly Scope[] = [
  { at: "instance", name: "" },
  { at: "group", name: "acme" },
  { at: "project", name: "acme/docs" },
];

/** Something created, changed, and removed, with secrets in it. */
const file = `forgectl: 1
settings: { terminal_max_session_time: 60, spam_check_api_key: { env: SPAM_KEY } }
groups:
  acme:
    hooks:
      - name: Deploys
        url: https://deploys.acme.example/new
        events: [push]
        token: { env: HOOK_TOKEN }
        custom_headers: [{ key: X-Key, value: { file: key.txt } }]
    saml_group_links:
      - { name: Engineering, access_level: owner }
      - { name: Nëwcomers, access_level: guest }
projects:
  acme/docs:
    job_token_scope: { inbound_enabled: true, allowlist: [1, 3] }
`;
const secrets = { SPAM_KEY: "s3cret-spam-key", HOOK_TOKEN: "s3cret-hook-token" };

let log: string[];
let admin: Awaited<ReturnType<typeof sandboxSession>>;
let proxy: Awaited<ReturnType<typeof stoppable>>;
let restore: Awaited<ReturnType<typeof snapshotOf>>;
beforeAll(async () => {
  log = [];
  admin = await sandboxSession({ log: (line) => log.push(line) });
  proxy = await stoppable(admin.sandbox.url);
  restore = await snapshotOf(admin.sandbox);
});

/** A machine that is signed in; `text` is the state file on it. */
function machine(text = file, url = admin.sandbox.url): Session {
  const place = session({ FORGECTL_BASE_URL: url, FORGECTL_TOKEN: admin.sandbox.tokens.administrator, ...secrets });
  writeFileSync(join(place.home, "state.yaml"), text);
  writeFileSync(join(place.home, "key.txt"), "s3cret-header");
  return place;
}

const stateFolder = ({ home }: Session) => join(home, ".local/state/forgectl");
const exported = () => engineFor(admin.sandbox.url, admin.sandbox.tokens.administrator).exported(scopes);
const apply = [..."state apply -f state.yaml --prune --max-delete all --yes --record run.ndjson".split(" ")];

/** Links alone: what a rollback brings back whole. */
const links = (count: number) =>
  `forgectl: 1\ngroups:\n  acme/platform:\n    saml_group_links:\n${Array.from(
    { length: count },
    (_, index) => `      - { name: Tëam ${index + 1}, access_level: guest }\n`,
  ).join("")}`;
const linkNames = async () =>
  (await admin.run("saml", "links", "list", "-g", "acme/platform", "--fields", "name", "--no-header")).stdout.trim();

/** The record of an apply of two links, whose machine is gone. */
async function recorded(): Promise<string> {
  restore();
  const place = machine(links(2));
  const { code, stderr } = await place.run(...apply);
  expect([code, stderr]).toEqual([0, expect.stringContaining("undo: forgectl state rollback run.ndjson")]);
  return readFileSync(join(place.home, "run.ndjson"), "utf8");
}

async function rolledBack(text: string | Buffer, ...more: string[]) {
  const place = machine();
  writeFileSync(join(place.home, "r.ndjson"), text);
  return place.run("state", "rollback", "r.ndjson", "--yes", "--no-header", ...more);
}

test("what a machine applied is undone on another one, and the rollback has a record too", {
  timeout: 90_000,
}, async () => {
  restore();
  const before = await exported();
  const place = machine();
  const applied = await place.run(...apply);
  expect(applied.code, applied.stderr).toBe(0);
  const after = await exported();
  expect(after).not.toBe(before);
  const record = readFileSync(join(place.home, "run.ndjson"), "utf8");
  expect(statSync(join(place.home, "run.ndjson")).mode & 0o777).toBe(0o600);
  rmSync(stateFolder(place), { recursive: true });

  const laptop = machine();
  writeFileSync(join(laptop.home, "r.ndjson"), record, { mode: 0o644 });
  const shown = await laptop.run("state", "show", "r.ndjson", "-o", "json");
  const rows = JSON.parse(shown.stdout) as { address: string; status: string; before: unknown }[];
  expect(rows.length).toBe(applied.stdout.trim().split("\n").length - 1);
  expect(rows.every(({ status }) => status === "done")).toBe(true);
  expect(rows.find(({ address }) => address === "acme#saml_group_links/Engineering")?.before).toMatchObject({
    access_level: 30,
  });
  const back = await laptop.run(..."state rollback r.ndjson --yes --record back.ndjson".split(" "));
  // The earlier secrets cannot be read.
  expect([back.code, back.stderr]).toEqual([9, expect.stringContaining("set them again")]);
  expect(await exported()).toBe(before);

  rmSync(stateFolder(laptop), { recursive: true });
  const again = await laptop.run("state", "rollback", "back.ndjson", "--yes", "-q");
  expect([0, 9]).toContain(again.code);
  expect((await laptop.run("saml", "links", "get", "Nëwcomers", "-g", "acme")).code).toBe(0);
});

test("holds no secret", async () => {
  restore();
  const place = machine(file.replace("https://deploys", "https://jo:s3cret-in-url@deploys"));
  await place.run(...apply);
  const record = readFileSync(join(place.home, "run.ndjson"), "utf8");
  expect(record).toContain('"preimage":"');
  expect(record).not.toContain("s3cret");
});

/** A record in which the end of the change of the settings is another. */
function withEnd(lines: readonly string[], other: object): string {
  const chain = new Chain();
  const values = lines.map((line): Record<string, unknown> => JSON.parse(line));
  return values
    .map(({ sum: _, ...value }) => {
      const end = value.end as Record<string, unknown> | undefined;
      return chain.line(end?.address === "#settings" ? { ...value, end: { ...end, ...other } } : value);
    })
    .join("");
}

/** The lines of a run that changed one setting. */
async function recordedSetting(): Promise<string[]> {
  restore();
  const place = machine("forgectl: 1\nsettings: { terminal_max_session_time: 61 }\n");
  expect((await place.run(...apply)).code).toBe(0);
  return readFileSync(join(place.home, "run.ndjson"), "utf8").split("\n").slice(0, -1);
}

test("a change with a status that this version does not know is undone too", async () => {
  const { code, stderr } = await rolledBack(withEnd(await recordedSetting(), { status: "half_made" }));
  expect([code, stderr]).toEqual([0, expect.stringContaining("1 change made and verified")]);
});

describe("a record that is not as the run wrote it is refused, and nothing is sent", () => {
  test("a field of another type, with the digests that belong to it", async () => {
    const lines = (await recorded()).split("\n").slice(0, -1);
    const values = lines.map((line): Record<string, unknown> => JSON.parse(line));
    const at = values.findIndex(({ end }) => end !== undefined);
    const entry = values[at]?.end as Record<string, unknown>;
    expect(Object.keys(entry)).toContain("hidden");
    const place = machine();
    const context = contextFor(admin.sandbox.url, { folder: place.home });
    for (const name of Object.keys(entry)) {
      for (const wrong of [true, [7]]) {
        const altered = values.with(at, { ...values[at], end: { ...entry, [name]: wrong } });
        const chain = new Chain();
        const text = altered.map(({ sum: _, ...value }) => chain.line(value)).join("");
        writeFileSync(join(place.home, "r.ndjson"), text);
        const error = await readRecord(context, "r.ndjson").catch((thrown: unknown) => thrown);
        expect([name, wrong, (error as Error).message]).toEqual([
          name,
          wrong,
          expect.stringContaining(`cannot read line ${at + 1}`),
        ]);
      }
    }
  });

  test.each([
    ["at", "everywhere"],
    ["scope", "__proto__"],
  ])("%s is %s in the end of an update of the instance", async (name, wrong) => {
    const { code, stderr } = await rolledBack(withEnd(await recordedSetting(), { [name]: wrong }));
    expect([code, stderr]).toEqual([2, expect.stringContaining("this version cannot read line")]);
  });

  test("each line altered, left out, and repeated", async () => {
    const lines = (await recorded()).split("\n").slice(0, -1);
    expect(lines.length).toBeGreaterThan(7);
    const text = (all: readonly string[]) => all.map((line) => `${line}\n`).join("");
    const place = machine();
    const context = contextFor(admin.sandbox.url, { folder: place.home });
    const refused = async (all: readonly string[], number: number) => {
      writeFileSync(join(place.home, "r.ndjson"), text(all));
      const error = await readRecord(context, "r.ndjson").catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ exit: "usage", details: { code: "damaged_record" } });
      expect((error as Error).message).toContain(`line ${number} was altered`);
    };
    for (const [index, line] of lines.entries()) {
      const altered = line.replace(/Tëam|2026|guest|complete|http/, (word) => `${word}0`);
      expect(altered).not.toBe(line);
      for (const other of [altered, line.replace(/"sum":"./, '"sum":"-'), `${line} `, ""]) {
        await refused(lines.with(index, other), index + 1);
      }
      await refused(lines.toSpliced(index, 0, line), index + 2);
      // Without its last line, it is the record of a run that did not end.
      if (index < lines.length - 1) await refused(lines.toSpliced(index, 1), index + 1);
    }
    requestsIn(log);
    for (const verb of ["rollback", "show"]) {
      const { code, stderr } = await place.run("state", verb, "r.ndjson");
      expect([code, stderr]).toEqual([2, expect.stringContaining("is not a whole record: line")]);
    }
    expect(requestsIn(log)).toEqual([]);
  });

  test("of another instance; something else", async () => {
    const text = await recorded();
    const other = await sandboxSession();
    writeFileSync(join(other.home, "r.ndjson"), text);
    for (const verb of ["rollback", "show"]) {
      const { code, stderr } = await other.run("state", verb, "r.ndjson", "-q");
      expect([code, stderr]).toEqual([2, expect.stringContaining(`of ${admin.sandbox.url}, not of`)]);
    }
    for (const none of ["", "forgectl: 1\n", "{}\n", '{"run":"x"}\n', Buffer.from([0xff, 0x0a])]) {
      expect((await rolledBack(none)).code).toBe(2);
    }
  });
});

test("cut at any byte of its last line, a record is read, and still undoes", async () => {
  const text = Buffer.from(await recorded());
  const last = text.lastIndexOf(0x0a, text.length - 2) + 1;
  const path = join(machine().home, "r.ndjson");
  const context = { ...contextFor(admin.sandbox.url), warn: () => undefined };
  for (let end = last; end < text.length; end += 1) {
    writeFileSync(path, text.subarray(0, end));
    const run = await readRecord(context, path);
    expect([end, run?.ended, run?.entries.map(({ status }) => status)]).toEqual([end, null, ["done", "done"]]);
  }
  const { code, stderr } = await rolledBack(text.subarray(0, last + 9));
  expect([code, stderr]).toEqual([0, expect.stringContaining("2 changes made and verified")]);
  expect(await linkNames()).toBe("");
});

const withoutEnd = "warning: r.ndjson has no end: its run was killed, or the file is cut";

test("cut between two lines, it is said to have no end: it may not say all that was made", async () => {
  const lines = (await recorded()).split("\n").slice(0, -1);
  const applied = await snapshotOf(admin.sandbox);
  for (const [count, names] of [
    [3, "Tëam 1\nTëam 2"],
    [6, "Tëam 2"],
    [lines.length, ""],
  ] as const) {
    applied();
    const { code, stderr } = await rolledBack(`${lines.slice(0, count).join("\n")}\n`);
    expect([count, code, stderr.includes(withoutEnd), await linkNames()]).toEqual([
      ...[count, 0, count < lines.length, names],
    ]);
  }
});

test("cut within the result or the beginning of a change, that change is unknown, and the rollback looks", async () => {
  const lines = (await recorded()).split("\n").slice(0, -1);
  const applied = await snapshotOf(admin.sandbox);
  const begins = lines.findIndex((line) => line.includes('"begin"'));
  for (const at of [begins, lines.findIndex((line) => line.includes('"end"'))]) {
    applied();
    const text = `${lines.slice(0, at).join("\n")}\n${lines[at]?.slice(0, -30)}`;
    const place = machine();
    writeFileSync(join(place.home, "r.ndjson"), text);
    const shown = await place.run(..."state show r.ndjson --fields status --no-header".split(" "));
    expect([shown.stdout, shown.stderr]).toEqual(["unknown\nnot_tried\n", expect.stringContaining(withoutEnd)]);
    const back = await rolledBack(text);
    expect([back.code, back.stdout]).toEqual([
      0,
      expect.stringMatching(/^acme\/platform#saml_group_links\/Tëam 1\tdelete\tdone\t/),
    ]);
    // What the record does not say was begun is left alone.
    expect(await linkNames()).toBe("Tëam 2");
  }
});

test("a killed apply leaves a record, with which another machine undoes what was made", {
  timeout: 60_000,
}, async () => {
  restore();
  const whole = machine(links(4), proxy.url);
  const words = [...apply, "--concurrency", "1"];
  const { requests } = await proxy.run(whole, words);
  const sends = [...requests.keys()].filter((at) => !requests[at]?.startsWith("GET "));
  expect(sends.length).toBe(4);
  for (const [when, at] of [
    ["before", sends[0]],
    ["after", sends[0]],
    ["before", sends[2]],
    ["after", sends[3]],
  ] as const) {
    restore();
    const place = machine(links(4), proxy.url);
    const stopped = await proxy.run(place, words, { at: at as number, when, what: "SIGKILL" });
    expect(stopped.code).toBe(null);
    rmSync(stateFolder(place), { recursive: true });
    const laptop = machine(file, proxy.url);
    writeFileSync(join(laptop.home, "r.ndjson"), readFileSync(join(place.home, "run.ndjson")));
    const back = await laptop.run("state", "rollback", "r.ndjson", "--yes");
    // What the killed run had sent last may still be made.
    const code = when === "before" ? 9 : 0;
    expect([when, at, back.code, back.stderr]).toEqual([when, at, code, expect.any(String)]);
    expect(await linkNames()).toBe("");
    expect((await laptop.run("state", "rollback", "r.ndjson", "--yes")).stdout).not.toContain("done");
  }
});

describe("--record", () => {
  test("one that exists is refused before anything is sent, also as a link and with -n", async () => {
    restore();
    const place = machine(links(1));
    writeFileSync(join(place.home, "run.ndjson"), "mine");
    requestsIn(log);
    for (const words of [apply, [...apply, "-n"], ["state", "rollback", "--yes", "--record", "run.ndjson"]]) {
      const { code, stderr } = await place.run(...words);
      expect([code, stderr]).toEqual([2, expect.stringContaining("run.ndjson exists")]);
    }
    expect((await place.run(...apply.with(-1, "run.ndjson/none.ndjson"))).code).toBe(2);
    expect(requestsIn(log)).toEqual([]);
    expect(readFileSync(join(place.home, "run.ndjson"), "utf8")).toBe("mine");
  });

  test("no change, -n, and a plan that is refused leave no record", async () => {
    restore();
    const place = machine(links(1));
    const path = join(place.home, "run.ndjson");
    expect((await place.run(...apply, "-n")).code).toBe(0);
    expect((await place.run(...apply.filter((word) => word !== "--yes"))).code).toBe(2);
    expect(existsSync(path)).toBe(false);
    expect((await place.run(...apply)).code).toBe(0);
    rmSync(path);
    expect((await place.run(...apply)).code).toBe(0);
    expect(existsSync(path)).toBe(false);
  });

  test("in a job, other users of its artifacts can read the record and a saved plan", async () => {
    restore();
    const place = machine(links(1));
    const mode = (name: string) => statSync(join(place.home, name)).mode & 0o777;
    const env = { CI: "true" };
    expect((await place.run(..."state plan -f state.yaml --save plan.json".split(" "), { env })).code).toBe(0);
    expect((await place.run(...apply, { env })).code).toBe(0);
    const usual = 0o666 & ~process.umask();
    expect([mode("plan.json"), mode("run.ndjson")]).toEqual([usual, usual]);
  });
});
