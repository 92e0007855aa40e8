import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { Field } from "../../src/api/field.ts";
import { groups } from "../../src/commands/index.ts";
import type { Command } from "../../src/declare/command.ts";
import { commandsIn } from "../../src/declare/describe.ts";
import { type NamedFile, namedFiles } from "../../src/declare/named-files.ts";
import { json, signedIn } from "../support/answering.ts";
import { binary, node } from "../support/session.ts";

// A command that would write over another file of its own line, to a folder, or to a named pipe sends nothing.

/** A flag or argument that names a file or folder. */
interface Place extends Pick<NamedFile, "label" | "writes" | "isFolder"> {
  /** The words that name a path there. */
  words(path: string): string[];
}

interface Case {
  readonly path: readonly string[];
  readonly command: Command;
  readonly places: readonly Place[];
}

const loaded = await Promise.all(groups.map(({ load }) => load()));
const cases: Case[] = loaded
  .flatMap((node) => [...commandsIn(node)])
  .map((found) => ({ ...found, places: placesOf(found.command) }))
  .filter(({ places }) => places.some(({ writes }) => writes !== undefined));

function placesOf(command: Command): Place[] {
  const fields = [...Object.entries(command.args), ...Object.entries(command.params)];
  return fields.flatMap(([name, field]) => {
    const text = field.writes === "value" ? "sarif=x" : "x";
    return namedFiles(command, { [name]: text }).map(({ label, writes, isFolder }) => ({
      ...{ label, writes, isFolder },
      words: (path: string) => {
        const value = field.writes === "value" ? `${formOf(field)}=${path}` : path;
        return label.startsWith("--") ? [`${label}=${value}`] : [value];
      },
    }));
  });
}

/** The first of the forms that a report may have, from the flag's description. */
function formOf({ description }: Field): string {
  return /: (\w+)/.exec(description)?.[1] ?? "";
}

/** The line with values for what is required besides the places. */
function lineOf({ path, command }: Case, places: readonly Place[], file: string): string[] {
  const given = new Set(places.map(({ label }) => label));
  const named = places.flatMap(({ words }) => words(file));
  const flags = Object.entries(command.params).flatMap(([name, field]) => {
    const long = `--${field.flag ?? name.replaceAll("_", "-")}`;
    if (given.has(long)) return [];
    if (field.scope === "project") return ["-p", "7"];
    if (field.scope === "group" && !command.params.project) return ["-g", "acme"];
    return field.required && field.default === undefined ? [`${long}=${valueOf(field)}`] : [];
  });
  const isNamed = (name: string) => namedFiles(command, { [name]: "x" }).some(({ label }) => given.has(label));
  const args = Object.entries(command.args).flatMap(([name, field]) =>
    field.required && !isNamed(name) ? [valueOf(field)] : [],
  );
  const line = [...path, ...named, ...flags];
  return command.passThrough ? [...line, "--", "job-token", "get"] : [...line, ...args];
}

function valueOf({ kind, values, completes }: Field): string {
  if (completes === "file") return "other.yaml";
  return values?.[0] ?? (["id", "integer"].includes(kind) ? "1" : "x");
}

const pairs = cases.flatMap((found) =>
  found.places.flatMap((one, index) =>
    found.places
      .slice(index + 1)
      .filter((other) => (one.writes ?? other.writes) !== undefined)
      .map((other) => ({ ...found, one, other, name: `${found.path.join(" ")}: ${one.label} and ${other.label}` })),
  ),
);

describe("one file named twice", async () => {
  const requests: string[] = [];
  const { run, home, env } = await signedIn((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.writeHead(404).end('{"message":"404 Not found"}');
  });
  const text = "settings:\n  signup_enabled: false\n";
  mkdirSync(join(home, "sub"));

  test("the commands that can be given one are found", () => {
    expect(pairs.length).toBeGreaterThan(25);
  });

  test.each(pairs)("$name is refused", async ({ one, other, ...found }) => {
    for (const [index, alias] of ["own.yaml", "sub/../own.yaml", "link.yaml"].entries()) {
      writeFileSync(join(home, "own.yaml"), text);
      writeFileSync(join(home, "other.yaml"), text);
      rmSync(join(home, "link.yaml"), { force: true });
      if (index === 2) symlinkSync("own.yaml", join(home, "link.yaml"));
      const line = lineOf(found, [one, { ...other, words: () => other.words(alias) }], "own.yaml");
      const { code, stderr } = await run(...line);
      expect([line.join(" "), code, stderr]).toEqual([line.join(" "), 2, expect.stringContaining(" name one file: ")]);
      expect(readFileSync(join(home, "own.yaml"), "utf8")).toBe(text);
    }
    expect(requests).toEqual([]);
  });

  const outputs = cases.flatMap((found) =>
    found.places
      .filter(({ writes, label }) => writes !== undefined && label !== "--output-file")
      .map((place) => ({ ...found, place, name: `${found.path.join(" ")} ${place.label}` })),
  );
  test.each(outputs)("$name - is refused: its rows go to stdout", async ({ place, ...found }) => {
    const { code, stderr } = await run(...lineOf(found, [place], "-"));
    expect([code, stderr]).toEqual([2, expect.stringContaining(`error: ${place.label} does not write to stdout\n`)]);
    expect([requests, existsSync(join(home, "-"))]).toEqual([[], false]);
  });

  const only: [line: string, file: string][] = [
    ["settings audit --fix-file", "pipe"],
    ["settings audit --fix-file", "sub"],
    ["settings audit --report sarif=", "pipe"],
    ["settings audit --report sarif=", "sub"],
    ["settings audit --report sarif=", "new/"],
    ["settings export -O", "pipe"],
    ["state plan -f own.yaml --save", "pipe"],
    ["state plan -f own.yaml --save", "sub"],
    ["state plan -f own.yaml --report terraform=", "pipe"],
    ["state export --settings -O", "pipe"],
    ["state apply -f own.yaml --yes --record", "pipe"],
    ["registry prune -p 7 --delete-regex x --save", "pipe"],
    ["job-token compact -p 7 --save", "sub"],
    ["errors keys rotate 1 -p 7 --yes --dsn-file", "pipe"],
    ["files download README.md -p 7 -O", "pipe"],
  ];
  test.each(only)("%s%s is refused before anything is sent", async (line, file) => {
    if (!existsSync(join(home, "pipe"))) execFileSync("mkfifo", [join(home, "pipe")]);
    writeFileSync(join(home, "own.yaml"), text);
    const words = line.endsWith("=") ? `${line}${file}`.split(" ") : [...line.split(" "), file];
    const { code, stderr } = await run(...words);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/ is a (?:folder|pipe)| exists/)]);
    expect(requests).toEqual([]);
  });

  test("a report goes to what the shell has opened, a file or a program, several of them also to one", async () => {
    writeFileSync(join(home, "own.yaml"), "forgectl: 1\nsettings:\n  signup_enabled: false\n");
    const line =
      "settings audit -f own.yaml -q --report sarif=/dev/fd/5 --report codequality=/dev/null --report sarif=/dev/null";
    const own = `${JSON.stringify(node)} ${JSON.stringify(binary)}`;
    execFileSync("bash", ["-c", `${own} ${line} 5> opened.sarif`], { cwd: home, env: env as NodeJS.ProcessEnv });
    expect(JSON.parse(readFileSync(join(home, "opened.sarif"), "utf8"))).toMatchObject({ version: "2.1.0" });
    execFileSync("bash", ["-c", `${own} ${line.replace("/dev/fd/5", ">(cat > piped.sarif)")}; wait; sleep 0.5`], {
      cwd: home,
      env: env as NodeJS.ProcessEnv,
    });
    expect(JSON.parse(readFileSync(join(home, "piped.sarif"), "utf8"))).toMatchObject({ version: "2.1.0" });
  });

  test("what the shell has opened keeps what is in it, also what this run printed there", () => {
    writeFileSync(join(home, "own.yaml"), "forgectl: 1\nsettings:\n  signup_enabled: false\n");
    writeFileSync(join(home, "job.log"), "earlier\n");
    const own = `${JSON.stringify(node)} ${JSON.stringify(binary)} settings audit -f own.yaml -q -o tsv`;
    const script = `${own} --report sarif=/dev/fd/5 5>> job.log; ${own} --report sarif=/dev/stdout > all.txt`;
    execFileSync("bash", ["-c", script], { cwd: home, env: env as NodeJS.ProcessEnv });
    expect(readFileSync(join(home, "job.log"), "utf8")).toMatch(/^earlier\n[\s\S]*"version": "2.1.0"/);
    expect(readFileSync(join(home, "all.txt"), "utf8")).toMatch(/^setting\t[\s\S]*\n\{\n[\s\S]*"version": "2.1.0"/);
  });

  test("two reports to one file are refused, and so is a file in a folder that is read", async () => {
    writeFileSync(join(home, "own.yaml"), text);
    const twice = await run(
      ..."state plan -f own.yaml --report terraform=r.json --report codequality=./r.json".split(" "),
    );
    expect([twice.code, twice.stderr]).toEqual([
      2,
      expect.stringContaining("--report and --report name one file: ./r.json"),
    ]);
    mkdirSync(join(home, "forge"));
    writeFileSync(join(home, "forge", "own.yaml"), text);
    const inside = await run(..."settings audit -f forge --fix-file forge/own.yaml".split(" "));
    expect([inside.code, inside.stderr]).toEqual([
      2,
      expect.stringContaining("--file and --fix-file name one file: forge/own.yaml"),
    ]);
    expect(readFileSync(join(home, "forge", "own.yaml"), "utf8")).toBe(text);
    writeFileSync(join(home, "forge", ".fixes.yaml"), text);
    expect((await run(..."settings audit -f forge --fix-file forge/.fixes.yaml".split(" "))).code).not.toBe(2);
    expect(requests).toEqual([]);
  });
});

describe("what the shell has opened", async () => {
  const { home, env } = await signedIn((request, response, origin) => {
    if (request.url?.includes("/repository/files/")) response.end("# Readme\n");
    else json(200, '{"id":1,"signup_enabled":true}')(request, response, origin);
  });

  test.each([
    ["settings audit -f own.yaml -q --report sarif=/dev/fd/5", "5> all.txt", '"version": "2.1.0"'],
    ["settings export -q -O /dev/fd/5", "5> all.txt", "signup_enabled: true"],
    ["state export --settings -q -O /proc/self/fd/5", "5> all.txt", "settings:"],
    ["settings export -O /dev/stdout", "> all.txt 5>&1", "signup_enabled: true"],
    ["state export --settings -O /dev/stdout", "> all.txt 5>&1", "settings:"],
    ["files download README.md -p 7 -q -O /dev/fd/5", "5> all.txt", "# Readme"],
  ])("%s writes where the shell writes (%s)", async (line, opened, content) => {
    writeFileSync(join(home, "own.yaml"), "forgectl: 1\nsettings:\n  signup_enabled: false\n");
    const own = `${JSON.stringify(node)} ${JSON.stringify(binary)} ${line}`;
    await promisify(execFile)("bash", ["-c", `(echo HEAD >&5; ${own}; echo TAIL >&5) ${opened}`], {
      cwd: home,
      env: env as NodeJS.ProcessEnv,
    });
    const text = readFileSync(join(home, "all.txt"), "utf8");
    expect(text).toMatch(/^HEAD\n[\s\S]*\nTAIL\n$/);
    expect(text.split(content).length).toBe(2);
  });
});
