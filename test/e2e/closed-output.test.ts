import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { binary, node, type Session, sandboxSession } from "../support/session.ts";

// `| head -1` on something that changes: the work does not depend on who reads about it.

/** Runs a command whose stdout is closed after its first bytes, or before them. */
function runClosed(
  { env, home }: Session,
  words: readonly string[],
  { atOnce = false } = {},
): Promise<{ code: number | null; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(node, [binary, ...words], { cwd: home, env: env as NodeJS.ProcessEnv, stdio: "pipe" });
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    if (atOnce) child.stdout.destroy();
    else child.stdout.once("data", () => child.stdout.destroy());
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stderr }));
    child.stdin.end();
  });
}

const projects = [1, 2, 3, 4, 5, 6, 7];

const files = {
  "state.yaml": `forgectl: 1
projects:
${projects
  .map((n) => `  "${n}": { protected_environments: [{ name: closed, deploy_access_levels: [{ access_level: 40 }] }] }`)
  .join("\n")}
`,
  "projects.txt": projects.join("\n"),
  "batch.ndjson": projects
    .map((n) => JSON.stringify({ args: ["job-token", "limit", "on", "-p", String(n), "--yes"] }))
    .join("\n"),
  "half.ndjson": [...projects, 9999]
    .map((n) => JSON.stringify({ args: ["job-token", "limit", "on", "-p", String(n), "--yes"] }))
    .join("\n"),
};

const jobs: [string, { changes: number; code: number; stderr: RegExp }][] = [
  ["state apply -f state.yaml --yes", { changes: 7, code: 0, stderr: /work is finished: run 2\d{7}T/ }],
  [
    "each --projects-file projects.txt --yes -- job-token limit on",
    { changes: 7, code: 0, stderr: /work is finished/ },
  ],
  ["batch batch.ndjson", { changes: 7, code: 0, stderr: /work is finished/ }],
  ["batch half.ndjson", { changes: 8, code: 9, stderr: /1 of 8 failed/ }],
  ["uploads delete 1 2 3 4 5 -p 7 --yes", { changes: 5, code: 0, stderr: /work is finished/ }],
];

test.each(jobs)("%s: all of it is done, and the exit code is that of the work", async (line, expected) => {
  const log: string[] = [];
  const place = await sandboxSession({ log: (each) => log.push(each) });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place.home, name), text);
  // One after another, so that the reader is gone long before the end.
  const { code, stderr } = await runClosed(place, ["--concurrency", "1", "-o", "ndjson", ...line.split(" ")]);
  expect(log.filter((each) => /^(?:POST|PUT|PATCH|DELETE) /.test(each))).toHaveLength(expected.changes);
  expect([code, stderr]).toEqual([expected.code, expect.stringMatching(expected.stderr)]);
});

test("a command that only reads ends quietly when its reader leaves", async () => {
  const place = await sandboxSession();
  expect(await runClosed(place, "users list --limit all -o ndjson".split(" "))).toEqual({ code: 0, stderr: "" });
});

test("a verdict, and files that are written, do not depend on the reader", async () => {
  const place = await sandboxSession();
  const errors = Array.from({ length: 2_000 }, (_, at) => `  acme/g${at}: 5\n`).join("");
  writeFileSync(join(place.home, "bad.yaml"), `forgectl: 1\ngroups:\n${errors}`);
  writeFileSync(join(place.home, "bad-settings.yaml"), "signup_enabled: perhaps\n");
  writeFileSync(join(place.home, "projects.txt"), "7\n2\n");
  const download = (to: string) => ["files", "download", "README.md", "--ref", "main", "-p", "7", "-O", to];
  writeFileSync(
    join(place.home, "saved.ndjson"),
    inLines(download("one.md"), download("two.md"), download("three.md")),
  );
  const audits = ["a", "b", "c", "d"].map((name) => ["audit", "-g", "acme", "--out", name]);
  writeFileSync(join(place.home, "audits.ndjson"), inLines(...audits));
  for (const [line, expected] of [
    ["state validate -f bad.yaml --report sarif=s.json", 2],
    ["settings validate -f bad-settings.yaml", 2],
    ["doctor --base-url http://127.0.0.1:1", 11],
    ["batch saved.ndjson --concurrency 1", 0],
    ["batch audits.ndjson --concurrency 1", 0],
  ] as const) {
    const { code, stderr } = await runClosed(place, [...line.split(" "), "-o", "ndjson"]);
    expect([line, code]).toEqual([line, expected]);
    expect(stderr).not.toBe("");
  }
  for (const name of ["s.json", "one.md", "two.md", "three.md", "d"])
    expect(existsSync(join(place.home, name))).toBe(true);
});

// Whatever ends otherwise than with 0 although its rows are complete.
const verdicts: [line: string, code: number][] = [
  ["state validate -f bad.yaml", 2],
  ["settings validate -f bad-settings.yaml", 2],
  ["state plan -f absent.yaml", 9],
  ["state plan -f absent.yaml -o csv", 9],
  ["state apply -f absent.yaml --yes", 9],
  ["state export -p 7 -g no/such -O out.yaml", 9],
  ["state export -p 7 -g no/such -O -", 9],
  ["state plan -f absent.yaml --dry-run", 9],
  ["state apply -f half.yaml --dry-run", 9],
  ["doctor --dry-run --base-url http://127.0.0.1:1", 11],
  ["settings audit --exit-code", 10],
  ["audit --settings --exit-code", 10],
  ["users report --exit-code", 10],
  ["hooks health -g acme --exit-code", 10],
  ["job-token audit -p 2 --exit-code", 10],
  ["doctor --profile expired", 4],
  ["auth status --profile expired", 4],
];

test("what ends with a verdict says it to a reader that leaves before the first row, too", async () => {
  const place = await sandboxSession();
  const { FORGECTL_BASE_URL: url, FORGECTL_TOKEN: _, ...env } = place.env;
  writeFileSync(join(place.home, "bad.yaml"), "forgectl: 1\ngroups:\n  acme: 5\n");
  writeFileSync(join(place.home, "bad-settings.yaml"), "signup_enabled: perhaps\n");
  writeFileSync(join(place.home, "absent.yaml"), "forgectl: 1\ngroups:\n  no/such: { hooks: [] }\n");
  const hooks = '{ hooks: [{ name: New, url: "https://new.example/hook" }] }';
  writeFileSync(join(place.home, "half.yaml"), `forgectl: 1\ngroups: { no/such: { hooks: [] }, acme: ${hooks} }\n`);
  await place.run("profiles", "set", "expired", `base-url=${url}`, "token-command=echo sandbox-expired-token");
  const found: [string, number | null, number | null, boolean][] = [];
  for (const [line] of verdicts) {
    const words = line.split(" ");
    const own = line.includes("--profile") ? { ...place, env } : place;
    const whole = await runClosed(own, words);
    const alone = await runClosed(own, words, { atOnce: true });
    found.push([line, whole.code, alone.code, alone.stderr !== ""]);
  }
  expect(found).toEqual(verdicts.map(([line, code]) => [line, code, code, true]));
});

const findings = [
  ["hooks", "health", "-g", "acme", "--exit-code"],
  ...projects.map((n) => ["job-token", "audit", "-p", String(n), "--exit-code"]),
];
const missing = ["job-token", "audit", "-p", "no/such", "--exit-code"];
const inLines = (...lines: string[][]) => lines.map((args) => JSON.stringify({ args })).join("\n");

test("what --exit-code of a command in each or batch finds does not depend on the reader", async () => {
  const place = await sandboxSession();
  writeFileSync(join(place.home, "found.ndjson"), inLines(...findings));
  const { FORGECTL_BASE_URL: url, FORGECTL_TOKEN: token } = place.env;
  const names = ["a", "b", "c", "d"];
  for (const name of names) await place.run("profiles", "set", name, `base-url=${url}`, `token-command=echo ${token}`);
  for (const line of [`each --profiles ${names} -- users report --exit-code`, "batch found.ndjson"]) {
    const { code, stderr } = await runClosed(place, ["--concurrency", "1", "-o", "ndjson", ...line.split(" ")]);
    expect([line, code, stderr]).toEqual([line, 10, expect.stringContaining("the work is finished")]);
  }
});

test.each([
  ["one line that found something", inLines(findings[0] as string[]), 10],
  ["several", inLines(...findings), 10],
  ["and one that failed", inLines(...findings, missing), 9],
  ["none", inLines(["job-token", "audit", "-p", "acme/storefront", "--exit-code"], ["users", "me"]), 0],
])("the exit code of a batch: %s", async (_, lines, expected) => {
  const place = await sandboxSession();
  writeFileSync(join(place.home, "lines.ndjson"), lines);
  expect((await place.run("batch", "lines.ndjson", "-o", "ndjson")).code).toBe(expected);
});

test.runIf(existsSync("/dev/full"))("a change whose result cannot be written says that it was made", async () => {
  const own = await sandboxSession();
  const line = `"${node}" "${binary}" notes create --issue 28 -p 7 --body hello > /dev/full`;
  const child = spawn("sh", ["-c", line], { env: own.env as NodeJS.ProcessEnv, stdio: ["ignore", "ignore", "pipe"] });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  expect([code, stderr]).toEqual([
    12,
    "error: the output was not written in full\n" +
      "cause: ENOSPC: no space left on device, write\n" +
      "outcome: the change was made: POST /api/v4/projects/7/issues/28/notes\n" +
      "try:   check before you run it again: forgectl notes list --issue 28 -p 7\n",
  ]);
});
