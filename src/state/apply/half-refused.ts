import { inDoubt } from "../../api/outcome.ts";
import { sameState } from "../fields/normal.ts";
import { type Change, fieldOf } from "../kind.ts";
import type { Comparison } from "../plan/live-comparison.ts";
import { type Result, unknown } from "./result.ts";

/**
 * The outcome of a change that was refused: some fields an instance stores before it looks at the others
 * (`storedFirst` of its request), and does not take back.
 */
export async function halfRefused(
  change: Change,
  refused: Result,
  look: () => Promise<Comparison | undefined>,
): Promise<Result> {
  const { kind, write, desired, live: before } = change;
  // Other refusals come before the instance looks at what was sent.
  if (![400, 422].includes(refused.failure?.details.status ?? 0)) return refused;
  const isSame = (name: string, values: Readonly<Record<string, unknown>> | undefined) =>
    sameState(fieldOf(kind, name), desired?.values[name], values?.[name]);
  const first = kind.steps(change).flatMap(({ endpoint }) => endpoint.storedFirst);
  const names = first.filter((name) => write.includes(name) && !isSame(name, before?.values));
  if (names.length === 0) return refused;
  const live = (await look())?.live;
  const stored = names.filter((name) => isSame(name, live?.values));
  // A read may be of a copy from before.
  if (stored.length === 0) {
    const failure = refused.failure && inDoubt(refused.failure);
    return { ...unknown(`${refused.error}; ${names.join(", ")} may have been stored`, failure), only: names };
  }
  const error = `only ${stored.join(", ")} was stored: ${refused.error}`;
  return { status: "altered", error, live, failure: undefined, only: stored };
}
