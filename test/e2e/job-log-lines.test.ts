import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { sandboxSession } from "../support/session.ts";
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
