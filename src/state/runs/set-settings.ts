import { join } from "node:path";
import { timeIn } from "../../base/answered-value.ts";
import { FileError, reasonIn, UsageError } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";
import { readObject } from "../../base/read-value.ts";
import { readOwnText } from "../../config/own-file.ts";
import type { Context } from "../../context.ts";
import { newRun, runsIn, secondOf } from "../../jobs/run-id.ts";
import { sameValue } from "../../settings/compare.ts";
import { hiddenValue } from "../../settings/secret-settings.ts";
import type { Kind, Values } from "../kind.ts";
import { datesOf, type RunEntry } from "./runs.ts";

// What `settings set` wrote counts like what runs wrote, while the instance still shows what was there before. Each
// change has a folder, as a run has, which a later one removes.

interface Change {
  readonly kind: Kind;
  /** All settings before it. */
  readonly before: Values;
  readonly sent: Values;
  /** All settings as they were answered; null if the outcome is not known. */
  readonly after: Values | null;
}

/** Remembers a change, without secrets; a warning, if the state folder cannot be used. */
export async function rememberSet(context: Context, change: Change, keptSeconds: number): Promise<void> {
  const { files } = context;
  try {
    const folder = context.stateFolder("writes");
    await files.makeFolder(folder, { mode: 0o700 });
    const text = JSON.stringify({ instance: context.config.baseUrl?.value, entry: entryOf(context, change) });
    await files.write(changeIn(folder, await newRun(context, folder)), text, { mode: 0o600 });
    const first = firstSince(context, keptSeconds);
    for (const name of await runsIn(files, folder)) {
      if (name < first) await files.removeFolder(join(folder, name));
    }
  } catch (error) {
    if (!(error instanceof FileError || error instanceof UsageError)) throw error;
    context.warn(
      `this change is not remembered (${reasonIn(error)}): for a minute, in which the instance may still show what was ` +
        "there before, what another command sends along may set it back",
    );
  }
}

/** What was set on the instance in use in the last seconds. */
export async function recentSets(context: Context, seconds: number): Promise<RunEntry[]> {
  const { files } = context;
  const folder = context.stateFolder("writes");
  const first = firstSince(context, seconds);
  const names = (await runsIn(files, folder)).filter((name) => name >= first);
  const read = (name: string) => readOwnText(files, changeIn(folder, name), "the record of a change");
  const texts = await Promise.all(names.map(read));
  return texts.flatMap((text) => {
    const found = readObject(text ?? "");
    return found?.instance === context.config.baseUrl?.value && isEntry(found?.entry) ? [found.entry] : [];
  });
}

function changeIn(folder: string, name: string): string {
  return join(folder, name, "change.json");
}

function firstSince({ now }: Context, seconds: number): string {
  return secondOf(new Date(now().getTime() - seconds * 1000));
}

function entryOf({ now }: Context, { kind, before, sent, after }: Change): RunEntry {
  const isShown = (values: Values, name: string) => sameValue(hiddenValue(name, values[name]), values[name]);
  const names = [...new Set([...Object.keys(sent), ...(kind.takes?.(Object.keys(sent)) ?? [])])];
  const of = (values: Values) =>
    Object.fromEntries(
      names.flatMap((name) => (name in values && isShown(values, name) ? [[name, values[name]]] : [])),
    );
  const isHidden = (name: string) => ![before, sent, after ?? {}].every((values) => isShown(values, name));
  const secrets = names.filter((name) => isHidden(name) && !sameValue(before[name], sent[name]));
  // What was there before may be a secret that a variable gave: where dates tell what is old, it is left out.
  const dated = kind.cached?.version ?? "";
  const areDated = [before, after ?? {}].every((values) => timeIn(values[dated]) !== undefined);
  return {
    ...{ address: `#${kind.name}`, at: "instance", scope: "", kind: kind.name, key: "", id: null, action: "update" },
    ...{ status: after === null ? "unknown" : "done", error: null, secrets },
    ...{ before: areDated ? {} : of(before), sent: of(sent), after: after && of(after) },
    ...{ time: now().toISOString(), ...datesOf(kind, after ?? before) },
  };
}

function isEntry(value: unknown): value is RunEntry {
  if (!isObject(value) || typeof value.kind !== "string" || typeof value.time !== "string") return false;
  if (!Array.isArray(value.secrets)) return false;
  return isObject(value.before) && isObject(value.sent) && (value.after === null || isObject(value.after));
}
