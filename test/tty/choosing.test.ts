import { createServer } from "node:http";
import { expect, test } from "vitest";
import { atEnd } from "../support/ending.ts";
import { startSandbox } from "../support/sandbox.ts";
import { requestsIn } from "../support/session.ts";
import { describeTerminal, openTerminal } from "../support/terminal.ts";

async function operator(env: Readonly<Record<string, string>> = {}, size = { columns: 100, rows: 30 }) {
  const log: string[] = [];
  const sandbox = await startSandbox({ log: (line) => log.push(line) });
  atEnd(() => sandbox.close());
  const instance = { FORGECTL_BASE_URL: sandbox.url, FORGECTL_TOKEN: sandbox.tokens.administrator };
  const terminal = await openTerminal({ ...size, env: { ...instance, ...env } });
  return { ...terminal, sandbox, requests: () => requestsIn(log) };
}

describeTerminal("a missing argument is chosen from a list", () => {
  test("filtered by typing, selected with the arrows, and run as if typed", async () => {
    const { start, shows, type, press, end } = await operator({ FORGECTL_PROJECT: "acme/storefront" });
    start("forgectl registry tags get --jq .name");
    await shows(/\? Which repository\?[\s\S]*12 +acme\/storefront$[\s\S]*14 +acme\/storefront\/cache/m);
    type("work");
    await shows(/❯ 13 +acme\/storefront\/worker/);
    press("C-u");
    await shows(/14 +acme/);
    press("Enter");
    await shows(/\? Which repository\? 12\n\? Which tag\?/);
    type("late");
    await shows(/❯ latest/);
    press("Enter");
    const { lines, code } = await end();
    expect([lines.at(-1), code]).toEqual(["latest", 0]);
  }, 60_000);

  test("the project is asked for first if none is given, and a list accepts the chosen one", async () => {
    const { start, shows, type, press, end, requests } = await operator();
    start("forgectl envs unprotect --dry-run");
    await shows(/Which project\?/);
    type("storefr");
    await shows(/❯ acme\/storefront +Storefront/);
    press("Enter");
    await shows(/Which protected environment\?[\s\S]*staging\/eu/);
    press("Down");
    await shows(/❯ staging\/eu/);
    press("Enter");
    const { lines, code } = await end();
    expect(code).toBe(0);
    expect(lines.join("\n")).toMatch(/DELETE \S+\/projects\/acme%2Fstorefront\/protected_environments\/staging%2Feu/);
    expect(requests().filter((line) => !line.startsWith("GET"))).toEqual([]);
  }, 60_000);

  test.each([
    ["few rows", { columns: 80, rows: 8 }, ""],
    ["few rows and columns", { columns: 20, rows: 5 }, ""],
    ["no size, like a serial console", { columns: 80, rows: 30 }, "stty cols 0 rows 0; "],
  ])(
    "what Enter takes is on the screen of a terminal of %s",
    async (_, size, before) => {
      const { start, shows, press, end } = await operator({}, size);
      start(`${before}forgectl job-token projects list --jq length`);
      const lines = await shows(/^❯ \w/m);
      const [marked = ""] = lines.flatMap((line) => /^❯ ([^ …]+)/.exec(line)?.[1] ?? []);
      press("Enter");
      await shows(/Which\s*project\?\s*\w/);
      const after = (await end()).lines.join("").replace(/\s/g, "");
      expect(after).toContain(`Whichproject?${marked}`);
    },
    60_000,
  );

  test("Esc gives the error of a script, exit 2; Ctrl-C is 130; nothing is sent", async () => {
    const { start, shows, press, end, requests } = await operator({ FORGECTL_PROJECT: "acme/storefront" });
    for (const [key, code, said] of [
      ["Escape", 2, "error: missing <repository-id>"],
      ["C-c", 130, "error: interrupted at a question"],
      ["C-d", 130, "error: interrupted at a question"],
    ] as const) {
      start("forgectl registry delete");
      await shows(/Which repository\?/);
      press(key);
      const ended = await end();
      expect([key, ended.code, ended.lines.find((line) => line.startsWith("error:"))]).toEqual([key, code, said]);
    }
    expect(requests().filter((line) => !line.startsWith("GET"))).toEqual([]);
  }, 60_000);

  test("there are no prompts in CI, with --no-input, in a pipe, or if something else is missing too", async () => {
    const { run, requests } = await operator({ FORGECTL_PROJECT: "acme/storefront" });
    for (const line of [
      "forgectl registry get --no-input",
      "CI=true forgectl registry get",
      "set -o pipefail; forgectl registry get | cat",
      "forgectl registry get < /dev/null",
      "forgectl files get",
    ]) {
      const { lines, code } = await run(line);
      expect([line, code, lines[0]]).toEqual([line, 2, expect.stringMatching(/^error: missing </)]);
    }
    expect(requests()).toEqual([]);
  }, 60_000);

  test("if nothing is listed, or the list cannot be read, the error says so", async () => {
    const { run } = await operator();
    expect((await run("forgectl errors keys delete -p acme/mobile/ios-app")).lines.slice(0, 2)).toEqual([
      "error: missing <key-id>",
      "cause: there is nothing to choose from: no error tracking key is listed",
    ]);
    const { lines, code } = await run("forgectl registry get -q --base-url http://127.0.0.1:1");
    expect([code, lines[0]]).toEqual([2, "error: missing <repository-id>"]);
    expect(lines[1]).toMatch(/^cause: there is no list to choose from: /);
  }, 60_000);

  test("profiles, settings, and fixed values are offered without an instance", async () => {
    const { start, shows, type, press, end, requests } = await operator();
    start("forgectl settings explain -o json --jq .name");
    await shows(/Which setting\?/);
    type("signup_en");
    await shows(/❯ signup_enabled/);
    press("Enter");
    expect((await end()).lines.at(-1)).toContain("signup_enabled");
    start("forgectl registry visibility -p acme/storefront -n");
    await shows(/❯ enabled[\s\S]*private[\s\S]*disabled/);
    press("Escape");
    expect((await end()).code).toBe(2);
    expect(requests()).toEqual([]);
  }, 60_000);

  test("for a list that is too long, the instance is searched for the typed text", async () => {
    const { start, shows, type, press, end } = await operator();
    start("forgectl users get --jq .username");
    await shows(/Which user\? Type to search:/);
    type("dana");
    await shows(/❯ dana\.dixon +Dana Dixon/);
    press("Enter");
    expect((await end()).lines.at(-1)).toBe("dana.dixon");
  }, 60_000);

  test("names from the instance cannot control the terminal and do not wrap; a long list is searched completely", async () => {
    const names = [
      "\u001b[2J\u001b[31mred\u0007",
      `wide-${"宽".repeat(80)}`,
      ...Array.from({ length: 240 }, (_, at) => `tag-${at}`),
    ];
    const server = createServer((request, response) => {
      const { searchParams } = new URL(request.url ?? "", "http://x");
      const page = Number(searchParams.get("page") ?? 1);
      const headers = {
        "content-type": "application/json",
        "x-total": String(names.length),
        "x-next-page": page < 3 ? page + 1 : "",
      };
      const rows = names.slice((page - 1) * 100, page * 100).map((name) => ({ name, path: name, location: name }));
      response.writeHead(200, headers as Record<string, string>).end(JSON.stringify(rows));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    atEnd(() => server.close());
    const { port } = server.address() as { port: number };
    const env = { FORGECTL_BASE_URL: `http://127.0.0.1:${port}`, FORGECTL_TOKEN: "x", FORGECTL_PROJECT: "7" };
    const { start, shows, screen, type, press, end } = await openTerminal({ columns: 60, rows: 24, env });
    start("forgectl registry tags get 12 -q");
    const lines = await shows(/Which tag\?[\s\S]*tag-7[\s\S]*Esc to cancel/);
    expect(lines.find((line) => line.includes("red"))).toContain("␛[2J␛[31mred␇");
    expect(lines.find((line) => line.includes("wide-"))).toMatch(/^ {2}wide-宽+…$/);
    type("tag-239");
    await shows(/❯ tag-239/);
    expect((await screen()).filter((line) => line.includes("tag-"))).toHaveLength(2);
    press("Escape");
    expect((await end()).code).toBe(2);
  }, 60_000);
});
