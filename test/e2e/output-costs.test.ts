import { describe, expect, test } from "vitest";
import { json, signedIn } from "../support/answering.ts";
import { sampled } from "../support/examples.ts";
import { post, startListening } from "../support/listening.ts";
import { session } from "../support/session.ts";

// A name or a text may have a million characters, and anyone may have written it: showing it takes time in proportion
// to its length, in every format. Some of these once took minutes. By default every fourth line of each kind, chosen by
// FORGECTL_TEST_SEED; with FORGECTL_TEST_EXAMPLES=all, all.

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

describe.each(Object.entries(kinds).map(([name, kind], index) => [name, kind, index] as const))(
  "a long text of %s",
  (_, [part, count], index) => {
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
      expect((await Promise.all(sampled(lines, 4, index).map(slow))).flat()).toEqual([]);
    }, 90_000);
  },
);

describe("a secret below many levels", () => {
  const levels = 60;
  const deep = `${'{"a":'.repeat(levels)}{"token":"hush-hush"}${"}".repeat(levels)}`;
  const kill = { signal: "SIGKILL", afterMs: limitMs } as const;

  test("in an answer is hidden at once", async () => {
    const event = `{"id":1,"url":"https://example.com","trigger":"note_hooks","request_data":${deep}}`;
    const { run } = await signedIn(json(200, `[${event}]`));
    for (const line of ["hooks events 1 -g acme -o json", "hooks events 1 -g acme", "api groups/1/hooks/1/events"]) {
      const { code, stdout } = await run(...line.split(" "), { kill, asProcess: true });
      expect([line, code, stdout.includes("hush-hush")]).toEqual([line, 0, false]);
    }
  }, 90_000);

  test("in a delivery does not keep the receiver from the next one", async () => {
    const there = await startListening(session(), "--count", "2", "-o", "ndjson");
    for (const body of [deep, "{}"]) expect((await post(there.url, { body })).status).toBe(200);
    const { code, stdout } = await there.ended;
    expect([code, stdout.trim().split("\n").length, stdout.includes("hush-hush")]).toEqual([0, 2, false]);
  });
});
