import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { alteringSession, never } from "../support/altering-proxy.ts";
import { sandboxSession } from "../support/session.ts";

// Done, cut off, and not tried: the same words for every job, whatever stops it.

/** Answers to changes are delayed until the program has taken note of Ctrl-C, and that many milliseconds. */
async function slowSession(isSlow: (method: string) => boolean, options = {}, laterMs = 0) {
  let begun = () => {};
  const when = new Promise<void>((resolve) => {
    begun = resolve;
  });
  let stopping = () => {};
  const stopped = new Promise<void>((resolve) => {
    stopping = resolve;
  });
  const heard = (stderr: string) => {
    if (stderr.includes("stopping:")) stopping();
  };
  const place = await alteringSession(async ({ method }) => {
    if (!isSlow(method)) return undefined;
    begun();
    await stopped;
    await sleep(2 * laterMs);
    return undefined;
  }, options);
  return { ...place, stop: { kill: { signal: "SIGINT", when }, heard } as const };
}

const jobs = [
  ["uploads delete", "uploads delete 1 2 3 4 5 -p 7 --yes", "deleted"],
  ["errors keys delete", "errors keys delete 1 2 -p 7 --yes", "deleted"],
  ["registry prune", "registry prune -p 7 --delete-regex v1.* --via tags --yes", "deleted"],
  ["uploads prune", "uploads prune -p 7 --older-than 1d --yes", "deleted"],
] as const;

test.each(jobs)("%s: on Ctrl-C requests in flight finish, and no new ones start", async (_, line, status) => {
  const { run, seen, stop } = await slowSession((method) => method === "DELETE");
  const { code, stdout, stderr } = await run(...line.split(" "), "--concurrency", "1", "-o", "json", stop);
  const rows: { status: string; error?: string }[] = JSON.parse(stdout);
  expect(rows.map((row) => row.status)).toEqual([status, ...rows.slice(1).map(() => "not_tried")]);
  expect(rows.length).toBeGreaterThan(1);
  expect(seen.filter((each) => each.startsWith("DELETE"))).toHaveLength(1);
  expect(stderr).toContain("stopping: waiting for requests in progress; Ctrl-C again ends at once\n");
  expect(stderr).toContain(`interrupted: 1 of ${rows.length} done, ${rows.length - 1} not tried`);
  expect(code).toBe(130);
});

test("batch: on Ctrl-C, lines of settings set that wait for another one's change are not tried", async () => {
  const { run, home, seen, stop } = await slowSession((method) => method === "PUT");
  const lines = ["terminal_max_session_time=3", "session_expire_delay=9", "after_sign_up_text=x"].map((assignment) =>
    JSON.stringify({ args: ["settings", "set", assignment] }),
  );
  writeFileSync(join(home, "lines.ndjson"), lines.join("\n"));
  const { code, stdout, stderr } = await run("batch", "lines.ndjson", "--yes", "-o", "json", stop);
  const rows: { status: string }[] = JSON.parse(stdout);
  expect(rows.map((row) => row.status).sort()).toEqual(["done", "not_tried", "not_tried"]);
  expect(seen.filter((each) => each.startsWith("PUT"))).toHaveLength(1);
  expect([code, stderr]).toEqual([130, expect.stringContaining("interrupted: 1 of 3 done, 2 not tried")]);
});

test.each([
  ["a terminal that closes", "SIGHUP", 3],
  ["a busy machine's terminal that closes", "SIGHUP", 300],
  ["Ctrl-C in the command of `timeout`", "SIGINT", 3],
] as const)("%s is one signal, although it arrives as two: requests in flight finish", async (_, signal, againMs) => {
  const isChange = (method: string) => method === "DELETE";
  const { run, seen, stop } = await slowSession(isChange, {}, againMs);
  const kill = { ...stop.kill, signal, againMs };
  const words = "uploads delete 1 2 3 -p 7 --yes --concurrency 1 -o json".split(" ");
  const { code, stdout, stderr } = await run(...words, { ...stop, kill });
  expect(stderr).toContain("interrupted: 1 of 3 done, 2 not tried");
  expect([code, JSON.parse(stdout).map((row: { status: string }) => row.status)]).toEqual([
    130,
    ["deleted", "not_tried", "not_tried"],
  ]);
  expect(seen.filter((each) => each.startsWith("DELETE"))).toHaveLength(1);
});

test("each and batch: a change in flight finishes and is in the journal; the rest is completed with it", async () => {
  const { run, home, stop, direct, seen } = await slowSession((method) => method === "PATCH");
  writeFileSync(join(home, "projects.txt"), "4\n7\n1\n");
  const words = "each --projects-file projects.txt --journal run.journal --yes -- job-token limit on".split(" ");
  const stopped = await run("--concurrency", "1", ...words, stop);
  expect(stopped.stderr).toContain("interrupted: 1 of 3 done, 2 not tried\n");
  expect([stopped.code, stopped.stdout.split("\n")[1]?.split("\t")[0]]).toEqual([130, "4"]);
  expect(readFileSync(join(home, "run.journal"), "utf8").trimEnd().split("\n").at(-1)).toContain('"status":"done"');
  seen.splice(0);
  const rest = await run(...words, { cwd: home, env: direct.env });
  expect(rest).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("the journal of another run: of the instance"),
  });
  const again = await run(...words);
  expect([again.code, again.stderr]).toEqual([0, "2 of 3 done, 1 skipped: done before\n"]);
  expect(seen.filter((line) => line.startsWith("PATCH")).sort()).toHaveLength(2);
});

test("Ctrl-C with everything in flight has nothing to stop: all of it is done", async () => {
  const { run, stop } = await slowSession((method) => method === "DELETE");
  const { code, stderr } = await run(..."uploads delete 1 2 3 -p 7 --yes".split(" "), stop);
  expect(stderr).toContain("3 of 3 done\n");
  expect(code).toBe(0);
});

/** A batch of three notes at an instance that never answers the second. */
async function hanging() {
  let hangs = true;
  let reached = () => {};
  const when = new Promise<void>((resolve) => {
    reached = resolve;
  });
  let posts = 0;
  const place = await alteringSession(async ({ method }) => {
    if (method !== "POST" || ++posts !== 2 || !hangs) return undefined;
    reached();
    return never;
  });
  const note = (body: string) => ({ args: ["notes", "create", "--issue", "1", "-p", "acme/docs", "--body", body] });
  writeFileSync(join(place.home, "b.ndjson"), ["a", "b", "c"].map((body) => JSON.stringify(note(body))).join("\n"));
  const batch = "batch b.ndjson --concurrency 1 -o ndjson --jq .[].status".split(" ");
  const recover = () => {
    hangs = false;
  };
  return { ...place, when, batch, recover };
}

test("a second Ctrl-C ends at once, and says what completes the rest", async () => {
  const { run, when, batch, recover } = await hanging();
  const kill = { signal: "SIGINT", when, againOn: /stopping:/ } as const;
  const { code, stderr } = await run(...batch, { kill });
  expect(code).toBe(130);
  const { error } = JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "");
  expect(error).toMatchObject({ exit: 130, outcome: "unknown", retryable: false });
  expect(error.hint).toMatch(/^forgectl batch --resume \S+$/);
  recover();
  const rest = await run(...error.hint.split(" ").slice(1), "-o", "ndjson", "--keep-order", "--jq", ".[].status");
  expect(rest.stdout).toBe('"skipped"\n"unknown"\n"done"\n');
});

test("the run that a killed one's repetition would repeat is named, once", async () => {
  const { run, when, batch, recover } = await hanging();
  const killed = await run(...batch, { kill: { signal: "SIGKILL", when } });
  expect(killed.stderr).toBe("");
  recover();
  const again = await run(...batch);
  const named =
    /^warning: a run of the same was cut off, and this one starts over; to complete that one: forgectl (batch --resume \S+)\n/;
  expect([again.code, again.stderr]).toEqual([0, expect.stringMatching(named)]);
  const [, line = ""] = named.exec(again.stderr) ?? [];
  const rest = await run(...line.split(" "), "-o", "ndjson", "--keep-order", "--jq", ".[].status");
  expect(rest.stdout).toBe('"skipped"\n"unknown"\n"done"\n');
  expect((await run(...batch)).stderr).toBe("3 of 3 done\n");
});

test("a change is not made twice if its answer could not be read", async () => {
  let broken = 0;
  const { run, home, seen } = await alteringSession(({ method, path }) => {
    if (method !== "POST" || !path.endsWith("/notes")) return undefined;
    broken += 1;
    return { status: 201, body: "<html>" };
  });
  const line = { args: ["notes", "create", "--issue", "1", "-p", "acme/docs", "--body", "once"] };
  writeFileSync(join(home, "notes.ndjson"), `${JSON.stringify(line)}\n`);
  const words = [
    "batch",
    "notes.ndjson",
    "--journal",
    "run.journal",
    "--fields",
    "status,error.outcome",
    "--no-header",
  ];
  expect((await run(...words)).stdout).toBe("made\tmade\n");
  const again = await run(...words);
  expect(again.stdout).toBe("made\tmade\n");
  expect(again.stderr).toContain("an earlier run made it, or a part of it, and did not confirm it as complete");
  expect([broken, seen.filter((each) => each.startsWith("POST")).length]).toEqual([1, 1]);
});

test("a line of a batch that fails in the middle includes the rows before it", async () => {
  const { run } = await sandboxSession();
  const input = JSON.stringify({ args: "registry tags delete 12 v1 no-such -p 7 --yes".split(" ") });
  const { code, stdout } = await run("batch", "-o", "ndjson", { input });
  expect(JSON.parse(stdout)).toMatchObject({
    status: "failed",
    exit: 9,
    result: [
      { tag_name: "v1", status: "deleted" },
      { tag_name: "no-such", status: "refused" },
    ],
    error: { code: "partial", message: "1 of 2 failed" },
  });
  expect(code).toBe(9);
});

test("a single item has its own exit code", async () => {
  const { run, home } = await sandboxSession();
  writeFileSync(join(home, "one.txt"), "no/such\n");
  expect(await run(..."each --projects-file one.txt -- job-token get".split(" "))).toMatchObject({ code: 3 });
  const input = JSON.stringify({ args: ["users", "get", "no.body"] });
  expect(await run("batch", { input })).toMatchObject({ code: 3 });
});

test("a journal is for projects or for groups, and for one scope: any other is exit 2, before any request", async () => {
  const { run, home, seen } = await alteringSession(() => undefined);
  writeFileSync(join(home, "ids.txt"), "4\n");
  const list = "ids.txt --journal each.journal --yes -- uploads prune --older-than 1d".split(" ");
  await run("each", "--projects-file", ...list);
  const groups = await run("each", "--groups-file", ...list);
  expect([groups.code, groups.stderr]).toEqual([
    2,
    expect.stringContaining("run: of the command each --projects-file"),
  ]);
  const prune = "registry prune --delete-regex x.* --journal prune.journal --yes".split(" ");
  expect(await run(...prune, "-p", "7")).toMatchObject({ code: 0 });
  seen.splice(0);
  const other = await run(...prune, "-g", "7");
  expect([other.code, other.stderr]).toEqual([
    2,
    expect.stringContaining("journal of another run: of the command registry prune"),
  ]);
  expect(seen.filter((line) => !line.startsWith("GET "))).toEqual([]);
});

test("secrets in a server's error are not shown", async () => {
  const { run, home } = await alteringSession(({ method }) =>
    method === "GET" ? undefined : { status: 403, body: { message: "no: sandbox-administrator-token" } },
  );
  writeFileSync(join(home, "projects.txt"), "4\n7\n");
  const input = JSON.stringify({ args: "uploads delete 1 2 -p 7 --yes".split(" ") });
  const results = [
    await run(..."uploads delete 1 2 -p 7 --yes".split(" ")),
    await run(..."each --projects-file projects.txt --yes -- job-token limit on".split(" ")),
    await run("batch", { input }),
  ];
  for (const { code, stdout, stderr } of results) {
    expect(code).toBe(9);
    expect(stdout + stderr).not.toContain("sandbox-administrator-token");
    expect(stdout + stderr).toContain("no: [");
  }
});

test("registry prune says once that everything is kept, and how to complete the rest", async () => {
  const { run } = await alteringSession(({ method, path }) =>
    method === "DELETE" && path.endsWith("/v1") ? { status: 403, body: { message: "protected" } } : undefined,
  );
  const kept = await run(..."registry prune -p 7 --delete-regex v.* --keep-regex .* --dry-run --no-header".split(" "));
  expect(kept.stderr.match(/keeps every tag/g)).toHaveLength(1);
  const words = "registry prune -p 7 --via tags --delete-regex v1.* --journal run.journal --yes";
  const failed = await run(...words.split(" "));
  expect(failed.stderr).toContain(
    "failed\ntry:   forgectl registry prune -p 7 --via tags --delete-regex 'v1.*' --journal run.journal --yes\n",
  );
});

test("a journal contains no secret of the command, and does not match one with another secret", async () => {
  const { run, home } = await sandboxSession();
  writeFileSync(join(home, "groups.txt"), "acme\n");
  const words =
    "each --groups-file groups.txt --journal run.journal --yes -- hooks create https://x.example/h --header";
  expect((await run(...words.split(" "), "X-Auth: s3cr3t-1")).code).toBe(0);
  const journal = readFileSync(join(home, "run.journal"), "utf8");
  expect(journal).toContain("hooks create https://x.example/h --header '[redacted]' # ");
  expect(journal).not.toContain("s3cr3t");
  expect((await run(...words.split(" "), "X-Auth: s3cr3t-1")).stderr).toBe("nothing was sent: it was done before\n");
  const other = await run(...words.split(" "), "X-Auth: s3cr3t-2");
  expect([other.code, other.stderr]).toEqual([
    2,
    expect.stringContaining("the journal of another run: of the command"),
  ]);
  expect(other.stderr).not.toContain("s3cr3t");
});

test("each: an unknown field is exit 2 before anything is changed", async () => {
  const { run, home, seen } = await alteringSession(() => undefined);
  writeFileSync(join(home, "projects.txt"), "4\n7\n");
  const words = "each --projects-file projects.txt --yes -- job-token limit on".split(" ");
  const { code, stderr } = await run("--fields", "project,nope", ...words);
  expect([code, stderr, seen]).toEqual([2, expect.stringContaining('there is no field "nope"'), []]);
  expect((await run("--fields", "project,inbound_enabled", ...words)).code).toBe(0);
});
