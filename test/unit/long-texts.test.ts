import { describe, expect, test } from "vitest";
import type { FailedCall } from "../../src/api/failed-call.ts";
import { failureOf } from "../../src/api/failure.ts";
import { Redactor } from "../../src/api/redact.ts";
import { Failure } from "../../src/base/errors.ts";
import { hideSecrets, mask, treatSecrets } from "../../src/base/secrets.ts";
import { renderFailure } from "../../src/terminal/failure-text.ts";
import { visible, visibleLines } from "../../src/terminal/sanitize.ts";
import { loadMeasure } from "../../src/terminal/width.ts";
import { sampled } from "../support/examples.ts";
import { plain, shown } from "./terminal/recorder.ts";

// A server's text may be long: processing it takes linear time. Quadratic work takes a minute for these texts; the
// bound is far from both. It applies to this process's CPU time, which a busy machine does not change.

const boundMs = 3000;
const size = 300_000;
const times = (text: string) => text.repeat(size / text.length);
const texts = [
  ["one word", times("a")],
  ["words with dots", times("a.")],
  ["a scheme as long as its host", `${times("a")}://${times("b")}`],
  ["a name and blanks", `token${times(" ")}x`],
  ["open quotes", times('a="')],
  ["escapes", times('x="\\')],
  ["users without hosts", times("://@")],
  ["parameters", times("?a&b")],
  ["secret parameters", times("?token='")],
  ["the quotes behind one", `see ?token=${times("'")}x`],
  ["beginnings of a word that is looked for", times("statrefresh")],
  ["dashes", times("-a")],
  ["schemes", times("Bearer ")],
  ["non-ASCII letters", times("é")],
  ["wide characters", times("日")],
  ["many combining marks", `a${times("\u0301")}`],
  ["controls", times("\u001b[")],
  ["addresses of webhooks", times("https://hooks.slack.com/services/")],
  ["steps of a path", `://hooks.slack.com/workflows/${times("a/")}`],
  ["hosts", times("://a/hooks/")],
  ["beginnings of private keys", times("-----BEGIN PRIVATE KEY-----")],
  ["ends of private keys", times("-----END PRIVATE KEY-----")],
  ["line feeds", times("\n")],
] as const;
const redactor = new Redactor(["s3cret-value", "aaaa", "Bearer"]);
const call: FailedCall = {
  method: "DELETE",
  path: "/api/v4/x",
  summary: undefined,
  access: undefined,
  credential: "access",
  repeatable: true,
};

// Every other text; with FORGECTL_TEST_EXAMPLES=all, all.
describe.each(sampled(texts, 2))("%s, 300,000 characters", (_, text) => {
  test("is redacted, shown, measured, and wrapped in linear time", async () => {
    const measure = await loadMeasure();
    const tasks: Record<string, () => unknown> = {
      text: () => redactor.text(text),
      url: () => redactor.url(text),
      json: () => redactor.json({ [text]: text }),
      hidden: () => hideSecrets({ [text]: text }),
      visible: () => visible(text),
      lines: () => visibleLines(text),
      wrap: () => measure.wrap(visible(text), 80),
      cut: () => measure.cut(visible(text), 80),
      record: () => shown({ record: { text } }, { format: "table", columns: 80 }),
      rows: () => shown({ rows: [{ text }], columns: ["text"] }, { format: "table", columns: 80 }),
      refused: () => [403, 404, 409, 422].map((status) => failureOf(call, { status, headers: {}, text })),
      error: () =>
        renderFailure(new Failure("refused", "no", { reason: text }), {
          json: false,
          style: plain,
          redact: (each) => redactor.text(each),
        }),
    };
    const slow: Record<string, number> = {};
    for (const [name, task] of Object.entries(tasks)) {
      const begun = process.cpuUsage();
      await task();
      const { user, system } = process.cpuUsage(begun);
      const took = (user + system) / 1000;
      if (took > boundMs) slow[name] = Math.round(took);
    }
    expect(slow).toEqual({});
  }, 60_000);
});

describe("a table of many columns", () => {
  const rowOf = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`k${index}`, index % 3 === 0 ? index : `v${index}`]),
    );

  test("takes linear time", async () => {
    const row = rowOf(40_000);
    const begun = process.cpuUsage();
    expect((await shown({ rows: [row], columns: Object.keys(row) }, { format: "table" })).error).toBeUndefined();
    expect(process.cpuUsage(begun).user / 1000).toBeLessThan(boundMs);
  }, 120_000);

  test("looks as one of few", async () => {
    const linesOf = async (count: number) => {
      const row = rowOf(count);
      const { stdout } = await shown({ rows: [row, row], columns: Object.keys(row) }, { format: "table" });
      return stdout.split("\n");
    };
    const [few, many] = [await linesOf(500), await linesOf(501)];
    expect(many.map((line, index) => line.slice(0, few[index]?.length))).toEqual(few);
  });
});

/** Objects in one another, with a secret in the innermost. */
function nested(levels: number, token: string): object {
  let value: object = { id: 1, token, name: "n" };
  for (let level = 0; level < levels; level++) value = { id: 1, below: value, name: "n" };
  return value;
}

describe("a secret below many levels", () => {
  test("is found by looking at every value once, and hidden in its place", () => {
    let looked = 0;
    const text = (each: string) => {
      looked += 1;
      return each;
    };
    treatSecrets(nested(14, "t"), { text });
    // Twice for every level would be some 100,000.
    expect(looked).toBeLessThan(100);
    expect(JSON.stringify(hideSecrets(nested(190, "t")))).toBe(JSON.stringify(nested(190, mask)));
  });

  test("is hidden under a treated name, and what holds none is not copied", () => {
    const open = { a: [{ b: "c" }] };
    const shown = treatSecrets({ open, x: { password: "p" }, custom_headers: [{ key: "k", value: "v" }] }, {
      text: (each) => (each === "x" ? "y" : each),
    } as const);
    expect(JSON.stringify(shown)).toBe(
      JSON.stringify({ open, y: { password: mask }, custom_headers: [{ key: "k", value: mask }] }),
    );
    expect((shown as { open: object }).open).toBe(open);
    expect(hideSecrets(open)).toBe(open);
  });
});
