import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { binary, node, sandboxSession } from "../support/session.ts";
import { shellWords } from "../support/shell.ts";

// What the runner of a CI job obeys gets an apostrophe in its log: that must not end the quotes of a line that is to be
// pasted, and no format may have a way around it.

const obeyed = /^\s*(?:::|##|section_(?:start|end):)|##(?:vso|teamcity)?\[/m;
const runners = [{ CI: "true" }, { TF_BUILD: "True" }, { TEAMCITY_VERSION: "2025.07" }];

test.each(runners)("a suggested line has the texts of others as one word each: %j", async (env) => {
  const { run, home, env: own } = await sandboxSession();
  const description = "Deploys ##[x ;touch PWNED; ##vso[y 'z' ##teamcity[buildStop] ##[";
  expect(await run("hooks", "update", "2", "-g", "acme", "--description", description)).toMatchObject({ code: 0 });
  const { code, stderr } = await run(..."hooks update 2 -g acme --description new".split(" "), { env });
  expect(code).toBe(0);
  expect(stderr).not.toMatch(obeyed);
  const [, line = ""] = /^undo: (.*)$/m.exec(stderr) ?? [];
  expect(await shellWords(line, { cwd: home, env: own })).toContain(`--description=${description}`);
  expect(readdirSync(home)).not.toContain("PWNED");
});

test.each(runners)("a line whose first cells are blank begins with none: %j", async (env) => {
  const { run } = await sandboxSession();
  const stop = "##teamcity[buildStop readdToQueue='true']";
  const body = `::error::Deployment failed ##vso[task.setvariable variable=PATH]/tmp/evil ${stop}`;
  expect(await run("notes", "create", "--issue", "28", "-p", "7", "--body", body)).toMatchObject({ code: 0 });
  for (const format of ["tsv", "csv", "table"]) {
    const fields = "attachment,body";
    const { stdout } = await run("notes", "list", "--issue", "28", "-p", "7", "--fields", fields, "-o", format, {
      env,
    });
    expect(stdout).toContain("Deployment failed");
    expect([format, stdout]).not.toEqual([format, expect.stringMatching(obeyed)]);
  }
});

test.each(runners)("neither does a text of --jq, or an answer as it is, and JSON stays equal: %j", async (env) => {
  const { run, home, env: own } = await sandboxSession();
  const body = "::error::Deployment failed ##vso[task.setvariable variable=PATH]/tmp/evil\n## A heading\n##[group]x";
  expect(await run("notes", "create", "--issue", "28", "-p", "7", "--body", body)).toMatchObject({ code: 0 });
  const path = "projects/7/issues/28/notes?per_page=1&order_by=created_at&sort=desc";
  const answer = await run("api", path, { env });
  expect(answer.stdout).not.toMatch(/##(?:vso|teamcity)?\[/);
  expect(JSON.parse(answer.stdout)).toMatchObject([{ body }]);
  for (const filter of [".[0].body", ".[0] | {body}"]) {
    const { stdout } = await run("api", path, "--jq", filter, { env });
    expect(stdout).not.toMatch(/^\s*(?:::|section_(?:start|end):)|##(?:vso|teamcity)?\[/m);
    expect(stdout).toContain("## A heading");
  }
  const file = join(home, "body.txt");
  const handle = openSync(file, "w");
  const saving = spawn(node, [binary, "api", path, "--jq", ".[0].body"], {
    stdio: ["ignore", handle, "ignore"],
    env: { ...own, ...env },
  });
  const [code] = await once(saving, "close");
  closeSync(handle);
  expect([code, readFileSync(file, "utf8")]).toEqual([0, `${body}\n`]);
});

test("nor the beginning of a collapsed section, which the platform obeys anywhere in a line", async () => {
  const { run } = await sandboxSession();
  const body = "Deployed. section_start:1700000000:evil[collapsed=true]\r\u001b[0Khidden section_end:1:evil\r\u001b[0K";
  expect(await run("notes", "create", "--issue", "28", "-p", "7", "--body", body)).toMatchObject({ code: 0 });
  const path = "projects/7/issues/28/notes?per_page=1&order_by=created_at&sort=desc";
  const list = ["notes", "list", "--issue", "28", "-p", "7", "--sort", "desc", "--limit", "1"];
  const texts = ["--jq", ".[0].body"];
  for (const words of [
    ["api", path, ...texts],
    [...list, ...texts],
    ...["tsv", "csv", "yaml", "json"].map((each) => [...list, "-o", each]),
  ]) {
    const { stdout } = await run(...words, { env: { CI: "true" } });
    expect([words, stdout]).toEqual([words, expect.stringContaining("hidden")]);
    const parts = stdout.split("\r\u001b[0K").slice(0, -1);
    expect([words, parts.filter((part) => /section_(?:start|end):\d+:\S*$/.test(part))]).toEqual([words, []]);
  }
});

test("an exported file has none, in folded texts and in comments, and no control that reorders text", async () => {
  const name = "::error::M \u202e ##[error]x ##teamcity[buildStop]";
  // One of them is where the line is folded.
  const description = Array.from({ length: 40 }, (_, index) => `${"y".repeat(index + 1)} ::error::failed`).join(" ");
  const { run } = await alteringSession(({ method, path, body }) => {
    if (method !== "GET") return undefined;
    if (path.includes("/hooks")) return { body: (body as object[]).map((row) => ({ ...row, description })) };
    const named = (key: string, value: unknown) => (key === "access_level_description" ? name : value);
    return { body: JSON.parse(JSON.stringify(body ?? null), named) };
  });
  const { code, stdout } = await run("state", "export", "-g", "acme", "-p", "acme/storefront", "-O", "-", {
    env: { CI: "true" },
  });
  expect(code).toBe(0);
  expect(stdout).toContain("::error::failed");
  expect(stdout).toMatch(/_id: \d+ # ::error::M/);
  expect(stdout).not.toMatch(/\u202e/);
  expect(stdout).not.toMatch(obeyed);
});
