import type { Field, Fields } from "../api/field.ts";
import { missing, UsageError } from "../base/errors.ts";
import { oneOf } from "../base/wording.ts";
import type { Config, Given } from "../config/config.ts";
import { type FlagDescription, flagUsage, parsedFlags } from "./describe.ts";
import { placeName } from "./place-name.ts";

const flags = { project: "-p, --project", group: "-g, --group" };
const ways = {
  project: "-p, FORGECTL_PROJECT, a profile's project, or CI_PROJECT_ID in a CI job",
  group: "-g, FORGECTL_GROUP, or a profile's group",
};

type Scope = keyof typeof ways;
type Input = Record<string, unknown>;

/**
 * Fills in the scope flags that were not given, from the configuration. If a command takes a project or a group,
 * exactly one remains: the one that the parent is in; otherwise the flag, then the environment's or the
 * profile's, if it names only one of them.
 */
export function resolveScope(params: Fields, input: Input, config: Config, isToChange = false): Input {
  const resolved = chooseScope(params, input, config);
  const names: Input = {};
  for (const [name, { scope }] of Object.entries(params)) {
    const value = resolved[name];
    if (scope === undefined || typeof value !== "string") continue;
    const label = input[name] === undefined ? (config[scope]?.source ?? scope) : `--${name}`;
    names[name] = placeName(value, scope, label, config, isToChange);
  }
  return { ...resolved, ...names };
}

function chooseScope(params: Fields, input: Input, config: Config): Input {
  const fields = Object.entries(params).filter(([, field]) => field.scope !== undefined);
  if (fields.length === 0) return input;
  const own = parsedFlags(params).find(({ name, field }) => field.ownScope && input[name] !== undefined);
  // The command refuses a scope that was typed beside it.
  if (own !== undefined) return input;
  const typed = fields.filter(([name]) => input[name] !== undefined);
  for (const [name] of typed) refuseEmpty(name, input[name]);
  const parents = parsedFlags(params).filter(({ field }) => field.within !== undefined && field.refused === undefined);
  if (parents.length > 0) return resolveWithin(parents, fields, input, config);
  if (fields.length === 1) return resolveOne(fields[0] as [string, Field], input, config);
  if (typed.length > 1) throw new UsageError(`give only one of ${typed.map(([name]) => `--${name}`).join(" and ")}`);
  if (typed.length === 1) return input;
  return resolveEither(fields, input, config);
}

/** The required scope, if nothing determines it; a parent determines its own. */
export function missingScope(params: Fields, input: Input, config: Config): [string, Field] | undefined {
  const fields = Object.entries(params).filter(([, { scope }]) => scope !== undefined);
  const [only, second] = fields;
  if (only === undefined || second !== undefined) return undefined;
  const [name, { required, scope }] = only;
  return required && input[name] === undefined && config[scope as Scope] === undefined ? only : undefined;
}

function resolveOne([name, field]: [string, Field], input: Input, config: Config): Input {
  if (input[name] !== undefined) return input;
  const scope = field.scope as Scope;
  const given = config[scope];
  if (given !== undefined) return { ...input, [name]: given.value };
  if (!field.required) return input;
  throw missing(flags[scope], {
    code: "missing_scope",
    hint: `give it with ${ways[scope]}`,
  });
}

/** Exactly one parent must be given; it determines the scope, so that no default can conflict with it. */
function resolveWithin(
  parents: readonly FlagDescription[],
  fields: readonly [string, Field][],
  input: Input,
  config: Config,
): Input {
  const [parent, second] = parents.filter(({ name }) => input[name] !== undefined);
  if (parent === undefined) {
    throw missing(oneOf(parents.map(flagUsage)), { code: "missing_parent" });
  }
  if (second !== undefined) throw new UsageError(`give only one of ${parent.long} and ${second.long}`);
  const scope = parent.field.within as Scope;
  for (const [name, field] of fields) {
    if (field.scope === scope || input[name] === undefined) continue;
    throw new UsageError(`${parent.long} is in a ${scope}: give --${scope} instead of --${name}`);
  }
  const [name, field] = fields.find(([, each]) => each.scope === scope) as [string, Field];
  return resolveOne([name, { ...field, required: true }], input, config);
}

function resolveEither(fields: readonly [string, Field][], input: Input, config: Config): Input {
  const given = fields.flatMap(([name, field]) => {
    const found: Given | undefined = config[field.scope as Scope];
    return found === undefined ? [] : [{ name, found }];
  });
  const [only, second] = given;
  if (only === undefined) {
    throw missing(`${flags.project} or ${flags.group}`, {
      code: "missing_scope",
      hint: `give ${ways.project}; or ${ways.group}`,
    });
  }
  if (second !== undefined) {
    throw new UsageError(
      `both a project (${config.project?.source}) and a group (${config.group?.source}) are set; say which with -p or -g`,
    );
  }
  return { ...input, [only.name]: only.found.value };
}

function refuseEmpty(name: string, value: unknown): void {
  if (String(value).trim() === "") throw new UsageError(`--${name}: is empty`);
}
