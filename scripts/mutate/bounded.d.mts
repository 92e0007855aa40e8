export interface Ending {
  outcome: "passed" | "failed" | "time" | "memory" | "broken";
  file: string;
  tried: number;
  why?: string;
}
export function runFiles(
  tree: { tree: string },
  files: readonly string[],
  bounds: { limitMs: (file: string) => number; maxBytes?: number },
): Promise<Ending>;
