import type { Mutant } from "./mutants.mjs";
export function instrument(
  text: string,
  mutants: readonly Mutant[],
  options: { first: number; switchPath: string },
): string;
