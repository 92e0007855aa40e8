import { expect, test } from "vitest";
import { sandboxSession } from "../support/session.ts";

const { run } = await sandboxSession();

// jq's machine is lost with its memory or stack: a process each.
test.each([
  ["users me", '"a" * 1000000000'],
  ["projects list", "def f: [f]; f"],
  ["groups list", "reduce range(10000) as $i (null; [.])"],
])("%s --jq %s has no end, and is refused", async (line, jq) => {
  const { code, stdout, stderr } = await run(...line.split(" "), "-o", "json", "--jq", jq, { asProcess: true });
  expect([code, stdout]).toEqual([2, ""]);
  expect(JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error).toMatchObject({
    code: "jq_failed",
    cause: "it needs too much memory or too many nested calls",
  });
});

test.each([
  ["an error at each word", "[:a:]".repeat(20_000), "bad_jq"],
  ["a message without end", "def f: debug | f; f", "jq_failed"],
  ["messages without end", "range(1000000000) | stderr | empty", "jq_failed"],
  ["a long message of wide characters", '("😀" * 1500) | error', "jq_failed"],
])("%s is refused with the beginning of what jq says", async (_, jq, code) => {
  const { code: exit, stdout, stderr } = await run("users", "me", "-o", "json", "--jq", jq, { asProcess: true });
  expect([exit, stdout]).toEqual([2, ""]);
  const failure = JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error;
  expect(failure).toMatchObject({ code });
  expect(failure.cause.length).toBeLessThan(2100);
  expect(failure.cause.isWellFormed()).toBe(true);
});
