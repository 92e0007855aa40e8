import { nearest } from "../base/nearest.ts";
import { readBoolean } from "../base/read-value.ts";
import type { Environment } from "../host.ts";

// The variables of this program by their names: one that was mistyped would say nothing, and a guard would not hold.

const prefix = "FORGECTL_";

/** All of this program's own, without the prefix. */
export const ownVariables: readonly string[] = [
  ...["BASE_URL", "TOKEN", "TOKEN_FILE", "JOB_TOKEN", "PROFILE", "READ_ONLY", "SANDBOX", "PROJECT", "GROUP", "OUTPUT"],
  ...["REGISTRY_URL", "REGISTRY_USER", "REGISTRY_PASSWORD", "NO_INPUT", "DEBUG", "CA_FILE", "TIMEOUT", "RETRIES"],
  ...["CONCURRENCY", "MAX_ANSWER", "COMPLETION_TIMEOUT", "CONFIG_DIR", "STATE_DIR", "HYPERLINKS"],
];

/** Names that would be taken for a guard, with what is one. */
const guards: ReadonlyMap<string, string> = new Map([
  ["READ_ONLY", "did you mean FORGECTL_READ_ONLY?"],
  ["DRY_RUN", "--dry-run is a flag"],
  ["PROTECT", "protect is a key of profiles"],
]);

/** The variables that would be guards by their names, and are on, with what was meant: nothing may be changed. */
export function mistypedGuards(env: Environment): [name: string, meant: string][] {
  return unknownIn(env).flatMap((name) => {
    const remedy = guards.get(meantBy(name, [...ownVariables, ...guards.keys()]) ?? "");
    return remedy === undefined || readBoolean(env[name] ?? "") === false ? [] : [[name, remedy]];
  });
}

/** What to say of variables that are named like one of this program's, which is not set. */
export function* mistypedVariables(env: Environment): Generator<string> {
  const held = new Map(mistypedGuards(env));
  for (const [name, remedy] of held)
    yield `${name} is not a variable of this program, and changes are refused: ${remedy}`;
  for (const name of unknownIn(env)) {
    const meant = meantBy(name, ownVariables);
    if (held.has(name) || meant === undefined || env[`${prefix}${meant}`]) continue;
    yield `${name} is not a variable of this program: did you mean ${prefix}${meant}?`;
  }
}

/** A name with another word in it is a variable of the user's own: FORGECTL_READ_ONLY_URL. */
function meantBy(name: string, candidates: readonly string[]): string | undefined {
  const typed = name.slice(prefix.length);
  return nearest(
    typed,
    candidates.filter((each) => typed.length - each.length <= 2),
  );
}

function unknownIn(env: Environment): string[] {
  const isOwn = (name: string) => ownVariables.includes(name.slice(prefix.length));
  return Object.keys(env).filter((name) => name.startsWith(prefix) && env[name] && !isOwn(name));
}
