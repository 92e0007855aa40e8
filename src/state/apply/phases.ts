import type { Change } from "../kind.ts";
import { isSentAlong } from "../live/field-changes.ts";
import { isRemoval, isWrite } from "../plan/plan.ts";

/** Changes that can be made concurrently by scope; those that can lock users out come last, if all others succeeded. */
interface Phase {
  readonly scopes: readonly (readonly Change[])[];
  readonly onlyIfOthersSucceeded: boolean;
}

/**
 * The order of the changes of a plan: settings, groups, projects, and then what can lock users out, of groups and
 * projects and last of the settings. Settings alone are one request, if nothing was unreadable. Within a scope: add and
 * change, then restrict, then remove.
 */
export function phases(plan: readonly Change[]): Phase[] {
  const changes = plan.filter(isWrite);
  const settings = changes.filter(({ scope }) => scope.at === "instance");
  const isAlone = settings.length === plan.length && settings.length === 1;
  if (isAlone) return [{ scopes: [settings], onlyIfOthersSucceeded: false }];
  const split = settings.map(parts);
  const others = (at: Change["scope"]["at"], locks: boolean) =>
    byScope(changes.filter(({ scope, lockout }) => scope.at === at && (lockout !== undefined) === locks));
  return [
    { scopes: byScope(split.flatMap(({ safe }) => safe)), onlyIfOthersSucceeded: false },
    { scopes: others("group", false), onlyIfOthersSucceeded: false },
    { scopes: others("project", false), onlyIfOthersSucceeded: false },
    { scopes: others("group", true), onlyIfOthersSucceeded: true },
    { scopes: others("project", true), onlyIfOthersSucceeded: true },
    { scopes: byScope(split.flatMap(({ risky }) => risky)), onlyIfOthersSucceeded: true },
  ].filter(({ scopes }) => scopes.length > 0);
}

/**
 * The scopes (see `scopeKey`) with entries of an allowlist or links that could not be read or compared, so that they
 * are not added: to restrict the project, or to remove links, would take access from what the file allows.
 */
export function unpreparedIn(plan: readonly Change[]): Set<string> {
  const isMissing = ({ action, kind, desired }: Change) =>
    action === "unreadable" && kind.gives && Object.keys(desired?.values ?? {}).length > 0;
  return new Set(plan.filter(isMissing).map(scopeKey));
}

/** Whether it takes access that an entry of another list of the same scope may be meant to give. */
export function narrows(change: Change): boolean {
  return change.kind.restricts?.(change) === true || (isRemoval(change) && change.kind.gives === true);
}

/** A group and a project may have one ID. */
export function scopeKey({ scope }: Change): string {
  return `${scope.at} ${scope.name}`;
}

interface Parts {
  readonly safe: Change[];
  readonly risky: Change[];
}

/**
 * The fields of a change that can lock users out, with what must be sent along with them, and the others. The last part
 * is checked by all that is declared, as the whole would be.
 */
function parts(change: Change): Parts {
  const { kind, desired } = change;
  const along = new Set(change.fields.filter(isSentAlong).map(({ path }) => path));
  const isAlong = (name: string) => along.has(name);
  const own = change.write.filter((name) => !isAlong(name));
  const dangers = kind.risky?.(change) ?? (change.lockout === undefined ? [] : own);
  const withAlong = (write: string[]) => [...write, ...(kind.sentAlong?.({ ...change, write }, isAlong) ?? [])];
  const last = withAlong(own.filter((name) => dangers.includes(name)));
  const first = withAlong(own.filter((name) => !last.includes(name)));
  const safe = { ...change, lockout: undefined, desired: last.length === 0 ? desired : only(desired, first) };
  return { safe: part(safe, first), risky: part(change, last) };
}

function part(change: Change, write: readonly string[]): Change[] {
  if (write.length === 0) return [];
  return [{ ...change, write, fields: change.fields.filter(({ path }) => write.includes(path)) }];
}

function only(desired: Change["desired"], names: readonly string[]): Change["desired"] {
  if (desired === undefined) return undefined;
  const values = Object.entries(desired.values).filter(([name]) => names.includes(name));
  return { ...desired, values: Object.fromEntries(values) };
}

function byScope(changes: readonly Change[]): Change[][] {
  const scopes = new Map<string, Change[]>();
  for (const change of changes) {
    const list = scopes.get(change.scope.name);
    if (list === undefined) scopes.set(change.scope.name, [change]);
    else list.push(change);
  }
  return [...scopes.values()].map((list) => list.toSorted((a, b) => rank(a) - rank(b)));
}

function rank(change: Change): number {
  if (change.desired === undefined) return 2;
  return change.kind.restricts?.(change) ? 1 : 0;
}
