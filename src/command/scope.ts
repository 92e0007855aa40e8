import type { Field, Fields } from "../api/field.ts";
import type { Config, Given } from "../config/types.ts";
import { UsageError } from "../errors.ts";

const ways = {
  project: "-p/--project, FORGECTL_PROJECT, a profile's project, or CI_PROJECT_ID in a CI job",
  group: "-g/--group, FORGECTL_GROUP, or a profile's group",
};

type Scope = keyof typeof ways;
type Input = Record<string, unknown>;

/**
 * Fills in the scope flags that were not typed, from what is in force. Where a command takes a project or a group,
 * exactly one is left: a typed one first, then the environment's or the profile's if it names only one of them.
 */
export function resolveScope(params: Fields, input: Input, config: Config): Input {
  const fields = Object.entries(params).filter(([, field]) => field.scope !== undefined);
  if (fields.length === 0) return input;
  const typed = fields.filter(([name]) => input[name] !== undefined);
  for (const [name] of typed) refuseEmpty(name, input[name]);
  if (fields.length === 1) return resolveOne(fields[0] as [string, Field], input, config);
  if (typed.length > 1) throw new UsageError(`give only one of ${typed.map(([name]) => `--${name}`).join(" and ")}`);
  if (typed.length === 1) return input;
  return resolveEither(fields, input, config);
}

function resolveOne([name, field]: [string, Field], input: Input, config: Config): Input {
  if (input[name] !== undefined) return input;
  const scope = field.scope as Scope;
  const given = config[scope];
  if (given !== undefined) return { ...input, [name]: given.value };
  if (!field.required) return input;
  throw new UsageError(`which ${scope}? None was given`, {
    code: "missing_scope",
    hint: `give it with ${ways[scope]}`,
  });
}

function resolveEither(fields: readonly [string, Field][], input: Input, config: Config): Input {
  const given = fields.flatMap(([name, field]) => {
    const found: Given | undefined = config[field.scope as Scope];
    return found === undefined ? [] : [{ name, found }];
  });
  const [only, second] = given;
  if (only === undefined) {
    throw new UsageError("which project or group? None was given", {
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
