import { readerOf } from "../../src/state/live/reader.ts";
import { expand } from "../../src/state/patterns/expand.ts";
import { type Answers, group, instanceWith, project } from "./planned-state.ts";
import { declared } from "./state-text.ts";

export const reg = (level: string) => `container_registry_access_level: ${level}`;
const names = ["web-ui", "api", "x-int-api", "m/ios", "m/web-ui", "lab/a"];
const projects = names.map((name, at) => project(at + 6, `acme/${name}`));
const [old, doomed] = [project(20, "acme/old"), project(21, "acme/gone", { marked_for_deletion_on: "2026-12-01" })];
const lab = group(11, "acme/lab");
// Scopes that patterns are expanded to: `acme/api` is 7, `acme/old` is archived.

export const fleet: Answers = {
  "/groups/acme": group(4, "acme"),
  "/groups/acme/lab": lab,
  "/groups/acme/projects?archived=true": [old],
  "/groups/acme/projects": [...projects, doomed, project(99, "else/shared")],
  "/groups/acme/descendant_groups": [group(10, "acme/m"), lab],
  "/projects/7": project(7, "acme/api"),
  "/projects/acme/api": project(7, "acme/api"),
  "/projects/acme/was": project(7, "acme/api"),
};

export interface Typed {
  answers?: Answers;
  project?: string[];
  group?: string[];
  at?: "project" | "group";
}

/** What is declared for which scopes: `acme/api registry of a:2, a:3`. */
export async function expanded(
  texts: string | readonly string[],
  { answers = fleet, at = "project", ...typed }: Typed = {},
) {
  const { context, log, warnings } = await instanceWith(answers);
  const scopes = [texts].flat().map((text) => `${at}s:\n${text.replace(/^ */gm, "  ")}`);
  const { sections } = await declared(scopes);
  const reader = readerOf(context.api, context.config);
  const found = await expand(context, reader, sections, { project: typed.project, group: typed.group });
  const lines = found.units.map(({ scope: { name, id }, kind, layers }) => {
    const places = layers.map(({ origin }) => `${origin.file}:${origin.line - 2}`);
    return `${name}${id === undefined ? "" : `(${id})`} ${kind.name.replace(/_.*/, "")} ${places.join(" ")}`;
  });
  const unreadable = found.unreadable.map(({ section, reason }) => `${section.scope.name}: ${reason}`);
  return { lines, unreadable, notices: context.notices, warnings, log, units: found.units };
}
