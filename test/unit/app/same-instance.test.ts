import { describe, expect, test } from "vitest";
import { withInstance } from "../../../src/app/same-instance.ts";
import { Failure, UsageError } from "../../../src/base/errors.ts";
import type { Config } from "../../../src/config/config.ts";
import { onSameInstance } from "../../../src/verbs/instance-flags.ts";

const from = (source: string, value: string) => ({ source, value });
const configOf = (given: object) =>
  ({ profile: undefined, baseUrl: undefined, registryUrl: undefined, ...given }) as Config;
const staging = configOf({ profile: from("--profile", "staging") });

describe("a command that is suggested reaches the instance of this run", () => {
  test.each([
    ["a profile", staging, " --profile staging"],
    [
      "addresses",
      configOf({ baseUrl: from("--base-url", "https://a"), registryUrl: from("--registry-url", "https://r") }),
      " --base-url https://a --registry-url https://r",
    ],
    ["a name to quote", configOf({ profile: from("--profile", "my $(id)") }), " --profile 'my $(id)'"],
    ["a variable, which the next command has too", configOf({ profile: from("FORGECTL_PROFILE", "staging") }), ""],
    ["the current profile", configOf({ profile: from("current profile", "staging") }), ""],
  ])("selected by %s", (_, config, flags) => {
    expect(onSameInstance(config, "forgectl users list")).toBe(`forgectl${flags} users list`);
  });

  test.each([
    [
      "forgectl a 'x'\nforgectl b    # or that",
      "forgectl --profile staging a 'x'\nforgectl --profile staging b    # or that",
    ],
    [
      "check it: forgectl a; then forgectl b",
      "check it: forgectl --profile staging a; then forgectl --profile staging b",
    ],
    ["end it if no other forgectl runs", "end it if no other forgectl runs"],
    [
      "forgectl users list --search 'see forgectl users'",
      "forgectl --profile staging users list --search 'see forgectl users'",
    ],
    [`forgectl x ''\\''; forgectl users delete'`, `forgectl --profile staging x ''\\''; forgectl users delete'`],
    [`forgectl x "$(printf 'forgectl users\\012')"`, `forgectl --profile staging x "$(printf 'forgectl users\\012')"`],
    ["$(forgectl --profile a auth token)", "$(forgectl --profile a auth token)"],
  ])("in %j, and nothing else is changed", (text, expected) => {
    expect(onSameInstance(staging, text)).toBe(expected);
  });

  test("an error stays what it is", () => {
    const details = { hint: "forgectl users list", outcome: "made" } as const;
    const refused = withInstance(staging, new Failure("refused", "no", details));
    expect([refused.exit, refused.details]).toEqual([
      "refused",
      { ...details, hint: "forgectl --profile staging users list" },
    ]);
    expect(withInstance(staging, new UsageError("no", details))).toBeInstanceOf(UsageError);
    const same = new Failure("refused", "no", { hint: "check the path" });
    expect(withInstance(staging, same)).toBe(same);
  });
});
