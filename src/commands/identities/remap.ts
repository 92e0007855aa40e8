import { getGroup } from "../../api/endpoints/places.ts";
import { group } from "../../api/endpoints/scope.ts";
import { entity, id, nullable, required, string, uncut } from "../../api/field.ts";
import { Failure } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";
import { commandLine } from "../../base/shell-words.ts";
import { counted } from "../../base/wording.ts";
import type { Context } from "../../context.ts";
import { type Command, command, type Explained } from "../../declare/command.ts";
import { resultsOf } from "../../jobs/job.ts";
import { journalFlag } from "../../jobs/journal.ts";
import { Tally } from "../../jobs/tally.ts";
import type { RowsView } from "../../terminal/view.ts";
import { readTextSource } from "../../transfer/source.ts";
import { confirm, confirmed, refuseUnasked } from "../../verbs/confirm.ts";
import { printUndo } from "../../verbs/undo.ts";
import type { Besides, IdentityApi } from "./identity-api.ts";
import { Findings, type Pair, readMap } from "./map.ts";
import { factsOf, isKnown, Mover, type Outcome } from "./moves.ts";
import { openRecord, type Place, placeOf, type RunRecord, recall, recallReversed, refuseOwnReverse } from "./record.ts";
import { type Identity, keyOf, type Plan, planMoves, temporaryOf, type Unit } from "./remap-plan.ts";

const RemappedIdentity = entity("RemappedIdentity", {
  old: uncut("The old UID"),
  new: uncut("The new UID"),
  user_id: nullable(id("User whose identity it is")),
  status: string(
    "changed, unchanged, refused, failed, stale, unknown, or not_tried; in a dry run planned, or temporary for a temporary UID",
  ),
  error: nullable(uncut()),
});

interface Kind extends IdentityApi, Explained {
  /** The noun for one of them: "SAML identity". */
  readonly noun: string;
  readonly besides?: Besides;
}

/** A verb for SAML and SCIM: changes the UIDs of many identities, from a map of old and new ones. */
export function remapIdentities({ noun, besides, details = "", ...kind }: Kind): Command {
  const { path, list, get, update, ...explained } = kind;
  return command({
    name: "remap",
    verb: "remap",
    summary: `Give many ${noun.replace("identity", "identities")} new UIDs, from a CSV file of old and new ones`,
    details:
      "The map is CSV, one pair per line: old,new; that header, blank lines, and lines that start with # " +
      "are ignored. Before anything is changed, all mistakes are listed: old UIDs that do not exist, new UIDs that " +
      "another user has, repetitions, lines that are not a pair. UIDs may be chained or swapped: a cycle is broken with a " +
      "temporary UID. Each identity is read right before its change and after it: if another user has the old UID by " +
      `then, nothing is sent (stale). ${details}The reverse map is written first, beside the ` +
      "journal; without --journal both are in the state folder, and the same command resumes an interrupted run.",
    params: {
      group: required(group),
      map: required(string("CSV file of old and new UIDs; - is stdin", { placeholder: "file|-", completes: "file" })),
      journal: journalFlag,
    },
    requests: [list, update, get, getGroup],
    returns: RemappedIdentity,
    prints: "rows",
    ...explained,
    async run(context, { group, map: source, journal }): Promise<RowsView> {
      const findings = new Findings();
      const text = await readTextSource(context, source);
      const pairs = readMap(text, source === "-" ? "stdin" : source, findings);
      const nouns = noun.replace("identity", pairs.length === 1 ? "identity" : "identities");
      const question = { action: `change the UIDs of ${pairs.length} ${nouns} of group ${group}` };
      if (!findings.any) await refuseUnasked(context, question);
      const map = source === "-" ? source : ((await context.files.real(source)) ?? source);
      const place = await placeOf(context, { path, group, journal, map }).catch((error: unknown) => {
        // Problems with the map itself are reported first.
        throw findings.any ? findings.error() : error;
      });
      await refuseOwnReverse(context, place, map);
      const plan = await makePlan(context, { kind, group, map, pairs, findings, place });
      const sent = plan.units.reduce((sum, { steps }) => sum + steps.length, 0);
      const { dryRun, yes } = context.config;
      if (besides !== undefined && sent > 0 && (dryRun || yes)) context.warn(besides.many);
      if (dryRun || plan.isApplied === true) return { rows: planRows(plan), ...shown };
      if (sent > 0) {
        const more = besides === undefined ? "" : ` (${counted(sent, "email")} to users; ${besides.asked})`;
        await confirm(context, { action: `${question.action}${more}` });
      }
      const again = [...path, "remap", "-g", group, "--map", source];
      if (journal !== undefined) again.push("--journal", journal);
      const hint = `forgectl ${commandLine([...again, ...confirmed(context)])}`;
      return {
        rows: changes(context, { kind, group, pairs, plan, place, hint }),
        ...shown,
        validIfPartial: true,
      };
    },
  });
}

const shown = { columns: ["old", "new", "status", "error"], entity: RemappedIdentity };

interface Planning {
  kind: IdentityApi;
  group: string;
  map: string;
  pairs: readonly Pair[];
  findings: Findings;
  place: Place;
}

/** The plan, or a UsageError with all problems. */
async function makePlan(context: Context, { kind, group, map, pairs, findings, place }: Planning): Promise<Plan> {
  const remembered = await recall(context, place, map);
  const isReversed = await recallReversed(context, place);
  const identities: Identity[] = [];
  try {
    const rows: AsyncIterable<unknown> = context.api.list(kind.list, { group }, { limit: undefined });
    for await (const row of rows) if (isIdentity(row)) identities.push(row);
  } catch (error) {
    // Problems with the map itself are reported first.
    throw findings.any ? findings.error() : error;
  }
  const plan = planMoves(pairs, identities, remembered, findings, isReversed);
  if (findings.any) throw findings.error();
  const moving = new Set(plan.units.flatMap(({ moves }) => moves.map(({ from }) => from)));
  for (const { extern_uid: uid, user_id } of identities) {
    if (uid !== temporaryOf(user_id) || moving.has(uid)) continue;
    context.warn(
      `user ${user_id} has the UID ${uid}, which an earlier remap left, and no pair of this map replaces it`,
    );
  }
  if (plan.done.length > 0) {
    context.notice(`${plan.done.length} of ${pairs.length} are done: the new UIDs exist`);
  }
  return plan;
}

/** An identity may have no UID yet. */
function isIdentity(row: unknown): row is Identity {
  return isObject(row) && typeof row.extern_uid === "string" && typeof row.user_id === "number";
}

/** The changes in the order of a run. */
function planRows({ units, unchanged }: Plan): object[] {
  const steps = units.flatMap((unit) => unit.steps);
  return [
    ...unchanged.map(unchangedRow),
    ...steps.map(({ move, from, to }) => ({
      old: from,
      new: to,
      user_id: move.user,
      status: to === move.pair.new ? "planned" : "temporary",
      error: null,
    })),
  ];
}

function unchangedRow({ old, new: wanted }: Pair): object {
  return { old, new: wanted, user_id: null, status: "unchanged", error: null };
}

interface Changing {
  kind: IdentityApi;
  group: string;
  pairs: readonly Pair[];
  plan: Plan;
  place: Place;
  /** The command that completes the rest. */
  hint: string;
}

/** One row per pair as it is done; the reverse map is written before the first change. */
async function* changes(context: Context, { kind, group, pairs, plan, place, hint }: Changing): AsyncGenerator<object> {
  yield* plan.unchanged.map(unchangedRow);
  const moves = plan.units.flatMap((unit) => unit.moves);
  // In the order of the map, including pairs already done, so that a later run finds the file of an earlier one.
  const undone = pairs.filter((pair) => pair.old !== pair.new);
  const record = await openRecord(
    context,
    place,
    undone,
    moves.map((move) => ({ id: keyOf(move.pair), facts: factsOf(move) })),
  );
  let whole = false;
  let isMade = false;
  const observe = ({ error }: Outcome) => {
    isMade ||= error === undefined || !isKnown(error);
  };
  try {
    const mover = new Mover(context, kind, group, record.journal);
    yield* results(context, { mover, units: plan.units, hint, observe });
    whole = true;
  } finally {
    if (record.reverse !== undefined && isMade) {
      printUndo(context, commandLine([...kind.path, "remap", "-g", group, "--map", record.reverse]));
    }
    await close(record, whole);
  }
}

/** Once all is done, the default journal is removed, unless it is still needed; one that was named is kept. */
async function close({ journal, remove }: RunRecord, whole: boolean): Promise<void> {
  await journal.close();
  if (whole) await remove();
}

interface Running {
  readonly mover: Mover;
  readonly units: readonly Unit[];
  readonly hint: string;
  observe(outcome: Outcome): void;
}

function results(context: Context, { mover, units, hint, observe }: Running): AsyncIterable<object> {
  const total = units.reduce((sum, { moves }) => sum + moves.length, 0);
  const tally = new Tally(context, total);
  const rowOf = (outcome: Outcome): object => {
    observe(outcome);
    const { move, error } = outcome;
    const row = { old: move.pair.old, new: move.pair.new, user_id: move.user };
    if (error === undefined) return { ...row, status: "changed", error: null };
    if (total === 1 && error instanceof Failure) throw error;
    return { ...row, ...tally.ended(error) };
  };
  return resultsOf<Unit, object>(context, {
    items: units,
    progress: { label: "changing UIDs", count: total },
    ordered: true,
    act: async (unit, emit) => (await mover.run(unit)).map(rowOf).forEach(emit),
    conclude: () => tally.conclude({ hint }),
  });
}
