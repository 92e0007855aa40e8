import { isAbsolute, join, normalize, relative } from "node:path";
import { UsageError } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";
import { hasShownMask, shownMaskText } from "../../base/masked.ts";
import { ownValue } from "../../base/own-value.ts";
import { ownName } from "../../config/environment.ts";
import type { Context } from "../../context.ts";
import { withoutLineEnd } from "../../transfer/source.ts";
import { originText } from "../finding.ts";
import { missingWords, referenceText } from "../keys.ts";
import {
  type Declared,
  fieldOf,
  isReference,
  type Kind,
  type Reference,
  type Section,
  type StateField,
  type Values,
} from "../kind.ts";
import { holdsOwnCredential } from "./credentials.ts";

/** The problem with a reference, checked without reading it. */
export function referenceProblem({ reference, name, folder }: Reference): string | undefined {
  if (name === "") return `{ ${reference}: ... } must name ${reference === "env" ? "a variable" : "a file"}`;
  if (reference === "env") {
    if (ownName(name)) return `${name} is this program's own, and is not given to a state file`;
    return /^[A-Za-z_]\w*$/.test(name) ? undefined : `"${name}" is not the name of a variable`;
  }
  if (folder === undefined) return "a state file that is read from stdin cannot refer to files";
  const path = normalize(name);
  if (isAbsolute(path) || path.startsWith("..")) return `"${name}" leaves the folder of the state file`;
  return isHidden(path)
    ? `"${name}" is a dot file, or in a dot folder; those are not given to a state file`
    : undefined;
}

function isHidden(path: string): boolean {
  return path.split(/[/\\]/).some((part) => part.startsWith(".") && part !== ".");
}

/**
 * Reads the text of a reference; undefined if it does not exist. Text with a credential of this program's own is
 * refused: the author of a state file must not be able to send it elsewhere.
 */
async function resolveReference(
  context: Context,
  reference: Reference,
  field: StateField | undefined,
): Promise<string | undefined> {
  const refuse = (problem: string) => new UsageError(`${originText(reference.origin)}: ${problem}`);
  const problem = referenceProblem(reference);
  if (problem !== undefined) throw refuse(problem);
  const text =
    reference.reference === "env" ? variable(context, reference) : await fileText(context, reference, refuse);
  if (text === undefined) return undefined;
  // What is not UTF-8 of a variable is read as that.
  if (reference.reference === "env" && text.includes("\uFFFD"))
    throw refuse(`the variable ${reference.name} is not UTF-8 text`);
  if (await holdsOwnCredential(context, text)) {
    throw new UsageError(
      `${originText(reference.origin)}: ${referenceText(reference)} contains a credential of this program`,
      { code: "own_credential", nothing: "sent", hint: "give a secret that is meant for this object alone" },
    );
  }
  if (hasShownMask(text, field?.secret === true || field?.form === "keys")) {
    throw new UsageError(`${originText(reference.origin)}: ${referenceText(reference)} ${shownMaskText}`, {
      nothing: "sent",
      hint: "read the secret with --reveal",
    });
  }
  if (reference.reference === "env" || field?.secret === true) context.conceal(text.trim());
  return text;
}

/** Not what every object has: `constructor`. */
function variable({ env }: Context, { name }: Reference): string | undefined {
  return ownValue(env, name);
}

async function fileText(
  { files }: Context,
  { name, folder }: Reference,
  refuse: (problem: string) => UsageError,
): Promise<string | undefined> {
  const root = await files.real(folder ?? "");
  // One that is replaced by a link between a check and the reading would be read wherever the link leads.
  const found = await files.readReal(join(folder ?? "", name));
  if (root === undefined || found === undefined) return undefined;
  const below = relative(root, found.path);
  if (below.startsWith("..") || isAbsolute(below)) {
    throw refuse(`"${name}" leaves the folder of the state file by a link`);
  }
  if (isHidden(below)) throw refuse(`"${name}" leads to a dot file`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(found.bytes);
  } catch {
    throw refuse(`the file ${name} is not UTF-8 text`);
  }
}

/** Like `resolveReference`, for a value that will be sent: it must exist, and a secret must not be empty. */
export async function requireReference(context: Context, reference: Reference, field?: StateField): Promise<string> {
  const text = await resolveReference(context, reference, field);
  if (text === undefined) throw new UsageError(`${originText(reference.origin)}: ${missingWords(reference)}`);
  if (field?.secret !== true) return text;
  const secret = withoutLineEnd(text);
  // What a failed command leaves in a variable would silently remove the secret.
  if (secret === "") {
    throw new UsageError(`${originText(reference.origin)}: ${referenceText(reference)} is empty`, {
      code: "empty_secret",
      hint: 'to remove the secret, write "" in place of the reference',
    });
  }
  return secret;
}

/**
 * Reads every reference of a section, so that one that is not allowed ends the run before the first change. Those that
 * can be compared with live values are replaced by their texts.
 */
export async function readComparable(context: Context, section: Section): Promise<Section> {
  const entries = await Promise.all(section.entries.map((entry) => readEntry(context, section.kind, entry)));
  return { ...section, entries };
}

async function readEntry(context: Context, kind: Kind, entry: Declared): Promise<Declared> {
  const found: [string, Reference, string][] = [];
  for (const [name, value] of Object.entries(entry.values)) {
    const field = fieldOf(kind, name);
    if (!isReference(value)) await check(context, value, field);
    else {
      const text = await resolveReference(context, value, field);
      if (text !== undefined && !field.writeOnly) found.push([name, value, text]);
    }
  }
  if (found.length === 0) return entry;
  const values: Values = { ...entry.values, ...Object.fromEntries(found.map(([name, , text]) => [name, text])) };
  return { ...entry, values, read: Object.fromEntries(found.map(([name, reference]) => [name, reference])) };
}

/** References inside a value, such as those of headers, cannot be compared; they are only checked. */
async function check(context: Context, value: unknown, field: StateField): Promise<void> {
  if (isReference(value)) await resolveReference(context, value, field);
  else if (Array.isArray(value)) for (const each of value) await check(context, each, field);
  else if (isObject(value)) {
    for (const [name, each] of Object.entries(value)) await check(context, each, ownValue(field.item, name) ?? field);
  }
}
