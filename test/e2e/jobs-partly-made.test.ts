import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Altered, alteringSession, type Exchange } from "../support/altering-proxy.ts";

// What `each` and `batch` made, and did not end as asked, is not made twice by the line that they suggest.

interface Outcome {
  /** Of the run, and of the line that it suggests. */
  readonly statuses: readonly (readonly string[])[];
  /** How many requests were sent in each that match. */
  readonly sent: readonly number[];
  readonly hint: string;
}

const settled =
  "check each: what was not made is to be made by a command of its own; this run has nothing else to complete";

/** Runs a line, and then what completes its run. */
async function twice(
  words: readonly string[],
  alter: (exchange: Exchange) => Altered,
  sent: RegExp,
  input: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const { run, home, seen } = await alteringSession(alter);
  for (const [name, text] of Object.entries(input)) writeFileSync(join(home, name), text);
  const count = () => seen.filter((line) => sent.test(line)).length;
  const statusesOf = (stdout: string) => (JSON.parse(stdout) as { status: string }[]).map(({ status }) => status);
  const own = ["-o", "json", "--retries", "0", "--yes", "--journal", "j"];
  const [job = "", ...rest] = words;
  const first = await run(job, ...own, ...rest);
  const before = count();
  const again = await run(job, ...own, ...rest);
  expect(first.stderr, first.stderr).toContain('"error"');
  return {
    statuses: [statusesOf(first.stdout), statusesOf(again.stdout)],
    sent: [before, count() - before],
    hint: JSON.parse(first.stderr.trim().split("\n").at(-1) ?? "").error.hint,
  };
}

const batch = (...lines: string[][]) => ({ "b.ndjson": lines.map((args) => JSON.stringify({ args })).join("\n") });

test("a note that the instance stored as a public one is not posted again", async () => {
  const { statuses, sent, hint } = await twice(
    "each --projects-file p.txt -- notes create --issue 1 --internal --body secret".split(" "),
    ({ method, body, path }) =>
      method === "POST" && path.includes("/notes")
        ? { body: { ...(body as object), internal: false, confidential: false } }
        : undefined,
    /^POST .*notes/,
    { "p.txt": "acme/storefront\nacme/docs\n" },
  );
  expect({ statuses, sent, hint }).toEqual({
    statuses: [
      ["altered", "altered"],
      ["made", "made"],
    ],
    sent: [2, 0],
    hint: settled,
  });
});

test("of several uploads of one line, those that were made are not made again", async () => {
  let count = 0;
  const { statuses, sent, hint } = await twice(
    ["batch", "b.ndjson"],
    ({ method, path }) =>
      method === "POST" && path.endsWith("/uploads") && ++count === 2
        ? { status: 422, body: { message: "too large" } }
        : undefined,
    /^POST .*uploads/,
    { a: "a", b: "b", c: "c", ...batch(["uploads", "create", "a", "b", "c", "-p", "7"]) },
  );
  expect({ statuses, sent, hint }).toEqual({ statuses: [["failed"], ["made"]], sent: [3, 0], hint: settled });
});

test("a line of which nothing was made is run again", async () => {
  const refused = { status: 422, body: { message: "too large" } };
  const { statuses, sent, hint } = await twice(
    ["batch", "b.ndjson"],
    ({ method, path }) => (method === "POST" && path.endsWith("/uploads") ? refused : undefined),
    /^POST .*uploads/,
    { a: "a", b: "b", ...batch(["uploads", "create", "a", "b", "-p", "7"]) },
  );
  expect({ statuses, sent }).toEqual({ statuses: [["failed"], ["failed"]], sent: [2, 2] });
  expect(hint).toBe("forgectl batch b.ndjson --journal j --yes");
});

test("a rotation whose old key could not be deleted does not make one more key", async () => {
  const { statuses, sent } = await twice(
    ["batch", "b.ndjson"],
    ({ method, path }) =>
      method === "DELETE" && path.includes("client_keys") ? { status: 403, body: { message: "no" } } : undefined,
    /^POST .*client_keys/,
    batch(["errors", "keys", "rotate", "1", "-p", "7", "--dsn-file", "dsn", "--force"]),
  );
  expect({ statuses, sent }).toEqual({ statuses: [["refused"], ["made"]], sent: [1, 0] });
});

test("any request is repeated by its method: a POST whose answer was lost is not, a PUT is", async () => {
  let count = 0;
  const { statuses, sent } = await twice(
    ["batch", "b.ndjson", "--keep-order"],
    ({ method }) => (method !== "GET" && ++count <= 2 ? "lost" : undefined),
    /^(?:POST|PUT) /,
    batch(
      ["api", "projects/7/issues/1/notes", "-f", "body=once"],
      ["api", "projects/7", "-X", "PUT", "-f", "container_registry_access_level=private"],
    ),
  );
  expect({ statuses, sent }).toEqual({
    statuses: [
      ["unknown", "unknown"],
      ["unknown", "done"],
    ],
    sent: [2, 1],
  });
});

test("a result that cannot be shown does not hide that the change was made", async () => {
  const { run, home } = await alteringSession(({ method }) =>
    method === "POST" ? { status: 201, body: "x".repeat(2 ** 21) } : undefined,
  );
  writeFileSync(join(home, "b.ndjson"), batch(["api", "projects/7/issues/1/notes", "-f", "body=x", "-i"])["b.ndjson"]);
  const { stdout } = await run("batch", "b.ndjson", "--yes", "-o", "json");
  expect(JSON.parse(stdout)).toEqual([
    expect.objectContaining({ exit: 1, status: "made", error: expect.objectContaining({ outcome: "made" }) }),
  ]);
});

test("an export of which some files are missing is completed", async () => {
  let refuses = true;
  const { statuses, sent } = await twice(
    "each --projects-file p.txt -- relations pull exports/{path}".split(" "),
    ({ method, path }) => {
      if (method !== "GET" || !path.includes("download") || !path.includes("labels") || !refuses) return undefined;
      refuses = false;
      return { status: 403, body: { message: "no" } };
    },
    /^POST .*export_relations/,
    { "p.txt": "acme/storefront\n" },
  );
  expect([statuses[0]?.includes("refused"), new Set(statuses[1])]).toEqual([true, new Set(["kept", "fetched"])]);
  expect(sent).toEqual([1, 0]);
});
