import { groupsAbove } from "../../base/group-paths.ts";
import { counted, groupDigits } from "../../base/wording.ts";
import type { Context } from "../../context.ts";
import { compact } from "../../state/compact/compact.ts";
import { dumpState, fileOf } from "../../state/export/dump.ts";
import type { Exported } from "../../state/export/export.ts";
import { sealed } from "../../state/export/seal.ts";

/** The text of a file of an export, and its path in a folder. */
interface Page {
  readonly name: string;
  readonly text: string;
}

/** One page, or one for each scope. */
export async function plainPages(context: Context, exported: readonly Exported[], isOneFile: boolean): Promise<Page[]> {
  const instance = context.config.baseUrl?.value ?? "";
  if (isOneFile) return [{ name: "", text: sealed(await dumpState(instance, exported)) }];
  return Promise.all(
    exported.map(async (each) => ({
      name: fileOf(each.scope),
      text: sealed(await dumpState(instance, [each])),
    })),
  );
}

interface Compacting {
  readonly roots: readonly string[];
  readonly leftOut: Readonly<Record<string, number>>;
  readonly isOneFile: boolean;
}

/** One page, or one for each of the groups with everything below it. */
export async function compactPages(
  context: Context,
  exported: readonly Exported[],
  { roots, leftOut, isOneFile }: Compacting,
): Promise<Page[]> {
  const instance = context.config.baseUrl?.value ?? "";
  const made = await compact(exported, roots);
  for (const name of made.whole)
    context.warn(`${name} is written in full: patterns would declare something else for it`);
  const pageOf = pageNames(roots, isOneFile);
  const whole = byPage(exported, pageOf);
  const pages: Page[] = [];
  for (const [name, short] of byPage(made.exported, pageOf)) {
    const plain = whole.get(name) ?? [];
    const isFleet = plain.length > 1;
    const lines = isFleet ? [await linesOf(instance, short), await linesOf(instance, plain)] : [];
    const head = isFleet ? headOf(context.now(), plain, { leftOut, lines }) : [];
    pages.push({ name, text: sealed(await dumpState(instance, short, head)) });
  }
  return pages;
}

function byPage(all: readonly Exported[], pageOf: (scope: Exported["scope"]) => string): Map<string, Exported[]> {
  const pages = new Map<string, Exported[]>();
  for (const each of all) {
    const name = pageOf(each.scope);
    const page = pages.get(name);
    if (page === undefined) pages.set(name, [each]);
    else page.push(each);
  }
  return pages;
}

/** Everything below a group is on the group's page; of several groups, the shortest. */
function pageNames(roots: readonly string[], isOneFile: boolean): (scope: Exported["scope"]) => string {
  if (isOneFile) return () => "";
  const byName = new Map(roots.map((root) => [root.toLowerCase(), root]));
  return (scope) => {
    if (scope.at === "instance") return fileOf(scope);
    for (const name of [...groupsAbove(scope.name), scope.name]) {
      const root = byName.get(name.toLowerCase());
      if (root !== undefined) return fileOf({ at: "group", name: root });
    }
    return fileOf(scope);
  };
}

async function linesOf(instance: string, exported: readonly Exported[]): Promise<number> {
  return (await dumpState(instance, exported)).split("\n").length - 1;
}

interface Counts {
  readonly leftOut: Readonly<Record<string, number>>;
  readonly lines: readonly number[];
}

/** When and of what the export was made, and what its patterns mean for others. */
function headOf(now: Date, plain: readonly Exported[], { leftOut, lines }: Counts): string[] {
  const [short = 0, long = 0] = lines;
  const scopes = (["group", "project"] as const).flatMap((at) => {
    const count = plain.filter(({ scope }) => scope.at === at).length;
    return count === 0 ? [] : [counted(count, at)];
  });
  const unreadable = plain.reduce((sum, each) => sum + each.unreadable.length, 0);
  const out = [
    ...Object.entries(leftOut).map(([why, each]) => `${groupDigits(each)} ${why}`),
    ...(unreadable > 0 ? [`${counted(unreadable, "section")} that could not be read`] : []),
  ];
  return [
    `${dated}${now.toISOString().slice(0, 10)}`,
    `${scopes.join(" and ")} in ${groupDigits(short)} lines; without patterns: ${groupDigits(long)}`,
    ...(out.length > 0 ? [`Left out: ${out.join(", ")}`] : []),
    '"5 of 6" below a pattern: so many of those that it matches have what it declares; the others follow.',
    "A project or group that is new below a pattern gets what the pattern declares.",
  ];
}

const dated = "Compact export of ";

/** Whether two pages differ only in their dates, and the first lines that follow from them. */
export function isSamePage(one: string, other: string): boolean {
  return undated(one) === undated(other);
}

function undated(text: string): string {
  const [first = "", second = ""] = text.split("\n", 2);
  return second.startsWith(`# ${dated}`) ? text.slice(first.length + second.length + 2) : text;
}
