import { string } from "../../api/field.ts";
import { isObject } from "../../base/is-object.ts";
import type { Ended } from "../../jobs/inner-commands.ts";
import { asRow, scalarsOf } from "../../terminal/fields.ts";
import { dayTime } from "../../terminal/time.ts";
import type { Shape } from "../../terminal/view.ts";
import type { Scope } from "./scopes.ts";
import type { ScopeKind } from "./sources.ts";

/** What stands around the columns of the command's own result. */
export interface Around {
  /** The columns that name the scope: `profile`, `project`. */
  readonly first: readonly string[];
  readonly kind: ScopeKind | undefined;
  /** The command changes something. */
  readonly changes: boolean;
}

export interface Result {
  readonly task: { readonly scope: Scope };
  readonly ended: Ended;
}

/**
 * The rows of one scope. For a command that changes something each begins with the scope, its status, and why it
 * failed; for one that only reads, `failure` comes after the columns of the result. A field of the result that is named
 * as the scope does not replace it: an instance could give its rows the name of another.
 */
export function* rowsOf({ first, kind, changes }: Around, { task, ended }: Result): Generator<object> {
  const { status, result, error, doneAt } = ended;
  const { name, profile } = task.scope;
  const scope = { ...(first.includes("profile") && { profile }), ...(kind !== undefined && { [kind]: name }) };
  const why = doneAt === undefined ? causeOf(error) : `done ${dayTime(new Date(doneAt))}`;
  const rows = !changes && isValue(ended) ? [{ result }] : result === null ? [] : [result].flat().map(asRow);
  if (status !== "done" && isObject(result)) {
    const around = changes ? { ...scope, status, error: why } : scope;
    yield { ...around, ...result, ...around, ...(!changes && { failure: why ?? status }) };
    return;
  }
  // Of several things, each has its own row; what failed besides is one more.
  const isWhole = status === "done" || (rows.length > 0 && error?.code === "partial");
  if (!changes) {
    for (const row of rows) yield { ...scope, ...row, ...scope, failure: null };
    if (!isWhole) yield { ...scope, failure: why ?? status };
    return;
  }
  for (const row of rows) yield { ...scope, status: "done", error: null, ...row, ...scope };
  if (!isWhole || rows.length === 0) yield { ...scope, status, error: why };
}

/** A value alone, such as that of one setting, has no columns: even a list is one value, and null too. */
function isValue({ status, about, result }: Ended): boolean {
  return status === "done" && about === undefined && !isObject(result);
}

function causeOf(error: Ended["error"]): string | null {
  if (error === null) return null;
  const parts = [error.message, error.cause].filter((part) => typeof part === "string" && part !== "");
  return parts.length === 0 ? null : parts.join("; ");
}

const aboutValue: Ended["about"] = { entity: { name: "Result", shape: { result: string("The value") } } };

/** What describes the columns of a result; undefined if this result does not tell: it failed, or has no row. */
export function aboutOf({ changes }: Around, { ended }: Result): Ended["about"] {
  const { about, result, status } = ended;
  // Of a change, the status says what is to be known.
  if (changes || (about?.columns ?? about?.entity) !== undefined) return about;
  if (isValue(ended)) return aboutValue;
  // What came before a failure has the columns of the command, which the next success tells.
  const [row] = status !== "done" || result === null ? [] : [result].flat().map(asRow);
  // Neither the command nor the API documents its fields: those of the first row are all that is known.
  const columns = row && Object.keys(row);
  const shape = Object.fromEntries((columns ?? []).map((name) => [name, { kind: "json" }]));
  return columns && { columns, entity: { name: "Result", shape } };
}

/** The columns of the command's own result, with those of `rowsOf` around them. */
export function described(about: Ended["about"], { first: scope, changes }: Around) {
  const own = about?.columns ?? (about?.entity && scalarsOf(about.entity.shape)) ?? [];
  const first = changes ? [...scope, "status", "error"] : scope;
  const last = changes ? [] : ["failure"];
  const places: Shape = Object.fromEntries(scope.map((name) => [name, { kind: "string" }]));
  const outcome = ["status", "error", "failure"].filter((name) => [...first, ...last].includes(name));
  const around: Shape = Object.fromEntries(outcome.map((name) => [name, { kind: "string", whole: true }]));
  return {
    columns: [...first, ...own.filter((name) => ![...first, ...last].includes(name)), ...last],
    entity: { name: about?.entity?.name ?? "Result", shape: { ...around, ...about?.entity?.shape, ...places } },
  };
}
