import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { alteringSession, never } from "../support/altering-proxy.ts";
import { sandboxSession } from "../support/session.ts";

const tags = ["v1.1.0", "v1.2.0", "v1.3.0", "v1.4.0", "v1.5.0"];
const deletion = ["registry", "tags", "delete", "12", ...tags, "-p", "7", "--yes", "--concurrency", "2"];

interface Row {
  tag_name: string;
  status: string;
  error?: string;
}

test.each(["json", "tsv"])(
  "Ctrl-C: every item is done, in flight and then checked, or not tried, and is listed as such in %s",
  async (format) => {
    let onHang = () => {};
    const when = new Promise<void>((resolve) => {
      onHang = resolve;
    });
    let hanging = 0;
    const { run } = await alteringSession(async ({ method, path }) => {
      if (method !== "DELETE" || !/v1\.[34]\.0$/.test(path)) return undefined;
      hanging += 1;
      if (hanging === 2) onHang();
      return never;
    });
    const { code, stdout, stderr } = await run(...deletion, "-o", format, { kill: { signal: "SIGINT", when } });
    const rows: Row[] =
      format === "json"
        ? JSON.parse(stdout)
        : stdout
            .trimEnd()
            .split("\n")
            .slice(1)
            .map((line) => {
              const [tag_name = "", status = "", error] = line.split("\t");
              return { tag_name, status, error };
            });
    expect(rows.map(({ tag_name }) => tag_name)).toEqual(tags);
    const statuses = rows.map(({ status }) => status);
    // The answers of two never arrived, and a check finds them gone.
    expect(statuses).toEqual(["deleted", "deleted", "deleted", "deleted", "not_tried"]);
    expect([code, stderr]).toEqual([130, expect.stringContaining("interrupted: 4 of 5 done, 1 not tried")]);
    expect(stderr).toContain(`forgectl registry tags delete 12 ${tags[4]} -p 7 --yes`);
  },
);

test("Ctrl-C: a change that a check does not find, or cannot look for, is unknown: the instance may still be at work", async () => {
  let bothHung = () => {};
  const when = new Promise<void>((resolve) => {
    bothHung = resolve;
  });
  let hanging = 0;
  const { run } = await alteringSession(async ({ method, path }) => {
    const tag = path.split("/").at(-1);
    if (tag !== "v1.2.0" && tag !== "v1.3.0") return undefined;
    if (method === "GET") return tag === "v1.2.0" ? { status: 200, body: { name: tag } } : { status: 500, body: {} };
    hanging += 1;
    if (hanging === 2) bothHung();
    return never;
  });
  const { code, stdout, stderr } = await run(...deletion, "-o", "json", { kill: { signal: "SIGINT", when } });
  const rows: Row[] = JSON.parse(stdout);
  expect(rows.map(({ status }) => status)).toEqual(["deleted", "unknown", "unknown", "not_tried", "not_tried"]);
  expect(rows[1]?.error).toBe("interrupted; a check does not show the change, but the instance may still be making it");
  expect(rows[2]?.error).toBe("interrupted");
  expect([code, stderr]).toEqual([130, expect.stringContaining("1 of 5 done, 2 unknown, 2 not tried")]);
});

test("each item runs once; one item and several have the same columns", async () => {
  const { run, seen } = await alteringSession(() => undefined);
  const twice = await run(..."registry tags delete 12 v1.1.0 v1.1.0 -p 7 --yes".split(" "));
  expect(twice).toEqual({ code: 0, stdout: "tag_name\tstatus\terror\nv1.1.0\tdeleted\t\n", stderr: "" });
  const several = await run(..."registry tags delete 12 v1.2.0 v1.3.0 v1.2.0 -p 7 --yes".split(" "));
  expect(several.stdout).toBe("tag_name\tstatus\terror\nv1.2.0\tdeleted\t\nv1.3.0\tdeleted\t\n");
  const changes = seen.filter((line) => line.startsWith("DELETE")).map((line) => line.split("/").at(-1));
  expect(changes.sort()).toEqual(["v1.1.0 204", "v1.2.0 204", "v1.3.0 204"]);
  const asked = await run(..."errors keys delete 1 2 1 -p 7".split(" "));
  expect(asked.stderr).toContain("this would delete error tracking keys 1, 2 (project 7)");
});

test("lost answers are checked, or unknown; refused ones have failed; all are listed", async () => {
  const { run } = await alteringSession(({ method, path }) => {
    if (method === "GET" && path.endsWith("v1.2.0")) return { status: 500, body: { message: "busy" } };
    if (method !== "DELETE") return undefined;
    if (path.endsWith("v1.1.0") || path.endsWith("v1.2.0")) return "lost";
    return path.endsWith("v1.4.0") ? { status: 403, body: { message: "protected" } } : undefined;
  });
  const { code, stdout, stderr } = await run(...deletion, "-o", "json", "--retries", "0");
  expect(JSON.parse(stdout).map(({ status }: Row) => status)).toEqual([
    "deleted",
    "unknown",
    "deleted",
    "refused",
    "deleted",
  ]);
  expect([code, JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error]).toEqual([
    9,
    expect.objectContaining({
      ...{ code: "partial", message: "1 of 5 failed, 1 unknown" },
      // A deletion that may have been made is not repeated.
      hint: "forgectl registry tags delete 12 v1.4.0 -p 7 --yes",
    }),
  ]);
});

test("a server that fails in the middle: the command in the error completes the rest", async () => {
  const files = ["a.txt", "-b c.txt", "d.txt"];
  let down = false;
  const { run, home } = await alteringSession(({ method }) => {
    const refuses = down && (method === "POST" || method === "DELETE");
    if (method === "POST" || method === "DELETE") down = true;
    return refuses ? { status: 403, body: { message: "not now" } } : undefined;
  });
  for (const file of files) writeFileSync(join(home, file), file);
  const sent = await run("uploads", "create", "-p", "7", "--concurrency", "1", "--", ...files);
  expect(sent.code).toBe(9);
  expect(sent.stderr).toContain("2 of 3 failed\ntry:   forgectl uploads create -p 7 -- '-b c.txt' d.txt\n");
  down = false;
  const rest = await run("uploads", "create", "-p", "7", "--concurrency", "1", "--", ...files.slice(1));
  expect(rest.stderr).toContain("1 of 2 failed\ntry:   forgectl uploads create d.txt -p 7\n");
});

test("more items than fit on a line: the rows say which", async () => {
  const { run } = await alteringSession(({ method }) => (method === "DELETE" ? { status: 403, body: {} } : undefined));
  const many = Array.from({ length: 21 }, (_, index) => String(index + 1));
  const { code, stderr } = await run("uploads", "delete", ...many, "-p", "7", "--yes");
  expect([code, stderr]).toEqual([
    9,
    expect.stringContaining("try:   run it again with the 21 whose status is failed, refused, or not_tried\n"),
  ]);
});

test("a failure between the rounds of a prune does not hide earlier deletions", async () => {
  let lists = 0;
  const { run } = await alteringSession(({ path }) => {
    if (!/\/tags\?/.test(path)) return undefined;
    lists += 1;
    return lists === 1 ? undefined : { status: 403, body: { message: "no more" } };
  });
  const prune = ["registry", "tags", "prune", "12", "-p", "7", "--delete-regex", "feature-c.*", "--via", "tags"];
  const { code, stdout } = await run(...prune, "--repeat", "--yes", "-o", "json");
  expect([code, JSON.parse(stdout).map(({ status }: Row) => status)]).toEqual([5, ["deleted", "deleted", "deleted"]]);
});

test("a dry run plans each item once", async () => {
  const { run } = await sandboxSession();
  const { stdout } = await run(..."registry tags delete 12 v1.1.0 v1.2.0 v1.1.0 -p 7 -n --jq length".split(" "));
  expect(stdout).toBe("2\n");
});
