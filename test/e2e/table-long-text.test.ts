import { expect, test } from "vitest";
import { json, signedIn } from "../support/answering.ts";

// A table that is piped cuts nothing: a long text of one row must not make every other row as long.

async function tableOf(title: string) {
  const rows = Array.from({ length: 450 }, (_, at) => ({
    id: at + 1,
    title: at === 250 ? title : `row ${at + 1}`,
    state: "opened",
  }));
  const { run } = await signedIn(json(200, JSON.stringify(rows)));
  const { code, stdout } = await run("api", "projects/7/issues", "-o", "table");
  const lines = stdout.trimEnd().split("\n");
  expect([code, lines.length]).toEqual([0, 1 + rows.length]);
  return { lines, size: stdout.length };
}

test("a long text of a table in a pipe is whole, and the other rows stay aligned", async () => {
  const title = `${"x".repeat(300_000)} end`;
  const { lines, size } = await tableOf(title);
  expect(size).toBeLessThan(2 * title.length);
  expect(lines[251] === `251  ${title}  opened`).toBe(true);
  const states = lines.filter((_, at) => at > 0 && at !== 251).map((line) => line.indexOf("opened"));
  expect(new Set(states).size).toBe(1);
});

test("up to 1,000 characters, it has its column", async () => {
  const { lines } = await tableOf("x".repeat(1000));
  expect(lines[251]?.indexOf("opened")).toBe(lines[252]?.indexOf("opened"));
});
