import { expect, test } from "vitest";
import { guesser, nearest } from "../../../src/base/nearest.ts";

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

test("a word much longer than any candidate is not compared with them", () => {
  // Comparing these letter by letter would take an hour.
  const words = Array.from({ length: 400 }, (_, index) => `setting_number_${index}`);
  expect(nearest("a".repeat(5_000_000), words)).toBeUndefined();
  expect(nearest("setting", ["a".repeat(5_000_000)])).toBeUndefined();
});

test("of many unknown words the first twenty are guessed", () => {
  const guess = guesser();
  const guesses = Array.from({ length: 1_000 }, () => guess("usres", ["users"]));
  expect(guesses.filter((each) => each === "users")).toHaveLength(20);
  expect(guesses.indexOf(undefined)).toBe(20);
});
