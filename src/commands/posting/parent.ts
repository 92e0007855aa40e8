import { type AnyEndpoint, type Endpoint, pathNames } from "../../api/endpoint.ts";
import { epic_id, issue_iid, merge_request_iid, snippet_id } from "../../api/endpoints/parents.ts";
import { group, project } from "../../api/endpoints/scope.ts";
import type { Field, Fields } from "../../api/field.ts";
import { UsageError } from "../../base/errors.ts";
import { parsedFlags } from "../../declare/describe.ts";

const parents = { issue_iid, merge_request_iid, snippet_id, epic_id };
type Parent = keyof typeof parents;

const plurals: Record<Parent, string> = {
  issue_iid: "issues",
  merge_request_iid: "merge requests",
  snippet_id: "snippets",
  epic_id: "epics",
};

/** The flags that name what notes and discussions hang on, and where it is. */
type ParentFlags = typeof parents & { project: typeof project; group: typeof group };

/**
 * The parent flags of a command. `refused` says of a parent why there is no such command for it; its flag is then left
 * out of help, and giving it is a usage error with that reason.
 */
export function parentFlags(refused: Partial<Record<Parent, string>> = {}): ParentFlags {
  const flags: Record<string, Field> = {};
  for (const [name, field] of Object.entries(parents)) {
    const reason = refused[name as Parent];
    flags[name] = reason === undefined ? field : { ...field, refused: reason };
  }
  const hasGroup = Object.values(flags).some(({ within, refused: why }) => within === "group" && why === undefined);
  const { scope: _, ...unscoped } = group;
  const groupFlag = hasGroup ? group : { ...unscoped, refused: "only epics are in a group" };
  return { ...flags, project, group: groupFlag } as ParentFlags;
}

/**
 * The one of a command's endpoints that serves the parent given. A flag that is of use with other parents only is
 * refused.
 */
export function endpointFor<O, S extends Fields>(
  endpoints: readonly Endpoint<never, O, S>[],
  input: object,
): Endpoint<object, O, S> {
  const given = Object.entries(input).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const parent = (Object.keys(parents) as Parent[]).find((name) => given.includes(name));
  const endpoint = endpoints.find((each) => parentOf(each) === parent);
  if (parent === undefined || endpoint === undefined) throw new Error(`no endpoint for ${parent ?? "no parent"}`);
  const taken: Fields = Object.assign({}, ...endpoints.map(({ params }) => params));
  for (const { name, long } of parsedFlags(taken)) {
    if (name in endpoint.params || !given.includes(name)) continue;
    const others = endpoints.filter((each) => name in each.params).map((each) => plurals[parentOf(each)]);
    throw new UsageError(
      `${long}: not for ${plurals[parent]}, only for ${new Intl.ListFormat("en-US").format(others)}`,
    );
  }
  // The parent flag given is in its path, which is all that the input's type could say.
  return endpoint as Endpoint<object, O, S>;
}

function parentOf(endpoint: AnyEndpoint): Parent {
  return pathNames(endpoint).find((name) => name in parents) as Parent;
}
