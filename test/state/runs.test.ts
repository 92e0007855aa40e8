import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { alteringSession, type Exchange } from "../support/altering-proxy.ts";
import { requestsIn, type Session, sandboxSession } from "../support/session.ts";

// Runs and their outcomes: how often a list is read, what counts as sent, and what a rollback may undo.

const names = (count: number) => Array.from({ length: count }, (_, index) => `Team ${index + 1}`);
const links = (list: readonly string[]) =>
  `forgectl: 1\ngroups:\n  acme/platform:\n    saml_group_links:\n${list
    .map((name) => `      - { name: ${name}, access_level: guest }\n`)
    .join("")}`;
const environments = (count: number) =>
  `forgectl: 1\nprojects:\n  acme/docs:\n    protected_environments:\n${names(count)
    .map((name) => `      - { name: ${name}, deploy_access_levels: [{ access_level: 40 }] }\n`)
    .join("")}`;
/** Some of the sandbox's projects. */
const allowlist = `forgectl: 1\nprojects: { acme/docs: { job_token_scope: { allowlist: [1, 3, 4, 5, 6, 7, 9] } } }\n`;
const ldap = (count: number) =>
  `forgectl: 1\ngroups:\n  acme/platform:\n    ldap_group_links:\n${names(count)
    .map((cn) => `      - { cn: ${cn}, provider: ldapmain, group_access: guest }\n`)
    .join("")}`;

const save = ({ home }: Session, text: string) => writeFileSync(join(home, "state.yaml"), text);
const apply = ["state", "apply", "-f", "state.yaml", "--yes", "--no-header"];
const rollback = ["state", "rollback", "--yes", "--no-header"];
const statuses = (stdout: string) =>
  stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => line.split("\t").slice(0, 3).join(" "));

/** The journal of the only run. */
function journalOf({ home }: Session): string {
  const folder = join(home, ".local/state/forgectl/runs");
  const [run = ""] = readdirSync(folder).filter((name) => !name.endsWith(".lock"));
  return join(folder, run, "journal.ndjson");
}

describe("a list is read before its first change and after its last, however many there are", () => {
  test.each([
    ["40 links", links(names(40)), 40, 50],
    ["40 LDAP links", ldap(40), 40, 50],
    ["40 environments", environments(40), 40, 50],
    ["7 entries of an allowlist", allowlist, 7, 10],
    ["500 links", links(names(500)), 500, 520],
  ])("%s", async (_, text, count, most) => {
    const log: string[] = [];
    const place = await sandboxSession({ log: (line) => log.push(line) });
    save(place, text);
    requestsIn(log);
    const { code, stderr } = await place.run(...apply);
    expect([code, stderr]).toEqual([0, expect.stringContaining(`${count} changes made`)]);
    const sent = requestsIn(log);
    expect(sent.filter((line) => line.startsWith("POST "))).toHaveLength(count);
    expect(sent.filter((line) => line.startsWith("GET ")).length).toBeLessThanOrEqual(most);
  });
});

describe("what another user changes meanwhile", () => {
  /** A session in which something else happens once an exchange matches. */
  async function meanwhile(
    matches: (exchange: Exchange, count: number) => boolean,
    method: string,
    path: string,
    body?: object,
  ) {
    let count = 0;
    let isDone = false;
    const place = await alteringSession(async (exchange) => {
      if (isDone || !matches(exchange, ++count)) return undefined;
      isDone = true;
      await fetch(`${place.direct.sandbox.url}/api/v4/${path}`, {
        method,
        headers: { "PRIVATE-TOKEN": place.direct.sandbox.tokens.administrator, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return undefined;
    });
    return place;
  }
  const path = "groups/acme%2Fplatform/saml_group_links";
  const isList = ({ method, path: asked }: Exchange) => method === "GET" && asked.includes("/saml_group_links");
  const isCreation = ({ method }: Exchange) => method === "POST";

  test("between the plan and the first change is stale, and is left alone", async () => {
    const place = await meanwhile(isList, "POST", path, { saml_group_name: "Team 2", access_level: 50 });
    save(place, links(names(3)));
    const { code, stdout } = await place.run(...apply);
    expect(code).toBe(9);
    expect(statuses(stdout)).toEqual([
      "acme/platform#saml_group_links/Team 1 create done",
      "acme/platform#saml_group_links/Team 2 create stale",
      "acme/platform#saml_group_links/Team 3 create done",
    ]);
    const back = await place.run(...rollback);
    expect([back.code, statuses(back.stdout)]).toEqual([
      0,
      ["acme/platform#saml_group_links/Team 1 delete done", "acme/platform#saml_group_links/Team 3 delete done"],
    ]);
  });

  test("after a change, before the end of the list, is seen by the last look", async () => {
    const place = await meanwhile((exchange, count) => isCreation(exchange) && count > 3, "DELETE", `${path}/Team%201`);
    save(place, links(names(3)));
    const { code, stdout } = await place.run(...apply);
    expect(code).toBe(9);
    expect(statuses(stdout)).toEqual([
      "acme/platform#saml_group_links/Team 1 create unknown",
      "acme/platform#saml_group_links/Team 2 create done",
      "acme/platform#saml_group_links/Team 3 create done",
    ]);
  });
});

describe("what was sent and could not be looked at is unknown, and a rollback looks", () => {
  test.each([
    ["the network is lost", "lost"],
    ["every answer is a 500", { status: 500, body: { message: "500" } }],
  ] as const)("%s", { timeout: 60_000 }, async (_, altered) => {
    let isBroken = false;
    const place = await alteringSession(({ method }) => {
      if (method === "POST") isBroken = true;
      return isBroken ? altered : undefined;
    });
    save(place, links(names(1)));
    const applied = await place.run(...apply, "--retries", "0");
    expect(applied.code).not.toBe(0);
    expect(statuses(applied.stdout)).toEqual(["acme/platform#saml_group_links/Team 1 create unknown"]);
    isBroken = false;
    const back = await place.run(...rollback);
    expect([back.code, statuses(back.stdout)]).toEqual([0, ["acme/platform#saml_group_links/Team 1 delete done"]]);
    expect((await place.run(...rollback)).stderr).toMatch(/^nothing to roll back/);
    const nowhere = await place.run(...rollback, { env: { FORGECTL_BASE_URL: "" } });
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining("missing --base-url")]);
  });

  test("a creation that did not happen is not mistaken for one of another user", async () => {
    const place = await sandboxSession();
    save(place, links(names(1)));
    await place.run(...apply);
    // As a kill before the request leaves it.
    const journal = journalOf(place);
    const text = readFileSync(journal, "utf8");
    writeFileSync(journal, text.slice(0, text.indexOf("\n", text.indexOf('"begin":')) + 1));
    const words = ["-g", "acme/platform", "--yes"];
    await place.run("saml", "links", "remove", "Team 1", ...words);
    await place.run("saml", "links", "add", "Team 1", "-g", "acme/platform", "--access-level", "owner");
    const back = await place.run(...rollback);
    expect([back.code, back.stderr]).toEqual([6, expect.stringContaining("Team 1: changed since run")]);
    expect((await place.run("saml", "links", "list", "-g", "acme/platform", "--fields", "name")).stdout).toContain(
      "Team 1",
    );
  });
});

test("what another user has added to what the run created is a conflict, also in a field that the file lacks", async () => {
  const place = await sandboxSession();
  save(place, environments(1));
  expect((await place.run(...apply)).code).toBe(0);
  const path = "projects/2/protected_environments";
  await place.run("api", "-X", "DELETE", `${path}/Team%201`);
  const levels = ["-F", "deploy_access_levels[][access_level]=40"];
  const rules = ["-F", "approval_rules[][access_level]=40", "-F", "approval_rules[][required_approvals]=2"];
  expect((await place.run("api", path, "-f", "name=Team 1", ...levels, ...rules)).code).toBe(0);
  const back = await place.run(...rollback);
  expect([back.code, back.stderr]).toEqual([6, expect.stringContaining("Team 1: changed since run")]);
});

describe("a protected branch that is removed and created again has another ID", () => {
  const branch = "[{ name: 'rel-*', push_access_levels: [{ access_level: developer }], allow_force_push: true }]";
  const created = async () => {
    const place = await sandboxSession();
    save(place, `forgectl: 1\nprojects: { acme/docs: { protected_branches: ${branch} } }\n`);
    expect((await place.run(...apply)).code).toBe(0);
    return {
      place,
      names: async () => (await place.run("api", "projects/2/protected_branches", "--jq", ".[].name")).stdout,
    };
  };

  test("undo, redo, and undo name it, and do not take it for what the run created", async () => {
    const { place, names } = await created();
    const first = await place.run(...rollback);
    const redo = /state rollback (\S+)/.exec(first.stderr)?.[1] ?? "";
    expect((await place.run(...rollback, redo)).code).toBe(0);
    const again = await place.run(...rollback);
    expect([again.code, statuses(again.stdout)]).toEqual([
      9,
      ["acme/docs#protected_branches/rel-* unreadable unreadable"],
    ]);
    expect(again.stdout).toContain("created since, under another ID than by the run");
    expect(await names()).toContain("rel-*");
  });
});

test("a run in progress is not rolled back: what is recorded of it is not all", async () => {
  let arrived: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  let release: () => void = () => undefined;
  const released = new Promise<undefined>((resolve) => {
    release = () => resolve(undefined);
  });
  const place = await alteringSession(({ method }) => {
    if (method !== "POST") return undefined;
    arrived();
    return released;
  });
  save(place, links(names(1)));
  const applying = place.run(...apply);
  await begun;
  const [id = ""] = readdirSync(join(place.home, ".local/state/forgectl/runs")).filter(
    (name) => !name.endsWith(".lock"),
  );
  for (const line of [rollback, [...rollback, id], [...rollback, "--dry-run"]]) {
    const { code, stderr } = await place.run(...line);
    expect([code, stderr]).toEqual([6, expect.stringContaining("another forgectl is changing")]);
  }
  release();
  expect((await applying).code).toBe(0);
  expect(statuses((await place.run(...rollback)).stdout)).toEqual([
    "acme/platform#saml_group_links/Team 1 delete done",
  ]);
});

test("what a killed run may still be making is no row less, however long ago that run began", async () => {
  const place = await sandboxSession();
  save(place, links(names(1)));
  await place.run(...apply);
  const journal = journalOf(place);
  const text = readFileSync(journal, "utf8");
  const begun = text.slice(0, text.indexOf("\n", text.indexOf('"begin":')) + 1);
  const started = new Date(Date.now() - 7_200_000).toISOString();
  writeFileSync(journal, begun.replace(/"started":"[^"]+"/, `"started":"${started}"`));
  await place.run("saml", "links", "remove", "Team 1", "-g", "acme/platform", "--yes");
  const back = await place.run(...rollback);
  expect([back.code, statuses(back.stdout)]).toEqual([9, ["acme/platform#saml_group_links/Team 1 create unreadable"]]);
});

describe("every row has an outcome", () => {
  test("what this version does not know in a run, or cannot read there, is unreadable (exit 9), and the rest is undone", async () => {
    const place = await sandboxSession();
    save(place, links(names(2)));
    await place.run(...apply);
    const journal = journalOf(place);
    const lines = readFileSync(journal, "utf8").split("\n");
    const line = JSON.parse(lines.find((each) => each.includes('"begin":')) as string) as { begin: object };
    const foreign = { ...line.begin, kind: "push_rules", address: "acme#push_rules", status: "done" };
    appendFileSync(journal, `${JSON.stringify({ end: foreign, n: 77 })}\n{"end":{}}\n{"end":{"addr`);
    const back = await place.run(...rollback);
    expect(back.code).toBe(9);
    expect(statuses(back.stdout)).toEqual([
      "acme#push_rules create unreadable",
      expect.stringMatching(/^line \d+ unreadable unreadable$/),
      "acme/platform#saml_group_links/Team 1 delete done",
      "acme/platform#saml_group_links/Team 2 delete done",
    ]);
    const again = await place.run(...rollback);
    expect([again.code, statuses(again.stdout).length]).toEqual([9, 2]);
  });

  test("a section that cannot be read is a row of apply and of rollback", async () => {
    let isHidden = false;
    const place = await alteringSession(({ path }) =>
      isHidden && path.includes("saml_group_links") ? { status: 403, body: { message: "403 Forbidden" } } : undefined,
    );
    save(place, `${links(names(1))}projects: { acme/docs: { container_registry_access_level: private } }\n`);
    expect((await place.run(...apply)).code).toBe(0);
    isHidden = true;
    const back = await place.run(...rollback);
    expect([back.code, statuses(back.stdout)]).toEqual([
      9,
      [
        "acme/platform#saml_group_links/Team 1 unreadable unreadable",
        "acme/docs#container_registry_access_level update done",
      ],
    ]);
    isHidden = false;
    const rest = await place.run(...rollback);
    expect([rest.code, statuses(rest.stdout)]).toEqual([0, ["acme/platform#saml_group_links/Team 1 delete done"]]);
    save(place, links(names(2)));
    isHidden = true;
    const applied = await place.run(...apply);
    expect([applied.code, statuses(applied.stdout)]).toEqual([
      9,
      ["acme/platform#saml_group_links unreadable unreadable"],
    ]);
  });
});

test("a rollback undoes the newest apply that is not undone, and a rollback only by its name", async () => {
  const place = await sandboxSession();
  save(place, links(names(1)));
  await place.run(...apply);
  save(place, links(names(2)));
  await place.run(...apply);
  const listed = async () =>
    (await place.run("saml", "links", "list", "-g", "acme/platform", "--fields", "name", "--no-header")).stdout.trim();
  const back = await place.run(...rollback);
  const [, run = ""] = /state rollback (\S+)/.exec(back.stderr) ?? [];
  expect(await listed()).toBe("Team 1");
  await place.run(...rollback);
  expect(await listed()).toBe("");
  expect(await place.run(...rollback)).toMatchObject({
    code: 0,
    stdout: "",
    stderr: expect.stringMatching(/^nothing to/),
  });
  expect((await place.run("state", "rollback", run, "--yes")).code).toBe(0);
  expect(await listed()).toBe("Team 2");
});

test("a run of which nothing is left to undo is said to be that, since a second try would look at it again", async () => {
  const place = await sandboxSession();
  save(place, links(names(1)));
  await place.run(...apply);
  await place.run("saml", "links", "remove", "Team 1", "-g", "acme/platform", "--yes");
  const { code, stderr } = await place.run(...rollback);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^nothing of it is left to undo; an earlier run .*state history$/m);
});

test("new hooks with the address of another one are created", async () => {
  const place = await sandboxSession();
  const hook = (name: string, url: string) => `      - { name: ${name}, url: "${url}", events: [push] }\n`;
  const deploys = "https://deploys.acme.example/webhook";
  const hooks = [
    hook("Deploys", deploys),
    hook("Other", deploys),
    hook("A", "https://a.example/"),
    hook("B", "https://a.example/"),
  ];
  save(place, `forgectl: 1\ngroups:\n  acme:\n    hooks:\n${hooks.join("")}`);
  const { code, stdout } = await place.run(...apply);
  expect([code, statuses(stdout)]).toEqual([
    0,
    [
      "acme#hooks/Deploys update done",
      "acme#hooks/Other create done",
      "acme#hooks/A create done",
      "acme#hooks/B create done",
    ],
  ]);
});

test("a hook without a name is created beside a named one of its URL, and is another object from then on", async () => {
  const place = await sandboxSession();
  const hook = (name: string) => `{ ${name}url: "https://same.example/", events: [push] }`;
  const applied = async (...names: string[]) => {
    save(place, `forgectl: 1\ngroups: { acme: { hooks: [${names.map(hook).join(", ")}] } }\n`);
    const { code, stdout } = await place.run(...apply, "--no-header");
    return [code, stdout];
  };
  expect(await applied("name: A, ")).toEqual([0, "acme#hooks/A\tcreate\tdone\t\n"]);
  expect(await applied("name: A, ", "")).toEqual([0, "acme#hooks/https://same.example/\tcreate\tdone\t\n"]);
  expect(await applied("name: A, ", "")).toEqual([0, ""]);
});

test.each([
  ["without events", "url: 'https://p.example/'"],
  ["with one", "url: 'https://p.example/', events: [push]"],
])("a webhook that a run created %s is as the run left it, also where instances store null", async (_, values) => {
  const { home, run } = await sandboxSession({ asDeployed: true });
  const hooks = `hooks: [{ name: PA, ${values} }]`;
  const scopes = `groups: { acme: { ${hooks} } }\nprojects: { acme/docs: { ${hooks} } }\n`;
  writeFileSync(join(home, "state.yaml"), `forgectl: 1\n${scopes}`);
  expect((await run("state", "apply", "-f", "state.yaml", "--yes")).code).toBe(0);
  const { code, stdout, stderr } = await run("state", "rollback", "--yes", "--no-header", "--fields", "address,status");
  expect([code, stdout.trim().split("\n")], stderr).toEqual([
    0,
    ["acme#hooks/PA\tdone", "acme/docs#project_hooks/PA\tdone"],
  ]);
});
