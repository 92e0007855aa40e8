import { beforeAll, expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";
import { describeTerminal, openTerminal, type Terminal } from "../support/terminal.ts";

// User 11, mallory, has a name, a biography, and a location that try to control the terminal: colors, the title,
// clearing the screen, moving the cursor, reordering the text.

const { env } = await sandboxSession();

describeTerminal("text that would control the terminal is shown, not executed", () => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await openTerminal({
      columns: 100,
      rows: 60,
      env: { FORGECTL_BASE_URL: env.FORGECTL_BASE_URL, FORGECTL_TOKEN: env.FORGECTL_TOKEN },
    });
  });

  /** Runs a line below a mark; the mark, the title, and the color of what follows must be as they were. */
  async function harmless(line: string): Promise<string[]> {
    const title = await terminal.state("pane_title");
    const { lines } = await terminal.run(`echo mark; ${line}`);
    expect(lines[0]).toBe("mark");
    expect(await terminal.state("pane_title")).toBe(title);
    expect((await terminal.colored()).join("\n")).not.toContain("\u001b[31mRed");
    return lines.slice(1);
  }

  const bio = "␛]0;your title is mine␇␛[2J␛[1;1Hnothing\\u202eto see here";
  const fields = "--fields name,bio,location";

  test("in a record, line breaks kept", async () => {
    expect(await harmless(`forgectl users get 11 ${fields}`)).toEqual([
      "name      Mallory ␛[31mRed␛[0m",
      `bio       ${bio}`,
      "          ok: all good",
      "location  \\u009b31mnowhere",
    ]);
  });

  test("in a list, on one line", async () => {
    const lines = await harmless(`forgectl users list --username mallory ${fields}`);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toBe(
      "Mallory ␛[31mRed␛[0m  ␛]0;your title is mine␇␛[2J␛[1;1Hnothing\\u202eto see here o…  \\u009b31mnowhere",
    );
  });

  test.each([
    ["csv", ["name,bio,location", expect.stringContaining(`Mallory ␛[31mRed␛[0m,${bio}␍␊ok: all good,`)]],
    ["tsv", ["name    bio     location", expect.stringContaining("nothing\\u202eto see here\\r\\nok: all good")]],
    ["yaml", ['name: "Mallory \\e[31mRed\\e[0m"', expect.stringContaining("\\a\\e[2J"), 'location: "\\x9B31mnowhere"']],
    ["ndjson", [expect.stringContaining('{"name":"Mallory \\u001b[31mRed\\u001b[0m","bio":"\\u001b]0;')]],
  ])("as %s", async (format, expected) => {
    const lines = await harmless(`forgectl users get 11 ${fields} -o ${format}`);
    for (const line of expected) expect(lines).toContainEqual(line);
  });

  test("as the result of a filter, and as any answer", async () => {
    expect(await harmless("forgectl users get 11 --jq '.bio, .location'")).toEqual([
      bio,
      "ok: all good",
      "\\u009b31mnowhere",
    ]);
    expect(await harmless("forgectl api users/11 --jq .location")).toEqual(["\\u009b31mnowhere"]);
    expect((await harmless("forgectl api users/11 -i")).join("")).toContain('"location":"\\u009b31mnowhere"');
  });

  test.each([
    [`users get "$BAD"`, 'error: the user "a␛[2Jb" was not found'],
    [`users list --sort "$BAD"`, 'error: --sort: must be one of asc, desc, not "a␛[2Jb"'],
    [`users "$BAD"`, "error: unknown command 'a␛[2Jb'"],
    [`"$BAD"`, "error: unknown command 'a␛[2Jb'"],
    [`users list --fields "$BAD"`, 'error: there is no field "a␛[2Jb" in User'],
    [`users list --base-url "$BAD"`, "error: --base-url: "],
    [`settings set "$BAD=1"`, 'error: "a␛[2Jb" does not name a setting'],
  ])("in an error: %s", async (words, message) => {
    const lines = await harmless(`BAD=$(printf 'a\\033[2Jb'); forgectl ${words}`);
    expect(lines[0]).toContain(message);
  });
});
