import { readFileSync } from "node:fs";
import { join } from "node:path";
import { complete } from "../completion/complete.ts";
import { bashText, plainText, readLine } from "../completion/line.ts";
import type { Machine } from "../completion/machine.ts";
import { homeOf } from "./home.ts";

/**
 * Answers a shell's request for completions, as one text:
 * `__complete -- <words>` (the last word is the one that is typed; `--next` ahead of `--`: it is empty),
 * `__complete --line -- <line>` (up to the cursor, with its quotes), and
 * `__complete --bash <COMP_WORDBREAKS> -- <line>` (the answer is for COMPREPLY).
 *
 * An error prints nothing, since a message would break the line being typed: there are then no completions.
 */
export async function completions(host: NodeJS.Process, argv: readonly string[]): Promise<string> {
  try {
    const at = argv.indexOf("--");
    const [how, breaks = ""] = argv.slice(0, at);
    const words = argv.slice(at + 1);
    const machine = machineOf(host);
    if (how === undefined || how === "--next") {
      return plainText(await complete(how === undefined ? words : [...words, ""], machine));
    }
    const line = readLine(words[0] ?? "");
    const answer = await complete(line.words, machine);
    return how === "--bash" ? bashText(answer, line, breaks) : plainText(answer);
  } catch {
    return "";
  }
}

function machineOf(host: NodeJS.Process): Machine {
  return {
    env: host.env,
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
