import { describe, expect, test } from "vitest";
import { expanded, fleet, reg } from "../../support/expanded.ts";
import { type Answers, group, project } from "../../support/planned-state.ts";

describe("a pattern is for all projects below its group that it matches", () => {
  test("in the order of their paths, and it says how many, and which are passed over", async () => {
    const { lines, notices, warnings, log } = await expanded(`acme/**: { ${reg("private")} }`);
    expect(lines).toEqual([
      "acme/api(7) container a:1",
      "acme/lab/a(11) container a:1",
      "acme/m/ios(9) container a:1",
      "acme/m/web-ui(10) container a:1",
      "acme/web-ui(6) container a:1",
      "acme/x-int-api(8) container a:1",
    ]);
    expect(notices).toEqual(["acme/** 6 projects (1 to be deleted passed over, 1 archived passed over)"]);
    expect(warnings).toEqual([]);
    expect(log().filter((each) => each.endsWith("/projects"))).toHaveLength(2);
  });

  test("the most specific first; only what matches is passed over or left out", async () => {
    const { lines, notices } = await expanded(`acme/**: { except: ["acme/lab/**", acme/api], ${reg("private")} }
      acme/*: { ${reg("enabled")} }
      acme/web-*: { ${reg("disabled")} }`);
    expect(lines.toSorted()).toEqual([
      "acme/api(7) container a:2",
      "acme/m/ios(9) container a:1",
      "acme/m/web-ui(10) container a:1",
      "acme/web-ui(6) container a:3 a:2 a:1",
      "acme/x-int-api(8) container a:2 a:1",
    ]);
    expect(notices).toEqual([
      "acme/** 4 projects (1 to be deleted passed over, 1 archived passed over, 2 left out by except)",
      "acme/* 3 projects (1 to be deleted passed over, 1 archived passed over)",
      "acme/web-* 1 project",
    ]);
  });

  test("one that matches nothing is a warning, and says what was passed over", async () => {
    const { lines, notices, warnings } = await expanded([
      `acme/empty-*: { ${reg("private")} }`,
      `acme/ol*: { ${reg("private")} }`,
      `acme/lab/*: { except: [acme/lab/a], ${reg("private")} }`,
    ]);
    expect([lines, notices]).toEqual([[], []]);
    expect(warnings).toEqual([
      "a:3: acme/empty-* matches nothing",
      "b:3: acme/ol* matches nothing (1 archived passed over)",
      "c:3: acme/lab/* matches nothing (1 left out by except)",
    ]);
  });

  test("groups are another fleet, of which an exception may be a group", async () => {
    const text = "acme/**: { except: [acme/lab, acme/nothing], hooks: [] }";
    const { lines, notices, warnings, log } = await expanded(text, { at: "group" });
    expect(lines).toEqual(["acme/m(10) hooks a:1"]);
    expect(notices).toEqual(["acme/** 1 group (1 left out by except)"]);
    expect(warnings).toEqual(["a:3: except acme/nothing leaves nothing out of acme/**"]);
    // Only one that is not below the group is looked up: it may have another path by now.
    expect(log().filter((each) => /lab|nothing/.test(each))).toEqual(["GET /groups/acme/nothing"]);
  });

  test("an exception that has another path by now is refused: what it leaves out would be changed", async () => {
    const text = `acme/**: { except: [acme/old], ${reg("private")} }`;
    const answers = {
      ...fleet,
      "/projects/acme/old": { id: 70, path_with_namespace: "acme/api" },
      "/groups/acme/old": 404,
    };
    for (const project of [undefined, ["acme/api"], ["7"]]) {
      await expect(expanded(text, { answers, ...(project && { project }) })).rejects.toMatchObject({
        message: "a:3: acme/old has moved to acme/api: write that in the file",
        details: { code: "invalid_state", nothing: "sent" },
      });
    }
    expect((await expanded(text, { answers, project: ["acme/web-ui"] })).lines).toHaveLength(1);
  });

  test("so is everything below a group that has another path by now", async () => {
    const text = `acme/**: { except: ["acme/old/**"], ${reg("private")} }`;
    const moved = (path: string) => ({ answers: { ...fleet, "/groups/acme/old": group(10, path) } });
    const answers = {
      ...fleet,
      "/groups/acme/old": group(10, "acme/m"),
      "/projects/acme/m/ios": project(9, "acme/m/ios"),
    };
    for (const names of [undefined, ["acme/m/ios"]]) {
      await expect(expanded(text, { answers, ...(names && { project: names }) })).rejects.toMatchObject({
        message: "a:3: acme/old/**: the group acme/old has moved to acme/m: write that in the file",
        details: { code: "invalid_state", nothing: "sent" },
      });
    }
    await expanded(text, moved("acme/empty"));
    // Nothing of what moved is among those that the exception would leave out.
    const some = `acme/**: { ${reg("private")} }\nacme/m/*: { except: ["acme/m/old-*"], ${reg("disabled")} }`;
    await expanded(some, { answers: { ...fleet, "/groups/acme/m": group(10, "acme/lab") } }).catch(() => undefined);
  });

  test("an exception that the pattern is no longer for is none", async () => {
    const text = `acme/**: { except: [acme/old], ${reg("private")} }`;
    for (const path of ["globex/old", "acme/old-deletion_scheduled-70"]) {
      const project = { id: 70, path_with_namespace: path };
      await expanded(text, { answers: { ...fleet, "/projects/acme/old": project, "/groups/acme/old": 404 } });
    }
  });

  test("an exception that leaves nothing out, as one that was mistyped, is a warning", async () => {
    const left = ["ACME/api", "acme/*-UI", "acme/old", "acme/lab/**"];
    const nothing = ["acme/Nothing", "acme/none/**", "acme/*-iu"];
    const except = [...left, ...nothing].map((each) => JSON.stringify(each)).join(", ");
    const { warnings } = await expanded(`acme/**: { except: [${except}], ${reg("private")} }`);
    expect(warnings).toEqual(nothing.map((each) => `a:3: except ${each} leaves nothing out of acme/**`));
  });

  test("an exception that is a group in place of its projects is refused; one that does not exist is none", async () => {
    const of = (text: string) => expanded(`acme/**: { except: [${text}], ${reg("private")} }`);
    await expect(of("acme/lab")).rejects.toMatchObject({
      message: "a:3: acme/lab is a group; write acme/lab/**",
      details: { code: "invalid_state", nothing: "sent" },
    });
    const { lines, log } = await of('acme/Nothing, ACME/api, "acme/none/**"');
    const looked = log().filter((each) => each.startsWith("GET /groups/acme/") && !each.endsWith("/projects"));
    expect([lines.length, looked.toSorted()]).toEqual([5, ["GET /groups/acme/Nothing", "GET /groups/acme/none"]]);
  });
});

describe("a group below which nothing can be listed is no group without projects", () => {
  test.each<[law: string, answers: Answers, reason: string]>([
    ["it is not there", { "/groups/acme": 404 }, "the group acme was not found, or is not visible to this token"],
    [
      "it has moved",
      { "/groups/acme": group(4, "globex") },
      "the group acme has moved to globex: write that in the file",
    ],
    ["its list is refused", { "/groups/acme/projects": 403 }, "the projects of acme could not be listed: of a test"],
  ])("%s", async (_law, answers, reason) => {
    const text = `acme/**: { ${reg("private")} }\nacme/m/*: { hooks: [], protected_branches: [] }`;
    const found = await expanded(text, {
      answers: { "/groups/acme/m": group(10, "acme/m"), ...answers, ...rest(answers) },
    });
    expect([found.lines, found.notices, found.warnings]).toEqual([[], [], []]);
    expect(found.unreadable[0]).toBe(`acme/**: ${reason}`);
    expect(found.unreadable.map((each) => each.split(":")[0])).toEqual(["acme/**", "acme/m/*", "acme/m/*"]);
  });

  test("anything else ends the run", async () => {
    const answers = { "/groups/acme/projects": "lost", "/groups/acme": group(4, "acme") };
    await expect(expanded(`acme/**: { ${reg("private")} }`, { answers })).rejects.toMatchObject({ exit: "network" });
  });
});

/** What of the fleet a test does not answer otherwise; lists below other groups are refused. */
const rest = (answers: Answers): Answers => ({ "/groups/acme/m/projects": 403, ...fleet, ...answers });

describe("each list is read once", () => {
  const lists = (log: () => string[]) => log().filter((each) => each.endsWith("/projects"));

  test("for all patterns that begin with its group, and for those below it", async () => {
    const text = `acme/**: { hooks: [] }\nacme/*: { protected_branches: [] }\nacme/lab/**: { ${reg("private")} }`;
    const { log, lines } = await expanded(text);
    expect(lists(log)).toEqual(["GET /groups/acme/projects", "GET /groups/acme/projects"]);
    expect(lines.filter((each) => each.includes("acme/lab/a"))).toHaveLength(2);
  });

  test("a group whose name only begins alike has a list of its own", async () => {
    const answers = {
      ...fleet,
      "/groups/acme-x": group(5, "acme-x"),
      "/groups/acme-x/projects": [project(30, "acme-x/a")],
    };
    const { log, lines } = await expanded(`acme/*: { hooks: [] }\nacme-x/*: { hooks: [] }`, { answers });
    expect(lists(log)).toHaveLength(4);
    expect(lines).toContain("acme-x/a(30) project a:2");
  });

  test("whatever the order of the answers: each prefix finds all that begins with it", async () => {
    const many = Array.from({ length: 40 }, (_, at) =>
      project(100 + at, `acme/${at % 2 === 0 ? "P" : "p"}${(at * 17) % 40}`),
    );
    for (const prefix of ["p1", "P3", "p39", "p", "a", "z"]) {
      const answers = { ...fleet, "/groups/acme/projects?archived=true": [], "/groups/acme/projects": many };
      const { lines } = await expanded(`acme/${prefix}*: { hooks: [] }`, { answers });
      const expected = many.filter((each) =>
        each.path_with_namespace.toLowerCase().startsWith(`acme/${prefix.toLowerCase()}`),
      );
      expect(lines.length, prefix).toBe(expected.length);
    }
  });
});

describe("what the files say of one that was renamed is refused where a pattern is for it by now", () => {
  const wide = `acme/**: { ${reg("private")} }`;
  const unmanaged = "{ container_registry_access_level: unmanaged }";
  const refused = (message: string) => ({ message, details: { code: "invalid_state", nothing: "sent" } });

  test.each<[what: string, text: string, sure: string]>([
    ["a section of its own", `acme/was: { ${reg("enabled")} }`, "acme/api"],
    ["what is not managed", `acme/was: ${unmanaged}`, "acme/api"],
    ["what is not managed, from elsewhere", `else/was: ${unmanaged}`, "acme/api"],
  ])("%s", async (_what, text, path) => {
    const answers = { ...fleet, "/projects/else/was": project(7, "acme/api") };
    const [name] = text.split(":");
    for (const typed of [undefined, [path], ["7"]]) {
      await expect(expanded(`${wide}\n${text}`, { answers, ...(typed && { project: typed }) })).rejects.toMatchObject(
        refused(`a:4: ${name} has moved to acme/api: write that in the file`),
      );
    }
    expect((await expanded(`${wide}\n${text}`, { answers, project: ["acme/web-ui"] })).lines).toHaveLength(1);
    // The pattern is for something else.
    const other = await expanded(`acme/**: { hooks: [] }\n${text}`, { answers, project: [path] });
    expect(other.lines).toEqual(["acme/api(7) project a:1"]);
  });

  // Instances lead from the earlier path of a project, and answer 404 for that of a group.
  const led = { "/groups/acme/old": 404, "/projects/acme/old/ios": project(9, "acme/m/ios") } as const;
  const shown = { "/groups/acme/old": group(10, "acme/m") } as const;
  const home = { "/projects/acme/m/ios": project(9, "acme/m/ios"), "/projects/9": project(9, "acme/m/ios") };

  test.each([
    ["a narrower pattern", `${wide}\nacme/old/**: { ${reg("enabled")} }`, "a:4"],
    ["an exception", `acme/**: { except: ["acme/old/**"], ${reg("private")} }`, "a:3"],
  ])("%s of a group", async (_what, text, line) => {
    for (const answer of [led, shown]) {
      const answers = { ...fleet, ...answer, ...home };
      for (const typed of [undefined, ["acme/m/ios"], ["9"]]) {
        const how =
          answer === led
            ? "was not found, and acme/m/ios had a path below it: write the present path, or remove it"
            : "has moved to acme/m: write that in the file";
        await expect(expanded(text, { answers, ...(typed && { project: typed }) })).rejects.toMatchObject(
          refused(`${line}: acme/old/**: the group acme/old ${how}`),
        );
      }
      expect((await expanded(text, { answers, project: ["acme/web-ui"] })).lines).toHaveLength(1);
    }
  });

  test("a section of one that the pattern passes over, or does nothing to, is left to its own row", async () => {
    const section = `acme/was: { ${reg("enabled")} }`;
    const archived = { ...fleet, "/projects/acme/was": { ...project(20, "acme/old"), archived: true } };
    expect((await expanded(`${wide}\n${section}`, { answers: archived })).lines).toContain(
      "acme/was container a:2 a:1",
    );
    expect((await expanded(`acme/**: ${unmanaged}\n${section}`)).lines).toContain("acme/was container a:2 a:1");
    const both = `${wide}\n${section}\nacme/api: { ${reg("disabled")} }`;
    expect((await expanded(both)).lines).toEqual(expect.arrayContaining(["acme/was container a:2 a:1"]));
  });

  test("with -p, also what the section of its present path does not declare, or declares otherwise", async () => {
    const old = `acme/was: { hooks: [], ${reg("enabled")} }`;
    for (const text of [
      `${wide}\n${old}\nacme/api: { hooks: [] }`,
      `${wide}\nacme/was: { ${reg("enabled")} }\nacme/api: { hooks: [] }`,
    ]) {
      await expect(expanded(text, { project: ["acme/api"] })).rejects.toMatchObject(
        refused("a:4: acme/was has moved to acme/api: write that in the file"),
      );
    }
    const both = "acme/**: { hooks: [] }\nacme/was: { hooks: [] }\nacme/api: { hooks: [] }";
    await expect(expanded(both, { project: ["7"] })).rejects.toMatchObject({
      message: "a:4: acme/was is acme/api, which the files name too: merge the two",
      details: { code: "named_twice" },
    });
  });

  test("what the pattern of the present path does not declare", async () => {
    const narrow = (kinds: string) => `${wide}\nacme/old/**: { hooks: [], ${reg("enabled")} }\nacme/m/**: { ${kinds} }`;
    const answers = { ...fleet, ...led, ...home, "/groups/acme/m": group(10, "acme/m") };
    await expect(expanded(narrow("hooks: []"), { answers })).rejects.toMatchObject({
      message: expect.stringContaining("acme/old/**: the group acme/old was not found"),
    });
    const { unreadable } = await expanded(narrow(`hooks: [], ${reg("disabled")}`), { answers });
    expect(unreadable).toHaveLength(2);
  });

  test("one of the oldest projects of a group is enough", async () => {
    const text = `acme/**: { except: ["acme/old/**"], ${reg("private")} }`;
    const answers = {
      ...fleet,
      ...home,
      "/projects/acme/old/web-ui": project(10, "acme/m/web-ui"),
      "/groups/acme/old": 404,
    };
    const listed = { ...answers, "/groups/acme/m/projects": [project(9, "acme/m/ios"), project(10, "acme/m/web-ui")] };
    for (const typed of [undefined, ["acme/m/ios"]]) {
      await expect(expanded(text, { answers: listed, ...(typed && { project: typed }) })).rejects.toMatchObject(
        refused(
          "a:3: acme/old/**: the group acme/old was not found, and acme/m/web-ui had a path below it: write the present path, or remove it",
        ),
      );
    }
    // Those that the pattern does not change tell it, too, such as archived ones.
    const archived = { ...project(10, "acme/m/web-ui"), archived: true };
    const passedOver = {
      ...listed,
      "/groups/acme/projects": [project(9, "acme/m/ios"), archived],
      "/groups/acme/m/projects": [archived, project(9, "acme/m/ios")],
    };
    await expect(expanded(text, { answers: passedOver })).rejects.toMatchObject({ details: { code: "invalid_state" } });
    // A list that fails is no reason to change what may be left out; one that the token may not read leaves it open.
    const failing = (status: number) =>
      expanded(text, { answers: { ...answers, "/groups/acme/m/projects": status }, project: ["acme/m/ios"] });
    await expect(failing(500)).rejects.toMatchObject({ exit: "refused" });
    expect((await failing(403)).lines).toHaveLength(1);
  });

  test("a pattern of a group that was transferred", async () => {
    const text = `${wide}\nelse/m/**: { ${reg("enabled")} }`;
    const answers = { ...fleet, "/groups/else/m": 404, "/projects/else/m/ios": project(9, "acme/m/ios"), ...home };
    for (const typed of [undefined, ["9"]]) {
      await expect(expanded(text, { answers, ...(typed && { project: typed }) })).rejects.toMatchObject(
        refused(
          "a:4: else/m/**: the group else/m was not found, and acme/m/ios had a path below it: write the present path, or remove it",
        ),
      );
    }
  });

  test("a group that is not found anywhere is none that was renamed", async () => {
    const text = `acme/**: { except: ["acme/none/**"], ${reg("private")} }\nacme/gone/**: { ${reg("enabled")} }`;
    const { lines, unreadable } = await expanded(text);
    expect([lines.length, unreadable]).toEqual([
      6,
      ["acme/gone/**: the group acme/gone was not found, or is not visible to this token"],
    ]);
  });

  test.each([
    ["a section of its own", "acme/**: { hooks: [] }\nacme/old: { hooks: [{ name: a, url: https://x }] }", "acme/old"],
    ["an exception", "acme/**: { except: [acme/old], hooks: [] }", "acme/old"],
    ["all below it", 'acme/**: { except: ["acme/old/**"], hooks: [] }', "acme/old/**: the group acme/old"],
  ])("among groups, found by a project below: %s", async (_what, text, what) => {
    const below = {
      "/groups/acme/m/projects": [project(9, "acme/m/x/ios")],
      "/groups/acme/lab/projects": [project(11, "acme/lab/a")],
      "/groups/acme/m/x/projects": [project(9, "acme/m/x/ios")],
      "/groups/acme/descendant_groups": [group(10, "acme/m"), group(11, "acme/lab"), group(13, "acme/m/x")],
      "/groups/acme/m/x": group(13, "acme/m/x"),
      "/groups/acme/m": group(10, "acme/m"),
    };
    const answers = {
      ...{ ...fleet, ...below },
      ...{ "/groups/acme/old": 404, "/projects/acme/old/x/ios": project(9, "acme/m/x/ios") },
    };
    const typed = what.includes("**") ? "acme/m/x" : "acme/m";
    for (const names of [undefined, [typed]]) {
      await expect(expanded(text, { answers, at: "group", ...(names && { group: names }) })).rejects.toMatchObject({
        message: expect.stringContaining(`${what} was not found, and acme/m/x/ios had a path below it: `),
      });
    }
  });
});
