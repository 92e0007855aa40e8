import type { ValuesQuery } from "../completion/host.ts";
import { choicesOf, knownPlaces } from "../completion/instance-lists.ts";
import { searchFor } from "../completion/search.ts";
import type { Offer } from "../completion/words.ts";
import { visible } from "../terminal/sanitize.ts";
import type { Shell } from "./shell.ts";
import { wire } from "./wire.ts";

/** How long the process keeps working for the next TAB after the shell has stopped waiting. */
const maxSeconds = 10;

/** Asks the instance for the values that TAB offers; none without a token. Rejects if the request fails. */
export async function askInstance(shell: Shell, { source, typed: text, line }: ValuesQuery): Promise<Offer[]> {
  const typed = { profile: line.profile, baseUrl: line.base_url, caFile: line.ca_file };
  const options = { ...typed, input: false, quiet: true, timeout: maxSeconds, retries: 0 };
  const wiring = wire(shell);
  try {
    const context = await wiring.open(options, { tolerant: false, standalone: false, lenient: true });
    const { config } = context;
    if ((await config.credential(AbortSignal.timeout(maxSeconds * 1000))) === undefined) return [];
    const asked = { places: knownPlaces(config, line), search: searchFor(source, text) };
    const found = await choicesOf(context, source, asked);
    // A value with control characters cannot be typed on a shell's line.
    const typeable = (found ?? []).filter(([value]) => value === visible(value));
    return typeable.map(([value, label]) => [value, visible(withoutPaths(label))]);
  } finally {
    await wiring.close();
  }
}

/** Keeps only the host of an address: the path may be a secret, as in chat webhooks. */
function withoutPaths(text: string): string {
  return text.replace(/(\b[a-z][a-z+.-]*:\/\/)(?:[^\s/?#@]*@)?([^\s/?#]*)[^\s,]*/gi, "$1$2");
}
