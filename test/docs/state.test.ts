import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { load } from "js-yaml";
import { expect, test } from "vitest";
import { stateSchema } from "../../src/state/schema.ts";
import { schemaProblems } from "../support/json-schema.ts";
import { binary, node, sandboxSession } from "../support/session.ts";

// The sessions of docs/state.md are typed one after the other, as on the page, and what comes out is what stands there.
// `npx vitest run test/docs/state.test.ts -u` writes the page anew.

const page = readFileSync("docs/state.md", "utf8");

test("the sessions of the page come out as they stand there", async () => {
  const { sandbox, env, home } = await sandboxSession();
  const bin = join(home, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "forgectl"), `#!/bin/sh\nexec "${node}" "${binary}" "$@"\n`);
  chmodSync(join(bin, "forgectl"), 0o755);
  const cwd = mkdtempSync(join(home, "here-"));
  const variables = { ...env, PATH: `${bin}${delimiter}${env.PATH}` };
  let last: number | null = 0;
  const typed = async (line: string): Promise<string> => {
    if (line === "echo $?") return `${last}\n`;
    const { code, output } = await run(line, cwd, variables);
    last = code;
    return output
      .replaceAll(sandbox.url, "https://forge.example.com")
      .replace(/\d{8}T\d{6}Z-\w{4}/g, "20261121T164502Z-7f3a");
  };
  const parts = page.split(/(^```console\n[\s\S]*?^```$)/m);
  for (const [index, part] of parts.entries()) {
    if (!part.startsWith("```console\n")) continue;
    const lines = part.split("\n").filter((line) => line.startsWith("$ "));
    const told: string[] = [];
    for (const line of lines) told.push(`${line}\n${await typed(line.slice(2))}`);
    parts[index] = `\`\`\`console\n${told.join("").replace(/\n*$/, "\n")}\`\`\``;
  }
  await expect(parts.join("")).toMatchFileSnapshot("../../docs/state.md");
});

function run(line: string, cwd: string, env: object): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const shell = spawn("sh", ["-c", `exec 2>&1; ${line}`], {
      cwd,
      env: env as NodeJS.ProcessEnv,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    shell.stdout.on("data", (chunk: Buffer) => {
      output += chunk;
    });
    shell.on("close", (code) => resolve({ code, output }));
  });
}

test("the example file is valid by the JSON Schema, and what is wrong is not", () => {
  const problems = (state: object) => schemaProblems(stateSchema(), state);
  const examples = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = ""]) => load(text) as object);
  const states = examples.filter((example) => "forgectl" in example);
  expect(states.length).toBe(1);
  for (const state of states) expect(problems(state)).toEqual([]);
  const wrong = [
    { settings: {} },
    { forgectl: 2 },
    { forgectl: 1, groups: { acme: { hoks: [] } } },
    { forgectl: 1, groups: { acme: { hooks: [{ url: "https://x", events: ["pushes"] }] } } },
    { forgectl: 1, groups: { acme: { saml_group_links: [{ name: "x", access_level: "king" }] } } },
    { forgectl: 1, projects: { "a/b": { container_registry_access_level: "open" } } },
    { forgectl: 1, settings: { signup_enabled: "yes" } },
  ];
  expect(wrong.filter((state) => problems(state).length === 0)).toEqual([]);
});
