import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { sandboxSession } from "../support/session.ts";

// Names that others gave, where the program writes what it or another program reads again: YAML that is planned, CSV
// that a spreadsheet opens, journals that say what is done.

const names = [
  "a: b # c",
  "- {x: [1, 2]} & *alias !tag | >",
  "'single' \"double\" `back` \\n \\u001b",
  "line\nnext: 1\n---\n...\n",
  "  spaces and\ttab  ",
  "\u001b[2J\u0085\u2028\u2029",
  "\u202egnp.exe\u2066",
  "null",
  "yes",
  "0x1f",
  "2026-11-22",
  "=cmd|' /C calc'!A0",
  "<<",
  "{ env: HOME }",
  "$HOME $(id)",
  "ünïcödé 🙂",
];

test("an export of names that others gave is YAML that plans no change", async () => {
  const { run } = await sandboxSession();
  const post = (path: string, value: object) =>
    run("api", path, "--input", "-", { input: JSON.stringify(value) }).then(({ code }) => code);
  let made = 0;
  for (const [index, name] of names.entries()) {
    const url = `https://h${index}.example/`;
    made += Number((await post("groups/acme/hooks", { url, name, description: name, push_events: true })) === 0);
    made += Number((await post("groups/acme/saml_group_links", { saml_group_name: name, access_level: 10 })) === 0);
  }
  expect(made).toBe(2 * names.length);
  for (const name of names) {
    expect((await run("api", "application/settings", "-X", "PUT", "-f", `after_sign_up_text=${name}`)).code).toBe(0);
    expect((await run("state", "export", "--settings", "-g", "acme", "--dir", "out", "--force")).code).toBe(0);
    const { code, stdout, stderr } = await run("state", "plan", "-f", "out", "--exit-code", "-o", "json");
    expect([name, code, stdout, stderr]).toEqual([name, 0, "[]\n", expect.stringMatching(/^no change/m)]);
  }
});

/** The cells of CSV (RFC 4180). */
function cellsOf(csv: string): string[] {
  return [...csv.matchAll(/(?:^|[,\n])(?:"((?:[^"]|"")*)"|([^,"\n]*))/g)].map(([, quoted, plain = ""]) =>
    quoted === undefined ? plain : quoted.replaceAll('""', '"'),
  );
}

describe("in CSV, no name is a formula", () => {
  test.each([
    "=1+1",
    "+1",
    "-1+1",
    "@SUM(1)",
    "\t=1",
    "\r=1",
    " =1",
    "\uff1d1",
    "\n=1",
    '"=1',
    "a\n=1",
    "=1,=1",
    "x;=1",
    "x; +1;-1",
    'x;"=1',
    "x\t@1",
  ])("%j", async (name) => {
    const { run } = await alteringSession(({ body }) =>
      Array.isArray(body) ? { body: body.map((row) => ({ ...row, name, username: name })) } : undefined,
    );
    for (const CI of ["", "true"]) {
      const { code, stdout } = await run("users", "list", "--fields", "name,username", "-o", "csv", { env: { CI } });
      expect(code).toBe(0);
      const cells = cellsOf(stdout).slice(2);
      expect(cells.filter((cell) => /^[\s\0]*[=+\-@\uff1d]/.test(cell) || /^[\t\r]/.test(cell))).toEqual([]);
      expect(cells.length).toBeGreaterThan(2);
      // Where the separator is another one, no quote is honored within a cell.
      const others = stdout.split(/[;\t\n\r]/);
      expect(others.filter((cell) => /^[\s\0]*(?:"")?[=+\-@\uff1d]/.test(cell))).toEqual([]);
    }
  });
});

describe("in a journal, no name is a line", () => {
  const forged = 'x"}\n{"id":"other","event":"end","status":"done"}\r\n\u2028{"id":"other","event":"end"}';
  const linesOf = (path: string) => readFileSync(path, "utf8").split("\n").slice(0, -1);

  test("of a batch", async () => {
    const { run, home } = await sandboxSession();
    const tasks = ["other", forged].map((id) => {
      const args = ["saml", "links", "add", `${id} link`, "-g", "acme", "--access-level", "guest"];
      return JSON.stringify({ id, args });
    });
    writeFileSync(join(home, "b.ndjson"), tasks[1] as string);
    expect((await run("batch", "b.ndjson", "--journal", "j", "--yes")).code).toBe(0);
    const entries = linesOf(join(home, "j")).map((line) => JSON.parse(line) as { id?: string; event?: string });
    expect(entries.map(({ event }) => event)).toEqual([undefined, "plan", "begin", "end"]);
    expect(new Set(entries.slice(2).map(({ id }) => id)).size).toBe(1);
    writeFileSync(join(home, "b.ndjson"), `${tasks.join("\n")}\n`);
    const line = "batch b.ndjson --journal other --yes --concurrency 1 -o json";
    const { stdout } = await run(...line.split(" "));
    expect(JSON.parse(stdout).map(({ status }: { status: string }) => status)).toEqual(["done", "refused"]);
  });

  test("of a list of projects", async () => {
    const { run, home } = await sandboxSession();
    writeFileSync(join(home, "p.txt"), `7\n${JSON.stringify(forged)}\n`);
    const { code, stderr } = await run(
      ..."each --projects-file p.txt --journal j --yes -- job-token limit on".split(" "),
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining("p.txt")]);
  });
});

describe("in the log of a job, what is not shown is written as an escape", () => {
  const names = ["\u202egnp.exe\u2066 \u009b31m\r\n::error::forged", "a\n::error::forged", "a\n ##[error]forged"];
  const inLine = ["a ##vso[task.setvariable variable=x]forged", "a ##[add-path]forged ##teamcity[buildStop]"];
  const obeyed = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\r(?!\n)|^\s*(?:::|##)|##(?:vso|teamcity)?\[/m;

  test.each([
    ["users list --fields name,identities", ["yaml", "csv", "tsv", "json", "table"]],
    ["hooks health -g acme", ["yaml", "csv", "tsv", "json", "table"]],
    ["notes list --issue 28 -p 7", ["yaml", "csv", "tsv", "json", "table"]],
    ["discussions list --issue 28 -p 7", ["yaml", "csv", "tsv", "json", "table"]],
    ["hooks list -g acme", ["yaml", "csv", "tsv", "json", "table"]],
  ])("%s", async (line, formats) => {
    let name = "";
    const hostile = (value: unknown, key = ""): unknown => {
      if (Array.isArray(value)) return value.map((each) => hostile(each, key));
      if (typeof value === "string") return /name|key|description|body/.test(key) ? name : value;
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([of, each]) => [of, hostile(each, of)]));
    };
    const { run } = await alteringSession(({ body }) =>
      typeof body === "object" && body !== null ? { body: hostile(body) } : undefined,
    );
    for (const [format, each] of formats.flatMap((one) => [...names, ...inLine].map((text) => [one, text] as const))) {
      name = each;
      const { stdout, stderr } = await run(...line.split(" "), "-o", format, { env: { CI: "true" } });
      expect([format, stdout]).toEqual([format, expect.not.stringMatching(obeyed)]);
      expect([format, stderr]).toEqual([format, expect.not.stringMatching(obeyed)]);
      expect(stdout).toContain("forged");
    }
  });

  test("what an instance says about a refusal", async () => {
    const body = { message: { base: [...names.slice(1), ...inLine] } };
    const { run } = await alteringSession(() => ({ body, status: 400 }));
    const { code, stderr } = await run("users", "list", { env: { CI: "true" } });
    expect([code, stderr]).toEqual([1, expect.stringContaining("'::error::forged")]);
    expect(stderr).not.toMatch(obeyed);
  });
});
