import { compareTexts } from "../../base/compare-texts.ts";
import { Failure } from "../../base/errors.ts";
import { groupsAbove } from "../../base/group-paths.ts";
import { pauses } from "../../base/next-turn.ts";
import { ownValue } from "../../base/own-value.ts";
import type { Context } from "../../context.ts";
import { isInShard } from "../../jobs/shard.ts";
import type { Declaration } from "../files/declaration.ts";
import { addressOf } from "../keys.ts";
import type { At, Kind, Scope, Section } from "../kind.ts";
import { kindsAt } from "../kinds/index.ts";
import { isLocal, type Reader, readerOf } from "../live/reader.ts";
import { rootOf } from "../pattern.ts";
import { Fleets } from "../patterns/fleets.ts";
import { Declared } from "../patterns/layers.ts";
import type { PlanOptions } from "./plan.ts";
import type { PlanRow } from "./plan-row.ts";
import { shardId } from "./plan-shard.ts";

// What the instance has and no file names: settings, and the groups and projects below the groups that patterns begin
// with. It is never a difference.

/** The rows of `--unmanaged`; what could not be read is a row as well. */
export async function findUnmanaged(
  context: Context,
  { sections }: Declaration,
  { only, projects, groups, shard }: PlanOptions,
): Promise<PlanRow[]> {
  if (projects !== undefined || groups !== undefined) return [];
  const reader = readerOf(context.api, context.config);
  const isAsked = (name: string) => only === undefined || only.includes(name);
  const records = kindsAt("instance").filter(({ name }) => isAsked(name) && isInShard(shard, "instance"));
  const fields: PlanRow[] = [];
  for (const kind of records) for (const each of await unnamedFields(reader, kind, sections)) fields.push(each);
  const declared = new Declared(sections);
  const scopes: Scope[] = [];
  for (const at of ["group", "project"] as const)
    for (const each of await unnamedScopes(context, reader, declared, at)) scopes.push(each);
  const rows = scopes
    .filter((scope) => isInShard(shard, shardId(scope)))
    .map(({ at, name, id = null }) => rowOf({ address: name, scope: name, kind: at, id, reason: "no file names it" }));
  return [...fields, ...rows];
}

/** The fields of a record of the instance, such as its settings. */
async function unnamedFields(reader: Reader, kind: Kind, sections: readonly Section[]): Promise<PlanRow[]> {
  const own = sections.filter((section) => section.kind === kind);
  const named = new Set(own.flatMap(({ entries }) => entries.flatMap(({ values }) => Object.keys(values))));
  const scope = { at: "instance", name: "" } as const;
  const base = { scope: null, kind: kind.name, id: null };
  try {
    const live = await reader.call(kind.read.endpoint, {});
    return Object.keys(live)
      .filter((name) => ownValue(kind.fields, name)?.readOnly === undefined && !named.has(name))
      .sort()
      .map((name) => {
        const address = addressOf(scope, kind, name);
        return { ...rowOf({ ...base, address, reason: "no file names it" }), key: name };
      });
  } catch (error) {
    if (!(error instanceof Failure) || !isLocal(error)) throw error;
    const reason = error.details.reason ?? error.message;
    const row = rowOf({ ...base, address: addressOf(scope, kind, ""), reason });
    return [{ ...row, action: "unreadable" }];
  }
}

/** What patterns leave out by `except` is named by them. Groups that cannot be listed are rows of the plan itself. */
async function unnamedScopes(
  context: Context,
  reader: Reader,
  declared: Declared,
  at: Exclude<At, "instance">,
): Promise<Scope[]> {
  const pause = pauses(context);
  const fleets = new Fleets(context, reader, at);
  const exact = new Set(declared.scopes().flatMap((scope) => (scope.at === at ? [scope.name.toLowerCase()] : [])));
  const found = new Map<string, Scope>();
  const roots = new Set<string>();
  const lists = new Set<readonly Scope[]>();
  for (const block of declared.blocks(at)) {
    const fleet = await fleets.of(block);
    if ("unreadable" in fleet) continue;
    roots.add(rootOf(block.pattern));
    lists.add(fleet.scopes);
  }
  for (const scope of [...lists].flat()) {
    await pause();
    const name = scope.name.toLowerCase();
    const isNamed = exact.has(name) || exact.has(String(scope.id)) || declared.isMatched(at, name);
    if (!isNamed && [...groupsAbove(name)].some((group) => roots.has(group))) found.set(name, scope);
  }
  return [...found.values()].sort((a, b) => compareTexts(a.name, b.name));
}

function rowOf(row: Pick<PlanRow, "address" | "scope" | "kind" | "id" | "reason">): PlanRow {
  const { address, scope, kind, id, reason } = row;
  const none = { lockout: null, preimage: null, file: null, line: null };
  return { address, scope, kind, key: null, id, action: "unmanaged", fields: [], ...none, reason };
}
