// An instance with many projects, each with every section of a state file. All projects have the same settings.
// Argument: latency in milliseconds.
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const latency = Number(process.argv[2]);

const allowed = [1, 2, 3].map((id) => ({ id, name: `Target ${id}`, path_with_namespace: `acme/target-${id}` }));
/** What was added to the allowlist of any project, and how many reads were answered. */
const added = [];
let reads = 0;
const groups = [{ id: 4, name: "Platform", web_url: "https://forge.example/groups/platform" }];
const rules = (more) => [
  { id: 1, access_level: 40, access_level_description: "Maintainers", user_id: null, group_id: null, ...more },
  { id: 2, access_level: null, access_level_description: "Ada", user_id: 7, group_id: null, ...more },
];
const environments = ["production", "staging"].map((name) => ({
  name,
  deploy_access_levels: rules({ group_inheritance_type: 0 }),
  approval_rules: rules({ group_inheritance_type: 0, required_approvals: 1 }),
  required_approval_count: 1,
}));
/** A project's number follows from its path `acme/p<n>`; the ids of the allowlist's targets are below all of them. */
const firstId = 100_000;
const numberOf = (name) => (/^\d+$/.test(name) ? Number(name) - firstId : Number(/\d+$/.exec(name)[0]));
const projectOf = (name) => ({
  id: firstId + numberOf(name),
  path_with_namespace: `acme/p${numberOf(name)}`,
  container_registry_access_level: "private",
});
const below = {
  "": projectOf,
  "/job_token_scope": () => ({ inbound_enabled: true, outbound_enabled: false }),
  "/job_token_scope/allowlist": () => [...allowed, ...added],
  "/job_token_scope/groups_allowlist": () => groups,
  "/protected_environments": () => environments,
  "/error_tracking/settings": () => ({ active: true, integrated: true, project_name: null }),
};

createServer(async (request, response) => {
  const { pathname } = new URL(request.url, "http://x");
  const [, name, rest] = /^\/api\/v4\/projects\/([^/]+)(.*)$/.exec(pathname) ?? [];
  if (latency > 0) await sleep(latency);
  if (pathname === "/reads") return void response.end(String(reads));
  if (request.method === "POST" && rest === "/job_token_scope/allowlist") {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { target_project_id: id } = JSON.parse(text);
    added.push({ id, name: `Target ${id}`, path_with_namespace: `acme/target-${id}` });
    response.writeHead(201, { "content-type": "application/json" });
    return void response.end(JSON.stringify({ source_project_id: 1, target_project_id: id }));
  }
  reads += 1;
  const body = name === undefined ? { id: 1, username: "root" } : below[rest]?.(decodeURIComponent(name));
  response.writeHead(body === undefined ? 404 : 200, {
    "content-type": "application/json",
    ...(Array.isArray(body) && { "x-page": 1, "x-next-page": "", "x-total": body.length, "x-total-pages": 1 }),
  });
  response.end(JSON.stringify(body ?? { message: "404 Not Found" }));
}).listen(0, "127.0.0.1", function () {
  console.log(this.address().port);
});
