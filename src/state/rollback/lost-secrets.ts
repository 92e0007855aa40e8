import { grouped } from "../../base/grouped.ts";
import type { Change, Kind } from "../kind.ts";
import { findKind } from "../kinds/index.ts";
import { addressOfChange } from "../plan/plan-row.ts";
import type { Run, RunEntry } from "../runs/runs.ts";
import { isSameObject, mayHaveChanged } from "./undo-check.ts";

/** The addresses of the objects whose secrets a rollback cannot restore, by what these are. */
export function lostSecrets(
  changes: readonly Change[],
  entries: readonly RunEntry[],
  earlier: readonly Run[],
): Map<string, string[]> {
  // Of what an object loses besides, the words say more.
  const lost = new Map<string, string>([
    ...entries
      .filter(replacedSecrets)
      .map(({ address, secrets = [] }) => [address, `the secrets in ${secrets.join(", ")}; set them again`] as const),
    ...changes.filter(losesSecrets).map((change) => [addressOfChange(change), wordsFor(change.kind)] as const),
    ...entries
      .filter((entry) => isCutOff(entry, earlier))
      .map(({ address, kind }) => [address, wordsFor(findKind(kind))] as const),
  ]);
  const byWords = grouped(lost, ([, words]) => words);
  return new Map([...byWords].map(([words, found]) => [words, found.map(([address]) => address)]));
}

function wordsFor(kind: Kind | undefined): string {
  return hasHeaders(kind) ? "the secrets and the values of headers; set them again" : "the secrets; set them again";
}

/** A new URL drops a hook's token and headers, and removed objects had secrets that cannot be read. */
function losesSecrets(change: Pick<Change, "kind" | "action" | "desired" | "live" | "write">): boolean {
  const { kind, action } = change;
  const hasWriteOnly = hasHeaders(kind) || Object.values(kind.fields).some(({ writeOnly }) => writeOnly);
  return kind.loses?.(change) !== undefined || (action === "create" && hasWriteOnly);
}

/** Headers are shown without their values. */
function hasHeaders(kind: Kind | undefined): boolean {
  return Object.values(kind?.fields ?? {}).some(({ form }) => form === "keys");
}

/** An earlier rollback that was killed has lost the secrets of the object, and could not say so. */
function isCutOff(entry: RunEntry, earlier: readonly Run[]): boolean {
  const kind = findKind(entry.kind);
  const killed = earlier.filter(({ ended }) => ended === null);
  return killed.some(({ entries }) =>
    entries.some((each) => {
      if (kind === undefined || !isSameObject(each, entry) || !mayHaveChanged(each)) return false;
      const values = each.sent ?? {};
      const { action, before } = each;
      const live = before === null ? undefined : { values: before };
      const desired = { values, origin: { file: "", line: 0 } };
      return losesSecrets({ kind, action, desired, live, write: Object.keys(values) });
    }),
  );
}

/** A secret that the run sent is kept, since the previous one is unknown. */
function replacedSecrets({ before, secrets }: RunEntry): boolean {
  return before !== null && secrets !== undefined && secrets.length > 0;
}
