import { globalOptions } from "../cli/global-options.ts";
import type { Wanted } from "../completion/machine.ts";
import type { Offer } from "../completion/words.ts";
import { searchFor } from "../declare/choosing.ts";
import { visible } from "../terminal/sanitize.ts";
import { choicesOf, knownPlaces } from "../verbs/choices.ts";
import type { Shell } from "./shell.ts";
import { wire } from "./wire.ts";

/** How long a process goes on for the next TAB, when the shell waits no longer. */
const mostSeconds = 10;

/** Asks the instance for the values that TAB offers; none without a token. Rejects with whatever is wrong. */
export async function askInstance(shell: Shell, { source, typed, line }: Wanted): Promise<Offer[]> {
  const { profile, base_url, ca_file } = line;
  const options = globalOptions({ profile, base_url, ca_file, input: true, quiet: true });
  const wiring = wire(shell);
  try {
    const limits = { timeout: mostSeconds, retries: 0 };
    const context = await wiring.open({ ...options, ...limits }, { tolerant: false, standalone: false, lenient: true });
    const { config } = context;
    if ((await config.credential(AbortSignal.timeout(mostSeconds * 1000))) === undefined) return [];
    const asked = { places: knownPlaces(config, line), search: searchFor(source, typed) };
    const found = await choicesOf(context, source, asked);
    // What a shell cannot hold is no help on its line.
    const typeable = (found ?? []).filter(([value]) => value === visible(value));
    return typeable.map(([value, label]) => [value, visible(withoutPaths(label))]);
  } finally {
    await wiring.close();
  }
}

/** Of an address only the host is kept: what stands behind it may be a secret, as in those that take messages for a chat. */
function withoutPaths(text: string): string {
  return text.replace(/(\b[a-z][a-z+.-]*:\/\/)(?:[^\s/?#@]*@)?([^\s/?#]*)[^\s,]*/gi, "$1$2");
}
