import { beforeAll, expect, test } from "vitest";
import { json, signedIn as signedInTo } from "../support/answering.ts";
import { sandboxSession } from "../support/session.ts";
import { describeTerminal, openTerminal, type Terminal } from "../support/terminal.ts";

const { env } = await sandboxSession();
const signedIn = { FORGECTL_BASE_URL: env.FORGECTL_BASE_URL, FORGECTL_TOKEN: env.FORGECTL_TOKEN };
/** The demo users first, including wide and hostile names. */
const people = "forgectl users list --order-by id --sort asc -L 26";

const escape = "\u001b";

describeTerminal("a table on a terminal", () => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await openTerminal({ rows: 60, env: signedIn });
  });

  test("fits the width, including wide characters; IDs right-aligned, times as dates", async () => {
    await terminal.resize(80, 60);
    const { lines: shown, code } = await terminal.run(`${people} --fields id,username,name,created_at`);
    const lines = shown.map((line) => line.replace(/\b20\d\d-\d\d-\d\d$/, "DATE"));
    expect(code).toBe(0);
    expect(lines.slice(0, 3)).toEqual([
      "id  username                        name                    created_at",
      " 1  root                            Administrator           DATE",
      " 2  olivia.ortega                   Olivia Ortega           DATE",
    ]);
    expect(lines.slice(17)).toEqual([
      "17  zoe.mueller                     Zoë Müller-Größe        DATE",
      "18  li.xiaolong                     李小龙                  DATE",
      "19  yamada.hanako                   山田 花子               DATE",
      "20  olga.ivanova                    Ольга Иванова           DATE",
      "21  mohammed.ali                    محمد علي                DATE",
      "22  lukasz.zolc                     Łukasz Żółć             DATE",
      "23  siobhan.obrien                  Siobhán O'Brien         DATE",
      "24  kim.jisoo                       김지수                  DATE",
      "25  ada.rocket                      Ada 🚀 Rocket           DATE",
      "26  nguyen.anh                      Nguyễn Thị Ánh          DATE",
      "shown 26 of 300; --limit all for the rest",
    ]);
  });

  test("marks that take no column shift nothing: Thai vowels, Hebrew points", async () => {
    const names = ["สวัสดีครับผู้ใช้", "שָׁלוֹם", "Plain Name"];
    const rows = names.map((name, index) => ({ id: index + 1, username: `user-${index + 1}`, name, state: "active" }));
    const { env: theirs } = await signedInTo(json(200, JSON.stringify(rows)));
    const { FORGECTL_BASE_URL: url } = theirs;
    const { lines } = await terminal.run(`${people} --base-url ${url} --fields id,name,state`);
    expect(lines.map((line) => line.replace(/\p{Mn}/gu, "").indexOf("active"))).toEqual([-1, 16, 16, 16]);
  });

  test("cuts with … if the width is small, never inside a character", async () => {
    await terminal.resize(40, 60);
    const { lines } = await terminal.run(`${people} --fields id,name,email`);
    expect(lines.slice(0, 2)).toEqual(["id  name               email", " 1  Administrator      root@acme.example"]);
    expect(lines.slice(11, 14)).toEqual([
      "11  Mallory ␛[31mRed…  mallory@acme.exa…",
      "12  Deployer           service_account_…",
      "13  Storefront relea…  project_7_bot_4f…",
    ]);
    expect(lines.slice(18, 20)).toEqual([
      "18  李小龙             li.xiaolong@acme…",
      "19  山田 花子          yamada.hanako@ac…",
    ]);
  });

  test("never cuts identifiers: a path or a name that another command takes", async () => {
    await terminal.resize(60, 60);
    const { lines } = await terminal.run("forgectl registry list -g acme --fields id,path,status,created_at");
    expect(lines.join("\n")).not.toContain("…");
    expect(lines).toContain("7  acme/platform/infrastructure/terraform/runner");
    const users = await terminal.run(`${people} --fields id,username,state,email`);
    expect(users.lines).toContainEqual(
      expect.stringMatching(/^13 {2}project_7_bot_4f1c9a {2,}active {2,}project_.*…$/),
    );
  });

  // A line that does not fit would wrap.
  test.each([
    [60, 3],
    [80, 3],
    [200, 1],
  ])("at %i columns, every row has one line", async (columns, headerLines) => {
    await terminal.resize(columns, 60);
    const { lines } = await terminal.run(`${people} --fields id,name,state,email,last_activity_on`);
    expect(lines).toHaveLength(headerLines + 26 + 1);
  });

  test.each([44, 60])("at %i columns, which is too narrow, each row is a record", async (columns) => {
    await terminal.resize(columns, 60);
    const few = people.replace("-L 26", "-L 3 --quiet");
    for (const line of [few, `${few} --color never`, `ACCESSIBLE=1 ${few}`]) {
      const { lines } = await terminal.run(line);
      expect(lines.slice(lines.indexOf("3  mateo.marin"))).toEqual([
        "3  mateo.marin",
        "  name              Mateo Marín",
        "  state             active",
        "  email             mateo.marin@acme.example",
        expect.stringMatching(/^ {2}last_activity_on {2}20\d\d-\d\d-\d\d$/),
      ]);
    }
  });

  test("times of the last week have their weekday and minute in local time; --times shows all in full", async () => {
    await terminal.resize(100, 60);
    const line = "forgectl hooks events 2 -g acme -L 3 --fields id,response_date";
    const { lines } = await terminal.run(`TZ=Asia/Tokyo ${line}`);
    const full = await terminal.run(`${line} --times`);
    const weekday = new Intl.DateTimeFormat("en-US", { weekday: "short", timeZone: "Asia/Tokyo" });
    const minute = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "Asia/Tokyo" });
    const [id = "", time = ""] = (full.lines[1] ?? "").trim().split(/ +/);
    expect(time).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d/);
    const at = new Date(time);
    expect(lines[1]?.trim().split(/ {2,}/)).toEqual([id, `${weekday.format(at)} ${minute.format(at)}`]);
  });

  test("nothing is cut if there is room", async () => {
    await terminal.resize(200, 60);
    const { lines } = await terminal.run(people);
    expect(lines.join("\n")).not.toContain("…");
    expect(lines[12]).toContain("service_account_group_1_deploy@acme.example");
  });

  test("a day is shown as it is", async () => {
    const { lines } = await terminal.run(
      "forgectl users list --username boris.black --fields username,last_activity_on",
    );
    expect(lines).toEqual([
      "username     last_activity_on",
      expect.stringMatching(/^boris\.black {2}20\d\d-\d\d-\d\d$/),
    ]);
  });

  test("a record: one line per field, objects below it, long text wrapped", async () => {
    await terminal.resize(40, 60);
    const { lines } = await terminal.run("forgectl users get 1 --fields id,email,work_information,bio,note");
    expect(lines).toEqual([
      "id                1",
      "email             root@acme.example",
      "work_information  Product Manager at",
      "                  Acme",
      "bio               Looks after this",
      "                  instance.",
      "note              -",
    ]);
  });

  test("a user is shown with a dozen fields, and a changed profile in one line", async () => {
    await terminal.resize(80, 60);
    const { lines } = await terminal.run("forgectl users me");
    expect(lines).toHaveLength(13);
    expect(lines[0]).toBe("id                  1");
    expect(lines.at(-1)).toMatch(/^12 of \d+ fields; -o yaml shows all/);
    expect((await terminal.run("forgectl users me -o yaml | wc -l")).lines).not.toEqual(["13"]);
    const changes = [
      ["set work base-url=https://forge.example.com project=7", "work  set  base-url, project"],
      ["use work --dry-run --quiet", "work  would be current"],
      ["use work", "work  current"],
      ["unset work project", "work  unset  project"],
      ["remove work --yes", "work  removed"],
    ];
    for (const [change, line] of changes) {
      expect((await terminal.run(`forgectl profiles ${change}`)).lines.at(-1)).toBe(line);
    }
  });

  test("a profile is shown with the usual fields, and any others that it sets", async () => {
    await terminal.resize(80, 60);
    await terminal.run("forgectl profiles set plant base-url=https://forge.example.com project=7 concurrency=4");
    const { lines } = await terminal.run("forgectl profiles show plant");
    expect(lines).toEqual([
      "name          plant",
      "current       yes",
      "token         none",
      "base_url      https://forge.example.com",
      "registry_url  -",
      "project       7",
      "group         -",
      "output        -",
      "concurrency   4",
      "9 of 19 fields; -o yaml shows all, --fields selects some",
    ]);
    expect((await terminal.run("forgectl profiles show plant -o yaml | wc -l")).lines).toEqual(["19"]);
    await terminal.run("forgectl profiles remove plant --yes");
  });

  test("an empty list says so, on stderr", async () => {
    await terminal.resize(80, 60);
    const search = "forgectl users list --search no.such.person";
    expect(await terminal.run(search)).toEqual({ lines: ["nothing found"], code: 0 });
    expect(await terminal.run(`${search} 2>/dev/null`)).toEqual({ lines: [], code: 0 });
    expect(await terminal.run(`${search} --quiet`)).toEqual({ lines: [], code: 0 });
    expect(await terminal.run(`${search} -o json`)).toEqual({ lines: ["[]"], code: 0 });
  });
});

describeTerminal("help", () => {
  test("fits the terminal; a long example continues as in a shell", async () => {
    const terminal = await openTerminal({ columns: 60, rows: 120 });
    expect((await terminal.run("forgectl --help")).lines.slice(0, 4)).toEqual([
      "Administer a software-development platform through its REST",
      "API v4.",
      "",
      "Usage: forgectl <command> [flags]",
    ]);
    const { lines } = await terminal.run("forgectl sandbox start --help");
    expect(lines.slice(lines.indexOf("Examples:") + 3, lines.indexOf("Flags:"))).toEqual([
      "  forgectl sandbox start --data state.json --tier premium",
      "  # an instance with faults",
      "  forgectl sandbox start --fault 'GET /users=503*2' \\",
      "    --latency 50",
      "",
    ]);
  });
});

describeTerminal("a pipe inside a terminal", () => {
  test("gets TSV: times unchanged, nothing cut, no colors", async () => {
    const terminal = await openTerminal({ columns: 40, env: signedIn });
    const fields = "--fields id,username,created_at";
    const { lines } = await terminal.run(
      `forgectl users list --username service_account_group_1_deploy ${fields} | cat -A`,
    );
    expect(lines.join("")).toMatch(
      /^id\^Iusername\^Icreated_at\$12\^Iservice_account_group_1_deploy\^I\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\$$/,
    );
  });

  test("that closes early ends the program silently with 0", async () => {
    const terminal = await openTerminal({ env: signedIn });
    for (const what of [
      "users list -L all --quiet",
      "users list -L all -o ndjson --quiet",
      "commands",
      "--help",
      "--version",
    ]) {
      const ended = await terminal.run(`{ forgectl ${what}; echo "code $?" >&2; } | head -c 3 >/dev/null`);
      expect([what, ...ended.lines]).toEqual([what, "code 0"]);
    }
  });
});

describeTerminal("color", () => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await openTerminal({ env: signedIn });
  });
  const list = "forgectl users list -L 2 --quiet";
  const failing = "forgectl users get 4711";
  const json = "forgectl users get 1 -o json";
  const help = "forgectl users get --help";
  const isColored = async () => (await terminal.colored()).join("\n").includes(escape);

  test("a bold header, a red error, on a terminal", async () => {
    await terminal.run(`${list} --fields id,username`);
    expect((await terminal.colored())[0]).toMatch(new RegExp(`^${escape}\\[1m id  username`));
    await terminal.run(failing);
    expect((await terminal.colored())[0]).toContain(`${escape}[1m${escape}[31merror:${escape}[0m`);
  });

  test("a warning, a state, help, and JSON, also under --jq", async () => {
    await terminal.run("forgectl profiles set plain base-url=http://forge.example.com project=7 --quiet");
    await terminal.run("forgectl projects list --profile plain -L 1");
    expect((await terminal.colored()).join("\n")).toContain(`${escape}[1m${escape}[33mwarning:${escape}[0m`);
    await terminal.run("forgectl profiles remove plain --yes");
    await terminal.run("forgectl users list --blocked -L 1 --fields id,state");
    expect((await terminal.colored())[1]).toContain(`${escape}[31mblocked`);
    for (const line of ["users get --help", "help users get", "users get 1 --color always --help"]) {
      await terminal.run(`forgectl ${line}`);
      const usage = (await terminal.colored()).find((each) => each.includes("Usage:"));
      expect([line, usage]).toEqual([line, expect.stringContaining(`${escape}[1mUsage:${escape}[0m`)]);
      expect([line, usage]).toEqual([line, expect.stringContaining(`${escape}[36m<id|username>${escape}[39m [flags]`)]);
    }
    await terminal.run("forgectl users get 1 -o json --fields username");
    expect((await terminal.colored())[1]).toContain(`${escape}[36m"username"${escape}[39m: ${escape}[32m"root"`);
    await terminal.run("forgectl users get 1 --jq '{locked}'");
    expect((await terminal.colored())[0]).toContain(
      `{${escape}[36m"locked"${escape}[39m:${escape}[33mfalse${escape}[39m}`,
    );
  });

  test("JSON in a pipe is never colored: programs read it there", async () => {
    await terminal.run("FORCE_COLOR=1 forgectl users get 1 -o json --color always | cat");
    expect(await isColored()).toBe(false);
  });

  test.each([
    ["--color never", (line: string) => `${line} --color never`],
    ["--color=never", (line: string) => `${line} --color=never`],
    ["NO_COLOR", (line: string) => `NO_COLOR=1 ${line}`],
    ["CLICOLOR=0", (line: string) => `CLICOLOR=0 ${line}`],
    ["a pipe", (line: string) => `${line} 2>&1 | cat`],
  ])("none with %s", async (_, changed) => {
    for (const line of [list, failing, json, help]) {
      expect((await terminal.run(changed(line))).lines.length).toBeGreaterThan(1);
      expect([line, await isColored()]).toEqual([line, false]);
    }
  });

  test.each([
    ["--color always", (line: string) => `${line} --color always`],
    ["FORCE_COLOR", (line: string) => `FORCE_COLOR=1 ${line}`],
  ])("in a pipe with %s", async (_, changed) => {
    for (const line of [`${list} -o table`, failing, help]) {
      await terminal.run(`{ ${changed(line)}; } 2>&1 | cat`);
      expect([line, await isColored()]).toEqual([line, true]);
    }
  });

  test("--color overrides the environment", async () => {
    await terminal.run(`NO_COLOR=1 ${list} --color always`);
    expect(await isColored()).toBe(true);
    await terminal.run(`FORCE_COLOR=1 ${list} --color never`);
    expect(await isColored()).toBe(false);
  });
});

describeTerminal("links", () => {
  const link = (text: string, page: string) => `${escape}]8;;${page}${escape}\\${text}${escape}]8;;${escape}\\`;

  test("names and IDs link to their pages, and the columns stay aligned", async () => {
    const terminal = await openTerminal({ columns: 100, rows: 60, env: { ...signedIn, FORGECTL_HYPERLINKS: "1" } });
    const line = `${people} --fields id,username,name,state --quiet`;
    const linked = await terminal.run(line);
    // The raw output to the terminal, recorded by a second one.
    const { lines } = await terminal.run(
      `script -qec '${line}' sent </dev/null >sent.txt; cat -v sent.txt | sed -n '2p;20p'`,
    );
    expect(await terminal.run(`FORGECTL_HYPERLINKS=0 ${line}`)).toEqual(linked);
    expect(linked.lines[19]).toMatch(/^19 {2}yamada\.hanako +山田 花子 +active$/);
    const root = `${env.FORGECTL_BASE_URL}/root`;
    const seen = lines.join("").replaceAll("^[", escape);
    expect(seen).toContain(` ${link("1", root)}  ${link("root", root)}`);
    expect(seen).toContain(link("yamada.hanako", `${env.FORGECTL_BASE_URL}/yamada.hanako`));
  });
});
