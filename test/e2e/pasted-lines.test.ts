import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { json, signedIn } from "../support/answering.ts";
import { sandboxSession } from "../support/session.ts";
import { runScript, writeProgram } from "../support/shell.ts";

// A line that is suggested may be masked, and is written as TSV, JSON, CSV, YAML, Markdown, or a table. Copied out of
// any of them as it stands there, it never runs what another person has written, and no mask breaks a file's form.

const names = [
  "it's; touch PWNED; '",
  "it token='; touch PWNED; '",
  `x token="'; touch PWNED; '"`,
  `y?token="; touch PWNED; "`,
  "a\\'; touch PWNED; '",
  `authorization: '; touch PWNED; "`,
  "level: ; touch PWNED;",
  "stage; touch PWNED; #",
];
const formats = ["tsv", "csv", "json", "ndjson", "yaml", "table", "markdown"];
const files = ["report.sarif", "report.json", "out/report.md", "out/report.csv", "out/sources.ndjson"];

/** Pastes each line of the texts from where a command of the program begins, with and without what may end it there. */
async function pasted(home: string, texts: readonly string[]): Promise<number> {
  const folder = join(home, "stub");
  mkdirSync(folder, { recursive: true });
  writeProgram(join(folder, "forgectl"), "exit 0");
  const found = texts.flatMap((text) => text.match(/\bforgectl .*/g) ?? []);
  const lines = new Set(found.flatMap((line) => [line, line.replace(/["',`\s|}]*$/, ""), line.replace(/["}]*$/, "")]));
  // A part of a line may be no command at all: what the shell says of it is left out.
  for (const line of lines)
    await runScript(`exec 2>/dev/null\n${line}`, { cwd: folder, env: { PATH: `${folder}:${process.env.PATH}` } });
  expect(readdirSync(folder)).toEqual(["forgectl"]);
  return found.length;
}

test("the fixes of an audit, in every format and file", { timeout: 120_000 }, async () => {
  const { run, home } = await sandboxSession();
  for (const name of names) {
    const made = await run("envs", "protect", name, "-p", "acme/storefront", "--allow", "level:developer");
    expect(made).toMatchObject({ code: 0 });
  }
  const audit = ["audit", "-p", "acme/storefront", "--min-severity", "medium"];
  const texts: string[] = [];
  for (const format of formats) texts.push((await run(...audit, "-o", format)).stdout);
  const reports = ["--report", "sarif=report.sarif", "--report", "codequality=report.json", "--out", "out"];
  expect(await run(...audit, ...reports, { cwd: home })).toMatchObject({ code: 0 });
  const written = files.map((file) => readFileSync(join(home, file), "utf8"));
  expect(await pasted(home, [...texts, ...written])).toBeGreaterThan(names.length * formats.length);

  const [results, issues, , table = "", sources = ""] = written;
  for (const text of [results, issues, ...sources.trim().split("\n")]) expect(JSON.parse(text ?? "")).toBeTruthy();
  const findings = JSON.parse(issues ?? "") as { description: string }[];
  // The line with a masked part is left out; the finding is not.
  const masked = findings.filter(({ description }) => description.includes("[redacted]"));
  expect(masked.length).toBeGreaterThan(0);
  expect(masked.filter(({ description }) => description.includes("; try "))).toEqual([]);
  const rows = table.trim().split("\n").slice(1);
  expect(rows.filter((row) => !/^(?:"(?:[^"]|"")*"|[^",]*)(?:,(?:"(?:[^"]|"")*"|[^",]*)){6}$/.test(row))).toEqual([]);
});

test("what doctor suggests after a redirect", async () => {
  const path = "/token=';touch$IFS'PWNED';'";
  const { run, home } = await signedIn((request, response, origin) => {
    if (request.url?.startsWith(path)) return json(404, "{}")(request, response, origin);
    const place = `${origin.replace("127.0.0.1", "localhost")}${path}/api/v4/user`;
    response.writeHead(302, { location: place }).end();
  });
  const texts: string[] = [];
  for (const format of formats.slice(0, -1)) texts.push((await run("doctor", "-o", format)).stdout);
  expect(texts.join("")).toContain("redirects to http://localhost");
  await pasted(home, texts);
});

test("a line that holds a secret is not printed, whatever else is in the text", async () => {
  const { run, sandbox } = await sandboxSession();
  const token = sandbox.tokens.administrator;
  expect(token).toMatch(/[^\w]/);
  const set = async (text: string) => (await run("settings", "set", `after_sign_up_text=${text}`)).stderr;
  for (const text of [token, `two lines\n${token}`, `it's ${token}`, `it's {"password": "abcdefgh"}`]) {
    await set(text);
    expect([text, await set("short")]).toEqual([text, expect.not.stringContaining("undo:")]);
    expect(await set("other")).toContain("undo:");
  }
});

test("flags to add to a command: the number of a challenge, and the instance of a pasted address", async () => {
  const challenge = { needs_captcha_response: true, captcha_site_key: "k", spam_log_id: "5; touch PWNED;" };
  const { run, home } = await signedIn(json(409, JSON.stringify(challenge)));
  const { stderr } = await run("notes", "create", "--issue", "28", "-p", "7", "--body", "x");
  const { stderr: other } = await run("projects", "get", "https://a;touch$IFS'PWNED';/acme/x");
  const flags = [stderr, other].map((text) => /--(?:spam-log-id|base-url) .*/.exec(text)?.[0]);
  expect(await pasted(home, [`forgectl ${flags[0]}`, `forgectl ${flags[1]}`])).toBe(2);
  expect(flags).toEqual([
    expect.stringMatching(/^--spam-log-id '5; touch PWNED;'/),
    expect.stringMatching(/^--base-url "\$\(printf /),
  ]);
});
