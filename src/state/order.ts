import { findSetting } from "../settings/catalogue.ts";
import type { Change } from "./kind.ts";
import { settingsKind } from "./kinds/settings.ts";

/** Changes that can be made concurrently by scope; those that can lock users out come last, if all others succeeded. */
interface Phase {
  readonly scopes: readonly (readonly Change[])[];
  readonly onlyIfOthersSucceeded: boolean;
}

/**
 * The order of changes: settings without lockout risk, groups, projects, settings with lockout risk; settings alone are
 * one request. Within a scope: add and change, then restrict, then remove.
 */
export function phases(changes: readonly Change[]): Phase[] {
  const settings = changes.filter(({ kind }) => kind === settingsKind);
  const alone = (list: Change[]) => (list.length === 0 ? [] : [list]);
  if (settings.length === changes.length) return [{ scopes: alone(settings), onlyIfOthersSucceeded: false }];
  const safe = settings.flatMap((change) => part(change, false));
  const risky = settings.flatMap((change) => part(change, true));
  const at = (place: Change["scope"]["at"]) =>
    byScope(changes.filter(({ scope, kind }) => scope.at === place && kind !== settingsKind));
  return [
    { scopes: alone(safe), onlyIfOthersSucceeded: false },
    { scopes: at("group"), onlyIfOthersSucceeded: false },
    { scopes: at("project"), onlyIfOthersSucceeded: false },
    { scopes: alone(risky), onlyIfOthersSucceeded: true },
  ].filter(({ scopes }) => scopes.length > 0);
}

/** The fields of a change that can lock users out, or the others. */
function part(change: Change, risky: boolean): Change[] {
  const write = change.write.filter((name) => (findSetting(name)?.lockout === true) === risky);
  if (write.length === 0) return [];
  const fields = change.fields.filter(({ path }) => write.includes(path));
  return [{ ...change, write, fields, desired: only(change.desired, write) }];
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
  return restricts(change) ? 1 : 0;
}

/** A project is restricted after additions to its allowlists, so that no listed project loses access in between. */
export function restricts({ desired, kind }: Change): boolean {
  return kind.name === "job_token_scope" && desired?.values.inbound_enabled === true;
}
