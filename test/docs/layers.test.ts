import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

// Imports point downward only, and have no cycles. Type-only imports count, since a reader must know those files too.

/** Each folder at the top of src, or file there, and what it imports besides itself. */
const layers: Readonly<Record<string, readonly string[]>> = {
  "main.ts": ["app"],
  app: ["completion", "cli", "verbs", "declare", "context.ts", "api", "terminal", "config", "node", "host.ts", "base"],
  completion: ["cli", "commands", "declare", "api", "config", "settings", "base", "host.ts", "context.ts"],
  cli: ["commands", "declare", "api", "config", "base"],
  reference: ["declare", "api", "base"],
  commands: [
    "reference",
    "state",
    "verbs",
    "jobs",
    "transfer",
    "declare",
    "api",
    "terminal",
    "config",
    "settings",
    "sandbox",
    "base",
    "host.ts",
    "local-http.ts",
    "context.ts",
  ],
  state: ["verbs", "jobs", "transfer", "api", "terminal", "config", "settings", "base", "host.ts", "context.ts"],
  verbs: ["jobs", "transfer", "declare", "api", "terminal", "config", "base", "host.ts", "context.ts"],
  jobs: ["api", "terminal", "config", "base", "host.ts", "context.ts"],
  transfer: ["api", "terminal", "base", "host.ts", "context.ts"],
  declare: ["api", "terminal", "config", "base", "context.ts"],
  "context.ts": ["api", "terminal", "config", "host.ts", "local-http.ts"],
  api: ["base", "host.ts"],
  terminal: ["base", "host.ts"],
  config: ["base", "host.ts"],
  settings: ["base"],
  node: ["base", "host.ts", "local-http.ts"],
  "host.ts": ["base"],
  "local-http.ts": [],
  base: [],
  // It implements the API from the documents: a mistake in code that both sides share would pass every test.
  sandbox: [],
};

const root = fileURLToPath(new URL("../../src/", import.meta.url));
const page = readFileSync(join(root, "../docs/architecture.md"), "utf8");

/** Every file of src with the files that it imports, including `import type` and `import()`. */
const files = new Map(
  readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((path) => path.split(sep).join("/"))
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"))
    .map((path) => [path, importsOf(path)] as const),
);

function importsOf(path: string): string[] {
  const text = readFileSync(join(root, path), "utf8");
  const named = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"(\.{1,2}\/[^"]+\.ts)"/g)];
  return named.map(([, target = ""]) =>
    normalize(join(dirname(path), target))
      .split(sep)
      .join("/"),
  );
}

const layerOf = (path: string) => path.split("/")[0] ?? "";

/** Groups of files with cyclic imports (Tarjan's algorithm). */
function circles(): string[][] {
  const found: string[][] = [];
  const state = new Map<string, { index: number; low: number; open: boolean }>();
  const stack: string[] = [];
  const visit = (path: string) => {
    const own = { index: state.size, low: state.size, open: true };
    state.set(path, own);
    stack.push(path);
    for (const target of files.get(path) ?? []) {
      const seen = state.get(target) ?? visit(target);
      if (seen.open) own.low = Math.min(own.low, seen.low);
    }
    if (own.low === own.index) {
      const circle = stack.splice(stack.indexOf(path));
      for (const each of circle) (state.get(each) as { open: boolean }).open = false;
      if (circle.length > 1) found.push(circle.sort());
    }
    return own;
  };
  for (const path of files.keys()) if (!state.has(path)) visit(path);
  return found;
}

describe("the layers of src", () => {
  test("every top-level folder and file has a row", () => {
    expect([...new Set([...files.keys()].map(layerOf))].sort()).toEqual(Object.keys(layers).sort());
  });

  test.each(Object.entries(layers))("%s imports what its row says, and all of it", (layer, below) => {
    const imported = [...files]
      .filter(([path]) => layerOf(path) === layer)
      .flatMap(([path, targets]) => targets.map((target) => ({ path, target })))
      .filter(({ target }) => layerOf(target) !== layer);
    const strangers = imported.filter(({ target }) => !below.includes(layerOf(target)));
    expect(strangers.map(({ path, target }) => `${path} imports ${target}`)).toEqual([]);
    const used = new Set(imported.map(({ target }) => layerOf(target)));
    expect(below.filter((each) => !used.has(each))).toEqual([]);
  });

  test("docs/architecture.md describes each layer, above all that it imports", () => {
    const rows = [...page.matchAll(/^\| `([a-z-]+(?:\/|\.ts))` \| .+ \| .+ \|$/gm)].map(([, name = ""]) => name);
    const order = rows.map((name) => name.replace("/", ""));
    expect(order.toSorted()).toEqual(Object.keys(layers).sort());
    const wrong = Object.entries(layers).flatMap(([layer, below]) =>
      below.filter((each) => order.indexOf(each) < order.indexOf(layer)).map((each) => `${each} is above ${layer}`),
    );
    expect(wrong).toEqual([]);
  });

  test("each file that docs/architecture.md names exists", () => {
    const whole = [...page.matchAll(/\b(?:src|test|scripts|docs|bin)\/[\w./-]*[\w/]/g)].map(([path]) => path);
    const inSource = [...page.matchAll(/`((?!src|test)[\w-]+\/[\w/-]+(?:\.ts|\/))`/g)].map(([, path]) => `src/${path}`);
    expect([whole.length > 40, inSource.length > 10]).toEqual([true, true]);
    expect([...whole, ...inSource].filter((path) => !existsSync(join(root, "..", path)))).toEqual([]);
  });

  test("imports between files have no cycles", () => {
    expect(circles()).toEqual([]);
  });

  test("the folders of state import only rows below their own, and its files none", () => {
    const rows = [...page.matchAll(/^\| `state\/([a-z]+)\/` \| .+ \|$/gm)].map(([, name = ""]) => name);
    const roomOf = (path: string) => /^state\/(?:([a-z]+)\/)?[^/]+$/.exec(path)?.[1];
    const within = [...files].filter(([path]) => layerOf(path) === "state");
    const rooms = new Set(within.map(([path]) => roomOf(path)).filter((room) => room !== undefined));
    expect([...rooms].toSorted()).toEqual(rows.toSorted());
    const height = (path: string) => rows.toReversed().indexOf(roomOf(path) ?? "");
    const upward = within.flatMap(([path, targets]) =>
      targets
        .filter((target) => layerOf(target) === "state" && height(target) > height(path))
        .map((target) => `${path} imports ${target}`),
    );
    expect(upward).toEqual([]);
  });

  test("each large package is imported only in its place, and the sandbox only by its command", () => {
    const importing = (name: RegExp) =>
      [...files.keys()].filter((path) => name.test(readFileSync(join(root, path), "utf8")));
    for (const [name, home] of Object.entries({
      commander: "cli/",
      undici: "api/transport/",
      chalk: "terminal/style.ts",
      "cli-table3": "terminal/table/grid.ts",
      ora: "terminal/interaction/spinner.ts",
      conf: "node/json-store.ts",
      inquirer: "terminal/interaction/prompt.ts",
    })) {
      const users = importing(new RegExp(`(?:from|import\\()\\s*"${name}["/]`));
      expect([name, users.length > 0, users.filter((path) => !path.startsWith(home))]).toEqual([name, true, []]);
    }
    expect(
      [...files]
        .filter(
          ([path, targets]) => layerOf(path) === "commands" && targets.some((each) => layerOf(each) === "sandbox"),
        )
        .map(([path]) => path),
    ).toEqual(["commands/sandbox.ts"]);
  });
});
