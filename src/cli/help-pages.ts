import type { HelpPage } from "../base/help-page.ts";
import { groups } from "../commands/index.ts";
import type { Command, Group } from "../declare/command.ts";
import { nodePage, rootPage } from "./help.ts";

/** The pages below one first word, by the words that follow it, as stored by the build; the root's have no word. */
export type KeptPages = readonly (readonly [words: string, page: HelpPage])[];

/** All help pages, for the build (scripts/build.mjs). */
export async function helpPages(): Promise<Record<string, KeptPages>> {
  const pages: Record<string, KeptPages> = { "": [["", rootPage(groups)]] };
  for (const { name, load } of groups) pages[name] = pagesOf(await load(), [name]);
  return pages;
}

function pagesOf(node: Command | Group, path: readonly string[]): KeptPages {
  const below = node.kind === "group" ? node.children.flatMap((child) => pagesOf(child, [...path, child.name])) : [];
  return [[path.slice(1).join(" "), nodePage(node, path)], ...below];
}
