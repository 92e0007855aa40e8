import { createHash } from "node:crypto";
import { type Findings, fold, type Pair } from "./map.ts";

/** The current user of a UID. */
export interface Identity {
  readonly extern_uid: string;
  readonly user_id: number;
}

/** What an earlier run recorded about a pair: the user of the identity, whatever its UID is now. */
export interface Remembered {
  readonly user_id: number;
  /** The run that is undone left the identity as it was. */
  readonly isOthers?: boolean;
}

/** A pair to process. */
export interface Move {
  readonly pair: Pair;
  readonly user: number;
  /** The current UID: the old one, or a temporary one that an earlier run left. */
  readonly from: string;
}

/** One change of a UID. */
export interface Step {
  readonly move: Move;
  readonly from: string;
  readonly to: string;
}

/** Steps that must be made together, or a single one. */
export interface Unit {
  readonly moves: readonly Move[];
  readonly steps: readonly Step[];
  /** Must be done first: it frees the new UID. */
  readonly after: Unit | undefined;
  /** It uses a temporary UID: once started, it is completed or rolled back. */
  readonly bound: boolean;
}

export interface Plan {
  /** Ordered so that every new UID is free when it is needed. */
  readonly units: readonly Unit[];
  /** Pairs that an earlier run completed. */
  readonly done: readonly Pair[];
  /** Pairs whose old and new UID are the same. */
  readonly unchanged: readonly Pair[];
  /** The whole map was applied by another run. */
  readonly isApplied?: boolean;
}

/** The key of a pair in a journal. */
export function keyOf({ old, new: wanted }: Pick<Pair, "old" | "new">): string {
  return JSON.stringify([old, wanted]);
}

/** The temporary UID of a user's identity until the new one is free. */
export function temporaryOf(user: number): string {
  return `forgectl-remap-${user}-${createHash("sha256").update(`forgectl remap ${user}`).digest("hex").slice(0, 12)}`;
}

/**
 * Plans the changes and their order; problems are added to `findings`.
 *
 * @param isReversed whether a run of this machine wrote how to undo the pair
 */
export function planMoves(
  pairs: readonly Pair[],
  identities: readonly Identity[],
  remembered: (pair: Pair) => Remembered | undefined,
  findings: Findings,
  isReversed: (pair: Pair) => boolean = () => false,
): Plan {
  const holders = new Map(identities.map((identity) => [identity.extern_uid, identity.user_id]));
  // No journal knows of it, but the instance shows the result of the whole map.
  const isApplied = (pair: Pair) =>
    remembered(pair) === undefined && !holders.has(pair.old) && holders.has(pair.new) && pair.old !== pair.new;
  if (pairs.every(isApplied)) {
    if (pairs.every(isReversed)) return { units: [], done: pairs, unchanged: [], isApplied: true };
    // A map with its columns the wrong way round looks the same.
    findings.hint =
      "compare the map with the identities as they are: another machine may have made these changes, or the columns may " +
      "be the wrong way round";
  }
  const done: Pair[] = [];
  const unchanged: Pair[] = [];
  const moves: Move[] = [];
  const names = spellings(identities);
  for (const pair of pairs) {
    const { user_id: known, isOthers = false } = remembered(pair) ?? {};
    const user = known ?? holders.get(pair.old);
    const has = (uid: string) => user !== undefined && holders.get(uid) === user;
    const from = [pair.old, ...(known === undefined ? [] : [temporaryOf(known)])].find(has);
    if (known !== undefined && has(pair.new)) done.push(pair);
    else if (isOthers && from !== temporaryOf(user ?? 0)) unchanged.push(pair);
    else if (user === undefined) findings.add(pair.place, missing(pair, names, holders.get(pair.new)));
    else if (from === undefined)
      findings.add(pair.place, `user ${user}, who had the old UID ${pair.old}, has a different one now`);
    else if (pair.old === pair.new) unchanged.push(pair);
    else moves.push({ pair, user, from });
  }
  return { units: unitsOf(moves, identities, findings), done, unchanged };
}

function spellings(identities: readonly Identity[]): ReadonlyMap<string, string> {
  return new Map(identities.map(({ extern_uid }) => [fold(extern_uid), extern_uid]));
}

/** @param holder the user who has the new UID: it may have been changed already */
function missing({ old }: Pair, names: ReadonlyMap<string, string>, holder: number | undefined): string {
  // `-o csv` puts an apostrophe before text that a spreadsheet would run as a formula.
  const near = names.get(fold(old)) ?? (old.startsWith("'") ? names.get(fold(old.slice(1))) : undefined);
  const changed = holder === undefined ? "" : `; user ${holder} has the new one`;
  return `no identity has the old UID ${old}${near === undefined ? changed : `; one has ${near}`}`;
}

function unitsOf(moves: readonly Move[], identities: readonly Identity[], findings: Findings): Unit[] {
  const before = blockers(moves, identities, findings);
  const blocked = new Map([...before].map(([move, blocker]) => [blocker, move]));
  const chains: Move[][] = [];
  const left = new Set(moves);
  for (const head of moves.filter((move) => !before.has(move))) {
    const chain: Move[] = [];
    for (let move: Move | undefined = head; move !== undefined; move = blocked.get(move)) {
      chain.push(move);
      left.delete(move);
    }
    chains.push(chain);
  }
  const units = chains.flatMap(chainUnits).toSorted((a, b) => a.depth - b.depth);
  return [...units.map(({ unit }) => unit), ...cycles(left, before).map(cycleUnit)];
}

/** For each move, the one that must come first because it frees the new UID, if any. */
function blockers(moves: readonly Move[], identities: readonly Identity[], findings: Findings): Map<Move, Move> {
  const holders = new Map<string, Identity[]>();
  for (const identity of identities) {
    const key = fold(identity.extern_uid);
    const known = holders.get(key);
    if (known === undefined) holders.set(key, [identity]);
    else known.push(identity);
  }
  const leaving = new Map(moves.map((move) => [move.from, move]));
  const before = new Map<Move, Move>();
  for (const move of moves) {
    const { pair, from } = move;
    for (const { extern_uid, user_id } of holders.get(fold(pair.new)) ?? []) {
      // A user may have another identity with it.
      if (extern_uid === from) continue;
      const blocker = leaving.get(extern_uid);
      if (blocker === undefined) findings.add(pair.place, `user ${user_id} has the new UID ${extern_uid}`);
      else if (before.has(move)) findings.add(pair.place, `several have the new UID ${pair.new}, ignoring case`);
      else before.set(move, blocker);
    }
  }
  return before;
}

/** One unit per change; if an earlier run left a temporary UID, the whole chain is one unit. */
function chainUnits(chain: readonly Move[]): { unit: Unit; depth: number }[] {
  const stepOf = (move: Move): Step => ({ move, from: move.from, to: move.pair.new });
  if (chain.some(({ from, pair }) => from !== pair.old)) {
    return [{ unit: { moves: chain, steps: chain.map(stepOf), after: undefined, bound: true }, depth: 0 }];
  }
  let after: Unit | undefined;
  return chain.map((move, depth) => {
    const unit: Unit = { moves: [move], steps: [stepOf(move)], after, bound: false };
    after = unit;
    return { unit, depth };
  });
}

/** Moves that form a cycle, each after the one that frees its new UID. */
function cycles(left: Set<Move>, before: ReadonlyMap<Move, Move>): Move[][] {
  const found: Move[][] = [];
  for (const first of left) {
    const cycle: Move[] = [];
    for (let move = before.get(first); move !== undefined && left.delete(move); move = before.get(move)) {
      cycle.unshift(move);
    }
    if (cycle.length > 0) found.push(cycle);
  }
  return found;
}

/** The first identity gets a temporary UID, which frees its old one for the last; at the end its new one is free. */
function cycleUnit(cycle: readonly Move[]): Unit {
  const [first, ...others] = cycle as [Move, ...Move[]];
  const temporary = temporaryOf(first.user);
  return {
    moves: cycle,
    steps: [
      { move: first, from: first.from, to: temporary },
      ...others.map((move) => ({ move, from: move.from, to: move.pair.new })),
      { move: first, from: temporary, to: first.pair.new },
    ],
    after: undefined,
    bound: true,
  };
}
