import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { requestsIn, type Session, sandboxSession, session } from "../support/session.ts";

// One command over a group, over several instances, and over several machines.

const log: string[] = [];
const otherLog: string[] = [];
let admin: Awaited<ReturnType<typeof sandboxSession>>;
let other: Awaited<ReturnType<typeof sandboxSession>>;
beforeAll(async () => {
  admin = await sandboxSession({ log: (line) => log.push(line) });
  other = await sandboxSession({ log: (line) => otherLog.push(line) });
});

const changesIn = (lines: string[]) => requestsIn(lines).filter((line) => !line.startsWith("GET "));
const firstColumns = (text: string, count = 1) =>
  text
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => line.split("\t").slice(0, count).join(" "));

describe("over a group", () => {
  const projects = async (...words: string[]) => {
    const { stdout, stderr, code } = await admin.run("each", ...words, "--", "job-token", "get");
    return { code, stderr, names: firstColumns(stdout) };
  };

  test("every project below it; archived, shared, and those to be deleted are left out, and counted", async () => {
    // An operator's own view of the instance, by another command.
    const all = JSON.parse((await admin.run(..."projects list -L all -o json".split(" "))).stdout) as {
      path_with_namespace: string;
      archived: boolean;
      marked_for_deletion_on: string | null;
    }[];
    const leftOut = new Set<string>();
    for (const group of ["acme", "globex", "initech", "open-tools"]) {
      const own = all.filter(({ path_with_namespace: path }) => path.startsWith(`${group}/`));
      const expected = own.filter((project) => !project.archived && project.marked_for_deletion_on === null);
      const found = await projects("--projects-of", group);
      expect([group, found.names]).toEqual([group, expected.map((each) => each.path_with_namespace).sort()]);
      for (const [, why = ""] of found.stderr.matchAll(/left out \d+ (.+)/g)) leftOut.add(why);
    }
    expect(leftOut).toEqual(new Set(["archived", "to be deleted"]));
    expect((await projects("--projects-of", "open-tools", "--archived")).names).toContain("open-tools/legacy-cli");
  });

  test("--match selects by path, and nothing selected is exit 2", async () => {
    const { names } = await projects("--projects-of", "acme", "--match", "ACME/platform/**");
    expect(names).toContain("acme/platform/gateway");
    expect(names.filter((name) => !name.startsWith("acme/platform/"))).toEqual([]);
    const none = await projects("--projects-of", "acme", "--match", "acme/*x*y*z*");
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("none of")]);
  });

  test("what shifted pages show twice is one", async () => {
    const { run } = await alteringSession(({ path, body }) =>
      /\/(?:projects|descendant_groups)\?/.test(path) && Array.isArray(body) ? { body: [...body, ...body] } : undefined,
    );
    for (const line of ["each --groups-of acme -- hooks list", "each --projects-of acme -n -- job-token limit on"]) {
      const shown = await run("-o", "csv", "--no-header", ...line.split(" "));
      const once = await admin.run("-o", "csv", "--no-header", ...line.split(" "));
      expect([shown.code, shown.stdout.split("\n").length]).toEqual([0, once.stdout.split("\n").length]);
    }
  });

  test("--groups-of is the group and all below it", async () => {
    const groups = await admin.run(..."each --groups-of acme -n -- hooks delete 1".split(" "));
    expect(firstColumns(groups.stdout)).toEqual([
      "acme",
      "acme/mobile",
      "acme/platform",
      "acme/platform/infrastructure",
    ]);
  });

  test("a change is recorded with the names that were found; without --yes nothing is sent", async () => {
    requestsIn(log);
    const first = await admin.run(..."each --projects-of acme/platform --yes -- job-token limit on".split(" "));
    expect([first.code, changesIn(log).length]).toEqual([0, firstColumns(first.stdout).length]);
    const needs = await admin.run(..."each --projects-of acme/platform -- job-token limit on".split(" "));
    expect([needs.code, changesIn(log)]).toEqual([2, []]);
    expect(needs.stderr).toMatch(/on \d+ projects \(acme\/platform\//);
  });

  test.each([
    ["two sources", "--projects-of acme --groups-of acme", "give only one of"],
    ["--match without a list", "--match x --profiles x", "--match needs a list"],
    ["--archived without projects", "--groups-of acme --archived", "--archived needs --projects-of"],
    ["quoted paths", "--projects-file quoted.txt", 'quoted.txt:1: "acme/docs" is quoted'],
    ["an ID and --match", "--projects-file id.txt --match *", "7 is an ID"],
    [
      "an address and profiles",
      "--base-url https://x.example --profiles a",
      "give only one of --base-url and --profiles",
    ],
    ["a profile that is missing", "--profiles nowhere", "nowhere"],
  ])("%s is exit 2", async (_, words, message) => {
    writeFileSync(join(admin.home, "quoted.txt"), '"acme/docs"\n');
    writeFileSync(join(admin.home, "id.txt"), "7\n");
    const { code, stderr } = await admin.run("each", ...words.split(" "), "--", "job-token", "get");
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe("on several instances", () => {
  let both: Session;
  beforeAll(async () => {
    both = session();
    for (const [name, { sandbox }] of [
      ["one", admin],
      ["two", other],
    ] as const) {
      const address = ["--base-url", sandbox.url, "--profile", name];
      const login = ["auth", "login", ...address, "--token-stdin", "--insecure-storage"];
      expect((await both.run(...login, { input: sandbox.tokens.administrator })).code).toBe(0);
    }
  });
  // A token that is not used: with it, every request would be refused.
  const elsewhere = { env: { FORGECTL_BASE_URL: "http://127.0.0.1:9", FORGECTL_TOKEN: "wrong" } };

  test("without a list, once for each, with the profile's address and token", async () => {
    const { code, stdout, stderr } = await both.run(
      ..."each --profiles one,two -- settings get signup_enabled domain_allowlist".split(" "),
      elsewhere,
    );
    expect([code, stderr]).toEqual([0, "2 of 2 done\n"]);
    expect(stdout.split("\n")[0]).toMatch(/^profile\t.*\tfailure$/);
    expect(firstColumns(stdout)).toEqual(["one", "two"]);
  });

  test("with a group, its projects on each; a change is made on both", async () => {
    requestsIn(log);
    requestsIn(otherLog);
    const words = "each --profiles one,two --projects-of acme/platform";
    const { code, stdout } = await both.run(...`${words} --yes -- job-token limit on`.split(" "), elsewhere);
    expect(code).toBe(0);
    const rows = firstColumns(stdout, 3);
    expect(rows).toContain("one acme/platform/gateway done");
    expect(rows).toContain("two acme/platform/gateway done");
    expect([changesIn(log).length, changesIn(otherLog).length]).toEqual([rows.length / 2, rows.length / 2]);
  });

  test("the line that completes a run can be pasted where variables select another instance", async () => {
    const words = "each --profiles one,two --yes -- envs unprotect gone -p acme/docs".split(" ");
    const first = await both.run(...words, elsewhere);
    const [, line = ""] = /^try: +forgectl (.*each --resume.*)$/m.exec(first.stderr) ?? [];
    expect(line).toMatch(/^--yes each --resume \S+$/);
    expect((await both.run(...line.split(" "), elsewhere)).code).toBe(first.code);
  });

  test.each(["--profile one", "--base-url http://127.0.0.1:9"])(
    "a resumed run is for both, not for %s",
    async (one) => {
      const first = await both.run(..."each --profiles one,two --yes -- envs unprotect gone -p acme/docs".split(" "));
      const [, id = ""] = /each --resume (\S+)/.exec(first.stderr) ?? [];
      const { code, stderr } = await both.run("each", "--resume", id, "--yes", ...one.split(" "));
      const reason = `give only one of ${one.split(" ")[0]} and --resume\ntry:   the run is for the profiles one, two\n`;
      expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
      expect((await both.run("each", "--resume", id, "--yes", elsewhere)).code).toBe(first.code);
      requestsIn(log);
      requestsIn(otherLog);
    },
  );

  test("IDs are refused, and so is a change where one of them is read-only: nothing is sent", async () => {
    writeFileSync(join(both.home, "ids.txt"), "acme/docs\n7\n");
    requestsIn(log);
    const ids = await both.run(..."each --profiles one,two --projects-file ids.txt -- job-token get".split(" "));
    expect([ids.code, ids.stderr]).toEqual([2, expect.stringContaining("7 is an ID")]);
    for (const words of [
      "--projects-of 7 --yes -- job-token limit off",
      "--groups-of 7 --yes -- hooks create https://x.example/in",
      "--projects-of ~7/ --yes -- job-token limit off",
      "--projects-of acme --yes -- job-token groups add ~7~",
      "--yes -- hooks create https://x.example/in -g ~7",
      "--projects-of acme --yes -- job-token groups add 7",
      "--yes -- job-token projects remove 7 -p acme/docs",
      "--yes -- hooks create https://x.example/in -g 7",
      "--yes -- groups import a.tar.gz --name A --path a --parent-id 7",
      "--yes -- hooks delete 7 -g acme",
      "--yes -- uploads delete 7 -p acme/docs",
      "--yes -- errors keys delete 7 -p acme/docs",
      "--yes -- notes create --body Hello -p acme/docs --issue 7",
      "--yes -- saml links add Team -g acme --access-level developer --member-role-id 7",
      "--yes -- envs protect qa -p acme/docs --allow user:7",
      "--yes -- envs protect qa -p acme/docs --allow level:maintainer --approval group:7+inherited=2",
      "--yes -- envs update production -p acme/docs --set-allow 7=level:maintainer",
      "--yes -- settings set file_template_project_id=7",
      "--yes -- api -X DELETE projects/acme%2Fdocs/job_token_scope/allowlist/7",
      "--yes -- api -X PUT projects/7 -F name=docs",
      "--yes -- api -X POST projects/acme%2Fdocs/job_token_scope/allowlist -F target_project_id=7",
      "--yes -- api -X POST projects/acme%2Fdocs/job_token_scope/allowlist?target_project_id=7",
      "--yes -- api -X POST projects/acme%2Fdocs/job_token_scope/allowlist -f target_project_id=~7",
      "--yes -- api -X PUT projects/acme%2Fdocs/transfer -f namespace=7",
      "--yes -- api -X PUT projects/acme%2Fdocs/x -f user_ids[0]=7",
      "--yes -- api -X PUT groups/acme/hooks/%37 -F name=docs",
      "--yes -- api -X PUT groups/acme/hooks/7.json -F name=docs",
      "--yes -- settings set file_template_project_id=~7",
    ]) {
      const typed = words.split(" ").map((word) => word.replaceAll("~", " "));
      const { code, stderr } = await both.run(..."each --profiles one,two".split(" "), ...typed);
      expect([code, stderr], words).toEqual([2, expect.stringMatching(/7 *\/? *is an ID, and /)]);
    }
    // What only reads may, and so may a change of one instance.
    const reading = await both.run(..."each --profiles one,two -- hooks get 1 -g acme".split(" "));
    expect([reading.code, reading.stderr, firstColumns(reading.stdout, 2)]).toEqual([
      0,
      "2 of 2 done\n",
      ["one 1", "two 1"],
    ]);
    const file =
      "api -X POST projects/acme%2Fdocs/repository/files/7.json -f branch=main -f content=x -f commit_message=x";
    expect((await both.run(..."each --profiles one,two --yes --dry-run --".split(" "), ...file.split(" "))).code).toBe(
      0,
    );
    for (const words of ["-- api -X DELETE projects/7", "-- hooks get 1 -g 1", "--projects-of 1 -- job-token get"]) {
      expect(
        (await both.run(..."each --profiles one --yes --dry-run".split(" "), ...words.split(" "))).code,
        words,
      ).toBe(0);
    }
    await both.run("profiles", "set", "two", "read-only=true");
    const change = "each --profiles one,two --projects-of acme --yes -- job-token limit on".split(" ");
    expect((await both.run(...change)).code).toBe(5);
    await both.run("profiles", "unset", "two", "read-only");
    expect((await both.run(...change, { env: { FORGECTL_READ_ONLY: "1" } })).code).toBe(5);
    expect([requestsIn(log), requestsIn(otherLog)].flat().filter((line) => !line.startsWith("GET "))).toEqual([]);
  });

  test.each([
    ["a value", "signup_enabled", "result\tfailure", "false\t"],
    ["a list, which is one value", "domain_allowlist", "result\tfailure", "[]\t"],
  ])("%s has a column, and a row for each instance", async (_, name, columns, row) => {
    const words = ["each", "--profiles", "one,two", "--", "settings", "get", name];
    const { code, stdout } = await both.run(...words);
    expect([code, stdout]).toEqual([0, `profile\t${columns}\none\t${row}\ntwo\t${row}\n`]);
    const some = await both.run("--fields", "profile,result", "--no-header", ...words);
    expect([some.code, some.stdout.split("\n")[0]]).toEqual([0, `one\t${row.trim()}`]);
    const json = await both.run("-o", "json", ...words);
    expect(JSON.parse(json.stdout)).toHaveLength(2);
  });

  test("the registry's password of the environment, which is that of one instance, is sent to none", async () => {
    [requestsIn(log), requestsIn(otherLog)].flat();
    const env = { FORGECTL_REGISTRY_USER: "sandbox", FORGECTL_REGISTRY_PASSWORD: admin.sandbox.tokens.administrator };
    const line = "each --profiles one,two -- registry token --scope registry:catalog:*".split(" ");
    const { code, stdout } = await both.run(...line, { env });
    expect([code, stdout.match(/are sent to none of several/g)]).toEqual([
      9,
      expect.arrayContaining(Array(2).fill(expect.anything())),
    ]);
    expect([requestsIn(log), requestsIn(otherLog)]).toEqual([[], []]);
    const registry = ["--registry-url", admin.sandbox.url, "--profile", "one"];
    expect((await both.run("registry", "token", "--scope", "registry:catalog:*", ...registry, { env })).code).toBe(0);
  });

  test("twenty instances at once are no cause for a warning of the runtime", async () => {
    const fleet = session();
    const names = Array.from({ length: 20 }, (_, n) => `p${n}`);
    // Addresses of their own, so that each has a session of its own; nothing listens there.
    for (const [n, name] of names.entries()) {
      await fleet.run(
        "profiles",
        "set",
        name,
        `base-url=http://127.0.1.${n}:9`,
        "token-command=echo t0ken",
        "retries=0",
      );
    }
    const line = `each --profiles ${names.join(",")} -- settings get signup_enabled`;
    // The runtime warns once in a process.
    const { code, stdout, stderr } = await fleet.run(...line.split(" "), { asProcess: true });
    expect([code, firstColumns(stdout)]).toEqual([9, names]);
    expect(stderr).toMatch(/^error: 20 of 20 failed\n(?:(?:outcome|try|cause): .*\n)*$/);
  });

  test("two profiles of one instance are refused for a change, which would be made twice", async () => {
    const address = ["--base-url", admin.sandbox.url, "--profile", "again"];
    const login = ["auth", "login", ...address, "--token-stdin", "--insecure-storage"];
    expect((await both.run(...login, { input: admin.sandbox.tokens.administrator })).code).toBe(0);
    requestsIn(log);
    const change = "each --profiles one,two,again --projects-of acme --yes -- job-token limit on";
    const { code, stderr } = await both.run(...change.split(" "));
    expect([code, stderr]).toEqual([2, expect.stringContaining("profiles one and again are of one instance")]);
    // The same instance by another spelling of its address.
    const other = new URL(admin.sandbox.url);
    other.hostname = "localhost";
    await both.run("profiles", "set", "spelled", `base-url=${other.href}`, "token-command=echo t0ken");
    const spelled = await both.run(...change.replace("again", "spelled").split(" "));
    expect([spelled.code, spelled.stderr]).toEqual([2, expect.stringContaining("one and spelled are of one instance")]);
    expect(requestsIn(log)).toEqual([]);
    expect((await both.run(..."each --profiles one,again -- settings get signup_enabled".split(" "))).code).toBe(0);
  });

  test("a report that each of several instances would write is refused, and nothing is sent; for one it is written", async () => {
    requestsIn(log);
    const line = (profiles: string, file: string) =>
      `each --profiles ${profiles} -- settings audit --report sarif=${file}`.split(" ");
    const { code, stderr } = await both.run(...line("one,two", "all.sarif"), { cwd: both.home });
    expect([code, stderr]).toEqual([2, expect.stringContaining("one and two would both write all.sarif")]);
    expect(stderr).toContain("one profile at a time");
    expect(requestsIn(log)).toEqual([]);
    expect((await both.run(...line("one", "one.sarif"), { cwd: both.home })).code).toBe(0);
    expect((await both.run(...line("one,two", "/dev/null"), { cwd: both.home })).code).toBe(0);
  });

  test("each of two profiles of one instance may have its own project; a change of the instance is made once", async () => {
    await both.run("profiles", "set", "one", "project=acme/docs");
    await both.run("profiles", "set", "again", "project=acme/storefront");
    requestsIn(log);
    const twice = async (words: string) =>
      (await both.run(...`each --profiles one,again --yes -- ${words}`.split(" "))).code;
    expect(await twice("job-token limit on")).toBe(0);
    expect(changesIn(log).length).toBe(2);
    expect(await twice("settings set signup_enabled=true")).toBe(2);
    expect(await twice("job-token limit on -p acme/docs")).toBe(2);
    await both.run("profiles", "set", "again", "project=ACME/docs");
    expect(await twice("job-token limit on")).toBe(2);
    await both.run("profiles", "unset", "one", "project");
    await both.run("profiles", "unset", "again", "project");
  });
});

describe("on several machines", () => {
  const command = "-o ndjson -- job-token get";

  test("the rows of all shards together are those of one run, by path, by ID, and by another case", async () => {
    const names = ["acme/docs", "7", "ACME/Storefront", "acme/website", "no/such", "acme/platform/gateway"];
    const source = fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(source, fc.integer({ min: 1, max: 4 }), async (list, total) => {
        writeFileSync(join(admin.home, "list.txt"), list.join("\n"));
        const rows = async (...more: string[]) => {
          const words = ["each", "--projects-file", "list.txt", ...more, ...command.split(" ")];
          return (await admin.run(...words)).stdout.split("\n").filter((line) => line !== "");
        };
        const parts = await Promise.all(
          Array.from({ length: total }, (_, index) => rows("--shard", `${index + 1}/${total}`)),
        );
        expect(parts.flat().sort()).toEqual((await rows()).sort());
      }),
      { numRuns: 8 },
    );
  });

  test("--shard ci takes the numbers of the job; without them it is exit 2", async () => {
    const run = (env: Record<string, string | undefined>) =>
      admin.run(..."each --projects-of acme --shard ci -- job-token get".split(" "), { env });
    const parts = await Promise.all(["1", "2", "3"].map((index) => run({ CI_NODE_INDEX: index, CI_NODE_TOTAL: "3" })));
    const whole = await run({ CI_NODE_TOTAL: "1" });
    expect(parts.flatMap(({ stdout }) => firstColumns(stdout)).sort()).toEqual(firstColumns(whole.stdout));
    for (const env of [{}, { CI_NODE_TOTAL: "3" }, { CI_NODE_INDEX: "4", CI_NODE_TOTAL: "3" }]) {
      expect((await run(env)).code).toBe(2);
    }
    for (const text of ["0/2", "3/2", "1", "a/b", ""]) {
      const { code } = await admin.run("each", "--projects-of", "acme", "--shard", text, "--", "job-token", "get");
      expect([text, code]).toEqual([text, 2]);
    }
  });

  test("a journal of another shard is refused, of each and of batch", async () => {
    const each = (shard: string) =>
      admin.run(
        ...`each --projects-of acme --shard ${shard} --journal e.journal --yes -- job-token limit on`.split(" "),
      );
    expect((await each("1/2")).code).toBe(0);
    expect(await each("2/2")).toMatchObject({ code: 2, stderr: expect.stringContaining("the journal of another run") });
    writeFileSync(
      join(admin.home, "lines.ndjson"),
      `${JSON.stringify({ args: ["job-token", "limit", "on", "-p", "7"] })}\n`,
    );
    const batch = (shard: string) =>
      admin.run(...`batch lines.ndjson --shard ${shard} --journal b.journal --yes`.split(" "));
    expect((await batch("1/2")).code).toBe(0);
    expect(await batch("2/2")).toMatchObject({ code: 2, stderr: expect.stringContaining("another run") });
  });

  test("each line of a batch is run by one of the shards, whatever it does", async () => {
    const lines = [
      ["users", "get", "dana.dixon"],
      ["users", "me"],
      ["job-token", "limit", "on", "-p", "7"],
      ["job-token", "limit", "on", "-p", "acme/storefront"],
      ["job-token", "get", "-p", "acme/docs"],
    ];
    writeFileSync(join(admin.home, "all.ndjson"), lines.map((args) => JSON.stringify({ args })).join("\n"));
    const numbers = async (shard: string) => {
      const { stdout } = await admin.run(...`batch all.ndjson --shard ${shard} --yes -o ndjson`.split(" "));
      const rows = stdout.split("\n").filter((line) => line !== "");
      return rows.map((row) => (JSON.parse(row) as { line: number }).line);
    };
    const parts = await Promise.all(["1/3", "2/3", "3/3"].map(numbers));
    expect(parts.flat().sort()).toEqual([1, 2, 3, 4, 5]);
    // Two names of one project are done by the same machine.
    expect(parts.find((part) => part.includes(3))).toContain(4);
  });

  test("lines with a relative time are the same ones later", async () => {
    const line = (id: number) => ({ id, args: `notes create --issue 28 -p 7 --body ${id} --created-at 2d`.split(" ") });
    const lines = Array.from({ length: 8 }, (_, id) => JSON.stringify(line(id)));
    writeFileSync(join(admin.home, "dated.ndjson"), lines.join("\n"));
    const done: number[] = [];
    for (const shard of ["1/2", "2/2"]) {
      const { code, stdout } = await admin.run(...`batch dated.ndjson --shard ${shard} --yes -o json`.split(" "));
      expect(code).toBe(0);
      done.push(...(JSON.parse(stdout) as { id: number }[]).map(({ id }) => id));
      await new Promise((resolve) => setTimeout(resolve, 1100));
    }
    expect(done.sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    const journaled = () => admin.run(..."batch dated.ndjson --journal dated.journal --yes -o json".split(" "));
    expect((await journaled()).code).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const again = await journaled();
    expect(JSON.parse(again.stdout).every(({ status }: { status: string }) => status === "skipped")).toBe(true);
  });

  test("a run of a shard is resumed as that shard", async () => {
    const cwd = join(admin.home, "resumed");
    mkdirSync(cwd);
    writeFileSync(join(cwd, "some.txt"), "acme/docs\nno/such\nacme/website\n");
    for (const shard of ["1/2", "2/2"]) {
      const words = `each --projects-file some.txt --shard ${shard} --yes -- job-token limit on`.split(" ");
      const { code, stdout, stderr } = await admin.run(...words, { cwd });
      if (!stdout.includes("no/such")) continue;
      const [, id = ""] = /each --resume (\S+)/.exec(stderr) ?? [];
      // Where there is one thing, its own error is that of the run.
      expect([3, 9]).toContain(code);
      if (id === "") continue;
      const again = await admin.run("each", "--resume", id, "--yes", { cwd });
      expect(firstColumns(again.stdout)).toEqual(firstColumns(stdout));
      const typed = await admin.run("each", "--resume", id, "--shard", "1/2", "--yes", { cwd });
      expect([typed.code, typed.stderr]).toEqual([2, expect.stringContaining("give only one of --shard and --resume")]);
    }
  });
});

test("runs of one each take turns, as only one at a time changes an instance from this machine", async () => {
  const place = await sandboxSession();
  writeFileSync(
    join(place.home, "envs.yaml"),
    "[{ name: turns, deploy_access_levels: [{ access_level: maintainer }] }]\n",
  );
  const words = "each --projects-of acme --yes --fields project,status --no-header -- envs apply -f envs.yaml";
  const { code, stdout, stderr } = await place.run(...words.split(" "));
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^8 of 8 done/m)]);
  expect(stdout.trim().split("\n")).toHaveLength(8);
});

test("after Ctrl-C none of them begins that was waiting for its turn, and the rest is made by a resumed run", async () => {
  let begun: () => void = () => undefined;
  const when = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const place = await alteringSession(
    async ({ method }) => {
      if (method === "POST") begun();
      return undefined;
    },
    { latencyMs: 100 },
  );
  writeFileSync(
    join(place.home, "envs.yaml"),
    "[{ name: turns, deploy_access_levels: [{ access_level: maintainer }] }]\n",
  );
  const words = "each --projects-of acme --yes --fields project,status -- envs apply -f envs.yaml";
  const { code, stdout, stderr } = await place.run(...words.split(" "), { kill: { signal: "SIGINT", when } });
  expect([code, firstColumns(stdout, 2).filter((row) => row.endsWith(" made"))], stdout).toEqual([130, []]);
  const open = firstColumns(stdout, 2).filter((row) => row.endsWith(" not_tried"));
  expect(open.length).toBeGreaterThan(3);
  expect(place.seen.filter((line) => line.startsWith("POST "))).toHaveLength(8 - open.length);
  const [, id = ""] = /--resume (\S+)/.exec(stderr) ?? [];
  expect((await place.run("each", "--resume", id, "--yes")).code).toBe(0);
  expect(place.seen.filter((line) => line.startsWith("POST "))).toHaveLength(8);
});
