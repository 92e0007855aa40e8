import { spawn } from "node:child_process";
import { once } from "node:events";
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
