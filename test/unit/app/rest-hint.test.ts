import { describe, expect, test } from "vitest";
import { array, boolean, integer, string } from "../../../src/api/field.ts";
import { restHint } from "../../../src/app/rest-hint.ts";
import { command } from "../../../src/declare/command.ts";

const remove = command({
  name: "delete",
  examples: [],
  args: { repository: integer("Repository"), tags: array(string("Tag"), "Tags") },
  params: {
    project: string("Project", { short: "p" }),
    wait: boolean("Wait"),
    limit: integer("Limit"),
    token: string("Token", { secret: true }),
    list: array(string("Each"), "List"),
  },
  run: async () => undefined,
});
const path = ["registry", "tags", "delete"];
const typed = (input: object, yes = false) => ({ command: remove, path, input: { repository: 12, ...input }, yes });

describe("what completes a command that failed for some of its items", () => {
  test("is the same command with the items that are left, its flags as typed, and --yes where it was given", () => {
    const input = { project: "acme/a b", wait: true, limit: 3, list: undefined };
    expect(restHint(typed(input), ["v1", "v$2"])).toBe(
      "forgectl registry tags delete 12 v1 'v$2' -p 'acme/a b' --wait --limit 3",
    );
    expect(restHint(typed({ wait: false }, true), ["v1"])).toBe("forgectl registry tags delete 12 v1 --yes");
  });

  test("has flags before --, and the items after it, if one of them looks like a flag", () => {
    expect(restHint(typed({ project: "7" }, true), ["-v"])).toBe("forgectl registry tags delete -p 7 --yes -- 12 -v");
  });

  test.each([
    ["it would show a secret", { token: "hunter2" }, ["v1"]],
    ["a flag has several values", { list: ["a"] }, ["v1"]],
    ["it would be too long to read", {}, Array.from({ length: 21 }, (_, index) => `v${index}`)],
  ])("is a sentence if %s", (_, input, left) => {
    expect(restHint(typed(input), left)).toBe(
      `run it again with the ${left.length} whose status is failed, refused, or not_tried`,
    );
  });

  test("is a line for twenty items; nothing for a command that takes only one", () => {
    const left = Array.from({ length: 20 }, (_, index) => `v${index}`);
    expect(restHint(typed({}), left)).toBe(`forgectl registry tags delete 12 ${left.join(" ")}`);
    const one = command({ name: "get", examples: [], args: { tag: string("Tag") }, run: async () => undefined });
    expect(restHint({ ...typed({}), command: one }, ["v1"])).toBeUndefined();
    const none = command({ name: "get", examples: [], run: async () => undefined });
    expect(restHint({ ...typed({}), command: none }, ["v1"])).toBeUndefined();
  });
});
