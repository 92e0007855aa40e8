import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { complete } from "../completion/complete.ts";
import type { CompletionHost, ValuesQuery } from "../completion/host.ts";
import { bashText, plainText, powerShellText, readLine } from "../completion/line.ts";
import type { Offer } from "../completion/words.ts";
import { homeOf } from "./home.ts";
import type { Shell } from "./shell.ts";

/**
 * Answers a shell's request for completions, as one text:
 * `__complete -- <words>` (the last word is the one being typed; with `--next` before `--` it is empty),
 * `__complete --powershell -- <words>` (the same; the answer is quoted for PowerShell),
 * `__complete --line -- <line>` (up to the cursor, with its quotes), and
 * `__complete --bash <COMP_WORDBREAKS> <width> -- <line>` (the answer is for COMPREPLY; without a width, or with 0, no
 * descriptions).
 * Values that only the instance knows are requested by a second process (`__complete --ask -- <what, as JSON>`), so
 * that no slow name server, keyring, or token command blocks the shell; what arrives too late is used by the next TAB.
 *
 * After an error nothing is printed and there are no completions: a message would break the line being typed.
 */
export async function completions(shell: Shell, argv: readonly string[]): Promise<string> {
  const { host } = shell;
  try {
    const at = argv.indexOf("--");
    const [how, more = "", width = ""] = argv.slice(0, at);
    const words = argv.slice(at + 1);
    if (how === "--ask") return await ask(shell, JSON.parse(words[0] ?? ""));
    const machine = completionHost(host);
    if (how === undefined) return plainText(await complete(words, machine));
    if (how === "--next") return plainText(await complete([...words, ""], machine));
    if (how === "--powershell") {
      return powerShellText(await complete(more === "--next" ? [...words, ""] : words, machine));
    }
    const line = readLine(words[0] ?? "");
    const answer = await complete(line.words, machine);
    return how === "--bash"
      ? bashText(answer, line, { breaks: more, width: Number(width) || 0 }, (kind, typed) => pathsIn(host, kind, typed))
      : plainText(answer);
  } catch {
    return "";
  }
}

/** What an earlier TAB stored, otherwise what a second process returns in time. */
async function listed(host: NodeJS.Process, wanted: ValuesQuery): Promise<readonly Offer[]> {
  const { cachedValues } = await import("./cached-values.ts");
  const cache = cachedValues(host);
  const known = cache?.read(wanted);
  const seconds = timeOf(host);
  if (cache === undefined || known !== undefined || seconds <= 0) return known ?? [];
  try {
    cache.claim(wanted);
  } catch {
    // The two processes share values only through the stored file.
    return [];
  }
  const { runDetached } = await import("../node/detached-process.ts");
  await runDetached(host, ["__complete", "--ask", "--", JSON.stringify(wanted)], (seconds - host.uptime()) * 1000);
  return cache.read(wanted) ?? [];
}

/** How long TAB may take, in seconds from the start of this process; 0: the instance is not asked. */
function timeOf({ env }: NodeJS.Process): number {
  const given = Number(env.FORGECTL_COMPLETION_TIMEOUT || defaultSeconds);
  return Number.isNaN(given) ? defaultSeconds : given;
}

const defaultSeconds = 0.3;

/** Asks the instance and stores its answer; prints nothing. */
async function ask(shell: Shell, wanted: ValuesQuery): Promise<string> {
  const { askInstance } = await import("./ask-instance.ts");
  const offers = await askInstance(shell, wanted);
  const { cachedValues } = await import("./cached-values.ts");
  cachedValues(shell.host)?.write(wanted, offers);
  return "";
}

/** The files, or the folders alone, whose paths begin like a text; each folder ends with a slash. */
function pathsIn(host: NodeJS.Process, kind: "file" | "folder", typed: string): string[] {
  const above = typed.slice(0, typed.lastIndexOf("/") + 1);
  const start = typed.slice(above.length);
  const folder = above.startsWith("~/") ? join(homeOf(host), above.slice(1)) : resolve(host.cwd(), above);
  return readdirSync(folder)
    .filter((name) => name.startsWith(start) && (start !== "" || !name.startsWith(".")))
    .flatMap((name) => {
      const isFolder = statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() ?? false;
      return isFolder ? `${above}${name}/` : kind === "file" ? above + name : [];
    })
    .sort();
}

function completionHost(host: NodeJS.Process): CompletionHost {
  return {
    env: host.env,
    listed: (wanted) => listed(host, wanted),
    profiles: async () => {
      const [{ configFolder }, { parseProfiles }] = await Promise.all([
        import("../config/location.ts"),
        import("../config/shape.ts"),
      ]);
      const folder = configFolder(host.env, { home: homeOf(host), platform: host.platform }).path;
      const path = join(folder, "profiles.json");
      try {
        return parseProfiles(readFileSync(path, "utf8"), path);
      } catch {
        return { current: undefined, profiles: new Map(), rest: {} };
      }
    },
  };
}
