import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
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
const bulk = "DELETE /api/v4/projects/acme%2Fstorefront/registry/repositories/12/tags";
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

describe("--via tags", () => {
  test("deletes tag by tag, and prints each", async () => {
    const { code, stdout, stderr } = await prune("--delete-regex", "feature-c.*", "--via", "tags", "--yes");
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout:
        "tag_name\tstatus\terror\nfeature-cache-149\tdeleted\t\nfeature-cart-100\tdeleted\t\nfeature-checkout-121\tdeleted\t\n",
      stderr: "3 of 3 done\n",
    });
    expect(log.filter((line) => line.includes("/tags/feature")).map((line) => line.split(" ")[0])).toEqual([
      "DELETE",
      "DELETE",
      "DELETE",
    ]);
    const again = await prune("--delete-regex", "feature-c.*", "--via", "tags", "--yes", "-o", "json");
    expect(again).toEqual({ code: 0, stdout: "[]\n", stderr: "nothing to delete: the rules select no tag\n" });
  });

  test("one that fails: the others are deleted, exit 9", async () => {
    const faulty = await sandboxSession({ faults: "DELETE /projects/7/**/feature-cart-100=403" });
    const words = ["registry", "tags", "prune", "12", "-p", "7", "--delete-regex", "feature-c.*", "--via", "tags"];
    const { code, stdout, stderr } = await faulty.run(...words, "--yes", "--repeat", "-o", "json");
    expect(code).toBe(9);
    expect(JSON.parse(stdout).map((row: { status: string }) => row.status)).toEqual(["deleted", "refused", "deleted"]);
    expect(JSON.parse(stderr).error).toMatchObject({ code: "partial", exit: 9 });
  });

  test("one refusal for the role is enough", async () => {
    const words = "registry tags prune 12 -p 7 --delete-regex nightly-.* --via tags --yes -o json";
    const { code, stdout, stderr } = await admin.as("developer").run(...words.split(" "));
    const statuses = JSON.parse(stdout).map(({ status }: { status: string }) => status);
    expect([code, statuses]).toEqual([5, ["refused", ...new Array(13).fill("not_tried")]]);
    expect(JSON.parse(stderr).error).toMatchObject({ code: "role_missing", hint: "forgectl auth status" });
    expect(changes()).toHaveLength(1);
  });

  test("one refusal for the role is enough, if the first tag of a plan is gone too", async () => {
    const log: string[] = [];
    const at = await sandboxSession({ log: (line) => log.push(line) });
    const words = "registry prune -p 7 --match acme/storefront --delete-regex nightly-.* --keep-n 3 --save plan.json";
    await at.run(...words.split(" "));
    const plan = await readFile(join(at.home, "plan.json"), "utf8");
    const first = /nightly-[^"]*/.exec(plan.slice(plan.indexOf('"tags"')))?.[0] ?? "";
    expect((await at.run("registry", "tags", "delete", "12", first, "-p", "7", "--yes")).code).toBe(0);
    log.length = 0;
    const developer = at.as("developer");
    await writeFile(join(developer.home, "plan.json"), plan);
    const { code, stderr } = await developer.run("registry", "prune", "--plan", "plan.json", "--yes", "-o", "json");
    expect([code, JSON.parse(stderr).error.code]).toEqual([5, "role_missing"]);
    expect(requestsIn(log).filter((line) => line.startsWith("DELETE"))).toHaveLength(1);
  });

  test("--repeat checks again until nothing is selected", async () => {
    const { code } = await prune("--delete-regex", "nightly-.*", "--keep-n", "3", "--via", "tags", "--repeat", "-y");
    expect(code).toBe(0);
    expect((await tagNames()).filter((name) => name.startsWith("nightly-"))).toHaveLength(3);
    // Once to find them, once to check that they are gone.
    expect(log.filter((line) => /\/12\/tags 200/.test(line)).length).toBeGreaterThanOrEqual(2);
  });
});

describe("--via bulk", () => {
  test("one request; prints and stores when the next is allowed", async () => {
    const { code, stdout, stderr } = await prune("--delete-regex", "nightly-.*", "--yes", "-o", "json");
    const record = JSON.parse(stdout);
    expect([code, record]).toEqual([0, { repository_id: 12, status: "scheduled", next_allowed_at: time }]);
    expect(stderr).toBe(
      `scheduled: the platform deletes in the background; the next bulk delete of this repository is allowed from ${record.next_allowed_at}\n`,
    );
    expect(requestsIn(log)).toEqual([`${bulk} 202`]);
    const again = await prune("--delete-regex", "nightly-.*", "--yes");
    expect(again.code).toBe(1);
    const lines = again.stderr.split("\n");
    expect(lines[0]).toContain("error: tags may be deleted in bulk once an hour per repository (DELETE ");
    expect(lines[1]).toBe(
      "cause: This request has already been made. It may run at most once an hour for a container " +
        `repository; the next bulk delete of repository 12 is allowed from ${record.next_allowed_at}`,
    );
    expect(lines[2]).toBe(
      "try:   deleting tag by tag has no such limit: " +
        "forgectl registry tags prune 12 -p acme/storefront --delete-regex 'nightly-.*' --via tags --yes",
    );
    const path = join(admin.home, ".config", "forgectl", "bulk-deletes.json");
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual({ [`${admin.sandbox.url} 12`]: expect.any(String) });
  });

  test("explains the hourly limit if the request was made elsewhere, or the record is damaged", async () => {
    const elsewhere = { env: { FORGECTL_CONFIG_DIR: join(admin.home, "elsewhere") } };
    const words = ["registry", "tags", "prune", "12", "-p", "7", "--delete-regex", "nightly-.*", "--yes"];
    expect((await admin.run(...words, elsewhere)).code).toBe(0);
    await writeFile(join(admin.home, "elsewhere", "bulk-deletes.json"), "{broken");
    for (const place of [{}, elsewhere]) {
      const { code, stderr } = await admin.run(...words, "-o", "json", place);
      expect(code).toBe(1);
      expect(JSON.parse(stderr).error).toMatchObject({ code: "once_an_hour", exit: 1, status: 400, retryable: true });
      expect(stderr).toContain("allowed an hour after the last, which was not made from here");
    }
  });

  test("a record that others can write is not believed, and nothing is kept from being deleted by it", async () => {
    const folder = join(admin.home, ".config", "forgectl");
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, "bulk-deletes.json");
    await writeFile(path, JSON.stringify({ [`${admin.sandbox.url} 12`]: new Date().toISOString() }));
    await chmod(path, 0o666);
    const { code, stderr } = await prune("--delete-regex", "nightly-.*", "--yes");
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(`warning: ${path} can be read or written by others: it is not believed`),
    ]);
    expect(requestsIn(log)).toEqual([`${bulk} 202`]);
  });

  test("a read-only folder is a warning, because the request was made", async () => {
    await writeFile(join(admin.home, "file"), "");
    const { code, stdout, stderr } = await prune("--delete-regex", "v1", "--yes", "-q", {
      env: { FORGECTL_CONFIG_DIR: join(admin.home, "file", "below") },
    } as never);
    expect([code, stdout]).toEqual([0, expect.stringContaining("12\tscheduled\t")]);
    expect(stderr).toContain("warning: the time of this call could not be stored: ");
  });

  test("a plus in a pattern is encoded; alternatives are grouped", async () => {
    expect((await prune("--delete-regex", "feature-[a-z0-9]+-1\\d+", "--yes", "--repeat")).code).toBe(0);
    expect((await tagNames()).filter((name) => name.startsWith("feature-"))).toEqual([]);
    const words = ["registry", "tags", "prune", "13", "-p", "7", "--delete-regex", "v1|main", "--yes", "--repeat"];
    expect((await admin.run(...words)).code).toBe(0);
    const left = await tagNames("13");
    // If the pattern were sent unchanged, whatever begins with v1 would be deleted too.
    expect(left.filter((name) => /^(main|v1.*)$/.test(name))).toHaveLength(11);
  });

  test("a 429 within the hour gives both times; another one is an ordinary rate limit", async () => {
    const faults = "DELETE /projects/7/**=delay:ms=1; DELETE /projects/7/**=429:retry-after=1200*2";
    const faulty = await sandboxSession({ faults });
    const words = ["registry", "tags", "prune", "-p", "7", "--delete-regex", "x", "--yes", "-o", "json"];
    expect((await faulty.run(...words, "12")).code).toBe(0);
    const refused = JSON.parse((await faulty.run(...words, "12")).stderr).error;
    expect(refused).toMatchObject({ code: "once_an_hour", exit: 7, status: 429 });
    expect(refused.cause).toMatch(/is allowed from 2\S+Z; the instance asks to wait; Retry-After: 1200$/);
    const other = JSON.parse((await faulty.run(...words, "13")).stderr).error;
    expect(other).toMatchObject({ code: "rate_limited", exit: 7 });
  });

  test("another refusal is unchanged", async () => {
    const faulty = await sandboxSession({ faults: "DELETE /projects/7/**=400" });
    const words = ["registry", "tags", "prune", "12", "-p", "7", "--delete-regex", "x", "--yes"];
    const { code, stderr } = await faulty.run(...words);
    expect([code, stderr]).toEqual([1, expect.stringContaining("error: could not delete registry tags in bulk (")]);
    const { stderr: denied } = await admin.as("developer").run(...words);
    expect(denied).toContain("cause: usually this needs the Maintainer role\n");
  });

  test("--wait ends after the platform has deleted the tags", async () => {
    const own = await sandboxSession();
    const words = "registry tags prune 12 -p acme/storefront --delete-regex feature-c.*".split(" ");
    const { code, stdout } = await own.run(...words, "--wait", "--yes", "-o", "json");
    const done = JSON.parse(stdout);
    expect([code, done.status]).toEqual([0, "done"]);
    expect(done.deleted).toBeGreaterThan(0);
    const left = await own.run(..."registry tags list 12 -p acme/storefront -L all --fields name".split(" "));
    expect(left.stdout).not.toMatch(/^feature-c/m);
    const early = await own.run(...words.slice(0, -1), "v1", "--wait", "--yes");
    expect([early.code, early.stderr]).toEqual([8, expect.stringContaining(" --delete-regex v1 --wait --yes\n")]);
  });

  test("--repeat waits for the platform, and sends no useless requests", async () => {
    const first = await prune("--delete-regex", "nightly-.*", "--repeat", "--yes", "-o", "json");
    expect(first.stderr).toBe("");
    expect(JSON.parse(first.stdout)).toEqual({ repository_id: 12, status: "done", deleted: 14, next_allowed_at: time });
    expect(changes()).toEqual([`${bulk} 202`]);
    const idle = await prune("--delete-regex", "nightly-.*", "--repeat", "--yes", "-o", "json");
    expect(idle).toMatchObject({ code: 0, stderr: "nothing to delete: the rules select no tag\n" });
    expect(JSON.parse(idle.stdout)).toMatchObject({ status: "done", deleted: 0, next_allowed_at: null });
    const early = await prune("--delete-regex", "v1", "--repeat", "--yes");
    expect(early.code).toBe(8);
    expect(early.stderr).toContain(
      "try:   forgectl registry tags prune 12 -p acme/storefront --delete-regex v1 --repeat --yes\n",
    );
  });

  test("--repeat on the hosted offering: the rest must wait an hour, exit 8", async () => {
    const hosted = await sandboxSession({ hosting: "hosted" });
    const words = ["registry", "tags", "prune", "11", "-p", "open-tools/cli", "--delete-regex", "v1\\..*"];
    const { code, stdout, stderr } = await hosted.run(
      ...words,
      "--repeat",
      "--wait-timeout",
      "2",
      "--yes",
      "-o",
      "json",
    );
    expect([code, stdout]).toEqual([8, ""]);
    expect(JSON.parse(stderr).error).toMatchObject({
      message: "20 of 40 tags still exist",
      hint: "forgectl registry tags prune 11 -p open-tools/cli --delete-regex 'v1'\\\\'..*' --repeat --yes",
      retryable: true,
    });
  });
});
