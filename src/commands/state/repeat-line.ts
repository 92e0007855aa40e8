import type { Chosen } from "./flags.ts";

/** The words of the same command, with --yes. */
export function again(
  path: readonly string[],
  chosen: Chosen & { max_delete?: string | undefined; allow_lockout?: boolean | undefined },
): string[] {
  const repeated = (flag: string, values: readonly string[] | undefined) =>
    (values ?? []).flatMap((each) => [flag, each]);
  return [
    ...path,
    ...repeated("-f", chosen.file),
    ...repeated("-p", chosen.project),
    ...repeated("-g", chosen.group),
    ...repeated("--only", chosen.only),
    ...(chosen.prune ? ["--prune"] : []),
    ...(chosen.secrets === undefined || chosen.secrets === "auto" ? [] : ["--secrets", chosen.secrets]),
    ...(chosen.max_delete === undefined ? [] : ["--max-delete", chosen.max_delete]),
    ...(chosen.allow_lockout ? ["--allow-lockout"] : []),
    "--yes",
  ];
}
