// An instance with a group of many projects, each with protected environments, and a few groups with webhooks.
// Arguments: number of projects, latency in milliseconds. GET /asked answers with what was asked for.
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const [count, latency] = process.argv.slice(2).map(Number);
const asked = [];

const projects = Array.from({ length: count }, (_, at) => ({
  id: 100_000 + at,
  name: `p${at}`,
  path_with_namespace: `acme/p${at}`,
  description: "x".repeat(500),
  namespace: { id: 1, kind: "group", full_path: "acme" },
  archived: false,
}));
const groups = ["acme/web", "acme/ops"].map((full_path, at) => ({ id: 2 + at, name: full_path, full_path }));
const rules = (level, more) => [
  { id: 1, access_level: level, access_level_description: "By level", user_id: null, group_id: null, ...more },
  { id: 2, access_level: null, access_level_description: "Ada", user_id: 7, group_id: null, ...more },
];
const environments = ["production", "staging"].map((name) => ({
  name,
  deploy_access_levels: rules(name === "staging" ? 30 : 40, { group_inheritance_type: 0 }),
  approval_rules: name === "staging" ? [] : rules(40, { required_approvals: 1 }),
  required_approval_count: 1,
}));
const hook = { id: 1, url: "https://hooks.example/x", enable_ssl_verification: true, alert_status: "executable" };
const ofGroup = {
  "": () => ({ id: 1, name: "acme", full_path: "acme" }),
  "/projects": (query) => (query.get("archived") === "true" ? [] : projects),
  "/descendant_groups": () => groups,
  "/hooks": () => [hook],
  "/hooks/1/events": () => [],
};
const ofProject = {
  "/job_token_scope": () => ({ inbound_enabled: false, outbound_enabled: false }),
  "/protected_environments": () => environments,
};

function answerTo({ pathname, searchParams }) {
  const [, kind, below] = /^\/api\/v4\/(projects|groups)\/[^/]+(.*)$/.exec(pathname) ?? [];
  if (kind !== undefined) return (kind === "groups" ? ofGroup : ofProject)[below]?.(searchParams);
  return pathname.startsWith("/api/v4/user") ? { id: 7, username: "ada", state: "active" } : undefined;
}

createServer(async (request, response) => {
  const url = new URL(request.url, "http://x");
  if (url.pathname === "/asked") return void response.end(asked.splice(0).join("\n"));
  asked.push(request.url);
  if (latency > 0) await sleep(latency);
  const all = answerTo(url);
  const [page, size] = ["page", "per_page"].map((name, at) => Number(url.searchParams.get(name) ?? [1, 20][at]));
  const isList = Array.isArray(all);
  const body = isList ? all.slice((page - 1) * size, page * size) : all;
  const next = isList && page * size < all.length ? page + 1 : "";
  response.writeHead(body === undefined ? 404 : 200, {
    "content-type": "application/json",
    ...(isList && { "x-page": page, "x-per-page": size, "x-next-page": next, "x-total": all.length }),
    ...(isList && { "x-total-pages": Math.ceil(all.length / size) }),
  });
  response.end(JSON.stringify(body ?? { message: "404 Not Found" }));
}).listen(0, "127.0.0.1", function () {
  console.log(this.address().port);
});
