import { describe, expect, test } from "vitest";
import { fitsAny } from "../../../src/base/globs.ts";
import { commandLine } from "../../../src/base/shell-words.ts";
import { amender } from "../../../src/commands/audit/amendments.ts";
import { readAuditBaseline } from "../../../src/commands/audit/baseline.ts";
import { outcomeTexts, presentOf } from "../../../src/commands/hooks/stored-secrets.ts";
import { firstLine } from "../../../src/commands/hooks/test.ts";
import { Findings } from "../../../src/commands/identities/map.ts";
import { planMoves } from "../../../src/commands/identities/remap-plan.ts";
import { type Allowed, accessBy, compact } from "../../../src/commands/job-token/compaction.ts";
import { placeName } from "../../../src/declare/place-name.ts";
import { safeFileName } from "../../../src/transfer/file-name.ts";

// What an instance, or people who give names and paths in it, can make long.

const lines = <T>(count: number, line: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => line(at));
const allowed = (kind: Allowed["kind"], id: number, path: string): Allowed => ({ kind, id, path });

/** Work on `n` of something. */
const tasks: Record<string, (n: number) => unknown> = {
  "identities of one UID, but for its case": (n) => {
    const identities = lines(3 * n, (at) => ({ extern_uid: at % 2 === 0 ? "a" : "A", user_id: at + 1 }));
    return planMoves([{ old: "a", new: "b", place: "map.csv:1" }], identities, () => undefined, new Findings());
  },
  "an allowlist of projects, each in a group": (n) => {
    const entries = lines(n, (at) => allowed("project", at, `g${at}/p`));
    return compact(entries, 3, []);
  },
  "an allowlist of projects in groups of one group": (n) => {
    const entries = lines(n, (at) => allowed("project", at, `g/s${at}/p`));
    return compact(entries, n + 1, []);
  },
  "an allowlist of projects and of as many groups": (n) => {
    const entries = lines(n, (at) => [allowed("project", at, `g${at}/p`), allowed("group", at, `g${at}`)]).flat();
    return compact(entries, 1, []);
  },
  "projects that an allowlist lets in": (n) => {
    const hasAccess = accessBy(lines(n, (at) => allowed("group", at, `g${at}`)));
    return lines(n, (at) => hasAccess(`x${at}/p`));
  },
  "line feeds in a word of a command line": (n) => commandLine([`${"\n".repeat(5 * n)}x`]),
  "dots and spaces in a file name": (n) => safeFileName(`x${". ".repeat(5 * n)}x`),
  "markup in the page of a receiver": (n) => firstLine("<head>".repeat(10 * n)) + firstLine("<".repeat(50 * n)),
  "unknown rules beside as many of the file's own": (n) => {
    const own = lines(n / 8, (at) => ({ setting: `s${"x".repeat(90)}${at}`, expect: { is: 1 } }));
    const unknown = lines(n / 8, (at) => ({ rule: `users.${"x".repeat(86)}${at}` }));
    const problems: string[] = [];
    readAuditBaseline({ rules: [...own, ...unknown] }, (path) => problems.push(path));
    return problems;
  },
  "exemptions for as many places": (n) => {
    const exempt = { reason: "known", until: "2099-01-01" };
    const entry = (at: number) => ({ rule: "users.dormant", where: `user a${at}*`, severity: undefined, exempt });
    const amend = amender(lines(n, entry), "2026-01-01");
    return lines(n, (at) => amend("users.dormant", [`user b${at}`, "instance"]));
  },
  "headers of a hook, and others after a change": (n) => {
    const present = presentOf({ url: "https://a.example", custom_headers: lines(n, (at) => ({ key: `a${at}` })) });
    const change = { url: undefined, attributes: {}, removed: [] };
    return outcomeTexts(present, change, { custom_headers: lines(n, (at) => ({ key: `b${at}` })) });
  },
  "globs for as many texts": (n) => {
    const fits = fitsAny(lines(n, (at) => `a${at}*`));
    return lines(n, (at) => fits(`b${at}`));
  },
  "slashes in a path": (n) => placeName(`a${"/".repeat(10 * n)}b`, "project", "-p", {} as never),
};

describe("eight times as much costs about eight times as much, and not 64 times", () => {
  test.each(Object.entries(tasks))("%s", (_name, task) => {
    const costOf = (n: number) => {
      const start = process.cpuUsage();
      task(n);
      return process.cpuUsage(start).user / 1000;
    };
    costOf(500);
    // A few milliseconds are noise.
    expect(costOf(16_000)).toBeLessThan(32 * Math.max(costOf(2_000), 10));
  });
});
