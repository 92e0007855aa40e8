import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { requestsIn, type Session, sandboxSession, session } from "../support/session.ts";

// An ID is something else on each instance, in a file as in a word.

const logs: string[][] = [[], []];
let both: Session;
let address = "";
beforeAll(async () => {
  const [one, two] = await Promise.all(logs.map((lines) => sandboxSession({ log: (line) => lines.push(line) })));
  if (one === undefined || two === undefined) throw new Error("no sandbox");
  address = one.sandbox.url;
  both = session();
  for (const [name, { sandbox }] of Object.entries({ one, two })) {
    const words = ["--base-url", sandbox.url, "--profile", name, "--token-stdin", "--insecure-storage"];
    expect((await both.run("auth", "login", ...words, { input: sandbox.tokens.administrator })).code).toBe(0);
  }
  mkdirSync(join(both.home, "folder", "below"), { recursive: true });
});

const requests = () => logs.flatMap((lines) => requestsIn(lines));
const changes = () => requests().filter((line) => !line.startsWith("GET "));

/** Writes the file, and runs a verb with it on both instances. */
async function onBoth(text: string, verb: string, { profiles = "one,two", file = "file.yaml", input = "" } = {}) {
  if (file !== "-") writeFileSync(join(both.home, file), text);
  const source = file.startsWith("folder") ? "folder" : file;
  requests();
  const words = `each --profiles ${profiles} --yes -- ${verb} -f ${source}`.split(" ");
  const { code, stderr, stdout } = await both.run(...words, { input });
  return { code, stderr, stdout };
}

const docs = (section: string) => `forgectl: 1\nprojects:\n  acme/docs:\n    ${section}\n`;
const envs = "envs apply -p acme/docs";
const tokens = "job-token apply -p acme/docs";

describe("a change on several instances is refused, and nothing is sent", () => {
  test.each([
    ["a user's", envs, "- name: qa\n  deploy_access_levels:\n    - user_id: 6", "2: user_id 6 of acme/docs#prot"],
    [
      "a group's",
      envs,
      docs("protected_environments: [{ name: qa, deploy_access_levels: [{ group_id: 4 }] }]"),
      "4: g",
    ],
    ["an approver's", envs, "[{ name: qa, approval_rules: [{ username: x }, { user_id: 6 }] }]", "1: user_id 6"],
    ["of another project", envs, "forgectl: 1\nprojects:\n  7: { protected_environments: [] }", "3: project 7"],
    [
      "of a pattern",
      envs,
      "forgectl: 1\nprojects:\n  acme/**:\n    protected_environments:\n" +
        "      - { name: qa, deploy_access_levels: [{ user_id: 6 }] }",
      "user_id 6 of acme/**#prot",
    ],
    ["of a group's list", tokens, "groups_allowlist: [acme/mobile, 4]", "1: id 4 of acme/docs#groups_allowlist"],
    ["in quotes", tokens, 'allowlist:\n  - "7"', "2: id 7 of acme/docs#allowlist"],
    ["in a record", tokens, docs("job_token_scope: { allowlist: [{ id: 7, name: x }] }"), "4: id 7 of"],
    [
      "of what is kept",
      tokens,
      `${docs("job_token_scope: { allowlist: [] }")}keep: { allowlist: [7] }`,
      "allowlist: 7",
    ],
    ["of a setting", "settings apply", "forgectl: 1\nsettings:\n  file_template_project_id: 7", "3: file_template_pro"],
    ["of a new setting", "settings apply", "signup_enabled: true\nx_group_id: { env: X }", "2: x_group_id $X of #s"],
  ])("the ID %s", async (_, verb, text, place) => {
    const { code, stderr } = await onBoth(text, verb);
    expect([code, stderr]).toEqual([2, expect.stringContaining(place)]);
    expect(stderr).toMatch(/^error: (?:file\.yaml:\d+: |keep\.).* is an ID, and something else on each instance$/m);
    expect(requests()).toEqual([]);
  });

  test("from stdin, and from a folder; also in a dry run", async () => {
    const text = "groups_allowlist: [4]";
    const stdin = await onBoth("", tokens, { file: "-", input: text });
    expect([stdin.code, stdin.stderr]).toEqual([2, expect.stringContaining("-:1: id 4 of ")]);
    const folder = await onBoth(text, tokens, { file: "folder/below/x.yaml" });
    expect([folder.code, folder.stderr]).toEqual([2, expect.stringContaining("folder/below/x.yaml:1: id 4 of ")]);
    const planned = await onBoth(text, tokens, { profiles: "one,two --dry-run" });
    expect([planned.code, requests()]).toEqual([2, []]);
  });

  test.each(["file_template_project_id=@id.txt", "file_template_project_id=-", "x_group_id=+7", 'x_group_id="7"'])(
    "settings set %s",
    async (word) => {
      writeFileSync(join(both.home, "id.txt"), "7\n");
      requests();
      const words = "each --profiles one,two --yes -- settings set".split(" ");
      const { code, stderr } = await both.run(...words, word, { input: "7" });
      expect([code, stderr, requests()]).toEqual([2, expect.stringContaining(`${word} is an ID, and`), []]);
    },
  );
});

describe("what is no ID of another instance is applied", () => {
  test("usernames, paths, levels, and no value", async () => {
    for (const [text, verb] of [
      ["[{ name: qa, deploy_access_levels: [{ username: dana.dixon }, { access_level: 40 }] }]", envs],
      ["groups_allowlist: [acme/mobile]", tokens],
      ["{ file_template_project_id: null, max_attachment_size: 77, chatapp_id: '7' }", "settings apply"],
    ] as const) {
      const { code, stderr } = await onBoth(text, verb);
      expect([code, stderr], text).toEqual([0, expect.stringContaining("2 of 2 done")]);
      expect(changes().length, text).toBe(2);
    }
    const words = "each --profiles one,two --yes --dry-run -- settings set file_template_project_id=null".split(" ");
    expect((await both.run(...words)).code).toBe(0);
  });

  test("one instance; a plan; and a file that says its instance, which the other refuses", async () => {
    const text = docs("job_token_scope: { groups_allowlist: [4] }");
    expect((await onBoth(text, tokens, { profiles: "one" })).code).toBe(0);
    expect((await onBoth(text, "job-token plan -p acme/docs")).code).toBe(0);
    const bound = text.replace("4", "2").replace("\n", `\ninstance: ${address}\n`);
    const { code, stdout } = await onBoth(bound, tokens);
    expect([code, stdout]).toEqual([9, expect.stringMatching(/^two\tfailed\t.*the file is for /m)]);
    expect(stdout).toMatch(/^one\tdone\t/m);
  });
});
