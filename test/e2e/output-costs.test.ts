import { describe, expect, test } from "vitest";
import { json, signedIn } from "../support/answering.ts";

// A name or a text may have a million characters, and anyone may have written it: showing it takes time in proportion
// to its length, in every format. Some of these once took minutes.

/** Parts, and how many of them: those that are shown wide or as pictures cost the most each. */
const kinds: Record<string, [string, number]> = {
  "wide characters": ["\u4e00", 100_000],
  "combining marks": ["e\u0301", 50_000],
  "halves of characters": ["\ud800", 50_000],
  "carriage returns": ["\r", 500_000],
  commands: ["##[", 200_000],
};
const lines = [
  "users list -o table",
  "users list -o yaml",
  "users list -o csv",
  "users list -o tsv",
  "users list -o json",
  "users me",
  "notes list -p 7 --issue 1",
];

/** Where a program needs longer than this, its time grows with more than the length. */
const limitMs = 40_000;

describe.each(Object.entries(kinds))("a long text of %s", (_, [part, count]) => {
  test("is shown at once", async () => {
    const text = `${part.repeat(count)}!`;
    const row = { id: 1, username: text, name: text, state: text, body: text, author: { name: text } };
    const { run } = await signedIn((request, response, origin) =>
      json(200, JSON.stringify(request.url?.includes("/user?") || request.url?.endsWith("/user") ? row : [row]))(
        request,
        response,
        origin,
      ),
    );
    const env = { CI: "true" };
    const slow = async (line: string) => {
      const kill = { signal: "SIGKILL", afterMs: limitMs } as const;
      const { code } = await run(...line.split(" "), { env, kill, asProcess: true });
      return code === 0 ? [] : [`${line}: ${code}`];
    };
    expect((await Promise.all(lines.map(slow))).flat()).toEqual([]);
  }, 90_000);
});
