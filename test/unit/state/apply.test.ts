import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Answers, applied, group, instanceWith, linksOf, notedRun } from "../../support/planned-state.ts";

const link = (name: string) => `{ name: ${name}, access_level: 30 }`;
const declares = (path: string, ...names: string[]) => `${path}: { saml_group_links: [${names.map(link).join(", ")}] }`;
const post = "POST /groups/acme/saml_group_links";
const acme = (...names: string[]): Answers => ({ "/groups/acme": group(4, "acme"), ...linksOf("acme", ...names) });
const zoo = (...names: string[]): Answers => ({ "/groups/zoo": group(9, "zoo"), ...linksOf("zoo", ...names) });
const [added, removed] = ["acme#saml_group_links/New", "acme#saml_group_links/Old"];

/** What becomes of a new link and of one that is removed. */
const both = (later: Answers = {}) => applied(acme("Old"), `groups: { ${declares("acme", "New")} }`, { later });

describe("the changes of a list", () => {
  test("are made, additions before removals, each noted before it is sent and after", async () => {
    const { outcomes, made, lines, sent } = await both();
    expect(outcomes).toEqual([`${added} done`, `${removed} done`]);
    expect(sent).toEqual([post, "DELETE /groups/acme/saml_group_links/Old"]);
    expect(made).toBe(2);
    const told = lines.map((line) => {
      const [[, n], [what, entry]] = Object.entries(line) as [[string, number], [string, { status: string }]];
      return `${n} ${what} ${entry.status}`;
    });
    expect(told).toEqual([
      "1 planned not_tried",
      "2 planned not_tried",
      "1 begin unknown",
      "1 end done",
      "2 begin unknown",
      "2 end done",
    ]);
  });

  test("are not removed if an addition to it failed; another list is not concerned", async () => {
    const refused = await both({ [post]: 422 });
    expect(refused.outcomes).toEqual([
      `${added} refused: of a test`,
      `${removed} skipped: an addition to this list failed`,
    ]);
    expect([refused.sent, refused.made]).toEqual([[post], 2]);
    const text = `groups: { ${declares("acme", "New")}, ${declares("zoo")} }`;
    const two = await applied({ ...acme(), ...zoo("Old") }, text, { later: { [post]: 422 } });
    expect(two.outcomes.toSorted()).toEqual([`${added} refused: of a test`, "zoo#saml_group_links/Old done"]);
  });

  test("a removal that failed is no obstacle for other removals", async () => {
    const later = { "DELETE /groups/acme/saml_group_links/A": 422 };
    const { outcomes } = await applied(acme("A", "B"), `groups: { ${declares("acme")} }`, { later });
    expect(outcomes).toEqual(["acme#saml_group_links/A refused: of a test", "acme#saml_group_links/B done"]);
  });

  test("that cannot be read are not made, with the reason", async () => {
    const { outcomes, sent } = await both({ "/groups/acme/saml_group_links": 403 });
    expect(outcomes).toEqual([`${added} unreadable: of a test`, `${removed} skipped: an addition to this list failed`]);
    expect(sent).toEqual([]);
  });

  test("of which one was made meanwhile are unchanged, and the others are made", async () => {
    const { outcomes } = await both(linksOf("acme", "New", "Old"));
    expect(outcomes).toEqual([`${added} unchanged`, `${removed} done`]);
  });

  test("are judged by the list as it is in the end", async () => {
    const lost = { ...linksOf("acme"), [post]: { name: "New", access_level: 30, provider: null } };
    const { outcomes, lines } = await applied(acme(), `groups: { ${declares("acme", "New")} }`, { later: lost });
    expect(outcomes).toEqual([`${added} unknown: the instance answered that it was made, but does not list it`]);
    expect(lines.map((line) => Object.keys(line)[1])).toEqual(["planned", "begin", "end", "end"]);
  });
});

describe("a project whose allowlists are not all known", () => {
  const scope = "/projects/7/job_token_scope";
  const known: Answers = {
    "/user": { id: 1 },
    "/projects/acme/api": { id: 7, path_with_namespace: "acme/api" },
    "/projects/acme/web": { id: 8, path_with_namespace: "acme/web" },
    "/projects/acme/api/job_token_scope": { inbound_enabled: false },
    "PATCH /projects/acme/api/job_token_scope": 204,
    "/projects/acme/api/job_token_scope/allowlist": [],
    [`POST ${scope}/allowlist`]: { target_project_id: 8 },
  };
  const restricted = (list: string) =>
    `projects: { acme/api: { job_token_scope: { inbound_enabled: true, allowlist: [${list}] } } }`;
  const reason = "skipped: an entry of one of its lists could not be read or compared";

  test("is not restricted, since what the file allows would lose its access", async () => {
    const gone = await applied(known, restricted("acme/gone"));
    expect([gone.outcomes, gone.sent]).toEqual([[`acme/api#job_token_scope ${reason}`], []]);
    const list = "/projects/acme/api/job_token_scope/allowlist";
    const unread = await applied({ ...known, [list]: 403 }, restricted("acme/web"));
    expect([unread.outcomes, unread.sent]).toEqual([[`acme/api#job_token_scope ${reason}`], []]);
  });

  test("is restricted if the file allows nothing in the list that could not be read", async () => {
    const list = "/projects/acme/api/job_token_scope/allowlist";
    const { sent } = await applied({ ...known, [list]: 403 }, restricted(""));
    expect(sent).toEqual(["PATCH /projects/acme/api/job_token_scope"]);
  });
});

test("a secret that the instance repeats in its answer is in no row, and not in the journal", async () => {
  const instance = await instanceWith({
    "/groups/acme": group(4, "acme"),
    "/groups/acme/hooks": [],
    "POST /groups/acme/hooks": ({ body }: { body: Record<string, unknown> }) => [
      400,
      { message: `bad header ${(body.custom_headers as { value: string }[])[0]?.value} given` },
    ],
  });
  writeFileSync(join(instance.context.folder, "key"), "key-of-the-receiver\n");
  const { changes } = await instance.plan(
    "groups: { acme: { hooks: [{ url: 'https://a.example', custom_headers: [{ key: X-A, value: { file: key } }] }] } }",
  );
  const { run, lines } = notedRun();
  const outcomes = await instance.apply(changes, run);
  expect(outcomes).toEqual(["acme#hooks/https://a.example refused: bad header [redacted] given"]);
  expect(JSON.stringify(lines)).not.toContain("key-of-the-receiver");
  // Of a file, a secret is sent without its line break, in a header too.
  const { body } = instance.requests.find(({ method }) => method === "POST") ?? {};
  expect(body?.custom_headers).toEqual([{ key: "X-A", value: "key-of-the-receiver" }]);
});

describe("what ends a run", () => {
  const text = `groups: { ${declares("acme", "New")}, zoo: { hooks: [{ name: D, url: https://a.example }] } }`;
  const hooks = { "/groups/zoo": group(9, "zoo"), "/groups/zoo/hooks": [] };
  const order = `groups: { zoo: { hooks: [{ name: D, url: https://a.example }], saml_group_links: [${link("New")}] } }`;

  test("is a token that is no longer valid: nothing else is tried", async () => {
    const { outcomes, sent } = await applied({ ...zoo(), ...hooks }, order, {
      later: { "POST /groups/zoo/hooks": 401 },
    });
    expect(outcomes).toEqual([
      "zoo#hooks/D refused: of a test",
      expect.stringMatching(/^zoo#saml_group_links\/New not_tried: could not /),
    ]);
    expect(sent).toEqual(["POST /groups/zoo/hooks"]);
  });

  test("is an instance that no longer answers, from its list on", async () => {
    const { outcomes, sent } = await applied({ ...zoo(), ...hooks }, order, { later: { "/groups/zoo/hooks": "lost" } });
    expect(outcomes.map((each) => each.split(":")[0])).toEqual([
      "zoo#hooks/D not_tried",
      "zoo#saml_group_links/New not_tried",
    ]);
    expect(sent).toEqual([]);
  });

  test("is no 401 that concerns one kind alone", async () => {
    const { outcomes } = await applied({ ...acme(), ...hooks }, text, {
      later: {
        [post]: 401,
        "POST /groups/zoo/hooks": { id: 3, name: "D", url: "https://a.example", push_events: true },
      },
    });
    expect(outcomes.some((each) => each.includes("not_tried"))).toBe(false);
  });

  test("is no failure of the instance at one object", async () => {
    const { outcomes } = await applied({ ...zoo(), ...hooks }, order, { later: { "POST /groups/zoo/hooks": 500 } });
    expect(outcomes.map((each) => each.split(":")[0])).toEqual([
      "zoo#hooks/D unknown",
      "zoo#saml_group_links/New done",
    ]);
  });

  test("may be seen at the second change of a list, or only when it is checked", async () => {
    const two = order.replace("}],", "}, { name: E, url: https://b.example }],");
    const first = await applied({ ...zoo(), ...hooks }, two, { later: { "POST /groups/zoo/hooks": 401 } });
    expect(first.sent).toEqual(["POST /groups/zoo/hooks"]);
    let reads = 0;
    const checked = await applied({ ...zoo(), ...hooks }, order, {
      later: {
        "/groups/zoo/hooks": () => (reads++ === 0 ? [200, []] : "lost"),
        "POST /groups/zoo/hooks": { id: 3, name: "D", url: "https://a.example", push_events: true },
      },
    });
    expect(checked.outcomes.map((each) => each.split(":")[0])).toEqual([
      "zoo#hooks/D unknown",
      "zoo#saml_group_links/New not_tried",
    ]);
  });

  test("is Ctrl-C: what is being sent is heard of, and what follows is not begun", async () => {
    const instance = await instanceWith(acme());
    const { changes } = await instance.plan(`groups: { ${declares("acme", "A", "B", "C")} }`);
    const add = instance.answers[post] as (request: unknown) => unknown;
    instance.answers[post] = (request: unknown) => {
      instance.context.interrupt.abort();
      return add(request);
    };
    const { run, lines } = notedRun();
    const outcomes = await instance.apply(changes, run);
    expect(outcomes.map((each) => each.split(":")[0])).toEqual([
      "acme#saml_group_links/A done",
      "acme#saml_group_links/B not_tried",
      "acme#saml_group_links/C not_tried",
    ]);
    expect(lines.filter((line) => "begin" in line)).not.toContainEqual(expect.objectContaining({ n: 3 }));
  });
});

describe("a journal that can no longer be written", () => {
  const failing = async (refuses: (line: object) => boolean) => {
    const instance = await instanceWith(acme());
    const { changes } = await instance.plan(`groups: { ${declares("acme", "A", "B")} }`);
    const { run, lines } = notedRun(refuses);
    const error = await instance.apply(changes, run).catch((each: Error) => each.message);
    return { error, sent: instance.log("changes"), lines };
  };
  const isFirst = (what: string) => (line: object) => what in line && "n" in line && line.n === 1;

  test("ends the run before anything is sent", async () => {
    expect(await failing((line) => "planned" in line)).toMatchObject({ error: "no space left", sent: [] });
    const begun = await failing(isFirst("begin"));
    expect(begun).toMatchObject({ error: "no space left", sent: [] });
    expect(begun.lines.slice(2)).toMatchObject([{ end: { status: "not_tried" } }, { end: { status: "not_tried" } }]);
  });

  test("ends it after what was sent, whose outcome is then unknown", async () => {
    let refused = 0;
    const once = (line: object) => isFirst("end")(line) && refused++ === 0;
    const { error, sent, lines } = await failing(once);
    expect([error, sent]).toEqual(["no space left", [post]]);
    expect(lines.slice(2).map((line) => Object.values(line)[1])).toMatchObject([
      { status: "unknown", key: "A" },
      { status: "unknown", key: "A", error: "no space left" },
      { status: "not_tried", key: "B", error: "no space left" },
    ]);
    // The last note alone is lost.
    expect(await failing((line) => "end" in line)).toMatchObject({ error: "no space left", sent: [post] });
  });
});
