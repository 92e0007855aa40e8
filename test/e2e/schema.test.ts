import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { startLanguageServer } from "../support/language-server.ts";
import { session } from "../support/session.ts";

const { home, run } = session();
const state = (await run("state", "schema")).stdout;
const settings = (await run("settings", "schema")).stdout;
writeFileSync(join(home, "state.schema.json"), state);
writeFileSync(join(home, "settings.schema.json"), settings);

const compiled = (text: string) =>
  new Ajv({ strict: true, allowUnionTypes: true, strictRequired: false, formats: { uri: true } }).compile(
    JSON.parse(text),
  );

describe("the printed schemas", () => {
  test.each([
    ["state", state],
    ["settings", settings],
  ])("%s: every property is a schema, and nothing is masked", (_, text) => {
    expect(text).not.toContain("[redacted]");
    expect(() => compiled(text)).not.toThrow();
  });

  test("a stored format does not change what a file gets", async () => {
    const yaml = await run("state", "schema", { env: { FORGECTL_OUTPUT: "ndjson" } });
    expect(() => compiled(yaml.stdout)).not.toThrow();
  });

  test("the example of the page is valid, and wrong ones are not", () => {
    const isValid = compiled(state);
    const page = readFileSync("docs/state.md", "utf8");
    const examples = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = ""]) => load(text) as object);
    const [example] = examples.filter((each) => "forgectl" in each);
    expect([isValid(example), isValid.errors]).toEqual([true, null]);
    const hook = { url: "https://x.example", token: { env: "HOOK_TOKEN" } };
    expect(isValid({ forgectl: 1, groups: { acme: { hooks: [hook] } } })).toBe(true);
    expect(isValid({ forgectl: 1, groups: { acme: { hooks: [{ ...hook, token: 7 }] } } })).toBe(false);
    expect(isValid({ forgectl: 1, groups: { acme: { hooks: [{ ...hook, token: { env: 7 } }] } } })).toBe(false);
  });
});

const head = "# yaml-language-server: $schema=./state.schema.json\n";
const file = `${head}forgectl: 1

settings:
  signup_enabled: false
groups:
  acme:
    hooks:
      - url: https://ci.example.com/hook
        token: { env: HOOK_TOKEN }
        
projects:
  acme/website:
    error_tracking: { active: true }
    
  acme/storefront:
    container_registry_access_level: 
`;
const wrong = `${head}forgectl: 1
settings:
  signup_enabled: "perhaps"
groups:
  acme:
    hoks: []
    hooks:
      - url: https://ci.example.com/hook
        token: { environment: X }
projects:
  acme/storefront:
    container_registry_access_level: open
`;

/** The end of the line after the one with this text, or of that line itself. */
function endOf(text: string, next = 0) {
  const lines = file.split("\n");
  const line = lines.findIndex((each) => each.includes(text)) + next;
  return { line, character: lines[line]?.length ?? 0 };
}
const on = (text: string) => {
  const { line } = endOf(text);
  return { line, character: (file.split("\n")[line] ?? "").indexOf(text) + 1 };
};

describe("an editor with the YAML language server", async () => {
  const server = await startLanguageServer();
  const right = server.open(join(home, "right.yaml"), file);

  test.each<[string, ReturnType<typeof endOf>, string[]]>([
    ["the keys of a hook", endOf("token:", 1), ["push_events", "custom_headers", "description"]],
    ["the levels of a registry", endOf("container_registry_access_level:"), ["enabled", "private", "disabled"]],
    ["the sections of a project", endOf("error_tracking:", 1), ["job_token_scope", "protected_environments"]],
    ["settings that hold secrets", { line: 4, character: 2 }, ["spam_check_api_key", "terms"]],
    ["the sections of a file", { line: 2, character: 0 }, ["keep", "instance"]],
  ])("offers %s", async (_, place, some) => {
    expect(await right.completions(place)).toEqual(expect.arrayContaining(some));
  });

  test.each<[string, RegExp]>([
    ["signup_enabled", /sign/i],
    ["hooks", /hook/i],
    ["forgectl: 1", /Version of the state file format/],
    ["container_registry_access_level", /registry/i],
  ])("explains %s", async (word, text) => {
    expect(await right.hover(on(word))).toMatch(text);
  });

  test("finds the mistakes, each on its line, and no others", async () => {
    const found = await server.open(join(home, "wrong.yaml"), wrong).problems();
    const lines = [...new Set(found.map(({ range }) => range.start.line))].sort((a, b) => a - b);
    expect(lines, JSON.stringify(found, null, 1)).toEqual([3, 6, 9, 12]);
    const clean = file.replace(/ +container_registry.*\n/, "    error_tracking: { active: false }\n");
    expect(await server.open(join(home, "clean.yaml"), clean).problems()).toEqual([]);
  });
});
