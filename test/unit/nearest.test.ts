import { expect, test } from "vitest";
import { nearest } from "../../src/base/nearest.ts";

test.each([
  ["usres", ["users", "uploads"], "users"],
  ["lst", ["list", "get"], "list"],
  ["SORT", ["sort"], "sort"],
  ["signup-enabled", ["signup_enabled"], "signup_enabled"],
  ["term", ["terminal_max_session_time", "terms"], "terms"],
  ["termi", ["terminal_max_session_time", "terms_x"], "terminal_max_session_time"],
  ["xyz", ["users", "list"], undefined],
  ["a", ["b", "ab"], "b"],
])("%s among %j is %s", (typed, candidates, found) => {
  expect(nearest(typed, candidates)).toBe(found);
});
