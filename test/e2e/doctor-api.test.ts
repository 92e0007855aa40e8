import { expect, test } from "vitest";
import { differences } from "../../src/api/differences.ts";
import { type Altered, alteringSession, type Exchange } from "../support/altering-proxy.ts";
import { signedIn } from "../support/answering.ts";
import { requestsIn, type Session, sandboxSession } from "../support/session.ts";

// Is an instance what the documents say? Every GET once, and no values in the output.

interface Row {
  endpoint: string;
  verdict: string;
  detail: string;
}

async function examined(place: Session, ...words: string[]): Promise<Row[]> {
  const { code, stdout, stderr } = await place.run("doctor", "--api", "-o", "json", ...words);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^\d+ as_documented, .* not_tried\n$/) });
  return JSON.parse(stdout);
}

const here = ["-p", "7", "-g", "acme"];
const verdictsIn = (rows: Row[]) => Object.fromEntries(rows.map(({ endpoint, verdict }) => [endpoint, verdict]));

test("the sandbox is as documented; each route is one request at most, and only reads are sent", async () => {
  const log: string[] = [];
  const place = await sandboxSession({ log: (line) => log.push(line) });
  const rows = await examined(place, ...here);
  expect(rows.filter(({ verdict }) => verdict === "differs" || verdict === "known_difference")).toEqual([]);
  expect(rows[0]).toMatchObject({ endpoint: "GET /metadata", detail: expect.stringContaining("release 17.4.0") });
  const sent = requestsIn(log);
  expect(sent.filter((line) => !line.startsWith("GET "))).toEqual([]);
  expect(sent.length).toBeLessThanOrEqual(rows.length);
  expect(new Set(sent).size).toBe(sent.length);
  const tried = rows.filter(({ verdict }) => verdict !== "not_tried");
  expect(sent).toHaveLength(tried.length);
  expect(tried.length).toBeGreaterThan(50);
});

test("other tiers, offerings, and roles: nothing differs, and what is refused is not offered", async () => {
  const free = await sandboxSession({ tier: "free" });
  const hosted = await sandboxSession({ hosting: "hosted" });
  for (const [place, group] of [
    [free, "acme"],
    [free.as("developer"), "acme"],
    [hosted, "globex"],
  ] as const) {
    const rows = await examined(place, "-p", "7", "-g", group);
    expect(rows.filter(({ verdict }) => verdict === "differs")).toEqual([]);
    expect(rows.some(({ verdict }) => verdict === "not_offered")).toBe(true);
  }
});

test("against --as-deployed every difference that a GET can show is known, with its row of docs/instances.md", async () => {
  const ours = await sandboxSession({ asDeployed: true });
  const hosted = await sandboxSession({ asDeployed: true, hosting: "hosted" });
  const first = await examined(ours, ...here);
  await ours.run(..."settings set bulk_import_enabled=true --yes".split(" "));
  await ours.run(..."relations export -p 7 --wait".split(" "));
  await examined(ours, ...here);
  const rows = [
    ...first,
    ...(await examined(ours, ...here)),
    ...(await examined(hosted, "-p", "7", "-g", "globex")),
    ...(await examined(hosted, "-p", "7", "-g", "initech")),
    ...(await examined(ours, "-p", "7", "-g", "initech")),
    ...(await examined(ours.as("developer"), "-p", "7", "-g", "globex")),
    ...(await examined(ours.as("granular"), ...here)),
  ];
  expect(rows.filter(({ verdict }) => verdict === "differs")).toEqual([]);
  const seen = rows.flatMap(({ detail }) => /known: ([\w, -]+)/.exec(detail)?.[1]?.split(", ") ?? []);
  const expected = differences.filter(({ seenIn }) => seenIn !== undefined).map(({ id }) => id);
  expect([...new Set(seen)].sort()).toEqual([...expected].sort());
});

type Change = (row: Record<string, unknown>) => unknown;
const inRows =
  (change: Change) =>
  (exchange: Exchange): Altered => {
    const { body } = exchange;
    if (exchange.status !== 200 || typeof body !== "object" || body === null) return undefined;
    if (!/\/(?:hooks|uploads|job_token_scope|user)(?:\?|$)/.test(exchange.path)) return undefined;
    for (const row of [body].flat()) change(row as Record<string, unknown>);
    return { body };
  };

const marker = "zq-marker-zq";
const altered = ["GET /user", "GET /groups/:group/hooks", "GET /projects/:project/uploads"];

test.each<[string, Change, RegExp]>([
  ["drops", (row) => [delete row.created_at, delete row.username], /^missing: (?:created_at|username)$/],
  [
    "nulls",
    (row) => Object.assign(row, { id: null, ...("username" in row && { created_at: null }) }),
    /^null: (?:id|id, created_at|created_at, id)$/,
  ],
  ["retypes", (row) => Object.assign(row, { id: [marker] }), /^id is a list, not a number$/],
  [
    "adds",
    (row) => Object.assign(row, { brand_new: marker, [`${marker}/x`]: 1 }),
    /^2 unknown: brand_new, \(another name\)$/,
  ],
])("a server that %s fields differs, and its values are not shown", async (_, change, words) => {
  const place = await alteringSession(inRows(change));
  const { stdout } = await place.run("doctor", "--api", ...here, "-o", "json");
  const rows = (JSON.parse(stdout) as Row[]).filter(({ endpoint }) => altered.includes(endpoint));
  expect(rows.map(({ verdict }) => verdict)).toEqual(["differs", "differs", "differs"]);
  for (const { detail } of rows) expect(detail).toMatch(words);
  expect(stdout).not.toContain(marker);
});

test("a list without paging headers differs, unless it is known to have none", async () => {
  const place = await signedIn((request, response) => {
    const isList = /\/(?:projects|groups|users|events|hooks|notes|saml_group_links)(?:\?|$)/.test(request.url ?? "");
    response.writeHead(200, { "content-type": "application/json" }).end(isList ? "[]" : "{}");
  });
  const rows = await examined(place, "-p", "7", "-g", "9");
  const of = (endpoint: string) => rows.find((row) => row.endpoint === endpoint);
  expect(of("GET /groups/:group/hooks")).toMatchObject({
    verdict: "differs",
    detail: "an empty list; no paging headers",
  });
  expect(of("GET /groups/:group/saml_group_links")).toMatchObject({
    verdict: "known_difference",
    detail: "an empty list; known: lists-without-pages",
  });
});

const bytesOf = (path: string) => /\/(?:artifacts(?:\/[^?]*)?|archive|raw|download|uploads\/\d+)(?:\?|$)/.test(path);

test("of a content only the head is read; where it is missing, there was no object to ask about", async () => {
  const whole = await sandboxSession();
  const contents = (await examined(whole, ...here)).filter(({ detail }) => detail.startsWith("bytes,"));
  expect(contents.length).toBeGreaterThan(2);
  const place = await alteringSession(({ path }) =>
    bytesOf(path) ? { status: 404, body: { message: "404 Not found" } } : undefined,
  );
  const without = await examined(place, ...here);
  const verdicts = without.filter(({ endpoint }) => contents.some((each) => each.endpoint === endpoint));
  const missing = verdicts.filter(({ verdict }) => verdict === "not_tried");
  expect(missing.length).toBeGreaterThan(2);
  expect(new Set(missing.map(({ detail }) => detail))).toEqual(new Set(["no object to ask about (404)"]));
  expect(verdicts.filter(({ verdict }) => verdict === "differs")).toEqual([]);
});

test("no value of the instance is printed: every text in its answers is a marker, and so are its errors", async () => {
  const plant = (value: unknown, name = ""): unknown => {
    if (Array.isArray(value)) return value.map((each) => plant(each, name));
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plant(each, key)]));
    }
    const isAddress = ["path", "name", "target_type", "default_branch", "ref"].includes(name);
    return typeof value === "string" && !isAddress ? marker : value;
  };
  const place = await alteringSession(({ status, body }) =>
    typeof body === "object" && (status === 200 || status >= 400) ? { body: plant(body) } : undefined,
  );
  const { code, stdout, stderr } = await place.run("doctor", "--api", ...here, "-o", "json");
  expect([code, (stdout + stderr).includes(marker)]).toEqual([0, false]);
  expect(verdictsIn(JSON.parse(stdout))["GET /projects/:project/job_token_scope"]).toBe("as_documented");
});

test("scopes without --api are refused", async () => {
  const place = await sandboxSession();
  const wrong = await place.run("doctor", "-p", "7");
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("--project and --group need --api") });
  const both = await place.run("doctor", "--api", "--offline");
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining("give only one of --api and --offline") });
});
