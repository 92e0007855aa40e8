import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { signedIn } from "../support/answering.ts";
import { fleetSession } from "../support/fleet-server.ts";
import { binary, node, type Session, sandboxSession, session } from "../support/session.ts";

test.each(["SIGINT", "SIGTERM"] as const)("a large file does not make validate deaf to %s", async (signal) => {
  const { env, home } = session();
  const child = spawn(node, [binary, "state", "validate", "-f", "-"], {
    cwd: home,
    env: env as NodeJS.ProcessEnv,
    stdio: ["pipe", "ignore", "ignore"],
  });
  const ended = once(child, "exit");
  child.stdin.on("error", () => undefined);
  const unknown = Array.from({ length: 600_000 }, (_, at) => `  unknown_setting_${at}: ${at}\n`).join("");
  child.stdin.end(`forgectl: 1\nsettings:\n${unknown}`);
  // The program has read it, except for what fits into a pipe, and now needs several seconds for it.
  await once(child.stdin, "finish");
  child.kill(signal);
  expect(await ended).toEqual([null, signal]);
});

test("keep is matched at once, with any number of stars; * stays within a slash, ** does not", async () => {
  const { run } = await sandboxSession();
  const name = "a".repeat(60);
  expect(await run("saml", "links", "add", name, "-g", "acme", "--access-level", "developer")).toMatchObject({
    code: 0,
  });
  const url = "https://erp.example.com/in";
  expect(await run("hooks", "create", url, "-g", "acme")).toMatchObject({ code: 0 });
  const left = async (kind: string, pattern: string) => {
    const input = `forgectl: 1\ngroups: { acme: { ${kind}: [] } }\nkeep: { ${kind}: ["${pattern}"] }\n`;
    const planned = await run("state", "plan", "-f", "-", "--prune", "--fields", "key", "--no-header", { input });
    return planned.stdout.trim().split("\n");
  };
  expect(await left("saml_group_links", `${"*a".repeat(20)}*b`)).toContain(name);
  expect(await left("saml_group_links", `${"*a".repeat(20)}*`)).not.toContain(name);
  expect(await left("hooks", "https://erp*")).toContain(url);
  expect(await left("hooks", "https://erp**")).not.toContain(url);
});

/** Patterns that no name fits, and that few characters of a name rule out: 20,000 characters at most. */
const slowPatterns = Array.from({ length: 1_300 }, (_, at) => `**m*e*${at}*z`);
const keeping = (patterns: readonly string[], kind = "saml_group_links") =>
  `keep: { ${kind}: [${patterns.map((each) => `"${each}"`).join(", ")}] }\n`;

/** How a plan ends that gets a signal a second after it has read this, and how long that takes. */
async function interrupted({ env, home, seen }: Session & { seen: string[] }, read: string, signal: NodeJS.Signals) {
  const child = spawn(node, [binary, "state", "plan", "-f", "state.yaml", "--prune"], {
    cwd: home,
    env: env as NodeJS.ProcessEnv,
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  await vi.waitUntil(() => seen.some((each) => each.includes(read)), { timeout: 20_000 });
  await setTimeout(1_000);
  const asked = performance.now();
  child.kill(signal);
  const [code, by] = await ended;
  return { code, by, isSoon: performance.now() - asked < 8_000 };
}

test.each(["SIGINT", "SIGTERM"] as const)(
  "a plan hears %s between two entries that keep is compared with",
  async (signal) => {
    const links = Array.from({ length: 1_000 }, (_, at) => ({ name: `${"me".repeat(40)}-${at}`, access_level: 30 }));
    const instance = await signedIn((request, response) => {
      const isList = request.url?.includes("saml_group_links") === true;
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(isList ? links : { id: 1, full_path: "acme" }));
    });
    const text = `forgectl: 1\ngroups: { acme: { saml_group_links: [] } }\n${keeping(slowPatterns)}`;
    writeFileSync(join(instance.home, "state.yaml"), text);
    // It compares for a minute from there on.
    expect(await interrupted(instance, "saml_group_links", signal)).toEqual({ code: 130, by: null, isSoon: true });
  },
  180_000,
);

test("a plan hears SIGINT between two projects that patterns are compared with", async () => {
  const begin = (length: number) => `g/${"e".repeat(length)}`;
  const paths = Array.from({ length: 1_000 }, (_, at) => [`${begin(60)}${at}`, { id: at + 10 }]);
  const instance = await fleetSession({ projects: Object.fromEntries(paths), groups: ["g"] });
  const exceptions = Array.from({ length: 1_300 }, (_, at) => `g/e*e*${at}x*z`);
  const blocks = Array.from({ length: 50 }, (_, at) => {
    const except = at === 0 ? `&except [${exceptions.map((each) => `"${each}"`).join(", ")}]` : "*except";
    return `  "${begin(at)}*": { except: ${except}, container_registry_access_level: enabled }\n`;
  });
  writeFileSync(join(instance.home, "state.yaml"), `forgectl: 1\nprojects:\n${blocks.join("")}`);
  // It compares for minutes from there on.
  expect(await interrupted(instance, "projects", "SIGINT")).toEqual({ code: 130, by: null, isSoon: true });
}, 600_000);

test.each<[what: string, patterns: string[]]>([
  ["of one beginning", Array.from({ length: 2_500 }, (_, at) => `acme/*e*${at}x`)],
  ["that begin within each other", Array.from({ length: 200 }, (_, at) => `acme/${"e".repeat(at)}*x`)],
  [
    "that differ by case",
    ["acme", "Acme", "ACME"].flatMap((group, turn) =>
      Array.from({ length: 9 }, (_, at) => `${group}/*${turn}${at}${"x".repeat(900)}`),
    ),
  ],
])("more patterns %s than seconds are enough for are refused", async (_what, patterns) => {
  const { run } = session();
  const lines = patterns.map((each) => `  "${each}": { container_registry_access_level: enabled }\n`);
  const input = `forgectl: 1\nprojects:\n${lines.join("")}`;
  const { code, stdout } = await run("state", "validate", "-f", "-", { input });
  const stated = expect.stringContaining("error\tmore than 20,000 characters of patterns begin as it does");
  expect({ code, stdout }).toEqual({ code: 2, stdout: stated });
});

test("more of keep that begins alike than seconds are enough for is refused, in all files together", async () => {
  const { home, run } = session();
  const validated = async (...files: string[]) => {
    for (const [at, text] of files.entries()) writeFileSync(join(home, `${at}.yaml`), `forgectl: 1\n${text}`);
    const { code, stdout } = await run("state", "validate", ...files.flatMap((_, at) => ["-f", `${at}.yaml`]));
    return { code, stdout };
  };
  const more = slowPatterns.map((each) => `${each}${"z".repeat(6)}`);
  const words = "keep.saml_group_links\terror\tmore than 20,000 characters of patterns with a star begin alike";
  const refusedIn = (file: string) => ({ code: 2, stdout: expect.stringContaining(`${file}\t2\t${words}`) });
  expect(await validated(keeping(slowPatterns), keeping(more))).toEqual(refusedIn("1.yaml"));
  expect(await validated(keeping([`**${"a*".repeat(200_000)}`]), "")).toEqual(refusedIn("0.yaml"));
  // Two spellings of a path are compared alike.
  const cased = ["acme", "Acme", "ACME"].map((group, at) => `${group}/*${at}${"a".repeat(8_000)}`);
  expect((await validated(keeping(cased, "allowlist"), "")).code).toBe(2);
  expect((await validated(keeping(cased), "")).code).toBe(0);
  // What begins otherwise costs nothing, nor does a name, and what two files repeat is one.
  const teams = Array.from({ length: 5_000 }, (_, at) => `team-${at}-*`);
  const names = Array.from({ length: 5_000 }, (_, at) => `break-glass-${at}`);
  const both = keeping([...teams, ...names, ...slowPatterns]);
  expect((await validated(both, both)).code).toBe(0);
}, 60_000);

/** Projects of each pattern, with these exceptions: the first has them as they are, the others as an alias. */
function excepting(patterns: number, exceptions: readonly string[]): string {
  const list = `&except [${exceptions.map((each) => `"${each}"`).join(", ")}]`;
  const blocks = Array.from({ length: patterns }, (_, at) => {
    const except = at === 0 ? list : "*except";
    return `  "g/*${at}*": { except: ${except}, container_registry_access_level: enabled }\n`;
  });
  return `forgectl: 1\nprojects:\n${blocks.join("")}`;
}

test.each([
  ["comparisons with patterns and their exceptions", 1800, 900],
  ["characters of exceptions with a star", 1, 20_000],
])(
  "more %s than take seconds are refused, however many an alias repeats",
  async (what, patterns, exceptions) => {
    const { run } = session();
    const names = Array.from({ length: exceptions }, (_, at) => `g/*${at}x`);
    const paths = Array.from({ length: 2000 }, (_, at) => `  g/a${at}: { protected_branches: [] }\n`).join("");
    const input = excepting(patterns, [...names, "g/**"]) + paths;
    const { code, stdout } = await run("state", "validate", "-f", "-", { input });
    expect({ code, stdout }).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(new RegExp(`more than [\\d,]+ ${what}`)),
    });
  },
  120_000,
);

test("folders that are as deep as a path can be are looked through at once, and links in them are findings", async () => {
  const { home, run } = session();
  const deep = join("deep", ..."d".repeat(1200));
  mkdirSync(join(home, deep), { recursive: true });
  writeFileSync(join(home, deep, "state.yaml"), "forgectl: 1\nsettings: { signup_enabled: false }\n");
  writeFileSync(join(home, deep, "issues.ndjson.gz"), "");
  writeFileSync(join(home, "damaged.yaml"), "{");
  symlinkSync(join(home, "damaged.yaml"), join(home, "deep", "linked.yaml"));
  symlinkSync(home, join(home, "deep", "up"));
  // Neither leads to anything that is not read.
  mkdirSync(join(home, "notes"));
  writeFileSync(join(home, "notes", "readme.md"), "");
  symlinkSync(join(home, "notes"), join(home, "deep", "notes"));
  symlinkSync(join(home, deep, "state.yaml"), join(home, "deep", "again.yaml"));
  const started = performance.now();
  const { code, stdout, stderr } = await run("state", "validate", "-f", "deep", "-o", "ndjson");
  const findings = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect([code, findings.map(({ file, message }) => `${file} ${message}`)], stderr).toEqual([
    2,
    ["deep/linked.yaml is a link in a folder, and is not read", "deep/up is a link in a folder, and is not read"],
  ]);
  expect(await run("relations", "verify", "deep")).toMatchObject({ code: 2 });
  // Each took half a minute when every path was resolved from its root.
  expect(performance.now() - started).toBeLessThan(10_000);
});
