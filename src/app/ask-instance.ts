import type { ValuesQuery } from "../completion/host.ts";
import { choicesOf, knownPlaces } from "../completion/instance-lists.ts";
import { searchFor } from "../completion/search.ts";
import type { Offer } from "../completion/words.ts";
import { visible } from "../terminal/sanitize.ts";
import type { Shell } from "./shell.ts";
import { type Wiring, wire } from "./wire.ts";

/** How long the process keeps working for the next TAB after the shell has stopped waiting. */
const maxSeconds = 10;

/** Asks the instance for the values that TAB offers; none without a token. Rejects if it fails, or takes too long. */
export async function askInstance(shell: Shell, wanted: ValuesQuery): Promise<Offer[]> {
  // The timeout of a request is one between bytes: an answer that arrives slowly would have none.
  const ended = AbortSignal.timeout(maxSeconds * 1000);
  const late = new Promise<never>((_, reject) => ended.addEventListener("abort", () => reject(ended.reason)));
  const wiring = wire(shell);
  try {
    return await Promise.race([found(wiring, wanted, ended), late]);
  } finally {
    await wiring.close();
  }
}

async function found(wiring: Wiring, { source, typed: text, line }: ValuesQuery, ended: AbortSignal): Promise<Offer[]> {
  const typed = { profile: line.profile, baseUrl: line.base_url, caFile: line.ca_file };
  const options = { ...typed, input: false, quiet: true, timeout: maxSeconds, retries: 0 };
  const context = await wiring.open(options, { tolerant: false, standalone: false, lenient: true });
  const { config } = context;
  if ((await config.credential(ended)) === undefined) return [];
  const asked = { places: knownPlaces(config, line), search: searchFor(source, text) };
  const choices = await choicesOf(context, source, asked);
  // A value with control characters cannot be typed on a shell's line.
  const typeable = (choices ?? []).filter(([value]) => value === visible(value));
  return typeable.map(([value, label]) => [value, visible(withoutPaths(label))]);
}

/** Keeps only the host of an address: the path may be a secret, as in chat webhooks. */
function withoutPaths(text: string): string {
  return text.replace(/(:\/\/)(?:[^\s/?#@]*@)?([^\s/?#]*)[^\s,]*/g, "$1$2");
}
