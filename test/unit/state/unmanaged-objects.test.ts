import { describe, expect, test } from "vitest";
import type { PlanOptions } from "../../../src/state/plan/plan.ts";
import { findUnmanaged } from "../../../src/state/plan/unmanaged-objects.ts";
import { fleet } from "../../support/expanded.ts";
import { type Answers, group, instanceWith, project } from "../../support/planned-state.ts";
import { declared } from "../../support/state-text.ts";

const settings = { id: 1, updated_at: "2026", signup_enabled: true, max_login_attempts: 10, after_sign_up_text: "" };
const answers: Answers = { ...fleet, "/application/settings": settings };

async function unmanaged(text: string, options: Partial<PlanOptions> = {}, more: Answers = {}) {
  const { context, log } = await instanceWith({ ...answers, ...more });
  const all = { prune: false, secrets: "auto", only: undefined, projects: undefined, groups: undefined } as const;
  const rows = await findUnmanaged(context, await declared(text), { ...all, ...options });
  return { rows, names: rows.map(({ address }) => address), log };
}

const none = { only: ["hooks"] };
const hooks = (...names: string[]) => `projects: { ${names.map((name) => `${name}: { hooks: [] }`).join(", ")} }`;

/** What all rows have. */
const unnamed = {
  action: "unmanaged",
  fields: [],
  lockout: null,
  reason: "no file names it",
  preimage: null,
  file: null,
  line: null,
};

describe("settings that no file names", () => {
  test("are rows, in the order of their names, without what the instance sets itself", async () => {
    const { rows, names } = await unmanaged("settings: { signup_enabled: true }");
    expect(names).toEqual(["#settings/after_sign_up_text", "#settings/max_login_attempts"]);
    expect(rows[0]).toEqual({
      address: "#settings/after_sign_up_text",
      scope: null,
      kind: "settings",
      key: "after_sign_up_text",
      id: null,
      ...unnamed,
    });
  });

  test("are all of them, where no file has any", async () => {
    expect((await unmanaged(hooks("acme/api"))).names).toHaveLength(3);
  });

  test("that cannot be read are one row, with the reason", async () => {
    const { rows } = await unmanaged(hooks("acme/api"), {}, { "/application/settings": 403 });
    expect(rows).toMatchObject([
      { address: "#settings", kind: "settings", key: null, action: "unreadable", reason: "of a test", scope: null },
    ]);
    await expect(unmanaged(hooks("acme/api"), {}, { "/application/settings": 401 })).rejects.toMatchObject({
      exit: "unauthenticated",
    });
  });

  test("are not read if they are not asked for, or are another shard's", async () => {
    for (const options of [none, { projects: ["acme/api"] }, { groups: ["acme"] }]) {
      const { names, log } = await unmanaged("settings: { signup_enabled: true }", options);
      expect([names, log()]).toEqual([[], []]);
    }
    const shards = await Promise.all(
      [1, 2, 3].map((index) => unmanaged("settings: {}", { shard: { index, total: 3 } })),
    );
    expect(shards.map(({ names }) => names.length).toSorted()).toEqual([0, 0, 3]);
    expect((await unmanaged("settings: {}", { only: ["settings"] })).names).toHaveLength(3);
  });
});

describe("projects below the group of a pattern that no file names", () => {
  test("are rows, by name; those that a pattern matches, or a file names by path or ID, are not", async () => {
    const { rows } = await unmanaged(hooks("acme/m/**", "acme/Web-UI", '"7"'), none, {
      "/groups/acme/m": group(10, "acme/m"),
      "/groups/acme/m/projects?archived=true": [],
      "/groups/acme/m/projects": [project(9, "acme/m/ios")],
    });
    expect(rows).toEqual([]);
    const all = await unmanaged(hooks("acme/x-*", "acme/Web-UI", '"7"'), none);
    expect(all.names).toEqual(["acme/lab/a", "acme/m/ios", "acme/m/web-ui"]);
    expect(all.rows[0]).toEqual({
      address: "acme/lab/a",
      scope: "acme/lab/a",
      kind: "project",
      key: null,
      id: 11,
      ...unnamed,
    });
  });

  test("are those below the group that the pattern begins with, and not others of a list", async () => {
    const { names } = await unmanaged(hooks("acme/none-*", "acme/lab/none-*"), none);
    expect(names).toHaveLength(6);
    const lab = hooks("acme/lab/none-*", "acme/x-*");
    const listed = {
      "/groups/acme/lab/projects?archived=true": [],
      "/groups/acme/lab/projects": [project(11, "acme/lab/a")],
    };
    expect((await unmanaged(lab, none, listed)).names).toContain("acme/lab/a");
  });

  test("what a pattern leaves out is named by it", async () => {
    const { names } = await unmanaged('projects: { "acme/*": { except: [acme/api], hooks: [] } }', none);
    expect(names).toEqual(["acme/lab/a", "acme/m/ios", "acme/m/web-ui"]);
  });

  test("groups are others; a group of a project's name is not that project", async () => {
    const { rows } = await unmanaged(
      'groups: { "acme/none-*": { hooks: [] } }\nprojects: { acme/m: { hooks: [] } }',
      none,
    );
    expect(rows.map(({ address, kind, id }) => [address, kind, id])).toEqual([
      ["acme/lab", "group", 11],
      ["acme/m", "group", 10],
    ]);
  });

  test("are none of a group that cannot be listed, which is a row of the plan itself", async () => {
    const { names } = await unmanaged(hooks("gone/**", "acme/web-*"), none);
    expect(names).toHaveLength(5);
  });

  test("each is one shard's", async () => {
    const of = async (index: number) =>
      (await unmanaged(hooks("acme/none-*"), { ...none, shard: { index, total: 2 } })).names;
    const [first, second] = [await of(1), await of(2)];
    expect([first.length > 0, second.length > 0, [...first, ...second].length]).toEqual([true, true, 6]);
  });
});
