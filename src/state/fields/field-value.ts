import { hasShownMask, shownMaskText } from "../../base/masked.ts";
import { ownValue } from "../../base/own-value.ts";
import type { Findings, Origin } from "../finding.ts";
import type { Reference, StateField, StateFields, Values } from "../kind.ts";
import type { Mapping, Tree } from "../yaml/tree.ts";
import { subjectOf } from "./normal.ts";
import { referenceProblem } from "./references.ts";
import { holdsCredentials } from "./secrecy.ts";
import { at, originOf, type Spot } from "./spot.ts";
import { isNullFor, reportUnset } from "./unset.ts";
import { describe, mismatchText, quotes } from "./value-words.ts";

interface FieldNames {
  /** Names of requests, and what they are called in files. */
  write?: Readonly<Record<string, string>>;
  more?: (key: string) => StateField | undefined;
  /** Fields that are missing here may be declared for another scope. */
  partial?: boolean;
  /** Receives the place of each value. */
  places?: Record<string, Origin>;
  /** An item of a list: in answers, a rule has null for the subjects that it is not for. */
  isItem?: true;
}

/** Validates the fields of a mapping; invalid ones are reported and left out. */
export function readFields(tree: Mapping, fields: StateFields, spot: Spot, names: FieldNames = {}): Values {
  const values: Record<string, unknown> = {};
  const passedOver: string[] = [];
  const { entries } = tree;
  for (const [key, { line, value }] of entries) {
    const here = at(spot, key);
    const field = ownValue(fields, key) ?? names.more?.(key);
    const readName = ownValue(names.write, key);
    if (readName !== undefined && (field === undefined || field.readOnly)) {
      spot.findings.error({ file: spot.file, line }, here.path, `is the name of requests; in files it is ${readName}`);
    } else if (field?.readOnly) {
      passedOver.push(key);
    } else if (field !== undefined) {
      const isLeftOut = isNullFor(value, field);
      if (isLeftOut && !(names.isItem && subjectNames.includes(key)))
        reportUnset(field, originOf(spot, { line }), here);
      const read = isLeftOut ? undefined : readValue(value, field, here);
      if (read !== undefined) {
        values[key] = read;
        if (names.places !== undefined) names.places[key] = originOf(spot, { line });
      }
    } else {
      unknownKey(key, fields, { file: spot.file, line }, here);
    }
  }
  if (passedOver.length > 0) {
    const origin = originOf(spot, tree);
    if (!spot.strict) spot.findings.passOver(origin, spot.kind, passedOver);
    else spot.findings.error(origin, spot.path, `${passedOver.join(", ")}: set by the instance`, "leave it out");
  }
  for (const [name, field] of Object.entries(fields)) {
    if (!field.required || entries.has(name) || names.partial) continue;
    spot.findings.error(originOf(spot, tree), spot.path, `${name} is missing`);
  }
  return values;
}

function unknownKey(key: string, fields: StateFields, origin: Origin, spot: Spot): void {
  const near = spot.findings.guess(key, Object.keys(fields));
  const hint = near === undefined ? `one of ${Object.keys(fields).slice(0, 20).join(", ")}` : `did you mean ${near}?`;
  spot.findings.error(origin, spot.path, "is not allowed here", hint);
}

/** A field's value in the API's form: levels as numbers, secrets as references. Undefined if invalid. */
export function readValue(tree: Tree, field: StateField, spot: Spot): unknown {
  const reference = field.form === "text" || field.form === "addresses" ? readReference(tree, spot) : undefined;
  if (reference !== undefined) return reference;
  refusePlainSecret(tree, field, spot);
  const wrong = (message: string, hint?: string) => {
    spot.findings.error(originOf(spot, tree), spot.path, message, hint);
    return undefined;
  };
  const mismatch = () => wrong(mismatchText(tree, field), quotes(tree, field));
  switch (field.form) {
    case "rules":
    case "keys":
      return tree.kind === "sequence" ? readItems(tree.items, field, spot) : mismatch();
    case "names":
    case "domains":
    case "list":
      return tree.kind === "sequence" ? readList(tree, field, spot) : mismatch();
    case "hash":
      return tree.kind === "mapping" ? hash(tree) : mismatch();
    case "json":
      return bare(tree);
    default:
      return tree.kind === "scalar"
        ? readScalar(tree.value, field, { wrong, mismatch, guess: spot.findings.guess })
        : mismatch();
  }
}

/**
 * What is shown in place of a secret is none. With `--strict` a secret must be a reference: in a secret field, and in
 * an address or an object of any field.
 *
 * @param isOwn a mask in it is a copy of what was shown: a description may be a text of others, with any words
 */
export function refusePlainSecret(
  tree: Tree,
  { secret, schemes }: Pick<StateField, "secret" | "schemes">,
  spot: Spot,
  isOwn = secret === true || schemes !== undefined,
): void {
  const value = bare(tree);
  const isPlain = secret === true ? typeof value === "string" && value !== "" : holdsCredentials(value);
  const isStrict = spot.strict && tree.kind !== "sequence";
  const message =
    isOwn && hasShownMask(value, secret)
      ? shownMaskText
      : isStrict && isPlain && (secret ? "is a secret in plain text" : "contains credentials in plain text");
  if (!message) return;
  spot.findings.error(originOf(spot, tree), spot.path, message, "write { env: NAME } or { file: path }");
}

interface Complaint {
  readonly guess: Findings["guess"];
  wrong(message: string, hint?: string): undefined;
  mismatch(): undefined;
}

function readScalar(value: unknown, field: StateField, { wrong, mismatch, guess }: Complaint): unknown {
  const { form, values, min, max, levels = {}, schemes, nullable } = field;
  if (value === null && nullable === true) return null;
  if (value === null) return form === "text" || form === "addresses" ? "" : mismatch();
  if (form === "boolean") return typeof value === "boolean" ? value : mismatch();
  if (form === "level") {
    if (typeof value === "string" && Object.hasOwn(levels, value)) return levels[value];
    if (typeof value === "number" && isLevel(value, levels)) return value;
    const near = typeof value === "string" ? guess(value, Object.keys(levels)) : undefined;
    return wrong(
      `must be one of ${Object.keys(levels).join(", ")}, or the number of a level`,
      near === undefined ? undefined : `did you mean ${near}?`,
    );
  }
  if (form === "text" || form === "addresses") {
    if (typeof value !== "string") return mismatch();
    if (values !== undefined && value !== "" && !values.includes(value)) {
      return wrong(`"${value}" is not one of its values`, `one of ${values.join(", ")}`);
    }
    if (schemes !== undefined && !schemes.some((scheme) => value.toLowerCase().startsWith(`${scheme}://`))) {
      return wrong(`must begin with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`);
    }
    return value;
  }
  if (typeof value !== "number" || (form !== "number" && !Number.isSafeInteger(value))) return mismatch();
  if (form === "id" && value < 1) return mismatch();
  if (min !== undefined && value < min) return wrong(`must be at least ${min}, not ${value}`);
  if (max !== undefined && value > max) return wrong(`must be at most ${max}, not ${value}`);
  return value;
}

/** Newer releases have more levels; all of them are multiples of five. */
function isLevel(value: number, levels: Readonly<Record<string, number>>): boolean {
  const highest = Math.max(60, ...Object.values(levels));
  return Object.values(levels).includes(value) || (value % 5 === 0 && value >= 0 && value <= highest);
}

function readList(tree: Extract<Tree, { kind: "sequence" }>, field: StateField, spot: Spot): unknown[] {
  const { values, suggested } = field;
  return tree.items.flatMap((item, index) => {
    const value = bare(item);
    if (suggested !== undefined) {
      if (typeof value !== "string") {
        spot.findings.error(originOf(spot, item), at(spot, index).path, `must be a text, not ${describe(item)}`);
        return [];
      }
      // The instance decides: it may be newer than the documents.
      if (!suggested.includes(value)) {
        const near = spot.findings.guess(value, suggested);
        const hint = near === undefined ? undefined : `did you mean ${near}?`;
        spot.findings.warn(originOf(spot, item), at(spot, index).path, "is not named by the API documents", hint);
      }
      return [value];
    }
    if (values === undefined || (typeof value === "string" && values.includes(value))) return [value];
    const near = typeof value === "string" ? spot.findings.guess(value, values) : undefined;
    const hint = near === undefined ? `one of ${values.join(", ")}` : `did you mean ${near}?`;
    spot.findings.error(originOf(spot, item), at(spot, index).path, `${describe(item)} is not one of its values`, hint);
    return [];
  });
}

const subjectNames = ["user_id", "username", "group_id", "deploy_key_id", "member_role_id", "access_level"];

function readItems(items: readonly Tree[], field: StateField, spot: Spot): Values[] {
  const named = new Set<unknown>();
  return items.flatMap((item, index) => {
    const here = at(spot, index);
    if (item.kind !== "mapping") {
      here.findings.error(originOf(here, item), here.path, `must be a mapping, not ${describe(item)}`);
      return [];
    }
    const read = readFields(item, field.item ?? {}, here, { isItem: true });
    if (field.form === "rules") checkSubject(item, field, read, here);
    // Rules are unique by subject, headers by key: a second one would overwrite the first.
    const name = field.form === "rules" ? subjectOf(read) : String(read.key).toLowerCase();
    if (named.has(name))
      here.findings.error(originOf(here, item), here.path, `${name} is already in the list`, "leave one out");
    named.add(name);
    return [read];
  });
}

/**
 * `1-project-api: Protected environment`: exactly one of them. In answers, the level is null if the rule is for a user
 * or a group.
 */
function checkSubject(tree: Mapping, { item = {} }: StateField, rule: Values, spot: Spot): void {
  const names = subjectNames.filter((name) => name in item);
  const given = names.filter((name) => rule[name] !== undefined);
  if (given.length === 1) return;
  const message = given.length === 0 ? "names no user, group, or level" : `names ${given.join(" and ")}`;
  spot.findings.error(originOf(spot, tree), spot.path, message, `give exactly one of ${names.join(", ")}`);
}

/** `{ env: NAME }` or `{ file: path }`; undefined otherwise. One that is not allowed is reported, but returned. */
export function readReference(tree: Tree, spot: Spot): Reference | undefined {
  if (tree.kind !== "mapping") return undefined;
  const [[word, { value }] = ["", { value: tree as Tree }], second] = tree.entries;
  if (second !== undefined) return undefined;
  if (word !== "env" && word !== "file") return undefined;
  const origin = originOf(spot, tree);
  const named = value.kind === "scalar" && typeof value.value === "string" ? value.value : "";
  const reference: Reference = { reference: word, name: named, origin, folder: spot.folder };
  const problem = referenceProblem(reference);
  if (problem !== undefined) spot.findings.error(origin, spot.path, problem);
  return reference;
}

function hash(tree: Mapping): Values {
  return Object.fromEntries([...tree.entries].map(([key, { value }]) => [key, bare(value)]));
}

/** The plain value, without positions. */
export function bare(tree: Tree): unknown {
  if (tree.kind === "scalar") return tree.value;
  return tree.kind === "sequence" ? tree.items.map(bare) : hash(tree);
}
