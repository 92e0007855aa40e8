import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { alteringSession } from "../support/altering-proxy.ts";
import { requestsIn, sandboxSession } from "../support/session.ts";

// `registry prune --via bulk`: the platform deletes in the background, at most once an hour and in limited volume.

/** A sandbox like the hosted offering, which deletes only 20 of the 62 selected tags in one call. */
async function hosted(now?: () => Date) {
  const log: string[] = [];
  const own = await sandboxSession({ hosting: "hosted", log: (line) => log.push(line), ...(now && { now }) });
  const line = "registry prune -p 7 --match acme/storefront --delete-regex .* --yes --no-header";
  return {
    ...own,
    log,
    prune: (...words: string[]) => own.run(...line.split(" "), ...words),
    /** The bulk deletes since the last time. */
    calls: () => requestsIn(log).filter((sent) => sent.startsWith("DELETE ")).length,
    journal: join(own.home, "run.journal"),
  };
}

/** The statuses in a journal, or the events of its other entries. */
function recorded(path: string): string[] {
  const [, ...entries] = readFileSync(path, "utf8").trimEnd().split("\n");
  return entries.map((entry) => JSON.parse(entry)).map(({ event, status }) => status ?? event);
}

const waiting = ["--wait", "--wait-timeout", "2", "--journal", "run.journal"];

describe("--wait with a journal", () => {
  test("a wait that timed out is continued by the command in the hint, without another call", async () => {
    const { prune, run, calls, journal, log } = await hosted();
    const first = await prune(...waiting);
    expect([first.code, calls(), recorded(journal)]).toEqual([8, 1, ["begin", "scheduled"]]);
    expect(first.stderr).toContain("error: 42 of 62 tags still exist\n");
    const hint = /^try: {3}forgectl (.*)$/m.exec(first.stderr)?.[1] ?? "";
    expect(hint).toMatch(/^registry prune .* --journal run.journal --wait --wait-timeout 2 --yes$/);

    const second = await run(...hint.replaceAll("'", "").split(" "));
    expect([second.code, calls(), recorded(journal)]).toEqual([8, 0, ["begin", "scheduled"]]);
    expect(second.stderr).toContain("error: 42 of 42 tags still exist\n");

    const third = prune("--wait", "--wait-timeout", "60", "--journal", "run.journal");
    // Once to find the tags, and once to see whether they are gone.
    while (log.filter((sent) => /^GET \S+\/12\/tags 200/.test(sent)).length < 2) {
      await new Promise((done) => setTimeout(done, 10));
    }
    expect(calls()).toBe(0);
    await run(..."registry tags prune 12 -p 7 --delete-regex .* --via tags --yes".split(" "));
    const { code, stdout } = await third;
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^acme\/storefront\tdeleted\t42\t\S+Z\t\n$/)]);
    expect(recorded(journal)).toEqual(["begin", "scheduled", "deleted"]);
    calls();
    const last = await prune(...waiting);
    expect([last.code, last.stdout, calls()]).toEqual([0, "", 0]);
    expect(last.stderr).toContain("nothing to delete: the rules select no tag\n");
  });

  test("after the hour, the rest is deleted by another call", async () => {
    let offsetMs = 0;
    const { prune, calls, journal } = await hosted(() => new Date(Date.now() + offsetMs));
    expect([(await prune(...waiting)).code, calls()]).toEqual([8, 1]);
    offsetMs = 7_200_000;
    const text = readFileSync(journal, "utf8");
    writeFileSync(journal, text.replace(/("next_allowed_at":")[^"]*/, "$12020-01-01T00:00:00Z"));
    const second = await prune(...waiting);
    expect([second.code, calls()]).toEqual([8, 1]);
    expect(second.stderr).toContain("error: 22 of 42 tags still exist\n");
  });
});

describe("--wait over several repositories", () => {
  const line = "registry prune -p 7 --delete-regex .* --wait --wait-timeout 2 --yes -o json".split(" ");

  test("those whose tags are not deleted in time are made, and not failed", async () => {
    const { run, calls } = await hosted();
    const { code, stdout, stderr } = await run(...line);
    expect([code, calls(), JSON.parse(stdout)]).toEqual([
      ...[9, 2],
      [
        expect.objectContaining({ path: "acme/storefront", status: "made" }),
        expect.objectContaining({ path: "acme/storefront/worker", status: "made" }),
      ],
    ]);
    expect(stderr).toContain("0 of 2 failed, 2 made, but not confirmed as complete");
  });

  test("so are those that may not be looked at after the call", async () => {
    const { run, seen } = await alteringSession(({ method, path }) => {
      const isLook = method === "GET" && path.includes("/tags?") && seen.some((sent) => sent.startsWith("DELETE"));
      return isLook ? { status: 403, body: { message: "403 Forbidden" } } : undefined;
    });
    const { code, stdout } = await run(...line, "--concurrency", "1");
    expect([code, JSON.parse(stdout)[0]]).toMatchObject([9, { path: "acme/storefront", status: "made" }]);
  });
});

describe("within the hour after a call", () => {
  test("from here: it is reported as waiting; with --wait it is exit 8, since the tags are not deleted", async () => {
    const { prune, calls } = await hosted();
    await prune();
    expect(calls()).toBe(1);
    const again = await prune();
    expect([again.code, again.stdout, calls()]).toEqual([0, expect.stringMatching(/\twaiting\t\d+\t\S+Z\t\n$/), 0]);
    const { code, stdout, stderr } = await prune("--wait");
    expect([code, stdout]).toEqual([8, ""]);
    expect(stderr).toMatch(/cause: .* the next bulk delete of repository 12 is allowed from 2\S+Z\n/);
  });

  test("a time to come, stored by a clock that was ahead, keeps nothing from being deleted", async () => {
    const { prune, calls, home, sandbox } = await hosted();
    const folder = join(home, ".config", "forgectl");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const ahead = new Date(Date.now() + 400 * 86_400_000).toISOString();
    const record = JSON.stringify({ [`${sandbox.url} 12`]: ahead });
    writeFileSync(join(folder, "bulk-deletes.json"), record, { mode: 0o600 });
    expect([(await prune()).stdout, calls()]).toEqual([expect.stringContaining("\tscheduled\t"), 1]);
  });

  test("from elsewhere: the refusal says why, and how to delete without the limit", async () => {
    const { prune, run, home } = await hosted();
    const elsewhere = { env: { FORGECTL_CONFIG_DIR: join(home, "elsewhere") } };
    const rules = "registry tags prune 12 -p 7 --delete-regex .* --yes".split(" ");
    expect((await run(...rules, elsewhere)).code).toBe(0);
    const one = await prune();
    expect(one.code).toBe(1);
    expect(one.stderr).toContain("error: tags may be deleted in bulk once an hour per repository (");
    expect(one.stderr).toContain("is allowed an hour after the last, which was not made from here\n");
    expect(one.stderr).toContain("forgectl registry tags prune 12 -p 7 --delete-regex '.*' --via tags --yes\n");
    const several = await run(..."registry prune -p 7 --delete-regex .* --yes -o json".split(" "));
    expect([several.code, JSON.parse(several.stdout)]).toEqual([
      9,
      [
        expect.objectContaining({
          ...{ path: "acme/storefront", status: "refused" },
          error: expect.stringMatching(
            /once an hour .*; the next bulk delete of repository 12 is allowed an hour after/,
          ),
        }),
        expect.objectContaining({ path: "acme/storefront/worker", status: "scheduled", error: null }),
      ],
    ]);
  });
});
