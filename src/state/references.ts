import { isAbsolute, join, normalize, relative } from "node:path";
import { UsageError } from "../base/errors.ts";
import type { Context } from "../context.ts";
import { withoutLineEnd } from "../transfer/source.ts";
import { originText } from "./finding.ts";
import { type Declared, isReference, type Reference, type Section, type StateField, type Values } from "./kind.ts";

/** This program's own credentials, which a state file must not be able to send elsewhere. */
const own = /^(?:FORGECTL_.*|CI_JOB_TOKEN|CI_REGISTRY_PASSWORD)$/i;

/** The problem with a reference, checked without reading it. */
export function referenceProblem({ reference, name, folder }: Reference): string | undefined {
  if (name === "") return `{ ${reference}: ... } must name ${reference === "env" ? "a variable" : "a file"}`;
  if (reference === "env") {
    if (own.test(name)) return `${name} is this program's own, and is not given to a state file`;
    return /^[A-Za-z_]\w*$/.test(name) ? undefined : `"${name}" is not the name of a variable`;
  }
  if (folder === undefined) return "a state file that is read from stdin cannot refer to files";
  const path = normalize(name);
  return isAbsolute(path) || path.startsWith("..") ? `"${name}" leaves the folder of the state file` : undefined;
}

/** Reads the text of a reference; undefined if it does not exist. */
async function resolveReference(context: Context, reference: Reference): Promise<string | undefined> {
  const { name, folder } = reference;
  const problem = referenceProblem(reference);
  if (problem !== undefined) throw new UsageError(`${originText(reference.origin)}: ${problem}`);
  if (reference.reference === "env") return context.env[name];
  const { files } = context;
  const root = await files.real(folder ?? "");
  const real = await files.real(join(folder ?? "", name));
  if (root === undefined || real === undefined) return undefined;
  if (relative(root, real).startsWith("..")) {
    throw new UsageError(`${originText(reference.origin)}: "${name}" leaves the folder of the state file by a link`);
  }
  return new TextDecoder().decode(await files.read(real));
}

/** Like `resolveReference`, for a value that will be sent: it must exist. */
export async function requireReference(context: Context, reference: Reference, field?: StateField): Promise<string> {
  const text = await resolveReference(context, reference);
  if (text === undefined) throw new UsageError(`${originText(reference.origin)}: ${missingWords(reference)}`);
  return field?.secret === true ? withoutLineEnd(text) : text;
}

function missingWords({ reference, name }: Reference): string {
  return reference === "env" ? `the variable ${name} is not set` : `the file ${name} does not exist`;
}

/** Replaces references by their texts in fields that can be compared with live values, which are not secrets. */
export async function readComparable(
  context: Context,
  section: Section,
  fieldOf: (name: string) => StateField,
): Promise<Section> {
  const entries = await Promise.all(section.entries.map((entry) => readEntry(context, entry, fieldOf)));
  return { ...section, entries };
}

async function readEntry(context: Context, entry: Declared, fieldOf: (name: string) => StateField): Promise<Declared> {
  const found: [string, Reference, string][] = [];
  for (const [name, value] of Object.entries(entry.values)) {
    if (!isReference(value) || fieldOf(name).writeOnly) continue;
    const text = await resolveReference(context, value);
    if (text !== undefined) found.push([name, value, text]);
  }
  if (found.length === 0) return entry;
  const values: Values = { ...entry.values, ...Object.fromEntries(found.map(([name, , text]) => [name, text])) };
  return { ...entry, values, read: Object.fromEntries(found.map(([name, reference]) => [name, reference])) };
}
