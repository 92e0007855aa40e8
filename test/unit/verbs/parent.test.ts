import { describe, expect, test } from "vitest";
import * as notes from "../../../src/api/endpoints/notes.ts";
import { UsageError } from "../../../src/base/errors.ts";
import { convertFlags } from "../../../src/cli/convert.ts";
import { parentFlags } from "../../../src/commands/posting/parent.ts";
import type { Config } from "../../../src/config/config.ts";
import { describeFlags } from "../../../src/declare/describe.ts";
import { resolveScope } from "../../../src/declare/scope.ts";
import { choose } from "../../../src/verbs/choose.ts";

const nothing = {} as Config;
const both = {
  project: { value: "acme/storefront", source: "FORGECTL_PROJECT" },
  group: { value: "acme", source: "profile work" },
} as Config;

const resolve = (input: Record<string, unknown>, config = nothing) => resolveScope(parentFlags(), input, config);

describe("the parent determines the scope", () => {
  test("with any defaults", () => {
    expect(resolve({ issue_iid: 3 }, both)).toEqual({ issue_iid: 3, project: "acme/storefront" });
    expect(resolve({ snippet_id: 3 }, both)).toEqual({ snippet_id: 3, project: "acme/storefront" });
    expect(resolve({ epic_id: 3 }, both)).toEqual({ epic_id: 3, group: "acme" });
  });

  test("and typed flags override them", () => {
    expect(resolve({ epic_id: 3, group: "globex" }, both)).toEqual({ epic_id: 3, group: "globex" });
    expect(resolve({ merge_request_iid: 3, project: "7" })).toEqual({ merge_request_iid: 3, project: "7" });
  });

  test.each([
    [{}, "missing --issue <iid>, --mr <iid>, --snippet <id>, or --epic <id>"],
    [{ project: "7" }, "missing --issue <iid>, --mr <iid>, --snippet <id>, or --epic <id>"],
    [{ issue_iid: 1, epic_id: 2 }, "give only one of --issue and --epic"],
    [{ epic_id: 1, project: "7" }, "--epic is in a group: give --group instead of --project"],
    [{ epic_id: 1, project: "7", group: "acme" }, "--epic is in a group: give --group instead of --project"],
    [{ snippet_id: 1, group: "acme" }, "--snippet is in a project: give --project instead of --group"],
    [{ issue_iid: 1, project: " " }, "--project: is empty"],
  ])("%j is refused", (input, message) => {
    expect(() => resolve(input, both)).toThrow(expect.objectContaining({ name: "UsageError", message }));
  });

  test("a missing scope is an error with all the ways to give it", () => {
    expect(() => resolve({ epic_id: 1 }, { project: both.project } as Config)).toThrow(
      expect.objectContaining({
        message: "missing -g, --group",
        details: expect.objectContaining({ hint: "give it with -g, FORGECTL_GROUP, or a profile's group" }),
      }),
    );
  });
});

describe("a parent without the request", () => {
  const flags = parentFlags({ epic_id: "notes of epics cannot be changed" });

  test("is refused with the reason, and not in help or in the choices", () => {
    expect(() => convertFlags(flags, { epic_id: "3" })).toThrow(
      new UsageError("--epic: notes of epics cannot be changed"),
    );
    expect(() => convertFlags(flags, { group: "acme" })).toThrow(new UsageError("--group: only epics are in a group"));
    expect(describeFlags(flags).map(({ long }) => long)).toEqual(["--issue", "--mr", "--snippet", "--project"]);
    expect(() => resolveScope(flags, {}, both)).toThrow("missing --issue <iid>, --mr <iid>, or --snippet <id>");
  });

  test("ignores a default group", () => {
    expect(resolveScope(flags, { issue_iid: 3 }, both)).toEqual({ issue_iid: 3, project: "acme/storefront" });
  });
});

describe("the endpoint of the parent given", () => {
  const creating = [
    notes.createIssueNote,
    notes.createMergeRequestNote,
    notes.createSnippetNote,
    notes.createEpicNote,
  ] as const;

  test("is the one with that parent in its path", () => {
    expect(choose(creating, { issue_iid: 3 }).route).toBe(notes.createIssueNote.route);
    expect(choose(creating, { epic_id: 3, issue_iid: undefined }).route).toBe(notes.createEpicNote.route);
  });

  test.each([
    [{ snippet_id: 3, internal: true }, "--internal: not for snippets, only for issues and epics"],
    [{ merge_request_iid: 3, internal: true }, "--internal: not for merge requests, only for issues and epics"],
    [
      { epic_id: 3, created_at: "2026-01-01" },
      "--created-at: not for epics, only for issues, merge requests, and snippets",
    ],
    [{ issue_iid: 3, merge_request_diff_head_sha: "a" }, "--diff-head-sha: not for issues, only for merge requests"],
  ])("%j has a flag that does not apply to this parent", (input, message) => {
    expect(() => choose(creating, input)).toThrow(new UsageError(message));
  });
});
