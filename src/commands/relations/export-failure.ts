import { Failure } from "../../base/errors.ts";
import { commandLine } from "../../base/shell-words.ts";
import type { Entry } from "./export-end.ts";

interface Requested {
  project: string;
  batched?: boolean | undefined;
}

/** Throws the errors of the relations that the instance could not export. */
export function refuseFailed({ project, batched }: Requested, entries: readonly Entry[]): void {
  const problems = new Map<string, string[]>();
  for (const { relation, status, error, batches, batches_count: count } of entries) {
    // Those of a relation that has become empty are of an export before.
    for (const [index, batch] of (count === 0 ? [] : (batches ?? [])).entries()) {
      if (batch.status !== -1) continue;
      problems.set(`${relation}.${batch.batch_number ?? index + 1}`, [batch.error ?? "failed"]);
    }
    if (status === -1) problems.set(relation, [error ?? "failed"]);
  }
  if (problems.size === 0) return;
  const names = new Set([...problems.keys()].map((name) => name.split(".")[0]));
  // As in relations pull: the others were exported.
  throw new Failure(
    entries.length > names.size ? "partial" : "refused",
    `${names.size} of ${entries.length} relations could not be exported`,
    {
      code: "export_failed",
      fields: Object.fromEntries(problems),
      hint: `forgectl ${commandLine(["relations", "export", "-p", project, "--wait", ...(batched ? ["--batched"] : [])])}`,
    },
  );
}
