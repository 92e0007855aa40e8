import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { runFiles } from "../../scripts/mutate/bounded.mjs";
import { instrument } from "../../scripts/mutate/instrument.mjs";
import { mutantsOf } from "../../scripts/mutate/mutants.mjs";
import { atTestEnd } from "../support/ending.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Each line has one place of its own to change. */
const source = `const log = [];
const sum = 1 + 2 * three;
const either = (a && b) || c;
const both = (a || b) && c;
const known = given ?? (a ? "x" : "");
if (!a || three >= 3) log.push(true);
for (const each of [...list, three]) {
  if (each === 2) continue;
  log.push(each - 1);
}
const made = { ...extra, own: [1, "two words", -2] };
list.sort((x, y) => (x < y ? -1 : 1));
const text = \`\${a ? "one" : "two"} words\`;
result = { log, sum, either, both, known, made, text };
`;
const values = { a: true, b: false, c: false, three: 3, given: undefined, list: [1, 2], extra: { x: 1 }, result: {} };
const evaluated = (code: string, scope = {}) => {
  const context = structuredClone(values);
  try {
    runInNewContext(code, Object.assign(context, scope), { timeout: 1000 });
  } catch (error) {
    return String(error);
  }
  return JSON.stringify(context.result);
};

describe("mutants", () => {
  const mutants = mutantsOf("f.ts", source);

  test("are what the text says, and no words for people", () => {
    const named = (line: number) =>
      mutants.filter((each) => each.line === line).map(({ id }) => id.replace(/^f\.ts:\d+:/, ""));
    expect(named(2)).toEqual(["13:more", "13:less", "15:arithmetic", "17:more", "17:less", "19:arithmetic"]);
    expect(named(3)).toEqual(["19:logic", "25:logic"]);
    expect(named(5)).toEqual(["21:default", "25:negated", "29:text", "35:text"]);
    expect(named(7)).toEqual(["21:element", "30:element"]);
    expect(named(8)).toEqual(["12:inverted", "16:more", "16:less", "19:exit"]);
    expect(named(12)).toEqual(["1:statement", "22:negated", "24:bound"]);
    expect(named(13)).toEqual([]);
    expect(mutants.find(({ id }) => id === "f.ts:11:40:text")).toBeUndefined();
  });

  test("have names of their own", () => {
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
  });

  test("do what their text in its place would do, and nothing if none is active", () => {
    const code = instrument(source, mutants, { first: 5, switchPath: "/none" });
    expect(evaluated(code, { $m: () => false })).toBe(evaluated(source));
    for (const [index, { id, start, end, form, after }] of mutants.entries()) {
      const instead = { expression: `(${after})`, statement: ";", element: "...[]", spread: "{}" }[form];
      const expected = evaluated(source.slice(0, start) + instead + source.slice(end));
      expect([id, evaluated(code, { $m: (number: number) => number === index + 5 })]).toEqual([id, expected]);
    }
  });
});

describe.runIf(process.platform === "linux")("a run", () => {
  /** A project of its own with the same packages. */
  function project(files: Readonly<Record<string, string>>): string {
    const folder = mkdtempSync(join(tmpdir(), "forgectl-mutate-"));
    atTestEnd(() => rmSync(folder, { recursive: true, force: true }));
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    for (const [path, text] of Object.entries({ "package.json": '{ "type": "module" }', ...files })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return folder;
  }

  const mutate = (cwd: string, ...words: string[]) => {
    return spawnSync(process.execPath, [join(root, "scripts/mutate.mjs"), "--seed", "1", ...words], {
      cwd,
      encoding: "utf8",
    });
  };

  test("kills what a test asserts; what it only passes through survives; what none reaches is said; the compiler refuses some", () => {
    const options = { strict: true, noEmit: true, module: "preserve", types: [] };
    const folder = project({
      "tsconfig.json": JSON.stringify({ compilerOptions: options, include: ["src"] }),
      "src/jobs/sum.ts": [
        'export const unread = "dead";',
        "export const sum = (a: number, b: number): number => a - -b;",
        "export const never = (a: number): number => a * a;",
        'export const kind: "read" | "write" = "read";',
      ].join("\n"),
      "test/unit/sum.test.ts": [
        'import { expect, test } from "vitest";',
        'import { sum } from "../../src/jobs/sum.ts";',
        'test("adds", () => expect(sum(1, 2)).toBe(3));',
      ].join("\n"),
      "test/unit/broken.test.ts": 'import { test } from "vitest"; test("never", () => { throw new Error("always"); });',
    });
    const { status, stdout } = mutate(folder, "src/jobs/sum.ts");
    expect(stdout.split("\n").slice(1, 3).join("\n")).toMatchInlineSnapshot(`
      "room         mutants       killed    timed out      refused     survived  not covered    killed
      jobs               4            1            0            1            1            1    50.0 %"
    `);
    expect(stdout).toContain('survived 1 of 1 test files: src/jobs/sum.ts:1:23:text\n  - "dead"\n  + ""');
    expect(stdout).toContain("not covered: src/jobs/sum.ts:3:47:arithmetic\n  - a * a\n  + (a) / (a)");
    expect(stdout).toContain("not used, since they fail without a mutant: test/unit/broken.test.ts");
    expect(status).toBe(1);
    const one = mutate(folder, "--mutant", "src/jobs/sum.ts:2:56:arithmetic");
    expect(one.stdout).toContain("100.0 %");
    expect(one.stderr).not.toContain("covering");
    expect(one.status).toBe(0);
    expect(readFileSync(join(folder, "src/jobs/sum.ts"), "utf8")).not.toContain("$m");
  }, 120_000);

  test("ends a loop by its time, and what grows by its memory, with the programs they started", async () => {
    const folder = project({
      "test/loop.test.ts": 'import { test } from "vitest"; test("loops", () => { for (;;); });',
      "test/growth.test.ts": [
        'import { spawn } from "node:child_process";',
        'import { test } from "vitest";',
        'const grow = "const all = []; for (let n = 0; n < 90; n++) all.push(Buffer.alloc(1e7, 1));";',
        'test("grows", () => new Promise((end) => {',
        '  const wait = "setTimeout(() => undefined, 20000)";',
        '  const child = spawn(process.execPath, ["-e", grow + wait], { detached: true });',
        '  child.on("exit", end);',
        "}));",
      ].join("\n"),
    });
    const loop = await runFiles({ tree: folder }, ["test/loop.test.ts"], { limitMs: () => 2500 });
    expect(loop).toMatchObject({ outcome: "time", file: "test/loop.test.ts" });
    const bounds = { limitMs: () => 25_000, maxBytes: 5e8 };
    const growth = await runFiles({ tree: folder }, ["test/growth.test.ts"], bounds);
    expect(growth).toMatchObject({ outcome: "memory", file: "test/growth.test.ts" });
  }, 120_000);
});
