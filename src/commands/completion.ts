import { oneOf, required, string } from "../api/field.ts";
import type { Context } from "../context.ts";
import { type Command, command } from "../declare/command.ts";
import { completionScript, shells } from "../reference/completion.ts";
import { type Entry, loadNodes } from "../reference/tree.ts";
import type { BytesView } from "../terminal/view.ts";

/** The completion script of a shell, made from the commands that this very program has. */
export function completionCommand(entries: readonly Entry[]): Command {
  return command({
    name: "completion",
    summary: "Print the completion script of a shell",
    details:
      "Load it when the shell starts: commands, flags, and their values complete at once; profiles, projects, " +
      "groups, and settings are looked up by forgectl on this machine; nothing is sent.",
    args: { shell: required(oneOf(shells, "Shell that will load it")) },
    examples: [
      {
        before: "mkdir -p ~/.local/share/bash-completion/completions",
        line: "completion bash > ~/.local/share/bash-completion/completions/forgectl",
        note: "bash",
      },
      {
        before: "mkdir -p ~/.zfunc",
        line: "completion zsh > ~/.zfunc/_forgectl",
        note: "zsh, with ~/.zfunc in fpath",
      },
      {
        before: "mkdir -p ~/.config/fish/completions",
        line: "completion fish > ~/.config/fish/completions/forgectl.fish",
        note: "fish",
      },
      { line: "completion powershell | Out-String | Invoke-Expression", note: "PowerShell, in $PROFILE" },
    ],
    related: ["commands"],
    standalone: true,
    run: async (_context, { shell }) => textView(completionScript(shell, await loadNodes(entries))),
  });
}

const kinds = ["profile", "project", "group", "setting", "assignment", "hook-event"] as const;
type Kind = (typeof kinds)[number];

/** What the scripts ask on TAB: a word and its description a line. Only what this machine knows; nothing is sent. */
export const completeCommand = command({
  name: "__complete",
  summary: "Print the words that complete a value",
  hidden: true,
  standalone: true,
  args: { kind: required(oneOf(kinds, "What to complete")), typed: string("What is typed so far") },
  examples: [{ line: "__complete profile" }],
  async run(context, { kind, typed = "" }) {
    const words = await find[kind](context, typed);
    return textView([...words].map(([word, description]) => `${oneLine(word)}\t${oneLine(description)}\n`).join(""));
  },
});

/** Words and their descriptions. */
type Words = Map<string, string>;

const find: Record<Kind, (context: Context, typed: string) => Promise<Words> | Words> = {
  profile: async ({ config }) => {
    const { profiles } = await config.store.read();
    return new Map([...profiles].map(([name, { settings }]) => [name, settings["base-url"] ?? "no address yet"]));
  },
  project: (context) => scopes(context, "project"),
  group: (context) => scopes(context, "group"),
  setting: async () => {
    const { settings } = await import("../settings/catalogue.ts");
    return new Map(settings.map(({ name, description }) => [name, description]));
  },
  assignment: (_context, typed) => assignments(typed),
  "hook-event": async (_context, typed) => (await import("./hooks/kinds.ts")).completeKinds(typed),
};

/** The API has no list of projects or groups to ask: what the profiles and the environment name is what is known. */
async function scopes({ config }: Context, scope: "project" | "group"): Promise<Words> {
  const { profiles } = await config.store.read();
  const stored = [...profiles].flatMap(([name, { settings }]): [string, string][] => {
    const value = settings[scope];
    return value === undefined ? [] : [[value, `profile ${name}`]];
  });
  const inForce = config[scope];
  return new Map([...stored, ...(inForce === undefined ? [] : [[inForce.value, inForce.source] as const])]);
}

/** `name=` for every setting; once the name is typed, the values that it may have. */
async function assignments(typed: string): Promise<Words> {
  const { findSetting, settings } = await import("../settings/catalogue.ts");
  const at = typed.indexOf("=");
  if (at < 0) return new Map(settings.map(({ name, description }) => [`${name}=`, description]));
  const setting = findSetting(typed.slice(0, at));
  const values = setting?.type === "boolean" ? ["true", "false"] : (setting?.values ?? []);
  return new Map(values.map((value) => [`${setting?.name}=${value}`, setting?.description ?? ""]));
}

/** What a shell reads line by line holds none of its own line ends, tabs, and control characters. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ");
}

function textView(text: string): BytesView {
  return { bytes: chunks(text), text: true };
}

async function* chunks(text: string): AsyncGenerator<Uint8Array> {
  if (text !== "") yield new TextEncoder().encode(text);
}
