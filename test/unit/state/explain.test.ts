import { describe, expect, test } from "vitest";
import { explain } from "../../../src/state/files/explain.ts";
import type { Scope } from "../../../src/state/kind.ts";
import { declared, scopeText } from "../../support/state-text.ts";

/** The rows of a scope, as `path value file:line pattern status`; the texts are the files a, b, and so on. */
async function explained(
  texts: readonly string[],
  { scope = {}, names }: { scope?: Partial<Scope>; names?: string[] } = {},
) {
  const of: Scope = { at: "project", name: "acme/api", ...scope };
  const { sections, problems } = await declared(texts);
  expect(problems).toEqual([]);
  return explain(sections, of, names ?? [of.name]).map(({ path, value, file, line, pattern, status }) => {
    const place = `${file}:${line}${pattern === null ? "" : ` ${pattern}`}`;
    return status === "effective" ? [path, value, place] : [path, value, place, status];
  });
}

const projects = (...texts: string[]) => texts.map((text) => scopeText(text));
const groups = (...texts: string[]) => texts.map((text) => scopeText(text, "group"));

describe("the values of a scope", () => {
  test("are those of its record, each where it is declared", async () => {
    const text = "projects:\n  acme/api:\n    error_tracking:\n      active: true\n      integrated: false\n";
    expect(await explained([text])).toEqual([
      ["error_tracking.active", true, "a:5"],
      ["error_tracking.integrated", false, "a:6"],
    ]);
  });

  test("are those of the most specific declaration; what it overrules is said", async () => {
    const texts = projects(
      "acme/**: { error_tracking: { active: true, integrated: true } }",
      "acme/api: { error_tracking: { active: false } }",
    );
    expect(await explained(texts)).toEqual([
      ["error_tracking.active", false, "b:2"],
      ["error_tracking.integrated", true, "a:2 acme/**"],
      ["error_tracking.active", true, "a:2 acme/**", "overruled"],
    ]);
  });

  test("are its entries, by their keys; an empty list is one, too", async () => {
    const texts = projects("acme/**: { envs: [S, R] }", "acme/api: { envs: [P(40)] }", "acme/none: { envs: [] }");
    const levels = { name: "production", deploy_access_levels: [{ access_level: 40 }] };
    expect(await explained(texts)).toEqual([
      ["protected_environments/production", levels, "b:2"],
      ["protected_environments/staging", { name: "staging" }, "a:2 acme/**", "overruled"],
      ["protected_environments/review", { name: "review" }, "a:2 acme/**", "overruled"],
    ]);
    const none = await explained(texts, { scope: { name: "acme/none" } });
    expect(none[0]).toEqual(["protected_environments", [], "c:2"]);
    expect(none).toHaveLength(3);
  });

  test("are a bare value under the name of its kind", async () => {
    const texts = projects("acme/**: { reg: enabled }", "acme/api: { reg: private }");
    expect(await explained(texts)).toEqual([
      ["container_registry_access_level", "private", "b:2"],
      ["container_registry_access_level", "enabled", "a:2 acme/**", "overruled"],
    ]);
  });

  test("are the projects and groups of an allowlist, by path or ID", async () => {
    const list = (text: string) => `job_token_scope: { allowlist: [${text}] }`;
    const texts = projects(`acme/**: { ${list("9, acme/ci")} }`, `acme/api: { ${list("acme/web, 8")} }`);
    expect(await explained(texts)).toEqual([
      ["allowlist/acme/web", "acme/web", "b:2"],
      ["allowlist/8", 8, "b:2"],
      ["allowlist/9", 9, "a:2 acme/**", "overruled"],
      ["allowlist/acme/ci", "acme/ci", "a:2 acme/**", "overruled"],
    ]);
  });

  test("are none if it is unmanaged, and what a pattern declares is overruled", async () => {
    const texts = projects("acme/**: { envs: [S], reg: private }", "acme/api: { envs: unmanaged, reg: unmanaged }");
    expect(await explained(texts)).toEqual([
      ["container_registry_access_level", "unmanaged", "b:2", "unmanaged"],
      ["container_registry_access_level", "private", "a:2 acme/**", "overruled"],
      ["protected_environments", "unmanaged", "b:2", "unmanaged"],
      ["protected_environments/staging", { name: "staging" }, "a:2 acme/**", "overruled"],
    ]);
  });

  test("are those of any of its names, each declaration once", async () => {
    const texts = projects("7: { reg: private }", "acme/other: { reg: enabled }");
    const row = ["container_registry_access_level", "private", "a:2"];
    expect(await explained(texts)).toEqual([]);
    expect(await explained(texts, { names: ["acme/api", "7", "7"] })).toEqual([row]);
  });

  test("of a group are not those of a project of the same path", async () => {
    const hooks = `{ hooks: [{ name: N, url: "https://x.example" }] }`;
    const texts = [...groups(`acme/api: ${hooks}`), ...projects(`acme/api: ${hooks}`)];
    const rows = await explained(texts, { scope: { at: "group" } });
    expect(rows).toEqual([["hooks/N", { name: "N", url: "https://x.example" }, "a:2"]]);
  });
});

describe("no value is a secret", () => {
  const of = async (hook: string) => {
    const rows = await explained(groups(`acme: { hooks: [${hook}] }`), { scope: { at: "group", name: "acme" } });
    return rows[0]?.slice(0, 2);
  };

  test("a reference is its name, and a plain text is hidden", async () => {
    expect(await of(`{ name: N, url: "https://x.example", token: { env: HOOK_TOKEN } }`)).toEqual([
      "hooks/N",
      { name: "N", url: "https://x.example", token: "$HOOK_TOKEN" },
    ]);
    expect(await of(`{ name: N, url: { file: hook/url } }`)).toEqual(["hooks/N", { name: "N", url: "file hook/url" }]);
    expect(await of(`{ name: N, url: "https://x.example", token: s3cret }`)).toMatchObject([
      "hooks/N",
      { token: "(secret)" },
    ]);
  });

  test("of headers the keys are shown", async () => {
    const header =
      '{ name: N, url: "https://x.example", custom_headers: [{ key: A, value: s3cret }, { key: B, value: { env: X_Y } }] }';
    expect(await of(header)).toMatchObject(["hooks/N", { custom_headers: [{ key: "A" }, { key: "B" }] }]);
    expect(JSON.stringify(await of(header))).not.toMatch(/s3cret|X_Y/);
  });

  test("addresses are shown without credentials", async () => {
    expect(await of(`{ name: N, url: "https://u:p4ss@x.example" }`)).toMatchObject([
      "hooks/N",
      { url: "https://[redacted]@x.example" },
    ]);
  });

  test("an entry is called by its key, even if it has an ID", async () => {
    expect(await of(`{ id: 4, name: N, url: "https://x.example" }`)).toMatchObject(["hooks/N", { id: 4 }]);
  });
});
