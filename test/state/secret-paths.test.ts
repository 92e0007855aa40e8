import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";

// The address of an incoming webhook of a chat is all that is needed to post there: its path is the secret.

const secrets = ["OldSecretOfTheChat", "NewSecretOfTheChat", "OtherSecretOfTheChat"];
const [old, fresh, other] = secrets.map((secret) => `https://hooks.slack.com/services/T0AAAAAAA/B0AAAAAAA/${secret}`);

/** The text of every file below a folder but the one that was written by hand. */
function filesIn(folder: string): string {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => !path.endsWith("by-hand.yaml"))
    .map((path) => (statSync(path).isDirectory() ? filesIn(path) : readFileSync(path, "utf8")))
    .join("\n");
}

test("the secret path of a webhook's address is in no export, plan, record, or journal", async () => {
  const { run, home } = await sandboxSession();
  let said = "";
  const shown = async (...words: string[]) => {
    const result = await run(...words, { env: { HOOKS_9_URL: old } });
    said += result.stdout + result.stderr;
    return result;
  };
  const created = await run("hooks", "create", old as string, "-g", "acme", "--name", "Chat", "-o", "json");
  const { id } = JSON.parse(created.stdout) as { id: number };
  expect((await shown("state", "export", "-g", "acme", "--only", "hooks", "-O", "exported.yaml")).code).toBe(0);
  expect(readFileSync(join(home, "exported.yaml"), "utf8")).toMatch(
    new RegExp(`url: *\n? *\\{? *env: HOOKS_${id}_URL`),
  );
  expect((await shown("state", "validate", "-f", "exported.yaml", "--strict")).code).toBe(0);

  const hooks = `[{ id: ${id}, name: Chat, url: "${fresh}" }, { name: More, url: "${other}", events: [push] }]`;
  writeFileSync(join(home, "by-hand.yaml"), `forgectl: 1\ngroups: { acme: { hooks: ${hooks} } }\n`);
  expect((await shown("state", "validate", "-f", "by-hand.yaml", "--strict")).code).toBe(2);
  for (const format of ["table", "json", "markdown", "diff"])
    await shown("state", "plan", "-f", "by-hand.yaml", "-o", format);
  await shown("state", "plan", "-f", "by-hand.yaml", "--save", "plan.json");
  const applied = await shown("state", "apply", "-f", "by-hand.yaml", "--yes", "--record", "run.ndjson", "--debug");
  expect([applied.code, applied.stderr]).toEqual([0, expect.stringContaining("2 changes made")]);
  const back = await shown("state", "rollback", "--yes", "-o", "json");
  expect([back.code, back.stderr]).toEqual([9, expect.stringContaining("restored without the secrets in url")]);
  expect(JSON.parse(back.stdout)).toMatchObject([{ address: "acme#hooks/More", action: "disarm", status: "done" }]);
  const written = said + filesIn(home);
  expect(secrets.filter((secret) => written.includes(secret))).toEqual([]);
});

test("an address in whose place the run put one with a secret is restored", async () => {
  const { run, home } = await sandboxSession();
  const file = "forgectl: 1\ngroups: { acme: { hooks: [{ name: Pager, url: ";
  writeFileSync(join(home, "state.yaml"), `${file}"${fresh}" }] } }\n`);
  const before = (await run("hooks", "list", "-g", "acme", "--fields", "name,url")).stdout;
  expect((await run("state", "apply", "-f", "state.yaml", "--yes")).code).toBe(0);
  const back = await run("state", "rollback", "--yes");
  // The old address had no secret, and is restored; its headers are dropped with the new one, and cannot be read.
  expect([back.code, back.stderr]).toEqual([
    9,
    expect.stringContaining("restored without the secrets and the values of headers"),
  ]);
  expect((await run("hooks", "list", "-g", "acme", "--fields", "name,url")).stdout).toBe(before);

  // What another user puts there since then is no run's.
  await run("hooks", "update", "3", "-g", "acme", "--url", other as string, "--yes");
  const [id = ""] = (await run("state", "history", "--no-header")).stdout.trim().split("\n").at(-1)?.split("\t") ?? [];
  const again = await run("state", "rollback", id, "--yes");
  expect([again.code, again.stderr]).toEqual([6, expect.stringContaining("changed since run")]);
});
