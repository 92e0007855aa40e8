import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { binary, node, sandboxSession, session } from "../support/session.ts";

test.each(["SIGINT", "SIGTERM"] as const)("a large file does not make validate deaf to %s", async (signal) => {
  const { env, home } = session();
  const child = spawn(node, [binary, "state", "validate", "-f", "-"], {
    cwd: home,
    env: env as NodeJS.ProcessEnv,
    stdio: ["pipe", "ignore", "ignore"],
  });
  const ended = once(child, "exit");
  child.stdin.on("error", () => undefined);
  const unknown = Array.from({ length: 600_000 }, (_, at) => `  unknown_setting_${at}: ${at}\n`).join("");
  child.stdin.end(`forgectl: 1\nsettings:\n${unknown}`);
  // The program has read it, except for what fits into a pipe, and now needs several seconds for it.
  await once(child.stdin, "finish");
  child.kill(signal);
  expect(await ended).toEqual([null, signal]);
});

test("keep is matched at once, with any number of stars; * stays within a slash, ** does not", async () => {
  const { run } = await sandboxSession();
  const name = "a".repeat(60);
  expect(await run("saml", "links", "add", name, "-g", "acme", "--access-level", "developer")).toMatchObject({
    code: 0,
  });
  const url = "https://erp.example.com/in";
  expect(await run("hooks", "create", url, "-g", "acme")).toMatchObject({ code: 0 });
  const left = async (kind: string, pattern: string) => {
    const input = `forgectl: 1\ngroups: { acme: { ${kind}: [] } }\nkeep: { ${kind}: ["${pattern}"] }\n`;
    const planned = await run("state", "plan", "-f", "-", "--prune", "--fields", "key", "--no-header", { input });
    return planned.stdout.trim().split("\n");
  };
  expect(await left("saml_group_links", `${"*a".repeat(20)}*b`)).toContain(name);
  expect(await left("saml_group_links", `${"*a".repeat(20)}*`)).not.toContain(name);
  expect(await left("hooks", "https://erp*")).toContain(url);
  expect(await left("hooks", "https://erp**")).not.toContain(url);
});

/** Projects of each pattern, with these exceptions: the first has them as they are, the others as an alias. */
function excepting(patterns: number, exceptions: readonly string[]): string {
  const list = `&except [${exceptions.map((each) => `"${each}"`).join(", ")}]`;
  const blocks = Array.from({ length: patterns }, (_, at) => {
    const except = at === 0 ? list : "*except";
    return `  "g/*${at}*": { except: ${except}, container_registry_access_level: enabled }\n`;
  });
  return `forgectl: 1\nprojects:\n${blocks.join("")}`;
}

test.each([
  ["comparisons with patterns and their exceptions", 1800, 900],
  ["characters of exceptions with a star", 1, 20_000],
])(
  "more %s than take seconds are refused, however many an alias repeats",
  async (what, patterns, exceptions) => {
    const { run } = session();
    const names = Array.from({ length: exceptions }, (_, at) => `g/*${at}x`);
    const paths = Array.from({ length: 2000 }, (_, at) => `  g/a${at}: { protected_branches: [] }\n`).join("");
    const input = excepting(patterns, [...names, "g/**"]) + paths;
    const { code, stdout } = await run("state", "validate", "-f", "-", { input });
    expect({ code, stdout }).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(new RegExp(`more than [\\d,]+ ${what}`)),
    });
  },
  120_000,
);

test("folders that are as deep as a path can be are looked through at once, and links in them are not followed", async () => {
  const { home, run } = session();
  const deep = join("deep", ..."d".repeat(1200));
  mkdirSync(join(home, deep), { recursive: true });
  writeFileSync(join(home, deep, "state.yaml"), "forgectl: 1\nsettings: { signup_enabled: false }\n");
  writeFileSync(join(home, deep, "issues.ndjson.gz"), "");
  writeFileSync(join(home, "damaged.yaml"), "{");
  symlinkSync(join(home, "damaged.yaml"), join(home, "deep", "linked.yaml"));
  symlinkSync(home, join(home, "deep", "up"));
  const started = performance.now();
  expect(await run("state", "validate", "-f", "deep", "-q")).toMatchObject({ code: 0, stderr: "" });
  expect(await run("relations", "verify", "deep")).toMatchObject({ code: 2 });
  // Each took half a minute when every path was resolved from its root.
  expect(performance.now() - started).toBeLessThan(10_000);
});
