import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { json, signedIn } from "../support/answering.ts";

// Lists by page numbers that entries leave while they are read: what is missing from one has not passed an audit.

const why = "entries left a list while it was read, so that one of the others may be missing";
const projects = Array.from({ length: 5 }, (_, index) => ({
  id: index + 1,
  path_with_namespace: `acme/p${index + 1}`,
  marked_for_deletion_on: null,
}));
const groups = Array.from({ length: 5 }, (_, index) => ({ id: index + 11, full_path: `acme/g${index + 11}` }));
const hooks = Array.from({ length: 5 }, (_, index) => ({
  id: index + 1,
  url: `https://ci.acme.example/${index + 1}`,
  enable_ssl_verification: index !== 2,
  alert_status: index === 2 ? "disabled" : "executable",
}));
const users = Array.from({ length: 5 }, (_, index) => ({ id: index + 1, username: `u${index + 1}`, state: "active" }));
const lists = { users, projects, descendant_groups: groups, hooks };

const hintOf = (stderr: string) => JSON.parse(stderr.slice(stderr.indexOf('{"error"'))).error.hint as string;

/**
 * A group of five projects and five groups, with five webhooks, two a page: during the first `times` readings of the
 * list `shifting`, the first entry of it is absent once page 1 was read. Only acme/p3 (then in no page) is open.
 */
async function shifting(list: keyof typeof lists, times: number) {
  let readings = 0;
  const changed: string[] = [];
  const there = await signedIn((request, response, origin) => {
    const { pathname, searchParams } = new URL(request.url ?? "", origin);
    const [, , , , kind, name = "", ...rest] = pathname.split("/").map(decodeURIComponent);
    const section = kind === "users" ? kind : rest.join("/");
    const send = (body: unknown, headers = {}) => json(200, JSON.stringify(body), headers)(request, response, origin);
    if (kind === "user") return send({ id: 1, username: "root", name: "Root", is_admin: true });
    if (kind === "projects" && request.method !== "GET") {
      changed.push(name);
      return send(request.method === "POST" ? { id: 1, body: "once" } : {});
    }
    if (section.endsWith("allowlist")) return send([]);
    if (section === "job_token_scope") return send({ inbound_enabled: name !== "acme/p3" || changed.includes(name) });
    if (kind === "projects" && section === "") {
      return send(projects.find(({ id, path_with_namespace: path }) => path === name || `${id}` === name));
    }
    if (section === "") return send({ id: 4, full_path: name === "4" ? "acme" : name });
    const isOwn = ["acme", "4", ""].includes(name) && searchParams.get("archived") !== "true";
    const all: readonly object[] = isOwn && section in lists ? lists[section as keyof typeof lists] : [];
    const page = Number(searchParams.get("page") ?? 1);
    if (isOwn && section === list && page === 1) readings += 1;
    const left = isOwn && section === list && readings <= times && page > 1 ? all.slice(1) : all;
    const next = page * 2 < left.length ? `${page + 1}` : "";
    send(left.slice(page * 2 - 2, page * 2), { "x-total": `${left.length}`, "x-next-page": next });
  });
  return { ...there, changed };
}

const audits = [
  ["job-token audit -g acme --exit-code -o json", "projects", 10],
  ["audit -g acme --exit-code -o json", "projects", 10],
  ["audit -g acme --min-severity low --exit-code -o json", "descendant_groups", 10],
  ["audit -g acme --exit-code -o json", "hooks", 10],
  ["envs audit -g acme --exit-code -o json", "projects", 0],
  ["hooks audit -g acme --exit-code -o json", "descendant_groups", 10],
  ["hooks audit -g acme --exit-code -o json", "hooks", 10],
  ["hooks health -g acme --exit-code -o json", "hooks", 10],
] as const;

test.each(audits)("%s reads the list of %s again if entries left it", async (line, list, code) => {
  const there = await shifting(list, 2);
  const ended = await there.run(...line.split(" "), "-q");
  expect([ended.code, ended.stderr]).toEqual([code, ""]);
});

test.each(audits)("%s ends with 9 if entries left the list of %s each time", async (line, list) => {
  const there = await shifting(list, 3);
  const { code, stdout, stderr } = await there.run(...line.split(" "), "-q");
  expect(code).toBe(9);
  const isRow = !line.startsWith("hooks health");
  expect(isRow ? stdout : stderr).toContain(why);
  expect(JSON.parse(stdout).length).toBeGreaterThan(0);
});

test.each(["users report -o json", "audit --exit-code -o json"])(
  "%s ends with 9 if entries left the list",
  async (line) => {
    // Instances send it by cursor, which nothing moves.
    const there = await shifting("users", 1);
    const { code, stdout, stderr } = await there.run(...line.split(" "));
    expect([code, stdout + stderr]).toEqual([9, expect.stringContaining(why)]);
  },
);

test("the evidence of an audit says that a list is in part, in every shard", async () => {
  const there = await shifting("projects", 3);
  const line = "audit -g acme --exit-code --shard 1/64 --out evidence -o json";
  const { code, stdout } = await there.run(...line.split(" "));
  const parts = ["job-token.*", "envs.*"].map((rule) => expect.objectContaining({ where: "acme", rule }));
  expect([code, JSON.parse(stdout)]).toEqual([9, expect.arrayContaining(parts)]);
  const written = (name: string) => readFileSync(join(there.home, "evidence", name), "utf8");
  expect(JSON.parse(written("manifest.json")).unreadable).toBe(2);
  for (const name of ["sources.ndjson", "report.csv", "report.md"])
    expect([name, written(name)]).toEqual([name, expect.stringContaining(`the projects below it: ${why}`)]);
});

const limit = "each --projects-of acme --yes -- job-token limit on";
const posting = "each --projects-of acme --match acme/* --yes -- notes create --issue 1 --body once";

test("each is for all projects if entries left their list once", async () => {
  const there = await shifting("projects", 1);
  const { code, stderr } = await there.run("-q", ...limit.split(" "));
  expect([code, stderr, there.changed]).toEqual([0, "", expect.arrayContaining(["acme/p3"])]);
});

test.each([limit, posting])(
  "%s does what was listed, and the command that it names the rest, nothing twice, if entries left the list each time",
  async (line) => {
    const there = await shifting("projects", 6);
    const [first, second] = [await there.run("-o", "json", ...line.split(" ")), there.changed.length];
    expect([first.code, JSON.parse(first.stdout).length, second]).toEqual([9, 4, 4]);
    const hint = hintOf(first.stderr);
    expect(hint).toMatch(/^forgectl each --resume \S+ --yes$/);
    const again = await there.run("-o", "json", ...hint.split(" ").slice(1));
    expect([again.code, there.changed.length, hintOf(again.stderr)]).toEqual([9, 4, hint]);
    const rest = await there.run(...hint.split(" ").slice(1));
    expect([rest.code, there.changed.sort()]).toEqual([0, projects.map(({ path_with_namespace: path }) => path)]);
    expect((await there.run(...hint.split(" ").slice(1))).code).toBe(2);
  },
);

test.each([
  ["each --projects-of acme -- job-token get", "projects"],
  ["each --groups-of acme -- hooks list", "descendant_groups"],
  ["each --projects-of acme --dry-run -- job-token limit on", "projects"],
  ["each --projects-of acme --journal j --yes -- job-token limit on", "projects"],
] as const)("%s ends with 9 and names itself if entries left the list of %s each time", async (line, list) => {
  const there = await shifting(list, 3);
  const { code, stderr } = await there.run("-o", "json", ...line.split(" "));
  expect([code, hintOf(stderr)]).toEqual([9, `forgectl ${line}`]);
  expect((await there.run(...line.split(" "))).code).toBe(0);
});

test("a pattern of a state file matches nothing of a list that is in part", async () => {
  const there = await shifting("projects", 3);
  const file = "forgectl: 1\nprojects:\n  acme/**:\n    job_token_scope: {inbound_enabled: true}\n";
  writeFileSync(join(there.home, "state.yaml"), file);
  const line = "state plan -f state.yaml --exit-code -o json";
  const { code, stdout } = await there.run(...line.split(" "));
  expect([code, stdout]).toEqual([9, expect.stringContaining(why)]);
  expect((await there.run(...line.split(" "))).code).toBe(10);
});
