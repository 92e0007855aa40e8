import { UsageError } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { nearest } from "../base/nearest.ts";
import { ownValue } from "../base/own-value.ts";
import type { Shape, ShapeField } from "./view.ts";

interface Described {
  readonly name: string;
  readonly shape: Shape;
}

/** Refuses a `--fields` name that the entity does not document; called before any request is sent. */
export function checkFields(fields: readonly string[], entity: Described): void {
  for (const path of fields) {
    if (fieldAt(entity.shape, path) === undefined) throw unknownField(path, besides(path, entity.shape), entity.name);
  }
}

/** Refuses a field that the instance returns only on request: it would be empty without explanation. */
export function checkRequested(
  fields: readonly string[],
  { shape }: Described,
  { params }: { readonly params: Readonly<Record<string, unknown>> },
  input: Readonly<Record<string, unknown>>,
): void {
  for (const path of fields) {
    const needed = ownValue(shape, path.split(".")[0] ?? "")?.onlyWith;
    if (needed === undefined || !(needed in params) || input[needed]) continue;
    const flag = `--${needed.replaceAll("_", "-")}`;
    throw new UsageError(`--fields ${path} needs ${flag}: the instance returns it only then`, { hint: `add ${flag}` });
  }
}

interface Sourced {
  readonly columns?: readonly string[];
  readonly entity?: Described | undefined;
}

/** The same for a result: also accepts the command's columns and, without a documented entity, the row's own fields. */
export function checkAsked(fields: readonly string[] | undefined, view: Sourced, row: object | undefined): void {
  const columns = view.columns ?? [];
  const foreign = (fields ?? []).filter((path) => !columns.includes(path));
  if (view.entity !== undefined) {
    checkFields(foreign, view.entity);
    return;
  }
  if (row === undefined) return;
  for (const path of foreign) {
    if (!reaches(row, path.split("."))) throw unknownField(path, [...new Set([...Object.keys(row), ...columns])]);
  }
}

function unknownField(path: string, known: readonly string[], name?: string): UsageError {
  const where = name === undefined ? "the result has no field" : `there is no field`;
  const owner = name === undefined ? "" : ` in ${name}`;
  const meant = nearest(path, known);
  return new UsageError(`${where} "${path}"${owner}`, {
    code: "unknown_field",
    hint: `${meant === undefined ? "" : `did you mean ${meant}?\n`}the fields are ${known.join(", ")}`,
  });
}

/** The fields of the same level as the last name of a path, if there is that level. */
function besides(path: string, shape: Shape): string[] {
  const above = path.split(".").slice(0, -1).join(".");
  const field = fieldAt(shape, above);
  const inner = field?.shape ?? field?.item?.shape;
  return inner === undefined ? Object.keys(shape) : Object.keys(inner).map((name) => `${above}.${name}`);
}

/** The names of a dotted path; a field whose own name has a dot, such as that of a profile, is one. */
export function namesIn(path: string, shape: Shape | undefined): readonly string[] {
  return shape !== undefined && Object.hasOwn(shape, path) ? [path] : path.split(".");
}

/** The documented field at a dotted path. Inside maps and free-form JSON every path is valid. */
export function fieldAt(shape: Shape | undefined, path: string): ShapeField | undefined {
  let level = shape;
  let field: ShapeField | undefined;
  for (const name of namesIn(path, shape)) {
    if (level === undefined) return open(field) && name !== "" ? { kind: "json" } : undefined;
    field = ownValue(level, name);
    if (field === undefined) return undefined;
    level = field.shape ?? field.item?.shape;
  }
  return field;
}

const openKinds = new Set(["map", "json", "object"]);

function open(field: ShapeField | undefined): boolean {
  if (field === undefined) return false;
  return openKinds.has(field.kind) || (field.kind === "array" && (field.item === undefined || open(field.item)));
}

function reaches(value: unknown, path: readonly string[]): boolean {
  const [name, ...rest] = path;
  if (name === undefined || value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0 || reaches(value[0], path);
  return typeof value === "object" && Object.hasOwn(value, name) && reaches(valueAt(value, [name]), rest);
}

/** The value at a path; through an array, the list of its items' values. */
export function valueAt(value: unknown, path: readonly string[], from = 0): unknown {
  const name = path[from];
  if (name === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => valueAt(item, path, from));
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return valueAt((value as Record<string, unknown>)[name], path, from + 1);
}

/** An item of a list as a row: one that is no object is the value of its only column. */
export function asRow(item: unknown): object {
  return isObject(item) ? item : { result: item };
}

type Tree = Map<string, Tree | undefined>;

/** Keeps the named fields, in the given order and nesting: `a.b` gives `{a: {b: …}}`. Missing fields become null. */
export function projection(fields: readonly string[], shape?: Shape): (value: unknown) => unknown {
  const tree: Tree = new Map();
  for (const path of fields) plant(tree, namesIn(path, shape));
  return (value) => keep(value, tree);
}

function plant(tree: Tree, path: readonly string[]): void {
  const [name = "", ...rest] = path;
  if (rest.length === 0) {
    tree.set(name, undefined);
    return;
  }
  // `a` next to `a.b` asks for all of `a`.
  if (tree.has(name) && tree.get(name) === undefined) return;
  const branch = tree.get(name) ?? new Map();
  tree.set(name, branch);
  plant(branch, rest);
}

function keep(value: unknown, tree: Tree): unknown {
  if (Array.isArray(value)) return value.map((item) => keep(item, tree));
  if (typeof value !== "object" || value === null) return null;
  const kept: Record<string, unknown> = {};
  for (const [name, branch] of tree) {
    const inner = valueAt(value, [name]) ?? null;
    kept[name] = branch === undefined ? inner : keep(inner, branch);
  }
  return kept;
}

const nested = new Set(["array", "object", "map", "json"]);

/** The fields that fit into a cell. */
export function scalarsOf(shape: Shape): string[] {
  return Object.keys(shape).filter((name) => !nested.has(shape[name]?.kind ?? "") || shape[name]?.worded !== undefined);
}
