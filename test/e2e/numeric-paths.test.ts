import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { requestsIn, sandboxSession } from "../support/session.ts";

// The path of a group at the top may be digits, as that of a school's class of 2026. Requests read digits as an ID, and
// another group may have that ID: here the group 10 has the path "5", and the group 5 is globex.

const log: string[] = [];
let admin: Awaited<ReturnType<typeof sandboxSession>>;
let id: string;
beforeAll(async () => {
  admin = await sandboxSession({ log: (line) => log.push(line) });
  await run("groups export -g acme -O acme.tar.gz");
  await run("groups import acme.tar.gz --name Five --path 5");
  const { stdout } = await run(`groups list --limit all --jq .[]|select(.full_path=="5").id`);
  id = stdout.trim();
  expect(id).toMatch(/^[1-9]\d+$/);
});

const run = (line: string) => admin.run(...line.split(" "), { env: {} });
const hooksOf = async (group: string) => (await run(`hooks list -g ${group} --fields name --no-header`)).stdout;
const sent = () => requestsIn(log).filter((line) => !/^\w+ \/api\/v4\/user\b/.test(line));
const at = (name: string) => join(admin.home, name);

describe("a group whose path is the ID of another group", () => {
  test("each changes it, and not the other one", async () => {
    const others = await hooksOf("globex");
    const { code } = await run(`each --groups-of ${id} --yes -- hooks create https://a.example.com --name Each`);
    expect([code, await hooksOf(id), await hooksOf("globex")]).toEqual([0, "Each\n", others]);
    const matched = await run(`each --groups-of ${id} --match 5 -n -- hooks create https://b.example.com`);
    expect(matched.stdout.match(/groups\/[^/]+\/hooks/g)).toEqual([`groups/${id}/hooks`]);
  });

  test("a file that names it by its ID is about it, also beside a pattern", async () => {
    const others = await hooksOf("globex");
    const hook = (name: string) => `hooks: [{ url: "https://${name}.example.com", name: ${name} }]`;
    writeFileSync(at("state.yaml"), `forgectl: 1\ngroups:\n  "${id}": { ${hook("State")} }\n  acme/*: {}\n`);
    const { code, stderr } = await run("state apply -f state.yaml --yes");
    expect([code, await hooksOf(id), await hooksOf("globex")], stderr).toEqual([0, "Each\nState\n", others]);
  });

  test("an export and an audit are of it", async () => {
    await run(`state export -g ${id} --recursive -O exported.yaml`);
    const text = readFileSync(at("exported.yaml"), "utf8");
    expect(text).toContain(`"${id}":\n`);
    expect(text).not.toContain("globex");
    expect((await run("state plan -f exported.yaml --exit-code")).code).toBe(0);
    sent();
    await run(`audit -g ${id} --all`);
    expect(sent().filter((line) => line.includes("/groups/5/") || line.includes("/groups/globex"))).toEqual([]);
  });

  test("no pattern can begin with its path", async () => {
    const exported = await run(`state export -g ${id} --recursive --compact -O compact.yaml`);
    expect([exported.code, existsSync(at("compact.yaml"))]).toEqual([2, false]);
    writeFileSync(at("pattern.yaml"), 'forgectl: 1\ngroups: { "5/**": { saml_group_links: [] } }\n');
    const { code, stdout } = await run("state plan -f pattern.yaml");
    expect([code, stdout]).toEqual([9, expect.stringContaining("unreadable")]);
  });

  test("its address is refused before anything is sent", async () => {
    const { url } = admin.sandbox;
    sent();
    const { code, stderr } = await run(`hooks create https://c.example.com -g ${url}/groups/5/-/hooks`);
    expect([code, sent()]).toEqual([2, []]);
    expect(stderr).toContain("--group: requests would read the path 5 as the ID of another group");
    for (const path of ["5", "%35"]) {
      const { code, stderr } = await run(`uploads delete ${url}/groups/${path}/-/uploads/1 -g 5 --yes`);
      expect([code, stderr]).toEqual([2, expect.stringContaining("requests would read the path 5 as the ID")]);
    }
    expect(sent()).toEqual([]);
  });

  test("an import says how to find it", async () => {
    const { stderr } = await run("groups import acme.tar.gz --name Six --path 6");
    expect(stderr).toContain("groups list --search 6\n");
  });

  test("TAB offers its ID", async () => {
    // On a busy machine the first TAB may get no answer in time.
    const offers = async () =>
      (await admin.run("__complete", "--", "groups", "get", "", { env: {} })).stdout.split("\n");
    await expect.poll(offers, { timeout: 10_000 }).toContain(`${id}\t5, Five`);
  });
});

test("a hook's name is compared with its slashes", async () => {
  for (const name of ["ci", "ci/"]) await run(`hooks create https://d.example.com -g acme --name ${name}`);
  expect((await run("hooks delete ci/ -g acme --yes")).code).toBe(0);
  expect((await hooksOf("acme")).split("\n")).toEqual(expect.arrayContaining(["ci"]));
  expect((await run("hooks delete ci/ -g acme --yes")).code).toBe(3);
});
