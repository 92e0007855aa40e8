// An instance with one group, fifty subgroups, and many projects below them, of which one in twenty differs.
// Arguments: latency in milliseconds, number of projects.
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const [latency, count] = process.argv.slice(2).map(Number);
const paths = Array.from({ length: count }, (_, at) => `acme/g${at % 50}/p${at}`);
const numbers = new Map(paths.map((path, at) => [path, at]));

const rule = { id: 1, access_level: 40, access_level_description: "Maintainers", user_id: null, group_id: null };
const environments = ["production", "staging"].map((name) => ({
  name,
  deploy_access_levels: [{ ...rule, group_inheritance_type: 0 }],
  approval_rules: [{ ...rule, group_inheritance_type: 0, required_approvals: 1 }],
}));
const allowed = (...ids) => ids.map((id) => ({ id, name: `p${id}`, path_with_namespace: `other/p${id}` }));
const levels = [rule];
const branch = { name: "main", push_access_levels: levels, merge_access_levels: levels, allow_force_push: false };
const below = {
  "": viewOf,
  "/job_token_scope": () => ({ inbound_enabled: true, outbound_enabled: false }),
  "/job_token_scope/allowlist": (at) => allowed(1, 2, 3, ...(at % 20 === 0 ? [100 + at] : [])),
  "/job_token_scope/groups_allowlist": () => [],
  "/protected_environments": (at) => (at % 40 === 0 ? [] : environments),
  "/error_tracking/settings": () => ({ active: true, integrated: true }),
  "/hooks": () => [],
  "/protected_branches": () => [branch],
};

function viewOf(at) {
  const container_registry_access_level = at % 20 === 0 ? "enabled" : "private";
  const state = { archived: false, marked_for_deletion_on: null };
  return { id: at + 1000, path_with_namespace: paths[at], container_registry_access_level, ...state };
}

function answer({ pathname, searchParams }) {
  const [, name, rest] = /^\/api\/v4\/projects\/([^/]+)(.*)$/.exec(pathname) ?? [];
  if (name !== undefined) {
    const at = numbers.get(decodeURIComponent(name));
    return at === undefined ? undefined : below[rest]?.(at);
  }
  const [, group, part] = /^\/api\/v4\/groups\/([^/]+)(.*)$/.exec(pathname) ?? [];
  if (group === undefined) return { id: 1, username: "root" };
  const root = decodeURIComponent(group);
  if (part === "") return { id: 1, full_path: root };
  if (part !== "/projects" || searchParams.get("archived") === "true") return [];
  return paths.flatMap((path, at) => (path.startsWith(`${root}/`) ? [at] : []));
}

createServer(async (request, response) => {
  const url = new URL(request.url, "http://x");
  if (latency > 0) await sleep(latency);
  const whole = answer(url);
  const headers = { "content-type": "application/json" };
  if (!Array.isArray(whole)) {
    response.writeHead(whole === undefined ? 404 : 200, headers);
    return void response.end(JSON.stringify(whole ?? { message: "404 Not Found" }));
  }
  const [page, size] = ["page", "per_page"].map((name) => Number(url.searchParams.get(name)));
  const [at, each] = [Math.max(1, page), size || 20];
  const next = at * each < whole.length ? String(at + 1) : "";
  response.writeHead(200, { ...headers, "x-page": at, "x-next-page": next, "x-per-page": each });
  const rows = whole.slice((at - 1) * each, at * each);
  response.end(JSON.stringify(rows.map((row) => (typeof row === "number" ? viewOf(row) : row))));
}).listen(0, "127.0.0.1", function () {
  console.log(this.address().port);
});
