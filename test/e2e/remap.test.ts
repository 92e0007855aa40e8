import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { alteringSession } from "../support/altering-proxy.ts";
import { lossyProxy } from "../support/lossy-proxy.ts";
import { requestsIn, sandboxSession } from "../support/session.ts";

// New UIDs for many users: problems are reported first, chains and cycles are handled, and no user is left halfway.

const olivia = "olivia.ortega@acme.example";
const mateo = "mateo.marín@acme.example";
const dana = "dana.dixon@acme.example";
const priya = "ou=Product/Priya Patel";
const robin = "робин рейес/1";
const people = [olivia, mateo, dana, priya, robin];

let log: string[];
let hosted: Awaited<ReturnType<typeof sandboxSession>>;

async function start(options: SandboxOptions = {}) {
  log = [];
  const started = await sandboxSession({ hosting: "hosted", as: "owner", log: (line) => log.push(line), ...options });
  hosted = started;
  return started;
}

const at = (name: string) => join(hosted.home, name);
const csv = (...pairs: [string, string][]) => pairs.map((pair) => `"${pair.join('","')}"\n`).join("");
const changesSent = () => requestsIn(log).filter((line) => line.startsWith("PATCH "));
const rowsOf = (stdout: string): Record<string, unknown>[] => JSON.parse(stdout);

/** The UIDs of the users in the demo data. */
async function uids(group = "saml"): Promise<string[]> {
  const { stdout } = await hosted.run(group, "identities", "list", "-g", "acme", "-L", "all", "-o", "json");
  const rows: { user_id: number; extern_uid: string }[] = JSON.parse(stdout);
  return rows
    .filter(({ user_id }) => user_id <= 6)
    .sort((a, b) => a.user_id - b.user_id)
    .map(({ extern_uid }) => extern_uid);
}

function remap(map: string, ...more: string[]) {
  writeFileSync(at("map.csv"), map);
  return hosted.run("saml", "identities", "remap", "-g", "acme", "--map", "map.csv", ...more);
}

beforeEach(() => start());

/** Of SAML identities, that users cannot sign in with the new UIDs at first (saml-uid-untrusted). */
const refused = /^warning: newer instances refuse each user's sign-in .*; the reverse map does not change that\n/;

/** What is said besides that, which is said of SAML identities alone. */
function besidesRefused(stderr: string, group = "saml"): string {
  expect(refused.test(stderr)).toBe(group === "saml");
  return stderr.replace(refused, "");
}

/** A chain of three, a swap, and an unchanged UID. */
const all = csv([olivia, dana], [dana, olivia], [priya, 'a/b @ü, ""x'], [robin, priya], [mateo, mateo]);

describe.each(["saml", "scim"])("%s identities remap", (group) => {
  const run = (...words: string[]) => hosted.run(group, "identities", "remap", "-g", "acme", ...words);

  test("a dry run is the plan in order, with the temporary UID, and leaves no files", async () => {
    writeFileSync(at("map.csv"), `\uFEFFold,new\r\n# the swap\r\n\r\n${all.replaceAll("\n", "\r\n")}`);
    const { code, stdout, stderr } = await run("--map", "map.csv", "-n", "--no-header", "--journal", "run.journal");
    expect([code, besidesRefused(stderr, group)]).toEqual([0, ""]);
    const [temporary = ""] = /forgectl-remap-\S+/.exec(stdout) ?? [];
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => line.trimEnd().split("\t")),
    ).toEqual([
      [mateo, mateo, "unchanged"],
      [priya, 'a/b @ü, "x', "planned"],
      [robin, priya, "planned"],
      [olivia, temporary, "temporary"],
      [dana, olivia, "planned"],
      [temporary, dana, "planned"],
    ]);
    expect(changesSent()).toEqual([]);
    expect(readdirSync(hosted.home).filter((name) => name !== "map.csv" && !name.startsWith("."))).toEqual([]);
    expect(await uids(group)).toEqual(people);
  });

  test("each is read, changed, and read back; the reverse map next to the journal undoes it", async () => {
    const done = await hosted.run(
      ...[group, "identities", "remap", "-g", "acme", "--map", "-", "--yes", "--journal", "run.journal", "-o", "json"],
      { input: all },
    );
    expect(done.code).toBe(0);
    expect(besidesRefused(done.stderr, group)).toBe(
      `4 of 4 done\nundo: forgectl ${group} identities remap -g acme --map run.journal.reverse.csv --base-url ${hosted.sandbox.url}\n`,
    );
    const rows = rowsOf(done.stdout);
    expect(rows.map(({ old, status, error }) => [old, status, error])).toEqual([
      [mateo, "unchanged", null],
      [priya, "changed", null],
      [robin, "changed", null],
      [olivia, "changed", null],
      [dana, "changed", null],
    ]);
    const sent = requestsIn(log).filter((line) => !/\/identities |\/groups\/acme /.test(line));
    const of = (method: string) => sent.filter((line) => line.startsWith(`${method} `)).length;
    expect([of("PATCH"), of("GET"), sent.length]).toEqual([5, 10, 15]);
    expect(await uids(group)).toEqual([dana, mateo, olivia, 'a/b @ü, "x', priya]);
    expect(statSync(at("run.journal")).mode & 0o777).toBe(0o600);
    expect(statSync(at("run.journal.reverse.csv")).mode & 0o777).toBe(0o600);
    const again = await hosted.run(
      ...[group, "identities", "remap", "-g", "acme", "--map", "-", "--yes", "--journal", "run.journal", "-o", "json"],
      { input: all },
    );
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining("4 of 5 are done: the new UIDs exist\n") });
    expect([changesSent(), again.stderr.includes("undo:")]).toEqual([[], false]);
    expect(readdirSync(hosted.home).filter((name) => name.includes("reverse"))).toEqual(["run.journal.reverse.csv"]);
    expect((await run("--map", "run.journal.reverse.csv", "--yes")).code).toBe(0);
    expect(await uids(group)).toEqual(people);
  });
});

test("without --journal, the state folder has it and the reverse map; only the latter remains", async () => {
  const { code, stderr } = await remap(csv([olivia, "o"]), "--yes");
  const folder = at(".local/state/forgectl/remaps");
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const [reverse = "", ...others] = readdirSync(folder);
  expect({ code, others }).toEqual({ code: 0, others: [] });
  expect(besidesRefused(stderr).replace(/ --base-url \S+/, "")).toBe(
    `undo: forgectl saml identities remap -g acme --map ${join(folder, reverse)}\n`,
  );
  expect(readFileSync(join(folder, reverse), "utf8")).toBe(`old,new\no,${olivia}\n`);
});

describe("a run that failed in part is undone by the line that it printed", () => {
  /** A chain, a swap, and two alone; the instance refuses the head of the chain, and one of those alone. */
  const chain = csv([robin, priya], [priya, "p"], [olivia, dana], [dana, olivia], [mateo, "m"]);
  const faults = [priya, mateo].map((uid) => `PATCH /groups/acme/saml/${encodeURIComponent(uid)}=403`).join(";");

  test.each([[[]], [["--journal", "run.journal"]]])("with %j", async (journal) => {
    await start({ faults });
    const { code, stderr } = await remap(chain, "--yes", ...journal);
    expect(code).toBe(9);
    expect(await uids()).toEqual([dana, mateo, olivia, priya, robin]);
    const [, line = ""] = /^undo: forgectl (.+)$/m.exec(stderr) ?? [];
    const undo = () => hosted.run(...line.split(" "), "--yes", "--no-header", "--fields", "old,status");
    const undone = await undo();
    expect([undone.code, undone.stdout]).toEqual([0, `${dana}\tchanged\n${olivia}\tchanged\n`]);
    expect(undone.stderr).toContain("3 of 5 are done: the new UIDs exist\n");
    expect(await uids()).toEqual(people);
    // A second time nothing is left to do, and the run itself can be completed or begun again.
    expect([(await undo()).code, await uids()]).toEqual([0, people]);
    expect((await remap(chain, "--yes", ...journal)).code).toBe(0);
    expect(await uids()).toEqual([dana, "m", olivia, "p", priya]);
  });
});

test("users who exchanged their UIDs keep the new ones if the same command is typed again, and after its undo line", async () => {
  const exchange = () => remap(csv([olivia, dana], [dana, olivia]), "--yes");
  const { code, stderr } = await exchange();
  const [, line = ""] = /^undo: forgectl (.+)$/m.exec(stderr) ?? [];
  const exchanged = [dana, mateo, olivia, priya, robin];
  expect([code, await uids()]).toEqual([0, exchanged]);
  for (let turn = 0; turn < 2; turn++) {
    expect(await exchange()).toMatchObject({ code: 0, stderr: "2 of 2 are done: the new UIDs exist\n" });
    expect(await uids()).toEqual(exchanged);
  }
  for (let turn = 0; turn < 2; turn++) {
    expect([(await hosted.run(...line.split(" "), "--yes")).code, await uids()]).toEqual([0, people]);
  }
  expect([(await exchange()).code, await uids()]).toEqual([0, exchanged]);
});

test("the same group by another name is the same command, also after a run of an earlier version", async () => {
  const map = csv([olivia, dana], [dana, olivia]);
  const as = (group: string) =>
    hosted.run("saml", "identities", "remap", "-g", group, "--map", "-", "--yes", { input: map });
  expect((await as("acme")).code).toBe(0);
  const done = { code: 0, stderr: "2 of 2 are done: the new UIDs exist\n" };
  for (const group of ["1", "ACME", "acme"]) expect(await as(group), group).toMatchObject(done);
  // Earlier versions recorded what was typed.
  const folder = at(".local/state/forgectl/remaps");
  const file = readdirSync(folder).find((name) => name.endsWith(".journal")) ?? "";
  const [head = "", ...entries] = readFileSync(join(folder, file), "utf8").split("\n");
  const { command, ...rest } = JSON.parse(head);
  const earlier = { command: command.replace(/-g \d+$/, "-g acme"), ...rest };
  const digest = createHash("sha256")
    .update(JSON.stringify({ command: earlier.command, instance: earlier.instance }))
    .digest("hex");
  rmSync(join(folder, file));
  writeFileSync(
    join(folder, `saml-acme-${digest.slice(0, 8)}.journal`),
    [JSON.stringify(earlier), ...entries].join("\n"),
    { mode: 0o600 },
  );
  for (const group of ["acme", "1"]) expect(await as(group), group).toMatchObject(done);
});

test("an exchange is known again, whatever else is in its map, and whatever other maps are applied", async () => {
  const exchange: [string, string][] = [
    [olivia, dana],
    [dana, olivia],
  ];
  const map = csv(...exchange, [mateo, "m"]);
  expect((await remap(map, "--yes")).code).toBe(0);
  const exchanged = await uids();
  expect((await remap(map, "--yes")).stderr).toBe("3 of 3 are done: the new UIDs exist\n");
  expect((await remap(csv([priya, "p"]), "--yes")).code).toBe(0);
  // The line that was done is taken out.
  expect((await remap(csv(...exchange), "--yes")).stderr).toBe("2 of 2 are done: the new UIDs exist\n");
  expect(await uids()).toEqual(exchanged.map((uid) => (uid === priya ? "p" : uid)));
});

test("what another changed is no part of the line that undoes a run", async () => {
  let isLimited = false;
  const { run, direct } = await alteringSession(
    () => undefined,
    { hosting: "hosted" },
    undefined,
    async (method, path) => {
      if (method !== "PATCH" || isLimited || !decodeURIComponent(path).endsWith(olivia)) return undefined;
      isLimited = true;
      const line = `saml identities update ${olivia} --extern-uid o -g acme --yes`;
      expect((await direct.run(...line.split(" "))).code).toBe(0);
      return 1.1;
    },
  );
  const remapped = (map: string) =>
    run("saml", "identities", "remap", "-g", "acme", "--map", "-", "--yes", "--concurrency", "1", { input: map });
  const { code, stderr } = await remapped(csv([olivia, "o"]));
  expect([code, stderr]).toEqual([6, expect.not.stringContaining("undo:")]);
});

test("what undoes a run does not take a UID from another user who has it by now", async () => {
  expect((await remap(csv([olivia, "o"]), "--yes", "--journal", "run.journal")).code).toBe(0);
  const update = (uid: string, to: string) =>
    hosted.run("saml", "identities", "update", uid, "--extern-uid", to, "-g", "acme", "--yes");
  expect([(await update("o", "free")).code, (await update(dana, "o")).code]).toEqual([0, 0]);
  const { code, stderr } = await hosted.run(
    ...["saml", "identities", "remap", "-g", "acme", "--map", "run.journal.reverse.csv", "--yes"],
  );
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining("user 2, who had the old UID o, has a different one now"),
  ]);
  expect(await uids()).toEqual(["free", mateo, "o", priya, robin]);
});

test("an existing reverse map is never overwritten", async () => {
  writeFileSync(at("run.journal.reverse.csv"), "mine\n");
  expect((await remap(csv([olivia, "o"]), "--yes", "--journal", "run.journal")).code).toBe(0);
  expect(readFileSync(at("run.journal.reverse.csv"), "utf8")).toBe("mine\n");
  expect(readFileSync(at("run.journal.reverse-2.csv"), "utf8")).toBe(`old,new\no,${olivia}\n`);
});

test("it asks with the number; without a terminal it needs --yes, before any request", async () => {
  const { code, stderr } = await remap(csv([olivia, "o"], [dana, "d"]));
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining("this would change the UIDs of 2 SAML identities of group acme, and needs confirmation"),
  ]);
  expect(requestsIn(log)).toEqual([]);
});

describe("errors in a map", () => {
  test("are listed completely, with file and line, and nothing is changed", async () => {
    const map = `${olivia},${dana}\n${olivia},x\nnobody,y\n${mateo},X\n${robin}\n"a"b,c\na,b,c\n,n\no,\n.,p\nq,..\nr,identities\n${dana.toUpperCase()},z\n"open\n`;
    const { code, stdout, stderr } = await remap(map, "--yes", "-o", "json");
    expect({ code, stdout, sent: changesSent() }).toEqual({ code: 2, stdout: "", sent: [] });
    const { error } = JSON.parse(stderr);
    expect(error.message).toBe("14 problems with the map");
    expect(error.fields).toEqual({
      "map.csv:1": [`user 4 has the new UID ${dana}`],
      "map.csv:2": [`the old UID ${olivia} is already in map.csv:1`],
      "map.csv:3": ["no identity has the old UID nobody"],
      "map.csv:4": ["the new UID X is already in map.csv:2"],
      "map.csv:5": ["1 cell where two are needed: old,new"],
      "map.csv:6": ["text follows a closing quote"],
      "map.csv:7": ["3 cells where two are needed: old,new"],
      "map.csv:8": ["the old UID is empty"],
      "map.csv:9": ["the new UID is empty"],
      "map.csv:10": [
        expect.stringContaining('the old UID must be a name that can be part of a request\'s path, not "."'),
      ],
      "map.csv:11": [
        expect.stringContaining('the new UID must be a name that can be part of a request\'s path, not ".."'),
      ],
      "map.csv:12": [
        expect.stringContaining("the new UID must be another UID: this one is the path of the whole list"),
      ],
      "map.csv:13": [`no identity has the old UID ${dana.toUpperCase()}; one has ${dana}`],
      "map.csv:14": ["a quote is not closed"],
    });
  });

  test.each([
    ["empty", "", "map.csv contains no pair"],
    ["a header and comments", "\uFEFFOld,New\r\n# nothing\r\n\r\n", "map.csv contains no pair"],
    ["another separator", "a\tb\n", "map.csv:1: 1 cell where two are needed: old,new"],
    ["not UTF-8", "a,b\n\u0000", undefined],
  ])("%s: exit 2, and nothing is changed", async (name, map, words) => {
    writeFileSync(at("map.csv"), name === "not UTF-8" ? Buffer.from([0x61, 0x2c, 0xff, 0x0a]) : map);
    const { code, stderr } = await hosted.run(..."saml identities remap -g acme --map map.csv --yes".split(" "));
    expect([code, stderr]).toEqual([2, expect.stringContaining(words ?? "map.csv is not UTF-8 text")]);
    expect(changesSent()).toEqual([]);
  });

  test("a folder, a link to itself, or a missing file is exit 2, and nothing is sent", async () => {
    mkdirSync(at("folder"));
    symlinkSync("loop", at("loop"));
    for (const [name, words] of [
      ["folder", "folder is a folder"],
      ["loop", "loop cannot be read"],
      ["nothing", "the file nothing does not exist"],
    ] as const) {
      const { code, stderr } = await hosted.run(..."saml identities remap -g acme --yes --map".split(" "), name);
      expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
    }
    expect(requestsIn(log)).toEqual([]);
  });

  test("a map of 100,000 lines is checked in seconds", async () => {
    const lines = Array.from({ length: 100_000 }, (_, index) => `old-${index},new-${index}\n`);
    const { code, stderr } = await remap(lines.join(""), "--yes");
    expect(code).toBe(2);
    expect(stderr).toContain("error: 100000 problems with the map\n");
    expect(stderr).toContain("field: map.csv:100000: no identity has the old UID old-99999\n");
  });
});

describe("a journal", () => {
  test.each([
    [
      "of another command",
      '{"journal":2,"command":"batch","instance":"x"}\n',
      "is the journal of another run: of the command batch",
    ],
    ["that is not a journal", "hello\n", "is not a journal of this program"],
    ["that is not a journal, without a line feed", "hello", "is not a journal of this program"],
    ["with an invalid line", undefined, "line 2 is not an entry of a journal"],
  ])("%s is refused and not changed", async (_, text, words) => {
    const instance = hosted.sandbox.url;
    const head = JSON.stringify({ journal: 2, command: "saml identities remap -g acme", instance });
    const content = text ?? `${head}\n[]\n`;
    writeFileSync(at("run.journal"), content, { mode: 0o600 });
    const { code, stderr } = await remap(csv([olivia, "o"]), "--yes", "--journal", "run.journal");
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(readFileSync(at("run.journal"), "utf8")).toBe(content);
    expect(changesSent()).toEqual([]);
  });

  test("that others can read, a link, a folder, or one below a file is exit 2, and nothing is changed", async () => {
    writeFileSync(at("open"), "", { mode: 0o644 });
    symlinkSync("elsewhere", at("link"));
    mkdirSync(at("folder"));
    for (const [name, words] of [
      ["open", "try:   check what is in it, then: chmod 600 open\n"],
      ["link", "link is a link, or has several names"],
      ["folder", "folder is not a file"],
      ["open/such", "open/such"],
    ] as const) {
      const { code, stderr } = await remap(csv([olivia, "o"]), "--yes", "--journal", name);
      expect([name, code, stderr]).toEqual([name, 2, expect.stringContaining(words)]);
    }
    expect(changesSent()).toEqual([]);
  });

  test("that another run uses is exit 6", async () => {
    writeFileSync(at("run.journal.lock"), `${crypto.randomUUID()} 1:?@elsewhere`);
    const { code, stderr } = await remap(csv([olivia, "o"]), "--yes", "--journal", "run.journal");
    expect([code, stderr]).toEqual([6, expect.stringContaining("run.journal is in use by another run")]);
    expect(changesSent()).toEqual([]);
  });

  test("is not accepted to undo its own run, because swapped users would count as done", async () => {
    const words = ["--yes", "--journal", "run.journal"];
    expect((await remap(csv([olivia, dana], [dana, olivia]), ...words)).code).toBe(0);
    const undo = ["saml", "identities", "remap", "-g", "acme", "--map", "run.journal.reverse.csv"];
    const { code, stderr } = await hosted.run(...undo, ...words);
    expect([code, stderr]).toEqual([2, expect.stringContaining("needs another journal")]);
    expect((await hosted.run(...undo, "--yes", "--journal", "undo.journal")).code).toBe(0);
    expect(await uids()).toEqual(people);
  });
});

test("what undoes a run with a journal has one of its own: that of the group has nothing of it", async () => {
  const swap = csv([olivia, dana], [dana, olivia]);
  expect((await remap(swap, "--yes", "--journal", "run.journal")).code).toBe(0);
  const undo = ["saml", "identities", "remap", "-g", "acme", "--map", "run.journal.reverse.csv", "--yes"];
  expect((await hosted.run(...undo)).code).toBe(0);
  expect(await uids()).toEqual(people);
  expect(readdirSync(hosted.home).filter((name) => name.startsWith("run."))).toHaveLength(2);
  const again = await remap(swap, "--yes");
  expect(again.code, again.stderr).toBe(0);
  expect(await uids()).toEqual([dana, mateo, olivia, priya, robin]);
});

describe("failures in the middle", () => {
  const ring: [string, string][] = [
    [olivia, mateo],
    [mateo, dana],
    [dana, olivia],
  ];

  test("a cycle that cannot be finished is undone", async () => {
    await start({ faults: `PATCH /groups/acme/saml/${encodeURIComponent(mateo)}=403` });
    const { code, stdout, stderr } = await remap(csv(...ring), "--yes", "-o", "json", "--retries", "0");
    expect(code).toBe(9);
    const rows = rowsOf(stdout);
    expect(rows.map(({ status }) => status)).toEqual(["failed", "failed", "refused"]);
    expect(rows[0]?.error).toContain(`not changed: ${mateo} could not get the UID ${dana}`);
    expect(stderr).not.toContain("temporary");
    expect(await uids()).toEqual(people);
    const hint = JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error.hint;
    expect(hint).toBe("forgectl saml identities remap -g acme --map map.csv --yes");
    expect((await hosted.run(...hint.split(" ").slice(1))).code).toBe(0);
    expect(await uids()).toEqual([mateo, dana, olivia, priya, robin]);
  });

  test("a user whose old UID cannot be restored is named with the command that does; the same command completes it", async () => {
    let patches = 0;
    let works = false;
    const broken = await lossyProxy(hosted.sandbox.url, {
      how: "504",
      times: 99,
      // Once the temporary UID is set, every request fails.
      of: (method) => {
        if (method === "PATCH") patches += 1;
        return patches > 1 && !works;
      },
    });
    writeFileSync(at("map.csv"), csv(...ring));
    const words = "saml identities remap -g acme --map map.csv --yes --retries 0".split(" ");
    const { code, stderr } = await hosted.run(...words, { env: { FORGECTL_BASE_URL: broken.url } });
    expect(code).toBe(9);
    const [, uid = ""] = /user 2 may be left with the temporary UID (\S+):/.exec(stderr) ?? [];
    expect(stderr).toContain(`forgectl saml identities update ${uid} --extern-uid ${olivia} -g acme\n`);
    expect(await uids()).toContain(uid);
    works = true;
    expect((await hosted.run(...words, { env: { FORGECTL_BASE_URL: broken.url } })).code).toBe(0);
    expect(await uids()).toEqual([mateo, dana, olivia, priya, robin]);
  });

  test("changes that depend on a failed one are not started; the others are done", async () => {
    await start({ faults: `PATCH /groups/acme/saml/${encodeURIComponent(dana)}=403` });
    const map = csv([olivia, dana], [dana, "d"], [robin, "r"]);
    const { code, stdout } = await remap(map, "--yes", "-o", "json", "--retries", "0");
    expect(code).toBe(9);
    expect(rowsOf(stdout).map(({ old, status }) => [old, status])).toEqual([
      [dana, "refused"],
      [robin, "changed"],
      [olivia, "failed"],
    ]);
    expect(await uids()).toEqual([olivia, mateo, dana, priya, "r"]);
    expect((await remap(map, "--yes")).stderr).toContain("1 of 3 are done: the new UIDs exist\n");
    expect(await uids()).toEqual([dana, mateo, "d", priya, "r"]);
  });

  test("a single failed pair has its own exit code", async () => {
    await start({ faults: "PATCH=403*always" });
    expect(await remap(csv([olivia, "o"]), "--yes", "--no-header")).toMatchObject({ code: 5, stdout: "" });
  });

  test.each(["reset", "504", "truncated"] as const)("a lost answer (%s) is checked, and sent once", async (how) => {
    for (const nth of [1, 2, 3, 4]) {
      await start();
      const proxy = await lossyProxy(hosted.sandbox.url, { how, nth });
      writeFileSync(at("map.csv"), csv(...ring));
      const words = "saml identities remap -g acme --map map.csv --yes".split(" ");
      const { code, stdout } = await hosted.run(...words, { env: { FORGECTL_BASE_URL: proxy.url } });
      expect([how, nth, code, stdout.match(/\tchanged\t/g)?.length, proxy.lost.length]).toEqual([how, nth, 0, 3, 1]);
      expect(changesSent()).toHaveLength(4);
      expect(await uids()).toEqual([mateo, dana, olivia, priya, robin]);
    }
  });

  test("Ctrl-C finishes a cycle that was started, and starts nothing else", async () => {
    let interrupt = () => undefined as unknown;
    const begun = new Promise((done) => {
      interrupt = () => done(undefined);
    });
    const heard = (line: string) => {
      if (line.startsWith("PATCH ")) interrupt();
    };
    await start({ latencyMs: 30, log: heard });
    const crowd = await hosted.run("saml", "identities", "list", "-g", "acme", "-L", "all", "--jq", ".[].extern_uid");
    const names = crowd.stdout
      .trimEnd()
      .split("\n")
      .filter((uid) => !people.includes(uid))
      .slice(0, 30);
    const map = csv(...ring, ...names.map((uid): [string, string] => [uid, `new-${uid}`]));
    writeFileSync(at("map.csv"), map);
    const words = "saml identities remap -g acme --map map.csv --yes --concurrency 2 -o json".split(" ");
    const { code, stdout, stderr } = await hosted.run(...words, { kill: { signal: "SIGINT", when: begun } });
    expect(code).toBe(130);
    expect(stderr).toContain("not tried");
    expect(rowsOf(stdout)).toHaveLength(33);
    expect([people, [mateo, dana, olivia, priya, robin]]).toContainEqual(await uids());
    expect((await hosted.run(...words)).code).toBe(0);
    expect(await uids()).toEqual([mateo, dana, olivia, priya, robin]);
  });
});

test("answers in other forms: rows that are not identities are skipped, and unseen changes are not reported as done", async () => {
  let changed = false;
  const strange = await alteringSession(
    ({ method, path, body }) => {
      if (path.includes("/identities"))
        return { body: [{ extern_uid: null, user_id: 9 }, { extern_uid: "x" }, ...(body as object[])] };
      changed ||= method === "PATCH";
      return method === "GET" && changed ? { status: 200, body: { user_id: null } } : undefined;
    },
    { hosting: "hosted" },
  );
  const words = "saml identities remap -g acme --map - --yes -o json --journal run.journal".split(" ");
  const { code, stderr } = await strange.run(...words, { input: `${olivia},o\n` });
  const { error } = JSON.parse(stderr.trim().split("\n").at(-1) ?? "");
  expect({ code, outcome: error.outcome }, stderr).toEqual({ code: 1, outcome: "unknown" });
  expect(error.message).toContain("a check does not show it");
  expect(readFileSync(join(strange.home, "run.journal"), "utf8")).not.toContain('"event":"end"');
});

test.each([
  ["another user has it now", "user 3 has it now", mateo],
  ["no user has it now", "it was changed", undefined],
])("after the plan, the user got another UID, and %s: nothing is sent for it", async (_, why, heir) => {
  let isPlanned = false;
  const moved = await alteringSession(
    async ({ path }) => {
      if (!path.includes("/identities") || isPlanned) return undefined;
      isPlanned = true;
      const give = async (uid: string, next: string) => {
        const { code } = await moved.direct.run(
          "saml",
          "identities",
          "update",
          uid,
          "--extern-uid",
          next,
          "-g",
          "acme",
        );
        expect(code).toBe(0);
      };
      await give(olivia, "elsewhere");
      if (heir !== undefined) await give(heir, olivia);
      return undefined;
    },
    { hosting: "hosted" },
  );
  const words = "saml identities remap -g acme --map - --yes -o json".split(" ");
  const { code, stdout, stderr } = await moved.run(...words, { input: `${olivia},o\n${dana},d\n` });
  expect({ code, rows: rowsOf(stdout).map(({ old, status, error }) => [old, status, error]) }, stderr).toEqual({
    code: 9,
    rows: [
      [olivia, "stale", why],
      [dana, "changed", null],
    ],
  });
  expect(moved.seen.filter((line) => line.startsWith("PATCH "))).toEqual([
    `PATCH /api/v4/groups/acme/saml/${encodeURIComponent(dana)} 200`,
  ]);
});

test("a UID that is stored otherwise is altered, with both values", async () => {
  const lower = await alteringSession(
    ({ method, path, body }) =>
      method === "GET" && /\/saml\/NEW$/.test(path) ? { body: { ...(body as object), extern_uid: "new" } } : undefined,
    { hosting: "hosted" },
  );
  const words = "saml identities remap -g acme --map - --yes -o json --journal run.journal".split(" ");
  const { code, stderr } = await lower.run(...words, { input: `${olivia},NEW\n` });
  const { error } = JSON.parse(stderr.trim().split("\n").at(-1) ?? "");
  expect({ code, outcome: error.outcome, cause: error.cause }).toEqual({
    ...{ code: 9, outcome: "altered" },
    cause: "sent extern_uid NEW, the instance stored new",
  });
});

test("a map whose columns are the wrong way round is refused, though it looks like one that was applied", async () => {
  const map = csv(["olivia@new.example", olivia], ["dana@new.example", dana]);
  const { code, stdout, stderr } = await remap(map, "--yes");
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("2 problems with the map");
  expect(stderr).toContain("no identity has the old UID olivia@new.example; user");
  expect(stderr).toContain("another machine may have made these changes, or the columns may be the wrong way round");
  expect(changesSent()).toEqual([]);
});

test("a map that is applied already is done, without its journal; semicolons separate as commas do", async () => {
  const map = `old;new\n${dana};"dana;new"\n${priya};priya-new\n`;
  expect((await remap(map, "--yes")).code).toBe(0);
  expect(await uids()).toEqual(expect.arrayContaining(["dana;new", "priya-new"]));
  changesSent();
  const again = await remap(map, "--yes", "--no-header");
  expect(again).toMatchObject({ code: 0, stdout: "", stderr: "2 of 2 are done: the new UIDs exist\n" });
  expect(changesSent()).toEqual([]);
});
