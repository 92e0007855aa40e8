import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { sandboxSession } from "../support/session.ts";

// A name leads to what has it now. What a record says was done, or was left to do, was for the one that had it then.

const hintOf = (stderr: string) => JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error.hint as string;

const paths = ["acme/docs", "acme/website", "acme/storefront"];
const change = ["job-token", "limit", "on"];
const lines = paths.map((path) => `${JSON.stringify({ args: [...change, "-p", path] })}\n`);

/** Two changes are made, one is refused; then others have the paths of those two. */
async function taken(
  line: string,
  others: Readonly<Record<string, number>> = { "acme/docs": 9001, "acme/storefront": 9003 },
) {
  const state = { isTaken: false };
  const { run, seen, home } = await alteringSession(({ method, path, body }) => {
    if (!state.isTaken)
      return method === "PATCH" && /website|projects\/1\//.test(path) ? { status: 403, body: {} } : undefined;
    const { path_with_namespace: name = "" } = (body ?? {}) as { path_with_namespace?: string };
    return others[name] === undefined ? undefined : { body: { ...(body as object), id: others[name] } };
  });
  writeFileSync(join(home, "lines"), lines.join(""));
  writeFileSync(join(home, "paths"), paths.join("\n"));
  const first = await run(...line.split(" "));
  state.isTaken = true;
  const before = seen.length;
  const changes = () => seen.slice(before).filter((each) => each.startsWith("PATCH "));
  return { first, run, home, changes };
}

test.each([
  "batch lines --yes -o json",
  "batch lines --yes -o json --journal record",
  "each --projects-file paths --yes -o json --journal record -- job-token limit on",
])("%s: another project that has the path by now is neither taken for done nor changed", async (line) => {
  const { first, run, changes } = await taken(line);
  expect(first.code, first.stderr).toBe(9);
  const rest = await run("-o", "json", ...hintOf(first.stderr).split(" ").slice(1));
  const rows = JSON.parse(rest.stdout) as { status: string; error: unknown }[];
  expect(rows.map(({ status }) => status).sort()).toEqual(["done", "stale", "stale"]);
  expect(changes()).toEqual([expect.stringContaining("website")]);
  expect(rest.stdout).toContain("acme/docs is another project by now");
  // And so it is once more: what was meant is not forgotten with the run that found out.
  const again = await run("-o", "json", ...hintOf(first.stderr).split(" ").slice(1));
  expect(again.stdout + again.stderr).not.toContain('"done"');
  expect(changes()).toHaveLength(1);
});

test("lines that were not begun before a kill are known by what was meant, too", async () => {
  const { home, run, changes } = await taken("batch lines --yes --journal record");
  const [head, ...entries] = readFileSync(join(home, "record"), "utf8").trim().split("\n");
  const planned = entries.filter((entry) => JSON.parse(entry).event === "plan");
  expect(planned).toHaveLength(3);
  writeFileSync(join(home, "record"), [head, ...planned, ""].join("\n"));
  const { stdout } = await run("batch", "lines", "--yes", "--journal", "record", "-o", "json", "--keep-order");
  expect(JSON.parse(stdout).map(({ status }: { status: string }) => status)).toEqual(["stale", "done", "stale"]);
  expect(changes()).toEqual([expect.stringContaining("website")]);
});

test("a run whose journal has no names has the IDs of those that were listed", async () => {
  const { first, run, home, changes } = await taken(
    "each --projects-of acme --match acme/* --yes -o json -- job-token limit on",
  );
  const [, id = ""] = /--resume (\S+)/.exec(hintOf(first.stderr)) ?? [];
  const journal = join(home, ".local/state/forgectl/jobs", id, "journal.ndjson");
  const entries = readFileSync(journal, "utf8").split("\n");
  writeFileSync(journal, entries.filter((entry) => !entry.includes('"id":"name ')).join("\n"));
  const { stdout } = await run("each", "--resume", id, "--yes", "-o", "json");
  const stale = (JSON.parse(stdout) as { project: string; status: string }[]).filter(
    ({ status }) => status === "stale",
  );
  expect(stale.map(({ project }) => project)).toEqual(["acme/docs", "acme/storefront"]);
  expect(changes()).toEqual([expect.stringContaining("website")]);
});

test("nothing is sent for a recorded name whose project is not shown now", async () => {
  const state = { isHidden: false };
  const { run, home, seen } = await alteringSession(({ method, path }) => {
    if (method === "PATCH") return { status: 403, body: { message: "403 Forbidden" } };
    return state.isHidden && /\/projects\/acme%2Fdocs$/.test(path) ? { status: 500, body: {} } : undefined;
  });
  writeFileSync(join(home, "paths"), "acme/docs");
  const line = "each --projects-file paths --yes --retries 0 -o json --journal record -- job-token limit on";
  expect((await run(...line.split(" "))).code).not.toBe(0);
  state.isHidden = true;
  seen.length = 0;
  const { stdout, stderr } = await run(...line.split(" "));
  expect([JSON.parse(stdout)[0].status, seen.filter((each) => each.startsWith("PATCH "))]).toEqual(["failed", []]);
  expect([stdout, stderr]).toEqual([
    expect.stringContaining("does not show now"),
    expect.not.stringContaining("nothing else"),
  ]);
});

test("so it is with --resume, if the list is given again", async () => {
  const { first, run, changes } = await taken("each --projects-file paths --yes -o json -- job-token limit on");
  const rest = await run("-o", "json", "each", "--projects-file", "paths", ...hintOf(first.stderr).split(" ").slice(2));
  const rows = JSON.parse(rest.stdout) as { status: string }[];
  expect(rows.map(({ status }) => status)).toEqual(["stale", "done", "stale"]);
  expect(changes()).toEqual([expect.stringContaining("website")]);
});

test.each([
  ["acme/website", "acme/docs"],
  ["acme/docs", "acme/website"],
])("of a project that has the path of another listed one by now, %s and %s have a row each", async (...names) => {
  const { home, first, run, changes } = await taken("each --projects-file paths --yes -o json -- job-token limit on", {
    "acme/docs": 1,
  });
  writeFileSync(join(home, "paths"), names.join("\n"));
  const rest = await run("-o", "json", "each", "--projects-file", "paths", ...hintOf(first.stderr).split(" ").slice(2));
  const rows = JSON.parse(rest.stdout) as { project: string; status: string }[];
  const ended = Object.fromEntries(rows.map(({ project, status }) => [project, status]));
  expect(ended).toEqual({ "acme/docs": "stale", "acme/website": "done" });
  expect(changes()).toEqual([expect.stringContaining("website")]);
});

/** Two exchange their places: acme/website, which was done, has the path of acme/docs by now. */
async function exchanged(line: string, list: readonly string[]) {
  const state = { isExchanged: false };
  const altered = await alteringSession(
    ({ method, path, body }) => {
      if (!state.isExchanged) return method === "PATCH" && /docs/.test(path) ? { status: 403, body: {} } : undefined;
      const { id, path_with_namespace: name } = (body ?? {}) as { id?: number; path_with_namespace?: string };
      return id === 1 && name !== undefined
        ? { body: { ...(body as object), path_with_namespace: "acme/docs" } }
        : undefined;
    },
    {},
    (path) => (state.isExchanged ? path.replace(/acme%2F(?:docs|website)(?=$|[/?])/, "1") : path),
  );
  const { run, seen, home } = altered;
  const write = (names: readonly string[]) => {
    writeFileSync(join(home, "paths"), names.join("\n"));
    writeFileSync(
      join(home, "lines"),
      names.map((name) => `${JSON.stringify({ args: [...change, "-p", name] })}\n`).join(""),
    );
  };
  write(list);
  expect((await run(...line.split(" "))).code).toBe(9);
  state.isExchanged = true;
  seen.length = 0;
  const again = async (names: readonly string[]) => {
    write(names);
    const { code, stdout } = await run(...line.split(" "));
    const rows = JSON.parse(stdout) as { status: string }[];
    return [code, rows.map(({ status }) => status), seen.filter((each) => each.startsWith("PATCH "))];
  };
  return { again };
}

test.each([
  "batch lines --yes -o json --journal record --keep-order",
  "each --projects-file paths --yes -o json --journal record -- job-token limit on",
])("%s: what was done of the project that has the path by now is not done for the path", async (line) => {
  const { again } = await exchanged(line, ["acme/docs", "1"]);
  expect(await again(["acme/docs", "1"])).toEqual([9, ["stale", "skipped"], []]);
  // A list without it takes nothing for done.
  expect(await again(["acme/docs"])).toEqual([6, ["stale"], []]);
});

test("a run of lines without -p is not resumed for another default project; a named journal has each project's", async () => {
  const { run, home } = await sandboxSession();
  const args = (iid: number) => ["notes", "create", "--issue", String(iid), "--body", "once"];
  writeFileSync(join(home, "lines"), [1, 4711].map((iid) => `${JSON.stringify({ args: args(iid) })}\n`).join(""));
  const as = (project: string, ...words: string[]) =>
    run(...words, "-o", "json", { env: { FORGECTL_PROJECT: project } });
  const first = await as("acme/docs", "batch", "lines", "--yes");
  const [, id = ""] = /--resume (\S+)/.exec(first.stderr) ?? [];
  expect([first.code, id]).toEqual([9, expect.stringMatching(/./)]);
  const elsewhere = await as("acme/website", "batch", "--resume", id, "--yes");
  expect([elsewhere.code, elsewhere.stderr]).toEqual([2, expect.stringContaining("of project acme/docs")]);
  const again = await as("acme/docs", "batch", "--resume", id, "--yes", "--keep-order");
  expect(JSON.parse(again.stdout)[0].status).toBe("skipped");
  for (const project of ["acme/docs", "acme/website"]) {
    const { stdout } = await as(project, "batch", "lines", "--yes", "--keep-order", "--journal", "record");
    expect(JSON.parse(stdout)[0].status).toBe("done");
  }
});

test("without a list, a journal of each is that of the profile's project", async () => {
  const { sandbox, run } = await sandboxSession();
  const login = ["auth", "login", "--base-url", sandbox.url, "--profile", "one", "--token-stdin", "--insecure-storage"];
  expect((await run(...login, { input: sandbox.tokens.administrator })).code).toBe(0);
  const line = "each --profiles one --journal J --yes -- notes create --issue 1 --body x";
  const each = async (project: string) => {
    await run("profiles", "set", "one", `project=${project}`);
    return run(...line.split(" "));
  };
  expect((await each("acme/docs")).code).toBe(0);
  const { code, stderr } = await each("acme/website");
  expect([code, stderr]).toEqual([2, expect.stringContaining("of project acme/docs of one")]);
  expect((await each("acme/docs")).stderr).toContain("done before");
});
