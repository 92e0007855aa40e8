import { describe, expect, test } from "vitest";
import type { Field, Fields } from "../../../src/api/field.ts";
import { parseMany, parseValue } from "../../../src/cli/parse.ts";
import { topicNames } from "../../../src/cli/topics.ts";
import { groups } from "../../../src/commands/index.ts";
import { complete } from "../../../src/completion/complete.ts";
import type { CompletionHost } from "../../../src/completion/host.ts";
import { commandsIn, describeFlags, takesValue } from "../../../src/declare/describe.ts";
import { globalFlags } from "../../../src/declare/globals.ts";

const profiles = new Map([
  ["work", { settings: { "base-url": "https://forge.example.com", project: "acme/storefront" }, rest: {} }],
  ["home", { settings: { project: "me/dotfiles", group: "me" }, rest: {} }],
]);

/** A host that has only stored profiles, and a project in the environment; no instance answers. */
const host: CompletionHost = {
  env: { FORGECTL_PROJECT: "7" },
  profiles: async () => ({ current: undefined, profiles, rest: {} }),
  listed: async () => [],
};

/** The offers for a line, whose words are separated by spaces; a space at its end starts an empty word. */
async function offered(line: string): Promise<string[]> {
  const { offers, own, skip = 0 } = await complete(line.split(" "), host);
  return [...offers.map(([word]) => word), ...(own === undefined ? [] : [`:${own} ${skip}`])];
}

const nodes = await Promise.all(groups.map((entry) => entry.load()));
const commands = nodes.flatMap((node) => [...commandsIn(node)]);

describe("over the tree of commands", () => {
  test("every group, verb, and topic is offered in its place", async () => {
    expect(await offered("")).toEqual([...groups.map(({ name }) => name), "help"]);
    expect(await offered("help ")).toEqual([...groups.map(({ name }) => name), ...topicNames]);
    for (const { path } of commands) {
      const line = path.join(" ");
      expect(await offered(line), line).toContain(path.at(-1));
      expect(await offered(`help ${line}`), line).toContain(path.at(-1));
    }
  });

  test("every flag is offered until it is given; a repeatable one always", async () => {
    for (const { path, command } of commands) {
      const line = path.join(" ");
      const all = await offered(`${line} --`);
      for (const { long, placeholder, repeatable, negatable } of describeFlags({ ...command.params, ...globalFlags })) {
        expect(all, line).toContain(long);
        if (negatable) expect(all, line).toContain(`--no-${long.slice(2)}`);
        const given = placeholder === undefined ? long : `${long}=x`;
        expect((await offered(`${line} ${given} ${long}`)).includes(long), `${line} ${given}`).toBe(repeatable);
      }
    }
  });

  /** The fields of a command with the words before their values. */
  const places = commands.flatMap(({ path, command }) => [
    ...flagPlaces(path, command.params),
    ...Object.values(command.args).map((field, index) => ({ at: [...path, ...Array(index).fill("x"), ""], field })),
  ]);

  function flagPlaces(path: readonly string[], fields: Fields): { at: string[]; field: Field }[] {
    return describeFlags(fields).flatMap(({ long, field }) =>
      takesValue(field) ? [{ at: [...path, long, ""], field }] : [],
    );
  }

  test("every field with fixed values offers them, and the parser accepts each", async () => {
    let count = 0;
    for (const { at, field } of [...places, ...flagPlaces(["users", "list"], globalFlags)]) {
      const item = field.item ?? field;
      const words = item.kind === "boolean" ? ["true", "false"] : [...(item.values ?? []), ...(item.suggests ?? [])];
      if (words.length === 0 || (field.completes ?? item.completes) !== undefined) continue;
      count++;
      const line = at.join(" ");
      expect((await offered(line)).sort(), line).toEqual([...new Set([...words, ...(field.suggests ?? [])])].sort());
      for (const word of words) {
        expect(word).toMatch(/^\S+$/);
        if (field.kind === "array") parseMany(field, [word], line);
        else parseValue(field, word, line);
        expect(await offered(line + word), line).toContain(word);
      }
    }
    expect(count).toBeGreaterThan(50);
  });

  test("every field for a file or a folder, a profile, or a setting is completed accordingly", async () => {
    for (const { at, field } of places) {
      const line = at.join(" ");
      const named = field.placeholder ?? field.item?.placeholder ?? "";
      if (field.completes === undefined && field.item?.completes === undefined && field.kind !== "file") {
        expect(named, `${line}: completes nothing`).not.toMatch(/^(?:file|folder|dir|archive|profile)\b/);
      }
      if (named === "file" || named === "file|-") expect(await offered(line), line).toEqual([":file 0"]);
    }
  });

  test("every field of a command's result is offered for --fields", async () => {
    for (const { path, command } of commands) {
      const all = await offered(`${path.join(" ")} --fields `);
      const names = Object.keys(command.returns?.shape ?? {});
      expect(all.filter((word) => !word.endsWith("."))).toEqual(names);
    }
  });
});

describe("a value", () => {
  test("after =, after a short flag, and after others", async () => {
    expect(await offered("--output=nd")).toEqual(["--output=ndjson"]);
    expect(await offered("users list -oj")).toEqual(["-ojson"]);
    expect(await offered("users list -qo j")).toEqual(["json"]);
    expect(await offered("-o json --profile work reg")).toEqual(["registry"]);
    expect(await offered("users list -O")).toEqual([]);
    expect(await offered("users list --order-by U")).toEqual(["username", "updated_at"]);
    expect(await offered("nonsense ")).toEqual([]);
    expect(await offered("users nonsense --")).not.toContain("--search");
  });

  test("of a list with commas: values not in it yet, and fields at any depth", async () => {
    expect(await offered("events list --fields id,author_")).toEqual(["id,author_id", "id,author_username"]);
    expect(await offered("events list --fields id,author.us")).toEqual(["id,author.username"]);
    expect(await offered("events list --fields id,i")).not.toContain("id,id");
    expect(await offered("events list --fields auth")).toContain("author.");
    expect(await offered("events list --fields nothing.x")).toEqual([]);
    expect(await offered("hooks create u --events push,-pu")).toEqual([]);
    expect(await offered("hooks create u --events=-pu")).toEqual(["--events=-push"]);
    expect(await offered("hooks create u --events all,-em")).toEqual(["all,-emoji"]);
    expect(await offered("state plan --only settings,error")).toEqual(["settings,error_tracking"]);
  });

  test("of profiles: names, keys, and values of a key", async () => {
    expect(await offered("--profile ")).toEqual(["work", "home"]);
    expect(await offered("profiles set work ti")).toEqual(["timeout="]);
    expect(await offered("profiles set work timeout=3 t")).toEqual(["token-command="]);
    expect(await offered("profiles set work output=y")).toEqual(["output=yaml"]);
    expect(await offered("profiles set work ca-file=")).toEqual([":file 8"]);
    expect(await offered("profiles set work project=a")).toEqual(["project=acme/storefront"]);
    expect(await offered("profiles unset work proxy p")).toEqual(["project", "protect"]);
    expect(await offered("registry list -p ")).toEqual(["7", "acme/storefront", "me/dotfiles"]);
  });

  test("of rules, settings, and parameters: what can follow the typed text", async () => {
    expect(await offered("envs protect x --allow ")).toEqual([
      "user:",
      "group:",
      "level:developer",
      "level:maintainer",
      "level:admin",
    ]);
    expect(await offered("envs protect x --allow level:admin")).toEqual(["level:admin", "level:admin+inherited"]);
    expect(await offered("envs protect x --allow group:4")).toEqual(["group:4", "group:4+inherited"]);
    expect(await offered("envs update x --set-allow ")).toEqual([]);
    expect(await offered("envs update x --set-approval 12=level:m")).toEqual(["12=level:maintainer"]);
    expect(await offered("settings get signup_en")).toEqual(["signup_enabled"]);
    expect(await offered("settings set signup_en")).toEqual(["signup_enabled="]);
    expect(await offered("settings set signup_enabled=")).toEqual(["signup_enabled=true", "signup_enabled=false"]);
    expect(await offered("settings set signup_enabled=true signup_en")).toEqual([]);
    expect(await offered("settings set home_page_url=@")).toEqual([":file 15"]);
    expect(await offered("api x -F a=@")).toEqual([":file 3"]);
    expect(await offered("api x -Fa=@b")).toEqual([":file 5"]);
  });

  test("after -- there are no flags; another program's words are its own, this program's are completed", async () => {
    expect(await offered("users get -- --")).toEqual([]);
    expect(await offered("sandbox exec -- l")).toEqual([":command 0"]);
    expect(await offered("sandbox exec -- ls -")).toEqual([":file 0"]);
    expect(await offered("sandbox exec -- forgectl users l")).toEqual(["list"]);
    expect(await offered("each --projects-file x -- registry vis")).toEqual(["visibility"]);
    expect(await offered("each registry visibility p")).toEqual(["private"]);
  });

  test("of a parent: only one is offered", async () => {
    expect(await offered("notes list --m")).toEqual(["--mr"]);
    expect(await offered("notes list --issue 4 --m")).toEqual([]);
  });
});
