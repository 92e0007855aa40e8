import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { completionScript, type ShellName } from "../../src/reference/stubs.ts";
import { signedIn } from "../support/answering.ts";
import { atEnd } from "../support/ending.ts";
import { sampled } from "../support/examples.ts";
import { startSandbox } from "../support/sandbox.ts";
import { hasShell } from "../support/shells.ts";
import { describeTerminal, openTerminal, type Terminal } from "../support/terminal.ts";

// Real shells on a real terminal, with TAB pressed, calling the real program. One process per shell. By default each
// line in one of the shells, chosen by FORGECTL_TEST_SEED, those about quotes and files in one or two; with
// FORGECTL_TEST_EXAMPLES=all, all in all.

const starts: Record<Exclude<ShellName, "powershell">, (script: string) => string> = {
  bash: (script) => `source ${script}`,
  zsh: (script) =>
    `exec env PS1='> ' zsh -f -i\nzstyle ':completion:*' list-grouped true; source ${script}; unsetopt beep`,
  fish: (script) => `exec fish --no-config -i\nfunction fish_prompt; echo '> '; end; source ${script}`,
};

const profiles = {
  version: 1,
  current: "work",
  profiles: {
    work: { "base-url": "https://forge.example.com:8443", project: "acme/storefront" },
    home: { project: "me/a b" },
  },
};

async function open(shell: keyof typeof starts): Promise<Terminal> {
  const sandbox = await startSandbox();
  atEnd(() => sandbox.close());
  const place = { FORGECTL_BASE_URL: sandbox.url, FORGECTL_PROJECT: "acme/storefront" };
  const instance = { ...place, FORGECTL_TOKEN: sandbox.tokens.administrator };
  const terminal = await openTerminal({ columns: 110, env: { ...instance, FORGECTL_COMPLETION_TIMEOUT: "30" } });
  return loadedIn(shell, terminal);
}

/** With the completions of the shell loaded, and a few profiles and files to complete. */
async function loadedIn(shell: keyof typeof starts, terminal: Terminal): Promise<Terminal> {
  const { home } = terminal;
  mkdirSync(join(home, ".config/forgectl"), { recursive: true, mode: 0o700 });
  writeFileSync(join(home, ".config/forgectl/profiles.json"), JSON.stringify(profiles), { mode: 0o600 });
  mkdirSync(join(home, "data"));
  writeFileSync(join(home, "notes.txt"), "");
  writeFileSync(join(home, "forgectl-stub-program"), "#!/bin/sh\n", { mode: 0o755 });
  const script = join(home, `script.${shell}`);
  writeFileSync(script, completionScript(shell));
  for (const line of starts[shell](script).split("\n")) {
    const replaces = line.startsWith("exec");
    terminal.type(replaces ? line : `${line}; echo re''ady`);
    terminal.press("Enter");
    await terminal.shows(replaces ? /exec .*\n.*[>#%]$/s : /^ready/m);
  }
  return terminal;
}

/**
 * The typed text, with TAB as `⇥`, and the resulting line. Text after a `‸` is typed first, and the cursor moved back.
 */
const lines: [typed: string, line: string, not?: ShellName][] = [
  ["registry ta⇥d⇥", "registry tags delete"],
  ["events list --fields id,target_ti⇥", "events list --fields id,target_title"],
  ["events list --fields author.us⇥", "events list --fields author.username"],
  ["events list --action comm⇥--target-type merge_⇥", "events list --action commented --target-type merge_request"],
  ["--output=nd⇥", "--output=ndjson"],
  ["-oyam⇥users l⇥", "-oyaml users list"],
  ["--profile=w⇥", "--profile=work"],
  ["registry list -p me/⇥", "registry list -p me/a\\ b"],
  // No space follows an incomplete value.
  ["profiles set work outp⇥nd⇥", "profiles set work output=ndjson"],
  ["profiles unset work ti⇥", "profiles unset work timeout"],
  [
    "envs protect x --allow level:dev⇥--approval=level:ad⇥",
    "envs protect x --allow level:developer --approval=level:admin",
  ],
  ["envs protect x --allow user:3+⇥", "envs protect x --allow user:3+inherited"],
  ["settings set signup_en⇥f⇥", "settings set signup_enabled=false"],
  ["hooks create https://x.example --events push,-em⇥", "hooks create https://x.example --events push,-emoji"],
  ["relations download mer⇥", "relations download merge_requests"],
  ["state plan --only hooks,error⇥", "state plan --only hooks,error_tracking"],
  ["saml links add x --access-level dev⇥", "saml links add x --access-level developer"],
  ["help exi⇥", "help exit-codes"],
  // Values from the instance.
  ["registry tags get 12 lat⇥", "registry tags get 12 latest"],
  ["users get dana⇥", "users get dana.dixon"],
  ["envs protect x --allow user:dana.d⇥", "envs protect x --allow user:dana.dixon"],
  ["registry list -p acme/storef⇥", "registry list -p acme/storefront"],
  ["saml links get -g acme Pla⇥", "saml links get -g acme Platform\\ Leads"],
  // Files and folders, also after the beginning of a value.
  ["files create x --from no⇥", "files create x --from notes.txt"],
  ["files create x --from=no⇥", "files create x --from=notes.txt"],
  ["settings set home_page_url=@no⇥", "settings set home_page_url=@notes.txt"],
  ["state plan -f da⇥", "state plan -f data/"],
  ["artifacts download --extract=da⇥", "artifacts download --extract=data/"],
  // Quotes, the middle of a line, and what follows --.
  ['users list --fields "id,usern⇥', 'users list --fields "id,username'],
  ["envs protect x --allow 'level:dev⇥", "envs protect x --allow 'level:developer"],
  ["regi‸ list⇥", "registry list"],
  ["sandbox exec -- forgectl-stub-pr⇥", "sandbox exec -- forgectl-stub-program"],
  ["sandbox exec -- forgectl user⇥", "sandbox exec -- forgectl users"],
];

/** The stored answers of the instance. */
function keptIn(home: string): string {
  const folder = join(home, ".cache/forgectl/values");
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");
}

async function typeLine(terminal: Terminal, typed: string): Promise<void> {
  terminal.press("C-e", "C-u", "C-l");
  await terminal.shows(/^>\s*$/);
  const [start = "", rest] = `forgectl ${typed}`.split("‸");
  if (rest !== undefined) {
    terminal.type(start + rest.replace("⇥", ""));
    for (const _ of rest.replace("⇥", "")) terminal.press("Left");
    terminal.press("Tab");
    return;
  }
  for (const part of start.split(/(⇥)/)) {
    if (part === "⇥") terminal.press("Tab");
    else if (part !== "") terminal.type(part);
  }
}

/** zsh leaves two spaces between words if one was typed after the cursor. */
const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll(" ", " +");

const isAboutShell = ([typed]: (typeof lines)[number]) => /["'‸]|--from|--extract|sandbox exec/.test(typed);

for (const [index, shell] of (["bash", "zsh", "fish"] as const).entries()) {
  describeTerminal(shell, () => {
    describe.runIf(hasShell(shell))("with TAB", () => {
      test("words, values, files, quotes, and the middle of a line are completed", async () => {
        const terminal = await open(shell);
        const wrong: string[] = [];
        const [own, others] = [lines.filter(isAboutShell), lines.filter((each) => !isAboutShell(each))];
        for (const [typed, line, not] of [...sampled(own, 2, index), ...sampled(others, 3, index)]) {
          if (not === shell) continue;
          await typeLine(terminal, typed);
          await terminal
            .shows(new RegExp(`^> forgectl ${literal(line)}`))
            .catch((error: Error) => wrong.push(error.message));
        }
        expect(wrong).toEqual([]);

        // Given values are not offered again, unknown ones are not invented, and no message is printed.
        await typeLine(terminal, "users me --output json --outp⇥--jq ⇥⇥END");
        expect((await terminal.shows(/END/)).join("\n")).not.toMatch(/--output json --output|notes\.txt/);
        await typeLine(terminal, "registry get 1⇥⇥");
        // A screen shows its last columns before the lines below them: what is waited for is what is expected.
        await terminal.shows(/13 .*acme\/storefront\/worker/);
        await typeLine(terminal, "hooks get -g acme ⇥⇥");
        await terminal.shows(/2 +(?:-- |\()Deploys/);
        // What is listed is never inserted.
        await typeLine(terminal, "registry get 13⇥");
        await terminal.shows(/^> forgectl +registry +get +13\s*$/);
        writeFileSync(join(terminal.home, ".config/forgectl/profiles.json"), "{ broken");
        await typeLine(terminal, "--profile ⇥⇥END");
        expect((await terminal.shows(/END/)).join("\n")).toMatch(/^> forgectl --profile END$/);

        await typeLine(terminal, "registry list --tags⇥⇥");
        await terminal.shows(shell === "bash" ? /--tags-count/ : /--tags-count.*number of tags/);
      }, 240_000);

      test("an instance that does not answer blocks nothing, and the next TAB offers what it answered", async () => {
        const held: ServerResponse[] = [];
        const instance = await signedIn((_request, response) => held.push(response));
        const { FORGECTL_BASE_URL, FORGECTL_TOKEN } = instance.env;
        const env = { FORGECTL_BASE_URL, FORGECTL_TOKEN, FORGECTL_PROJECT: "7" };
        const terminal = await loadedIn(shell, await openTerminal({ columns: 110, env }));
        await typeLine(terminal, "registry get ⇥END");
        // Text typed after TAB appears: the shell does not wait for the instance.
        expect((await terminal.shows(/END/))[0]).toMatch(/^> forgectl +registry +get +END$/);
        await vi.waitFor(() => expect(instance.seen).toHaveLength(1), { timeout: 20_000 });
        held[0]
          ?.writeHead(200, { "content-type": "application/json" })
          .end('[{"id":42,"project_id":7,"path":"acme/storefront/worker"}]');
        await vi.waitFor(() => expect(keptIn(terminal.home)).toContain("acme/storefront/worker"), { timeout: 20_000 });
        await typeLine(terminal, "registry get ⇥");
        await terminal.shows(/^> forgectl +registry +get +42/);
      }, 60_000);
    });
  });
}
