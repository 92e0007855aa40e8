import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { compactPages } from "../../src/commands/state/export-pages.ts";
import { type Exported, exportScopes } from "../../src/state/export/export.ts";
import { declare } from "../../src/state/files/declaration.ts";
import { Findings } from "../../src/state/finding.ts";
import { makePlan } from "../../src/state/plan/plan.ts";
import { findUnmanaged } from "../../src/state/plan/unmanaged-objects.ts";
import { planRollback } from "../../src/state/rollback/rollback.ts";
import type { RunEntry } from "../../src/state/runs/runs.ts";
import { compose } from "../../src/state/yaml/yaml.ts";
import { alteringSession } from "../support/altering-proxy.ts";
import { contextFor } from "../support/context.ts";

// Files and instances of many rows: one author chooses how many a file has, another one how many an answer.

const lines = <T>(count: number, line: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => line(at));

/** An instance whose lists have as many rows, all on one page. */
async function instanceOf(rows: number): Promise<string> {
  const answers: readonly (readonly [RegExp, () => unknown])[] = [
    [/\/groups\/acme\/projects$/, () => lines(rows, (at) => ({ id: at + 10, path_with_namespace: `acme/p${at}` }))],
    [/\/job_token_scope\/allowlist$/, () => lines(rows, (at) => ({ id: at + 10, path_with_namespace: `acme/p${at}` }))],
    [/\/groups\/acme$/, () => ({ id: 1, full_path: "acme" })],
    [
      /\/protected_environments$/,
      () => lines(rows, (at) => ({ name: `e${at}`, deploy_access_levels: [], approval_rules: [] })),
    ],
    [/\/user$/, () => ({ id: 1, username: "root" })],
    [/\/projects\/[^/]+$/, () => ({ id: 7, path_with_namespace: "acme/a" })],
  ];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    const answer =
      searchParams.get("archived") === "true" ? () => [] : answers.find(([path]) => path.test(pathname))?.[1];
    const headers = { "content-type": "application/json", "x-page": "1", "x-next-page": "", "x-total": String(rows) };
    response
      .writeHead(answer === undefined ? 404 : 200, headers)
      .end(JSON.stringify(answer?.() ?? { message: "404 Not found" }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Eight times as many rows cost about eight times as much, and not 64 times. */
async function expectLinear(work: (n: number) => Promise<unknown>): Promise<void> {
  const costOf = async (n: number) => {
    const start = process.cpuUsage();
    await work(n);
    return process.cpuUsage(start).user / 1000;
  };
  await costOf(200);
  const small = await costOf(1_000);
  // A few milliseconds are noise.
  expect(await costOf(8_000)).toBeLessThan(20 * Math.max(small, 10));
}

const patterns = (n: number) => lines(n, (at) => `  acme/a${at}*: { container_registry_access_level: private }\n`);
const stateOf = (n: number) => `forgectl: 1\nprojects:\n${patterns(n).join("")}`;
const declared = (n: number) =>
  declare([{ name: "state.yaml", folder: undefined, tree: compose(stateOf(n)) }], new Findings());
const nothingChosen = {
  prune: false,
  secrets: "auto",
  only: undefined,
  projects: undefined,
  groups: undefined,
} as const;

const quietContext = (url: string) => ({ ...contextFor(url, { token: "t0ken-of-nobody" }), warn: () => undefined });

test("a plan for many patterns and many projects", async () => {
  await expectLinear(async (n) => {
    const declaration = await declared(n);
    const { changes } = await makePlan(quietContext(await instanceOf(4 * n)), declaration, nothingChosen);
    expect(changes).toEqual([]);
  });
}, 120_000);

test("projects that none of many patterns names", async () => {
  await expectLinear(async (n) => {
    const rows = await findUnmanaged(quietContext(await instanceOf(n)), await declared(n), nothingChosen);
    expect(rows.filter(({ action }) => action === "unmanaged")).toHaveLength(n);
  });
}, 120_000);

test("an export of a long list", async () => {
  await expectLinear(async (n) => {
    const context = quietContext(await instanceOf(8 * n));
    const scope = { at: "project", name: "acme/a" } as const;
    const exported = exportScopes(context, [scope], { only: ["protected_environments"] });
    for await (const { sections } of exported) expect(sections.protected_environments).toHaveLength(8 * n);
  });
}, 120_000);

test("pages for many groups", async () => {
  const context = contextFor("http://127.0.0.1:1", {});
  const exportedOf = (name: string): Exported => ({
    scope: { at: "project", name },
    sections: { container_registry_access_level: "private" },
    unreadable: [],
  });
  await expectLinear(async (n) => {
    const roots = lines(n / 4, (at) => `g${at}`);
    const exported = roots.flatMap((root) => [exportedOf(`${root}/a`), exportedOf(`${root}/b`)]);
    const pages = await compactPages(context, exported, { roots, leftOut: {}, isOneFile: false });
    expect(pages.map(({ name }) => name).sort()).toEqual(roots.map((root) => `groups/${root}.yaml`).sort());
  });
}, 120_000);

test.each([
  ["entries with an ID", "allowlist", (at: number) => ({ id: at + 10 }), (at: number) => at + 10],
  ["entries without one", "protected_environments", (at: number) => ({ name: `e${at}` }), () => null],
] as const)(
  "the rollback of a run that created %s",
  async (_, kind, valuesOf, idOf) => {
    await expectLinear(async (n) => {
      const url = await instanceOf(n);
      const entries = lines(n, (at): RunEntry => {
        const values = valuesOf(at);
        const key = String(Object.values(values)[0]);
        const base = {
          address: `acme/a#${kind}/${key}`,
          at: "project",
          scope: "acme/a",
          kind,
          key,
          id: idOf(at),
        } as const;
        const outcome = { action: "create", status: "done", error: null, before: null, after: values } as const;
        return { ...base, ...outcome, sent: values, secrets: [] };
      });
      const head = { run: "r", instance: url, what: "apply", started: "", ended: null, complete: true, damaged: [] };
      const { plan } = await planRollback(quietContext(url), { ...head, entries }, { overwrite: false, earlier: [] });
      expect(plan.changes.map(({ action }) => action)).toEqual(lines(n, () => "delete"));
    });
  },
  120_000,
);

test("an apply of many updates of one list reads at most one page more for each", async () => {
  const admin = await alteringSession(() => undefined);
  const count = 120;
  const apply = (event: string) => {
    const hooks = lines(
      count,
      (at) => `      - { url: "https://${at}.example/hook", name: n${at}, events: [${event}] }\n`,
    );
    writeFileSync(join(admin.home, "state.yaml"), `forgectl: 1\ngroups:\n  acme:\n    hooks:\n${hooks.join("")}`);
    return admin.run("state", "apply", "-f", "state.yaml", "--yes", "-q", "--concurrency", "1");
  };
  expect(await apply("push")).toMatchObject({ code: 0 });
  admin.seen.length = 0;
  expect(await apply("note")).toMatchObject({ code: 0 });
  // On a slow machine the group is looked up again, too.
  const sent = (method: string) =>
    admin.seen.filter((line) => line.startsWith(method) && line.includes("/hooks")).length;
  expect(sent("PUT")).toBe(count);
  // The plan, the first read, and the last one have two pages each.
  expect(sent("GET")).toBeLessThan(count + 15);
});
