import { readFileSync } from "node:fs";
import { join } from "node:path";
import { complete } from "../completion/complete.ts";
import { bashText, plainText, readLine } from "../completion/line.ts";
import type { Machine, Wanted } from "../completion/machine.ts";
import type { Offer } from "../completion/words.ts";
import { homeOf } from "./home.ts";
import type { Shell } from "./shell.ts";

/**
 * Answers a shell's request for completions, as one text:
 * `__complete -- <words>` (the last word is the one that is typed; `--next` ahead of `--`: it is empty),
 * `__complete --line -- <line>` (up to the cursor, with its quotes), and
 * `__complete --bash <COMP_WORDBREAKS> -- <line>` (the answer is for COMPREPLY).
 * What only the instance knows a second process asks for (`__complete --ask -- <what, as JSON>`), so that no slow
 * name server, keyring, or command for a token holds up the shell; what comes too late is there for the next TAB.
 *
 * An error prints nothing, since a message would break the line being typed: there are then no completions.
 */
export async function completions(shell: Shell, argv: readonly string[]): Promise<string> {
  const { host } = shell;
  try {
    const at = argv.indexOf("--");
    const [how, breaks = ""] = argv.slice(0, at);
    const words = argv.slice(at + 1);
    if (how === "--ask") return await ask(shell, JSON.parse(words[0] ?? ""));
    const machine = machineOf(host);
    if (how === undefined) return plainText(await complete(words, machine));
    if (how === "--next") return plainText(await complete([...words, ""], machine));
    const line = readLine(words[0] ?? "");
    const answer = await complete(line.words, machine);
    return how === "--bash" ? bashText(answer, line, breaks) : plainText(answer);
  } catch {
    return "";
  }
}

/** What is kept of an earlier TAB, else what a second process finds out in time. */
async function listed(host: NodeJS.Process, wanted: Wanted): Promise<readonly Offer[]> {
  const { keptValues } = await import("./kept-values.ts");
  const kept = keptValues(host);
  const known = kept?.read(wanted);
  const seconds = timeOf(host);
  if (kept === undefined || known !== undefined || seconds <= 0) return known ?? [];
  try {
    kept.claim(wanted);
  } catch {
    // Where nothing can be kept nothing can be handed over.
    return [];
  }
  const { runBeside } = await import("../node/beside.ts");
  await runBeside(host, ["__complete", "--ask", "--", JSON.stringify(wanted)], (seconds - host.uptime()) * 1000);
  return kept.read(wanted) ?? [];
}

/** How long TAB may take, in seconds from the start of this process; 0: the instance is not asked. */
function timeOf({ env }: NodeJS.Process): number {
  const given = Number(env.FORGECTL_COMPLETION_TIMEOUT || defaultSeconds);
  return Number.isNaN(given) ? defaultSeconds : given;
}

const defaultSeconds = 0.3;

/** Asks the instance, and keeps what it answers; there is nothing to print. */
async function ask(shell: Shell, wanted: Wanted): Promise<string> {
  const { askInstance } = await import("./ask-instance.ts");
  const offers = await askInstance(shell, wanted);
  const { keptValues } = await import("./kept-values.ts");
  keptValues(shell.host)?.write(wanted, offers);
  return "";
}

function machineOf(host: NodeJS.Process): Machine {
  return {
    env: host.env,
    listed: (wanted) => listed(host, wanted),
    profiles: async () => {
      const [{ configFolder }, { parseProfiles }] = await Promise.all([
        import("../config/location.ts"),
        import("../config/shape.ts"),
      ]);
      const path = join(configFolder(host.env, { home: homeOf(host), platform: host.platform }), "profiles.json");
      try {
        return parseProfiles(readFileSync(path, "utf8"), path);
      } catch {
        return { current: undefined, profiles: new Map(), rest: {} };
      }
    },
  };
}
