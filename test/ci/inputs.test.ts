import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { accepts, environmentOf, fill, InputError, type Inputs, readTemplate } from "../support/pipeline.ts";

// What the templates' headers accept, and that accepted values reach the job unchanged.

const names = readdirSync("templates").map((file) => file.replace(/\.yml$/, ""));
const declared = names.flatMap((name) => {
  const template = readTemplate(`templates/${name}.yml`);
  return Object.entries(template.inputs).map(([input, rule]) => ({ name, template, input, rule }));
});
const image = "registry.example.com/tools/forgectl:0.1.0";
/** The required inputs of each template. */
const least: Readonly<Record<string, Inputs>> = {
  "fetch-artifacts": { image, project: "7", job: "build" },
  "prune-registry": { image, "delete-regex": ".*" },
  "check-drift": { image },
  "apply-state": { image },
  "each-project": { image, group: "acme", command: "job-token get" },
  "audit-settings": { image },
  audit: { image, group: "acme" },
  "audit-job-tokens": { image, group: "acme" },
};

test.each(declared)(
  "$name, $input: has a description, a type that the platform supports, and a valid default",
  ({ rule }) => {
    expect(rule.description).toMatch(/^[A-Z].*[^.]$/);
    expect(["string", "number", "boolean", "array", undefined]).toContain(rule.type);
    const known = ["type", "description", "default", "options", "regex"];
    expect(Object.keys(rule).filter((key) => !known.includes(key))).toEqual([]);
    if (rule.default !== undefined) expect(accepts(rule, rule.default)).toBe(true);
  },
);

test.each(names)("%s: inputs without a default are required, and undeclared inputs are refused", (name) => {
  const template = readTemplate(`templates/${name}.yml`);
  const given = least[name] ?? {};
  expect(Object.keys(fill(template, given)).length).toBe(name === "apply-state" ? 2 : 1);
  for (const input of Object.keys(given)) {
    expect(() => fill(template, { ...given, [input]: undefined })).toThrow(`${input}: required`);
  }
  expect(() => fill(template, { ...given, "dry-runs": true })).toThrow(InputError);
});

const refused: readonly (readonly [string, string, unknown])[] = [
  ["fetch-artifacts", "search-recent", "yes"],
  ["fetch-artifacts", "folder", "../out"],
  ["fetch-artifacts", "folder", "/etc"],
  ["fetch-artifacts", "ref", "--force"],
  ["fetch-artifacts", "project", "acme/x; env"],
  ["fetch-artifacts", "job", "build\nscript: [env]"],
  ["each-project", "command", "job-token get; env"],
  ["each-project", "command", "-n"],
  ["each-project", "parallel", "four"],
  ["prune-registry", "keep-n", "five"],
  ["prune-registry", "dry-run", "no"],
  ["prune-registry", "older-than", "1m"],
  ["prune-registry", "older-than", ""],
  ["prune-registry", "via", "all"],
  ["prune-registry", "delete-regex", ""],
  ["check-drift", "allowed-exit-codes", 10],
  ["check-drift", "count-extra", 1],
  ["apply-state", "max-delete", "50 %"],
  ["apply-state", "prune", "yes"],
  ["apply-state", "files", "-"],
  ["apply-state", "resource-group", ""],
  ["audit-settings", "min-severity", "severe"],
  ["audit-settings", "file", "-"],
  ["audit-job-tokens", "format", "table"],
  ["audit-job-tokens", "group", ""],
];
test.each(refused)("%s refuses %s: %j", (name, input, value) => {
  expect(() => fill(readTemplate(`templates/${name}.yml`), { ...least[name], [input]: value })).toThrow(`${input}: `);
});

/** Texts with special characters of YAML, shells, or the platform's own expansion. */
const nasty = [
  ..."\"'`#:|>&*!%@{}[],?-\\$ ~",
  ...['" # ', "' '", "a: b", "- x", "a\nb", "a\r\nscript: [env]", "\ta", "true", "007", "1e3", "null", "~", "%YAML"],
  ...[
    "$CI_JOB_TOKEN",
    `\${CI_JOB_TOKEN}`,
    "$(env)",
    "`env`",
    "\\d+$",
    "^(v|nightly)-[0-9]{8}$",
    "a b",
    "x $[[ inputs.image ]]",
  ],
  ...["naïve-日本", "'; env; '", '"; env; "', "--yes", "2 weeks", "x".repeat(5000)],
];
const texts = declared.filter(({ rule }) => rule.type === undefined && rule.options === undefined);
test.each(texts)(
  "$name, $input: any text is refused, or appears in the job unchanged and affects nothing else",
  ({ name, template, input, rule }) => {
    const shape = (jobs: object) =>
      JSON.stringify(Object.values(jobs), (_, value) => (typeof value === "string" ? "" : value));
    const usual = fill(template, least[name] ?? {});
    const taken = nasty.filter((text) => accepts(rule, text));
    expect(taken.length, "some of them are fine").toBeGreaterThan(0);
    for (const text of taken) {
      const jobs = fill(template, { ...least[name], [input]: text });
      expect(shape(jobs), text).toBe(shape(usual));
      const parts = Object.entries(jobs).flatMap(([key, job]) => {
        const values = Object.values(job.variables).map((each) => (typeof each === "string" ? each : each.value));
        const { resource_group: resource, artifacts } = job;
        return [key, job.image, job.stage, resource, artifacts?.expire_in, ...values];
      });
      expect(parts, text).toContain(text);
      for (const job of Object.values(jobs)) {
        const environment = Object.entries(environmentOf(job, { CI_JOB_TOKEN: "secret" }));
        expect(environment.filter(([each, value]) => each !== "CI_JOB_TOKEN" && value?.includes("secret"))).toEqual([]);
      }
      expect(Object.values(jobs).map(({ script }) => script)).toEqual(Object.values(usual).map(({ script }) => script));
    }
  },
);
