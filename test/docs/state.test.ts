import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { load } from "js-yaml";
import { expect, test } from "vitest";
import { stateSchema } from "../../src/state/files/schema.ts";

const page = readFileSync("docs/state.md", "utf8");

test("the example file is valid by the JSON Schema, and invalid ones are not", () => {
  const isValid = new Ajv({ strict: false, formats: { uri: true } }).compile(stateSchema());
  const problems = (state: object) => (isValid(state) ? [] : isValid.errors);
  const examples = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = ""]) => load(text) as object);
  const states = examples.filter((example) => "forgectl" in example);
  expect(states.length).toBe(2);
  for (const state of states) expect(problems(state)).toEqual([]);
  const wrong = [
    { settings: {} },
    { forgectl: 2 },
    { forgectl: 1, groups: { acme: { hoks: [] } } },
    { forgectl: 1, groups: { acme: { hooks: [{ url: "https://x", events: [5] }] } } },
    { forgectl: 1, groups: { acme: { saml_group_links: [{ name: "x", access_level: "king" }] } } },
    { forgectl: 1, projects: { "a/b": { container_registry_access_level: "open" } } },
    { forgectl: 1, settings: { signup_enabled: "yes" } },
  ];
  expect(wrong.filter((state) => isValid(state))).toEqual([]);
});
