import { describe, expect, test } from "vitest";
import { printUndo } from "../../../src/verbs/undo.ts";
import { contextFor } from "../../support/context.ts";

/** What a run with this configuration says of how to undo a change. */
function said(lines: string | readonly string[], { config = {}, but }: { config?: object; but?: string } = {}) {
  const context = contextFor("http://127.0.0.1:1");
  context.conceal("s3cret-value");
  Object.assign(context, { config: { baseUrl: undefined, ...config } });
  printUndo(context, lines, but);
  return context.notices;
}
const from = (source: string, value: string) => ({ source, value });

describe("the line that undoes a change", () => {
  test("is a command of this program", () => {
    expect(said("tags delete v1")).toEqual(["undo: forgectl tags delete v1"]);
  });

  test("says what it does not restore", () => {
    expect(said("files create a", { but: "its history" })).toEqual(["undo: forgectl files create a   # its history"]);
  });

  test.each([
    ["--profile", { profile: from("--profile", "work") }, " --profile work"],
    ["a variable", { profile: from("FORGECTL_PROFILE", "my work") }, " --profile 'my work'"],
    [
      "the current one of several stored profiles",
      {
        hasOtherProfiles: true,
        profile: from("default profile", "work"),
        baseUrl: from("profile work", "https://a.example"),
      },
      " --profile work",
    ],
    ["a stored profile", { profile: from("default profile", "work") }, ""],
    ["a base URL of this shell", { baseUrl: from("--base-url", "https://a.example") }, " --base-url https://a.example"],
    ["that of a CI job", { baseUrl: from("CI_SERVER_URL", "https://a.example") }, " --base-url https://a.example"],
    ["one of the profile", { baseUrl: from("profile work", "https://a.example") }, ""],
    [
      "one of a folder that a variable named",
      { hasNamedFolder: true, baseUrl: from("profile work", "https://a.example") },
      " --base-url https://a.example",
    ],
    [
      "both addresses",
      { baseUrl: from("FORGECTL_BASE_URL", "https://a"), registryUrl: from("--registry-url", "https://r") },
      " --base-url https://a --registry-url https://r",
    ],
  ])("reaches the same instance in another shell: with %s", (_, config, flags) => {
    expect(said("x", { config })).toEqual([`undo: forgectl x${flags}`]);
  });

  test("of several commands runs each after the success of the one before, on that instance", () => {
    const config = { profile: from("--profile", "p") };
    expect(said(["a", "b"], { config })).toEqual(["undo: forgectl a --profile p && forgectl b --profile p"]);
  });

  test.each([
    ["contains a secret", "hooks update 1 --token s3cret-value"],
    ["a terminal would show otherwise", "tags create v\u202e1"],
    ["is too long to be copied", `x ${"y".repeat(2000 - "undo: forgectl x ".length + 1)}`],
  ])("that %s is not printed", (_, line) => expect(said(line)).toEqual([]));

  test("may have 2,000 characters", () => {
    expect(said(`x ${"y".repeat(2000 - "undo: forgectl x ".length)}`)).toHaveLength(1);
  });
});
