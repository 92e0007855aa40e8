import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { json, signedIn } from "../support/answering.ts";
import { sandboxSession, session } from "../support/session.ts";

// Answers with null where a value is documented, names that would forge lines of a log, and leftovers.

/** A copy in which the field at a path is null. */
function withNull(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return null;
  if (Array.isArray(value)) return value.map((each) => withNull(each, [name, ...rest]));
  if (typeof value !== "object" || value === null) return value;
  return { ...value, [name]: withNull((value as Record<string, unknown>)[name], rest) };
}

test("a discussion with any field null is shown in every format", async () => {
  const paths = ["id", "individual_note", "notes", "notes.id", "notes.author", "notes.author.name", "notes.created_at"];
  let field: readonly string[] = [];
  const { run } = await alteringSession(({ method, path, body }) =>
    method === "GET" && path.includes("/discussions") ? { body: withNull(body, field) } : undefined,
  );
  for (const path of [...paths, "notes.body", "notes.system"]) {
    field = path.split(".");
    for (const format of ["table", "json", "yaml", "csv", "tsv", "ndjson"]) {
      const { code, stderr } = await run(..."discussions list --issue 28 -p 7 -o".split(" "), format);
      // A list that is null may be refused, but must not end with exit 70.
      expect([path, format, code === 0 || code === 1, stderr.includes("reading '")]).toEqual([
        path,
        format,
        true,
        false,
      ]);
    }
  }
});

/** A session in which a field of the answers to some requests is null. */
function nulled(request: RegExp, ...path: string[]) {
  return alteringSession(({ method, path: at, body }) =>
    request.test(`${method} ${at}`) && typeof body === "object" ? { body: withNull(body, path) } : undefined,
  );
}

test("images whose digest is not shown are counted one by one, and are in no saved plan", async () => {
  const { run, home } = await nulled(/GET .*\/tags\/[^/?]+$/, "digest");
  const usage = JSON.parse((await run(..."registry usage -p 7 --sizes -o json".split(" "))).stdout);
  const shown = await sandboxSession();
  const right = JSON.parse((await shown.run(..."registry usage -p 7 --sizes -o json".split(" "))).stdout);
  for (const { path, size, tags } of right) {
    const row = usage.find((each: { path: string }) => each.path === path);
    expect([path, row.tags, row.size >= size]).toEqual([path, tags, true]);
  }
  const prune = "registry prune -p 7 --delete-regex .* --keep-n 1 --older-than 1d --save plan.json";
  await run(...prune.split(" "), { cwd: home });
  expect(JSON.parse(readFileSync(join(home, "plan.json"), "utf8")).tags).toEqual([]);
});

test("a repository of which the size of one image is not shown has no size, in place of the sum of the others", async () => {
  const { run } = await nulled(/GET .*\/repositories\/12\/tags\/v1\.2\.0$/, "total_size");
  const usage = JSON.parse((await run(..."registry usage -p 7 --sizes -o json".split(" "))).stdout);
  const sizes = usage.map(({ id, size }: { id: number; size: number | null }) => [id, typeof size]);
  expect(Object.fromEntries(sizes)).toMatchObject({ 12: "object", 13: "number" });
  const none = await nulled(/GET .*\/tags\/[^/?]+$/, "total_size");
  expect((await none.run(..."registry usage -p 7 --sizes".split(" "))).code).toBe(0);
});

test.each([
  [{ required_approval_count: 2, approval_rules: [] }, []],
  [{ required_approval_count: "2", approval_rules: [] }, []],
  [{ required_approval_count: 1, approval_rules: [] }, ["single_approver"]],
  [{ required_approval_count: 0, approval_rules: [] }, ["no_approval"]],
  [{ approval_rules: [] }, ["no_approval"]],
])("approvals without rules are approvals to an audit, before release 17: %j", async (approvals, findings) => {
  const rule = { id: 1, access_level: 40, user_id: null, group_id: null };
  const { run } = await alteringSession(({ path }) => {
    if (path.endsWith("/metadata")) return { body: { version: "16.11.2-ee" } };
    return path.includes("/protected_environments")
      ? { body: [{ name: "production", deploy_access_levels: [rule], ...approvals }] }
      : undefined;
  });
  const { stdout } = await run("envs", "audit", "-p", "7", "-o", "json");
  expect(JSON.parse(stdout).map(({ finding }: { finding: string }) => finding)).toEqual(findings);
});

test("a user of another name is not the user that was named", async () => {
  const { run, home, seen } = await alteringSession(({ path }) =>
    /\/users\?.*username=/.test(path) ? { body: [{ id: 9, username: "somebody.else", name: "X" }] } : undefined,
  );
  writeFileSync(
    join(home, "state.yaml"),
    "forgectl: 1\nprojects: { acme/docs: { protected_environments: [{ name: x, deploy_access_levels: [{ username: dana.dixon }] }] } }",
  );
  const protect = await run(..."envs protect x -p acme/docs --allow user:dana.dixon".split(" "));
  const apply = await run(..."state apply -f state.yaml --yes".split(" "), { cwd: home });
  expect([protect.code, apply.code === 0, seen.filter((line) => line.startsWith("POST "))]).toEqual([3, false, []]);
});

test("doctor says that the scopes of a token are not reported", async () => {
  const { run } = await nulled(/personal_access_tokens\/self/, "scopes");
  const { code, stdout } = await run("doctor", "-o", "json");
  expect([code, stdout]).toEqual([0, expect.stringContaining("scopes not reported")]);
});

test("doctor says that the expiry of a token is not reported", async () => {
  const { run } = await alteringSession(({ path, body }) => {
    if (!path.includes("personal_access_tokens/self")) return undefined;
    const { expires_at: _, ...rest } = body as Record<string, unknown>;
    return { body: rest };
  });
  const { code, stdout } = await run("doctor", "-o", "json");
  expect([code, stdout]).toEqual([0, expect.stringContaining("expiry not reported")]);
  expect(stdout).toMatch(/"\d+ ms for GET/);
});

test.each([
  ["notes upsert --key k --issue 28 -p 7 --body x", /GET .*\/notes/, "body", "in a Note of the answer, body is null"],
  ["hooks redeliver 1 -g acme --yes", /GET .*\/events/, "id", "in a HookEvent of the answer, id is null"],
  [
    "registry tags prune 12 -p 7 --delete-regex .* --via tags --yes",
    /GET .*\/tags\?/,
    "name",
    "in a RegistryTag of the answer, name is null",
  ],
  ["errors keys rotate 1 -p 7 --reveal --yes", /GET .*\/client_keys/, "id", "in a ClientKey of the answer, id is null"],
])("%s does not use a null", async (line, request, field, reason) => {
  const { run, seen } = await nulled(request, field);
  const { code, stderr } = await run(...line.split(" "));
  expect([code, stderr]).toEqual([1, expect.stringContaining(`cause: ${reason}\n`)]);
  expect(seen.filter((each) => !each.startsWith("GET"))).toEqual([]);
});

test("rules that are not shown are not taken for none", async () => {
  const { run } = await nulled(/GET .*\/protected_environments/, "deploy_access_levels");
  const reason = "in a ProtectedEnvironment of the answer, deploy_access_levels is null";
  const audited = await run(..."envs audit -g acme -o ndjson".split(" "));
  const unread = { environment: null, finding: "unreadable", detail: reason };
  const rows = audited.stdout.trimEnd().split("\n");
  expect([audited.code, rows.map((row) => JSON.parse(row))]).toEqual([
    9,
    [expect.objectContaining(unread), expect.objectContaining(unread)],
  ]);
  const exported = await run(..."state export -p 7 -O -".split(" "));
  expect(exported.stdout).not.toMatch(/deploy_access_levels|production/);
  expect(exported.stdout + exported.stderr).toContain(reason);
});

test("a file whose last commit is not shown is not replaced", async () => {
  const { run, seen } = await signedIn((request, response) => {
    if (request.method !== "HEAD") return void response.writeHead(500).end();
    const facts = { "x-service-file-path": "a.md", "x-service-blob-id": "1".repeat(40), "x-service-size": "3" };
    response.writeHead(200, facts).end();
  });
  const { code, stderr } = await run(..."files put a.md -p 7 -b main -m m --content x".split(" "));
  expect([code, stderr]).toEqual([1, expect.stringContaining("last_commit_id is missing")]);
  expect(seen.filter((each) => !each.startsWith("HEAD"))).toEqual([]);
});

test("in the log of a job, names in a state file begin no line, and control nothing", async () => {
  const { run, home } = session();
  const key = '"a\\n::error::forged\\r\\e[0Ksection_start:1:x\\r\\e[0K"';
  writeFileSync(join(home, "::error::b.yaml"), `forgectl: 1\nsettings:\n  ${key}: 1\n`);
  for (const format of ["csv", "tsv"]) {
    const logged = await run("state", "validate", "-f", "::error::b.yaml", "-o", format, { env: { CI: "true" } });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
    expect(logged.stdout).not.toMatch(/^\s*(?:::|section_)|[\u001b\r]/m);
    expect(logged.stdout).toContain("::error::forged");
    expect(logged.stdout.trimEnd().split("\n")).toHaveLength(2);
  }
  const plain = await run("state", "validate", "-f", "::error::b.yaml", "-o", "csv");
  expect(plain.stdout).toContain("a\n::error::forged\r\u001b[0K");
});

test("in the log of a job, no name in an answer begins a line of a table, of a record, or of a passage", async () => {
  const name = "::error::forged";
  const note = { id: 1, body: "text", author: { id: 1, username: name, name }, created_at: "2026-11-01T00:00:00Z" };
  const one = await signedIn(json(200, JSON.stringify({ id: 1, [name]: name, "": name, "section_start:1:x": 1 })));
  const some = await signedIn(json(200, JSON.stringify([{ ...note, name, description: "", full_path: name }])));
  const talk = await signedIn(
    json(200, JSON.stringify([{ id: "6a9c1750b37d513a43987b574953fceb50b03ce7", notes: [note] }])),
  );
  for (const [{ run }, line] of [
    [talk, "discussions list --issue 1 -p 7"],
    [some, "groups list --fields name,id"],
    [some, "groups list --fields description,name"],
    [some, "groups list --fields name --no-header"],
    [some, "notes list --issue 1 -p 7"],
    [one, "api groups/1"],
  ] as const) {
    const { code, stdout } = await run(...line.split(" "), "-o", "table", { env: { CI: "true" } });
    expect([line, code, stdout]).toEqual([line, 0, expect.not.stringMatching(/^\s*(?:::|section_|##)/m)]);
    expect(stdout).toContain("::error::forged");
  }
});

test("a list that is redirected to another origin is refused, with the address for --base-url", async () => {
  const other = await signedIn((_request, response) => void response.end("[]"));
  const target = `${other.env.FORGECTL_BASE_URL}/api/v4/users?per_page=100`;
  const { run } = await signedIn((_request, response) => void response.writeHead(301, { location: target }).end());
  const { code, stdout, stderr } = await run("users", "list");
  expect([code, stdout, other.seen]).toEqual([1, "", []]);
  expect(stderr).toContain(`--base-url ${other.env.FORGECTL_BASE_URL}`);
});

test("the next download removes what a killed one left, and nothing else", async () => {
  const { run, home } = await sandboxSession();
  const folder = join(home, "there");
  mkdirSync(folder);
  const dead = ".forgectl-4194303-abc123.tmp";
  const others = [`.forgectl-${process.pid}-abc123.tmp`, ".forgectl-notes.tmp", ".forgectl-12-abc.tmp.txt"];
  for (const name of [dead, ...others]) writeFileSync(join(folder, name), "x");
  const line = "files download README.md -p 7 --ref main -O there/README.md".split(" ");
  expect(await run(...line)).toMatchObject({ code: 0 });
  expect(readdirSync(folder).sort()).toEqual([...others, "README.md"].sort());
});

test.each(["settings audit", "settings get", "job-token get -p 7"])(
  "an answer without any field of what was read is not it: %s",
  async (line) => {
    const bodies = [{}, { data: { signup_enabled: true, username: "x" } }];
    // What checks whether a browser asks may answer 202.
    for (const [status, body] of [200, 202].flatMap((status) => bodies.map((body) => [status, body] as const))) {
      const { run } = await alteringSession(({ method }) => (method === "GET" ? { status, body } : undefined));
      const { code, stderr } = await run(...line.split(" "));
      expect([status, code, stderr]).toEqual([
        status,
        1,
        expect.stringContaining("cause: the answer has none of the fields of "),
      ]);
    }
  },
);

test("an object with a field toString is shown in a plan beside a text of several lines, from either side", async () => {
  const odd = { toString: 1, url: "https://user:secret@example.com" };
  const { run, home } = await signedIn(json(200, JSON.stringify({ id: 1, motto: odd, slogan: "a\nb" })));
  writeFileSync(join(home, "forge.yaml"), 'forgectl: 1\nsettings: { motto: "a\\nb", slogan: { toString: 1 } }\n');
  const { code, stdout } = await run("state", "plan", "-f", "forge.yaml", "-o", "table");
  expect([code, stdout.replace(/ +/g, " ")]).toEqual([
    0,
    `~ #settings forge.yaml:2
 motto - {"toString":1,"url":"https://[redacted]@example.com"}
 + a
 + b
 slogan - a
 - b
 + {"toString":1}
`,
  ]);
});

test("levels of a protected branch that are no objects are an answer that is not valid", async () => {
  for (const levels of [[null], [40], {}]) {
    const { run } = await alteringSession(({ path, body }) =>
      path.includes("/protected_branches") && Array.isArray(body)
        ? { body: body.map((row) => ({ ...row, unprotect_access_levels: levels })) }
        : undefined,
    );
    const { code, stderr } = await run(..."state export -p 7 --only protected_branches -O -".split(" "));
    expect([code, stderr]).toEqual([9, expect.stringContaining("in a ProtectedBranch of the answer")]);
  }
});
