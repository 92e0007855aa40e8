import { whoText } from "../../api/endpoints/who.ts";
import { entity, id, integer, json, nullable, string, uncut } from "../../api/field.ts";
import { wordsOf } from "../../api/json.ts";
import { isObject } from "../../base/is-object.ts";
import { actionTones } from "../../base/tone.ts";
import { type Signs, unicodeSigns } from "../../terminal/signs.ts";
import type { Passage } from "../../terminal/view.ts";
import { levelName } from "../fields/export-value.ts";
import { canonical, normal, subjectOf } from "../fields/normal.ts";
import { type FieldChange, fieldOf, type StateField, type Values } from "../kind.ts";
import { findKind } from "../kinds/index.ts";
import type { PlanRow } from "./plan-row.ts";

type Arrows = Pick<Signs, "arrow">;

/** A row of a plan, for `--fields` and the columns. */
export const PlanChange = entity("PlanChange", {
  address: uncut("scope#kind/key"),
  scope: nullable(string("ID or path of the group or project")),
  kind: string(),
  key: nullable(string()),
  id: nullable(id()),
  action: string("create, update, replace, delete, disarm, extra, unmanaged, or unreadable", { tones: actionTones }),
  fields: {
    ...json("What changes"),
    worded: (fields: readonly unknown[], signs) => fieldsText(fields as FieldChange[], signs),
  },
  lockout: nullable(uncut("Why it can lock users out")),
  reason: nullable(uncut()),
  preimage: nullable(string("Hash of the current values of the affected fields")),
  file: nullable(uncut()),
  line: nullable(integer()),
});

export const planColumns = ["address", "action", "fields", "lockout", "reason"] as const;

const marks: Readonly<Record<PlanRow["action"], string>> = {
  create: "+",
  update: "~",
  replace: "~",
  delete: "-",
  disarm: "-",
  extra: "extra",
  unmanaged: "unmanaged",
  unreadable: "?",
};

/** A row as a readable diff; signs make it clear without color too. */
export function planPassage(row: PlanRow, signs: Arrows): Passage {
  const width = row.fields.reduce((most, { path }) => Math.max(most, path.length), 0);
  const places = new Set(row.fields.map(({ file, line }) => `${file}:${line}`));
  const lines = row.fields.flatMap((field) => {
    const [first = "", ...rest] = fieldLines(field, row.kind, width, signs);
    // Fields of one object may come from several patterns.
    const isShown =
      row.key === null &&
      row.scope !== null &&
      places.size > 1 &&
      field.file !== null &&
      (field.file !== row.file || field.line !== row.line);
    return [isShown ? `${first}  ${field.file}:${field.line}` : first, ...rest];
  });
  const place = row.file === null || row.file === "" ? [] : [`${row.file}:${row.line}`];
  const notes = [...(row.lockout === null ? [] : [`! ${row.lockout}`]), ...(row.reason === null ? [] : [row.reason])];
  return {
    heading: [`${marks[row.action]} ${row.address}`, ...place],
    text: [...lines, ...notes].join("\n"),
    itemized: true,
  };
}

function fieldLines(
  { path, from, to, secret, source }: FieldChange,
  kind: string,
  width: number,
  { arrow }: Arrows,
): string[] {
  const name = path.padEnd(width);
  const because = source === null ? "" : ` (${source})`;
  if (secret) return [`${name}  ${source === "not comparable" ? "? not comparable" : secretText(source)}`];
  const found = findKind(kind);
  const field: StateField = found === undefined ? { form: "json" } : fieldOf(found, path);
  const diff = isSet(field) ? setDiff(field, from, to) : textDiff(from, to);
  if (diff?.length === 0) return [`${name}  unchanged${because}`];
  if (diff !== undefined) return diff.map((line, index) => `${index === 0 ? name : " ".repeat(width)}  ${line}`);
  const text = (value: unknown) => plainText(field.form === "level" ? levelName(field, value) : value);
  const shown = from === null && to !== null ? text(to) : `${text(from)} ${arrow} ${text(to)}`;
  return [`${name}  ${source === "sent along" ? text(to) : shown}${because}`];
}

/** `(secret, $DEPLOYS_TOKEN) sent along` */
function secretText(source: string | null): string {
  const [from, sent = "sent"] = (source ?? "").split(", ");
  if (from === "sent along") return "(secret) sent along";
  return `(secret${from === "" ? "" : `, ${from}`}) ${sent}`;
}

function isSet({ form }: StateField): boolean {
  return form === "rules" || form === "names" || form === "domains" || form === "addresses";
}

/** `- user:9 (rule 11)`, `+ level:maintainer`: only the removed and added items. */
function setDiff(field: StateField, from: unknown, to: unknown): string[] | undefined {
  const before = items(field, from);
  const after = items(field, to);
  const same = new Set([...before.keys()].filter((key) => after.has(key)));
  const removed = [...before].filter(([key]) => !same.has(key)).map(([, shown]) => `- ${shown}`);
  const added = [...after].filter(([key]) => !same.has(key)).map(([, shown]) => `+ ${shown}`);
  const lines = [...removed, ...added];
  return lines.length === 0 ? undefined : lines;
}

function items(field: StateField, value: unknown): Map<string, string> {
  if (field.form === "rules") {
    const rules = Array.isArray(value) ? (value as Values[]) : [];
    return new Map(rules.map((rule) => [ruleKey(field, rule), ruleText(rule)]));
  }
  const list = normal(field, value);
  return new Map((Array.isArray(list) ? list : []).map((item) => [canonical(item), plainText(item)]));
}

function ruleKey(field: StateField, rule: Values): string {
  return canonical(normal({ ...field }, [rule]));
}

function ruleText(rule: Values): string {
  const who = subjectOf(rule).startsWith("username:") ? subjectOf(rule) : whoText(rule as never);
  return typeof rule.id === "number" ? `${who} (rule ${rule.id})` : who;
}

/** Texts of several lines as the lines that differ. */
function textDiff(from: unknown, to: unknown): string[] | undefined {
  const isLong = (value: unknown) => typeof value === "string" && value.trimEnd().includes("\n");
  if (!isLong(from) && !isLong(to)) return undefined;
  const before = linesOf(from);
  const after = linesOf(to);
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end += 1;
  }
  return [
    ...before.slice(start, before.length - end).map((line) => `- ${line}`),
    ...after.slice(start, after.length - end).map((line) => `+ ${line}`),
  ];
}

/** An empty text has no lines. Beside it may be a value of any type, which is one line. */
function linesOf(value: unknown): string[] {
  const text = wordsOf(value ?? "").replace(/\n$/, "");
  return text === "" ? [] : text.split("\n");
}

/** What would read as more than one value, or as another change, in a text made of several. */
const ambiguous = /^$|^"|; |→|->/;

/** A text as it is, or quoted if it could be taken for something else: it may be another person's. */
function plainText(value: unknown): string {
  if (typeof value === "string") return ambiguous.test(value) ? JSON.stringify(value) : value;
  return isObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value ?? null);
}

/** A row as one line of plain text, for reports: `update: max_login_attempts: 10 → 5`. */
export function rowText({ action, fields, lockout, reason }: PlanRow): string {
  const parts = [fieldsText(fields), lockout, reason].filter((part) => part !== null && part !== "");
  return parts.length === 0 ? action : `${action}: ${parts.join("; ")}`;
}

/** The same on one line, for the formats made of rows. */
export function fieldsText(fields: readonly FieldChange[], { arrow }: Arrows = unicodeSigns): string {
  return fields
    .map(({ path, from, to, secret, source }) =>
      secret ? `${path} (${source ?? "secret"})` : `${path}: ${plainText(from)} ${arrow} ${plainText(to)}`,
    )
    .join("; ");
}
