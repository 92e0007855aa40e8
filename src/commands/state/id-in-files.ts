import { isId } from "../../base/group-paths.ts";
import { ownValue } from "../../base/own-value.ts";
import type { Context } from "../../context.ts";
import { isIdSetting } from "../../settings/id-setting.ts";
import { asRules } from "../../state/fields/rule-elements.ts";
import { type Declaration, declare, type SingleKind } from "../../state/files/declaration.ts";
import { readStateFiles } from "../../state/files/sources.ts";
import { Findings, originText } from "../../state/finding.ts";
import { addressOf, keyOf, referenceText } from "../../state/keys.ts";
import { fieldOf, isReference, type Kind, type Section, type StateField } from "../../state/kind.ts";
import { settingsKind } from "../../state/kinds/settings.ts";
import { isOneOf } from "../../state/plan/plan.ts";

/**
 * What the files name by an ID, the first, with its place. Files that say which instance they are for name nothing of
 * another one. A problem with them is an error of the command itself.
 */
export async function idInFiles(
  context: Context,
  sources: readonly string[],
  single: SingleKind,
): Promise<string | undefined> {
  const findings = new Findings();
  return context.unwatched(async () => {
    const declaration = await declare(readStateFiles(context, sources, findings), findings, { single });
    return declaration.instances.length > 0 ? undefined : idsOf(declaration, single.kind).next().value;
  });
}

function* idsOf({ sections, keep }: Declaration, of: Kind): Generator<string, undefined> {
  for (const section of sections) if (isOneOf(section.kind, [of.name])) yield* idsOfSection(section);
  for (const [kind, patterns] of keep) {
    const id = isOneOf(kind, [of.name]) && kind.target !== undefined ? [...patterns].find(isId) : undefined;
    // No place of it is known any more.
    if (id !== undefined) yield `keep.${kind.name}: ${id}`;
  }
}

function* idsOfSection({ scope, kind, entries, origin }: Section): Generator<string> {
  if (isId(scope.name)) yield `${originText(origin)}: ${scope.at} ${scope.name}`;
  for (const { values, origin: own, places } of entries) {
    for (const [name, value] of Object.entries(values)) {
      const isSetting = kind === settingsKind && isIdSetting(name);
      for (const id of idsIn(name, value, isSetting ? { form: "id" } : fieldOf(kind, name))) {
        const of = addressOf(scope, kind, kind.target === undefined ? keyOf(kind, values) : "");
        yield `${originText(places?.[name] ?? own)}: ${id} of ${of}`;
      }
    }
  }
}

/** `user_id 4`; rules have them in their items. */
function* idsIn(name: string, value: unknown, { form, item }: StateField): Generator<string> {
  if (form === "id" && mayBeId(value)) yield `${name} ${isReference(value) ? referenceText(value) : value}`;
  if (form !== "rules") return;
  for (const rule of asRules(value)) {
    for (const [key, each] of Object.entries(rule)) yield* idsIn(key, each, ownValue(item, key) ?? { form: "json" });
  }
}

/** A number, also as a text or in a list, and what is read from elsewhere. */
function mayBeId(value: unknown): boolean {
  const texts = String(value).split(",");
  return isReference(value) || texts.some((each) => isId(each.trim()));
}
