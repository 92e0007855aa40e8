import { beforeEach, describe, expect, test } from "vitest";
import { requestsIn, sandboxSession } from "../support/session.ts";

type Session = Awaited<ReturnType<typeof sandboxSession>>;

let log: string[];
let admin: Session;
/** Each test has its own sandbox, since deletions and the hourly limit would affect the next one. */
beforeEach(async () => {
  log = [];
  admin = await sandboxSession({ log: (line) => log.push(line) });
});

/** The changes requested of the instance, without the times. */
function changes(): string[] {
  const lines = requestsIn(log);
  return lines.filter((line) => !line.startsWith("GET "));
}

const prune = (...flags: string[]) => admin.run("registry", "tags", "prune", "12", "-p", "acme/storefront", ...flags);
const tagNames = async (repository = "12") => {
  const words = ["registry", "tags", "list", repository, "-p", "7", "-L", "all", "--jq", ".[].name"];
  return (await admin.run(...words)).stdout.trimEnd().split("\n");
};

interface Shown {
  name: string;
  verdict: string;
  rule: string;
}

describe("the preview", () => {
  test("every tag, newest first, with its outcome and the reason; nothing is changed", async () => {
    const flags = ["--delete-regex", "nightly-.*|v1.*|latest", "--keep-regex", "v1\\.4\\.0", "--keep-n", "2"];
    const { code, stdout, stderr } = await prune(...flags, "--older-than", "1 week", "--dry-run", "-o", "json");
    expect(code).toBe(0);
    const rows: (Shown & { created_at: string; total_size: number; digest: string })[] = JSON.parse(stdout);
    expect(rows).toHaveLength(63);
    const times = rows.map(({ created_at }) => Date.parse(created_at));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    const of = (name: string) => rows.find((row) => row.name === name);
    expect(of("main")).toMatchObject({ verdict: "KEEP", rule: "no_match" });
    expect(of("latest")).toMatchObject({ verdict: "KEEP", rule: "latest" });
    expect(of("v1.4.0")).toMatchObject({ verdict: "KEEP", rule: "keep_regex" });
    expect(of("v1.18.0")).toMatchObject({ verdict: "KEEP", rule: "older_than" });
    expect(of("v1.12.0")).toMatchObject({ verdict: "DELETE", rule: "delete_regex" });
    expect(rows.filter(({ rule }) => rule === "keep_n").map(({ name }) => name)).toEqual(
      rows
        .filter(({ name }) => /^(nightly-.*|v1.*)$/.test(name))
        .slice(0, 2)
        .map(({ name }) => name),
    );
    const selected = rows.filter(({ verdict }) => verdict === "DELETE").length;
    const query =
      "name_regex_delete=(%3F%3Anightly-.*%7Cv1.*%7Clatest)&name_regex_keep=v1%5C.4%5C.0&keep_n=2&older_than=1%20week";
    expect(stderr).toBe(
      `${selected} of 63 tags would be deleted by DELETE ${admin.sandbox.url}/api/v4/projects/acme%2Fstorefront/registry/repositories/12/tags?${query}\n`,
    );
    expect(changes()).toEqual([]);
  });

  test("is a table like any other: columns, --fields, --jq", async () => {
    const { stdout } = await prune("--delete-regex", "v1", "-n", "--via", "tags");
    const [header, ...lines] = stdout.trimEnd().split("\n");
    expect(header).toBe("name\tverdict\trule\tcreated_at\ttotal_size");
    expect(lines.filter((line) => line.includes("\tDELETE\tdelete_regex\t"))).toEqual([
      expect.stringMatching(/^v1\tDELETE\tdelete_regex\t2\d{3}-\S+\t\d+$/),
    ]);
    const picked = await prune("--delete-regex", "v1", "-n", "--jq", 'map(select(.verdict == "DELETE") | .name)');
    expect(JSON.parse(picked.stdout)).toEqual(["v1"]);
    expect((await prune("--delete-regex", "v1", "-n", "-q")).stderr).toBe("");
  });

  test("a keep pattern that keeps everything is pointed out", async () => {
    const { code, stdout, stderr } = await prune(
      "--delete-regex",
      ".*",
      "--keep-regex",
      ".*",
      "-n",
      "-q",
      "-o",
      "json",
    );
    expect([code, stderr]).toEqual([0, "warning: --keep-regex .* keeps every tag: nothing will be deleted\n"]);
    expect(new Set(JSON.parse(stdout).map(({ rule }: Shown) => rule))).toEqual(new Set(["keep_regex"]));
  });

  test("is what both ways of deleting do", async () => {
    const flags = ["--delete-regex", "[0-9a-f]{8}|feature-c.*", "--keep-n", "4", "--older-than", "2 weeks"];
    const preview = await prune(...flags, "-n", "-o", "json");
    const rows: Shown[] = JSON.parse(preview.stdout);
    const kept = rows.filter(({ verdict }) => verdict === "KEEP").map(({ name }) => name);
    expect(kept.length).toBeLessThan(50);
    const other = await sandboxSession();
    const words = ["registry", "tags", "prune", "12", "-p", "7", ...flags, "--yes"];
    expect((await admin.run(...words, "--via", "tags")).code).toBe(0);
    expect((await other.run(...words, "--repeat")).code).toBe(0);
    expect((await tagNames()).sort()).toEqual(kept.toSorted());
    const left = await other.run("registry", "tags", "list", "12", "-p", "7", "-L", "all", "--jq", ".[].name");
    expect(left.stdout.trimEnd().split("\n").sort()).toEqual(kept.toSorted());
  });
});

describe("bad input is refused before anything is sent", () => {
  test.each([
    [
      ["--delete-regex", "(a"],
      'error: --delete-regex: "(a" is not a regular expression of RE2\ncause: missing closing ): `(a`\n',
    ],
    [["--delete-regex", "a(?!b)"], "cause: invalid or unsupported Perl syntax: `(?!`\n"],
    [["--delete-regex", "a", "--keep-regex", "*"], 'error: --keep-regex: "*" is not a regular expression of RE2\n'],
    [["--delete-regex", ""], "error: --delete-regex: is empty"],
    [["--keep-n", "3"], "error: missing --delete-regex <re2>\n"],
    [
      ["--delete-regex", "a", "--older-than", "3 fortnights"],
      'error: --older-than: "3 fortnights" is not a duration\n',
    ],
    [["--delete-regex", "a", "--keep-n", "-1"], "error: --keep-n: must be a whole number of at least 0"],
    [["--delete-regex", "a", "--via", "tag"], "did you mean tags?"],
    [
      ["--delete-regex", "a", "--wait-timeout", "9"],
      "error: --wait-timeout needs --wait or --repeat, and --via bulk\n",
    ],
    [["--delete-regex", "a", "--wait", "--via", "tags"], "error: --wait needs --via bulk"],
  ])("%j", async (flags, message) => {
    for (const way of ["--yes", "--dry-run"]) {
      const { code, stdout, stderr } = await prune(...flags, way);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain(message);
    }
    expect(log).toEqual([]);
  });

  test("without prompts", async () => {
    for (const via of ["bulk", "tags"]) {
      const { code, stderr } = await prune("--delete-regex", ".*", "--keep-n", "5", "--via", via);
      expect(code).toBe(2);
      expect(stderr).toContain(
        "error: this would delete the tags of repository 12 in project acme/storefront that match .*, " +
          "but for the 5 newest, and needs confirmation\n",
      );
    }
    expect(log).toEqual([]);
  });
});
