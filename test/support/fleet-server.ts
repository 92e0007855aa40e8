import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { signedIn } from "./answering.ts";
import type { Session } from "./session.ts";

/** What an instance answers for one project; what is left out is empty or off. */
interface LiveProject {
  id: number;
  registry?: string;
  archived?: boolean;
  environments?: readonly object[];
  /** IDs. */
  allowlist?: readonly number[];
  tracking?: { active: boolean; integrated?: boolean };
  /** Sections that answer 403. */
  refused?: readonly string[];
}

export interface LiveFleet {
  projects: Record<string, LiveProject>;
  groups: readonly string[];
  /** Lists that answer 500. */
  broken?: readonly string[];
}

/** A session against an instance that has only these projects and groups, and answers only reads. */
export async function fleetSession(fleet: LiveFleet): Promise<Session & { seen: string[]; url: string }> {
  const session = await signedIn((request, response, here) => {
    const url = new URL(request.url ?? "", here);
    const [status, body] = answer(fleet, url, request.method ?? "");
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  return { ...session, url: String(session.env.FORGECTL_BASE_URL) };
}

type Answer = [status: number, body: unknown];
const missing: Answer = [404, { message: "404 Not found" }];

function answer(fleet: LiveFleet, url: URL, method: string): Answer {
  const [, , , , what = "", name = "", ...rest] = url.pathname.split("/").map(decodeURIComponent);
  if (method !== "GET") return [405, { message: "405 Method Not Allowed" }];
  if (what === "user") return [200, { id: 1, username: "root", is_admin: true }];
  if (what === "groups") return groupAnswer(fleet, url, name, rest.join("/"));
  const found = Object.entries(fleet.projects).find(
    ([path, { id }]) => path.toLowerCase() === name.toLowerCase() || String(id) === name,
  );
  if (what !== "projects" || found === undefined) return missing;
  const [path, project] = found;
  const section = rest.join("/");
  if (project.refused?.includes(section)) return [403, { message: "403 Forbidden" }];
  const { allowlist = [], environments = [], tracking } = project;
  const named = environments.map(
    (each) => [`protected_environments/${(each as { name: string }).name}`, each] as const,
  );
  const all: Record<string, unknown> = {
    ...Object.fromEntries(named),
    "": projectView(path, project),
    job_token_scope: { inbound_enabled: true, outbound_enabled: false },
    "job_token_scope/allowlist": [...new Set([project.id, ...allowlist])].map((id) => targetView(fleet, id)),
    "job_token_scope/groups_allowlist": [],
    protected_environments: environments,
    "error_tracking/settings": tracking,
  };
  return all[section] === undefined ? missing : [200, all[section]];
}

function groupAnswer({ projects, groups, broken = [] }: LiveFleet, url: URL, name: string, section: string): Answer {
  const group = groups.find((path, index) => path.toLowerCase() === name.toLowerCase() || String(index + 1) === name);
  if (group === undefined) return missing;
  if (broken.includes(`${group}/${section}`)) return [500, { message: "500 Internal Server Error" }];
  const view = (path: string) => ({ id: groups.indexOf(path) + 1, full_path: path, name: path });
  if (section === "") return [200, view(group)];
  if (section === "descendant_groups") return [200, groups.filter((path) => path.startsWith(`${group}/`)).map(view)];
  if (section !== "projects") return [200, []];
  const archived = url.searchParams.get("archived");
  const below = Object.entries(projects).filter(([path]) => path.startsWith(`${group}/`));
  const found = below.filter(([, each]) => archived === null || String(each.archived ?? false) === archived);
  return [200, found.map(([path, each]) => projectView(path, each))];
}

function projectView(path: string, { id, registry = "enabled", archived = false }: LiveProject): object {
  const fields = { id, path_with_namespace: path, container_registry_access_level: registry, archived };
  return { ...fields, marked_for_deletion_on: null };
}

function targetView({ projects }: LiveFleet, id: number): object {
  const [path] = Object.entries(projects).find(([, each]) => each.id === id) ?? [`other/p${id}`];
  return { id, path_with_namespace: path };
}

/** Lines of a state file: the first line is also that of its head, so that the n-th one is line n. */
export function stateText(lines: readonly string[], of = "projects"): string {
  return `{forgectl: 1, ${of}: {${lines.map(written).join(",\n")}}}\n`;
}

/** Short names for what is in many of the lines. */
function written(line: string): string {
  const environment = (name: string, level: string, more = "") =>
    `{name: ${name}, deploy_access_levels: [{access_level: ${level}}]${more}}`;
  return line
    .replace(/^(\S+): /, '"$1": ')
    .replace(/\breg:/g, "container_registry_access_level:")
    .replace(/\benvs:/g, "protected_environments:")
    .replace(/\bP\((\d+)\)/g, (_, level) => environment("production", level))
    .replace(/\bQ\((\d+)\)/g, (_, level) =>
      environment("production", level, ", approval_rules: [{access_level: 40, required_approvals: 2}]"),
    )
    .replace(/\bS\b/g, environment("staging", "40"))
    .replace(/\bR\b/g, environment("review", "40"));
}

export function writeState({ home }: Pick<Session, "home">, lines: readonly string[], of?: string, name = "f"): void {
  writeFileSync(join(home, name), stateText(lines, of));
}
