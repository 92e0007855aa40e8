import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { signedIn } from "../support/answering.ts";
import { binary, node } from "../support/session.ts";

// A record of what was done helps to finish, and never overrules the instance or repeats a change.

const each = "each --projects-file projects.txt --yes -o json -- notes create --issue 1 --body advice";

/** An instance that refuses the notes of one project until it is mended. */
async function half() {
  const state = { refuses: true };
  const place = await alteringSession(({ method, path }) =>
    state.refuses && method === "POST" && path.includes("docs") ? { status: 403, body: { message: "no" } } : undefined,
  );
  writeFileSync(join(place.home, "projects.txt"), "acme/storefront\nacme/docs\n");
  const posts = () => place.seen.filter((line) => line.startsWith("POST ") && line.includes("/notes")).length;
  const runs = () => {
    const folder = join(place.home, ".local/state/forgectl/jobs");
    return existsSync(folder) ? readdirSync(folder) : [];
  };
  return { ...place, state, posts, runs };
}

const hintOf = (stderr: string) => JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error.hint as string;

test("the advice after a failure, followed to the letter, does nothing twice; the run is gone once all is done", async () => {
  const { run, home, state, posts, runs } = await half();
  const first = await run(...each.split(" "));
  expect(first.code).toBe(9);
  expect(JSON.parse(first.stdout)).toMatchObject([
    { project: "acme/storefront", status: "done", error: null, body: "advice" },
    { project: "acme/docs", status: "refused", error: "could not comment on an issue; no" },
  ]);
  expect([posts(), runs().length]).toEqual([2, 1]);
  expect(hintOf(first.stderr)).toBe(`forgectl each --resume ${runs()[0]} --yes`);
  // Neither the file nor the command is needed.
  writeFileSync(join(home, "projects.txt"), "acme/website\n");
  state.refuses = false;
  const rest = await run("-o", "json", ...hintOf(first.stderr).split(" ").slice(1));
  expect([rest.code, rest.stderr]).toEqual([0, "1 of 2 done, 1 skipped: done before\n"]);
  expect(JSON.parse(rest.stdout)).toMatchObject([
    { project: "acme/storefront", status: "skipped", error: expect.stringMatching(/^done \d+ \w+ \d\d:\d\d$/) },
    { project: "acme/docs", status: "done" },
  ]);
  expect([posts(), runs()]).toEqual([3, []]);
  const gone = await run(...hintOf(first.stderr).split(" ").slice(1));
  expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining("cannot be resumed")]);
});

test.runIf(process.platform === "linux")(
  "a full disk ends a run with the command for the rest, not with its own",
  async () => {
    const { home, posts, env } = await half();
    const note = ["notes", "create", "--issue", "1", "-p", "acme/storefront", "--body"];
    const lines = Array.from({ length: 60 }, (_, n) => JSON.stringify({ args: [...note, `n${n}`] }));
    writeFileSync(join(home, "b.ndjson"), lines.join("\n"));
    // A file of more than 8 KiB cannot be written.
    const line = `trap '' XFSZ; ulimit -f 8; "${node}" "${binary}" batch b.ndjson -o json`;
    const child = spawn("bash", ["-c", line], { cwd: home, env: { ...env, NODE_DISABLE_COMPILE_CACHE: "1" } });
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close"), text(child.stdout)]);
    const { error } = JSON.parse(stderr.trim().split("\n").at(-1) ?? "");
    expect([code, error]).toEqual([12, expect.objectContaining({ code: "journal_failed", outcome: "made" })]);
    expect(posts()).toBeGreaterThan(0);
    expect(posts()).toBeLessThan(60);
    expect(error.hint).toMatch(/^forgectl batch --resume \S+$/);
  },
);

test("names of one project are one project: one note, not three", async () => {
  const { run, home, posts } = await half();
  writeFileSync(join(home, "projects.txt"), "7\nacme/storefront\nACME/Storefront\n");
  const { code, stdout } = await run(...each.split(" "));
  expect([code, JSON.parse(stdout).length, posts()]).toEqual([0, 1, 1]);
});

test("a file that the command reads has other content: the journal is that of another run", async () => {
  const { run, home, posts } = await half();
  const words =
    "each --projects-file projects.txt --yes --journal run.journal -- notes create --issue 1 --body-file text";
  writeFileSync(join(home, "text"), "first\n");
  expect((await run(...words.split(" "))).code).toBe(9);
  writeFileSync(join(home, "text"), "second\n");
  const other = await run(...words.split(" "));
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("another run: text had other content")]);
  // The list of projects may be mended between two runs.
  writeFileSync(join(home, "text"), "first\n");
  writeFileSync(join(home, "projects.txt"), "acme/storefront\nacme/website\n");
  const mended = await run("--no-header", ...words.split(" "));
  expect(mended.stdout.split("\n").map((line) => line.split("\t")[1])).toEqual(["skipped", "done", undefined]);
  expect(posts()).toBe(3);
});

test("a journal is refused for a command that only reads, and --yes after -- by name", async () => {
  const { run, seen } = await half();
  seen.splice(0);
  const reads = await run(..."each --projects-file projects.txt --journal j -- job-token get".split(" "));
  expect([reads.code, reads.stderr]).toEqual([2, expect.stringContaining("job-token get changes nothing")]);
  const yes = await run(..."each --projects-file projects.txt -- job-token limit off --yes".split(" "));
  expect([yes.code, yes.stderr]).toEqual([2, expect.stringContaining("--yes: give this to each")]);
  expect(seen).toEqual([]);
});

test("a state folder that cannot be written is a warning, and the work is done", async () => {
  const { run, home, state, posts } = await half();
  state.refuses = false;
  writeFileSync(join(home, "closed"), "");
  const result = await run(...each.split(" "), { env: { FORGECTL_STATE_DIR: join(home, "closed") } });
  expect([result.code, result.stderr, posts()]).toEqual([0, expect.stringContaining("the run is not recorded"), 2]);
});

test("a run that others can write is not resumed", async () => {
  const { run, home, runs } = await half();
  await run(...each.split(" "));
  const [id = ""] = runs();
  chmodSync(join(home, ".local/state/forgectl/jobs", id, "asked.json"), 0o666);
  const { code, stderr } = await run("each", "--resume", id, "--yes");
  expect([code, stderr]).toEqual([2, expect.stringContaining("asked.json can be read or written by others\n")]);
});

test.each([
  ["each", each, ["kind", "profiles", "source", "places", "mark", "words"]],
  ["batch", "batch b.ndjson", ["lines", "sha256"]],
])(
  "the record of a run of %s with a field of another type is damaged, and nothing is sent",
  async (job, line, fields) => {
    const { run, home, seen, runs } = await half();
    const note = { args: ["notes", "create", "--issue", "1", "-p", "acme/docs", "--body", "x"] };
    writeFileSync(join(home, "b.ndjson"), JSON.stringify(note));
    expect((await run(...line.split(" "))).code).not.toBe(0);
    const [id = ""] = runs();
    const path = join(home, ".local/state/forgectl/jobs", id, "asked.json");
    const asked = JSON.parse(readFileSync(path, "utf8"));
    const others = [null, 7, [null], { at: [] }, ...(job === "each" ? [[{ names: [null] }], [{ names: [{}] }]] : [])];
    seen.length = 0;
    for (const field of [...fields, "shard"]) {
      for (const other of others) {
        writeFileSync(path, JSON.stringify({ ...asked, [field]: other }));
        const { code, stderr } = await run(job, "--resume", id, ...(job === "each" ? ["--yes"] : []));
        expect([field, other, code, stderr]).toEqual([field, other, 2, expect.stringContaining(`${path} is damaged`)]);
      }
    }
    expect(seen).toEqual([]);
  },
);

test("batch: the rest of a run, with secrets in its lines hidden and not kept", async () => {
  const { run, home, state, runs } = await half();
  const line = (project: string, body = "see https://x.example/") => ({
    args: ["notes", "create", "--issue", "1", "-p", project, "--body", body],
  });
  const hook = { args: ["hooks", "create", "https://x.example/h", "-g", "acme", "--header", "X-Auth: s3cr3t"] };
  writeFileSync(
    join(home, "b.ndjson"),
    [line("acme/storefront"), line("acme/docs")].map((l) => JSON.stringify(l)).join("\n"),
  );
  const first = await run("batch", "b.ndjson", "-o", "json", "--keep-order");
  expect(JSON.parse(first.stdout).map(({ status }: { status: string }) => status)).toEqual(["done", "refused"]);
  state.refuses = false;
  const rest = await run("-o", "json", ...hintOf(first.stderr).split(" ").slice(1), "--keep-order");
  expect([rest.code, hintOf(first.stderr)]).toEqual([0, expect.stringMatching(/^forgectl batch --resume \S+$/)]);
  expect(JSON.parse(rest.stdout)).toMatchObject([
    { status: "skipped", result: { done_at: expect.stringMatching(/^\d{4}-/) }, exit: null },
    { status: "done" },
  ]);
  state.refuses = true;
  const secret = [hook, line("acme/docs")].map((l) => JSON.stringify(l)).join("\n");
  writeFileSync(join(home, "s.ndjson"), secret);
  const kept = await run("batch", "s.ndjson", "-o", "json");
  const [id = ""] = runs();
  expect(hintOf(kept.stderr)).toBe(`forgectl batch s.ndjson --resume ${id}`);
  expect(kept.stdout).not.toContain("s3cr3t");
  for (const name of ["asked.json", "journal.ndjson"]) {
    expect(readFileSync(join(home, ".local/state/forgectl/jobs", id, name), "utf8")).not.toContain("s3cr3t");
  }
});

test.each([
  ["an address", ["notes", "create", "--issue", "1", "--body", "see https://u:pa55word@x.example/"]],
  ["an address with a token", ["notes", "create", "--issue", "1", "--body", "https://x.example/?token=pa55word"]],
  ["a parameter", ["api", "-X", "POST", "projects/acme%2Fdocs/notes", "-f", "token=pa55word"]],
  ["a setting", ["settings", "set", "recaptcha_private_key=pa55word"]],
])("what is hidden on the screen is not in the record of a run either: %s", async (_, args) => {
  const { run, home, runs } = await half();
  const scoped = args[0] === "notes";
  const lines = [{ args: [...args, ...(scoped ? ["-p", "acme/docs"] : [])] }, { args: ["users", "get", "nobody"] }];
  writeFileSync(join(home, "s.ndjson"), lines.map((line) => JSON.stringify(line)).join("\n"));
  const each = ["each", "--projects-file", "projects.txt", "--yes", "-o", "json", "--", ...args];
  for (const words of [["batch", "s.ndjson", "--yes", "-o", "json"], ...(scoped ? [each] : [])]) {
    const before = runs();
    const { code, stderr } = await run(...words);
    const [id = ""] = runs().filter((name) => !before.includes(name));
    expect([code, hintOf(stderr)]).toEqual([9, expect.stringContaining(`--resume ${id}`)]);
    for (const name of ["asked.json", "journal.ndjson"]) {
      expect(readFileSync(join(home, ".local/state/forgectl/jobs", id, name), "utf8")).not.toContain("pa55word");
    }
  }
});

test("a deletion begun before is done once its 404 is proven: not for a project that cannot be seen", async () => {
  const answers = { deletion: "lost" as "lost" | 404, project: "lost" as "lost" | 404 | undefined };
  let isTried = false;
  const { run, home } = await alteringSession(({ method, path }) => {
    isTried ||= method === "DELETE";
    const ofProject = isTried && path.includes("/projects/") ? answers.project : undefined;
    const answer = method === "DELETE" ? answers.deletion : ofProject;
    return answer === 404 ? { status: 404, body: { message: "404 Not found" } } : answer;
  });
  writeFileSync(join(home, "b.ndjson"), '{"args":["uploads","delete","1","-p","7"]}\n');
  const line = "batch b.ndjson --journal j --yes -o json --retries 0".split(" ");
  const statusOf = async () => {
    isTried = false;
    const { stdout, stderr } = await run(...line);
    expect(stdout, stderr).not.toBe("");
    return (JSON.parse(stdout) as { status: string }[])[0]?.status;
  };
  expect(await statusOf()).toBe("unknown");
  const begun = readFileSync(join(home, "j"));
  Object.assign(answers, { deletion: 404, project: 404 });
  expect(await statusOf()).toBe("unknown");
  // Not recorded as ended: once the project is visible, the same journal tells.
  const entries = (text: Buffer) => text.toString().match(/"event":"end"/g);
  expect([entries(begun), entries(readFileSync(join(home, "j")))]).toEqual([null, null]);
  answers.project = undefined;
  expect(await statusOf()).toBe("done");
});

test("the record of a run of each with a profile that it does not have is damaged", async () => {
  const { run, home, runs } = await half();
  await run(...each.split(" "));
  const [id = ""] = runs();
  const path = join(home, ".local/state/forgectl/jobs", id, "asked.json");
  const asked = JSON.parse(readFileSync(path, "utf8"));
  writeFileSync(path, JSON.stringify({ ...asked, places: [{ profile: "staging", names: [{ name: "acme/docs" }] }] }));
  const { code, stderr } = await run("each", "--resume", id, "--yes");
  expect([code, stderr]).toEqual([2, expect.stringContaining("asked.json is damaged")]);
});

test("the 404 of one profile's instance is proven there, not where the current profile has such a project", async () => {
  const asked = { isLost: true };
  const { run, env, home, seen } = await signedIn((request, response) => {
    const isProduction = request.url?.startsWith("/forge/");
    if (request.method === "DELETE" && asked.isLost) return response.destroy();
    const isHidden = isProduction && !asked.isLost && request.url?.includes("/projects/");
    response.writeHead(isHidden ? 404 : 200, { "content-type": "application/json" });
    const body = { id: 7, username: "root", path_with_namespace: "acme/docs" };
    response.end(JSON.stringify(isHidden ? { message: "404 Not found" } : body));
  });
  const url = env.FORGECTL_BASE_URL ?? "";
  await run("profiles", "set", "staging", `base-url=${url.replace("/forge", "/staging")}`);
  await run("profiles", "set", "production", `base-url=${url}`);
  const stored = { env: { FORGECTL_BASE_URL: undefined } };
  const deletion = "-- envs unprotect production -p acme/docs".split(" ");
  const words = ["each", "--profiles", "production", "--yes", "-o", "json", "--retries", "0", ...deletion];
  const statusOf = ({ stdout, stderr }: { stdout: string; stderr: string }) => {
    expect(stdout, stderr).not.toBe("");
    return (JSON.parse(stdout) as { status: string }[])[0]?.status;
  };
  expect(statusOf(await run(...words, stored))).toBe("unknown");
  const [id = ""] = readdirSync(join(home, ".local/state/forgectl/jobs"));
  asked.isLost = false;
  expect(statusOf(await run(..."each --yes -o json --resume".split(" "), id, stored))).toBe("unknown");
  expect(seen.filter((line) => line.includes("/staging/"))).toEqual([]);
});

test("once only begun changes are left, the advice is no longer to resume, which would do nothing", async () => {
  const state = { loses: true, refuses: true };
  const { run, home, runs } = await alteringSession(({ method, path }) => {
    if (method !== "POST") return undefined;
    if (path.includes("docs")) return state.loses ? "lost" : undefined;
    return state.refuses ? { status: 403, body: { message: "no" } } : undefined;
  }).then((place) => ({ ...place, runs: () => readdirSync(join(place.home, ".local/state/forgectl/jobs")) }));
  writeFileSync(join(home, "projects.txt"), "acme/storefront\nacme/docs\n");
  const statusesOf = (stdout: string) => JSON.parse(stdout).map(({ status }: { status: string }) => status);
  const first = await run("--retries", "0", ...each.split(" "));
  expect([first.code, statusesOf(first.stdout)]).toEqual([9, ["refused", "unknown"]]);
  const again = `forgectl each --resume ${runs()[0]} --yes`;
  expect(hintOf(first.stderr)).toBe(again);
  Object.assign(state, { loses: false, refuses: false });
  const second = await run("-o", "json", ...again.split(" ").slice(1));
  expect([second.code, statusesOf(second.stdout)]).toEqual([9, ["done", "unknown"]]);
  const settle =
    "check each: what was not made is to be made by a command of its own; this run has nothing else to complete";
  expect(hintOf(second.stderr)).toBe(settle);
});

test("a run that another process completes meanwhile does not begin again: nothing is made twice", async () => {
  const held = { isNext: false, seen: () => {}, release: () => {} };
  const state = { refuses: true };
  const { run, home, seen } = await alteringSession(async ({ method, path }) => {
    if (method === "POST" && path.includes("docs") && state.refuses) return { status: 403, body: { message: "no" } };
    if (!held.isNext) return undefined;
    held.isNext = false;
    await new Promise<void>((release) => {
      held.release = release;
      held.seen();
    });
    return undefined;
  });
  writeFileSync(join(home, "projects.txt"), "acme/storefront\nacme/docs\n");
  const again = hintOf((await run(...each.split(" "))).stderr)
    .split(" ")
    .slice(1);
  state.refuses = false;
  held.isNext = true;
  const isHeld = new Promise<void>((resolve) => {
    held.seen = resolve;
  });
  const late = run(...again);
  await isHeld;
  expect((await run(...again)).code).toBe(0);
  held.release();
  const { code, stderr } = await late;
  expect([code, stderr]).toEqual([2, expect.stringContaining("all of it was done")]);
  expect(seen.filter((each) => /^POST .*notes 201/.test(each))).toHaveLength(2);
});

test.each(["--projects-of acme/platform", "--projects-file paths.txt"])(
  "a project that was created again under the path of one of %s is neither skipped nor changed",
  async (source) => {
    const state = { refuses: true };
    const { run, seen, home } = await alteringSession(({ method, path, body }) => {
      if (state.refuses) {
        return method === "PATCH" && /gateway|terraform/.test(path) ? { status: 403, body: {} } : undefined;
      }
      const { path_with_namespace: name } = (body ?? {}) as { path_with_namespace?: string };
      const others: Record<string, number> = {
        "acme/platform/billing": 9007,
        "acme/platform/infrastructure/terraform": 9008,
      };
      const id = others[name ?? ""];
      return id === undefined ? undefined : { body: { ...(body as object), id } };
    });
    const paths = ["billing", "gateway", "infrastructure/terraform"].map((name) => `acme/platform/${name}\n`);
    writeFileSync(join(home, "paths.txt"), paths.join(""));
    const line = `each ${source} --yes -o json -- job-token limit on`;
    const first = await run(...line.split(" "));
    const done = JSON.parse(first.stdout).filter(({ status }: { status: string }) => status === "done");
    expect(first.code).toBe(9);
    expect(done).toContainEqual(expect.objectContaining({ project: "acme/platform/billing" }));
    state.refuses = false;
    const before = seen.length;
    const rest = await run("-o", "json", ...hintOf(first.stderr).split(" ").slice(1));
    expect(rest.code).toBe(9);
    const rows = JSON.parse(rest.stdout) as { project: string; status: string; error: string | null }[];
    const stale = rows.filter(({ status }) => status === "stale").map(({ project }) => project);
    expect(stale).toEqual(["acme/platform/billing", "acme/platform/infrastructure/terraform"]);
    expect(rest.stdout).toContain("acme/platform/billing is another project by now");
    const changed = seen.slice(before).filter((each) => each.startsWith("PATCH "));
    expect(changed).toEqual([expect.stringContaining("gateway")]);
  },
);
